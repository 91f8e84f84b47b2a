"""The rule sets that a page can choose from: those built in, and those of the house."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import orjson
from flask import abort, g

from replay import load_profile, profile_ids
from replay.jobs.ingest import Wish
from replay.profile import OptionProblems, RuleProfile
from replay.store.houses import house_of, houses_of, listed_of, seems_sound, stored_rules
from replay.store.tables import Audit, HouseRules
from replay.web.languages import lang, words
from replay.web.loading import canonical, service
from replay.web.viewer import owner, viewer
from replay.wording.plain import visible

HOUSE = "house:"
"""What begins the value by which a form names a version of a house rule set; its id follows."""

SHORT = 8
"""Characters of a digest by which people tell versions apart."""

LONGEST_SHOWN = 100

_ID = re.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


@dataclass(frozen=True, slots=True)
class Chosen:
    """A rule set that a form names: ``profile`` is its id; of a house rule set ``document`` is all, ``row`` its row."""

    profile: str
    document: str | None = None
    row: str | None = None

    def rules(self, options: Mapping[str, Any] | None = None) -> RuleProfile:
        """It with options applied. Raises `OptionProblems`."""
        if self.document is not None:
            return stored_rules(self.document, options)
        return load_profile(self.profile, options)

    @property
    def origin(self) -> dict[str, Any] | None:
        """The document of a house rule set; None of one that is built in."""
        read: dict[str, Any] | None = None if self.document is None else orjson.loads(self.document)
        return read

    def wish(self, options: Mapping[str, Any] | None = None) -> Wish:
        """What an audit by it is asked for with."""
        return Wish(self.profile, options, self.row)

    @property
    def usable(self) -> bool:
        """Whether it is a rule set still: a document may be of another version of the schema."""
        try:
            self.rules()
        except OptionProblems:
            return False
        return True


def chosen(value: str) -> Chosen | None:
    """The rule set of this value of a form; None where there is none."""
    if value in profile_ids():
        return Chosen(value)
    house_id = id_in(value)
    row = None if house_id is None else house_of(service().engine, owner(), house_id)
    return None if row is None else Chosen(row.name, row.document, row.id)


def id_in(value: str) -> str | None:
    """The id in a value that can name a version of a house rule set; None where it cannot."""
    house_id = value.removeprefix(HOUSE)
    return house_id if value.startswith(HOUSE) and _ID.fullmatch(house_id) else None


def house_or_404(house_id: object) -> HouseRules:
    """The version of this id, if it is there for whoever asks."""
    return house_of(service().engine, owner(), canonical(house_id)) or abort(404)


def houses() -> list[HouseRules]:
    """The newest version of every house rule set, without the documents; none for who is not signed in."""
    if viewer() is None:
        return []
    return list(houses_of(service().engine, owner()))


def offered() -> list[tuple[str, str]]:
    """Every rule set that can be chosen, by value and name: the built-in ones, then the newest of the house."""
    built_in = [(one, load_profile(one).names.get(lang()) or one) for one in profile_ids()]
    engine = service().engine
    return built_in + [(HOUSE + row.id, named(row)) for row in houses() if seems_sound(engine, row)]


def named(row: HouseRules) -> str:
    """What a version is called, as told from others of its name: by its id and the beginning of its digest."""
    digest = row.digest.partition(":")[2][:SHORT]
    return words().say("web.house.named", name=name_of(row), id=row.name, digest=digest)


def name_of(row: HouseRules) -> str:
    """What a version calls itself, with nothing hidden in it."""
    return visible(orjson.loads(row.names).get(lang()) or row.name, LONGEST_SHOWN)


def rules_of(audit: Audit, of: str | None = None) -> str:
    """The rule set that an audit was asked for by, in words; ``of`` owns it, where that is not who asks."""
    if audit.house is not None:
        return named(versions([audit.house], of)[audit.house])
    if audit.profile is None:
        return words().say("web.profile.own")
    known = load_profile(audit.profile) if audit.profile in profile_ids() else None
    return audit.profile if known is None else known.names.get(lang()) or audit.profile


def versions(ids: Iterable[str], of: str | None = None) -> Mapping[str, HouseRules]:
    """Versions by id, without their documents; each is asked for once a request."""
    found: dict[str, HouseRules] = g.setdefault("houses", {})
    lacking = {*ids} - found.keys()
    if lacking:
        found |= listed_of(service().engine, of or owner(), lacking)
    return found
