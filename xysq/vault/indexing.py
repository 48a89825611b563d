"""Indexing: pushes that can be searched when they are answered."""

from dataclasses import replace
from typing import ClassVar

from xysq.jobs.hold import readable
from xysq.model.report import Pushed, Wait
from xysq.vault.landing import Landing


class Indexing(Landing):
    """A vault that takes pushes in and indexes them."""

    WAITS: ClassVar[frozenset[Wait]] = frozenset({Wait.LANDED, Wait.INDEXED})

    def _after(self, pushed: Pushed, wait: Wait) -> Pushed:
        """Index what was pushed, unless it need only have landed."""
        return pushed if wait is Wait.LANDED else self._settled(pushed)

    def _settled(self, pushed: Pushed) -> Pushed:
        """Wait until what landed can be searched; return the push with what its reader counted."""
        with readable(self._opened).reading() as snapshot:
            counted = len(snapshot.logs.passages(pushed.version))
            unreadable = len(snapshot.logs.unreadable(pushed.version))
            is_there = snapshot.logs.meta(pushed.version) is not None
        return replace(pushed, passages=counted if is_there else None, unreadable=unreadable)
