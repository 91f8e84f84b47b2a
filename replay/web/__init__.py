"""The pages: uploads, reports and hands, made on the server, in three languages, whole without JavaScript."""

from flask import Flask
from jinja2 import StrictUndefined

from replay.jobs.service import Service
from replay.resources import folder
from replay.web import (
    catalogue,
    errors,
    explaining,
    hands,
    health,
    languages,
    logs,
    reports,
    rulesets,
    security,
    uploads,
)
from replay.web.loading import EXTENSION


def create_app(service: Service) -> Flask:
    """The application on a service. Raises ``ValueError`` for a secret key that is too short."""
    app = Flask(__name__, template_folder=str(folder("templates")))
    app.jinja_env.undefined = StrictUndefined
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.extensions[EXTENSION] = service
    for part in (logs, security, languages, errors):
        part.install(app)
    for pages in (
        uploads.pages,
        reports.pages,
        explaining.pages,
        hands.pages,
        catalogue.pages,
        rulesets.pages,
        health.pages,
    ):
        app.register_blueprint(pages)
    return app
