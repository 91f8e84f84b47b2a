"""The pages of rule sets: all of them, how they differ, and house rule sets: started, changed, uploaded, kept."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

import orjson
from flask import Blueprint, Response, abort, make_response, redirect, render_template, request, url_for

from replay import load_profile, profile_ids
from replay.house import (
    LIMITS,
    Objection,
    Unreadable,
    document_of,
    house_rules,
    misfits,
    objections,
    read_house,
    started_from,
)
from replay.limits import KIB
from replay.profile import OptionProblems, RuleProfile, values
from replay.store.houses import Full, canonical_text, house_of, keep_house, stored_rules, versions_of
from replay.text.catalogue import rule_label, rule_set, rule_set_entry
from replay.web.languages import lang, stands_for, words
from replay.web.loading import service
from replay.web.pager import pager
from replay.web.reports.pages import download
from replay.web.rulesets.comparing import Column, sections
from replay.web.rulesets.house_form import (
    LONGEST_ID,
    LONGEST_NAME,
    Refused,
    default_name,
    entered,
    field_sections,
    made,
)
from replay.web.rulesets.houses import HOUSE, Chosen, chosen, house_or_404, houses, id_in, named, offered
from replay.web.rulesets.options import worded
from replay.web.security import FORM_ROOM
from replay.web.uploads.quota import house_refusal
from replay.web.uploads.taking import quota_words, taking
from replay.web.viewer import owner, public
from replay.wording import render

pages = Blueprint("rulesets", __name__, url_prefix="/rule-sets")

MOST_COLUMNS = 24
"""Rule sets that are compared at once."""

HOUSES_A_PAGE = 50

FORM_FIELDS = 400
"""Fields of the form: more than there are values and rows of tables."""

FORM_BYTES = 128 * KIB


# All of them -----------------------------------------------------------------------------------------


@pages.get("")
@public
def index() -> str:
    """Every rule set, and the ways to one's own."""
    return start([])


def start(
    problems: Sequence[Objection], unreadable: Sequence[str] = (), text: str = "", full: str = ""
) -> str:
    """The page of all rule sets, with what is wrong with the one that was sent; what was pasted stays."""
    if problems or unreadable or full:
        stands_for(url_for(".index"))
    those = houses()
    cut = pager(len(those), HOUSES_A_PAGE)
    return render_template(
        "rulesets.html",
        built_in=[rule_set_entry(words(), load_profile(one)) for one in profile_ids()],
        houses=[(row, named(row)) for row in those[cut.first : cut.stop]],
        pager=cut,
        bases=offered(),
        problems=problems,
        unreadable=unreadable,
        text=text,
        full=full,
        limit=LIMITS.document_bytes,
    )


@pages.get("/<rules_id>.json")
@public
def built_in_json(rules_id: str) -> Response:
    """A built-in rule set as a profile document, to be changed and uploaded again."""
    if rules_id not in profile_ids():
        abort(404)
    return as_file(document_of(load_profile(rules_id)), rules_id)


def as_file(document: Any, name: str) -> Response:
    """A profile document to be saved."""
    data = orjson.dumps(document, option=orjson.OPT_INDENT_2) + b"\n"
    return download(data, f"{name}.json", "application/json")


# Comparing -------------------------------------------------------------------------------------------


@pages.get("/compare")
@public
def compare() -> str:
    """Rule sets side by side: those asked for, else all that there are; the first is what the others differ from."""
    every = offered()
    order = {value: place for place, (value, _) in enumerate(every)}
    asked = list(dict.fromkeys(request.args.getlist("set")))[:MOST_COLUMNS]
    asked.sort(key=lambda value: order.get(value, len(order)))
    shown = columns(asked) or columns(list(order)[:MOST_COLUMNS])
    first = request.args.get("first", "")
    shown.sort(key=lambda one: one.value != first)
    return render_template(
        "rulesets_compare.html",
        every=every,
        columns=shown,
        chosen={one.value for one in shown},
        first=shown[0].value,
        sections=sections(shown),
    )


def columns(asked: Sequence[str]) -> list[Column]:
    """The rule sets of these values, those that are there and can be used."""
    return [column for value in asked if (column := column_of(value)) is not None]


def column_of(value: str) -> Column | None:
    """The rule set of a value, also an older version; None where there is none, or its schema was another."""
    if value in profile_ids():
        rules = load_profile(value)
        return Column(
            value, rule_set(words(), rules).name, url_for("catalogue.rules_page", rules_id=value), rules
        )
    house_id = id_in(value)
    row = None if house_id is None else house_of(service().engine, owner(), house_id)
    if row is None:
        return None
    try:
        rules = stored_rules(row.document)
    except OptionProblems:
        return None
    return Column(value, named(row), url_for(".house", house_id=row.id), rules)


# Starting one ----------------------------------------------------------------------------------------


@pages.get("/new")
def new() -> str:
    """The form of a house rule set that starts from another."""
    base = base_or_404(request.args.get("from", ""))
    return form_page(base, {})


def base_or_404(value: str) -> Chosen:
    """What a house rule set starts from: the rule set asked for, by default the first; 404 where there is none."""
    return chosen(value or profile_ids()[0]) or abort(404)


