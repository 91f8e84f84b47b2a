"""Checkpoints of this service's verdict log: its key, their folder, and making them when they are due."""

import logging
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy.exc import SQLAlchemyError

from replay.jobs.lines import say
from replay.jobs.service import Service
from replay.store.checkpoints import is_due, make_checkpoint, newest_checkpoint, write_file
from replay.store.keys import kept_key, new_signing_key, public_digits, signing_key
from replay.store.tables import Checkpoint

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

log = logging.getLogger("replay.checkpoints")


def key_path(service: Service) -> Path:
    """Where the key stands that is made for a service without one."""
    return service.settings.data / "signing_key"


def folder_of(service: Service) -> Path:
    """Where checkpoints are written outside the database."""
    return service.settings.data / "checkpoints"


def own_key(service: Service) -> "Ed25519PrivateKey":
    """The key of the settings, else one that is made once and kept in the data folder."""
    return signing_key(service.settings.signing_key or kept_key(key_path(service), new_signing_key))


def known_key(service: Service) -> str | None:
    """The public key of this service; None where it has none yet."""
    given = service.settings.signing_key
    return public_digits(own_key(service)) if given or key_path(service).exists() else None


def checkpoint_now(service: Service) -> Checkpoint:
    """A checkpoint of the log as it is. Raises `LogDiffers`."""
    return make_checkpoint(service.engine, own_key(service), folder_of(service))


def keep_checkpoints(service: Service) -> None:
    """Make a checkpoint if one is due, and write the newest beside the database if it is not there.

    What fails is written down and tried again at the next occasion.
    """
    try:
        if is_due(service.engine):
            checkpoint_now(service)
        else:
            newest = newest_checkpoint(service.engine)
            if newest is not None and not (folder_of(service) / f"{newest.size}.json").exists():
                write_file(newest, folder_of(service))
    except (SQLAlchemyError, OSError, ValueError, RuntimeError) as error:
        say(log, "no checkpoint could be made", logging.ERROR, error=type(error).__name__)
