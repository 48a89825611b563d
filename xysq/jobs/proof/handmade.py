"""A commit that a person is about to make: whether it would break a promise. What git's pre-commit hook asks.

Judged is what stands in git's index, and of it only what differs from main. Logs, ledger and records are not changed
by hand. A page that is committed is what the ledger folds to (P4): an edit of one stays in the file until the engine
takes it into the ledger, and is a note as long as it is not staged. Settings and schema must be readable, the
attributes as they are. Everything else in the directory is the owner's.
"""

from collections.abc import Iterator
from pathlib import Path

from xysq.errors import XysqError
from xysq.jobs.opened import Opened
from xysq.jobs.present import first_difference
from xysq.jobs.proof.files import KEPT, TREES, owned_fault
from xysq.jobs.proof.view import View, fault, note
from xysq.model.report import Finding
from xysq.pages.render import render
from xysq.store import layout
from xysq.store.git import ATTRIBUTES_PATH
from xysq.store.git_diff import ChangedFile, staged_files
from xysq.store.git_object import git_object
from xysq.store.git_reader import ObjectReader
from xysq.store.git_ref import REF
from xysq.store.git_seal import INDEX

_FILE_MODE = "100644"
_OWNED = (layout.SETTINGS, layout.SCHEMA, ATTRIBUTES_PATH)


def handmade(opened: Opened, index: Path | None = None) -> tuple[Finding, ...]:
    """Return what is wrong with the commit that git's index holds; `index` is the file where that is another one."""
    view = View(opened)
    if view.tip is None:
        return (fault(f".git/{REF}", "ref", "is at no commit that can be read; run xysq repair"),)
    try:
        staged = staged_files(opened.repository, view.tip, index)
    except XysqError as error:
        return (fault(INDEX, "index", f"git cannot read it: {error.sentence}"),)
    with opened.repository.reader() as reader:
        judged = [found for changed in staged for found in _judged(view, reader, changed)]
    return (*judged, *_unstaged(view, {changed.path for changed in staged}))


def _judged(view: View, reader: ObjectReader, changed: ChangedFile) -> Iterator[Finding]:
    path = changed.path
    first = path.partition("/")[0]
    if first.casefold() in TREES and first not in TREES:
        yield fault(path, "twin", f"is the same name as {first.casefold()}/ where case does not count")
    elif first in KEPT:
        what = "removed" if changed.new is None else "changed" if changed.old else "added"
        sentence = f"would be {what} by hand, and only runs may; type: git restore --staged {path}"
        yield fault(path, "kept", sentence, _line(reader, changed.old, changed.new))
    elif first == layout.PAGES:
        yield from _page(view, reader, changed)
    elif path in _OWNED:
        yield from _owned(reader, changed)


def _page(view: View, reader: ObjectReader, changed: ChangedFile) -> Iterator[Finding]:
    expected = _expected(view, changed.path)
    wanted = None if expected is None else git_object("blob", expected).id
    if changed.new != wanted:
        line = "1" if expected is None else _line(reader, changed.old, changed.new)
        how = "is no page of the ledger's" if expected is None else "is not as the ledger folds to it"
        yield fault(changed.path, "page", f"{how}; type: git restore --staged {changed.path}", line)
    elif changed.new is not None and changed.mode != _FILE_MODE:
        yield fault(changed.path, "mode", f"has mode {changed.mode}, and must be a plain file ({_FILE_MODE})")


def _expected(view: View, path: str) -> bytes | None:
    """Return the bytes that a page must have; None where there is none to be at that path."""
    slug = layout.slug_of(path)
    page = None if slug is None or view.fold is None else view.fold.page(slug)
    return (render(page) or None) if page is not None else None


def _owned(reader: ObjectReader, changed: ChangedFile) -> Iterator[Finding]:
    if changed.new is None:
        yield fault(changed.path, "missing", "would be removed, and a vault needs it")
    elif changed.mode != _FILE_MODE:
        yield fault(changed.path, "mode", f"has mode {changed.mode}, and must be a plain file ({_FILE_MODE})")
    else:
        found = owned_fault(changed.path, reader.payload(changed.new, "blob"))
        if found is not None:
            yield found


def _line(reader: ObjectReader, old: str | None, new: str | None) -> str:
    """Return the number of the first line that differs."""
    if old is None or new is None:
        return "1"
    return str(first_difference(reader.payload(old, "blob"), reader.payload(new, "blob")))


def _unstaged(view: View, staged: set[str]) -> Iterator[Finding]:
    """Yield pages with edits that are not part of this commit."""
    for path, file in (view.committed or {}).items():
        if path.startswith(f"{layout.PAGES}/") and path not in staged:
            data, damage = view.read(path)
            if damage is None and data is not None and git_object("blob", data).id != file.blob:
                yield note(path, "unsaved", "has edits of yours that are not adopted", "1")
