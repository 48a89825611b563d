"""Mending git: its settings, HEAD, the branch, broken objects, what it keeps beside them, its index.

The branch goes back to where git's reflog had it last, or to the commit whose ledger is the one on the disk. An object
is written again from whatever has the bytes of its id (`xysq.jobs.mend.pool`). The index is made anew from main.
"""

import re
from collections.abc import Iterator
from functools import partial

from xysq.errors import Damaged, XysqError
from xysq.jobs.mend.bench import Bench
from xysq.jobs.mend.pool import Pool
from xysq.jobs.mend.remake import remade
from xysq.jobs.past import head_at
from xysq.jobs.proof import history
from xysq.model.event import Head
from xysq.store import layout, segments
from xysq.store.git import CONFIG, PLAIN_CONFIG
from xysq.store.git_diff import staged_files
from xysq.store.git_object_file import OBJECTS, object_path
from xysq.store.git_ref import REF
from xysq.store.git_seal import INDEX, PACKS, seal_fault, sealed_files

_HEAD, _BRANCH = ".git/HEAD", f".git/{REF}"
_SOMEWHERE = re.compile(rb"(ref: refs/[!-~]+|[0-9a-f]{40})\s*")
_SHARED = ".git/sharedindex."


def settings(bench: Bench) -> None:
    """Let git find its folders, HEAD and a configuration it can read, with the pins of a vault."""
    for folder in (OBJECTS, ".git/refs/heads"):
        if not bench.files.exists(folder):
            if not bench.is_dry:
                bench.files.make_dirs(folder)
            bench.tell(folder, "is there again, empty")
    head = None if _is_odd(bench, _HEAD) else bench.files.read_or_none(_HEAD)
    if head is None or not _SOMEWHERE.fullmatch(head):
        bench.put(_HEAD, f"ref: {REF}\n".encode("ascii"), "is on main again")
    elif not bench.repository.config_is_readable():
        bench.put(CONFIG, PLAIN_CONFIG, "is made anew; settings of yours are in what is kept")
    _pins(bench)


def _pins(bench: Bench) -> None:
    missing = bench.repository.missing_pins()
    places = {name: name if name.startswith(".git/") else CONFIG for name in missing}
    kept = {path: bench.keep(path) for path in sorted(set(places.values()))}
    if missing and not bench.is_dry:
        bench.repository.pin()
    for name, path in places.items():
        bench.tell(path, f"{'' if name == path else name + ' '}is as a vault has it again", kept[path])


def _is_odd(bench: Bench, path: str) -> bool:
    """Tell whether something that is no file stands at a path."""
    try:
        bench.files.read_or_none(path)
    except Damaged:
        return True
    return False


def packs(bench: Bench) -> None:
    """Index packs anew whose index is broken; of a broken pack, let every object that can be read lie loose."""
    broken = [path for path in sealed_files(bench.files) if path.startswith(PACKS) and seal_fault(bench.files, path)]
    torn = {path.removesuffix(".pack") for path in broken if path.endswith(".pack")}
    for stem in sorted(torn):
        data = bench.files.read(f"{stem}.pack")
        for ending in (".idx", ".rev", ".pack"):
            if bench.files.exists(f"{stem}{ending}"):
                bench.take_away(f"{stem}{ending}", "was broken; what can be read of it lies loose now")
        if not bench.is_dry:
            bench.repository.unpack(data, bench.lock_fd)
    for path in broken:
        stem, _, ending = path.rpartition(".")
        if stem not in torn:
            bench.take_away(path, "was broken" if ending != "idx" else "was broken; the pack is indexed anew")
            if ending == "idx" and not bench.is_dry:
                bench.repository.index_pack(f"{stem}.pack", bench.lock_fd)


def branch(bench: Bench) -> None:
    """Put main at a commit that can be read."""
    view = bench.view()
    if view.tip is not None:
        return
    known = _known_commit(bench)
    if known is not None:
        bench.put(
            _BRANCH, f"{known}\n".encode("ascii"), f"is at {known[:12]} again, as the reflog or the ledger has it"
        )


def _known_commit(bench: Bench) -> str | None:
    repository = bench.repository
    end = _end_on_disk(bench)
    known = [commit for commit in (*repository.known_tips(), *repository.loose_commits()) if _is_whole(bench, commit)]
    fitting = (commit for commit in known if end is not None and head_at(bench.opened, commit) == end)
    return next(fitting, known[0] if known else None)


