"""Follow: bring the read model to the commit that main is at.

It works from what is in the vault, under the lock, after decided runs were finished: the versions whose meta came
with the commits since then, and the events behind the read model's end. Where the read model is of another history,
unreadable or missing, it is made again from nothing; it is derived, so nothing is lost by that.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby

from xysq.errors import Damaged
from xysq.jobs.brought import brought_versions
from xysq.jobs.damaged import lost_sources, put_source, put_versions
from xysq.jobs.held import Held
from xysq.jobs.opened import Opened
from xysq.jobs.present import prove_ledger, prove_one_history
from xysq.ledger.fold import Fold, Unlawful
from xysq.model.event import Event, Head
from xysq.model.report import Progress
from xysq.store import logs, segments
from xysq.store.git_ref import BrokenRef
from xysq.store.readmodel import ReadModel, ReadModelDamaged, Stamp, Unusable
from xysq.store.readmodel.writer import Writer

_AT_ONCE = 5_000


def followed_model(opened: Opened, progress: Progress | None = None) -> ReadModel:
    """Return a read model that is of the tip; under the lock, decided runs finished."""
    found = ReadModel.open(opened.cache, opened.vault_id, create=True)
    if isinstance(found, Unusable):
        return rebuild(opened, progress)
    tip = opened.tip()
    with found.reading() as snapshot:
        stamp = snapshot.stamp()
    if stamp.commit == tip:
        return found
    _prove_there(opened, tip)
    if not stamp.commit or not _continues(opened, stamp.head) or not _led_to(opened, stamp.commit, tip):
        found.close()
        return rebuild(opened, progress)
    try:
        _catch_up(opened, found, stamp, tip)
    except (Unlawful, ReadModelDamaged):  # it is not what its stamp says: a disk that lost power may leave such a thing
        found.close()
        return rebuild(opened, progress)
    return found


def _prove_there(opened: Opened, tip: str) -> None:
    """Raise `BrokenRef` where the branch is at a commit that is not there: what it goes back to is for `repair`."""
    try:
        opened.repository.commit(tip)
    except Damaged:
        raise BrokenRef(f"is at {tip[:12]}, and that commit cannot be read") from None


def follow_run(held: Held, parent: str, commit: str, *, brings_log: bool = False) -> None:
    """Bring the read model over one run, from `parent` to `commit`."""
    with held.model.reading() as snapshot:
        stamp = snapshot.stamp()
    if brings_log or stamp.commit != parent:
        _catch_up(held.opened, held.model, stamp, held.opened.tip())
        return
    with held.model.writing() as writer:
        _put_events(held.opened, writer, stamp.head, commit)
        writer.set_commit(commit)


def rebuild(opened: Opened, progress: Progress | None = None) -> ReadModel:
    """Make the read model from nothing: every version of every source, every event of the ledger.

    `progress` is told how many sources and events are done. Cut short at any time, it leaves the one there was.
    """
    tip = opened.tip()
    me = opened.settings().me
    prove_one_history(opened, tip)
    sources = tuple(logs.all_sources(opened.files))
    tell = progress or _tell_nobody
    total = len(sources) + segments.tail(opened.files).head.n
    with ReadModel.rebuild(opened.cache, opened.vault_id) as model, model.writing() as writer:
        for place, source in enumerate(sources):
            put_source(opened, writer, source, me)
            tell(place + 1, total)
        for source, sentence in lost_sources(opened, tip).items():
            writer.note_damaged(source, sentence)
        _put_events(opened, writer, writer.state.stamp().head, "", lambda n: tell(len(sources) + n, total))
        prove_ledger(opened, tip, writer.state.stamp().head)
        writer.set_commit(tip)
    found = ReadModel.open(opened.cache, opened.vault_id, create=True)
    if isinstance(found, Unusable):
        raise Damaged(str(opened.cache), "0", f"the read model that was just made {found.reason}")
    return found


def _continues(opened: Opened, head: Head) -> bool:
    """Tell whether the ledger still holds the end that the read model knows."""
    if head.n == 0:
        return True
    end = segments.tail(opened.files).head
    if end.n <= head.n:
        return end == head
    return next(segments.read_from(opened.files, head.n)).hash == head.hash


def _led_to(opened: Opened, commit: str, tip: str) -> bool:
    """Tell whether the history at the tip goes on from a commit; one that a backup has not is part of none."""
    try:
        opened.repository.commit(commit)
    except Damaged:
        return False
    return opened.repository.is_ancestor(commit, tip)


def _catch_up(opened: Opened, model: ReadModel, stamp: Stamp, tip: str) -> None:
    me = opened.settings().me
    brought = brought_versions(opened, stamp.commit, tip)
    with model.writing() as writer:
        for source, versions in groupby(brought, key=lambda version: version.source):
            put_versions(opened, writer, source, [version.number for version in versions], me)
        _put_events(opened, writer, stamp.head, "")
        prove_ledger(opened, tip, writer.state.stamp().head)
        writer.set_commit(tip)


def _tell_nobody(_: int, __: int) -> None:
    """Nobody asked how far it is."""


def _put_events(
    opened: Opened, writer: Writer, head: Head, commit: str, tell: Callable[[int], None] | None = None
) -> None:
    """Put the runs behind `head`, many at a time: a page that each of them touches is stored once."""
    events = segments.read_from(opened.files, head.n + 1) if head.n else segments.read_all(opened.files)
    for batch in _whole_runs(events):
        writer.put_run(Fold(writer.state.ledger).extend(batch), batch, commit)
        if tell is not None:
            tell(batch[-1].n)


def _whole_runs(events: Iterable[Event]) -> Iterator[tuple[Event, ...]]:
    """Yield whole runs together, so many that their fold stays small."""
    batch: list[Event] = []
    for event in events:
        if len(batch) >= _AT_ONCE and event.run != batch[-1].run:
            yield tuple(batch)
            batch.clear()
        batch.append(event)
    if batch:
        yield tuple(batch)
