"""Fsck: proving the promises on what lies on the disk, from nothing but the vault's own files.

It repairs nothing, changes nothing, and stops at nothing it can get past. What is proven stands in `SECTIONS`: each is
a function from one view of the vault to findings, and says which files its findings rest on. A writer may be at work
meanwhile: where something is found, and the vault moved on while it was looked at or is between two states, it is
looked at again; in the end, and only then, under the lock. So what is told is of one moment.

Only where a run was decided before a crash is recovery asked to finish it first, as every reader does.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from enum import StrEnum

from xysq.errors import Busy, XysqError
from xysq.frozen import frozen
from xysq.jobs.opened import Opened
from xysq.jobs.proof import derived, files, history, memory, private
from xysq.jobs.proof.view import View
from xysq.jobs.readable import readable
from xysq.model.report import Finding
from xysq.store import layout, queue, wal
from xysq.store.disk_error import NotWritten
from xysq.store.git_object_file import OBJECTS
from xysq.store.lock import VaultLock

_TRIES = 3
_ECHOES = frozenset({"changed", "missing", "uncommitted", "stray", "staged"})


class Depth(StrEnum):
    """How much is proven: ledger, records and pages; or every byte of logs, quotes and git besides."""

    FAST = "fast"
    FULL = "full"


@frozen
class Section:
    """One thing that is proven: how, what the paths of the files it rests on begin with, at which depths."""

    prove: Callable[[View], Iterator[Finding]]
    sees: tuple[str, ...]
    is_fast: bool = False
    is_full: bool = True


_REFS = (".git/HEAD", ".git/refs", ".git/packed-refs")
_OWN = (layout.SETTINGS, layout.SCHEMA, ".gitattributes")
SECTIONS: tuple[Section, ...] = (
    Section(prove=private.write_ahead, sees=(layout.WAL, layout.DAMAGED), is_fast=True),
    Section(prove=private.queued, sees=(layout.LANDED, layout.ATTEMPTS), is_fast=True),
    Section(prove=history.branch, sees=(*_REFS, OBJECTS, ".git/config"), is_fast=True),
    Section(prove=history.tree, sees=(), is_fast=True, is_full=False),
    Section(prove=memory.ledger, sees=(layout.LEDGER,), is_fast=True),
    Section(prove=memory.records, sees=(layout.RUNS, layout.LEDGER), is_fast=True),
    Section(prove=memory.pages, sees=(layout.PAGES, layout.LEDGER, layout.BASES), is_fast=True),
    Section(prove=memory.single_values, sees=(layout.LEDGER,), is_fast=True),
    Section(prove=files.owned, sees=_OWN, is_fast=True),
    Section(prove=memory.log_bytes, sees=(layout.LOGS,)),
    Section(prove=memory.quotes, sees=(layout.LOGS, layout.LEDGER)),
    Section(prove=files.kept, sees=files.KEPT),
    Section(prove=files.strangers, sees=files.TREES),
    Section(prove=files.committed_modes, sees=_REFS),
    Section(prove=files.twins, sees=_REFS),
    Section(prove=files.open_to_others, sees=()),
    Section(prove=history.objects, sees=(OBJECTS, ".git/shallow")),
    Section(prove=history.seals, sees=(f"{OBJECTS}/pack", f"{OBJECTS}/info", ".git/index", ".git/sharedindex")),
    Section(prove=history.pins, sees=(".git/config", ".git/info")),
    Section(prove=history.index, sees=(".git/index", ".git/sharedindex")),
    Section(prove=derived.read_model, sees=()),
    Section(prove=private.unfinished, sees=(layout.WAL,), is_fast=True),
)


def fsck(opened: Opened, depth: Depth = Depth.FULL) -> tuple[Finding, ...]:
    """Return everything that is not as promised, and notes on what is only worth knowing."""
    if opened.vault_id and _waits(opened):
        with suppress(XysqError):
            readable(opened).close()
    found, is_settled = _looked_at(opened, depth)
    if is_settled:
        return found
    with suppress(Busy, NotWritten), VaultLock(opened.files, opened.timeout_s):
        return tuple(_proven(View(opened), depth))
    return found


def looked_at(opened: Opened, depth: Depth) -> tuple[Finding, ...]:
    """Return the same without any recovery and any lock: nothing at all is changed, and nobody is waited for."""
    return _looked_at(opened, depth)[0]


def _looked_at(opened: Opened, depth: Depth) -> tuple[tuple[Finding, ...], bool]:
    """Return what is found, and whether it is of one moment in which no run was half done."""
    found: tuple[Finding, ...] = ()
    for _ in range(_TRIES):
        before = _moment(opened)
        found = tuple(_proven(View(opened), depth))
        if not found or before == _moment(opened):
            return found, not (found and _waits(opened))
    return found, False


def _waits(opened: Opened) -> bool:
    """Tell whether a run was decided that recovery can read."""
    try:
        return any(wal.read_decision(opened.files, run) is not None for run in wal.list_runs(opened.files))
    except XysqError:
        return False


def _moment(opened: Opened) -> tuple[object, ...]:
    """Return what changes whenever a writer does something."""
    try:
        runs = [(run, wal.is_decided(opened.files, run)) for run in wal.list_runs(opened.files)]
        return opened.tip(), runs, queue.landed(opened.files)
    except XysqError as error:
        return (str(error),)


def _proven(view: View, depth: Depth) -> Iterator[Finding]:
    """Yield what is found; of a file that is told to be damaged, not also that it differs from the history."""
    told: set[str] = set()
    said: set[Finding] = set()
    for section in SECTIONS:
        if section.is_full if depth is Depth.FULL else section.is_fast:
            for found in section.prove(view):
                if found not in said and not (found.file in told and found.code in _ECHOES):
                    said.add(found)
                    yield found
                told.add(found.file)
