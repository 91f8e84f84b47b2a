"""The catalogue: what each finding, fan and payment is, in the reader's language."""

from replay.catalogue import CATALOGUE
from replay.items import ITEMS
from replay.text.catalogue import (
    CodeEntry,
    FanEntry,
    ItemEntry,
    code_entries,
    code_entry,
    fan_entry,
    fans,
    item_entry,
)
from replay.web.api.models import Told
from replay.web.api.operations import operation
from replay.web.api.problems import Refused
from replay.web.languages import words

CATALOGUE_TAG = "catalogue"


class CodeList(Told):
    """Every finding there can be."""

    items: list[CodeEntry]


class CodeTold(Told):
    """A finding: what it is, why it is one, by which clause, and what becomes of the hand."""

    entry: CodeEntry


class FanList(Told):
    """Every fan, with what it is worth where."""

    items: list[FanEntry]


class ItemList(Told):
    """Every kind of payment."""

    items: list[ItemEntry]


@operation("GET", "/catalogue/findings", CodeList, tag=CATALOGUE_TAG, anyone=True)
def catalogue_findings() -> CodeList:
    """Every finding there can be: what, why, by which clause."""
    return CodeList(items=list(code_entries(words())))


@operation("GET", "/catalogue/findings/<code>", CodeTold, tag=CATALOGUE_TAG, anyone=True)
def catalogue_finding(code: str) -> CodeTold:
    """A finding by its code."""
    if code not in CATALOGUE:
        raise Refused(404, "404.catalogue")
    return CodeTold(entry=code_entry(words(), code))


@operation("GET", "/catalogue/fans", FanList, tag=CATALOGUE_TAG, anyone=True)
def catalogue_fans() -> FanList:
    """Every fan: what it is, what it is worth in which rule set, and a hand that has it."""
    return FanList(items=[fan_entry(words(), fan) for fan in fans()])


@operation("GET", "/catalogue/items", ItemList, tag=CATALOGUE_TAG, anyone=True)
def catalogue_items() -> ItemList:
    """Every kind of payment: what it is, who pays whom, what decides it."""
    return ItemList(items=[item_entry(words(), kind) for kind in ITEMS])
