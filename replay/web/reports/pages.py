"""The page of a report, and its downloads."""

from collections.abc import Mapping, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Any
from uuid import UUID

from flask import Blueprint, Response, abort, make_response, render_template

from replay.store.cases.reading import cases_about
from replay.store.tables import Dispute
from replay.text import reading_text, verdict_sentence
from replay.text.money import coins_lines
from replay.text.page import Page
from replay.web.footing import service
from replay.web.languages import lang
from replay.web.loading import Loaded, audits_of, report_at, report_bytes, report_or_404
from replay.web.pager import pager
from replay.web.players import players_of
from replay.web.reports.explaining import may_be_explained
from replay.web.reports.sharing import sharing
from replay.web.reports.shown import (
    Objection,
    asked_filter,
    choices,
    hand_shown,
    objection,
    page_for,
    step_url,
    wanted,
)
from replay.web.rulesets.houses import LONGEST_SHOWN, offered
from replay.web.rulesets.options import worded
from replay.web.uploads.pages import wish_of
from replay.web.viewer import user
from replay.wording.words import listed

pages = Blueprint("reports", __name__)

FINDINGS_A_PAGE = 50
HANDS_A_PAGE = 10
CASES_SHOWN = 20


@pages.get("/reports/<uuid:report_id>")
def show(report_id: UUID) -> str:
    """A report: its verdict, what it objects to, what it could not decide, the money, the rules."""
    return report_page(report_or_404(report_id))


def report_page(loaded: Loaded) -> str:
    """The page of a report; what only its owner may do, and what no link leads to, stands for those alone."""
    written, page = loaded.written, page_for(loaded, lang())
    only = asked_filter(written)
    findings = wanted(written, only)
    cut, hands_cut = (
        pager(len(findings), FINDINGS_A_PAGE),
        pager(len(written["hands"]), HANDS_A_PAGE, "hands"),
    )
    shown = written["hands"][hands_cut.first : hands_cut.stop]
    return render_template(
        "report.html",
        loaded=loaded,
        written=written,
        words=page.words,
        verdict=verdict_sentence(page),
        total=len(findings),
        findings=in_groups([objection(page, loaded, one) for one in findings[cut.first : cut.stop]]),
        pager=cut,
        only=only,
        choices=choices(written),
        hands=[hand_shown(page, loaded, hand) for hand in shown],
        hands_pager=hands_cut,
        coins=list(coins_lines(page)),
        start=step_url(loaded, 0),
        disputes=[] if loaded.shared else disputes(loaded),
        players=[] if loaded.shared else players_of(loaded),
        explained=not loaded.shared and may_be_explained(loaded),
        rules=rules_shown(page, loaded),
        wish=wish_of(loaded.audit, loaded.upload.owner),
        offered=offered() if loaded.own and names_unknown_rules(written) else [],
        sharing=sharing(loaded) if loaded.own else None,
        **succession(loaded),
    )


def disputes(loaded: Loaded) -> Sequence[Dispute]:
    """The newest cases about a report that whoever asks may read."""
    asks = user()
    found = cases_about(service().engine, asks.id, asks.role, loaded.report.id)
    return found[-CASES_SHOWN:][::-1]


def names_unknown_rules(written: Mapping[str, Any]) -> bool:
    """Whether the log could not be audited because it names a rule set that there is not."""
    return any(one["code"] == "LOG003" for one in written["findings"])


def in_groups(found: list[Objection]) -> list[tuple[str, list[Objection]]]:
    """Findings by severity, in their order."""
    return [(severity, list(group)) for severity, group in groupby(found, key=attrgetter("severity"))]


def rules_shown(page: Page, loaded: Loaded) -> dict[str, object]:
    """The rule set of a report with its options and the readings that the verdict rests on."""
    stated, words, rules = loaded.written["rules"], page.words, loaded.rules
    return {
        "name": words.shown((rules.names.get(lang()) if rules else None) or stated["profile"], LONGEST_SHOWN),
        "id": words.shown(stated["profile"]),
        "cap": page.cap(),
        "options": [
            (words.label("rule", key), worded(key, value))
            for key, value in sorted((stated["options"] or {}).items())
        ],
        "digest": words.shown(stated["digest"]),
        "readings": [reading_text(page, str(one)) for one in listed(stated["readings"])],
    }


def succession(loaded: Loaded) -> dict[str, object]:
    """The newest audit where it is a later one, and the one before; with their reports on this document.

    Who sees this report and is not its owner has no others of it to go to.
    """
    if not loaded.own:
        return dict.fromkeys(("later", "later_report", "earlier_report")) | {"later_wish": ""}
    audits = audits_of(loaded.upload)
    position = loaded.document.position
    later = audits[0] if audits[0].id != loaded.audit.id else None
    before = loaded.audit.supersedes
    return {
        "later": later,
        "later_wish": wish_of(later) if later else "",
        "later_report": report_at(later.id, position) if later else None,
        "earlier_report": report_at(before, position) if before else None,
    }


@pages.get("/reports/<uuid:report_id>/report.json")
def report_json(report_id: UUID) -> Response:
    """The report as data, byte for byte."""
    loaded = report_or_404(report_id)
    return download(report_bytes(loaded), f"report-{loaded.report.id}.json", "application/json")


@pages.get("/reports/<uuid:report_id>/log.json")
def log_json(report_id: UUID) -> Response:
    """The document as it was uploaded, byte for byte; 404 where it could not be had."""
    loaded = report_or_404(report_id)
    if loaded.data is None:
        abort(404)
    kind = "application/json" if loaded.log is not None else "application/octet-stream"
    return download(loaded.data, f"log-{loaded.report.id}.json", kind)


def download(data: bytes, name: str, kind: str) -> Response:
    """Bytes to be saved, under a name of ours."""
    response = make_response(data)
    response.content_type = kind
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
