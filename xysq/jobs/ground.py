"""Ground: what a run is planned on and judged against, at one moment of the vault."""

from collections.abc import Iterator
from contextlib import contextmanager

from xysq.jobs.compose import Ground
from xysq.jobs.opened import Opened
from xysq.jobs.reading import read_arriving
from xysq.model.source import VersionKind
from xysq.model.state import State
from xysq.store import segments
from xysq.store.archive import VaultArchive
from xysq.store.arrival import Arrival
from xysq.store.readmodel import ReadModel, Snapshot


@contextmanager
def ground(opened: Opened, model: ReadModel, arrival: Arrival | None = None) -> Iterator[tuple[Ground, Snapshot]]:
    """Stand on the state that the read model is of, for the time of a block; `arrival` comes with the run."""
    settings = opened.settings()
    with model.reading() as snapshot:
        archive = archive_with(opened, snapshot, arrival)
        schema = opened.schema()
        state = State(ledger=snapshot.ledger, archive=archive, limits=settings.limits, me=settings.me, schema=schema)
        tail = segments.tail(opened.files)
        yield Ground(state=state, schema=schema, me=settings.me, tail=tail, raw=archive.raw), snapshot


def archive_with(opened: Opened, snapshot: Snapshot, arrival: Arrival | None) -> VaultArchive:
    """Return the archive as a run sees it that brings a version: words may be quoted from one that is new."""
    is_quoted = arrival is not None and arrival.meta.kind is VersionKind.PUSH
    passages = read_arriving(arrival.meta, arrival.part) if arrival is not None and is_quoted else ()
    return VaultArchive(opened.files, snapshot, arrival, passages)
