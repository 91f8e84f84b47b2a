"""What the application stands on: its service, wherever in a request it is asked for."""

from typing import cast

from flask import current_app

from replay.jobs.service import Service

EXTENSION = "replay"


def service() -> Service:
    """The service that the application stands on."""
    return cast(Service, current_app.extensions[EXTENSION])
