"""Hold: take the vault's lock, and bring everything into the state a writing job may begin from.

In this order: HEAD must be on main; leftovers of dead processes are cleared; decided runs are finished; the read
model is brought to the tip; what has landed is settled (committed and indexed). After that a job sees exactly the
last committed state, and so does every reader.
"""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import ClassVar

from xysq.errors import Busy, XysqError
from xysq.jobs.conflict import Conflict
from xysq.jobs.follow import followed_model, present_model
from xysq.jobs.held import Held
from xysq.jobs.index_debt import pay_index
from xysq.jobs.opened import Opened
from xysq.jobs.recover import recover
from xysq.jobs.settle import settle
from xysq.store import queue, wal
from xysq.store.git_ref import BrokenRef
from xysq.store.lock import VaultLock
from xysq.store.readmodel import ReadModel, Unusable

_READER_WAITS_S = 1.0


class OtherBranch(XysqError):
    """HEAD of the vault is not on main; nothing is written then."""

    code: ClassVar[str] = "other-branch"
    exit_status: ClassVar[int] = 1

    def __init__(self, root: str) -> None:
        """Say what to type."""
        super().__init__("the vault's HEAD is not on main", f"git -C {root} switch main")


@contextmanager
def hold(opened: Opened, timeout_s: float | None = None, *, settles: bool = True) -> Iterator[Held]:
    """Hold the vault for writing for the time of a block; `Busy` where somebody else holds it too long."""
    with VaultLock(opened.files, opened.timeout_s if timeout_s is None else timeout_s) as lock:
        if not opened.repository.head_is_main():
            raise OtherBranch(str(opened.root))
        wal.sweep_temps(opened.files)
        recover(opened, lock)
        pay_index(opened, lock)
        held = Held(opened=opened, lock=lock, model=followed_model(opened))
        try:
            if settles:
                settle(held)
            yield held
        finally:
            held.model.close()


def readable(opened: Opened) -> ReadModel:
    """Return the read model for a query: the last committed state (P9).

    What has only landed, a run that a crash interrupted, or a read model that is behind is seen to first if the lock is
    free; where it is not, the state there is is served, and `opened.notices` says so.
    """
    found = present_model(opened)
    landed = queue.landed(opened.files)
    if isinstance(found, ReadModel) and not landed and not _has_decided(opened) and _is_current(opened, found):
        return found
    usable = isinstance(found, ReadModel)
    try:
        with hold(opened, _READER_WAITS_S if usable else opened.timeout_s):
            pass
    except (OtherBranch, Conflict) as error:
        if not usable:
            raise
        opened.notices.append(f"{error.sentence}: this is the state of its last run")
    except Busy:
        if not usable:
            raise
        left = len(queue.landed(opened.files))
        opened.notices.append(
            f"{left} {'push' if left == 1 else 'pushes'} not searchable yet" if left else "the index is behind"
        )
    again = present_model(opened)
    if isinstance(again, Unusable):
        raise XysqError(f"the search index cannot be used: {again.reason}", "run: xysq reindex")
    return again


def _has_decided(opened: Opened) -> bool:
    """Tell whether a crash left a decided run to finish."""
    return any(wal.is_decided(opened.files, run) for run in wal.list_runs(opened.files))


def _is_current(opened: Opened, model: ReadModel) -> bool:
    with model.reading() as snapshot, suppress(BrokenRef):
        return snapshot.stamp().commit == opened.tip()
    return False
