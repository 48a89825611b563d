"""Reading git objects: proven by their ids, loose ones straight from the disk, packed ones through one git child.

A child is started only when an object is no loose file, serves any number of reads and ends with the reader.
It is asked for full ids and nothing else, so no name of a vault ever reaches its command language.
"""

import subprocess
from types import TracebackType
from typing import Self

from xysq.errors import Damaged, NotFound
from xysq.store.git_object import (
    Commit,
    GitObject,
    Kind,
    TreeEntry,
    checked_id,
    checked_path,
    object_id,
    parse_commit,
    parse_tree,
)
from xysq.store.git_object_file import ObjectFiles, object_path
from xysq.store.git_process import GitProcess

_KINDS: dict[bytes, Kind] = {b"blob": "blob", b"tree": "tree", b"commit": "commit"}


class ObjectReader:
    """Objects by id, and what stands at a path of a commit; a context manager."""

    def __init__(self, git: GitProcess) -> None:
        """Read from the repository of `git`."""
        self._git = git
        self._loose = ObjectFiles(git.root)
        self._child: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        """Start nothing yet."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the child, if there is one."""
        child, self._child = self._child, None
        if child is not None:
            child.communicate()

    def payload(self, id_: str, kind: Kind) -> bytes:
        """Return the bytes of an object of this kind; raise `Damaged` where they are missing or others."""
        found = self._loose.read(checked_id(id_)) or self._packed(id_)
        if found.kind != kind:
            raise Damaged(object_path(id_), "0", f"a {found.kind} stands where a {kind} belongs")
        return found.payload

    def commit(self, id_: str) -> Commit:
        """Return a commit by its full id."""
        return parse_commit(id_, self.payload(id_, "commit"))

    def tree(self, id_: str) -> dict[bytes, TreeEntry]:
        """Return the entries of a tree by its id."""
        return parse_tree(id_, self.payload(id_, "tree"))

    def entry(self, commit: str, path: str) -> TreeEntry | None:
        """Return what stands at a path in a commit, file or directory; None where nothing does."""
        tree = self.commit(commit).tree
        *above, name = checked_path(path)
        for folder in above:
            entry = self.tree(tree).get(folder)
            if entry is None or not entry.is_tree:
                return None
            tree = entry.id
        return self.tree(tree).get(name)

    def blob_id(self, commit: str, path: str) -> str | None:
        """Return the id of the file at a path in a commit; None where there is no file."""
        entry = self.entry(commit, path)
        return entry.id if entry is not None and entry.mode.startswith(b"100") else None

    def blob(self, commit: str, path: str) -> bytes:
        """Return the bytes of the file at a path in a commit; raise `NotFound` where there is none."""
        id_ = self.blob_id(commit, path)
        if id_ is None:
            raise NotFound("file", path, f"it is not in {commit[:12]}")
        return self.payload(id_, "blob")

    def _packed(self, id_: str) -> GitObject:
        if self._child is None:
            if not self._loose.has_others():
                raise Damaged(object_path(id_), "0", "the object is missing or broken")
            self._child = self._git.start("cat-file", "--batch")
        feed, answer = self._child.stdin, self._child.stdout
        if feed is None or answer is None:
            raise RuntimeError("the child was started without pipes")
        try:
            feed.write(id_.encode("ascii") + b"\n")
            feed.flush()
        except BrokenPipeError:
            raise Damaged(object_path(id_), "0", "git cannot read the object") from None
        name, _, rest = answer.readline().rstrip(b"\n").partition(b" ")
        word, _, size = rest.partition(b" ")
        kind = _KINDS.get(word)
        if name != id_.encode("ascii") or kind is None or not size.isdigit():
            raise Damaged(object_path(id_), "0", "the object is missing or broken")
        data = answer.read(int(size) + 1)[:-1]
        if object_id(kind, data) != id_:
            raise Damaged(object_path(id_), "0", "the bytes are not those of the object")
        return GitObject(id=id_, kind=kind, payload=data)
