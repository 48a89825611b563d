"""The meter of a pass of drafting: what it may still spend, by its own caps and the day's, and what it has spent.

What a call cost is on the disk before its answer is used, so that neither a crash nor a second process makes a budget
larger than it is.
"""

from collections.abc import Callable

from xysq.errors import BudgetSpent
from xysq.frozen import frozen
from xysq.jobs.opened import Opened
from xysq.model.settings import Budgets
from xysq.model.spending import Spending
from xysq.store import spent

SpendingSeen = Callable[[Spending, int], None]  # told what is spent, and how many pieces of an answer have come


@frozen
class Caps:
    """What may be spent: in this pass, and on one day."""

    calls: int | None = None
    tokens: int | None = None
    seconds: float | None = None
    day: Budgets = Budgets()


class CapMeter:
    """Counts, refuses what is over a cap, and remembers the day's spending in the vault."""

    def __init__(self, opened: Opened, caps: Caps, seen: SpendingSeen | None = None) -> None:
        """Begin with nothing spent."""
        self._opened = opened
        self._caps = caps
        self._seen = seen or _unseen
        self._began = opened.clock()
        self.spent = Spending()

    @property
    def spent_out(self) -> str:
        """Return the cap that is reached, in words; "" where something may still be spent."""
        return self._over(0)

    def begin(self, tokens: int) -> None:
        """Count a call that is about to be made; raises `BudgetSpent` where a cap does not allow it."""
        over = self._over(tokens)
        if over:
            raise BudgetSpent(f"stopped at {over}; what is left stays pending")
        self._count(Spending(calls=1))

    def stream(self, pieces: int) -> None:
        """Tell how far an answer is."""
        self._seen(self.spent, pieces)

    def end(self, tokens_in: int, tokens_out: int, milliseconds: int) -> None:
        """Count what a call cost."""
        self._count(Spending(tokens_in=tokens_in, tokens_out=tokens_out, milliseconds=milliseconds))

    def accept(self, facts: int) -> None:
        """Count facts that became part of the vault, where anything was spent for them."""
        if facts and self.spent.calls:
            self._count(Spending(facts=facts))

    def count_free(self) -> None:
        """Count a call of a drafter that costs nothing: it is bounded, and not remembered."""
        self.spent += Spending(calls=1)

    def _count(self, more: Spending) -> None:
        self.spent += more
        spent.add(self._opened.files, self._today(), more)
        self._seen(self.spent, 0)

    def _today(self) -> str:
        return self._opened.now()[:10]

    def _over(self, tokens: int) -> str:
        """Return the cap that would be passed by a call that reads so many tokens."""
        caps, day = self._caps, self._caps.day
        passed = (self._opened.clock() - self._began).total_seconds()
        if caps.calls is not None and self.spent.calls >= caps.calls:
            return f"the cap of {caps.calls:,} calls"
        if caps.tokens is not None and self.spent.tokens + tokens >= caps.tokens:
            return f"the cap of {caps.tokens:,} tokens"
        if caps.seconds is not None and passed >= caps.seconds:
            return f"the cap of {caps.seconds:g} seconds"
        if day == Budgets():
            return ""
        today = spent.on_day(self._opened.files, self._today())
        if day.calls is not None and today.calls >= day.calls:
            return f"the day's budget of {day.calls:,} calls"
        if day.tokens is not None and today.tokens + tokens >= day.tokens:
            return f"the day's budget of {day.tokens:,} tokens"
        if day.seconds is not None and today.seconds >= day.seconds:
            return f"the day's budget of {day.seconds:,} seconds"
        return ""


def _unseen(_: Spending, __: int) -> None:
    """Tell nobody."""
