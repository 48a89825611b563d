"""The owner's own git at every step of an apply: commits, stashes, checkouts. Nothing is lost, the next command works.

    python -m tests.crash.user_git [TRIES] [SEED]

While a staged run is applied, its owner, who has edits of their own in the vault's directory, does something with git
before one of the steps; in half of the tries the process is killed there. Afterwards the next command either works or
names what to type, and works once that was typed. Then the vault holds what was acknowledged, the run wholly or not at
all, and the owner's words are where the owner put them: in the file, in a commit, in a stash.

Prints a table; status 1 where anything was lost.
"""

import os
import random
import shlex
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

from tests.crash.place import MEMORY, Snapshot, at_home
from tests.crash.stage import Cut, applied, faults, staged_vault, watched
from xysq import Vault
from xysq.errors import XysqError
from xysq.store.step import Step

TRIES, SEED, WORKERS = 600, 20261201, 2
OWN, OWN_WORDS, OWN_EDIT = "notes.txt", b"my own notes\n", b"my own notes\nand what I type just now\n"
NEXT = b"Maya: I like chess.\n\nNora: I like rowing.\n\n"
LATE = b"Olga: I live in Bergen.\n\nMaya: I see.\n\n"
KNOWN_VALUES, RUN_VALUES, NEXT_VALUES = ("Berlin", "Lisbon"), ("jazz", "Lima"), ("chess", "rowing")
DOINGS: dict[str, tuple[str, ...]] = {
    "commit -a": ("commit -q -a -m mine",),
    "commit of all": ("add -A", "commit -q -m mine"),
    "commit of a file": (f"commit -q -m mine -- {OWN}",),
    "stash": ("stash -q",),
    "stash and pop": ("stash -q", "stash pop -q"),
    "branch and back": ("checkout -q -b side", "checkout -q main"),
    "older and back": ("checkout -q older", "checkout -q main"),
    "branch and stay": ("checkout -q -b side",),
}
_OWNER = ("-c", "user.name=Maya", "-c", "user.email=maya@example.org")


def own_git(root: Path, words: str | Sequence[str]) -> str:
    """Run the owner's git, which may refuse; return what it printed."""
    arguments = shlex.split(words) if isinstance(words, str) else words
    command = ("git", "-C", str(root), *_OWNER, *arguments)
    return subprocess.run(command, capture_output=True, check=False).stdout.decode("utf-8", "replace")


@dataclass(frozen=True)
class Try:
    """What is done, before which step, and whether the process is killed then."""

    doing: str
    at: int
    is_killed: bool


@dataclass
class Owner:
    """Does something before step `at`, once."""

    root: Path
    one: Try
    taken: int = 0

    def __call__(self, _: Step) -> None:
        here, self.taken = self.taken, self.taken + 1
        if here == self.one.at:
            for words in DOINGS[self.one.doing]:
                own_git(self.root, words)
        if here >= self.one.at and self.one.is_killed:
            raise Cut


def make(root: Path) -> None:
    """Make the vault, with a file of the owner's and a branch that is older than the last commits."""
    staged_vault(root)
    (root / OWN).write_bytes(OWN_WORDS)
    own_git(root, f"add {OWN}")
    own_git(root, f"commit -q -m notes -- {OWN}")
    own_git(root, "branch older main~1")
    (root / OWN).write_bytes(OWN_EDIT)
    with Vault.open(root) as vault:
        vault.push_text(LATE, "late.txt", source="late", wait="landed")


def values(root: Path) -> str:
    """Return the texts of the open facts."""
    with Vault.open(root) as vault:
        return "\n".join(fact.text for fact in vault.facts(is_open=True))


