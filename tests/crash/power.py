"""The power cut at the system calls of the writing commands, on real file systems: ext4 and XFS.

    python -m tests.crash.power [CUTS] [SEED] [ROW…]

Each file system lies in a file in memory, mounted through a loop device. The process dies at a call with which it
writes, or ends as it should; in the next moment the file system is shut down (`FS_IOC_SHUTDOWN`), so that whatever was
not synced is gone, with its journal flushed or not. It is mounted again, which replays the journal, and then the vault
is recovered, proven and compared as in `tests.crash.inject`: what was acknowledged is there.

That this loses anything at all is proved first: a file that was synced, name and bytes, must be there after a cut, one
that was not must not. It takes root, loop devices and strace; where they are missing it says so and is skipped. Prints
a table; status 1 where anything was lost.
"""

import fcntl
import gc
import os
import random
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path

from tests.crash.commands import WRITING, Writing
from tests.crash.inject import KILL, Outcome, Point, Strikes, table
from tests.crash.place import MEMORY
from tests.crash.trace import SKIPPED, why_not_traced

CUTS, SEED, WORKERS = 330, 20261201, 2
_SHUTDOWN = 0x8004587D  # _IOR('X', 125, __u32) of <linux/fs.h>
_FLUSHED, _UNFLUSHED = 1, 2  # with the journal flushed first, and without
_WAITS, _WAIT_S = 200, 0.02
ENDED = Point("exit", 0, "ended well")  # no call: the command ends as it should, then the power goes


@dataclass(frozen=True)
class Kind:
    """A kind of file system: how it is made and mounted, and how large it has to be, in bytes."""

    label: str
    make: tuple[str, ...]
    options: str
    size: int


KINDS = (
    Kind("ext4", ("mkfs.ext4", "-q", "-F"), "commit=600", 64 << 20),
    Kind("ext4 writeback", ("mkfs.ext4", "-q", "-F"), "commit=600,data=writeback", 64 << 20),
    Kind("xfs", ("mkfs.xfs", "-q", "-f"), "noatime", 320 << 20),
)


@dataclass
class Disk:
    """A file system in a file, and where it is mounted."""

    kind: Kind
    image: Path
    at: Path
    cuts: int = field(default=0)

    def mount(self) -> None:
        """Mount it; its journal is replayed where that is due."""
        _call("mount", "-o", f"loop,{self.kind.options}", str(self.image), str(self.at))

    def unmount(self) -> None:
        """Unmount it, as soon as the last process that died has let go of it, and this one of what it forgot."""
        gc.collect()
        for _ in range(_WAITS):
            if subprocess.run(["umount", str(self.at)], capture_output=True, check=False).returncode == 0:
                return
            time.sleep(_WAIT_S)
        _call("umount", str(self.at))

    def sync(self) -> None:
        """Make everything on it durable."""
        _call("sync", "-f", str(self.at))

    def cut(self) -> None:
        """Cut its power, by turns with its journal flushed and without, and mount what is left."""
        self.cuts += 1
        opened = os.open(self.at, os.O_RDONLY)
        try:
            fcntl.ioctl(opened, _SHUTDOWN, struct.pack("I", _FLUSHED if self.cuts % 3 == 0 else _UNFLUSHED))
        finally:
            os.close(opened)
        self.unmount()
        self.mount()

    def prove_lossy(self) -> None:
        """Raise where a cut loses what was synced, or nothing."""
        self.cuts = 0
        sure, unsure = self.at / "sure", self.at / "unsure"
        with sure.open("wb") as file:
            file.write(b"sure")
            file.flush()
            os.fsync(file.fileno())
        self.sync()
        unsure.write_bytes(b"unsure")
        self.cut()
        if sure.read_bytes() != b"sure" or (unsure.exists() and unsure.read_bytes() == b"unsure"):
            raise SystemExit(f"a cut of {self.kind.label} loses nothing, so nothing would be proven")
        sure.unlink()
        unsure.unlink(missing_ok=True)


def _call(*words: str) -> None:
    subprocess.run(words, check=True, capture_output=True, timeout=60)


