"""Flush: the bytes of an open file, or the names in an open directory, onto the disk, and not only into its cache."""

import fcntl
import os
from contextlib import suppress

_FULL_SYNC: int | None = getattr(fcntl, "F_FULLFSYNC", None)


def flush(descriptor: int) -> None:
    """Return when the disk has it; raise OSError where it cannot be told. To be asked once: see `xysq.store.files`."""
    if _FULL_SYNC is not None:
        with suppress(OSError):  # file systems without it answer ENOTSUP; fsync below tells of real faults
            fcntl.fcntl(descriptor, _FULL_SYNC)
            return
    os.fsync(descriptor)
