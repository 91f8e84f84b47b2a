"""The words of each language, a folder a language, a JSON file a room: section → key → text with named gaps.

A section may stand in several files, a text in one only.
"""

import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
FALLBACK = "en"


@cache
def languages() -> tuple[str, ...]:
    """The languages there are words for, as BCP 47 tags.

    >>> languages()
    ('en', 'zh-Hans', 'zh-Hant')
    """
    return tuple(sorted({path.parent.name for path in FOLDER.glob("*/*.json")}))


@cache
def words_of(lang: str) -> Mapping[str, str]:
    """All texts of a language by ``section.key``; raises ``KeyError`` for a language without words."""
    if lang not in languages():
        raise KeyError(f"no words for the language {lang!r}; there are {', '.join(languages())}")
    found: dict[str, str] = {}
    for path in sorted((FOLDER / lang).glob("*.json")):
        for section, texts in json.loads(path.read_text(encoding="utf-8")).items():
            found |= {f"{section}.{key}": text for key, text in texts.items()}
    return found


def text(lang: str, key: str, /, **params: object) -> str:
    """The text ``key`` (``section.key``) in ``lang``, its gaps filled; raises ``KeyError`` for the unknown.

    >>> text("zh-Hant", "ledger.transfer"), text("en", "unit.step", n=42)
    ('呼叫轉移', 'step 42')
    """
    found = words_of(lang)[key]
    return found.format_map(params) if params else found


def has_text(lang: str, key: str) -> bool:
    """Whether ``lang`` has the text ``key``."""
    return key in words_of(lang)


def negotiate(locale: str | None) -> str:
    """The language to speak to someone with this locale (``zh_TW.UTF-8``, ``zh-Hans-HK``, ``de``).

    A script says more than a region; Taiwan, Hong Kong and Macau write traditional characters.

    >>> [negotiate(locale) for locale in ("zh_TW.UTF-8", "zh-Hans-HK", "zh", "de_AT", None)]
    ['zh-Hant', 'zh-Hans', 'zh-Hans', 'en', 'en']
    """
    parts = re.split(r"[-_]", re.split(r"[.,;:@\s]", (locale or "").strip().lower())[0])
    if parts[0] != "zh":
        return FALLBACK
    if "hans" in parts:
        return "zh-Hans"
    return "zh-Hant" if {"hant", "tw", "hk", "mo"} & set(parts[1:]) else "zh-Hans"
