"""Repair: what is damaged is mended from a redundant copy, and from nothing else; the rest stays a finding.

Copies are: git's objects for logs, segments, records and settings; the write-ahead log for a run that was cut short;
the ledger for pages, and for the read model; the files on the disk for git's objects; main for git's index. What stood
in a file's place is kept under `.git/xysq/kept/`, whole, and said. The order is that of trust: git must be readable
before anything is taken from it, the ledger whole before pages are folded from it.

It may be cut short anywhere and done again. Under the vault's lock; dry, it changes nothing and needs none.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

from xysq.errors import Damaged, XysqError
from xysq.jobs.fsck import fsck
from xysq.jobs.hold import hold
from xysq.jobs.init import vault_id
from xysq.jobs.mend import git, memory, own
from xysq.jobs.mend.bench import Bench
from xysq.jobs.opened import Opened
from xysq.model.report import Repaired
from xysq.store.lock import VaultLock

MENDS: tuple[Callable[[Bench], None], ...] = (
    git.settings,
    git.packs,
    git.commits,
    git.objects,
    git.branch,
    own.decided,
    git.objects,  # what only the commit that the branch is at now leads to
    git.useless_objects,
    git.graphs,
    own.settings,
    memory.ledger,
    memory.records_and_logs,
    memory.landed,
    memory.pages,
    own.write_ahead,
    own.queued,
    git.index,
    own.modes,
    own.read_model,
)


def repair(opened: Opened, *, is_dry: bool = False) -> Repaired:
    """Mend what can be mended; return what was done, and what remains. A vault of a newer format is not touched."""
    with suppress(Damaged):
        vault_id(opened.files)
    if is_dry:
        bench = Bench(opened, None)
        _mend(bench)
        return Repaired(mended=tuple(bench.mended), left=fsck(opened))
    with VaultLock(opened.files, opened.timeout_s) as lock:
        bench = Bench(opened, lock)
        _mend(bench)
    named = _named(opened)
    if named.vault_id:
        with suppress(XysqError), hold(named):
            pass  # what every command does first: index what landed, bring the read model up
    return Repaired(mended=tuple(bench.mended), left=fsck(named))


def _mend(bench: Bench) -> None:
    """Do everything; what fails is told and keeps nothing else from being mended."""
    for mend in MENDS:
        try:
            mend(bench)
        except XysqError as error:
            bench.opened.notices.append(error.sentence)


def _named(opened: Opened) -> Opened:
    """Return the vault with its id, which may have been out of reach before."""
    if opened.vault_id:
        return opened
    try:
        return replace(opened, vault_id=vault_id(opened.files))
    except XysqError:
        return opened
