"""The page that tells which rule sets explain what a log claims; made when it is asked for."""

from threading import Lock
from uuid import UUID

from flask import Blueprint, abort, render_template

from replay.explain import Explained, explain
from replay.log import Log
from replay.profile import RuleProfile
from replay.sitting import log_rules
from replay.text.explaining import headline, notes, same_words, set_words, why_words
from replay.web.languages import lang
from replay.web.loading import Loaded, report_or_404
from replay.web.reports.shown import page_for

pages = Blueprint("explaining", __name__)

MOST_WORK = 10_000
"""What the page lets a search do (`replay.explain.variants.Work`): it is to be there within a second or two."""

KEPT = 64
"""Explanations that stay known, for who loads the page again."""

known: dict[tuple[UUID, RuleProfile], Explained] = {}
knowing = Lock()


def may_be_explained(loaded: Loaded) -> bool:
    """Whether the log claims anything, so that there is something to explain."""
    log = loaded.log
    if log is None or loaded.written["verdict"] == "unreplayable":
        return False
    return log.claimed is not None or any(hand.claimed is not None for hand in log.hands)


def explained_once(report_id: UUID, log: Log, rules: RuleProfile) -> Explained:
    """What explains the log of a report; searched for once while it stays known. The log of a report never changes."""
    key = report_id, rules
    with knowing:
        found = known.pop(key, None)
    if found is None:
        found = explain(log, rules, MOST_WORK)
    with knowing:
        known[key] = found
        while len(known) > KEPT:
            del known[next(iter(known))]
    return found


@pages.get("/reports/<uuid:report_id>/explain")
def show(report_id: UUID) -> str:
    """Which rule sets and common options make the claims of a report's log right; 404 where it claims nothing."""
    loaded = report_or_404(report_id)
    log = loaded.log
    if log is None or not may_be_explained(loaded):
        abort(404)
    asked = loaded.rules if loaded.audit.house is not None else None
    rules = asked or log_rules(log.rules, None)[0] or loaded.rules
    if rules is None:
        abort(404)
    words = page_for(loaded, lang()).words
    explained = explained_once(report_id, log, rules)
    return render_template(
        "explain.html",
        loaded=loaded,
        words=words,
        said=headline(explained, words),
        right=[(set_words(one, words), same_words(one, words)) for one in explained.right],
        others=[why_words(one, words) for one in explained.others],
        notes=list(notes(explained, words)),
    )
