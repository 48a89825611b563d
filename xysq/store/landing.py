"""Landing: how pushed bytes become a version that stays (P1, P2).

The order is the promise. Data files first; then the entries by which the source is found again; then the marker that
the version is not indexed yet; the meta last. Each step is durable before the next begins, so

- cut before the meta: the push was never acknowledged, and readers see nothing of it. What it left is replaced by the
  next landing of that number, for no meta speaks of it;
- cut after the meta: the version has landed, can be found, and is marked for whoever indexes it.

Landings of one source take turns under a lock of their own, and a version's meta is created exclusively: of two that
chose the same number the second gets `AlreadyThere` and has to look again. So does one whose number a decided run
brings that a crash interrupted: whoever meets it finishes that run first.
"""

from xysq.canonical import sha256_hex
from xysq.model.source import Digested, Meta, SourceId
from xysq.store import layout, logs, queue, sources, wal
from xysq.store.disk_error import AlreadyThere
from xysq.store.files import Files
from xysq.store.lock import SourceLock


def land(files: Files, meta: Meta, part: bytes, view: bytes | None = None, timeout_s: float = 30.0) -> None:
    """Keep a version: the bytes it brought, their text view if it has one, what is known of it.

    Raises `AlreadyThere` where the version landed before, `Busy` where another landing of the source takes longer
    than `timeout_s`. When this returns, everything is on the disk.
    """
    _check(meta.part, part, "part")
    if (meta.text is None) != (view is None):
        raise ValueError("a text view and its digest come together")
    if meta.text is not None and view is not None:
        _check(meta.text.digest, view, "text view")
    with landing_lock(files, meta.source, timeout_s):
        _land(files, meta, part, view)


def landing_lock(files: Files, source: SourceId, timeout_s: float) -> SourceLock:
    """Return the lock that a landing of this source holds from its first file to its meta."""
    return SourceLock(files, f"landing\0{source}", timeout_s)


def _land(files: Files, meta: Meta, part: bytes, view: bytes | None) -> None:
    directory = layout.log_dir(meta.source)
    path = layout.meta_path(meta.id)
    if files.exists(path) or wal.is_awaited(files, path):
        raise AlreadyThere(path)
    files.make_dirs(directory)
    files.sweep(directory)
    data = {layout.part_path(meta.id, meta.kind, meta.extension): part}
    if view is not None:
        data[layout.view_path(meta.id, meta.kind)] = view
    for name in files.list_dir(directory):
        if name.startswith(f"v{meta.version}.") and f"{directory}/{name}" not in data:
            files.remove(f"{directory}/{name}")
    for data_path, content in data.items():
        _put(files, data_path, content)
    sources.remember(files, meta)
    queue.mark(files, meta.id)
    files.write_new(path, logs.meta_bytes(meta))


def _put(files: Files, path: str, content: bytes) -> None:
    """Write a data file; what a push left there that was never acknowledged is written anew, whatever it is."""
    if files.exists(path):
        files.replace(path, content)
    else:
        files.write_new(path, content)


def _check(digest: Digested, data: bytes, what: str) -> None:
    if digest.size != len(data) or digest.sha256 != sha256_hex(data):
        raise ValueError(f"the digest of the {what} is not that of its bytes")
