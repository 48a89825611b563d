"""The same crash recovered twice, and recovery itself cut short: the same commit and the same bytes of the whole vault.

    python -m tests.crash.twice [CUTS] [SEED]

An apply is cut before every one of its steps. What is left is recovered three times from the same state: once whole and
then once more on top of that, once again from the beginning, and several times with the recovery cut before a step of
its own, sometimes cut again, and then run to its end. All of them have to come to the same bytes of every file in the
vault and the same commit: that of the run that was never cut, where it was decided, and the one before it otherwise.
Only the times in git's reflog may differ, and in how many files git keeps the entries of its index.

Prints a table; status 1 where two recoveries came to something different.
"""

import os
import random
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

from tests.crash.place import MEMORY, Snapshot, at_home
from tests.crash.stage import KNOWN, Cut, applied, faults, staged_vault, watched
from tests.crash.user_git import own_git
from xysq import Vault
from xysq.jobs.hold import hold
from xysq.store import wal
from xysq.store.step import Step, unwatched

CUTS, SEED, WORKERS = 600, 20261201, 2
LATE = b"Olga: I live in Bergen.\n\nMaya: I see.\n\n"
_MOMENT = re.compile(rb"> \d+ [+-]\d{4}\t")
_REFLOG = ".git/logs/"
_INDEX, _SHARED = ".git/index", ".git/sharedindex."
_LOCK, _OWN_LOCK = ".git/index.lock", ".git/xysq/index-lock"


@dataclass
class Knife:
    """Ends the process before step `at` (-1: never)."""

    at: int = -1
    taken: int = 0

    def __call__(self, _: Step) -> None:
        if self.taken == self.at:
            raise Cut
        self.taken += 1


def recover(root: Path, watch: Callable[[Step], None] = unwatched) -> None:
    """Take the lock, which is when everything is finished that a crash interrupted."""
    with hold(watched(root, watch), tidies=False):
        pass


def shape(root: Path) -> dict[str, bytes]:
    """Return the bytes of every file in the vault, and the folders; the times in the reflog are left out."""
    taken = Snapshot.take(root)
    files = {
        name: _MOMENT.sub(b"> ", data) if name.startswith(_REFLOG) else data for name, (_, data) in taken.files.items()
    }
    files = {name: data for name, data in files.items() if not name.startswith(_SHARED)}
    return files | dict.fromkeys(taken.folders, b"a folder") | {_INDEX: own_git(root, "ls-files --stage").encode()}


def difference(one: dict[str, bytes], other: dict[str, bytes]) -> str:
    """Say in which files two shapes differ; "" where in none."""
    return ", ".join(sorted(name for name in {*one, *other} if one.get(name) != other.get(name))[:4])


def make(root: Path) -> None:
    """Make a vault with a staged run, and a push that has only landed."""
    staged_vault(root)
    with Vault.open(root) as vault:
        vault.push_text(LATE, "late.txt", source="late", wait="landed")


class Crash:
    """What a crash left, put back as often as it is wanted; our lock on git's index is two names of one file."""

    def __init__(self, home: Path, root: Path) -> None:
        """Take it."""
        self._home, self._lock, self._own = home, root / _LOCK, root / _OWN_LOCK
        self._taken = Snapshot.take(home)
        self._is_one = self._lock.exists() and self._lock.samefile(self._own)

    def restore(self) -> None:
        """Put it back."""
        self._taken.restore(self._home)
        if self._is_one:
            self._lock.unlink()
            self._lock.hardlink_to(self._own)


class Trial:
    """One home, put back as often as it is wanted."""

    def __init__(self, home: Path, root: Path, chance: random.Random) -> None:
        """Make the vault and find out where it may end."""
        self.home, self.root, self.chance = home, root, chance
        make(root)
        self.ready = Snapshot.take(home)
        recover(root)
        self.settled = self._tip()
        self.ready.restore(home)
        knife = Knife()
        applied(watched(root, knife))
        self.steps, self.applied = knife.taken, self._tip()
        self.done: Counter[str] = Counter()

    def _tip(self) -> str:
        return watched(self.root).tip()

    def cut_at(self, at: int, share: int) -> Iterator[str]:
        """Cut the apply before a step, recover in every way; yield what differs."""
        self.ready.restore(self.home)
        with suppress(Cut):
            applied(watched(self.root, Knife(at)))
        opened = watched(self.root)
        is_decided = any(wal.is_decided(opened.files, run) for run in wal.list_runs(opened.files))
        was_applied = is_decided or not wal.list_runs(opened.files)
        crashed = Crash(self.home, self.root)
        knife = Knife()
        recover(self.root, knife)
        first, tip = shape(self.root), self._tip()
        if tip != (self.applied if was_applied else self.settled):
            yield f"cut {at}: {tip[:12]} is neither the commit before nor the one of the run that was never cut"
        yield from (f"cut {at}: fsck: {found}" for found in faults(self.root))
        self.done["cut, recovered"] += 1
        recover(self.root)
        yield from self._compared(first, f"cut {at}, recovered twice in a row")
        crashed.restore()
        recover(self.root)
        yield from self._compared(first, f"cut {at}, recovered again from the beginning")
        for _ in range(share):
            crashed.restore()
            cuts = [self.chance.randrange(max(knife.taken, 1)) for _ in range(self.chance.choice((1, 1, 2)))]
            for inner in cuts:
                with suppress(Cut):
                    recover(self.root, Knife(inner))
            recover(self.root)
            told = "cut" if len(cuts) == 1 else "cut twice"
            yield from self._compared(first, f"cut {at}, recovery {told} at {cuts}", f"recovery {told}")

    def _compared(self, first: dict[str, bytes], how: str, label: str = "") -> Iterator[str]:
        self.done[label or how.partition(", ")[2]] += 1
        differing = difference(first, shape(self.root))
        if differing:
            yield f"{how}: {differing}"


def work(job: tuple[int, int, int]) -> tuple[Counter[str], list[str]]:
    """Make one worker's share of the cuts."""
    share, count, seed = job
    with tempfile.TemporaryDirectory(prefix="xysq-twice-", dir=MEMORY if MEMORY.is_dir() else None) as name:
        home = Path(name) / "home"
        home.mkdir()
        with at_home(home) as root:
            trial = Trial(home, root, random.Random(seed + share))
            places = list(range(trial.steps))
            random.Random(seed).shuffle(places)
            inner = max(count // trial.steps - 3, 1)
            places = places[: max(count // (inner + 3), 1)]
            wrong = [fault for at in places[share::WORKERS] for fault in trial.cut_at(at, inner)]
    return trial.done, wrong


def main() -> int:
    """Cut and recover, print the table."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else CUTS
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else SEED
    done: Counter[str] = Counter()
    wrong: list[str] = []
    with get_context("spawn").Pool(min(WORKERS, os.cpu_count() or 1)) as pool:
        for some, found in pool.imap_unordered(work, [(share, count, seed) for share in range(WORKERS)]):
            done += some
            wrong += found
    print(f"seed {seed}, a vault that knows {len(KNOWN):,} bytes of talk")
    for label, number in sorted(done.items()):
        print(f"{label:36} {number:5,}")
    print(f"{done.total():,} recoveries, {len(wrong):,} came to something different")
    for fault in wrong[:30]:
        print(f"LOST {fault}")
    return 1 if wrong or not done else 0


if __name__ == "__main__":
    sys.exit(main())
