"""Mending what is the owner's, what is private to this machine, and what is derived.

Settings that cannot be read are put back as the last commit has them, or as a new vault would; the text that was there
is kept, for it may be one misspelled word. A staged run or a note of the queue that cannot be read is moved away: its
rows are pending again, which costs a try and nothing else.
"""

from collections.abc import Callable, Mapping

from xysq.errors import XysqError
from xysq.jobs.follow import rebuild
from xysq.jobs.mend.bench import Bench
from xysq.jobs.proof import derived
from xysq.jobs.proof import files as proof_files
from xysq.jobs.proof.view import View
from xysq.jobs.recover import decided_runs, recover
from xysq.model.settings import Me
from xysq.store import layout, queue, wal
from xysq.store.git import ATTRIBUTES, ATTRIBUTES_PATH
from xysq.store.schema_file import schema_text
from xysq.store.settings import settings_text

_WAL_DEPTH = len(layout.WAL.split("/")) + 1
_AS_NEW: Mapping[str, Callable[[], bytes]] = {
    ATTRIBUTES_PATH: lambda: ATTRIBUTES,
    layout.SCHEMA: lambda: schema_text().encode("utf-8"),
    layout.SETTINGS: lambda: settings_text(Me()).encode("utf-8"),
}


def settings(bench: Bench) -> None:
    """Let settings, schema and attributes be readable."""
    view = bench.view()
    for path in sorted({found.file for found in proof_files.owned(view) if not found.note}):
        committed = _committed(view, path)
        if path == ATTRIBUTES_PATH and bench.files.exists(path):
            data = _with_lines(view, path)
            bench.put(path, data, "has the lines of a vault again")
        elif committed is not None:
            bench.put(path, committed, "is as it was committed")
        else:
            bench.put(path, _AS_NEW[path](), "is as in a new vault")


def _committed(view: View, path: str) -> bytes | None:
    """Return what the last commit has at a path, where that is sound."""
    if view.committed is None or path not in view.committed:
        return None
    try:
        with view.repository.reader() as reader:
            data = reader.payload(view.committed[path].blob, "blob")
    except XysqError:
        return None
    return data if proof_files.owned_fault(path, data) is None else None


def _with_lines(view: View, path: str) -> bytes:
    """Return the attributes with the lines they lack at the end, where they count; none of the owner's goes."""
    data, _ = view.read(path)
    lines = (data or b"").splitlines(keepends=True)
    missing = [line for line in ATTRIBUTES.splitlines(keepends=True) if line not in lines]
    before = b"".join(lines)
    return before + (b"" if not before or before.endswith(b"\n") else b"\n") + b"".join(missing)


def write_ahead(bench: Bench) -> None:
    """Move away what lies in the write-ahead log and is no run that can be read."""
    decided = {layout.wal_dir(run) for run in wal.list_runs(bench.files) if wal.is_decided(bench.files, run)}
    folders = {"/".join(damage.path.split("/")[:_WAL_DEPTH]) for damage in wal.faults(bench.files)}
    for folder in sorted(folders - decided):
        if folder.startswith(f"{layout.WAL}/") and bench.files.exists(folder):
            is_run = layout.is_run_id(folder.rpartition("/")[2])
            bench.take_away(folder, "could not be read; its rows are pending again" if is_run else "was no run")


def queued(bench: Bench) -> None:
    """Move away notes of the queue that cannot be read."""
    for damage in queue.faults(bench.files):
        bench.take_away(damage.path, "was no note of the queue; at worst a row is tried once more")


def modes(bench: Bench) -> None:
    """Take from everybody else the right to write."""
    for path in bench.files.writable_by_all():
        if not bench.is_dry:
            bench.files.close_to_others(path)
        bench.tell(path or ".", "nobody else may write to it any more")


def read_model(bench: Bench) -> None:
    """Make the read model anew where it is not as the ledger and the logs have it."""
    view = bench.view()
    if next(derived.read_model(view), None) is not None:
        if not bench.is_dry:
            rebuild(bench.opened).close()
        bench.tell(str(bench.opened.cache), "the search index is made anew")


def decided(bench: Bench) -> None:
    """Finish runs that were decided before a crash; the write-ahead log has every byte of them."""
    for run, _ in decided_runs(bench.opened) if bench.lock is None else ():
        bench.tell(layout.wal_dir(run), "is finished")
    if bench.lock is not None:
        for run in recover(bench.opened, bench.lock):
            bench.tell(layout.wal_dir(run), "is finished")
