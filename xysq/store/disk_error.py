"""What can go wrong between xysq and the disk, as errors, and the one place that makes them out of `OSError`.

A read that fails changes nothing. A change that fails leaves what was there before. A failed sync is an error of
its own: bytes whose sync failed are thrown away, never synced again (`xysq.store.files`).
"""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import ClassVar

from xysq.errors import Damaged, NotFound, XysqError


class AlreadyThere(XysqError):
    """A file that was to be new exists."""

    code: ClassVar[str] = "already-there"

    def __init__(self, path: str) -> None:
        """Name the file."""
        super().__init__(f"{path} is there already")
        self.path = path


class UnsafePath(Damaged):
    """A path leads through a link, or to something that is no ordinary file or directory."""

    code: ClassVar[str] = "unsafe-path"

    def __init__(self, path: str, sentence: str) -> None:
        """Name the path and what is wrong with it."""
        super().__init__(path, "0", sentence)
        self.hint = "xysq follows no links inside a vault"


_WAYS_OUT = {
    errno.EIO: "the disk failed, not the vault: type dmesg | tail, and go on when it can be read again",
    errno.EACCES: "it belongs to somebody else: type ls -l, or ask its owner",
    errno.EMFILE: "too many files are open: type ulimit -n 1024",
}


class NotRead(XysqError):
    """The system refused to read a file."""

    code: ClassVar[str] = "not-read"

    def __init__(self, path: str, error: OSError) -> None:
        """Name the file and the system's reason."""
        super().__init__(f"cannot read {path}: {_reason(error)}", _WAYS_OUT.get(error.errno or 0, ""))
        self.path, self.errno = path, error.errno


class NotWritten(XysqError):
    """The system refused a change; what was there before is still there."""

    code: ClassVar[str] = "not-written"

    def __init__(self, path: str, error: OSError) -> None:
        """Name the file and the system's reason."""
        super().__init__(f"cannot write {path}: {_reason(error)}", "nothing was lost; try again when that is mended")
        self.path, self.errno = path, error.errno


class NotSynced(NotWritten):
    """The system could not say that bytes are on the disk, so they count as not written."""

    code: ClassVar[str] = "not-synced"


def _reason(error: OSError) -> str:
    return os.strerror(error.errno) if error.errno else str(error)


def _unsafe(path: str, error: OSError) -> UnsafePath | None:
    """Return the error where a component was a link or no directory (what O_NOFOLLOW and O_DIRECTORY answer)."""
    if error.errno in (errno.ELOOP, errno.ENOTDIR):
        return UnsafePath(path, "leads through a link or something that is no directory")
    return None


@contextmanager
def reading(path: str) -> Iterator[None]:
    """Turn what the system says while a path is read into `NotFound`, `UnsafePath` or `NotRead`."""
    try:
        yield
    except FileNotFoundError:
        raise NotFound("file", path) from None
    except OSError as error:
        raise _unsafe(path, error) or NotRead(path, error) from error


@contextmanager
def writing(path: str) -> Iterator[None]:
    """Turn what the system says while a path is changed into `UnsafePath` or `NotWritten`."""
    try:
        yield
    except OSError as error:
        raise _unsafe(path, error) or NotWritten(path, error) from error


@contextmanager
def syncing(path: str) -> Iterator[None]:
    """Turn a failed sync into `NotSynced`."""
    try:
        yield
    except OSError as error:
        raise NotSynced(path, error) from error
