"""The order of events: each continues the one before it, and the events of a run stand together.

A run is its `run` event and then as many events as that one says; the first run of a ledger, and no other, is `init`.
"""

from dataclasses import dataclass
from typing import ClassVar

from xysq.errors import XysqError
from xysq.model.event import Event, Head, RunBegun, RunKind


class Unlawful(XysqError):
    """An event that may not follow the events before it."""

    code: ClassVar[str] = "unlawful-event"
    exit_status: ClassVar[int] = 12

    def __init__(self, n: int, sentence: str) -> None:
        """Name the event and the law it breaks."""
        super().__init__(f"event {n} {sentence}")
        self.n = n


@dataclass(slots=True)
class Order:
    """Where a ledger ends, the run that is under way there, and how many of its events are still to come."""

    head: Head
    run: RunBegun | None = None
    left: int = 0

    def expect(self, event: Event) -> None:
        """Refuse an event that may not come next; begin or go on with its run."""
        if event.n != self.head.n + 1 or event.prev != self.head.hash:
            raise Unlawful(event.n, f"does not continue event {self.head.n}")
        if isinstance(event.body, RunBegun):
            self._begin(event, event.body)
        elif self.run is None or event.run != self.run.run or self.left == 0:
            raise Unlawful(event.n, "belongs to no run that was begun")
        else:
            self.left -= 1

    def _begin(self, event: Event, body: RunBegun) -> None:
        if self.left:
            raise Unlawful(event.n, f"begins a run while {self.left} events of the run before are missing")
        if (event.n == 1) != (body.kind is RunKind.INIT):
            raise Unlawful(event.n, "is an init run in the wrong place, or the first event is none")
        if event.run != body.run:
            raise Unlawful(event.n, f"begins run {body.run} under the name {event.run}")
        self.run, self.left = body, body.events

    def passed(self, event: Event) -> None:
        """Take note that the event is part of the ledger."""
        self.head = Head(n=event.n, hash=event.hash)

    def finish(self) -> None:
        """Refuse an end inside a run."""
        if self.left:
            raise Unlawful(self.head.n, f"is not the last of its run: {self.left} are missing")
