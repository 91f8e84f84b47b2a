"""Mutations of another program's record: what its importer has to say of what is missing, unknown or contradicted."""

import copy
from collections.abc import Iterator

from .generator import Document
from .mutations import Broken, of_records

TITLE = ("record", "game_title")


def told(record: Document, code: str, hand: int | None = None, **params: str) -> Broken:
    """An import that says so, with these facts."""
    return Broken(record, (code, hand, None, None), params=params)


@of_records("IMP001")
def lacks_the_account(record: Document) -> Iterator[Broken]:
    """定缺 and passes stand in the server's account alone."""
    without = {key: value for key, value in record.items() if key != "side"}
    yield told(without, "IMP001", fact="void")
    yield told(without, "IMP001", fact="pass")


@of_records("IMP002")
def lacks_the_room(record: Document) -> Iterator[Broken]:
    """Where the room's options are not there, those of the rule book are taken."""
    without = {key: value for key, value in record.items() if key != "conf"}
    yield told(without, "IMP002", fact="options")


@of_records("IMP003")
def holds_a_field_that_nobody_knows(record: Document) -> Iterator[Broken]:
    """A field that is not understood is named, not dropped."""
    changed = copy.deepcopy(record)
    changed["record"]["game_title"]["weather"] = "rain"
    yield told(changed, "IMP003", field="/record/game_title/weather")


@of_records("IMP004")
def names_another_dealer_in_the_account(record: Document) -> Iterator[Broken]:
    """Record and account agree, or both are told."""
    for number, entry in enumerate(record["side"]):
        changed = copy.deepcopy(record)
        changed["side"][number]["dealer_index"] = (entry["dealer_index"] + 1) % 4
        yield told(changed, "IMP004", number, what="dealer")


@of_records("IMP004")
def ends_on_another_score(record: Document) -> Iterator[Broken]:
    """The final scores are what the record's changes come to."""
    changed = copy.deepcopy(record)
    changed["final"][0]["score"] += 1
    changed["final"][1]["score"] -= 1
    yield told(changed, "IMP004")
