"""A first start with nothing in the store takes one sample game in, so that there is something to look at."""

from sqlalchemy import select
from sqlmodel import col

from replay.jobs.ingest import take
from replay.jobs.service import Service
from replay.resources import folder
from replay.store.database import reading
from replay.store.tables import Upload

SAMPLE = "mil-sbr/salasasa-2611.json"


def take_sample(service: Service) -> str | None:
    """Take the sample in if the store is empty; returns its upload's id."""
    with reading(service.engine) as session:
        if session.execute(select(col(Upload.id)).limit(1)).first() is not None:
            return None
    path = folder("sample_logs") / SAMPLE
    return take(service, [path.read_bytes()], path.name).upload
