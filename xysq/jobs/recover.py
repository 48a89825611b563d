"""Recover: finish what was decided before a crash, and clear what dead processes left (P3).

It runs whenever the vault's lock is taken, by whichever command, and calls no model. At most one run is decided at a
time; if several are, they are finished in the order of their bases. A record that cannot be believed is kept aside,
whole, and told; it is never guessed at.

Every command that reads imports this and hardly one finds a decided run. So what finishes one, which brings in all
gates, is imported when there is one.
"""

from collections.abc import Callable
from importlib import import_module

from xysq.errors import Damaged
from xysq.jobs.opened import Opened
from xysq.model.event import RunKind
from xysq.model.fact import RunId
from xysq.model.run import Decision
from xysq.store import layout, wal
from xysq.store.git_ref import BrokenRef
from xysq.store.lock import VaultLock
from xysq.store.wal import StagedFiles


def decided_runs(opened: Opened) -> tuple[tuple[RunId, Decision], ...]:
    """Return the decided runs, oldest base first; set damaged ones aside and tell of them."""
    found: list[tuple[int, RunId, Decision]] = []
    for run in wal.list_runs(opened.files):
        try:
            decision = wal.read_decision(opened.files, run)
            if decision is not None:
                found.append((wal.load(opened.files, run).run.base.n, run, decision))
        except Damaged as damage:
            if wal.is_decided(opened.files, run):
                _set_aside(opened, run, damage)
    return tuple((run, decision) for _, run, decision in sorted(found))


def recover(opened: Opened, lock: VaultLock) -> tuple[RunId, ...]:
    """Finish every decided run; return which. The read model is brought up by who comes next."""
    finished = []
    for run, decision in decided_runs(opened):
        try:
            _finish()(opened, lock, wal.load(opened.files, run), decision)
        except Damaged as damage:
            if damage.path != layout.wal_dir(run):
                raise
            _set_aside(opened, run, damage)
            continue
        wal.retire(opened.files, run)
        opened.notices.append(f"finished {run}, which a crash had interrupted")
        finished.append(run)
    _drop_undecided(opened)
    _mend_branch(opened)
    return tuple(finished)


def _finish() -> Callable[[Opened, VaultLock, StagedFiles, Decision], None]:
    finish: Callable[[Opened, VaultLock, StagedFiles, Decision], None] = import_module("xysq.jobs.finish").finish
    return finish


def _drop_undecided(opened: Opened) -> None:
    """Drop what a crash left of a person's deed before its moment: nobody was told that it was done."""
    for staged in tuple(wal.load_readable(opened.files)):
        if staged.record.kind is not RunKind.DISTILL and not wal.is_decided(opened.files, staged.run):
            wal.discard(opened.files, staged.run)
            opened.notices.append(f"{staged.run} was cut short before it was decided; nothing of it is in the vault")


def _set_aside(opened: Opened, run: RunId, damage: Damaged) -> None:
    kept = wal.set_aside(opened.files, run)
    opened.notices.append(f"{run} was decided, but its record is damaged ({damage}); it is kept in {kept}")


def _mend_branch(opened: Opened) -> None:
    """Put a branch whose file a power cut broke back to where git's own record of it says that it was."""
    try:
        opened.tip()
    except BrokenRef as broken:
        known = opened.repository.last_known_tip()
        if known is None:
            raise
        opened.repository.restore_ref(known)
        opened.notices.append(f"{broken.sentence}; it is at {known[:12]} again, as git's reflog has it")
