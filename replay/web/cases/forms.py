"""Forms of cases as they were filled in: what was typed stays, and each problem is said where it is."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from replay.store.accounts import by_name, name_problem
from replay.store.attempts import HOUR_MS, Rate, attempt
from replay.store.cases.writing import LONGEST_TEXT
from replay.web.footing import service
from replay.web.languages import words
from replay.web.viewer import user

NAMES = Rate("party", 30, HOUR_MS)
"""Names of accounts that somebody may try within an hour: whether there is one is not for everybody to list."""

SEATS = ("0", "1", "2", "3")
_WHOLE = re.compile(r"[+-]?[0-9]{1,15}")


@dataclass(slots=True)
class Form:
    """What was typed into the form of an act, and what is wrong with it, by field."""

    act: str = ""
    given: Mapping[str, str] = field(default_factory=dict)
    problems: dict[str, str] = field(default_factory=dict)
    named: dict[str, str] = field(default_factory=dict)
    """The fields that name accounts, by the id of the account."""

    def of(self, act: str) -> "Form":
        """This form if it is of this act, else one that nobody filled in."""
        return self if self.act == act else Form(act)

    def value(self, name: str) -> str:
        """What was typed into a field."""
        return self.given.get(name, "")

    def problem(self, name: str) -> str:
        """What is wrong with a field; "" for nothing."""
        return self.problems.get(name, "")

    def wrong(self, name: str, problem: str, /, **facts: object) -> None:
        """Something is wrong with a field."""
        self.problems.setdefault(name, words().say(f"cases.problem.{problem}", **facts))

    # Reading -----------------------------------------------------------------------------------------

    def text(self, name: str = "text", needed: bool = True, longest: int = LONGEST_TEXT) -> str:
        """Words, their lines ended alike."""
        said = "\n".join(line.rstrip() for line in self.value(name).splitlines()).strip()
        if needed and not said:
            self.wrong(name, "nothing")
        if len(said) > longest:
            self.wrong(name, "long", most=longest, n=len(said))
        return said

    def choice(self, name: str, choices: Sequence[str], needed: bool = True) -> str:
        """One of several; "" for none."""
        found = self.value(name)
        if found in choices:
            return found
        if found or needed:
            self.wrong(name, "choice")
        return ""

    def seat(self, name: str, needed: bool = False) -> int | None:
        """A seat, if one is named."""
        found = self.choice(name, SEATS, needed)
        return int(found) if found else None

    def number(self, name: str, least: int, most: int, needed: bool = False) -> int | None:
        """A whole number, if there is one."""
        said = self.value(name).strip().replace("−", "-")
        if not said and not needed:
            return None
        if _WHOLE.fullmatch(said) and least <= int(said) <= most:
            return int(said)
        self.wrong(name, "number", least=least, most=most)
        return None

    def account(self, name: str) -> str | None:
        """The id of the account that a field names, if it names one; what nobody can be called is no account."""
        said = self.value(name).strip()
        if not said:
            return None
        if attempt(service().engine, (NAMES, user().id)):
            self.wrong(name, "names")
            return None
        found = by_name(service().engine, said) if name_problem(said) is None else None
        if found is None:
            self.wrong(name, "nobody")
            return None
        self.named.setdefault(found.id, name)
        return found.id

    def is_staff(self, account: str) -> None:
        """The account that a field names is an arbiter or admin, whom nobody makes a party."""
        self.wrong(self.named[account], "staff")
