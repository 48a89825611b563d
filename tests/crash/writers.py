"""Many writers on one vault, some of them killed: what was acknowledged is there, once, in one order (P2, P3, P10).

    python -m tests.crash.writers [PROCESSES OPERATIONS KILLS SEED]

Each process pushes new, grown and unchanged sources, adds to sources that all share, takes notes, reads, and now and
then distills or calls the command line. Every operation is told, synced, to a history of the writer's own before it is
begun and after it was answered. At random moments a writer is killed with SIGKILL: half of the time whoever holds the
vault's lock, half of the time with its children; a successor goes on in its place. Afterwards the vault is recovered,
distilled to the end and proven by fsck, and compared with the histories (`tests.crash.serial`).

Prints a table; status 1 where anything was lost, doubled, torn, or out of order.
"""

import ctypes
import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from tests.crash import serial
from tests.crash.deeds import Deed, History, Kind
from tests.crash.place import MEMORY, at_home, call
from tests.crash.trace import SKIPPED
from tests.crash.writer import OWNER, begin, history_path
from xysq import Vault
from xysq.store import layout
from xysq.store.medium import holder_of

PROCESSES, OPERATIONS, KILLS, SEED = 32, 200, 8, 20261202
_PR_SET_CHILD_SUBREAPER = 36
_LOOKS_EVERY_S = 0.1


@dataclass(frozen=True)
class Size:
    """How many writers there are, how much each does, how many are killed, and the seed."""

    processes: int = PROCESSES
    operations: int = OPERATIONS
    kills: int = KILLS
    seed: int = SEED


@dataclass
class Crowd:
    """The writers at work, by their processes, and what was done to them."""

    home: Path
    size: Size
    working: dict[int, int] = field(default_factory=dict)
    killed: Counter[str] = field(default_factory=Counter)
    ended_badly: list[str] = field(default_factory=list)

    def work(self) -> None:
        """Let all write to the end; kill some on the way."""
        chance = random.Random(self.size.seed)
        total = self.size.processes * self.size.operations
        marks = sorted(chance.randrange(total // 20, total * 19 // 20) for _ in range(self.size.kills))
        for number in range(self.size.processes):
            self._begin(number)
        while self.working:
            self._reap()
            if marks and self._told() >= marks[0]:
                marks.pop(0)
                time.sleep(chance.random() * 0.1)
                self._kill(chance)
            else:
                time.sleep(_LOOKS_EVERY_S)
        with suppress(ChildProcessError):
            while True:  # what a killed writer left behind was adopted, and is waited for
                os.waitpid(-1, 0)

    def _begin(self, number: int) -> None:
        self.working[begin(self.home, number, self.size.seed, self.size.operations)] = number

    def _told(self) -> int:
        """Return how many operations have been answered, about."""
        return sum(path.read_bytes().count(b"\n") for path in (self.home / "histories").iterdir()) // 2

    def _reap(self) -> None:
        """Take leave of those that ended; let a successor go on where one was killed."""
        with suppress(ChildProcessError):
            while True:
                process, status = os.waitpid(-1, os.WNOHANG)
                if not process:
                    return
                number = self.working.pop(process, None)
                if number is None:
                    continue
                if os.WIFSIGNALED(status):
                    self._begin(number)
                elif status:
                    self.ended_badly.append(f"writer {number} ended with {os.waitstatus_to_exitcode(status)}")

    def _kill(self, chance: random.Random) -> None:
        holder = holder_of(self.home / "vault" / layout.LOCK)
        if chance.random() < 1 / 2 and holder in self.working:
            who, victim = "with the lock", holder
        else:
            who, victim = "anywhere", chance.choice(sorted(self.working))
        if chance.random() < 1 / 2:
            who = f"{who}, with its children"
            os.killpg(victim, signal.SIGKILL)
        else:
            os.kill(victim, signal.SIGKILL)
        self.killed[who] += 1


def judged(home: Path, size: Size) -> tuple[serial.Case, list[str]]:
    """Recover, distill what is pending, prove the vault, and compare it with the histories."""
    deeds = [deed for number in range(size.processes) for deed in History(history_path(home, number)).read()]
    wrong = []
    if len(deeds) != size.processes * size.operations:
        wrong.append(f"{len(deeds)} operations were begun of {size.processes * size.operations}")
    for arguments in (("recover",), ("distill", "--drafter", "rules"), ("fsck", "--full")):
        done = call(home, arguments)
        if done.returncode:
            told = (done.stdout + done.stderr).decode()[-400:]
            wrong.append(f"{' '.join(arguments)} ended with {done.returncode}: {told}")
    with at_home(home) as root:
        case = serial.read(root, deeds)
    return case, [*wrong, *serial.faults(case)]


def row(kind: Kind, deeds: Sequence[Deed]) -> str:
    """Return the line of the table for one kind of operation."""
    mine = [deed for deed in deeds if deed.kind is kind]
    lasted = sorted((deed.ended or deed.begun) - deed.begun for deed in mine if deed.is_told) or [0]
    middle, longest = lasted[len(lasted) // 2] / 1e6, lasted[-1] / 1e6
    told = sum(deed.is_told for deed in mine)
    return f"{kind.value:10}{len(mine):>8,}{told:>14,}{len(mine) - told:>10,}{middle:>12,.0f}{longest:>12,.0f}"


def table(case: serial.Case, crowd: Crowd) -> Iterator[str]:
    """Yield the lines of the table."""
    yield f"{'':10}{'begun':>8}{'acknowledged':>14}{'cut off':>10}{'median ms':>12}{'longest ms':>12}"
    for kind in Kind:
        yield row(kind, case.deeds)
    killed = ", ".join(f"{count} {how}" for how, count in sorted(crowd.killed.items()))
    yield f"{crowd.killed.total()} killed: {killed or 'nobody'}"
    versions, sources = len(case.kept), len({one.meta.source for one in case.kept})
    yield f"{versions:,} versions of {sources:,} sources, {case.facts.total():,} facts, {len(case.runs):,} runs"


def run(size: Size) -> tuple[tuple[str, ...], list[str]]:
    """Let a crowd write; return the lines of the table, and what was wrong."""
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    with tempfile.TemporaryDirectory(prefix="xysq-writers-", dir=MEMORY if MEMORY.is_dir() else None) as name:
        home = Path(name, "home")
        (home / "histories").mkdir(parents=True)
        with at_home(home) as root:
            Vault.init(root, me=OWNER).close()
        crowd = Crowd(home, size)
        crowd.work()
        case, wrong = judged(home, size)
        return tuple(table(case, crowd)), [*crowd.ended_badly, *wrong]


def main(words: Sequence[str]) -> int:
    """Write, judge and print."""
    if sys.platform != "linux":
        print("skipped: who holds a lock is told by Linux only")
        return SKIPPED
    size = Size(*map(int, words))
    began = time.monotonic()
    lines, wrong = run(size)
    print("\n".join((*lines, *(f"WRONG {fault}" for fault in wrong))))
    told = f"{size.processes} writers, {size.operations} operations each, seed {size.seed}"
    print(f"{told}, {time.monotonic() - began:.0f} s, {len(wrong)} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
