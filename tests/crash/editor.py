"""An editor that saves a page at every step of an apply which touches that page: every edit is kept.

    python -m tests.crash.editor [EDITS] [SEED]

Editors save in several ways: into the file at once, into the file while it stays open for some steps, by a rename over
it, by a rename out of the way and a new file. Each way is tried at each step, on a page that the run changes and on one
that it makes; in half of the tries the process that applies is killed some steps later and the vault recovered, and the
editor goes on where it was. Beside that an editor in a thread of its own saves as fast as it can.

Kept means that what was typed last is what the page's file has, after apply and recovery; or, where another run has
met it since, that it was adopted: the file, whole, is in the record of a run, and its words are on the page. Prints a
table; status 1 where an edit was lost.
"""

import json
import os
import random
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path

from tests.crash.place import MEMORY, Snapshot, at_home
from tests.crash.stage import Cut, applied, faults, staged_vault, watched
from xysq import Vault
from xysq.jobs.hold import hold
from xysq.model.event import RunKind
from xysq.store import exchange, layout
from xysq.store.step import Step

EDITS, SEED, WORKERS = 1_000, 20261201, 2
RACES_OF = 10  # one try in so many is a race with a thread
NEXT_OF = 5  # and after one in so many another run follows
PAGES = ("pages/ma/maya.md", "pages/no/nora.md")
WORDS = b"Words of mine."
NEXT = b"Maya: I like chess.\n\nNora: I like rowing.\n\n"


def at_once(page: Path, text: bytes) -> Iterator[None]:
    """Save into the file."""
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_bytes(text)
    yield


def slowly(page: Path, text: bytes) -> Iterator[None]:
    """Save into the file, which is open for three steps."""
    page.parent.mkdir(parents=True, exist_ok=True)
    with page.open("r+b" if page.exists() else "wb") as file:
        yield
        file.truncate()
        file.write(text[:9])
        file.flush()
        yield
        file.write(text[9:])


def by_rename(page: Path, text: bytes) -> Iterator[None]:
    """Save into another file, which gets the name of the page."""
    page.parent.mkdir(parents=True, exist_ok=True)
    scratch = page.with_name(f".{page.name}.swp")
    scratch.write_bytes(text)
    yield
    scratch.rename(page)


def with_backup(page: Path, text: bytes) -> Iterator[None]:
    """Rename the page out of the way, then write a new one."""
    page.parent.mkdir(parents=True, exist_ok=True)
    with suppress(FileNotFoundError):
        page.rename(page.with_name(f"{page.name}~"))
    yield
    page.write_bytes(text)


WAYS: tuple[Callable[[Path, bytes], Iterator[None]], ...] = (at_once, slowly, by_rename, with_backup)


@dataclass
class Editor:
    """Begins to save before step `at`, one action a step; the process ends before step `cut` (-1: never)."""

    saving: Iterator[None]
    at: int
    cut: int = -1
    taken: int = field(default=0)

    def __call__(self, _: Step) -> None:
        if self.taken == self.cut:
            raise Cut
        if self.taken >= self.at:
            next(self.saving, None)
        self.taken += 1

    def finish(self) -> None:
        """Save to the end."""
        for _ in self.saving:
            pass


@dataclass(frozen=True)
class Try:
    """One edit: which page, in which way, before which step, with the process killed before which step."""

    page: str
    way: Callable[[Path, bytes], Iterator[None]]
    at: int
    cut: int
    number: int

    @property
    def is_race(self) -> bool:
        """Tell whether a thread saves without end instead."""
        return self.number % RACES_OF == RACES_OF - 1

    @property
    def label(self) -> str:
        """What the table calls it."""
        killed = "" if self.cut < 0 else ", killed"
        return f"{'racing' if self.is_race else self.way.__name__}{'' if self.is_race else killed}"


