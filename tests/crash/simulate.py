"""Every state in which a power cut may leave a vault, as far as they can be told apart, each recovered and judged.

    python -m tests.crash.simulate [STATES] [SEED] [ROW…]

Each writing command runs once, traced. From its trace the states are built that a disk may be in when the power goes
(`tests.crash.disk`), after every single change; each distinct one is laid down in memory, recovered in process, and
what stands then is compared, byte for byte and by commit id, with what recovery makes of the plain prefixes of the
trace. Those are few, and each of them is proven whole by fsck and told apart: the state before, the one after, or a
step between that the command may stop at. What was acknowledged before the cut must be there.

Prints a table; status 1 where a state was lost.
"""

import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from multiprocessing import get_context
from pathlib import Path

from tests.crash.commands import WRITING, Call, Writing, prepare
from tests.crash.disk import Disk, Image, Node
from tests.crash.place import MEMORY, Snapshot, at_home
from tests.crash.trace import SKIPPED, Did, Event, record, why_not_traced
from xysq import Vault
from xysq.canonical import sha256_hex
from xysq.errors import XysqError
from xysq.jobs.hold import hold
from xysq.jobs.init import vault_id
from xysq.jobs.opened import Opened
from xysq.model.source import Channel
from xysq.store import layout, queue, wal
from xysq.store.descriptor import TEMP
from xysq.store.files import Files
from xysq.store.git_object_file import OBJECTS
from xysq.store.git_ref import REF
from xysq.vault import place

STATES, SEED, WORKERS = 100_000, 20261201, 2
_MOST, _DEEP, _POINTS = 26, 4, 3
_SAMPLE, _DOUBTED = 200, 20
_KEPT = (layout.LEDGER, layout.RUNS, layout.PAGES, layout.LOGS)
_OWN = (layout.SETTINGS, layout.SCHEMA, ".gitattributes")
_UNREAD = (".git/logs", f"{layout.WAL}/tmp-", f"{layout.LOCAL}/index-next")  # noqa: S108 - names in a vault
_SHARED = (".git/objects/",)  # files that nobody changes in place

Final = tuple[object, ...]


@dataclass
class Outcome:
    """What came of a row: states built, distinct ones, what was recovered to what, what was lost."""

    label: str
    events: int = 0
    built: int = 0
    distinct: int = 0
    judged: int = 0
    ends: int = 0
    proven: int = 0
    lost: list[str] = field(default_factory=list)