def attempt(root: Path, one: Try) -> list[str]:
    """Apply while the owner does something; return what is wrong afterwards."""
    is_acknowledged = False
    said = ""
    try:
        with suppress(Cut):
            is_acknowledged = bool(applied(watched(root, Owner(root, one))))
    except XysqError as error:
        said = f"{error.sentence}; {error.hint}"
    try:
        wrong = list(_afterwards(root, is_acknowledged=is_acknowledged))
    except XysqError as error:
        wrong = [f"{error.code}: {error.sentence}; {error.hint}"]
    if not _has_own_words(root):
        wrong.append("the owner's words are gone")
    return [f"{one}: {found} [{said}]" for found in wrong]


def _afterwards(root: Path, *, is_acknowledged: bool) -> Iterator[str]:
    """Go on with the vault; yield what is wrong with it."""
    yield from _next_command(root)
    texts = values(root)
    yield from (f"{value} is gone" for value in KNOWN_VALUES if value not in texts)
    there = [value in texts for value in RUN_VALUES]
    if is_acknowledged and not all(there):
        yield "an acknowledged run is gone"
    if any(there) != all(there):
        yield "half of a run is there"
    yield from (f"fsck: {found}" for found in faults(root))
    with Vault.open(root) as vault:
        vault.push_text(NEXT, "next.txt", source="next")
        vault.distill("rules")
        vault.apply()
    texts = values(root)
    yield from (f"{value} does not come" for value in (*RUN_VALUES, *NEXT_VALUES) if value not in texts)
    with Vault.open(root) as vault:
        if vault.raw("late") != LATE:
            yield "a push is gone"
    yield from (f"fsck after the next run: {found}" for found in faults(root))


def _next_command(root: Path) -> Iterator[str]:
    """Recover, doing what is said where it cannot; yield what does not work then."""
    for _ in range(3):
        try:
            with Vault.open(root) as vault:
                vault.recover()
        except XysqError as error:
            if not error.hint.startswith("git "):
                yield f"no way on: {error.sentence}; {error.hint}"
                return
            own_git(root, shlex.split(error.hint.replace("VAULT", shlex.quote(str(root))))[3:])
        else:
            return
    yield "no way on: what is said does not help"


def _has_own_words(root: Path) -> bool:
    places = [own_git(root, ("show", f"{rev}:{OWN}")) for rev in ("main", "side", "stash@{0}")]
    return (root / OWN).read_bytes() == OWN_EDIT or OWN_EDIT.decode() in places


def work(job: tuple[int, int, int]) -> tuple[Counter[str], list[str]]:
    """Make one worker's share of the tries."""
    share, count, seed = job
    done: Counter[str] = Counter()
    wrong: list[str] = []
    with tempfile.TemporaryDirectory(prefix="xysq-git-", dir=MEMORY if MEMORY.is_dir() else None) as name:
        home = Path(name) / "home"
        home.mkdir()
        with at_home(home) as root:
            make(root)
            ready = Snapshot.take(home)
            counting = Owner(root, Try("", -1, is_killed=False))
            applied(watched(root, counting))
            every = [Try(doing, at, dies) for doing in DOINGS for at in range(counting.taken) for dies in (False, True)]
            random.Random(seed).shuffle(every)
            for one in every[:count][share::WORKERS]:
                ready.restore(home)
                wrong += attempt(root, one)
                done[f"{one.doing}{', killed' if one.is_killed else ''}"] += 1
    return done, wrong


def main() -> int:
    """Make the tries and print the table."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else TRIES
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else SEED
    done: Counter[str] = Counter()
    wrong: list[str] = []
    with get_context("spawn").Pool(min(WORKERS, os.cpu_count() or 1)) as pool:
        for some, found in pool.imap_unordered(work, [(share, count, seed) for share in range(WORKERS)]):
            done += some
            wrong += found
    print(f"seed {seed}")
    for label, number in sorted(done.items()):
        print(f"{label:24} {number:5,}")
    print(f"{done.total():,} doings, {len(wrong):,} faults")
    for fault in wrong[:40]:
        print(f"LOST {fault}")
    return 1 if wrong or not done else 0


if __name__ == "__main__":
    sys.exit(main())
