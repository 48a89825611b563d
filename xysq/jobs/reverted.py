"""Reverted: which runs and sources are taken back, and were not given back since."""

from xysq.model.source import SourceId
from xysq.store.readmodel import RunLine, Snapshot


def standing_revert(snapshot: Snapshot, target: str) -> RunLine | None:
    """Return the run by which a run or a source is taken back; None where none is, or it was taken back itself."""
    line = snapshot.lists.revert_of(target)
    return None if line is None or standing_revert(snapshot, line.run) is not None else line


def reverted_sources(snapshot: Snapshot) -> frozenset[SourceId]:
    """Return the sources that are taken back."""
    sources = snapshot.lists.reverted_sources()
    return frozenset(source for source in sources if standing_revert(snapshot, source) is not None)
