"""Hold: take the vault's lock, and bring everything into the state a writing job may begin from.

In this order: HEAD must be on main; leftovers of dead processes are cleared; decided runs are finished; the read
model is brought to the tip; what has landed is settled (committed and indexed). After that a job sees exactly the
last committed state, and so does every reader.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from xysq.jobs.conflict import OtherBranch
from xysq.jobs.damaged import look_again
from xysq.jobs.follow import followed_model
from xysq.jobs.held import Held
from xysq.jobs.housekeep import housekeep
from xysq.jobs.index_debt import pay_index
from xysq.jobs.opened import Opened
from xysq.jobs.recover import recover
from xysq.jobs.settle import settle
from xysq.store import wal
from xysq.store.lock import VaultLock


@contextmanager
def hold(
    opened: Opened, timeout_s: float | None = None, *, settles: bool = True, tidies: bool = True
) -> Iterator[Held]:
    """Hold the vault for writing for the time of a block; `Busy` where somebody else holds it too long.

    `tidies`: once the block is done, git's objects are packed if there are many.
    """
    with VaultLock(opened.files, opened.timeout_s if timeout_s is None else timeout_s) as lock:
        if not opened.repository.head_is_main():
            raise OtherBranch(str(opened.root))
        wal.sweep_temps(opened.files)
        recover(opened, lock)
        pay_index(opened, lock)
        held = Held(opened=opened, lock=lock, model=followed_model(opened))
        try:
            look_again(held)
            if settles:
                settle(held)
            yield held
            if tidies:
                housekeep(opened, lock)
        finally:
            held.model.close()
