"""Limits that a system sets: a full disk, a read-only one, another owner, few descriptors, small files, odd clocks.

    python -m tests.crash.limits [ROW…]

Each writing command runs under each limit. It either does all it does or ends with one sentence that names the cause,
acknowledges nothing that is not there, and does it once the limit is gone. The reading commands run on a full and on a
read-only file system and on a vault of another owner, and answer as ever. Real file systems in memory are mounted for
it, which takes root; without that it says so and is skipped.

Prints a table; status 1 where anything was lost, or where a reading command did not answer.
"""

import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path

from tests.crash.bench import Bench, Done, told_fault
from tests.crash.commands import MORE, TALK, WRITING
from tests.crash.place import at_home, environment, program
from tests.crash.trace import SKIPPED
from xysq import Vault

WORKERS, SIZE = 2, 96 << 20
NOBODY = "65534:65534"
# Root, to whom permissions mean what they mean to others.
UNPRIVILEGED = ("setpriv", "--bounding-set", "-dac_override,-dac_read_search,-fowner")
FREE = (0, 12 << 10, 64 << 10, 256 << 10)  # bytes left on a disk
READING = (
    ("status",),
    ("search", "Berlin"),
    ("recall", "Where does Maya live?"),
    ("ls", "facts"),
    ("ls", "sources"),
    ("show", "maya"),
    ("history", "maya"),
    ("diff", "HEAD~1..HEAD"),
    ("fsck",),
    ("fsck", "--fast"),
    ("verify",),
)


@dataclass
class Outcome:
    """What came of a limit: how its trials ended, and what was lost."""

    label: str
    ends: Counter[str] = field(default_factory=Counter)
    lost: list[str] = field(default_factory=list)


def run(
    home: Path,
    typed: Sequence[str],
    data: bytes = b"",
    before: Callable[[], None] | None = None,
    under: Sequence[str] = (),
) -> Done:
    """Run xysq in a home; `before` is done in its process before it starts, `under` is the program that starts it."""
    return subprocess.run(
        [*under, *program(typed)],
        cwd=home,
        env=environment(home),
        input=data,
        capture_output=True,
        check=False,
        timeout=120,
        preexec_fn=before,
    )


def few_descriptors(most: int) -> Callable[[], None]:
    """Return what lets a process open so many files at once."""
    return lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def small_files(most: int) -> Callable[[], None]:
    """Return what lets a process write files of so many bytes."""
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))


@contextmanager
def memory_disk() -> Iterator[Path]:
    """Mount a file system in memory for the time of a block."""
    with tempfile.TemporaryDirectory(prefix="xysq-limits-") as name:
        Path(name).chmod(0o755)
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "none", name], check=True, capture_output=True)
        try:
            yield Path(name)
        finally:
            subprocess.run(["umount", "-l", name], check=True)


@contextmanager
def filled(disk: Path, free: int) -> Iterator[None]:
    """Leave so many bytes free on a disk, in whole blocks."""
    ballast = disk / "ballast"
    with ballast.open("wb", buffering=0) as file, suppress(OSError):
        while file.write(bytes(1 << 20)):
            pass
    with ballast.open("ab", buffering=0) as file, suppress(OSError):
        while file.write(bytes(4 << 10)):
            pass
    with ballast.open("r+b") as file:
        file.truncate(max(0, ballast.stat().st_size - free))
    try:
        yield
    finally:
        ballast.unlink()


@contextmanager
def read_only(home: Path) -> Iterator[None]:
    """Let nobody write below a directory: it is mounted over itself, and that mount is read-only."""
    subprocess.run(["mount", "--bind", str(home), str(home)], check=True)
    try:
        subprocess.run(["mount", "-o", "remount,bind,ro", str(home)], check=True)
        yield
    finally:
        subprocess.run(["umount", "-l", str(home)], check=True)


def hardships(bench: Bench, disk: Path) -> Iterator[tuple[str, Done]]:
    """Run a command under every limit, each time from the beginning."""
    typed, data = bench.typed.arguments, bench.typed.data
    for free in FREE:
        bench.start.restore(bench.home)
        with filled(disk, free):
            done = run(bench.home, typed, data)
        yield f"disk with {free >> 10} KiB left", done
    bench.start.restore(bench.home)
    with read_only(bench.home):
        done = run(bench.home, typed, data)
    yield "read-only disk", done
    for most in (10, 16, 24):
        bench.start.restore(bench.home)
        yield f"{most} descriptors", run(bench.home, typed, data, few_descriptors(most))
    for most in (512, 16 << 10):
        bench.start.restore(bench.home)
        yield f"files of {most:,} bytes", run(bench.home, typed, data, small_files(most))


