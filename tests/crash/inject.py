"""Death and refusal at every system call with which a command writes, in xysq and in the gits it starts.

    python -m tests.crash.inject [POINTS] [SEED]

strace counts the calls of each writing command, by name, in each of its processes; of those that open a file, the ones
that open it for writing. For each (name, N) the command runs once more on the same vault, and the process that makes
its Nth call of that name dies of SIGKILL there; or the call fails, once, with EIO or ENOSPC, as a disk does that is
broken or full. Of all these points as many are taken as asked for, spread evenly over the commands.

Then the vault is recovered, proven by fsck, and compared with what it held before and after: a run is wholly there or
wholly absent, whatever was acknowledged is there, and where nothing was done the same command does it now. A refusal
ends with a status and one sentence. Prints a table; status 1 where anything was lost.
"""

import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path

from tests.crash.bench import Bench, Done
from tests.crash.commands import WRITING
from tests.crash.place import MEMORY, environment, program
from tests.crash.trace import CALLS, SKIPPED, why_not_traced

POINTS, SEED, WORKERS = 1600, 20261201, 2
KILL, EIO, ENOSPC = "signal=SIGKILL", "error=EIO", "error=ENOSPC"
_REFUSED = {
    EIO: re.compile(r"fsync|fdatasync|rename\w*|link\w*"),
    ENOSPC: re.compile(r"p?write(?:64|v)?|mkdir\w*|rename\w*"),
}
_LINE = re.compile(r"(\d+) +(\w+)\((.*)")
_OPENS, _TO_WRITE = re.compile(r"open\w*"), re.compile(r"O_(?:WRONLY|RDWR|CREAT)")


@dataclass(frozen=True)
class Point:
    """What is done to which call: its name, its number in its process."""

    name: str
    number: int
    what: str


@dataclass
class Outcome:
    """What came of a row."""

    label: str
    points: int = 0
    ends: Counter[str] = field(default_factory=Counter)
    lost: list[str] = field(default_factory=list)


class Strikes(Bench):
    """The bench, and how often the command makes which call."""

    def run_once(self) -> Done:
        """Run the command, counted."""
        done = self._strace(f"trace={CALLS}", "-o", str(self.home.parent / "counted"))
        if not done.returncode:
            self.numbers = _numbers((self.home.parent / "counted").read_text(encoding="utf-8", errors="replace"))
        return done

    def points(self) -> list[Point]:
        """Return every point there is."""
        found = []
        for name, numbers in sorted(self.numbers.items()):
            found += [Point(name, number, KILL) for number in numbers]
            for error, names in _REFUSED.items():
                if names.fullmatch(name):
                    found += [Point(name, number, error) for number in numbers]
        return found

    def _strace(self, what: str, *options: str, filtered: bool = True) -> Done:
        seccomp = ["--seccomp-bpf"] if filtered else []
        return subprocess.run(
            ["strace", "-f", "-qq", *seccomp, "-e", what, *options, *program(self.typed.arguments)],
            cwd=self.home,
            env=environment(self.home),
            input=self.typed.data,
            capture_output=True,
            check=False,
            timeout=300,
        )

    def prove_deadly(self) -> None:
        """Raise where a strike kills nobody: strace lets go of signals where it filters calls (6.1 does)."""
        inject = ["-e", f"inject=openat:{KILL}:when=1", "-o", os.devnull]
        if self._strace("trace=openat", *inject, filtered=False).returncode != -signal.SIGKILL:
            raise SystemExit("this strace kills nobody, so nothing would be proven")

    def struck(self, point: Point) -> Done:
        """Run the command, and do it to that call."""
        inject = ["-e", f"inject={point.name}:{point.what}:when={point.number}", "-o", os.devnull]
        return self._strace(f"trace={point.name}", *inject, filtered=point.what != KILL)

    def strike(self, point: Point) -> str:
        """Do it from the start; return what became of the vault: a word, or what was lost after `LOST`."""
        self.start.restore(self.home)
        return self.judged(self.struck(point), is_killed=point.what == KILL)


def _numbers(log: str) -> dict[str, list[int]]:
    """Return which calls of each name write, as they are numbered in the processes that make them."""
    made: Counter[tuple[str, str]] = Counter()
    writing: dict[str, set[int]] = {}
    for line in log.splitlines():
        match = _LINE.match(line)
        if match:
            process, name, rest = match.groups()
            made[process, name] += 1
            if not _OPENS.fullmatch(name) or _TO_WRITE.search(rest):
                writing.setdefault(name, set()).add(made[process, name])
    return {name: sorted(numbers) for name, numbers in writing.items()}


def strike_some(label: str, most: int, seed: int) -> Outcome:
    """Strike some of the points of one row."""
    writing = next(row for row in WRITING if row.label == label)
    with tempfile.TemporaryDirectory(prefix="xysq-inject-", dir=MEMORY if MEMORY.is_dir() else None) as name:
        bench = Strikes(writing, Path(name, "home"))
        points = bench.points()
        bench.prove_deadly()
        chance = random.Random(f"{seed} {label}")
        chosen = chance.sample(points, min(len(points), most))
        outcome = Outcome(label)
        for point in chosen:
            end = bench.strike(point)
            outcome.points += 1
            outcome.ends[end.partition(" ")[0]] += 1
            if end.startswith("LOST"):
                outcome.lost.append(f"{label}: {point.what} at {point.name} {point.number}: {end}")
        return outcome


def _strike(job: tuple[str, int, int]) -> Outcome:
    return strike_some(*job)


def run(points: int = POINTS, seed: int = SEED, labels: Sequence[str] = ()) -> list[Outcome]:
    """Strike every row, the long ones first."""
    rows = [row.label for row in sorted(WRITING, key=lambda row: row.whole) if not labels or row.label in labels]
    with get_context("spawn").Pool(WORKERS) as pool:
        return pool.map(_strike, [(row, -(-points // len(rows)), seed) for row in rows], chunksize=1)


def table(outcomes: Sequence[Outcome]) -> Iterator[str]:
    """Yield the lines of the table."""
    columns = ("before", "between", "after", "LOST")
    yield f"{'':16}{'points':>8}" + "".join(f"{column.lower():>9}" for column in columns)
    for one in outcomes:
        yield f"{one.label:16}{one.points:>8}" + "".join(f"{one.ends[column]:>9}" for column in columns)
    sums = "".join(f"{sum(one.ends[column] for one in outcomes):>9}" for column in columns)
    yield f"{'':16}{sum(one.points for one in outcomes):>8}{sums}"


def main() -> int:
    """Strike and print."""
    reason = why_not_traced()
    if reason:
        print(f"skipped: {reason}")
        return SKIPPED
    points = int(sys.argv[1]) if len(sys.argv) > 1 else POINTS
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else SEED
    began = time.monotonic()
    outcomes = run(points, seed)
    lost = [one for outcome in outcomes for one in outcome.lost]
    print("\n".join((*lost, *table(outcomes))))
    print(f"seed {seed}, {time.monotonic() - began:.0f} s, {len(lost)} lost")
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
