"""The medium: the file system a vault lies on, and which process holds a lock in it. Only looked at, never changed.

xysq rests on a local file system: atomic renames, locks between processes, an fsync that is honest. Over a network
none of the three can be counted on. What Linux tells in /proc is unknown elsewhere, and said to be.
"""

import fcntl
import os
import re
from contextlib import suppress
from pathlib import Path

from xysq.frozen import frozen

_MOUNTS, _LOCKS = Path("/proc/self/mountinfo"), Path("/proc/locks")
_NETWORK = re.compile(
    r"(nfs\d?|cifs|smb\d?|smbfs|9p|afs|ceph|lustre|gpfs|ncpfs|coda|davfs|fuse\.(sshfs|s3fs|rclone|.*drive.*))"
)
_VOLATILE = re.compile(r"(tmpfs|ramfs)")
_LOCK_LINE = re.compile(r"\d+: FLOCK +\w+ +\w+ +(-?\d+) +([0-9a-f]+):([0-9a-f]+):(\d+) ")


@frozen
class Medium:
    """What kind of file system it is ("" where that is not told), and how many bytes are free for us."""

    kind: str
    free_bytes: int

    @property
    def is_network(self) -> bool:
        """Whether it lies on another machine."""
        return _NETWORK.fullmatch(self.kind) is not None

    @property
    def is_volatile(self) -> bool:
        """Whether it is gone after a restart."""
        return _VOLATILE.fullmatch(self.kind) is not None


def medium_of(root: Path) -> Medium:
    """Return the medium that a directory lies on."""
    found = os.statvfs(root)
    return Medium(kind=_kind_of(root), free_bytes=found.f_bavail * found.f_frsize)


def is_ours(root: Path) -> bool:
    """Tell whether a directory belongs to who runs this."""
    return root.stat().st_uid == os.geteuid()


def holder_of(lock: Path) -> int | None:
    """Return the process that holds a flock on a file; 0 where one does and is not told, None where none does."""
    try:
        there = lock.stat()
    except OSError:
        return None
    try:
        told = _LOCKS.read_text("ascii", "replace")
    except OSError:
        return 0 if _is_held(lock) else None
    for match in _LOCK_LINE.finditer(told):
        process, major, minor, inode = int(match[1]), int(match[2], 16), int(match[3], 16), int(match[4])
        if inode == there.st_ino and (major, minor) == (os.major(there.st_dev), os.minor(there.st_dev)):
            return max(process, 0)
    return None


def _is_held(lock: Path) -> bool:
    opened = os.open(lock, os.O_RDONLY | os.O_CLOEXEC)
    try:
        fcntl.flock(opened, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(opened)
    return False


def _kind_of(root: Path) -> str:
    """Return the kind of the mount with the longest path above a directory."""
    place = os.path.realpath(root)
    best, kind = "", ""
    with suppress(OSError):
        for line in _MOUNTS.read_text("utf-8", "replace").splitlines():
            head, _, tail = line.partition(" - ")
            fields = head.split(" ")
            if len(fields) > 4 and tail:
                above = fields[4].encode("ascii", "backslashreplace").decode("unicode_escape")
                if len(above) >= len(best) and (place == above or place.startswith(above.rstrip("/") + "/")):
                    best, kind = above, tail.split(" ")[0]
    return kind
