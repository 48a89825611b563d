"""Flip: every byte of a small vault is flipped, one after the other, and each time fsck must find and name the file.

    python -m tests.crash.flip [STRIDE]

Flipped is one bit of a byte, in memory; asked are those sections of fsck that say they see the file, on a view whose
other parts are known to be good, so that a flip costs milliseconds. A test proves a sample of them whole.

A flip counts as *found* when a fault names the file; as *noted* when a note does, which is right for what a person may
edit (pages, settings, schema, attributes, a draft); as *same* when the file still reads as what it was, by the rule of
its kind. Files that nothing rests on are left out by rule too, and the table says which. Anything else is *missed*.
"""

import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from multiprocessing import get_context
from pathlib import Path

from xysq.errors import XysqError
from xysq.jobs.fsck import SECTIONS, Depth, looked_at
from xysq.jobs.opened import Opened
from xysq.jobs.proof.view import View
from xysq.jobs.replay import decision_of
from xysq.model.report import Finding
from xysq.model.source import Channel
from xysq.store import layout, wal
from xysq.store.git import PINS, Repository
from xysq.store.git_object_file import OBJECTS, ObjectFiles
from xysq.vault import place
from xysq.vault.api import Vault

TALK = b"Maya: I live in Berlin.\n\nTom: I moved to Lisbon.\n\n"
MORE = b"Maya: I like jazz.\n\nTom: Me too.\n\n"
NEXT = b"Nora: I live in Lima.\n\nTom: I see.\n\n"
SEED = 20261201
WORKERS = 2
# What nothing rests on: losing it costs a try or a look, never a byte that was acknowledged.
LEFT_OUT = {
    ".git/logs/": "the reflog: only repair reads it, and believes a commit by its own digest",
    f"{layout.SOURCES}/": "look-ups of sources: made again from the metas",
    f"{layout.LOCAL}/queue/": "the queue: a row is tried once more",
    f"{layout.SPENT}/": "what drafting cost on a day: a budget, and no fact",
    f"{layout.LOCAL}/index": "files of our own that hold git's index while it is written",
    layout.LOCK: "a lock, which has no bytes",
}
EDITABLE = ("pages/", "xysq.yaml", "schema.yaml", ".gitattributes")
_RELIED_ON = {*PINS, "core.repositoryformatversion", "core.worktree"}
_USUAL = "core.repositoryformatversion\n0"  # what git takes where nothing is said


class Remembering(Repository):
    """A repository whose objects are known to be good: what a commit has is read once."""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self.ls_tree = cache(self.ls_tree)  # type: ignore[method-assign]
        self.read_blob = cache(self.read_blob)  # type: ignore[method-assign]


@dataclass(frozen=True)
class Bed:
    """A vault to flip bytes in: as it is found when nothing is flipped, and what is known of it then."""

    opened: Opened
    known: dict[str, object]
    quiet: frozenset[Finding]

    def view(self, path: str) -> View:
        """Return a view in which everything but the file's own kind is known already."""
        is_git = path.startswith(".git/") and not path.startswith(".git/xysq/")
        view = View(self.opened if is_git else replace(self.opened, repository=_remembering(self.opened.root)))
        if not is_git:
            view.__dict__.update(self.known)
        return view


@cache
def _remembering(root: Path) -> Remembering:
    return Remembering(root)


def lay(root: Path, *, is_decided: bool = False) -> Bed:
    """Make the vault: a source in two versions, two runs, a third that is staged, or decided and not finished."""
    with Vault.init(root, me="Maya") as vault:
        vault.push_text(TALK, "one.txt", source="one")
        vault.distill()
        vault.push_text(TALK + MORE, "one.txt", source="one")
        vault.distill()
        vault.push_text(NEXT, "two.txt", source="two")
        vault.distill(stage=True)
        (run,) = vault.staged()
    opened = place.examined(root, 0.0, Channel.CLI)
    if is_decided:
        wal.decide(opened.files, run, decision_of(opened, wal.load(opened.files, run), opened.tip()))
    view = View(opened)
    known: dict[str, object] = {"tip": view.tip, "committed": view.committed, "git_works": view.git_works}
    return Bed(opened, known, frozenset(looked_at(opened, Depth.FULL)))


def targets(bed: Bed) -> Iterator[tuple[str, int]]:
    """Yield every byte there is: file and offset, apart from what is left out."""
    root = bed.opened.root
    for file in sorted(path for path in root.rglob("*") if path.is_file()):
        path = file.relative_to(root).as_posix()
        if not path.startswith(tuple(LEFT_OUT)):
            yield from ((path, at) for at in range(file.stat().st_size))


