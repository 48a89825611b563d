"""Directories in memory: a test that writes durably hundreds of times should not wait for a disk."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_MEMORY = Path("/dev/shm")  # noqa: S108 - private directories are made in it


@contextmanager
def scratch() -> Iterator[Path]:
    """Make an empty directory for the time of a block, in memory where the system has such a place."""
    with tempfile.TemporaryDirectory(prefix="xysq-test-", dir=_MEMORY if _MEMORY.is_dir() else None) as name:
        yield Path(name)
