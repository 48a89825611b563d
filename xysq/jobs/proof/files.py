"""The files of the vault against the last commit: what is missing, altered, added, or open to everybody.

Logs, ledger and records on the disk are the commit's, apart from what only landed yet; nothing else lies among them.
Settings, schema and attributes are the owner's to edit, so another text than the committed one is a note, and one
that cannot be read a fault.
"""

from collections.abc import Callable, Iterator, Mapping

from xysq.errors import Damaged, XysqError
from xysq.jobs.present import first_difference
from xysq.jobs.proof.view import View, fault, note, told
from xysq.model.report import Finding
from xysq.store import layout
from xysq.store.git import ATTRIBUTES, ATTRIBUTES_PATH, TreeFile
from xysq.store.git_object import git_object
from xysq.store.path import folder_of
from xysq.store.schema_file import parse_schema
from xysq.store.settings import parse_settings

KEPT = (layout.LOGS, layout.LEDGER, layout.RUNS)
TREES = (*KEPT, layout.PAGES)
_FILE_MODE = "100644"
_READERS: Mapping[str, Callable[[bytes], object]] = {layout.SETTINGS: parse_settings, layout.SCHEMA: parse_schema}


def kept(view: View) -> Iterator[Finding]:
    """Compare logs, ledger and records on the disk with the tip, apart from what only landed yet."""
    if view.committed is None or view.is_between or view.has_diverged:
        return
    for path, file in view.committed.items():
        if path.startswith(tuple(f"{tree}/" for tree in KEPT)):
            data, damage = view.read(path)
            if damage is not None:
                yield damage
            elif data is None:
                yield fault(path, "missing", "is in the history and not on the disk")
            elif git_object("blob", data).id != file.blob:
                yield fault(path, "changed", "is not as it was committed", _first_difference(view, file.blob, data))


def _first_difference(view: View, blob: str, data: bytes) -> str:
    """Return the first line that is not the committed one; of a log, which need have no lines, the first byte."""
    try:
        with view.repository.reader() as reader:
            committed = reader.payload(blob, "blob")
    except Damaged:
        return "0"
    if committed.endswith(b"}\n"):
        return str(first_difference(committed, data))
    pairs = zip(committed, data, strict=False)
    return str(next((place for place, (mine, yours) in enumerate(pairs) if mine != yours), len(data)))


def strangers(view: View) -> Iterator[Finding]:
    """Find what lies among the vault's files and belongs to no run, no page and no push."""
    if view.committed is None or view.is_between or view.has_diverged:
        return
    for tree in TREES:
        for path in _names(view, tree):
            if path not in view.committed and folder_of(path) not in view.landed_folders:
                yield _stranger(view, path)


def _names(view: View, tree: str) -> tuple[str, ...]:
    """Return the paths of everything below a directory that is no directory itself."""
    try:
        return tuple(f"{tree}/{name}" for name in view.files.walk(tree))
    except Damaged:  # a link or a special file lies there: name by name, then
        return tuple(_one_by_one(view, tree)) if view.files.is_folder(tree) else (tree,)


def _one_by_one(view: View, folder: str) -> Iterator[str]:
    for name in view.files.list_dir(folder):
        path = f"{folder}/{name}"
        if view.files.is_folder(path):
            yield from _one_by_one(view, path)
        else:
            yield path


def _stranger(view: View, path: str) -> Finding:
    try:
        view.files.size(path)
    except Damaged as damage:
        return told(damage)
    if path.startswith(f"{layout.PAGES}/"):
        return note(path, "stray", "is a page that the ledger does not know")
    if layout.is_kept(path):
        return note(path, "uncommitted", "is not in the history")
    return note(path, "stray", "is no file of the vault's")


def committed_modes(view: View) -> Iterator[Finding]:
    """Find what is committed as a link, a program or another repository where only plain files belong."""
    for path, file in (view.committed or {}).items():
        if file.mode != _FILE_MODE and (path.startswith(tuple(f"{tree}/" for tree in TREES)) or path in _READERS):
            yield fault(path, "mode", f"is committed with mode {file.mode}, and must be a plain file ({_FILE_MODE})")


def twins(view: View) -> Iterator[Finding]:
    """Find committed names that some file system takes for another one's."""
    names = {path.casefold(): path for path in view.committed or () if path == path.casefold()}
    for path in view.committed or ():
        folded = path.casefold()
        if path != folded and (folded in names or (_is_kept(folded) and not _is_kept(path))):
            yield fault(path, "twin", f"is the same name as {folded} where case does not count")


def _is_kept(path: str) -> bool:
    return path.partition("/")[0] in TREES


def owned(view: View) -> Iterator[Finding]:
    """Read settings, schema and attributes, and tell where they are not those of the last commit."""
    for path in (layout.SETTINGS, layout.SCHEMA, ATTRIBUTES_PATH):
        data, damage = view.read(path)
        if damage is not None:
            yield damage
        elif data is None:
            yield fault(path, "missing", "is not there")
        else:
            yield from _owned(view, path, data)


def _owned(view: View, path: str, data: bytes) -> Iterator[Finding]:
    found = owned_fault(path, data)
    if found is not None:
        yield found
        return
    committed: TreeFile | None = (view.committed or {}).get(path)
    if committed is not None and committed.blob != git_object("blob", data).id:
        yield note(path, "edited", "is not as it was committed")


def owned_fault(path: str, data: bytes) -> Finding | None:
    """Return what is wrong with the text of settings, schema or attributes; None where nothing is."""
    if path == ATTRIBUTES_PATH:
        lines = data.split(b"\n")
        missing = [line.decode() for line in ATTRIBUTES.split(b"\n") if line not in lines]
        return fault(path, "attributes", f"lacks the line {missing[0]!r}", "1") if missing else None
    try:
        _READERS[path](data)
    except XysqError as error:
        place, _, sentence = error.sentence.removeprefix(f"{path}:").partition(": ")
        line = place if place.isdigit() else "1"
        return fault(path, "settings", sentence if place.isdigit() else error.sentence, line)
    return None


def open_to_others(view: View) -> Iterator[Finding]:
    """Find files and folders that anybody on this machine may write to."""
    try:
        for path in view.files.writable_by_all():
            yield fault(path or ".", "mode", "anybody on this machine may write to it")
    except Damaged as damage:
        yield told(damage)
