"""Looking through open descriptors: bytes of a file, names in a directory, whether a name still is that file."""

import os
import re
import stat

from xysq.store.disk_error import UnsafePath

TEMP = ".xysq-tmp-"
_TOLD_BYTES = 128
ROOT = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
DIRECTORY = ROOT | os.O_NOFOLLOW
READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK


def temp_name(number: str, name: str) -> str:
    """Return the name of a temp beside a file; one with a very long name is not told from others."""
    return f"{TEMP}{number}-{name}" if len(os.fsencode(name)) <= _TOLD_BYTES else f"{TEMP}{number}"


def is_temp_of(temp: str, name: str) -> bool:
    """Tell whether that is the name of a temp beside a file."""
    return re.fullmatch(rf"{re.escape(TEMP)}\d+-\d+-{re.escape(name)}", temp) is not None


def read_all(descriptor: int, start: int = 0, end: int | None = None) -> bytes:
    """Return bytes `[start, end)` of an open file, wherever its position is."""
    pieces = []
    stop = os.fstat(descriptor).st_size if end is None else end
    while start < stop:
        piece = os.pread(descriptor, stop - start, start)
        if not piece:
            break
        pieces.append(piece)
        start += len(piece)
    return b"".join(pieces)


def is_there(parent: int, name: str) -> bool:
    """Tell whether a name stands in an open directory, whatever it names."""
    try:
        os.stat(name, dir_fd=parent, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return True


def is_named(descriptor: int, parent: int, name: str) -> bool:
    """Tell whether an open file still is what its name stands for; a sweep may have come between."""
    try:
        return os.path.samestat(os.fstat(descriptor), os.stat(name, dir_fd=parent, follow_symlinks=False))
    except FileNotFoundError:
        return False


def names(opened: int) -> list[str]:
    """Return the names in an open directory, sorted."""
    with os.scandir(opened) as entries:
        return sorted(entry.name for entry in entries)


def collect(opened: int, below: str, found: list[str]) -> None:
    """Add the paths of all files in an open directory and below to `found`, without temps."""
    for name in names(opened):
        mode = os.stat(name, dir_fd=opened, follow_symlinks=False).st_mode
        if stat.S_ISDIR(mode):
            inner = os.open(name, DIRECTORY, dir_fd=opened)
            try:
                collect(inner, f"{below}{name}/", found)
            finally:
                os.close(inner)
        elif not stat.S_ISREG(mode):
            raise UnsafePath(f"{below}{name}", "is not a regular file")
        elif not name.startswith(TEMP):
            found.append(f"{below}{name}")


def collect_writable(opened: int, below: str, found: list[str]) -> None:
    """Add to `found` the paths of an open directory and of what is in it that everybody may write to; no links."""
    if os.fstat(opened).st_mode & stat.S_IWOTH:
        found.append(below.rstrip("/"))
    for name in names(opened):
        mode = os.stat(name, dir_fd=opened, follow_symlinks=False).st_mode
        if stat.S_ISDIR(mode):
            inner = os.open(name, DIRECTORY, dir_fd=opened)
            try:
                collect_writable(inner, f"{below}{name}/", found)
            finally:
                os.close(inner)
        elif mode & stat.S_IWOTH and stat.S_ISREG(mode):
            found.append(f"{below}{name}")
