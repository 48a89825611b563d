"""git: HEAD, the branch, every object behind it, the files git keeps beside them, its index, what a vault pins.

git is a replica, but it is the one that damaged files are mended from, and the one a person's own commands act on.
"""

from collections.abc import Iterator

from xysq.errors import Damaged, XysqError
from xysq.jobs.proof.files import KEPT, TREES
from xysq.jobs.proof.view import View, fault, note, told
from xysq.model.report import Finding
from xysq.store import layout
from xysq.store.git import EXCLUDE
from xysq.store.git_diff import ChangedFile, staged_files
from xysq.store.git_object import git_object
from xysq.store.git_object_file import object_path
from xysq.store.git_reader import ObjectReader
from xysq.store.git_ref import REF, BrokenRef
from xysq.store.git_seal import INDEX, seal_fault, sealed_files

_BRANCH, _HEAD, _CONFIG = f".git/{REF}", ".git/HEAD", ".git/config"


def branch(view: View) -> Iterator[Finding]:
    """Prove that HEAD is on main, and main at a commit that is there."""
    if not view.repository.head_is_main():
        yield fault(_HEAD, "head", "is not on main, so nothing is written; type: git switch main")
    try:
        tip = view.opened.tip()
    except BrokenRef as broken:
        yield fault(_BRANCH, "ref", broken.sentence.removeprefix(f"{_BRANCH}: "))
        return
    if view.tip is None and view.files.exists(object_path(tip)):
        yield fault(object_path(tip), "object", "is broken, and main is at it")
    elif view.tip is None:
        yield fault(_BRANCH, "ref", f"is at {tip[:12]}, and there is no such commit")


def tree(view: View) -> Iterator[Finding]:
    """Read the directories of the tip; which object is broken is found where all of them are proven."""
    if view.tip is not None and view.committed is None and view.git_works:
        yield fault(_BRANCH, "ref", f"is at {view.tip[:12]}, and not all of that commit can be read")


def objects(view: View) -> Iterator[Finding]:
    """Prove every object that can be reached from main by its digest, and find loose files that are no object."""
    bad = {found.file for found in branch(view)}
    if view.tip is not None:
        with view.repository.reader() as reader:
            for damage in _reachable(reader, view.tip, view.repository.shallow()):
                bad.add(damage.path)
                yield fault(damage.path, "object", _sentence(damage), damage.where)
    for id_ in view.repository.broken_loose_objects():
        if object_path(id_) not in bad:
            yield note(object_path(id_), "object", "is no object, and none that the history needs")


def _reachable(reader: ObjectReader, tip: str, ends: frozenset[str]) -> Iterator[Damaged]:
    commits, seen = [tip], {tip}
    while commits:
        id_ = commits.pop()
        try:
            commit = reader.commit(id_)
        except Damaged as damage:
            yield damage
            continue
        yield from _tree(reader, commit.tree, seen)
        if id_ not in ends:
            new = [parent for parent in commit.parents if parent not in seen]
            seen.update(new)
            commits.extend(new)


def _tree(reader: ObjectReader, root: str, seen: set[str]) -> Iterator[Damaged]:
    """Prove a tree and everything in it that was not met before."""
    trees = [root]
    while trees:
        id_ = trees.pop()
        if id_ in seen:
            continue
        seen.add(id_)
        try:
            entries = reader.tree(id_)
        except Damaged as damage:
            yield damage
            continue
        for entry in entries.values():
            if entry.is_tree:
                trees.append(entry.id)
            elif entry.id not in seen and not entry.mode.startswith(b"16"):  # not what another repository has
                seen.add(entry.id)
                try:
                    reader.payload(entry.id, "blob")
                except Damaged as damage:
                    yield damage


def _sentence(damage: Damaged) -> str:
    return damage.sentence.removeprefix(f"{damage.path}:{damage.where}: ")


def seals(view: View) -> Iterator[Finding]:
    """Prove packs, their indexes, commit graphs and git's index by the digests they end in."""
    try:
        for path in sealed_files(view.files):
            damage = seal_fault(view.files, path)
            if damage is not None:
                code = "index" if path.startswith((INDEX, ".git/sharedindex")) else "git-file"
                yield fault(path, damage.code if damage.code != "damaged" else code, _sentence(damage))
    except Damaged as damage:
        yield told(damage)


def pins(view: View) -> Iterator[Finding]:
    """Find what a vault pins in git's configuration and attributes, and is not so."""
    if not view.git_works and view.repository.head_is_main():
        yield fault(_CONFIG, "pin", "git cannot read it")
    for name in view.repository.missing_pins():
        if name.startswith(".git/"):
            harm = "a commit by hand may take temps along" if name == EXCLUDE else "git may change bytes"
            yield fault(name, "attributes", f"is not as a vault has it, so {harm}")
        elif view.git_works:
            yield fault(_CONFIG, "pin", f"{name} is not as a vault has it")


def index(view: View) -> Iterator[Finding]:
    """Compare git's index with main: where it is behind, the next commit by hand would take a run back."""
    if view.committed is None or view.tip is None or view.is_between or view.has_diverged or not view.git_works:
        return
    if not view.files.exists(INDEX):
        yield fault(INDEX, "index", "is missing: the next commit by hand would remove everything")
        return
    if any(path.startswith((INDEX, ".git/sharedindex")) for path in _unsealed(view)):
        return
    try:
        staged = staged_files(view.repository, view.tip)
    except XysqError as error:
        yield fault(INDEX, "index", f"git cannot read it: {error.sentence}")
        return
    owed = view.files.exists(layout.INDEX_OWED)
    for changed in staged:
        yield _staged(view, changed, owed=owed)


def _unsealed(view: View) -> Iterator[str]:
    return (path for path in sealed_files(view.files) if seal_fault(view.files, path) is not None)


def _staged(view: View, changed: ChangedFile, *, owed: bool) -> Finding:
    if owed:
        return note(changed.path, "owed", "git's index does not know it yet; the next command tells it")
    if changed.path.startswith(tuple(f"{tree}/" for tree in KEPT)) or _is_behind(view, changed):
        sentence = "git's index has another one than main; a commit by hand would take this one back"
        return fault(changed.path, "index", sentence)
    return note(changed.path, "staged", "is staged for a commit by hand")


def _is_behind(view: View, changed: ChangedFile) -> bool:
    """Tell whether a page's entry is of another state than both main and the file: nobody staged that."""
    if not changed.path.startswith(tuple(f"{tree}/" for tree in TREES)):
        return False
    data, _ = view.read(changed.path)
    return (None if data is None else git_object("blob", data).id) != changed.new
