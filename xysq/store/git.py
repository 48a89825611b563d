"""The vault's git repository: how it is made, read and committed to.

A commit is made from the parent's changed trees, without index and without working tree, so a user's dirty and
staged files never come along and nobody's hooks or filters run. In order, and under the vault lock:

1. `prepare`: blobs, trees and commit as bytes; the commit id is known before anything is written.
2. `write_objects`: all of them durable.
3. `move_ref`: `refs/heads/main` from the parent to the commit, by compare-and-swap. Others see it now.
4. `update_index`: the user's index learns of the changed paths; a run, whose files lie safe in its record, does this
   before the branch is moved.

Each step may be repeated after a crash at any point and ends in the same bytes (P3). git is a replica: logs and
ledger are the truth.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path

from xysq.errors import Damaged, NotFound
from xysq.frozen import frozen
from xysq.store.descriptor import TEMP
from xysq.store.files import Files
from xysq.store.git_housekeeping import Housekeeping
from xysq.store.git_index import Index
from xysq.store.git_object import (
    Commit,
    GitObject,
    Prepared,
    checked_id,
    checked_path,
    edit_tree,
    git_object,
    parse_commit,
    render_commit,
)
from xysq.store.git_object_file import ObjectFiles
from xysq.store.git_process import MINIMAL_ENVIRONMENT, GitProcess
from xysq.store.git_reader import ObjectReader
from xysq.store.git_ref import REF, Ref
from xysq.store.step import Watcher, unwatched

PINS: Mapping[str, str] = {
    "core.fsync": "all",
    "core.fsyncmethod": "fsync",
    "core.splitindex": "true",
    "core.autocrlf": "false",
    "core.bare": "false",
    "core.logallrefupdates": "true",
    "commit.gpgsign": "false",
    "gc.auto": "0",
    "gc.packrefs": "false",
    "maintenance.auto": "false",
}


def _pinned(keys: Iterable[str]) -> bytes:
    """Return the lines that pin these settings."""
    parts = ((*key.split("."), PINS[key]) for key in keys)
    return "".join(f"[{section}]\n\t{name} = {value}\n" for section, name, value in parts).encode("ascii")


ATTRIBUTES = b"* -text\nledger/** -merge\n"
ATTRIBUTES_PATH = ".gitattributes"
LOCAL_ATTRIBUTES = b"* -text -eol -filter -ident -working-tree-encoding\n"
CONFIG = ".git/config"
PLAIN_CONFIG = b"[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n" + _pinned(PINS)
_HEAD = ".git/HEAD"
_FOLDERS = (".git/objects/info", ".git/objects/pack", ".git/refs/heads", ".git/refs/tags")
_LOCAL_ATTRIBUTES = ".git/info/attributes"
EXCLUDE, NO_TEMPS = ".git/info/exclude", f"{TEMP}*\n".encode("ascii")


@frozen
class TreeFile:
    """One file of a commit: path, mode as git prints it, id of its blob."""

    path: str
    mode: str
    blob: str


class Repository:
    """The git repository of one vault.

    `environment` is what git children may see of the surface's environment; `watch` is told the changes made
    without git. Wherever a method takes `lock_fd`, that is the descriptor of the vault lock: a git child keeps it
    open, and with it the lock, until it ends.
    """

    def __init__(
        self, root: Path, environment: Mapping[str, str] = MINIMAL_ENVIRONMENT, watch: Watcher = unwatched
    ) -> None:
        """Bind to the vault's directory; nothing is read yet."""
        self.git = GitProcess(root.absolute(), environment)
        self._files = Files(root, watch)
        self._objects = ObjectFiles(self.git.root, watch)
        self._ref = Ref(self.git, watch)
        self._index = Index(self.git, watch)
        self.housekeeping = Housekeeping(self.git, watch)

    # Making one

    def init(self) -> None:
        """Make the repository, with its pins, durably; harmless on one that exists.

        Not by `git init`, which syncs nothing, and cut short leaves locks that keep every later git out. HEAD is
        written last, for by it a directory counts as a repository.
        """
        if not self.git.root.is_dir():
            raise NotFound("directory", str(self.git.root))
        if not self._files.exists(_HEAD):
            for folder in _FOLDERS:
                self._files.make_dirs(folder)
            self._files.replace(CONFIG, PLAIN_CONFIG)
            self._files.replace(_HEAD, f"ref: {REF}\n".encode("ascii"))
        self.pin()

    def pin(self) -> None:
        """Set what a vault pins in its configuration, local attributes and excludes, where it is not so already."""
        missing = self.missing_pins()
        config = self._files.read(CONFIG)
        # The last value of a setting counts, so lines at the end set right whatever stands before them.
        lines = _pinned(key for key in missing if key in PINS)
        if lines:
            self._files.replace(CONFIG, config.rstrip(b"\n") + b"\n" + lines)
        if _LOCAL_ATTRIBUTES in missing:
            self._files.make_dirs(".git/info")
            self._files.replace(_LOCAL_ATTRIBUTES, LOCAL_ATTRIBUTES)
        if EXCLUDE in missing:
            self._files.make_dirs(".git/info")
            self._files.replace(EXCLUDE, NO_TEMPS + (self._files.read_or_none(EXCLUDE) or b""))

    def missing_pins(self) -> tuple[str, ...]:
        """Return what `pin` would change: names of settings, and the path of the attributes."""
        listing = ("config", "--file", CONFIG, "--no-includes", "--list", "-z")
        _, out = self.git.run(*listing, allowed=(0, 1, 128))
        found = dict(item.partition("\n")[::2] for item in out.decode("utf-8", "replace").split("\0") if item)
        missing = [key for key, value in PINS.items() if found.get(key) != value]
        if self._files.read_or_none(_LOCAL_ATTRIBUTES) != LOCAL_ATTRIBUTES:
            missing.append(_LOCAL_ATTRIBUTES)
        if NO_TEMPS.rstrip() not in (self._files.read_or_none(EXCLUDE) or b"").split(b"\n"):
            missing.append(EXCLUDE)  # a commit of the user's takes no temp along
        return tuple(missing)

    def config_is_readable(self) -> bool:
        """Tell whether git works with its configuration: with one it cannot read, or of another format, it refuses."""
        status, _ = self.git.run("rev-parse", "--is-inside-work-tree", allowed=(0, 1, 128))
        return status == 0

    # Committing

    def prepare(self, parent: str | None, changes: Mapping[str, bytes | None], message: str, at: str) -> Prepared:
        """Compute the commit that changes these files (None removes one) on top of `parent`; write nothing.

        `changes` maps relative POSIX paths to whole contents; `at` is an ISO time in UTC. The same arguments give
        the same commit id. Raises `Damaged` where the parent's trees cannot be read.
        """
        made = {path: git_object("blob", data) for path, data in changes.items() if data is not None}
        blobs = {path: made[path].id if path in made else None for path in changes}
        with self.reader() as reader:
            tree = None if parent is None else reader.commit(parent).tree
            root, trees = edit_tree(tree, blobs, lambda id_: reader.payload(id_, "tree"))
        commit = git_object("commit", render_commit(tree=root, parent=parent, at=at, message=message))
        return Prepared(
            commit=commit.id, tree=root, parent=parent, objects=(*made.values(), *trees, commit), blobs=blobs
        )

    def write_objects(self, prepared: Prepared) -> None:
        """Write every object of the commit, whatever stands in its place, and return when all are on disk."""
        self._objects.write(prepared.objects)

    def write(self, item: GitObject) -> None:
        """Write one object, whatever stands in its place."""
        self._objects.write((item,))

    def unpack(self, data: bytes, lock_fd: int | None = None) -> None:
        """Write every object of a pack that can be read as a loose file; the pack may be broken anywhere."""
        self.git.run("unpack-objects", "-q", "-r", data=data, allowed=(0, 1, 128), lock_fd=lock_fd)

    def index_pack(self, path: str, lock_fd: int | None = None) -> None:
        """Make the index of a pack; `path` is relative to the vault."""
        self.git.run("index-pack", path, lock_fd=lock_fd)

    def move_ref(self, new: str, old: str | None, message: str, lock_fd: int | None = None) -> None:
        """Move `refs/heads/main` from `old` (None: none yet) to `new`, durably, or raise `RefMoved`, `RefLocked`."""
        self._ref.move(new, old, message, lock_fd)

    def restore_ref(self, commit: str) -> None:
        """Put a commit into the file of a branch that `tip` found broken."""
        self._ref.restore(commit)

    def update_index(self, blobs: Mapping[str, str | None], lock_fd: int | None = None) -> bool:
        """Tell git's index what these paths are now (None: gone); False where that is owed, see `git_index`."""
        return self._index.update(blobs, lock_fd)

    def index_mark(self) -> tuple[int, ...] | None:
        """Return what is another whenever git's index was written in between; None where there is none."""
        return self._index.mark()

    def index_is_readable(self) -> bool:
        """Tell whether git can read its index; an absent one is made anew by the next update."""
        return self._index.is_readable()

    def clear_locks(self, commit: str) -> tuple[str, ...]:
        """Remove the lock files left by our own move to `commit` when it was killed, and by our own index update."""
        index = ("index.lock",) if self._index.clear_lock() else ()
        return (*self._ref.clear_locks(commit), *index)

    # Reading

    def tip(self) -> str | None:
        """Return the commit of `refs/heads/main`, None before the first; raise `BrokenRef` where it holds no id."""
        return self._ref.tip()

    def last_known_tip(self) -> str | None:
        """Return the commit that the branch was moved to last, by its reflog; None where that cannot be read."""
        known = self._ref.last_known()
        try:
            return None if known is None else self.commit(known).id
        except Damaged:
            return None

    def known_tips(self) -> tuple[str, ...]:
        """Return the commits that the branch was moved to, newest first, as far as its reflog can be read."""
        return tuple(dict.fromkeys(new for _, new in self._ref.moves()))

    def known_moves(self) -> tuple[tuple[str, str], ...]:
        """Return from which commit to which one the branch was moved, newest first, as its reflog has it."""
        return self._ref.moves()

    def loose_commits(self) -> tuple[str, ...]:
        """Return the commits that lie loose: first those that none goes on from, then by time, newest first.

        A history without a branch is found by them.
        """
        found = [item for item in map(self._objects.read, self._objects.ids()) if item is not None]
        commits = [parse_commit(item.id, item.payload) for item in found if item.kind == "commit"]
        inner = {parent for commit in commits for parent in commit.parents}
        commits.sort(key=lambda commit: (commit.id not in inner, commit.at), reverse=True)
        return tuple(commit.id for commit in commits)

    def indexed(self) -> tuple[tuple[str, str], ...]:
        """Return path and blob of every file that git's index lists; `GitFailed` where git cannot read it."""
        _, out = self.git.run("ls-files", "--stage", "-z")
        lines = (line.partition(b"\t") for line in out.split(b"\0") if line)
        return tuple((path.decode("utf-8", "surrogateescape"), head.split(b" ")[1].decode()) for head, _, path in lines)

    def head_is_main(self) -> bool:
        """Tell whether HEAD is on `refs/heads/main` of a main worktree."""
        return self._ref.head_is_main()

    def reader(self) -> ObjectReader:
        """Return a reader for many objects; a context manager."""
        return ObjectReader(self.git)

    def shallow(self) -> frozenset[str]:
        """Return the commits behind which the history was cut off on purpose, as by a shallow clone."""
        data = self._files.read_or_none(".git/shallow") or b""
        return frozenset(data.decode("ascii", "replace").split())

    def broken_loose_objects(self) -> tuple[str, ...]:
        """Return the ids whose loose files are no object of that id, reachable or not."""
        return tuple(id_ for id_ in self._objects.ids() if self._objects.read(id_) is None)

    def commit(self, rev: str) -> Commit:
        """Return a commit by its full id."""
        with self.reader() as reader:
            return reader.commit(rev)

    def read_blob(self, rev: str, path: str) -> bytes:
        """Return the bytes of a file in a commit; raise `NotFound` where it has none."""
        with self.reader() as reader:
            return reader.blob(rev, path)

    def blob_ids_of(self, rev: str, paths: Iterable[str]) -> dict[str, str | None]:
        """Return the blob id of each path in a commit, None where it has no such file."""
        with self.reader() as reader:
            return {path: reader.blob_id(rev, path) for path in paths}

    def ls_tree(self, rev: str, prefix: str = "") -> tuple[TreeFile, ...]:
        """Return the files of a commit at or below a path (all of them where it is empty), sorted by git."""
        below = (prefix,) if prefix and checked_path(prefix) else ()
        _, out = self.git.run("ls-tree", "-r", "-z", "--full-tree", "--", checked_id(rev), *below)
        return tuple(_tree_file(line) for line in out.split(b"\0") if line)

    def trees_equal(self, rev_a: str, rev_b: str, prefixes: Iterable[str]) -> bool:
        """Tell whether two commits have the same bytes at and below every one of the paths."""
        with self.reader() as reader:
            return all(reader.entry(rev_a, prefix) == reader.entry(rev_b, prefix) for prefix in prefixes)

    def is_ancestor(self, older: str, newer: str) -> bool:
        """Tell whether a commit can be reached from another one; a commit reaches itself."""
        command = ("merge-base", "--is-ancestor", "--end-of-options", checked_id(older), checked_id(newer))
        status, _ = self.git.run(*command, allowed=(0, 1))
        return status == 0


def _tree_file(line: bytes) -> TreeFile:
    head, _, path = line.partition(b"\t")
    mode, _, blob = head.decode("ascii").split(" ")
    return TreeFile(path=path.decode("utf-8", "surrogateescape"), mode=mode, blob=blob)
