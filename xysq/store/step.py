"""Steps: the single changes a disk is asked for, told to whoever watches before each is made.

`Files` announces every step before it takes it. Nobody watches in ordinary use. A simulator of crashes records the
steps (which bytes were written, synced, renamed, and in which order), or raises from one of them: everything behind
that point is then missing on the disk, as it would be after a crash, because clean-up is made of steps too.
"""

from collections.abc import Callable
from enum import StrEnum

from xysq.frozen import frozen


class Op(StrEnum):
    """What is about to happen to one name or one file."""

    CREATE = "create"
    WRITE = "write"
    SYNC = "sync"
    LINK = "link"
    RENAME = "rename"
    EXCHANGE = "exchange"
    UNLINK = "unlink"
    MKDIR = "mkdir"
    RMDIR = "rmdir"
    CHMOD = "chmod"
    SYNC_DIR = "sync-dir"


@frozen
class Step:
    """One change: paths are relative to the root; `to` is the new name of a link, rename or exchange."""

    op: Op
    path: str
    to: str = ""
    data: bytes = b""


Watcher = Callable[[Step], None]


def unwatched(_step: Step) -> None:
    """Let a step pass."""
