"""Mending the memory's own files from the history, and pages from the ledger.

A log, a segment, a record is put back from the last commit where the file on the disk is missing, damaged or another
one, and the committed one is proven: a segment by the chain of all of them, a log by the digest in its meta, a record
by the event that names it. A ledger that goes on behind the last commit is no damage that a copy could mend, and is
left as it is.

A page's file that is gone or broken is what the ledger folds to; one that a person edited is left alone. A committed
page that is not what the ledger folds to is committed anew.
"""

from collections.abc import Iterator

from xysq.canonical import parse_json, sha256_hex
from xysq.errors import BadJson, BadWire, Damaged, XysqError
from xysq.jobs.mend.bench import Bench
from xysq.jobs.past import events_at
from xysq.jobs.proof import files as proof_files
from xysq.jobs.proof import memory as proof_memory
from xysq.jobs.proof.view import View
from xysq.model.event import Event
from xysq.model.source import Meta
from xysq.pages.render import render
from xysq.store import layout, logs, queue
from xysq.store.git_object import commit_message
from xysq.store.logs import meta_bytes
from xysq.store.path import folder_of

_BROKEN = frozenset({"page-file", "unsafe-path"})


def ledger(bench: Bench) -> None:
    """Put back segments from the last commit, where the chain of its ledger is whole, and clear what it has not."""
    view = bench.view()
    lost = [path for path in _lost(view) if layout.segment_number(path)]
    strange = [damage.path for damage in view.ledger_faults if damage.path not in (view.committed or {})]
    if not (lost or strange) or view.has_diverged or _last_committed(view) is None or _is_ahead(view):
        return
    for path in strange:
        if bench.files.exists(path):
            bench.take_away(path, "was no segment; the committed ledger is whole without it")
    for path in lost:
        _put_back(bench, view, path)


def records_and_logs(bench: Bench) -> None:
    """Put back records and logs from the last commit, where their digests are those that are known of them."""
    view = bench.view()
    digests = {layout.record_path(begun.run): begun.record for begun in view.runs}
    for path in _lost(view):
        if not layout.segment_number(path):
            data = _committed(view, path)
            if data is not None and (sha256_hex(data) == digests.get(path) or _is_log(view, path, data)):
                _put_back(bench, view, path)


def landed(bench: Bench) -> None:
    """Let logs that are whole and in no commit be committed again, as any push that has only landed."""
    view = bench.view()
    if view.committed is None or view.has_diverged:
        return
    for source in logs.all_sources(bench.files):
        if logs.faults(bench.files, source) or layout.log_dir(source) in view.landed_folders:
            continue
        for version in (meta.id for meta in logs.versions(bench.files, source)):
            if layout.meta_path(version) not in view.committed:
                if not bench.is_dry:
                    queue.mark(bench.files, version)
                bench.tell(layout.meta_path(version), "is committed again")


def _put_back(bench: Bench, view: View, path: str) -> None:
    data = _committed(view, path)
    if data is not None:
        bench.put(path, data, "is put back from the history")


def _lost(view: View) -> Iterator[str]:
    """Yield the paths of logs, segments and records that are not, on the disk, what the last commit has."""
    return (found.file for found in proof_files.kept(view) if found.file in (view.committed or {}))


def _committed(view: View, path: str) -> bytes | None:
    """Return the bytes that the last commit has at a path; None where git cannot prove them."""
    try:
        with view.repository.reader() as reader:
            return reader.payload((view.committed or {})[path].blob, "blob")
    except Damaged:
        return None


def _last_committed(view: View) -> Event | None:
    """Return the last event of the committed ledger; None where its chain is not whole."""
    if view.tip is None:
        return None
    try:
        return max(events_at(view.opened, view.tip), key=lambda event: event.n, default=None)
    except XysqError:
        return None


def _is_ahead(view: View) -> bool:
    """Tell whether the ledger on the disk is whole and goes on behind the committed one."""
    return view.fork is not None and view.fork.there is None


def _is_log(view: View, path: str, data: bytes) -> bool:
    """Tell whether bytes are those of a log, of a text view or of a meta, by what the committed metas say."""
    number = layout.meta_number(path.rpartition("/")[2])
    metas = [data] if number else [_committed(view, meta) for meta in _metas_beside(view, path)]
    return any(_vouches(meta, path, data) for meta in metas if meta is not None)


def _metas_beside(view: View, path: str) -> Iterator[str]:
    folder = folder_of(path)
    for other in view.committed or ():
        if folder_of(other) == folder and layout.meta_number(other.rpartition("/")[2]):
            yield other


def _vouches(wire: bytes, path: str, data: bytes) -> bool:
    try:
        meta = Meta.from_wire("meta", parse_json(wire))
    except (BadJson, BadWire):
        return False
    if path == layout.meta_path(meta.id):
        return meta_bytes(meta) == data
    parts = {layout.part_path(meta.id, meta.kind, meta.extension): meta.part.sha256}
    if meta.text is not None:
        parts[layout.view_path(meta.id, meta.kind)] = meta.text.digest.sha256
    return parts.get(path) == sha256_hex(data)


def pages(bench: Bench) -> None:
    """Put back page files that are gone or broken, and commit anew what is committed otherwise than it folds."""
    view = bench.view()
    if view.fold is None or view.unlawful is not None or view.ledger_faults:
        return
    found = tuple(proof_memory.pages(view))
    for one in found:
        slug = layout.slug_of(one.file)
        page = None if slug is None else view.fold.page(slug)
        is_gone = one.code == "unsaved" and not view.files.exists(one.file)
        if page is not None and (one.code in _BROKEN or is_gone):
            bench.put(one.file, render(page), "is written again from the ledger")
    wrong = [one.file for one in found if one.code == "page"]
    if wrong and view.tip is not None:
        _commit(bench, view, view.tip, wrong)


def _commit(bench: Bench, view: View, tip: str, paths: list[str]) -> None:
    """Commit pages as the ledger folds to them; files stay as they are, an edit in one is then an unsaved edit."""
    changes: dict[str, bytes | None] = {}
    for path in paths:
        slug = layout.slug_of(path)
        page = None if slug is None or view.fold is None else view.fold.page(slug)
        changes[path] = (render(page) or None) if page is not None else None
    if not bench.is_dry:
        repository = bench.repository
        message = commit_message(f"repair: {len(paths)} pages as the ledger has them", kind="repair")
        prepared = repository.prepare(tip, changes, message, bench.opened.now())
        repository.write_objects(prepared)
        repository.move_ref(prepared.commit, tip, "xysq: repair", bench.lock_fd)
        repository.update_index(prepared.blobs, bench.lock_fd)
    for path, data in changes.items():
        how = "is committed as the ledger folds to it" if data is not None else "is no page, and out of the commit"
        bench.tell(path, how)
        if data is not None and not view.files.exists(path):
            bench.put(path, data, "is written again from the ledger")