def try_row(label: str) -> list[Outcome]:
    """Try a writing command under every limit."""
    outcomes: dict[str, Outcome] = {}
    with memory_disk() as disk:
        bench = Bench(next(row for row in WRITING if row.label == label), disk / "home")
        for limit, done in hardships(bench, disk):
            outcome = outcomes.setdefault(limit, Outcome(limit))
            end = bench.judged(done, is_killed=False)
            outcome.ends[end.partition(" ")[0]] += 1
            if end.startswith("LOST"):
                outcome.lost.append(f"{label}, {limit}: {end}")
    return list(outcomes.values())


def read_all() -> list[Outcome]:
    """Let the reading commands read where nobody can write, and what another owns."""
    with memory_disk() as disk:
        home = disk / "home"
        home.mkdir()
        with at_home(home) as root, Vault.init(root, me="Maya") as vault:
            for number, talk in enumerate((TALK, MORE)):
                vault.push_text(talk, f"talk{number}.txt", source=f"talk{number}")
                vault.distill("rules")
        usual = [run(home, typed) for typed in READING]
        outcomes = [_same("reading as usual", usual, usual)]
        with filled(disk, 0):
            outcomes.append(_same("reading on a full disk", usual, [run(home, typed) for typed in READING]))
        with read_only(home):
            outcomes.append(_same("reading on a read-only disk", usual, [run(home, typed) for typed in READING]))
        subprocess.run(["chmod", "-R", "a+rX", str(root)], check=True)
        subprocess.run(["chown", "-R", NOBODY, str(root)], check=True)
        theirs = [run(home, typed, under=UNPRIVILEGED) for typed in READING]
        outcomes.append(_same("reading what another owns", usual, theirs))
        done = run(home, ("note", "I like black tea."), under=UNPRIVILEGED)
        fault = told_fault(done) or ("" if done.returncode else "was acknowledged")
        writing = Outcome("writing to what another owns", Counter({"refused": 1}), [fault] if fault else [])
        return [*outcomes, writing]


def _same(label: str, usual: Sequence[Done], found: Sequence[Done]) -> Outcome:
    outcome = Outcome(label)
    for typed, one, other in zip(READING, usual, found, strict=True):
        outcome.ends["answered"] += other.returncode == 0
        if other.returncode or other.stdout != one.stdout:
            said = other.stderr.decode()[-200:]
            outcome.lost.append(f"{' '.join(typed)}, {label}: status {other.returncode}, {said!r}")
    return outcome


def table(outcomes: Sequence[Outcome]) -> Iterator[str]:
    """Yield the lines of the table."""
    columns = ("before", "between", "after", "answered", "refused")
    yield f"{'':32}" + "".join(f"{column:>10}" for column in columns) + f"{'lost':>10}"
    sums: dict[str, Outcome] = {}
    for one in outcomes:
        total = sums.setdefault(one.label, Outcome(one.label))
        total.ends += one.ends
        total.lost += one.lost
    for one in sums.values():
        yield f"{one.label:32}" + "".join(f"{one.ends[column]:>10}" for column in columns) + f"{len(one.lost):>10}"


def main() -> int:
    """Try and print."""
    try:
        with memory_disk():
            pass
    except (subprocess.CalledProcessError, FileNotFoundError):
        print("skipped: no file system can be mounted here")
        return SKIPPED
    began = time.monotonic()
    rows = [row.label for row in WRITING if len(sys.argv) == 1 or row.label in sys.argv[1:]]
    with get_context("spawn").Pool(WORKERS) as pool:
        reading = pool.apply_async(read_all)
        outcomes = [one for some in pool.map(try_row, rows, chunksize=1) for one in some] + reading.get()
    lost = [fault for outcome in outcomes for fault in outcome.lost]
    print("\n".join((*lost, *table(outcomes))))
    print(f"{time.monotonic() - began:.0f} s, {len(lost)} lost")
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
