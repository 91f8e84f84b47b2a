"""Prose inside a fact: the phrases that findings hold in English, said in each language.

A finding is data, and what it says was found or expected is written once, in English, where the fault is seen.
Every such phrase stands under ``phrase`` in the words of each language, with gaps for what it quotes. Here a fact is
taken apart along the English phrase and put together along the other language's. What is no phrase of ours stays as
it is, and so does what is quoted from a file: nobody's words are translated because they sound like ours.

What is quoted may be long and was written by others. So nothing here tries one way after another: the fixed words of
a phrase are looked for once each, from the end (what we quote stands before what we say of it), which takes time
linear in the text.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from string import Formatter

from replay.wording.lookup import FALLBACK, text, words_of
from replay.wording.plain import TEXT_LENGTH, visible

SECTION = "phrase."
BESIDE = ".found"
"""Ends the key of a phrase that counts only beside the expectation whose key it continues."""

LONGEST = 1024
"""A longer fact, in characters, is taken for no phrase."""

LEVELS = 3
"""A phrase may fill a gap of another, and one a gap of that."""

_QUOTE = re.compile(r""""(?:[^"\\]|\\.)*+["\\]?|'(?:[^'\\]|\\.)*+['\\]?""", re.DOTALL)

Parts = Mapping[str, str]
"""What stands in each gap of a phrase."""


def is_quote(fact: str) -> bool:
    r"""Whether a fact is one string in quotes, as JSON or Python writes it, or the cut beginning of one.

    >>> [is_quote(fact) for fact in ('"a \\" b"', "'cut off", '"a" or "b"', "a")]
    [True, True, False, False]
    """
    return _QUOTE.fullmatch(fact) is not None


def _is_value(part: str) -> bool:
    """Whether a part is a value as Python writes it, from its first character to its last."""
    closing = {"[": "]", "{": "}"}.get(part[0])
    return part.endswith(closing) if closing else is_quote(part) or " " not in part


def _is_number(part: str) -> bool:
    return part.isascii() and part.isdigit()


GAPS: dict[str, Callable[[str], bool]] = {
    "n": _is_number,
    "m": _is_number,
    "key": is_quote,
    "value": _is_value,
    "option": str.isidentifier,
    "other": str.isidentifier,
    "error": str.isidentifier,
    "place": lambda part: " " not in part,
    "form": lambda part: part.startswith("{") and part.endswith("}"),
}
"""What may stand in a gap of this name; in one of another name, anything."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """An English phrase: its fixed words, one more than it has ``gaps``, and its key."""

    key: str
    fixed: tuple[str, ...]
    gaps: tuple[str, ...]

    @classmethod
    def of(cls, key: str, template: str) -> "Phrase":
        """The phrase that a template with named gaps is.

        >>> Phrase.of("most", "at most {n} wins").fixed
        ('at most ', ' wins')
        """
        pieces = [*Formatter().parse(template), ("", None, None, None)]
        gaps = tuple(name for _, name, _, _ in pieces if name is not None)
        return cls(key, tuple(words for words, _, _, _ in pieces)[: len(gaps) + 1], gaps)

    def parts(self, fact: str) -> Parts | None:
        """What stands in the gaps if ``fact`` is this phrase, else None; no gap is empty.

        >>> Phrase.of("found", "found {found}, expected {expected}").parts("found 'a, expected b', expected c")
        {'expected': 'c', 'found': "'a, expected b'"}
        """
        first, *inner, last = self.fixed if self.gaps else (*self.fixed, "")
        if not self.gaps:
            return {} if fact == first else None
        begin, end = len(first), len(fact) - len(last)
        if not (begin < end and fact.startswith(first) and fact.endswith(last)):
            return None
        parts = {}
        for words, name in zip(reversed(inner), reversed(self.gaps[1:]), strict=True):
            at = fact.rfind(words, begin + 1, end - 1)
            if at < 0:
                return None
            parts[name] = fact[at + len(words) : end]
            end = at
        parts[self.gaps[0]] = fact[begin:end]
        return parts if all(GAPS.get(name, bool)(part) for name, part in parts.items()) else None


@cache
def _phrases() -> tuple[Mapping[str, Phrase], tuple[Phrase, ...], Mapping[str, Phrase]]:
    """The phrases by their words where they have no gap; the others, the most fixed first; those of `BESIDE`."""
    every = [
        Phrase.of(key, template) for key, template in words_of(FALLBACK).items() if key.startswith(SECTION)
    ]
    free = [phrase for phrase in every if not phrase.key.endswith(BESIDE)]
    exact = {phrase.fixed[0]: phrase for phrase in free if not phrase.gaps}
    gapped = sorted(
        (phrase for phrase in free if phrase.gaps), key=lambda phrase: -sum(map(len, phrase.fixed))
    )
    return exact, tuple(gapped), {phrase.key: phrase for phrase in every if phrase.key.endswith(BESIDE)}


def match(fact: str) -> tuple[str, Parts] | None:
    """The key of the phrase that a fact is and what stands in its gaps, or None for what is no phrase.

    >>> match("an array of 2"), match('"an array of 2"')
    (('phrase.shown.array', {'n': '2'}), None)
    """
    if len(fact) > LONGEST or is_quote(fact):
        return None
    exact, gapped, _ = _phrases()
    if fact in exact:
        return exact[fact].key, {}
    found = ((phrase.key, phrase.parts(fact)) for phrase in gapped)
    return next(((key, parts) for key, parts in found if parts is not None), None)


def _match_beside(fact: str, expected: str) -> tuple[str, Parts] | None:
    """The same for what an importer says in its own words that it found.

    It stands in quotes there, as a string of the record would; that it is none, shows what was expected instead.
    """
    wanted = match(expected)
    phrase = _phrases()[2].get(wanted[0] + BESIDE) if wanted else None
    parts = phrase.parts(fact) if phrase else None
    return None if phrase is None or parts is None else (phrase.key, parts)


def _said(lang: str, matched: tuple[str, Parts] | None, fact: str, levels: int) -> str:
    if matched is None:
        return fact
    key, parts = matched
    inner = {
        name: _said(lang, match(part) if levels > 1 else None, part, levels - 1)
        for name, part in parts.items()
    }
    return text(lang, key, **inner)


def phrase(lang: str, fact: object, limit: int = TEXT_LENGTH, expected: object = None) -> str:
    """A fact in words of ``lang``, safe to print, cut after ``limit`` characters; raises ``KeyError`` for no language.

    ``expected`` is what was expected in its place, where the finding says so.

    >>> phrase("zh-Hans", "the seat that holds fourteen tiles"), phrase("en", "an array of 2")
    ('手持十四张牌的一家', 'an array of 2')
    """
    plain = str(fact)
    if lang == FALLBACK:
        return visible(plain, limit)
    matched = match(plain)
    if matched is None and expected is not None:
        matched = _match_beside(plain, str(expected))
    return visible(_said(lang, matched, plain, LEVELS), limit)