def erase(folder: str) -> None:
    """Remove a directory with all in it."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                erase(entry.path)
            else:
                Path(entry.path).unlink()
    Path(folder).rmdir()


class Bench:
    """Where states are laid down: a home, a store of files to link to, the read models that may stand beside it."""

    def __init__(self, writing: Writing, home: Path) -> None:
        """Make the home of a writing command."""
        self.writing, self.home = writing, home
        self.typed: Call = prepare(writing, home)
        self.is_elsewhere = writing.label in {"init", "hook install"}
        self.root = home if self.is_elsewhere else home / "vault"
        self.store = home.parent / f"{home.name}.store"
        self.store.mkdir()
        self.before = Snapshot.take(home)
        self.start = Snapshot.take(self.root)
        self.events: tuple[Event, ...] = record(home, self.typed, self.root)
        self.after = Snapshot.take(home)
        self.made = "" if writing.label == "hook install" else vault_id(Files(home / "vault"))
        self.above = "vault/" if self.is_elsewhere else ""
        self._kept_after = home.parent / f"{home.name}.after"
        self._objects: dict[str, frozenset[str]] = {}
        self._stored: dict[tuple[int, bytes], str] = {}

    def lay(self, image: Image, *, model: int = 0) -> None:
        """Lay a state down; the read model is that of before (0), none (1), or that of after (2)."""
        if self.root != self.home:
            for name in ("vault", "cache"):
                with suppress(FileNotFoundError):
                    erase(str(self.home / name))
            known = (self.before, None, self.after)[model]
            for name, (mode, data) in () if known is None else known.files.items():
                if name.startswith("cache/"):
                    (self.home / name).parent.mkdir(parents=True, exist_ok=True, mode=0o700)
                    _write(f"{self.home}/{name}", mode, data)
        else:
            erase(str(self.home))
        root = str(self.root)
        self.root.mkdir(0o700)
        for name in sorted(image.folders):
            (self.root / name).mkdir(0o700)
        links: dict[Node, str] = {}
        for name, (mode, data, node) in image.files.items():
            path = f"{root}/{name}"
            if name.startswith(_SHARED):
                os.link(self._kept(mode, data), path)
            elif node in links:
                os.link(links[node], path)
            else:
                _write(path, mode, data)
                links[node] = path
        for name, mode in image.folders.items():
            if mode != 0o700:
                (self.root / name).chmod(mode)

    def essence(self, image: Image) -> bytes:
        """Return what tells a state from others for recovery: what it opens, by the rules of `_is_opened`."""
        ref = image.files.get(f"{self.above}.git/{REF}", (0, b"", None))[1].decode("latin-1").strip()
        if ref and ref not in self.commits:
            return image.digest()
        reached = self._reached(ref) if ref else frozenset()
        index = image.files.get(f"{self.above}.git/index", (0, b"", None))[1]
        cut = len(self.above)
        folders = {name: mode for name, mode in image.folders.items() if _is_opened(name[cut:], reached, index)}
        files = {name: file for name, file in image.files.items() if _is_opened(name[cut:], reached, index)}
        return Image(folders, files).digest()

    @cached_property
    def commits(self) -> frozenset[str]:
        """The commits there are after the command."""
        if not (self.home / "vault" / ".git").is_dir():
            return frozenset()
        return frozenset(self._git("rev-list", REF))

    def _reached(self, commit: str) -> frozenset[str]:
        if commit not in self._objects:
            lines = self._git("rev-list", "--objects", commit)
            self._objects[commit] = frozenset(line.split(" ")[0] for line in lines)
        return self._objects[commit]

    def _git(self, *arguments: str) -> list[str]:
        """Ask git about the vault as it is after the command, whatever lies in its place now."""
        if not self._kept_after.is_dir():
            self.after.below("vault/").restore(self._kept_after)
        command = ["git", "-C", str(self._kept_after), *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()

    def _kept(self, mode: int, data: bytes) -> str:
        found = self._stored.get((mode, data))
        if found is None:
            found = self._stored[mode, data] = f"{self.store}/{len(self._stored)}"
            _write(found, mode, data)
        return found

    def recover(self) -> Final:
        """Open what was laid down as the next command does, and return what stands then."""
        match self.writing.label:
            case "hook install":
                return tuple(sorted((path.name, path.read_bytes()) for path in (self.home / ".claude").glob("s*")))
            case "init":
                place.make(self.root / "vault", "Maya", 30.0)
        opened = place.opened(place.find_root(self.home / "vault"), 30.0, Channel.CLI)
        if self.writing.mends:
            with Vault.open(self.home / "vault") as vault:
                vault.repair()
        with hold(opened):
            pass
        if self.writing.label == "init":
            return new(opened, self.made)
        return final(opened)


def _is_opened(path: str, reached: frozenset[str], index: bytes) -> bool:
    """Tell whether recovery can come to depend on a file or folder of a vault whose branch is whole.

    It does not on temps, which are swept whatever they hold, nor on a run that was being thrown away; not on objects
    that no commit leads to, which are written anew over what is there; not on the reflog, nor on copies of the index
    that the index does not name. A share of the states that differ only so is recovered all the same.
    """
    name = path.rpartition("/")[2]
    if path.startswith(f"{OBJECTS}/"):
        return path.removeprefix(f"{OBJECTS}/").replace("/", "") in reached
    if name.startswith("sharedindex"):
        return name.startswith("sharedindex.") and bytes.fromhex(name.partition(".")[2]) in index
    return not (name.startswith(TEMP) or path.startswith(_UNREAD))


def _write(path: str, mode: int, data: bytes) -> None:
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
        file.write(data)


def final(opened: Opened) -> Final:
    """Return everything that a vault stands for, byte for byte."""
    files = opened.files
    kept = [(path, sha256_hex(files.read(path))) for path in _OWN if files.exists(path)]
    for folder in _KEPT:
        kept += sorted(_below(opened.root, folder))
    runs = tuple(wal.list_runs(files))
    given_up = tuple(str(one.row) for one in queue.attempts(files))
    return opened.tip(), tuple(kept), runs, given_up, opened.repository.head_is_main(), index_of(opened)


def new(opened: Opened, made: str) -> Final:
    """Return the same of a vault that was made just now: its id is either the one the first try chose, or a new one."""
    _, kept, *others, index = final(opened)
    names = [tuple(name for name, _ in pairs) for pairs in (kept, index)]  # type: ignore[attr-defined]
    return opened.vault_id == made, names[0], *others, names[1]


def _below(root: Path, folder: str) -> Iterator[tuple[str, str]]:
    for above, _, names in os.walk(root / folder):
        for name in names:
            if name.startswith(TEMP):  # left by the dead, swept in time, and nothing that anybody reads
                continue
            path = Path(above, name)
            yield path.relative_to(root).as_posix(), sha256_hex(path.read_bytes())


_indexes: dict[tuple[bytes, ...], tuple[object, ...]] = {}


def index_of(opened: Opened) -> tuple[object, ...]:
    """Return what git's index lists; asked of git once for each index there is."""
    folder = opened.root / ".git"
    parts = [path.name.encode() + path.read_bytes() for path in sorted(folder.glob("sharedindex.*"))]
    with suppress(FileNotFoundError):
        parts.append((folder / "index").read_bytes())
    key = tuple(parts)
    if key not in _indexes:
        _indexes[key] = opened.repository.indexed()
    return _indexes[key]


