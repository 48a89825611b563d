"""Readers that look without a pause while runs are applied: each sees the state of some commit, and never an older one.

    python -m tests.crash.readers [RUNS] [READERS]

A process applies runs one after the other; others list the open facts, search, and show a page, over and over. What
they saw is compared afterwards with the history: with the ledger folded up to each run, with the page as each commit
has it, with the same search as of each commit.

Prints a table; status 1 where somebody saw a state that is no commit's, or an older one after a newer one.
"""

import hashlib
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from itertools import groupby
from multiprocessing import get_context
from multiprocessing.synchronize import Event
from pathlib import Path

from tests.crash.place import MEMORY, at_home
from tests.crash.stage import watched
from xysq import Vault
from xysq.errors import NotFound
from xysq.ledger.fold import Fold
from xysq.store import segments

RUNS, READERS = 200, 2
PAGE = "pages/to/tom.md"
CALLS = ("ls facts", "search", "show")
_MOST = 2_000  # hits: more than there can be


def digest(items: Iterable[str]) -> str:
    """Return what tells a set of ids from every other."""
    return hashlib.sha256("\n".join(sorted(items)).encode()).hexdigest()


def found(vault: Vault, as_of: str | None = None) -> str:
    """Search for what Tom says; return which facts answer."""
    return digest(hit.id for hit in vault.search("tom lives", limit=_MOST, where=("facts",), as_of=as_of))


def look(vault: Vault, call: str) -> str:
    """Look once."""
    match call:
        case "ls facts":
            return digest(fact.id for fact in vault.facts(is_open=True))
        case "search":
            return found(vault)
        case _:
            try:
                return hashlib.sha256(vault.raw("tom")).hexdigest()
            except NotFound:
                return ""


def read_on(home: Path, is_over: Event, number: int) -> list[list[str]]:
    """Look until it is over, the last time after that; return what was seen by each call, in order, changes only."""
    seen: list[list[str]] = [[] for _ in CALLS]
    with at_home(home) as root:
        vault = Vault.open(root)
        is_last = False
        while not is_last:
            is_last = is_over.is_set()
            if number % 2:
                vault = Vault.open(root)
            for place, call in enumerate(CALLS):
                seen[place].append(look(vault, call))
    return seen


def write(root: Path, runs: int) -> None:
    """Apply runs, one after the other."""
    with Vault.open(root) as vault:
        for number in range(runs):
            vault.push_text(f"Tom: I live in City{number}.\n\nMaya: I like dish {number}.\n\n", "talk.txt")
            reports = vault.distill("rules")
            if not any(report.commit for report in reports):
                raise SystemExit("a run changed nothing; the harness would prove nothing")


def commits(root: Path) -> list[str]:
    """Return the commits of main, oldest first."""
    command = ("git", "-C", str(root), "rev-list", "--reverse", "main")
    return subprocess.run(command, capture_output=True, check=True).stdout.decode().split()


def states(root: Path) -> dict[str, list[str]]:
    """Return what each call may answer, by the history, oldest first."""
    fold, facts = Fold(), [digest(())]
    for _, events in groupby(segments.read_all(watched(root).files), key=lambda event: event.run):
        fold.extend(tuple(events))
        facts.append(digest(fact.id for fact in fold.every_fact() if fact.is_open))
    history = commits(root)
    with Vault.open(root) as vault:
        searched = [found(vault, commit) for commit in history]
    pages = [_page(root, commit) for commit in history]
    return dict(zip(CALLS, (facts, searched, pages), strict=True))


def _page(root: Path, commit: str) -> str:
    done = subprocess.run(("git", "-C", str(root), "show", f"{commit}:{PAGE}"), capture_output=True, check=False)
    return "" if done.returncode else hashlib.sha256(done.stdout).hexdigest()


def faults(seen: Sequence[str], lawful: Sequence[str]) -> list[str]:
    """Return what is wrong with the answers to one call, in the order in which one reader got them."""
    places: dict[str, list[int]] = {}
    for place, state in enumerate(lawful):
        places.setdefault(state, []).append(place)
    wrong, newest = [], 0
    for number, state in enumerate(seen):
        later = [place for place in places.get(state, ()) if place >= newest]
        if not later:
            wrong.append(f"look {number}: {'an older state' if state in places else 'a state of no commit'}")
        else:
            newest = later[0]
    if seen and seen[-1] != lawful[-1]:
        wrong.append("the last look did not see the last state")
    return wrong


def main() -> int:
    """Read while writing, compare, print the table."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else RUNS
    readers = int(sys.argv[2]) if len(sys.argv) > 2 else READERS
    wrong: list[str] = []
    with tempfile.TemporaryDirectory(prefix="xysq-readers-", dir=MEMORY if MEMORY.is_dir() else None) as name:
        home = Path(name) / "home"
        home.mkdir()
        context = get_context("spawn")
        with at_home(home) as root, context.Manager() as manager, context.Pool(readers) as pool:
            Vault.init(root, me="Maya").close()
            is_over = manager.Event()
            looking = [pool.apply_async(read_on, (home, is_over, number)) for number in range(readers)]
            try:
                write(root, runs)
            finally:
                is_over.set()
            answers = [one.get(timeout=120) for one in looking]
            lawful = states(root)
    print(f"{runs:,} runs, {readers} readers")
    for place, call in enumerate(CALLS):
        looks = sum(len(seen[place]) for seen in answers)
        different = len({state for seen in answers for state in seen[place]})
        print(f"{call:10} {looks:7,} looks, {different:4,} states seen of {len(set(lawful[call])):,}")
        for number, seen in enumerate(answers):
            wrong += [f"reader {number}, {call}: {fault}" for fault in faults(seen[place], lawful[call])]
        if different < min(runs, 10):
            wrong.append(f"{call}: hardly anything was seen; the harness proves nothing")
    print(f"{len(wrong):,} states that are no commit's, or older than one seen before")
    for fault in wrong[:20]:
        print(f"WRONG {fault}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
