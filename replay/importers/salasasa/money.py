"""What a hand's record says was paid: its score changes, and the payments they can only have been.

The record gives four changes at a time. They are a payment each where one seat alone receives, or one alone pays;
where they are not, there is no ledger to claim, only the sum.
"""

from typing import Any

Payment = dict[str, Any]

SEATS = range(4)
STATUSES = ("ting", "no_ting", "hua_zhu_passive", "hua_zhu_active")


class Money:
    """The changes of one hand. ``lost`` says why they are not all of them, and is empty where they are.

    ``sum`` adds up what is recorded; ``payments`` is None where some change can't be told apart.
    """

    def __init__(self) -> None:
        self.sum = [0, 0, 0, 0]
        self.payments: list[Payment] | None = []
        self.lost = ""
        self.won_at: dict[int, int] = {}
        self.unpaid: set[int] = set()
        self.kept: list[Payment] = []

    def add(self, changes: list[int]) -> None:
        """Add up four changes."""
        self.sum = [mine + more for mine, more in zip(self.sum, changes, strict=True)]

    def enter(self, made: list[Payment] | None) -> None:
        """Enter the payments that a change was, or give the ledger up."""
        if made is None or self.payments is None:
            self.payments = None
        else:
            self.payments += made

    def gang(self, seat: int, changes: list[int], at: int) -> None:
        """A gang's income."""
        self.add(changes)
        made = received("gang", seat, changes, at)
        self.enter(made)
        self.kept += made or []

    def refund(self, changes: list[int], at: int, robbed: bool) -> None:
        """A gang's income given back before the hu at ``at``.

        The server pays a gang before it asks who robs it. Given back at once it was never paid: no entry of either.
        """
        self.add(changes)
        last = [payment for payment in self.kept if payment["at"] == self.kept[-1]["at"]]
        whole = bool(last) and summed(last) == [-change for change in changes]
        if whole:
            self.kept = [payment for payment in self.kept if payment not in last]
        if whole and robbed and self.payments is not None:
            self.payments = [payment for payment in self.payments if payment not in last]
        else:
            payers = [seat for seat in SEATS if changes[seat] < 0]
            self.enter(paid("refund", payers[0], changes, at) if len(payers) == 1 else None)

    def win(self, seat: int, changes: list[int], at: int) -> None:
        """A hu: paid at once, or at the end of the hand, and then the changes are all zero here."""
        self.won_at[seat] = at
        if any(changes):
            self.add(changes)
            self.enter(received("hu", seat, changes, at))
        else:
            self.unpaid.add(seat)

    def settle_win(self, seat: int, changes: list[int]) -> None:
        """A hu paid at the end of the hand."""
        self.add(changes)
        known = seat in self.unpaid
        self.unpaid.discard(seat)
        self.enter(received("hu", seat, changes, self.won_at[seat]) if known else None)

    def reveal(self, seat: int, status: str, changes: list[int]) -> None:
        """查大叫 at the end: a ready seat receives, another gives its gang income back; a 花猪 may lose to nobody."""
        self.add(changes)
        if status == "ting":
            self.enter(received("da_jiao", seat, changes, None))
            return
        to_nobody = -sum(changes)
        if to_nobody < 0 or (to_nobody and status != "hua_zhu_active"):
            self.enter(None)
            return
        fine = [payment_of("hua_zhu", seat, None, to_nobody, None)] if to_nobody else []
        returned = paid("refund", seat, [c + to_nobody * (s == seat) for s, c in enumerate(changes)], None)
        self.enter(None if returned is None else fine + self.by_gang(seat, returned))

    def by_gang(self, seat: int, returned: list[Payment]) -> list[Payment]:
        """What a seat returns to another, gang by gang where it comes to all that it received from there."""
        found = []
        for payment in returned:
            gangs = [kept for kept in self.kept if (kept["from"], kept["to"]) == (payment["to"], seat)]
            if sum(kept["amount"] for kept in gangs) == payment["amount"]:
                found += [payment_of("refund", seat, payment["to"], kept["amount"], None) for kept in gangs]
            else:
                found.append(payment)
        return found

    def claim(self) -> dict[str, Any]:
        """What the hand's claim holds of it: nothing where something is lost."""
        if self.lost:
            return {}
        claimed: dict[str, Any] = {"scores": self.sum}
        if self.payments is not None:
            claimed["ledger"] = sorted(
                self.payments, key=lambda payment: (payment["at"] is None, payment["at"] or 0)
            )
        return claimed


def payment_of(kind: str, source: int, target: int | None, amount: int, at: int | None) -> Payment:
    """An entry of a claimed ledger."""
    return {"kind": kind, "from": source, "to": target, "amount": amount, "at": at}


def received(kind: str, seat: int, changes: list[int], at: int | None) -> list[Payment] | None:
    """The payments by which a seat received, or None where the changes are something else."""
    others = [other for other in SEATS if other != seat]
    if sum(changes) or any(changes[other] > 0 for other in others):
        return None
    return [payment_of(kind, other, seat, -changes[other], at) for other in others if changes[other]]


def paid(kind: str, seat: int, changes: list[int], at: int | None) -> list[Payment] | None:
    """The payments that a seat made, or None where the changes are something else."""
    others = [other for other in SEATS if other != seat]
    if sum(changes) or any(changes[other] < 0 for other in others):
        return None
    return [payment_of(kind, seat, other, changes[other], at) for other in others if changes[other]]


def summed(payments: list[Payment]) -> list[int]:
    """What payments between seats come to for each of the four."""
    sums = [0, 0, 0, 0]
    for payment in payments:
        sums[payment["from"]] -= payment["amount"]
        sums[payment["to"]] += payment["amount"]
    return sums
