"""Progress: one line on standard error that says how far long work is and how fast it goes."""

import time
from typing import Self

from xysq.cli.output import Output

_EVERY_S = 0.1


class Progress:
    """A counter for work of known size, shown where somebody watches; a context that takes its line away."""

    def __init__(self, output: Output, word: str) -> None:
        """Count things of that word."""
        self._output = output
        self._word = word
        self._begun = time.monotonic()
        self._told = 0.0

    def __call__(self, done: int, total: int) -> None:
        """Note how much is done."""
        now = time.monotonic()
        if not self._output.shows_progress or (now - self._told < _EVERY_S and done < total):
            return
        self._told = now
        rate = done / max(now - self._begun, 0.001)
        self._output.progress(f"\r\x1b[K{done:,} of {total:,} {self._word}, {rate:,.0f}/s")

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
