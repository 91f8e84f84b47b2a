"""A first start with nothing in the store takes one sample game in, so that there is something to look at."""

from sqlalchemy import select
from sqlalchemy.exc import OperationalError
from sqlmodel import col

from replay.jobs.ingest import take
from replay.jobs.service import Service
from replay.resources import folder
from replay.store.database import reading
from replay.store.tables import Audit, Report, Upload

SAMPLE = "mil-sbr/salasasa-2611.json"


def take_sample(service: Service) -> str | None:
    """Take the sample in if the store is empty; returns its upload's id. With accounts it would be nobody's."""
    if service.settings.accounts:
        return None
    with reading(service.engine) as session:
        if session.execute(select(col(Upload.id)).limit(1)).first() is not None:
            return None
    path = folder("sample_logs") / SAMPLE
    return take(service, [path.read_bytes()], path.name).upload


def first_hand(service: Service, upload_id: str) -> str | None:
    """The path of the first hand of an upload; None while it is not audited, and while the database is busy."""
    of_upload = (
        select(col(Report.id))
        .join(Audit, col(Audit.id) == col(Report.audit_id))
        .where(col(Audit.upload_id) == upload_id, col(Report.hands) > 0)
        .limit(1)
    )
    try:
        with reading(service.engine) as session:
            report = session.execute(of_upload).scalar_one_or_none()
    except OperationalError:
        return None
    return report and f"reports/{report}/hands/0/steps/0"
