"""Indexing: pushes that can be searched when they are answered."""

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

from xysq.jobs.readable import readable
from xysq.model.report import Pushed, Wait
from xysq.model.source import Passage, Version, VersionKind
from xysq.store.readmodel import Snapshot
from xysq.vault.landing import Landing


class Indexing(Landing):
    """A vault that takes pushes in and indexes them."""

    WAITS: ClassVar[frozenset[Wait]] = frozenset({Wait.LANDED, Wait.INDEXED})

    def follow(self, pushed: Sequence[Pushed], wait: Wait) -> tuple[Pushed, ...]:
        """Wait for pushes that landed until they can be searched; tell what their reader counted.

        Raises `Busy` where another process holds the vault for too long: they are kept, and will be searchable later.
        """
        landed = super().follow(pushed, wait)
        if wait is Wait.LANDED or not landed:
            return landed
        with readable(self._opened, patient=True).reading() as snapshot:
            return tuple(_counted(snapshot, one) for one in landed)

    def brought(self, version: Version) -> tuple[Passage, ...]:
        """Return the passages that came with a version, or that it continued."""
        with readable(self._opened).reading() as snapshot:
            meta, before = snapshot.logs.meta(version), snapshot.logs.meta(Version(version.source, version.number - 1))
            is_tail = meta is not None and before is not None and meta.kind is VersionKind.APPEND
            begin = min(meta.offset, before.parsed_to) if is_tail and meta and before else 0
            return snapshot.logs.passages(version, begin)


def _counted(snapshot: Snapshot, pushed: Pushed) -> Pushed:
    if snapshot.logs.meta(pushed.version) is None:
        return pushed
    passages = snapshot.logs.brought(pushed.version)
    return replace(pushed, passages=passages, unreadable=len(snapshot.logs.unreadable(pushed.version)))
