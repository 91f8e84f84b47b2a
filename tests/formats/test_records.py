"""The typed records and the schema have the same objects, with the same keys, required alike."""

from typing import get_args

import msgspec
import pytest

from replay import log, schemas

SCHEMA = schemas.schema("log")
DEFS = SCHEMA["$defs"]
ACTIONS = {record.type: record for record in get_args(log.AnyAction)}
OTHERS = {
    "claimed_entry": log.ClaimedEntry,
    "claimed_win": log.ClaimedWin,
    "claimed_hand": log.ClaimedHand,
    "claimed_sitting": log.ClaimedSitting,
    "exchange": log.Exchange,
    "hand": log.Hand,
    "source": log.Source,
    "rules": log.Rules,
    "player": log.Player,
}


@pytest.mark.parametrize(
    ("terms", "record"),
    [(SCHEMA, log.Log), *((DEFS[name], record) for name, record in (ACTIONS | OTHERS).items())],
    ids=["log", *ACTIONS, *OTHERS],
)
def test_a_record_has_the_keys_of_its_schema(terms: dict[str, object], record: type[log.Record]) -> None:
    fields = msgspec.structs.fields(record)
    tag = {"type"} if record.__struct_config__.tag else set()
    assert {entry.encode_name for entry in fields} | tag == set(terms["properties"])  # type: ignore[call-overload]
    required = {entry.encode_name for entry in fields if entry.required}
    assert required | tag == set(terms.get("required", ()))  # type: ignore[call-overload]


def test_every_action_type_has_its_record_under_the_same_name() -> None:
    named = SCHEMA["$defs"]["action"]
    while "else" in named:
        named = named["else"]
    assert set(ACTIONS) == set(named["properties"]["type"]["enum"])
    assert {kind: record.__struct_config__.tag for kind, record in ACTIONS.items()} == {k: k for k in ACTIONS}
