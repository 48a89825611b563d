"""Reading below one root directory, following no link.

Paths are relative (`xysq.store.path`). Every component below the root is opened with O_NOFOLLOW from the directory
before it, so a link planted in a vault leads nowhere, however it is swapped in. What is read must be a regular file:
no FIFO can hang a reader. Temps of writers are not shown.
"""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from xysq.errors import NotFound
from xysq.store.descriptor import DIRECTORY, READ, ROOT, TEMP, collect, collect_writable, names, read_all
from xysq.store.disk_error import UnsafePath, reading
from xysq.store.path import split


class ReadOnlyFiles:
    """The files below one root directory, by relative path, to look at.

    Every method raises `UnsafePath` where a link or a special file is in the way, `NotFound` or `NotRead` where a
    file cannot be read.
    """

    def __init__(self, root: str | os.PathLike[str]) -> None:
        """Bind to a root, which may itself be reached through links."""
        self.root = str(Path(root).absolute())

    def read(self, path: str) -> bytes:
        """Return all bytes of a file."""
        with self._opened(path) as descriptor:
            return read_all(descriptor)

    def read_or_none(self, path: str) -> bytes | None:
        """Return all bytes of a file, or None where there is none."""
        try:
            return self.read(path)
        except NotFound:
            return None

    def read_range(self, path: str, start: int, end: int) -> bytes:
        """Return bytes `[start, end)` of a file; fewer where it ends before."""
        with self._opened(path) as descriptor:
            return read_all(descriptor, start, end)

    def size(self, path: str) -> int:
        """Return how many bytes a file has."""
        with self._opened(path) as descriptor:
            return os.fstat(descriptor).st_size

    def exists(self, path: str) -> bool:
        """Tell whether anything stands at a path."""
        with reading(path), suppress(FileNotFoundError), self._parent(path) as (parent, name):
            os.stat(name, dir_fd=parent, follow_symlinks=False)
            return True
        return False

    def is_folder(self, path: str) -> bool:
        """Tell whether a directory, and no link to one, stands at a path."""
        with reading(path), suppress(FileNotFoundError), self._parent(path) as (parent, name):
            return stat.S_ISDIR(os.stat(name, dir_fd=parent, follow_symlinks=False).st_mode)
        return False

    def list_dir(self, path: str) -> tuple[str, ...]:
        """Return the names in a directory, sorted, without temps; () where there is none."""
        with reading(path), suppress(FileNotFoundError), self._directory(path) as opened:
            return tuple(name for name in names(opened) if not name.startswith(TEMP))
        return ()

    def walk(self, path: str) -> tuple[str, ...]:
        """Return the paths of all files below a directory, relative to it, sorted, without temps."""
        found: list[str] = []
        with reading(path), suppress(FileNotFoundError), self._directory(path) as opened:
            collect(opened, "", found)
        return tuple(sorted(found))

    def writable_by_all(self) -> tuple[str, ...]:
        """Return the paths, "" for the root itself, of files and directories that everybody may write to, sorted."""
        found: list[str] = []
        with reading("."), self._directory("") as opened:
            collect_writable(opened, "", found)
        return tuple(sorted(found))

    # Walking

    @contextmanager
    def _directory(self, path: str) -> Iterator[int]:
        opened = os.open(self.root, ROOT)
        try:
            for part in split(path):
                inner = os.open(part, DIRECTORY, dir_fd=opened)
                os.close(opened)
                opened = inner
            yield opened
        finally:
            os.close(opened)

    @contextmanager
    def _parent(self, path: str) -> Iterator[tuple[int, str]]:
        parts = split(path)
        if not parts:
            raise UnsafePath(path, "is the root itself")
        with self._directory("/".join(parts[:-1])) as parent:
            yield parent, parts[-1]

    @contextmanager
    def _opened(self, path: str) -> Iterator[int]:
        with reading(path), self._parent(path) as (parent, name):
            descriptor = os.open(name, READ, dir_fd=parent)
            try:
                if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                    raise UnsafePath(path, "is not a regular file")
                yield descriptor
            finally:
                os.close(descriptor)
