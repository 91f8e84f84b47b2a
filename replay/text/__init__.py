"""A report as text that a person can read: the verdict, each finding with its clause, then the money."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from replay.text.money import coins_lines, hand_lines
from replay.text.objections import all_findings, finding_lines
from replay.text.page import Page
from replay.text.values import value_words
from replay.text.why import clause_lines
from replay.wording.lookup import has_text
from replay.wording.plain import visible, wrap
from replay.wording.words import Words, listed

COLUMNS = 100
KINDS = ("malformed", "illegal", "mismatch")
OPEN_KINDS = ("undecidable", "unverified")


def report_text(
    report: Mapping[str, Any],
    lang: str,
    log: Mapping[str, Any] | None = None,
    values: Mapping[str, Any] | None = None,
    readings: Mapping[str, Mapping[str, str]] | None = None,
) -> str:
    """The report (formats §2) in words of ``lang``, no line wider than `COLUMNS`.

    ``log`` gives the players' names and the tiles of the actions; ``values`` (key → value) and ``readings``
    (key → language → text) of the rule set the cap and the readings' words. Without them the text says less.
    Nothing hidden in a name or a quotation reaches the output.
    """
    page = page_of(report, lang, log, values, readings)
    lines = [verdict_sentence(page), *_heading(page), *finding_lines(page)]
    for hand in report.get("hands") or []:
        lines += ["", *hand_lines(page, hand)]
    lines += _closing(page)
    return "\n".join(part for line in lines for part in wrap(line, COLUMNS)) + "\n"


def page_of(
    report: Mapping[str, Any],
    lang: str,
    log: Mapping[str, Any] | None = None,
    values: Mapping[str, Any] | None = None,
    readings: Mapping[str, Mapping[str, str]] | None = None,
) -> Page:
    """What `report_text` makes its text from, for those who word parts of a report."""
    players = listed((log or {}).get("players"))
    words = Words.of(lang, (_name(player) for player in players[:4]))
    return Page(words, report, log or {}, values or {}, readings or {})


def _name(player: Any) -> object:
    return player.get("name") if isinstance(player, Mapping) else ""


def verdict_sentence(page: Page) -> str:
    """The verdict as a sentence: what is objected to, and apart from it what could not be decided."""
    kinds = Counter(finding.get("kind") for finding in all_findings(page.report))
    words = page.words
    errors = page.counts(kinds, KINDS)
    still_open = page.counts(kinds, OPEN_KINDS)
    verdict = page.report.get("verdict") or ("findings" if errors else "clean")
    if verdict == "unreplayable" and errors:
        said = words.say("report.verdict.unreplayable", counts=words.join(errors))
    elif verdict == "findings" and errors:
        said = words.say("report.verdict.findings", counts=words.join(errors))
    elif verdict == "clean":
        said = _clean(page, bool(still_open))
    else:
        said = words.label("verdict", verdict)
    if still_open:
        rest = words.say("report.verdict.open", counts=words.join(still_open))
        said += words.say("language.sentence") + rest
    return said


def _clean(page: Page, still_open: bool) -> str:
    """Nothing to object to, in so many hands, actions and wins."""
    hands = page.report.get("hands") or []
    counted = [page.words.count("hands", len(hands)), *page.played(hands)]
    if still_open:
        return page.words.say("report.verdict.clean_open", counts=page.words.join(counted))
    return page.words.say("report.verdict.clean", counts=page.words.join([*counted, page.agreement(hands)]))


def _heading(page: Page) -> list[str]:
    """Which log was judged by which rules."""
    words, report = page.words, page.report
    log, rules, engine = (report.get(key) or {} for key in ("log", "rules", "engine"))
    options = "".join(
        words.say("report.option", key=words.label("rule", key), value=value_words(words, key, value))
        for key, value in sorted((rules.get("options") or {}).items())
        if key != "cap_fan"
    )
    lines = [
        words.say(
            "report.log",
            id=words.shown(log.get("id"), 128),
            profile=words.shown(rules.get("profile")),
            cap=page.cap(),
            options=options,
            engine=visible(f"{engine.get('name', '')} {engine.get('version', '')}".strip()),
        )
    ]
    if log.get("sha256") or rules.get("digest"):
        digests = {"log": words.shown(log.get("sha256")), "rules": words.shown(rules.get("digest"))}
        lines.append(words.say("report.digests", **digests))
    importer = report.get("importer")
    if importer:
        names = {key: visible(importer.get(key, "")) for key in ("name", "version")}
        lines.append(words.say("report.importer", **names))
    return lines


def _closing(page: Page) -> Iterable[str]:
    """Totals and coins, and the readings that the verdict rests on."""
    words, report = page.words, page.report
    if report.get("hands"):
        yield ""
        if report.get("totals"):
            yield words.say("report.totals", scores=words.scores(report["totals"]))
        else:
            yield words.say("report.totals.none")
        yield from coins_lines(page)
    rests_on = list(clause_lines(page))
    if rests_on:
        yield from ("", words.say("report.clauses"), *(f"  - {line}" for line in rests_on))
    readings = listed((report.get("rules") or {}).get("readings"))
    if readings:
        yield from ("", words.say("report.readings"))
        yield from (f"  - {reading_text(page, str(reading))}" for reading in readings)


def reading_text(page: Page, reading: str) -> str:
    """A reading (``key: text``) in the language of the page, as far as it has one there."""
    key, _, stated = reading.partition(": ")
    words, texts = page.words, page.readings.get(key) or {}
    if not stated and not texts:
        return words.label("rule", reading)
    if not has_text(words.lang, f"rule.{key}") and not texts:
        return visible(reading, 600)
    said = next((texts[lang] for lang in (words.lang, "zh-Hans", "en") if lang in texts), stated)
    return words.say("report.reading", rule=words.label("rule", key), text=visible(said, 600))