def flip(bed: Bed, path: str, at: int) -> str:
    """Flip a bit of a byte, look, and put it back; return what came of it."""
    file = bed.opened.root / path
    same = _reading(bed, path)
    before = same()
    handle = os.open(file, os.O_RDWR)
    try:
        byte = os.pread(handle, 1, at)[0]
        os.pwrite(handle, bytes([byte ^ (1 << (at * 5 + 2) % 8)]), at)
        found = [one for one in _found(bed, path) if one not in bed.quiet]
        if any(one.file == path and not one.note for one in found):
            return "found"
        if any(one.file == path for one in found):
            return "noted" if path.startswith(EDITABLE) or path.endswith("/draft.json") else "missed"
        return "same" if same() == before else "missed"
    finally:
        os.pwrite(handle, bytes([byte]), at)
        os.close(handle)


def _found(bed: Bed, path: str) -> Iterator[Finding]:
    view = bed.view(path)
    for section in SECTIONS:
        if path.startswith(section.sees):
            yield from section.prove(view)


def _reading(bed: Bed, path: str) -> Callable[[], object]:
    """Return what reads a file as the vault does: the rule by which a flip in it may change nothing."""
    opened = bed.opened
    if path.startswith(f"{OBJECTS}/"):
        id_ = path.removeprefix(f"{OBJECTS}/").replace("/", "")
        return lambda: ObjectFiles(opened.root).read(id_)
    if path == ".git/config":
        return lambda: _relied_on(opened.repository)
    if path == ".git/HEAD":
        return opened.repository.head_is_main
    if path.startswith(".git/refs/"):
        return lambda: _tip(opened)
    return (opened.root / path).read_bytes


def _relied_on(repository: Repository) -> list[str]:
    """Return the settings of git's that a vault relies on; the others are the owner's."""
    status, out = repository.git.run("config", "--file", ".git/config", "--list", "-z", allowed=(0, 1, 128))
    lines = out.decode("utf-8", "replace").split("\0")
    names = (line for line in lines if line.partition("\n")[0] in _RELIED_ON or line.startswith("extensions."))
    return [str(status), *sorted(name for name in names if name != _USUAL)]


def _tip(opened: Opened) -> str:
    try:
        return opened.tip()
    except XysqError as error:
        return error.sentence


def kind_of(path: str) -> str:
    """Return the row of the table that a file belongs to."""
    if path.endswith(".meta.json"):
        return "meta"
    for prefix, kind in (
        ("logs/", "log"),
        ("ledger/", "ledger"),
        ("runs/", "record"),
        ("pages/", "page"),
        (OBJECTS, "git object"),
        (layout.WAL, "write-ahead log"),
        (".git/index", "git index"),
        (".git/sharedindex", "git index"),
        (".git/", "git setting, HEAD, ref"),
    ):
        if path.startswith(prefix):
            return kind
    return "setting, schema, attribute"


def flip_some(bed: Bed, some: list[tuple[str, int]]) -> Counter[tuple[str, str]]:
    """Flip these bytes; return how many of each kind came to what. Missed ones are printed."""
    outcomes: Counter[tuple[str, str]] = Counter()
    for path, at in some:
        outcome = flip(bed, path, at)
        outcomes[kind_of(path), outcome] += 1
        if outcome == "missed":
            print(f"missed: {path} byte {at}")
    return outcomes


def _work(home: str, number: int, stride: int) -> Counter[tuple[str, str]]:
    """Flip this worker's share, in vaults of its own."""
    root = Path(home, str(number))
    root.mkdir()
    os.environ.update({"HOME": home, "XDG_CACHE_HOME": f"{home}/cache", "XDG_CONFIG_HOME": f"{home}/config"})
    outcomes: Counter[tuple[str, str]] = Counter()
    staged, decided = lay(root / "staged"), lay(root / "decided", is_decided=True)
    outcomes += flip_some(staged, list(targets(staged))[number * stride :: WORKERS * stride])
    enacted = [target for target in targets(decided) if target[0].startswith(layout.WAL)]
    outcomes += flip_some(decided, enacted[number * stride :: WORKERS * stride])
    return outcomes


def main() -> int:
    """Flip every byte, or every one of STRIDE, and print the table."""
    stride = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    began = time.monotonic()
    memory = "/dev/shm" if Path("/dev/shm").is_dir() else None  # noqa: S108 - a private directory is made in it
    with (
        tempfile.TemporaryDirectory(prefix="xysq-flip-", dir=memory) as home,
        get_context("spawn").Pool(WORKERS) as pool,
    ):
        shares = pool.starmap(_work, [(home, number, stride) for number in range(WORKERS)])
    outcomes: Counter[tuple[str, str]] = Counter()
    for share in shares:
        outcomes += share
    kinds = sorted({kind for kind, _ in outcomes})
    columns = ("found", "noted", "same", "missed")
    print(f"{'':28}" + "".join(f"{column:>9}" for column in columns))
    for kind in kinds:
        print(f"{kind:28}" + "".join(f"{outcomes[kind, column]:>9,}" for column in columns))
    missed = sum(count for (_, outcome), count in outcomes.items() if outcome == "missed")
    total = sum(outcomes.values())
    print(f"{total:,} bytes flipped in {time.monotonic() - began:.0f} s, {missed} missed")
    for prefix, why in LEFT_OUT.items():
        print(f"left out: {prefix} ({why})")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