@contextmanager
def disk(kind: Kind) -> Iterator[Disk]:
    """Make a file system and mount it for the time of a block."""
    with tempfile.TemporaryDirectory(prefix="xysq-power-", dir=MEMORY if MEMORY.is_dir() else None) as name:
        made = Disk(kind, Path(name, "image"), Path(name, "disk"))
        made.at.mkdir()
        with made.image.open("wb") as file:
            file.truncate(kind.size)
        _call(*kind.make, str(made.image))
        made.mount()
        try:
            yield made
        finally:
            made.unmount()


class Cuts(Strikes):
    """A home on a disk whose power is cut."""

    def __init__(self, writing: Writing, lies_on: Disk) -> None:
        """Make the home."""
        self.disk = lies_on
        super().__init__(writing, lies_on.at / "home")

    def cut(self, point: Point) -> str:
        """Let the process die at a call, or end, and cut the power; return what became of the vault."""
        self.start.restore(self.home)
        self.disk.sync()
        done = self.run_once() if point == ENDED else self.struck(point)
        self.disk.cut()
        return self.judged(done, is_killed=point != ENDED)


def cut_some(label: str, kind: Kind, most: int, seed: int) -> Outcome:
    """Cut the power at some of the points of one row, on one file system."""
    writing = next(row for row in WRITING if row.label == label)
    outcome = Outcome(f"{label}, {kind.label}")
    with disk(kind) as made:
        made.prove_lossy()
        bench = Cuts(writing, made)
        bench.prove_deadly()
        chance = random.Random(f"{seed} {label} {kind.label}")
        points = [point for point in bench.points() if point.what == KILL]
        for point in [ENDED, *chance.sample(points, min(len(points), most - 1))]:
            end = bench.cut(point)
            outcome.points += 1
            outcome.ends[end.partition(" ")[0]] += 1
            if end.startswith("LOST"):
                outcome.lost.append(f"{outcome.label}: {point.what} at {point.name} {point.number}: {end}")
    return outcome


def _cut(job: tuple[str, Kind, int, int]) -> Outcome:
    return cut_some(*job)


def missing(kind: Kind) -> str:
    """Say why a kind of file system cannot be had here; "" where it can."""
    try:
        with disk(kind) as made:
            made.prove_lossy()
    except FileNotFoundError as error:
        return f"{error.filename} is not installed"
    except subprocess.CalledProcessError as error:
        return f"{error.cmd[0]}: {error.stderr.decode('utf-8', 'replace').strip()[-120:]}"
    except OSError as error:
        return f"it cannot be shut down: {error.strerror}"
    return ""


def run(kinds: Sequence[Kind], cuts: int = CUTS, seed: int = SEED, labels: Sequence[str] = ()) -> list[Outcome]:
    """Cut the power of every row, or of those named; each on one kind of file system after the other."""
    rows = [row.label for row in sorted(WRITING, key=lambda row: row.whole) if not labels or row.label in labels]
    each = max(2, -(-cuts // len(rows)))
    jobs = [(row, kinds[place % len(kinds)], each, seed) for place, row in enumerate(rows)]
    with get_context("spawn").Pool(WORKERS) as pool:
        return pool.map(_cut, jobs, chunksize=1)


def main() -> int:
    """Cut and print."""
    faults = {kind: missing(kind) for kind in KINDS}
    kinds = [kind for kind, fault in faults.items() if not fault]
    reason = why_not_traced()
    for kind, fault in faults.items():
        if fault:
            print(f"skipped: {kind.label}: {fault}")
    if reason or not kinds:
        print(f"skipped: {reason or 'no file system can be cut here'}")
        return SKIPPED
    cuts = int(sys.argv[1]) if len(sys.argv) > 1 else CUTS
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else SEED
    began = time.monotonic()
    outcomes = run(kinds, cuts, seed, sys.argv[3:])
    lost = [one for outcome in outcomes for one in outcome.lost]
    print("\n".join((*lost, *table(outcomes))))
    print(f"seed {seed}, {time.monotonic() - began:.0f} s, {len(lost)} lost")
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
