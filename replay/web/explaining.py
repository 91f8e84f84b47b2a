"""The page that tells which rule sets explain what a log claims; made when it is asked for."""

from uuid import UUID

from flask import Blueprint, abort, render_template

from replay.explain import explain
from replay.log import Log
from replay.sitting import log_rules
from replay.text.explaining import headline, notes, same_words, set_words, why_words
from replay.web.languages import lang
from replay.web.loading import Loaded, report_or_404
from replay.web.shown import page_for

pages = Blueprint("explaining", __name__)

MOST_ACTIONS = 10_000
"""Of a log with more the page does not look for an explanation: it is to be there within a second or two."""


def may_be_explained(loaded: Loaded) -> bool:
    """Whether the log claims anything, so that there is something to explain."""
    log = loaded.log
    if log is None or loaded.written["verdict"] == "unreplayable":
        return False
    return log.claimed is not None or any(hand.claimed is not None for hand in log.hands)


def actions_of(log: Log) -> int:
    """How many actions a log has."""
    return sum(len(hand.actions) for hand in log.hands)


@pages.get("/reports/<uuid:report_id>/explain")
def show(report_id: UUID) -> str:
    """Which rule sets and common options make the claims of a report's log right; 404 where it claims nothing."""
    loaded = report_or_404(report_id)
    log = loaded.log
    if log is None or not may_be_explained(loaded):
        abort(404)
    rules = log_rules(log.rules, None)[0] or loaded.rules
    if rules is None:
        abort(404)
    words = page_for(loaded, lang()).words
    actions = actions_of(log)
    if actions > MOST_ACTIONS:
        said = words.say("explain.long", actions=actions, most=MOST_ACTIONS)
        return render_template(
            "explain.html", loaded=loaded, words=words, said=said, right=[], others=[], notes=[]
        )
    explained = explain(log, rules)
    return render_template(
        "explain.html",
        loaded=loaded,
        words=words,
        said=headline(explained, words),
        right=[(set_words(one, words), same_words(one, words)) for one in explained.right],
        others=[why_words(one, words) for one in explained.others],
        notes=list(notes(explained, words)),
    )
