"""git's index for the paths of a commit that was made without it.

With a stale index a user's own `git commit` would undo the commit that the engine just made. So the entries of the
changed paths, and only those, become what the commit says; whatever else the user has staged stays staged.

`index.lock` is taken here, not by the child: as a hard link to a file of ours, so that after a crash it is known
by its inode whose lock it is. A user's own is never removed, however long an editor keeps it: the caller then
owes the update. The child works on a copy, which takes the index's place when it is complete.
"""

import os
from collections.abc import Mapping
from pathlib import Path

from xysq.store.disk_error import NotSynced
from xysq.store.files import Files
from xysq.store.git_object import FILE_MODE, checked_id, checked_path
from xysq.store.git_process import GitFailed, GitProcess
from xysq.store.git_ref import REF
from xysq.store.step import Watcher, unwatched

_GIT, _OWN = ".git", ".git/xysq"
_GONE = b"0 " + b"0" * 40


class Index:
    """The index of one vault."""

    def __init__(self, git: GitProcess, watch: Watcher = unwatched) -> None:
        """Bind to the repository of `git`."""
        self._git = git
        self._files = Files(git.root, watch)
        self._index = git.git_dir / "index"
        self._lock = git.git_dir / "index.lock"
        self._own = git.git_dir / "xysq" / "index-lock"
        self._next = git.git_dir / "xysq" / "index-next"

    def update(self, blobs: Mapping[str, str | None], lock_fd: int | None) -> bool:
        """Set the entries of these paths (None: no entry). False where it could not be done now and is owed.

        The commit stands already, so nothing here raises for a lock that a user holds or an index that is broken.
        """
        if not blobs:
            return True
        if not self._take():
            return False
        try:
            return self._rewrite(_index_info(blobs), lock_fd)
        finally:
            self._lock.unlink(missing_ok=True)

    def is_readable(self) -> bool:
        """Tell whether git can read the index; while it cannot, every update is owed."""
        status, _ = self._git.run("ls-files", "--cached", "-z", allowed=(0, 1, 128))
        return status == 0

    def clear_lock(self) -> bool:
        """Remove an `index.lock` that a killed update of ours left; tell whether there was one."""
        if not _same_file(self._lock, self._own):
            return False
        self._lock.unlink(missing_ok=True)
        return True

    def _take(self) -> bool:
        try:
            if not self._own.exists():
                self._own.parent.mkdir(mode=0o700, exist_ok=True)
                self._own.touch(mode=0o600)
                self._files.sync_dir(_OWN)  # a lock whose other name a power cut took would be nobody's for ever
            self.clear_lock()
            os.link(self._own, self._lock, follow_symlinks=False)
        except (NotSynced, OSError):  # mostly: a git of the user's is at work
            return False
        return True

    def _rewrite(self, info: bytes, lock_fd: int | None) -> bool:
        try:
            for left in (self._next, self._next.with_name(f"{self._next.name}.lock")):
                left.unlink(missing_ok=True)
            if self._index.exists():
                _write_private(self._next, self._index.read_bytes())
            else:  # with nothing but our paths in it, the next commit by hand would remove all others
                self._git.run("read-tree", REF, lock_fd=lock_fd, index=self._next)
            command = ("update-index", "-z", "--add", "--remove", "--replace", "--index-info")
            self._git.run(*command, data=info, lock_fd=lock_fd, index=self._next)
            self._files.sync_dir(_GIT)  # the shared index that the new one names must not be lost without it
            self._next.rename(self._index)
            self._files.sync_dir(_GIT)  # or a commit by hand after a power cut would take this one back
        except (GitFailed, NotSynced, OSError):
            return False
        return True


def _write_private(path: Path, data: bytes) -> None:
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600), "wb") as opened:
        opened.write(data)


def _same_file(one: Path, other: Path) -> bool:
    try:
        return os.path.samestat(one.lstat(), other.lstat())
    except FileNotFoundError:
        return False


def _index_info(blobs: Mapping[str, str | None]) -> bytes:
    lines = []
    for path, blob in sorted(blobs.items()):
        name = b"/".join(checked_path(path))
        entry = _GONE if blob is None else FILE_MODE + b" " + checked_id(blob).encode("ascii")
        lines.append(entry + b"\t" + name + b"\0")
    return b"".join(lines)
