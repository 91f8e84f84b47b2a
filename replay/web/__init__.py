"""The pages: uploads, reports and hands, made on the server, in three languages, whole without JavaScript."""

from flask import Flask
from jinja2 import StrictUndefined

from replay.jobs.service import Service
from replay.resources import folder
from replay.web import (
    api,
    cases,
    catalogue,
    credits,  # noqa: A004 - the page of that name
    errors,
    gate,
    health,
    languages,
    logs,
    players,
    search,
    security,
    verdict_log,
)
from replay.web.accounts import admins, own, signing
from replay.web.footing import EXTENSION
from replay.web.hands import pages as hand_pages
from replay.web.paper import pages as paper_pages
from replay.web.reports import explaining, shares
from replay.web.reports import pages as report_pages
from replay.web.rulesets import pages as ruleset_pages
from replay.web.uploads import pages as upload_pages
from replay.web.uploads import removing


def create_app(service: Service) -> Flask:
    """The application on a service. Raises ``ValueError`` for a secret key that is too short."""
    app = Flask(__name__, template_folder=str(folder("templates")))
    app.jinja_env.undefined = StrictUndefined
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.extensions[EXTENSION] = service
    for part in (logs, security, languages, errors, gate):
        part.install(app)
    for pages in (
        upload_pages.pages,
        api.pages,
        report_pages.pages,
        explaining.pages,
        hand_pages.pages,
        search.pages,
        players.pages,
        paper_pages.pages,
        catalogue.pages,
        credits.pages,
        ruleset_pages.pages,
        health.pages,
        shares.pages,
        cases.pages,
        verdict_log.pages,
        signing.pages,
        own.pages,
        admins.pages,
        removing.pages,
    ):
        app.register_blueprint(pages)
    return app
