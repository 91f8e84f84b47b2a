"""The rule sets that a page can choose from: those built in, and those of the house."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import orjson
from flask import abort

from replay import load_profile, profile_ids
from replay.jobs.ingest import Wish
from replay.profile import OptionProblems, RuleProfile
from replay.store.houses import house_of, houses_of, stored_rules
from replay.store.tables import Audit, HouseRules
from replay.web.languages import lang, words
from replay.web.loading import OWNER, canonical, service
from replay.wording.plain import visible

HOUSE = "house:"
"""What begins the value by which a form names a version of a house rule set; its id follows."""

SHORT = 8
"""Characters of a digest by which people tell versions apart."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """A rule set that a form names: ``profile`` is its id, ``document`` the whole of a house rule set."""

    profile: str
    document: str | None = None

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
        return Wish(self.profile, options, self.document)


def chosen(value: str) -> Chosen | None:
    """The rule set of this value of a form; None where there is none."""
    if value in profile_ids():
        return Chosen(value)
    if not value.startswith(HOUSE):
        return None
    row = house_of(service().engine, OWNER, value.removeprefix(HOUSE))
    return None if row is None else Chosen(row.name, row.document)


def house_or_404(house_id: object) -> HouseRules:
    """The version of this id, if it is there for whoever asks."""
    return house_of(service().engine, OWNER, canonical(house_id)) or abort(404)


def houses() -> list[HouseRules]:
    """The newest version of every house rule set."""
    return list(houses_of(service().engine, OWNER))


def offered() -> list[tuple[str, str]]:
    """Every rule set that can be chosen, by value and name: the built-in ones, then the newest of the house."""
    built_in = [(one, load_profile(one).names.get(lang()) or one) for one in profile_ids()]
    return built_in + [(HOUSE + row.id, named(row.document)) for row in houses()]


def named(document: str) -> str:
    """What a house rule set is called, as told from others of its name: by its id and the beginning of its digest."""
    read = orjson.loads(document)
    name = read["names"].get(lang()) or read["id"]
    try:
        digest = stored_rules(document).digest.partition(":")[2][:SHORT]
    except OptionProblems:
        digest = words().say("language.unknown")
    return words().say("web.house.named", name=visible(name, 100), id=read["id"], digest=digest)


def rules_of(audit: Audit) -> str:
    """The rule set that an audit was asked for by, in words."""
    if audit.house is not None:
        return named(audit.house)
    if audit.profile is None:
        return words().say("web.profile.own")
    known = load_profile(audit.profile) if audit.profile in profile_ids() else None
    return audit.profile if known is None else known.names.get(lang()) or audit.profile
