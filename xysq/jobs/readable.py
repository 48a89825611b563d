"""Readable: the state a query is answered from, the last committed one (P9).

Nearly always the read model is of the tip and nothing waits. So the way through the lock, which brings in recovery,
the readers of all formats and everything that writes, is imported when it has to be taken.
"""

from contextlib import AbstractContextManager, suppress
from importlib import import_module

from xysq.errors import Busy, XysqError
from xysq.jobs.conflict import Conflict, OtherBranch
from xysq.jobs.held import Held
from xysq.jobs.opened import Opened
from xysq.model.index import Index
from xysq.store import queue, wal
from xysq.store.git_ref import BrokenRef
from xysq.store.readmodel import ReadModel, Snapshot, Unusable

_READER_WAITS_S = 1.0


def present_model(opened: Opened) -> ReadModel | Unusable:
    """Open the read model as it is: nothing is made or changed."""
    return ReadModel.open(opened.cache, opened.vault_id, create=False)


def readable(opened: Opened, *, patient: bool = False) -> ReadModel:
    """Return the read model for a query.

    What has only landed, a run that a crash interrupted, or a read model that is behind is seen to first if the lock is
    free; where it is not, the state there is is served, and `opened.notices` says so. Who is `patient` waits for the
    lock as a writer does, for everything that has landed: `Busy` where that is not to be had.
    """
    found = present_model(opened)
    landed = queue.landed(opened.files)
    if isinstance(found, ReadModel) and not landed and not _has_decided(opened) and _is_current(opened, found):
        return _with_notice(opened, found)
    usable = isinstance(found, ReadModel)
    try:
        with _held(opened, opened.timeout_s if patient or not usable else _READER_WAITS_S):
            pass
    except (OtherBranch, Conflict) as error:
        if not usable:
            raise
        opened.notices.append(f"{error.sentence}: this is the state of its last run")
    except Busy:
        if patient or not usable:
            raise
        left = len(queue.landed(opened.files))
        opened.notices.append(
            f"{left} {'push' if left == 1 else 'pushes'} not searchable yet" if left else "the index is behind"
        )
    again = present_model(opened)
    if isinstance(again, Unusable):
        raise XysqError(f"the search index cannot be used: {again.reason}", "run: xysq reindex")
    return _with_notice(opened, again)


def tell_damaged(opened: Opened, count: int, so: str = "") -> None:
    """Say, once, that some sources are damaged: what is found without them is not all there is (P12)."""
    notice = f"{count} {'source is' if count == 1 else 'sources are'} damaged{so}: run xysq doctor"
    if count and notice not in opened.notices:
        opened.notices.append(notice)


def _with_notice(opened: Opened, model: ReadModel) -> ReadModel:
    with model.reading() as snapshot:
        tell_damaged(opened, len(snapshot.logs.damaged()), " and not wholly searchable")
    return model


def index_of(opened: Opened, snapshot: Snapshot, as_of: str | None = None) -> Index:
    """Return the index of a snapshot, or what it was at a rev."""
    if as_of is None:
        return snapshot.index
    past: Index = import_module("xysq.jobs.past").past_index(opened, snapshot, as_of)
    return past


def _held(opened: Opened, timeout_s: float) -> AbstractContextManager[Held]:
    held: AbstractContextManager[Held] = import_module("xysq.jobs.hold").hold(opened, timeout_s, tidies=False)
    return held


def _has_decided(opened: Opened) -> bool:
    """Tell whether a crash left a decided run to finish."""
    return any(wal.is_decided(opened.files, run) for run in wal.list_runs(opened.files))


def _is_current(opened: Opened, model: ReadModel) -> bool:
    with model.reading() as snapshot, suppress(BrokenRef):
        return snapshot.stamp().commit == opened.tip()
    return False
