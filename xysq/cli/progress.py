"""Progress: one line on standard error that says how far long work is and how fast it goes."""

import time
from typing import Self

from xysq.cli.line import counted
from xysq.cli.output import Output
from xysq.model.spending import Spending

_EVERY_S = 0.1


class Progress:
    """A counter for work of known size, shown where somebody watches; a context that takes its line away."""

    def __init__(self, output: Output, word: str) -> None:
        """Count things of that word."""
        self._output = output
        self._word = word
        self._begun = time.monotonic()
        self._told = 0.0
        self._done = ""
        self._spent = ""

    def __call__(self, done: int, total: int) -> None:
        """Note how much is done."""
        rate = done / max(time.monotonic() - self._begun, 0.001)
        self._done = f"{done:,} of {total:,} {self._word}, {rate:,.0f}/s"
        self._show(at_once=done >= total)

    def spending(self, spent: Spending, pieces: int) -> None:
        """Note what was spent, and how many pieces of an answer have come."""
        answer = f", answering: {pieces:,}" if pieces else ""
        self._spent = f"{counted(spent.calls, 'call')}, {counted(spent.tokens, 'token')}{answer}"
        self._show(at_once=False)

    def _show(self, *, at_once: bool) -> None:
        now = time.monotonic()
        if self._output.shows_progress and (at_once or now - self._told >= _EVERY_S):
            self._told = now
            self._output.progress(f"\r\x1b[K{'; '.join(filter(None, (self._done, self._spent)))}")

    def clear(self) -> None:
        """Take the line away."""
        if self._told and self._output.shows_progress:
            self._output.progress("\r\x1b[K")
            self._told = 0.0

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Take the line away."""
        self.clear()