def _is_whole(bench: Bench, commit: str) -> bool:
    try:
        head_at(bench.opened, commit)
        bench.repository.ls_tree(commit)
    except XysqError:
        return False
    return True


def _end_on_disk(bench: Bench) -> Head | None:
    try:
        return segments.tail(bench.files).head
    except Damaged:
        return None


def commits(bench: Bench) -> None:
    """Make lost commits once more, oldest first, for each is made on the one before; none comes that has another id."""
    if next(_bad_objects(bench), None) is None and bench.view().tip is not None:
        return
    for parent, commit in reversed(bench.repository.known_moves()):
        if not _is_there(bench, commit) and _is_there(bench, parent):
            for prepared in remade(bench.opened, parent):
                if prepared.commit == commit:
                    write = partial(bench.repository.write_objects, prepared)
                    bench.act(object_path(commit), "is made once more, with all that it brought", write)


def _is_there(bench: Bench, commit: str) -> bool:
    try:
        return bool(bench.repository.commit(commit).id)
    except Damaged:
        return False


def objects(bench: Bench) -> None:
    """Write broken objects again from what has their bytes; one can hide others, so until no more is found."""
    done: set[str] = set()
    pool = Pool(bench)
    while True:
        bad = [path for path in _bad_objects(bench) if path not in done]
        found = [(path, pool.find(_id_of(path))) for path in bad]
        for path, item in found:
            if item is not None:
                bench.act(path, "is written again, from bytes that have its id", partial(bench.repository.write, item))
        done.update(bad)
        if bench.is_dry or not any(item for _, item in found):
            return


def _bad_objects(bench: Bench) -> Iterator[str]:
    view = bench.view()
    tip = view.tip
    if tip is None:
        try:
            tip = bench.opened.tip()
        except XysqError:
            return
        yield object_path(tip)
    yield from (found.file for found in history.objects(view) if not found.note)


def _id_of(path: str) -> str:
    return path.removeprefix(f"{OBJECTS}/").replace("/", "")


def useless_objects(bench: Bench) -> None:
    """Move away loose files that are no object, now that what could be written again was."""
    wanted = {found.file for found in history.objects(bench.view()) if not found.note}
    for id_ in bench.repository.broken_loose_objects():
        if object_path(id_) not in wanted:
            bench.take_away(object_path(id_), "was no object, and none that the history needs")


def graphs(bench: Bench) -> None:
    """Move away broken commit graphs: git answers without them, and they are made again."""
    for path in sealed_files(bench.files):
        if path.startswith(f"{OBJECTS}/info") and seal_fault(bench.files, path) is not None:
            bench.take_away(path, "git's notes on the history were broken; it works without, until they are made again")


def index(bench: Bench) -> None:
    """Make git's index anew where it cannot be read; tell it of what it lacks where it can."""
    view = bench.view()
    if view.tip is None:
        return
    broken = [path for path in _index_files(bench) if seal_fault(bench.files, path) is not None]
    try:
        staged = [] if broken or not bench.files.exists(INDEX) else staged_files(bench.repository, view.tip)
    except XysqError:
        broken.append(INDEX)
        staged = []
    if broken or not bench.files.exists(INDEX):
        for path in dict.fromkeys((*broken, INDEX)):
            if bench.files.exists(path):
                bench.take_away(path, "could not be read by git; what you had staged is in it")
        if not bench.is_dry:
            bench.repository.update_index(_any_entry(bench, view.tip), bench.lock_fd)
        bench.tell(INDEX, "is made anew from main")
        return
    behind = {found.file for found in history.index(view) if not found.note and found.code == "index"}
    blobs = {changed.path: changed.old for changed in staged if changed.path in behind}
    if blobs:
        paths = f"{len(blobs)} {'path' if len(blobs) == 1 else 'paths'}"
        bench.act(INDEX, f"has {paths} as main again", lambda: bench.repository.update_index(blobs, bench.lock_fd))


def _index_files(bench: Bench) -> Iterator[str]:
    return (path for path in sealed_files(bench.files) if path == INDEX or path.startswith(_SHARED))


def _any_entry(bench: Bench, tip: str) -> dict[str, str | None]:
    return bench.repository.blob_ids_of(tip, [layout.segment_path(1)])
