"""The branch `refs/heads/main`: read from its file, moved by compare-and-swap, mended where a power cut broke it.

The ref is always named in full: never HEAD, which a user may have put elsewhere. It is read without starting git.
git refuses to touch a ref file that is empty or full of NUL, so that one case is written here.
"""

import re
import time
from contextlib import suppress
from pathlib import Path

from xysq.errors import XysqError
from xysq.store.files import Files
from xysq.store.git_object import checked_id
from xysq.store.git_process import GitFailed, GitProcess
from xysq.store.step import Watcher, unwatched
from xysq.text import safe_line

REF = "refs/heads/main"
NO_COMMIT = "0" * 40
_REF_FILE = re.compile(rb"([0-9a-f]{40})[ \t\r\n]*")  # what git takes for white space, and no more
_WHOLE_LOCK = re.compile(rb"[0-9a-f]{40}\n|ref: [^\0]*")  # git writes id and line end one after the other
_HEAD_FILE = re.compile(rb"ref: refs/heads/main[ \t\r\n]*")
_REFLOG_LINE = re.compile(rb"([0-9a-f]{40}) ([0-9a-f]{40}) ")
_REF_LOCKS = (f"{REF}.lock", "HEAD.lock")
_SETTLE_S = 0.2


class BrokenRef(XysqError):
    """The file of the branch holds no commit id, as after a power cut under plain git."""

    code = "broken-ref"
    exit_status = 12

    def __init__(self, sentence: str) -> None:
        """Say what was found in its place."""
        super().__init__(f".git/{REF}: {sentence}", "run: xysq repair")


class RefMoved(XysqError):
    """Somebody else moved the branch in the meantime; nothing was changed."""

    code = "ref-moved"
    exit_status = 3

    def __init__(self, expected: str | None, found: str | None) -> None:
        """Name both commits."""
        super().__init__(f"{REF} is at {found or 'no commit'}, not at {expected or 'no commit'}", "try again")
        self.expected, self.found = expected, found


class RefLocked(XysqError):
    """A lock file of git's stands in the way of the branch."""

    code = "ref-locked"
    exit_status = 3

    def __init__(self, path: str) -> None:
        """Name the lock file."""
        super().__init__(f"git holds {path}", f"if no git is running here, remove {path}")


class Ref:
    """The branch of one vault."""

    def __init__(self, git: GitProcess, watch: Watcher = unwatched) -> None:
        """Bind to the repository of `git`."""
        self._git = git
        self._dir = git.git_dir
        self._files = Files(git.root, watch)

    def tip(self) -> str | None:
        """Return the commit of the branch, None where it has none yet; raise `BrokenRef` where it holds no id."""
        try:
            data = (self._dir / REF).read_bytes()
        except FileNotFoundError:
            return self._packed()
        except OSError as error:
            raise BrokenRef(f"cannot be read: {error.strerror}") from None
        match = _REF_FILE.fullmatch(data)
        if match is None:
            raise BrokenRef(_what_it_is(data))
        return match.group(1).decode("ascii")

    def _packed(self) -> str | None:
        with suppress(FileNotFoundError):
            for line in (self._dir / "packed-refs").read_bytes().split(b"\n"):
                id_, _, name = line.rstrip().partition(b" ")
                if name == REF.encode("ascii"):
                    if not _REF_FILE.fullmatch(id_):
                        raise BrokenRef("its line in packed-refs holds no commit id")
                    return id_.decode("ascii")
        return None

    def last_known(self) -> str | None:
        """Return the id that the last line of the branch's reflog moved it to."""
        data = self._files.read_or_none(f".git/logs/{REF}") or b""
        match = _REFLOG_LINE.match(data[data.rstrip(b"\n\0").rfind(b"\n") + 1 :])
        return match.group(2).decode("ascii") if match else None

    def moves(self) -> tuple[tuple[str, str], ...]:
        """Return from where to where the branch was moved, newest first; broken lines of its reflog are passed over."""
        data = self._files.read_or_none(f".git/logs/{REF}") or b""
        found = filter(None, map(_REFLOG_LINE.match, reversed(data.split(b"\n"))))
        return tuple((match.group(1).decode("ascii"), match.group(2).decode("ascii")) for match in found)

    def head_is_main(self) -> bool:
        """Tell whether this is a main worktree with HEAD on the branch; only there may xysq write."""
        try:
            return not self._dir.is_symlink() and bool(_HEAD_FILE.fullmatch((self._dir / "HEAD").read_bytes()))
        except OSError:
            return False

    def move(self, new: str, old: str | None, message: str, lock_fd: int | None) -> None:
        """Move the branch from `old` (None: it must not exist) to `new`, durably, or raise and change nothing.

        Raises `RefMoved` where it is elsewhere, `RefLocked` where git holds it. `message` goes to the reflog.
        """
        arguments = ("-m", safe_line(message), REF, checked_id(new), NO_COMMIT if old is None else checked_id(old))
        try:
            self._git.run("update-ref", "--no-deref", *arguments, lock_fd=lock_fd)
        except GitFailed:
            found = self.tip()
            if found != old:
                raise RefMoved(old, found) from None
            if (held := self._held()) is not None:
                raise RefLocked(f".git/{held}") from None
            raise
        self._files.sync_dir(f".git/{Path(REF).parent}")

    def restore(self, commit: str) -> None:
        """Put a commit into the branch's file whatever it holds, durably; the caller knows that it is broken."""
        self._files.replace(f".git/{REF}", f"{checked_id(commit)}\n".encode("ascii"))

    def clear_locks(self, commit: str) -> tuple[str, ...]:
        """Remove the lock files that a killed move to `commit` left; return their paths below `.git`.

        To be called under the vault lock and only where our own record says that the move had begun. Ours are a
        lock that holds exactly this commit, and one without a whole id that stays so: a living git fills or drops
        its own within microseconds, so nobody's work is behind it.
        """
        return tuple(name for name in _REF_LOCKS if self._is_left(self._dir / name, commit) and self._drop(name))

    def _is_left(self, path: Path, commit: str) -> bool:
        try:
            data, before = path.read_bytes(), path.stat()
            if _WHOLE_LOCK.fullmatch(data):
                return data == f"{commit}\n".encode("ascii")
            time.sleep(_SETTLE_S)
            after = path.stat()
        except OSError:
            return False
        return (before.st_ino, before.st_size, before.st_mtime_ns) == (after.st_ino, after.st_size, after.st_mtime_ns)

    def _drop(self, name: str) -> bool:
        return self._files.remove(f".git/{name}")

    def _held(self) -> str | None:
        return next((name for name in _REF_LOCKS if (self._dir / name).exists()), None)


def _what_it_is(data: bytes) -> str:
    if not data:
        return "is empty"
    if not data.strip(b"\0"):
        return "holds nothing but NUL"
    return "holds no commit id"
