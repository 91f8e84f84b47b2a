"""`replay catalogue`: what an audit can find, what hands are worth, what is paid, and by which rules."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict
from typing import Any

import click
import orjson
from click.shell_completion import CompletionItem

from replay.catalogue import CATALOGUE
from replay.cli.options import format_option, lang_option
from replay.cli.profiles import echo
from replay.cli.program import Refused
from replay.examples import SIDES, example_path
from replay.items import ITEMS
from replay.profile import load_profile, profile_ids
from replay.text.catalogue import (
    Cited,
    CodeEntry,
    FanEntry,
    ItemEntry,
    RuleSet,
    RuleSetEntry,
    code_entry,
    fan_entry,
    fans,
    item_entry,
    rule_set_entry,
)
from replay.wording import Words
from replay.wording.plain import visible

Named = Mapping[str, str]
"""The ids of a section, each with what it is called."""


def _complete(ctx: click.Context, param: click.Parameter, begun: str) -> list[CompletionItem]:
    names = (*CATALOGUE, *fans(), *ITEMS, *profile_ids())
    return [CompletionItem(name) for name in dict.fromkeys(names) if name.startswith(begun)]


@click.command("catalogue")
@click.argument("name", metavar="[CODE]", required=False, shell_complete=_complete)
@format_option
@lang_option
def catalogue_command(name: str | None, output: str, words: Words) -> None:
    """Explain a finding, a fan, a kind of payment or a rule set; without a name, list them all.

    CODE is the code of a finding or its slug, or the id of a fan, of a kind of payment or of a rule set.

    \b
    Exit status: 0 shown, 2 no such entry.

    \b
    Example:
      replay catalogue ACT023 --lang zh-Hans
      replay catalogue qi_dui
      replay catalogue --format json
    """
    if name is None:
        show_list(output, words)
        return
    found = [(make(words, known), lines) for known, make, lines in entries_named(name)]
    if not found:
        raise Refused(words.say("catalogue.unknown", name=visible(name)))
    for entry, lines in found:
        if output == "json":
            click.echo(orjson.dumps(asdict(entry)))
        else:
            echo(lines(words, entry))


def entries_named(
    name: str,
) -> Iterator[tuple[str, Callable[[Words, str], Any], Callable[[Words, Any], Iterator[str]]]]:
    """What a name may mean: its id, how its entry is made, and how the entry is written."""
    slugs = {entry.slug: code for code, entry in CATALOGUE.items()}
    code = slugs.get(name, name.upper())
    if code in CATALOGUE:
        yield code, code_entry, code_lines
    if name in fans():
        yield name, fan_entry, fan_lines
    if name in ITEMS:
        yield name, item_entry, item_lines
    if name in profile_ids():
        yield name, lambda words, one: rule_set_entry(words, load_profile(one)), rule_set_lines


def sections(words: Words) -> dict[str, Named]:
    """Every entry by its section."""
    return {
        "findings": {code: words.say(f"{code}.title") for code in CATALOGUE},
        "fans": {fan: words.label("fan", fan) for fan in fans()},
        "items": {kind: words.label("ledger", kind) for kind in ITEMS},
        "rules": {one: rule_set_entry(words, load_profile(one)).rule_set.name for one in profile_ids()},
    }


def show_list(output: str, words: Words) -> None:
    """Write what there is, section by section."""
    for section, named in sections(words).items():
        if output == "json":
            for one, called in named.items():
                click.echo(orjson.dumps({"section": section, "id": one, "name": called}))
            continue
        longest = max(map(len, named))
        echo([words.say(f"catalogue.{section}")])
        echo(f"  {one:<{longest}}  {called}" for one, called in named.items())


# An entry in lines -----------------------------------------------------------------------------------


def code_lines(words: Words, entry: CodeEntry) -> Iterator[str]:
    """What · Why · Clause · Afterwards · Bad · Good."""
    yield f"{entry.code} {entry.slug}  {entry.title} ({words.label('kind', entry.kind)})"
    yield from section(words, "what", [entry.what])
    yield from section(words, "why", [entry.why])
    stated = [entry.cites] if entry.cites else []
    yield from section(words, "clause", [*stated, *cited_lines(words, entry.clauses)])
    yield from section(words, "after", entry.after)
    if not entry.has_example:
        yield from section(words, "bad", [words.say("catalogue.example.none")])
        return
    for side in SIDES:
        place = str(example_path(entry.code, side))
        yield from section(words, side, [words.say(f"catalogue.example.{side}"), place])


def fan_lines(words: Words, entry: FanEntry) -> Iterator[str]:
    """What a fan is, what it is worth where, by which clause, and a hand that has it."""
    yield (
        f"{entry.fan}  {entry.characters}  {entry.name}"
        if entry.name != entry.characters
        else f"{entry.fan}  {entry.name}"
    )
    yield from section(words, "what", [entry.what])
    worth = [f"{each.fan}: {names(words, each.rule_sets)}" for each in entry.worth]
    yield from section(words, "worth", worth or [words.say("catalogue.worth.none")])
    yield from section(words, "clause", list(cited_lines(words, entry.clauses)))
    yield from section(words, "example", list(hand_lines(words, entry)))


def hand_lines(words: Words, entry: FanEntry) -> Iterator[str]:
    """The example hand, and what it comes to."""
    shown = entry.example
    yield words.say("catalogue.hand", tile=words.tile(shown.win), hand=words.tiles(shown.hand))
    if shown.melds:
        melds = (
            words.say(
                "catalogue.meld",
                kind=words.label("action" if kind == "peng" else "gang", kind),
                tile=words.tile(tile),
            )
            for kind, tile in shown.melds
        )
        yield words.say("catalogue.melds", melds=words.join(melds))
    if (found := entry.priced) is not None:
        yield words.say(
            "catalogue.priced", rules=found.rule_set.name, fans=found.fans, fan=found.fan, price=found.price
        )


def item_lines(words: Words, entry: ItemEntry) -> Iterator[str]:
    """What a payment is, who pays whom, where it occurs and what decides it."""
    yield f"{entry.kind}  {entry.name}"
    yield from section(words, "what", [entry.what])
    yield from section(words, "who", [entry.who])
    occurs = names(words, entry.rule_sets) if entry.rule_sets else words.say("catalogue.occurs.none")
    yield from section(words, "occurs", [occurs])
    decided = [
        f"{each.rule} ({each.key}): {value} ({names(words, those)})"
        for each in entry.decided
        for value, those in each.stated
    ]
    yield from section(words, "decided", decided)


def rule_set_lines(words: Words, entry: RuleSetEntry) -> Iterator[str]:
    """A rule set in short; `replay profiles show` has every value with its clause."""
    yield f"{entry.rule_set.id}  {entry.rule_set.name}"
    yield f"  {visible(entry.summary, 600)}"
    yield f"  {words.say('catalogue.digest', digest=entry.digest)}"
    yield from (f"  {each.rule} ({each.key}): {each.value}" for each in entry.values if each.value)


def section(words: Words, head: str, lines: list[str]) -> Iterator[str]:
    """A head with what stands under it; nothing where there is nothing."""
    if lines:
        yield words.say(f"catalogue.{head}")
    yield from (f"  {line}" for line in lines)


def cited_lines(words: Words, clauses: list[Cited]) -> Iterator[str]:
    """The clauses, each with the rule sets whose words they are."""
    for each in clauses:
        yield f"{each.rule}: {names(words, each.rule_sets)}"
        if (clause := each.clause) is not None:
            quoted = words.say("language.quote", text=visible(clause.text, 600))
            yield "  " + words.say(
                "report.clause.bare",
                document=visible(clause.document),
                section=visible(clause.section),
                text=quoted,
            )
        if each.reading:
            yield "  " + words.say("catalogue.reading", text=visible(each.reading, 600))


def names(words: Words, those: tuple[RuleSet, ...]) -> str:
    """Rule sets by id."""
    return words.join(one.id for one in those)