class Simulation:
    """All states of one row."""

    def __init__(self, bench: Bench, states: int, chance: random.Random) -> None:
        self.bench, self.chance = bench, chance
        self.most = states
        self.outcome = Outcome(bench.writing.label, events=len(bench.events))
        self.plain: dict[Final, int] = {}
        self.seen: set[bytes] = set()
        self.known: set[tuple[bytes, bool, bool]] = set()
        tells = [number for number, event in enumerate(bench.events, 1) if event.did is Did.TELL]
        self.told_at = tells[0] if tells else len(bench.events)

    def run(self) -> Outcome:
        """Recover everything."""
        self._plain_prefixes()
        disk = Disk(self.bench.start)
        for number in range(len(self.bench.events) + 1):
            if number:
                disk.take(self.bench.events[number - 1])
            for image in disk.images(self.most, self.chance):
                self.outcome.built += 1
                digest = image.digest()
                if digest in self.seen:
                    continue
                self.seen.add(digest)
                essence = self.bench.essence(image)
                key = (essence, number == len(self.bench.events), number >= self.told_at)
                if key not in self.known or self.chance.randrange(_DOUBTED) == 0:
                    self.known.add(key)
                    self._judge(image, number)
        self.outcome.distinct = len(self.seen)
        return self.outcome

    def _plain_prefixes(self) -> None:
        """Find out what recovery makes of the plain prefixes, and prove each of those ends."""
        disk, end = Disk(self.bench.start), None
        for number in range(len(self.bench.events) + 1):
            if number:
                disk.take(self.bench.events[number - 1])
            end = self._recovered(next(disk.images(0, self.chance)), f"plain {number}")
            if end is not None and end not in self.plain:
                self.plain[end] = number
                self._prove(f"plain {number}", end)
        self.outcome.ends = len(self.plain)
        self.last = end

    def _recovered(self, image: Image, where: str, model: int = 0) -> Final | None:
        self.bench.lay(image, model=model)
        try:
            return self.bench.recover()
        except (XysqError, OSError) as error:
            self._lose(where, f"{type(error).__name__}: {error}")
            return None

    def _lose(self, where: str, why: str) -> None:
        self.outcome.lost.append(f"{self.bench.writing.label}: {where}: {why}")

    def _judge(self, image: Image, number: int) -> None:
        self.outcome.judged += 1
        where = f"after {number} ({_told(self.bench.events[number - 1]) if number else 'nothing'})"
        end = self._recovered(image, where, self.chance.choice((0, 0, 0, 0, 1, 2)))
        if end is None:
            return
        if end not in self.plain:
            self._lose(where, f"neither before nor after: {self._difference(end)}")
        elif number == len(self.bench.events) and end != self.last:
            self._lose(where, f"acknowledged, and not there: {self._difference(end)}")
        elif number >= self.told_at and not self._tells(end):
            self._lose(where, f"told, and not there: {self._difference(end)}")
        elif self.chance.randrange(_SAMPLE) == 0:
            self._prove(where, end)

    def _tells(self, end: Final) -> bool:
        """Tell whether an end has what the first printed line promised."""
        if not self.bench.writing.tells or self.last is None:
            return end == self.last
        logs = [{one for one in kept[1] if one[0].startswith("logs/")} for kept in (end, self.last)]  # type: ignore[attr-defined]
        return logs[0] == logs[1]

    def _difference(self, end: Final) -> str:
        return "there is no state after" if self.last is None else _differing(end, self.last)

    def _prove(self, where: str, end: Final) -> None:
        """Let fsck look at the whole, and let recovery do it once more."""
        if self.bench.writing.label == "hook install":
            return
        with Vault.open(self.bench.home / "vault") as vault:
            faults = [finding for finding in vault.fsck() if not finding.note]
        self.outcome.proven += 1
        if faults:
            self._lose(where, f"fsck: {faults[0]}")
        if self.bench.recover() != end:
            self._lose(where, "recovering once more changed something")


