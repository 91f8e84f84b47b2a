"""A worker whose engine meets a hand that it does not survive: `python -m tests.worker.poisoned`.

``POISON_DEAL`` is the deal of that hand, joined; ``POISON_KIND`` what it does to the process.
"""

import os
import signal
from typing import Any

from replay import sitting
from replay.hands import HandAudit, audit_hand
from replay.settings import settings_from
from worker.process import work


def kill() -> None:
    """As the system does when memory has run out."""
    os.kill(os.getpid(), signal.SIGKILL)


def memory() -> None:
    """More than there is."""
    bytearray(1 << 62)


def loop() -> None:
    """Without an end."""
    while True:
        pass


def deep() -> None:
    """Without a floor."""
    deep()


POISONS = {poison.__name__: poison for poison in (kill, memory, loop, deep)}


def deadly(rules: Any, hand: Any, *more: Any, **named: Any) -> HandAudit:
    """The audit of a hand, after what the poison does to one of them."""
    if named.get("look") is not None:
        named["look"]()
    if "".join(hand.deal) == os.environ["POISON_DEAL"]:
        POISONS[os.environ["POISON_KIND"]]()
    return audit_hand(rules, hand, *more, **named)


if __name__ == "__main__":
    vars(sitting)["audit_hand"] = deadly
    work(settings_from(os.environ))
