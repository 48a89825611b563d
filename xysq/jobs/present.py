"""Present: whether what the history has is still there on the disk (P12).

The disk is the truth, but one from which lines or files vanished must not be taken for a vault that never had them:
the next run would be built on what is left, and its commit would make the loss look like it was meant.
"""

from xysq.errors import Damaged, Diverged
from xysq.jobs.fork import fork
from xysq.jobs.opened import Opened
from xysq.model.event import Head
from xysq.store import layout, segments


def prove_one_history(opened: Opened, tip: str) -> None:
    """Raise `Diverged` where the ledger and the commit are of two clones that went on apart."""
    parted = fork(opened, tip)
    if parted is not None and parted.is_of_two_clones:
        here, there = (f"event {head.n} ({head.hash[:12]})" for head in (parted.end_here, parted.end_there))
        raise Diverged(
            f"the ledger here ends at {here}, that of main at {there}, and neither goes on from the other",
            "keep both, and put main back to the clone whose ledger lies here: git reflog main",
        )


def prove_ledger(opened: Opened, tip: str, head: Head) -> None:
    """Raise `Damaged` where the ledger lacks anything that the commit has, or does not end at `head`."""
    end = segments.tail(opened.files)
    path, behind = layout.segment_path(max(end.number, 1)), layout.segment_path(end.number + 1)
    with opened.repository.reader() as reader:
        if reader.blob_id(tip, behind) is not None:
            raise Damaged(behind, "0", "the history has it, the disk has not")
        committed = reader.blob_id(tip, path)
        lines = b"" if committed is None else reader.payload(committed, "blob")
    if not end.data.startswith(lines):
        line = end.data.count(b"\n") + 1 if lines.startswith(end.data) else first_difference(lines, end.data)
        raise Damaged(path, str(line), "the history has other lines here than the disk")
    if end.head != head:
        raise Damaged(path, "0", f"ends at event {end.head.n}, the last committed run at {head.n}")


def first_difference(one: bytes, other: bytes) -> int:
    """Return the number of the first line that differs."""
    pairs = zip(one.split(b"\n"), other.split(b"\n"), strict=False)
    common = min(one.count(b"\n"), other.count(b"\n"))
    return next((number for number, (mine, yours) in enumerate(pairs, 1) if mine != yours), common + 1)