def attempt(root: Path, one: Try, chance: random.Random) -> str:
    """Apply while somebody saves; return "" where the edit was kept, else what is there instead."""
    page = root / one.page
    text = b"# typed %d\n\n%b\n" % (one.number, WORDS)
    if one.is_race:
        text = race(root, page, text)
    else:
        editor = Editor(one.way(page, text), one.at, one.cut)
        with suppress(Cut):
            applied(watched(root, editor))
        goes_on_first = chance.random() < 1 / 2
        if goes_on_first:
            editor.finish()
        with hold(watched(root)):
            pass
        editor.finish()
    if one.number % NEXT_OF == 0:
        with Vault.open(root) as vault:
            vault.push_text(NEXT, "next.txt", source="next")
            vault.distill("rules")
    found = page.read_bytes() if page.exists() else b""
    wrong = faults(root)
    if found != text and not (WORDS in found and text in adopted(root)):
        return f"{one} has {found[:60]!r}"
    return f"{one} leaves {wrong[:3]}" if wrong else ""


def adopted(root: Path) -> list[bytes]:
    """Return every file that was taken over as it lay there."""
    records = [json.loads(path.read_bytes()) for path in (root / layout.RUNS).rglob("*.json")]
    return [record["reply"].encode() for record in records if record["kind"] == RunKind.ADOPT.value]


def race(root: Path, page: Path, text: bytes) -> bytes:
    """Apply while a thread saves, by turns into the file and by a rename; return what it saved last."""
    is_over = threading.Event()
    saved: list[bytes] = []

    def save() -> None:
        while not is_over.is_set() or not saved:
            one = text + b"%d\n" % len(saved)
            for _ in (at_once if len(saved) % 2 else by_rename)(page, one):
                pass
            saved.append(one)
            time.sleep(0.0005)

    thread = threading.Thread(target=save)
    thread.start()
    try:
        applied(watched(root))
    finally:
        is_over.set()
        thread.join()
    return saved[-1]


def tries(steps: int, count: int, seed: int) -> Iterator[Try]:
    """Yield every way on every page before every step, over and over, half of them with the process killed."""
    chance = random.Random(seed)
    every = [(page, way, at) for at in range(steps) for way in WAYS for page in PAGES]
    for number in range(count):
        if number % len(every) == 0:
            chance.shuffle(every)
        page, way, at = every[number % len(every)]
        cut = chance.choice((at, at + 1, at + 2, chance.randrange(at, steps + 1)))
        yield Try(page, way, at, cut if number % 2 else -1, number)


def work(job: tuple[int, int, int]) -> tuple[Counter[str], list[str]]:
    """Make one worker's share of the tries."""
    share, count, seed = job
    done: Counter[str] = Counter()
    lost = []
    exchange._PAUSE_S = 0.0002
    with tempfile.TemporaryDirectory(prefix="xysq-editor-", dir=MEMORY if MEMORY.is_dir() else None) as name:
        home = Path(name) / "home"
        home.mkdir()
        with at_home(home) as root:
            staged_vault(root)
            ready = Snapshot.take(home)
            counting = Editor(iter(()), 1 << 30)
            applied(watched(root, counting))
            for one in tries(counting.taken, count, seed):
                if one.number % WORKERS != share:
                    continue
                ready.restore(home)
                loss = attempt(root, one, random.Random(one.number))
                done[one.label] += 1
                lost += [loss] if loss else []
    return done, lost


def main() -> int:
    """Make the tries and print the table."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else EDITS
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else SEED
    done: Counter[str] = Counter()
    lost: list[str] = []
    with get_context("spawn").Pool(min(WORKERS, os.cpu_count() or 1)) as pool:
        for some, gone in pool.imap_unordered(work, [(share, count, seed) for share in range(WORKERS)]):
            done += some
            lost += gone
    print(f"seed {seed}")
    for label, number in sorted(done.items()):
        print(f"{label:24} {number:5,} edits")
    print(f"{done.total() - len(lost):,} of {done.total():,} edits kept")
    for loss in lost[:20]:
        print(f"LOST {loss}")
    return 1 if lost or not done else 0


if __name__ == "__main__":
    sys.exit(main())
