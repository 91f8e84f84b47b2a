"""Rule sets: those built in, those of the house with their versions, and how they differ."""

from typing import Annotated, Any
from uuid import UUID

import orjson
from flask import Response, abort, url_for
from pydantic import Field

from replay import load_profile, profile_ids
from replay.house import (
    LIMITS,
    Unreadable,
    document_of,
    house_rules,
    misfits,
    objections,
    read_house,
    started,
)
from replay.profile import OptionProblems, values
from replay.schemas import brief, pointer, shown
from replay.store.database import reading
from replay.store.houses import Full, canonical_text, is_kept, keep_house, sha256_of, versions_of
from replay.store.tables import HouseRules
from replay.text.catalogue import spoken
from replay.web.api.models import Asked, Id, Listing, Moment, Paged, Query, Rules, RuleSetJson, Told
from replay.web.api.operations import JSON, Media, as_json, json_bytes, operation
from replay.web.api.paging import cut, page_of
from replay.web.api.problems import Refused, Wrong, of_finding
from replay.web.api.rules import rules_or_refuse
from replay.web.footing import service
from replay.web.languages import words
from replay.web.rulesets.houses import HOUSE, house_or_404, houses
from replay.web.rulesets.options import sense_in_words
from replay.web.rulesets.pages import MOST_COLUMNS
from replay.web.uploads.quota import house_refusal
from replay.web.uploads.taking import quota_words, taking
from replay.web.viewer import owner

RULE_SETS = "rule sets"
RULE_SET = Media((JSON,), {"$ref": "#/components/schemas/RuleSetDocument"})


class RuleSetLine(Told):
    """A built-in rule set."""

    id: str
    names: dict[str, str]
    summary: str
    digest: str


class RuleSetList(Told):
    """Every built-in rule set."""

    items: list[RuleSetLine]


class HouseLine(Told):
    """A version of a house rule set; ``rules`` names it wherever a rule set is asked for."""

    id: Id
    rules: str
    name: str
    names: dict[str, str]
    digest: str
    size: int
    supersedes: Id | None
    created: Moment


class HouseTold(HouseLine):
    """A version with its document; ``misfits`` are values that differ from their base and cite its words all the same.

    ``versions`` are all of its name, the newest first.
    """

    document: RuleSetJson
    usable: bool
    misfits: list[str]
    versions: list[HouseLine]


class HouseList(Listing):
    """House rule sets: the newest version of each."""

    items: list[HouseLine]


class CompareQuery(Query):
    """The rule sets to be compared; the first is what the others differ from."""

    set: Annotated[list[Rules], Field(min_length=2, max_length=MOST_COLUMNS)]


class Compared(Told):
    """A value that is not the same in all, as each rule set has it."""

    key: str
    rule: str
    values: list[Any]


class CompareTold(Told):
    """The rule sets that were compared, in order, and the values in which they differ."""

    sets: list[str]
    differing: list[Compared]
    agreed: list[str]


class StartAsked(Asked):
    """What a house rule set is started from: a rule set, and the values that are to be others."""

    base: Rules
    id: Annotated[str, Field(max_length=64, pattern=r"^[a-z0-9][a-z0-9-]*$")]
    name: Annotated[str, Field(min_length=1, max_length=100)] | None = None
    values: dict[Annotated[str, Field(max_length=64)], Any] = Field(default_factory=dict)


# Built in --------------------------------------------------------------------------------------------


@operation("GET", "/rule-sets", RuleSetList, tag=RULE_SETS, anyone=True)
def rule_sets() -> RuleSetList:
    """The rule sets that are built in."""
    known = [load_profile(one) for one in profile_ids()]
    return RuleSetList(
        items=[
            RuleSetLine(
                id=one.id, names=dict(one.names), summary=spoken(words(), one.summary), digest=one.digest
            )
            for one in known
        ]
    )


@operation("GET", "/rule-sets/<rules_id>", RULE_SET, tag=RULE_SETS, anyone=True)
def rule_set(rules_id: str) -> Response:
    """A built-in rule set: every value, with the clause or the reading that it rests on."""
    if rules_id not in profile_ids():
        abort(404)
    return as_json(document_of(load_profile(rules_id)))


