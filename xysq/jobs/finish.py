"""Finish: a decided run that a crash interrupted becomes part of the vault, or is told to be none that may (P3)."""

from xysq.jobs.index_debt import update_index
from xysq.jobs.lawful import is_history, prove_lawful
from xysq.jobs.opened import Opened
from xysq.jobs.replay import replay
from xysq.model.run import Decision
from xysq.store.lock import VaultLock
from xysq.store.wal import StagedFiles


def finish(opened: Opened, lock: VaultLock, staged: StagedFiles, decision: Decision) -> None:
    """Do what a decided run says, once it is proven lawful; raise `Damaged` where it is not."""
    if is_history(opened, staged, decision):
        update_index(opened, lock, opened.repository.blob_ids_of(opened.tip(), sorted(staged.after)))
    else:
        prove_lawful(opened, staged, decision)
        replay(opened, lock, staged, decision)
