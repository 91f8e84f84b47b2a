"""Words for people: every code, id and sentence in each language, kept as data beside this module.

``text`` looks one up, ``negotiate`` chooses the language, ``Words`` writes tiles, seats and amounts,
``render`` a finding. The engine speaks in codes and ids only; this is the one place where they get words.
"""

from replay.wording.lookup import has_text, languages, negotiate, text
from replay.wording.render import render
from replay.wording.words import Words

__all__ = ["Words", "has_text", "languages", "negotiate", "render", "text"]