@operation(
    "GET", "/rule-sets/compare", CompareTold, tag=RULE_SETS, query=CompareQuery, anyone=True, rare=(401,)
)
def compare(query: CompareQuery) -> CompareTold:
    """Rule sets side by side; house rule sets only for those who have them."""
    names = list(dict.fromkeys(query.set))
    each = [values(rules_or_refuse(one).rules()) for one in names]
    differing = [key for key in each[0] if any(one[key] != each[0][key] for one in each)]
    return CompareTold(
        sets=names,
        differing=[
            Compared(key=key, rule=words().label("rule", key), values=[one[key] for one in each])
            for key in differing
        ],
        agreed=[key for key in each[0] if key not in differing],
    )


# Of the house ----------------------------------------------------------------------------------------


def house_line(row: HouseRules) -> dict[str, Any]:
    """The facts of a version."""
    return {
        "id": row.id,
        "rules": HOUSE + row.id,
        "name": row.name,
        "names": orjson.loads(row.names),
        "digest": row.digest,
        "size": row.size,
        "supersedes": row.supersedes,
        "created": row.created,
    }


def told_house(row: HouseRules) -> HouseTold:
    """A version with its document."""
    document = orjson.loads(row.document)
    try:
        house_rules(document)
        usable = True
    except OptionProblems:
        usable = False
    versions = versions_of(service().engine, owner(), row.name)
    return HouseTold(
        **house_line(row),
        document=document,
        usable=usable,
        misfits=misfits(document) if usable else [],
        versions=[HouseLine(**house_line(one)) for one in versions],
    )


@operation("GET", "/house-rules", HouseList, tag=RULE_SETS, query=Paged)
def house_list(query: Paged) -> HouseList:
    """Your house rule sets, the newest version of each."""
    those = houses()
    items = [HouseLine(**house_line(one)) for one in cut(query, those)]
    return HouseList(items=items, **page_of(query, len(those)))


@operation("GET", "/house-rules/<uuid:house_id>", HouseTold, tag=RULE_SETS)
def house(house_id: UUID) -> HouseTold:
    """A version of a house rule set, with its document."""
    return told_house(house_or_404(house_id))


@operation("POST", "/house-rules", HouseTold, tag=RULE_SETS, statuses=(200, 201), body=RULE_SET)
def keep() -> Response:
    """Keep a rule set of your own; the same document is kept once, another of its id is a further version."""
    data = json_bytes(2 * LIMITS.document_bytes)
    try:
        document = read_house(data)
    except Unreadable as error:
        raise Refused(422, "422.house", [of_finding(one) for one in error.findings]) from None
    wrong = [
        Wrong(
            where="body",
            pointer=pointer(one.place.split("/") if one.place else []),
            found="",
            expected=brief(words().phrase(one.problem)),
        )
        for one in objections(document)
    ]
    if wrong:
        raise Refused(422, "422.house", wrong)
    return kept(document)


@operation("POST", "/house-rules/started", HouseTold, tag=RULE_SETS, statuses=(200, 201), body=StartAsked)
def start(body: StartAsked) -> Response:
    """Keep a rule set of your own that begins as another, with some of its values changed."""
    base = rules_or_refuse(body.base)
    rules = base.rules()
    if body.id in profile_ids():
        raise Refused(422, "422.house", [at("id", body.id, words().say("web.house.problem.id"))])
    names = dict.fromkeys(rules.names, body.name) if body.name else None
    try:
        document = started(rules, body.id, body.values, names, base.origin)
    except OptionProblems as error:
        wrong = [
            at(f"values/{key}", body.values.get(key), brief(sense_in_words(key, problem)))
            for key, problem in error.problems
        ]
        raise Refused(422, "422.house", wrong) from None
    return kept(document)


def at(place: str, found: object, expected: str) -> Wrong:
    """A place of a body that cannot be as it is."""
    return Wrong(where="body", pointer=pointer(place.split("/")), found=shown(found), expected=expected)


def kept(document: dict[str, Any]) -> Response:
    """Keep a document that can be used. Raises `Refused` where there is no room for it."""
    rules, engine, text = house_rules(document), service().engine, canonical_text(document)
    with taking:
        no = house_refusal(service(), owner(), text)
        if no is not None:
            raise Refused(413, "413.quota", detail=quota_words(no))
        with reading(engine) as session:
            known = is_kept(session, owner(), sha256_of(text))
        try:
            house_id = keep_house(engine, owner(), rules, document)
        except Full as error:
            detail = words().say("web.house.full", n=error.most)
            raise Refused(422, "422.full", detail=detail) from None
    response = as_json(told_house(house_or_404(house_id)).model_dump(mode="json"), 200 if known else 201)
    response.headers["Location"] = url_for("api.house", house_id=house_id)
    return response
