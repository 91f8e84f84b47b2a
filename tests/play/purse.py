"""What the seats have left, where a hand ends with the last of it: only hu and gangs are paid while it goes on."""

from typing import Any

from replay.profile import RuleProfile

SIMPLE: dict[str, Any] = {
    "transfer": "none",
    "piao": "off",
    "payer_gangs": None,
    "penalties": "none",
    "gang_pao_payer": "discarder",
    "dian_gang_hua": "zi_mo",
    "void_breach": "illegal",
    "xiang_gong": "off",
    "flee": "none",
}
"""The values under which hu and gangs are paid as below (rulebook §2.4-5)."""


def simple(rules: RuleProfile) -> bool:
    """Whether the payments of a hand are no more than these."""
    return all(getattr(rules, key) == value for key, value in SIMPLE.items())


class Purse:
    """What each seat holds, in points."""

    def __init__(self, rules: RuleProfile, base: int, holdings: list[int]) -> None:
        self.rules, self.base = rules, base
        self.held = list(holdings)

    @property
    def broke(self) -> bool:
        """Whether a seat has nothing left."""
        return min(self.held) <= 0

    def pay(self, payer: int, payee: int, amount: int) -> None:
        """Points change hands."""
        self.held[payer] -= amount
        self.held[payee] += amount

    def gang(self, seat: int, kind: str, others: list[int], feeder: int | None, fresh: bool) -> None:
        """A gang that stands, from the others in play; of a direct one the feeder pays its own share."""
        rules = self.rules
        kept = rules.gang_bu_kept == "zero" and not fresh
        share = {"zhi": rules.gang_zhi_others, "bu": 0 if kept else rules.gang_bu, "an": rules.gang_an}[kind]
        for other in others:
            self.pay(other, seat, (rules.gang_zhi if other == feeder else share) * self.base)

    def hu(self, seat: int, price: int, payers: list[int], own: bool) -> None:
        """A hu: its price, and with a self-draw a base more where the rule set says so."""
        bonus = self.base if own and self.rules.zi_mo_bonus == "add_base" else 0
        for payer in payers:
            self.pay(payer, seat, price + bonus)
