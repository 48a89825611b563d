"""Locks: who may change the vault now, and who may land a source now.

A lock is a flock on a file that is never removed; the kernel ends it with the last process that holds its
descriptor, so there are no stale locks. The vault's lock is handed to git children by its descriptor (`fd`): an
orphan git that could still move the ref keeps the vault locked as long as it lives.

`VaultLock` orders everything that changes ledger, pages, read model and refs (P10). `SourceLock` is taken by a push
around its landing, one for each name under which a source is looked up, so two hooks at once make one source. A push
that holds a source's lock may take the vault's; the other way round is never done. Taking a lock that the same
thread already holds is a mistake in xysq and raises at once instead of waiting for itself.
"""

import fcntl
import os
import threading
import time
from types import TracebackType
from typing import Self

from xysq.errors import Busy
from xysq.store import layout
from xysq.store.files import Files
from xysq.store.path import folder_of

_FIRST_PAUSE_S, _LONGEST_PAUSE_S = 0.002, 0.05
_held = threading.local()


class _Lock:
    """One lock, held for the time of a `with` block."""

    def __init__(self, files: Files, path: str, what: str, timeout_s: float) -> None:
        """Remember what to lock and how long to wait for it."""
        self._files = files
        self._path = path
        self._what = what
        self._timeout_s = timeout_s
        self._fd: int | None = None

    @property
    def fd(self) -> int:
        """The descriptor that carries the lock, for children that must keep it alive."""
        if self._fd is None:
            raise RuntimeError(f"{self._what} is not locked")
        return self._fd

    def __enter__(self) -> Self:
        """Take the lock, or raise `Busy` when the time is over."""
        name = f"{self._files.root}/{self._path}"
        if self._fd is not None or name in _names_held():
            raise RuntimeError(f"{self._what} is locked by this thread already")
        self._files.make_dirs(folder_of(self._path))
        fd = self._files.open_lock(self._path)
        try:
            self._wait(fd)
        except BaseException:
            os.close(fd)
            raise
        self._fd = fd
        _names_held().add(name)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Let the lock go."""
        _names_held().discard(f"{self._files.root}/{self._path}")
        fd, self._fd = self.fd, None
        os.close(fd)

    def _wait(self, fd: int) -> None:
        end = time.monotonic() + self._timeout_s
        pause_s = _FIRST_PAUSE_S
        while True:
            try:
                fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                left_s = end - time.monotonic()
                if left_s <= 0:
                    raise Busy(self._what, self._timeout_s) from None
                time.sleep(min(pause_s, left_s))
                pause_s = min(pause_s * 2, _LONGEST_PAUSE_S)
            else:
                return


class VaultLock(_Lock):
    """The one lock under which the vault changes; `timeout_s` 0 asks once."""

    def __init__(self, files: Files, timeout_s: float) -> None:
        """Prepare to lock the vault."""
        super().__init__(files, layout.LOCK, "the vault", timeout_s)


class SourceLock(_Lock):
    """The lock on one look-up key of a source (`xysq.store.sources`), held while its bytes land."""

    def __init__(self, files: Files, key: str, timeout_s: float) -> None:
        """Prepare to lock a key."""
        super().__init__(files, layout.source_lock_path(key), "the source", timeout_s)


class SpentLock(_Lock):
    """The lock on what was spent, held while it is added to; nothing else is taken under it."""

    def __init__(self, files: Files, timeout_s: float) -> None:
        """Prepare to add to it."""
        super().__init__(files, layout.SPENT_LOCK, "what was spent", timeout_s)


def _names_held() -> set[str]:
    names: set[str] | None = getattr(_held, "names", None)
    if names is None:
        names = _held.names = set()
    return names
