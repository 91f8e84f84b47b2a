"""Documents, archives of them, and what is said about an upload."""

import io
import json
import zipfile
from dataclasses import replace

from replay.containers import Member, members
from replay.limits import DEFAULT

ONE, TWO = b'{"a": 1}', b'{"b": [2, "\xe7\xad\x92"]}'
PRETTY = json.dumps({"a": {"b": [1, 2]}, "c": {}}, indent=1).encode()


def upload(data: bytes, name: str = "up") -> list[tuple[str, bytes | None]]:
    """Names and bytes of the documents in an upload that nothing is wrong with."""
    found = list(members(data, name))
    assert not [member for member in found if member.findings]
    return [(member.name, member.data) for member in found]


def refused(data: bytes, name: str = "up", **limits: int) -> tuple[str, object]:
    """The only thing there is to say about an upload: code, and the problem or the limit."""
    (member,) = members(data, name, replace(DEFAULT, **limits))
    return why(member)


def why(member: Member) -> tuple[str, object]:
    assert member.data is None
    (finding,) = member.findings
    return finding.code, finding.params.get("problem", finding.params.get("limit"))


def zipped(files: dict[str, bytes], how: int = zipfile.ZIP_DEFLATED) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", how) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return target.getvalue()