def form_page(base: Chosen, problems: dict[str, str], full: str = "") -> str:
    """The form, as it was sent where something is wrong with it."""
    rules, sent = usable(base), request.form if problems or full else {}
    return render_template(
        "rulesets_new.html",
        base=rule_set(words(), rules),
        base_value=request.args.get("from") or profile_ids()[0],
        house=base.document is not None,
        name=sent.get("name", default_name(rules, base.origin)),
        id=sent.get("id", rules.id if base.document is not None else ""),
        longest_name=LONGEST_NAME,
        longest_id=LONGEST_ID,
        sections=field_sections(rules, sent, problems),
        problems=problems,
        full=full,
    )


def usable(base: Chosen) -> RuleProfile:
    """The rule set to start from; 404 where its document is of another version of the schema."""
    try:
        return base.rules()
    except OptionProblems:
        abort(404)


@pages.post("")
def make() -> Response:
    """Keep the house rule set of a form; values that it cannot have give the form again (422)."""
    request.max_content_length = request.max_form_memory_size = FORM_BYTES
    request.max_form_parts = FORM_FIELDS
    base = base_or_404(request.args.get("from", ""))
    rules = usable(base)
    try:
        document = made(rules, entered(request.form, rules), base.origin)
        return kept(document)
    except Refused as error:
        stands_for(url_for(".new"))
        return make_response(form_page(base, dict(error.problems)), 422)
    except NoRoom as error:
        stands_for(url_for(".new"))
        return make_response(form_page(base, {}, full=error.said), error.status)


@pages.post("/documents")
def take() -> Response:
    """Keep a profile document that was uploaded or pasted; one that is no rule set is told what is wrong (422)."""
    request.max_content_length = 2 * LIMITS.document_bytes + FORM_ROOM
    request.max_form_memory_size = LIMITS.document_bytes + FORM_ROOM
    text, data = request.form.get("text", ""), sent()
    if not data.strip():
        return make_response(start([], [words().say("web.house.nothing")]), 422)
    try:
        document = read_house(data)
    except Unreadable as error:
        return make_response(start([], [render(one, lang()) for one in error.findings], text), 422)
    problems = objections(document)
    if problems:
        return make_response(start(problems, text=text), 422)
    try:
        return kept(document)
    except NoRoom as error:
        return make_response(start([], text=text, full=error.said), error.status)


def sent() -> bytes:
    """The bytes of the file that was sent, else of the text; of a file that is too large a byte more than may be."""
    file = request.files.get("file")
    if file is not None and file.filename:
        return file.stream.read(LIMITS.document_bytes + 1)
    return request.form.get("text", "").encode("utf-8", "surrogatepass")


class NoRoom(RuntimeError):
    """A house rule set is one too many, or its bytes are; ``said`` is that in words."""

    def __init__(self, said: str, status: int) -> None:
        self.said, self.status = said, status
        super().__init__(said)


def kept(document: dict[str, Any]) -> Response:
    """Keep a document that can be used, and lead to its page. Raises `NoRoom`."""
    rules = house_rules(document)
    with taking:
        no = house_refusal(service(), owner(), canonical_text(document))
        if no is not None:
            raise NoRoom(quota_words(no), 413)
        try:
            house_id = keep_house(service().engine, owner(), rules, document)
        except Full as error:
            raise NoRoom(words().say("web.house.full", n=error.most), 422) from None
    return make_response(redirect(url_for(".house", house_id=house_id), 303))


# One that is kept ------------------------------------------------------------------------------------


@pages.get("/house/<uuid:house_id>")
def house(house_id: UUID) -> str:
    """A version of a house rule set: what it is, how it differs from its base, and its other versions."""
    row = house_or_404(house_id)
    document = orjson.loads(row.document)
    versions = versions_of(service().engine, owner(), row.name)
    try:
        rules: RuleProfile | None = stored_rules(row.document)
    except OptionProblems:
        rules = None
    base = started_from(document)
    return render_template(
        "rulesets_house.html",
        row=row,
        value=HOUSE + row.id,
        name=document["names"].get(lang()) or row.name,
        summary=document["summary"].get(lang(), ""),
        versions=[(one, named(one)) for one in versions],
        newest=versions[0],
        usable=rules is not None,
        base=None if base is None else rule_set(words(), base),
        changes=[] if base is None or rules is None else changes(base, rules),
        misfits=[] if rules is None else [rule_label(words(), key) for key in misfits(document)],
    )


def changes(base: RuleProfile, rules: RuleProfile) -> list[tuple[str, str, str, str]]:
    """The parameters whose values are not those of the base: key, name, value there and here."""
    plain, own = values(base), values(rules)
    return [
        (key, words().label("rule", key), worded(key, plain[key]), worded(key, own[key]))
        for key in own
        if own[key] != plain[key]
    ]


@pages.get("/house/<uuid:house_id>/rules.json")
def house_json(house_id: UUID) -> Response:
    """The profile document of a version, as `replay audit --profile` takes it."""
    row = house_or_404(house_id)
    return as_file(orjson.loads(row.document), row.name)