def _differing(end: Final, wanted: Final) -> str:
    """Say in which parts two ends differ, and how."""
    names = ("tip", "files", "staged", "given up", "head", "index")
    return "; ".join(
        f"{name}: {_less(one, other)}" for name, one, other in zip(names, end, wanted, strict=False) if one != other
    )


def _less(one: object, other: object) -> str:
    if isinstance(one, tuple) and isinstance(other, tuple):
        return f"{sorted(set(one) ^ set(other))[:2]}"
    return f"{one!s:.12} for {other!s:.12}"


def _told(event: Event) -> str:
    return f"{event.did.value} {event.path}{' to ' + event.to if event.to else ''}"


def cut_again(bench: Bench, most: int, chance: random.Random) -> Outcome:
    """Cut recovery short as its command was: whatever it leaves is recovered to the same commit and the same bytes."""
    outcome = Outcome(f"  {bench.writing.label}, again")
    disk = Disk(bench.start)
    points = sorted(chance.sample(range(1, len(bench.events)), min(_POINTS, len(bench.events) - 1)))
    for number, event in enumerate(bench.events, 1):
        disk.take(event)
        if number not in points:
            continue
        image = next(disk.images(0, chance))
        bench.lay(image)
        wanted = bench.recover()
        bench.lay(image)
        events = record(bench.home, Call(("recover",)), bench.root)
        second = Disk(image)
        outcome.events += len(events)
        seen: set[bytes] = set()
        for step in events:
            second.take(step)
            for other in second.images(most, chance):
                outcome.built += 1
                if (digest := other.digest()) in seen:
                    continue
                seen.add(digest)
                if bench.essence(other) in seen and chance.randrange(_DOUBTED):
                    continue
                seen.add(bench.essence(other))
                outcome.judged += 1
                bench.lay(other, model=chance.choice((0, 0, 1, 2)))
                end = bench.recover()
                if end != wanted:
                    where = f"{outcome.label}: at {number}, then after {_told(step)}"
                    outcome.lost.append(f"{where}: another end: {_differing(end, wanted)}")
        outcome.distinct += len(seen)
    outcome.ends = len(points)
    return outcome


def simulate(label: str, most: int, deep: int, seed: int) -> list[Outcome]:
    """Simulate one row, in memory, and recovery from some of its crashes."""
    writing = next(row for row in WRITING if row.label == label)
    with tempfile.TemporaryDirectory(prefix="xysq-simulate-", dir=MEMORY if MEMORY.is_dir() else None) as name:
        home = Path(name, "home")
        bench = Bench(writing, home)
        chance = random.Random(f"{seed} {label}")
        with at_home(home):
            found = [Simulation(bench, most, chance).run()]
            if deep and not bench.is_elsewhere and not writing.mends:
                found.append(cut_again(bench, deep, chance))
        return found


def _simulate(job: tuple[str, int, int, int]) -> list[Outcome]:
    return simulate(*job)


def run(states: int = STATES, seed: int = SEED, labels: Sequence[str] = ()) -> list[Outcome]:
    """Simulate every row, or those named, the long ones first."""
    most = max(1, round(states / STATES * _MOST))
    deep = max(1, round(states / STATES * _DEEP))
    rows = [row.label for row in sorted(WRITING, key=lambda row: row.whole) if not labels or row.label in labels]
    with get_context("spawn").Pool(WORKERS) as pool:
        found = pool.map(_simulate, [(row, most, deep, seed) for row in rows], chunksize=1)
    return [outcome for outcomes in found for outcome in outcomes]


def table(outcomes: list[Outcome]) -> Iterator[str]:
    """Yield the lines of the table."""
    columns = ("events", "built", "distinct", "judged", "ends", "proven")
    yield f"{'':24}" + "".join(f"{column:>10}" for column in columns) + f"{'lost':>8}"
    for one in outcomes:
        yield f"{one.label:24}" + "".join(f"{getattr(one, column):>10,}" for column in columns) + f"{len(one.lost):>8}"
    totals = [sum(getattr(one, column) for one in outcomes) for column in columns]
    yield f"{'':24}" + "".join(f"{total:>10,}" for total in totals) + f"{sum(len(one.lost) for one in outcomes):>8}"


def main() -> int:
    """Simulate and print."""
    reason = why_not_traced()
    if reason:
        print(f"skipped: {reason}")
        return SKIPPED
    states = int(sys.argv[1]) if len(sys.argv) > 1 else STATES
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else SEED
    began = time.monotonic()
    outcomes = run(states, seed, sys.argv[3:])
    lost = [one for outcome in outcomes for one in outcome.lost]
    print("\n".join((*lost[:20], *table(outcomes))))
    print(f"seed {seed}, {time.monotonic() - began:.0f} s, {len(lost)} lost")
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
