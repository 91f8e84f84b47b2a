"""All that an account has here, as one zip that is written while it is sent: no secret, nor a hash of one, is in it."""

from collections.abc import Iterator
from io import RawIOBase
from typing import Any
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

import orjson
from sqlalchemy import Engine, select
from sqlmodel import SQLModel, col

from replay.store.blobs import Blobs
from replay.store.database import reading
from replay.store.tables import (
    Account,
    Audit,
    Dispute,
    DisputeEntry,
    Evidence,
    HouseRules,
    Party,
    Report,
    Share,
    SignIn,
    Token,
    Upload,
)

PIECE = 256 * 1024
ENDINGS = (".json", ".ndjson", ".jsonl", ".gz", ".zip")
"""How a file of the zip may end: the rest of an upload's name was chosen by others."""

Entry = tuple[str, Iterator[bytes]]


class Outlet(RawIOBase):
    """A stream that hands on what is written to it, and cannot go back."""

    def __init__(self) -> None:
        self.written: list[bytes] = []

    def writable(self) -> bool:
        """It can be written to."""
        return True

    def write(self, data: Any) -> int:
        """Take more."""
        self.written.append(bytes(data))
        return len(data)

    def taken(self) -> bytes:
        """What was written since this was asked last."""
        pieces, self.written = self.written, []
        return b"".join(pieces)


def export(engine: Engine, blobs: Blobs, account_id: str) -> Iterator[bytes]:
    """The zip of an account, piece by piece."""
    outlet = Outlet()
    with ZipFile(outlet, "w", ZIP_DEFLATED) as packed:
        for name, pieces in entries(engine, blobs, account_id):
            kind = ZIP_STORED if name.endswith((".gz", ".zip")) else ZIP_DEFLATED
            with packed.open(_info(name, kind), "w", force_zip64=True) as stream:
                for piece in pieces:
                    stream.write(piece)
                    yield outlet.taken()
    yield outlet.taken()


def _info(name: str, kind: int) -> ZipInfo:
    made = ZipInfo(name)
    made.compress_type = kind
    return made


def entries(engine: Engine, blobs: Blobs, account_id: str) -> Iterator[Entry]:
    """The files of the zip by name: what the account is, its uploads and reports, its rule sets, its cases."""
    yield "account.json", _json(_account(engine, account_id))
    for upload in _all(
        engine, select(Upload).where(col(Upload.owner) == account_id).order_by(col(Upload.id))
    ):
        place = f"uploads/{upload.id}"
        yield f"{place}/upload{_ending(upload.name)}", _file(blobs, upload.sha256)
        audits = _all(
            engine, select(Audit).where(col(Audit.upload_id) == upload.id).order_by(col(Audit.created))
        )
        yield f"{place}/about.json", _json({**_plain(upload), "audits": [_plain(one) for one in audits]})
        for audit in audits:
            made = select(Report).where(col(Report.audit_id) == audit.id).order_by(col(Report.position))
            for report in _all(engine, made):
                name = f"{place}/audits/{audit.id}/{report.position}-{report.id}.json"
                yield name, _file(blobs, report.sha256)
    for rules in _all(engine, select(HouseRules).where(col(HouseRules.owner) == account_id)):
        yield f"rule-sets/{rules.id}.json", iter([rules.document.encode()])
    yield from _cases(engine, blobs, account_id)


def _account(engine: Engine, account_id: str) -> dict[str, Any]:
    """What the account is, and what hangs on it; of secrets, what they are called and how long they last."""
    with reading(engine) as session:
        account = session.get_one(Account, account_id)
        facts = {
            name: getattr(account, name)
            for name in ("id", "name", "role", "created", "password_at", "barred")
        }
        mine = {
            "sign_ins": (SignIn, ("created", "seen", "expires"), col(SignIn.account_id)),
            "tokens": (Token, ("id", "name", "created", "expires", "used", "revoked"), col(Token.account_id)),
            "shares": (Share, ("id", "report_id", "seat", "created", "expires", "revoked"), col(Share.owner)),
        }
        for name, (table, columns, owner) in mine.items():
            found = session.execute(select(table).where(owner == account_id)).scalars()
            facts[name] = [{column: getattr(one, column) for column in columns} for one in found]
    return facts


def _cases(engine: Engine, blobs: Blobs, account_id: str) -> Iterator[Entry]:
    """The cases that the account is a party of, and the files that it brought to them."""
    ours = select(col(Party.dispute_id)).where(col(Party.account) == account_id)
    for case in _all(engine, select(Dispute).where(col(Dispute.id).in_(ours)).order_by(col(Dispute.id))):
        said = select(DisputeEntry).where(col(DisputeEntry.dispute_id) == case.id)
        entries = _all(engine, said.order_by(col(DisputeEntry.position)))
        parties = _all(engine, select(Party).where(col(Party.dispute_id) == case.id))
        yield (
            f"cases/{case.id}/case.json",
            _json(
                {
                    **_plain(case),
                    "parties": [_plain(one) for one in parties],
                    "entries": [{**_plain(one), "payload": orjson.loads(one.payload)} for one in entries],
                }
            ),
        )
        own = {one.id for one in entries if one.actor == account_id}
        for file in _all(engine, select(Evidence).where(col(Evidence.dispute_id) == case.id)):
            if file.entry_id in own:
                yield f"cases/{case.id}/evidence/{file.id}", _file(blobs, file.sha256)


def _all(engine: Engine, chosen: Any) -> list[Any]:
    with reading(engine) as session:
        found = list(session.execute(chosen).scalars())
        session.expunge_all()
    return found


def _plain(row: SQLModel) -> dict[str, Any]:
    return row.model_dump()


def _json(value: Any) -> Iterator[bytes]:
    yield orjson.dumps(value, option=orjson.OPT_INDENT_2)


def _file(blobs: Blobs, digest: str) -> Iterator[bytes]:
    """A file piece by piece; nothing where it went meanwhile."""
    try:
        with blobs.path(digest).open("rb") as stream:
            while piece := stream.read(PIECE):
                yield piece
    except FileNotFoundError:
        return


def _ending(name: str) -> str:
    return next((one for one in ENDINGS if name.lower().endswith(one)), "")
