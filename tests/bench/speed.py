"""How fast the everyday commands are, as ratios against references measured in the same run.

    python -m tests.bench.speed [--short]

Processes are measured cold, by the processor time of the child and its children (user and system), because that
holds on a busy machine; medians over interleaved rounds. `bare` is `python -c pass`, `fts` SQLite's FTS5 filled from
a list. Vaults S (1 k passages) and M (100 k passages, 100 k facts) are laid down for the purpose. Prints the table
and writes it to SPEED.md beside this file; status 1 where a figure is over twice its budget. `--short` leaves M out
and writes nothing.
"""

import json
import os
import platform
import re
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from tests.bench.make_vault import make

ROOT = Path(__file__).resolve().parents[2]
NOTE = "Tom: I keep the keys in the drawer.\n\nMaya: Good to know, thank you.\n\n"


@dataclass(frozen=True)
class Row:
    """One line of the table: what was measured, its ratio, what it may be, against what."""

    what: str
    ratio: float
    budget: float
    against: str
    least: bool = False

    @property
    def is_kept(self) -> bool:
        """Tell whether the figure is within its budget."""
        return self.ratio >= self.budget if self.least else self.ratio <= self.budget

    @property
    def is_far_off(self) -> bool:
        """Tell whether it misses its budget by more than a factor of two."""
        return self.ratio < self.budget / 2 if self.least else self.ratio > self.budget * 2


@dataclass
class Bench:
    """A place to measure in, and what was measured there: processor seconds of each command, round by round."""

    home: Path
    seconds: dict[str, list[float]] = field(default_factory=dict)

    def run(self, *command: str, data: bytes = b"", **environment: str) -> float:
        """Run a child to its end, with `data` to read, and return the processor seconds it and its children took."""
        env = {
            "HOME": str(self.home),
            "PATH": os.environ.get("PATH", os.defpath),
            "PYTHONPATH": str(ROOT),
            "LANG": "C.UTF-8",
            **environment,
        }
        with tempfile.TemporaryFile() as typed:
            typed.write(data)
            typed.seek(0)
            child = subprocess.Popen(
                command, env=env, stdin=typed, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode != 0:
            raise SystemExit(f"{' '.join(command[-6:])} ended with {child.returncode}")
        return usage.ru_utime + usage.ru_stime

    def xysq(self, *arguments: str, data: bytes = b"") -> float:
        """Run the program."""
        return self.run(sys.executable, "-m", "xysq.cli", *arguments, data=data)

    def rounds(self, count: int, commands: dict[str, Callable[[int], float]]) -> None:
        """Run all commands in turn, `count` times after one that is not counted."""
        for turn in range(count + 1):
            for name, command in commands.items():
                spent = command(turn)
                if turn:
                    self.seconds.setdefault(name, []).append(spent)

    def median(self, name: str) -> float:
        """Return the median of what was measured."""
        return statistics.median(self.seconds[name])


def commands_on(bench: Bench, size: str, vault: Path) -> dict[str, Callable[[int], float]]:
    """Return the everyday commands on one vault. Each push brings bytes nobody pushed before."""
    file = bench.home / f"note-{size}.txt"
    asked = said_in(vault)

    def push(turn: int, wait: str) -> float:
        file.write_text(f"turn {turn} {wait} {time.monotonic_ns()}\n\n" + NOTE * 55, encoding="utf-8")
        return bench.xysq("--vault", str(vault), "push", str(file), "--source", f"{wait}-{turn}", "--wait", wait)

    return {
        f"landed {size}": lambda turn: push(turn, "landed"),
        f"indexed {size}": lambda turn: push(turn, "indexed"),
        f"search {size}": lambda _: bench.xysq("--vault", str(vault), "search", *asked),
        f"status {size}": lambda _: bench.xysq("--vault", str(vault), "history", "--limit", "3"),
    }


def said_in(vault: Path) -> list[str]:
    """Return three words that stand side by side in a log of a vault, so that a search for them finds something."""
    log = min(file for file in (vault / "logs").rglob("v1.*") if not file.name.endswith(".meta.json"))
    sentence: str = max(re.findall(r"(?<= )[a-z]{4,}(?: [a-z]{4,}){2,}", log.read_text(encoding="utf-8")), key=len)
    return sentence.split()[:3]


def session(first: int, count: int) -> str:
    """Return so many turns of a session, from a number on; 9,300 of them are 3 MB."""
    turn = (
        '{{"type":"user","uuid":"{n}","sessionId":"s","timestamp":"2026-11-30T10:00:00Z",'
        '"message":{{"role":"user","content":"line {n} {words}"}}}}\n'
    )
    words = "says something of the usual length " * 6
    return "".join(turn.format(n=n, words=words) for n in range(first, first + count))


def grown(bench: Bench, vault: Path) -> float:
    """Push a 3 MB transcript, then the same grown by 1 %; return the second's share of the first."""
    file = bench.home / "session.jsonl"
    file.write_text(session(0, 9_300), encoding="utf-8")
    first = bench.xysq("--vault", str(vault), "push", str(file))
    file.write_text(session(0, 9_393), encoding="utf-8")
    return bench.xysq("--vault", str(vault), "push", str(file)) / first


def hook(bench: Bench, vault: Path) -> Callable[[int], float]:
    """Return the hook's work at the end of a turn, by which a session of 3 MB has grown by 20 KB."""
    file = bench.home / "hooked.jsonl"
    file.write_text(session(0, 9_300), encoding="utf-8")
    told = json.dumps({"hook_event_name": "Stop", "transcript_path": str(file), "cwd": str(bench.home)}).encode()
    command = ("--vault", str(vault), "hook", "run", "claude-code")
    bench.xysq(*command, data=told)
    if not any(log.stat().st_size >= file.stat().st_size for log in (vault / "logs").rglob("v1.jsonl")):
        raise SystemExit("the hook kept nothing")  # it ends well whatever happens

    def turn(number: int) -> float:
        with file.open("a", encoding="utf-8") as grows:
            grows.write(session(10_000 + number * 62, 62))
        return bench.xysq(*command, data=told)

    return turn


def served(bench: Bench, vault: Path) -> Callable[[int], float]:
    """Return the life of an MCP server that is asked one thing: what it is."""
    client = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}
    asked = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": client}).encode() + b"\n"
    return lambda _: bench.xysq("--vault", str(vault), "mcp", data=asked)


def index_rate(bench: Bench, vault: Path, passages: int) -> float:
    """Return how fast the read model is made, as a share of how fast FTS5 alone takes as many texts."""
    texts = [(f"Tom says that line {n} is about the billing service and its queue in redis",) for n in range(passages)]
    began = time.process_time()
    connection = sqlite3.connect(bench.home / "fts.sqlite")
    connection.execute("CREATE VIRTUAL TABLE t USING fts5(x)")
    connection.executemany("INSERT INTO t VALUES (?)", texts)
    connection.commit()
    connection.close()
    reference = time.process_time() - began
    return reference / bench.xysq("--vault", str(vault), "reindex")


def measure(bench: Bench, *, short: bool) -> Iterator[Row]:
    """Measure everything; yield the rows of the table."""
    small, large = bench.home / "S", bench.home / "M"
    make(small, "S", 1)
    bench.xysq("--vault", str(small), "reindex")
    commands: dict[str, Callable[[int], float]] = {
        "bare": lambda _: bench.run(sys.executable, "-c", "pass"),
        "version": lambda _: bench.xysq("--version"),
        "help": lambda _: bench.xysq("--help"),
        "hook": hook(bench, small),
        "mcp": served(bench, small),
        "sdk": lambda _: bench.run(sys.executable, "-c", "import mcp.server.lowlevel, mcp.server.stdio"),
        **commands_on(bench, "S", small),
    }
    rate = 0.0
    if not short:
        make(large, "M", 1)
        rate = index_rate(bench, large, 100_000)
        commands |= commands_on(bench, "M", large)
    bench.rounds(5 if short else 11, commands)
    bare = bench.median("bare")
    yield Row("`xysq --version`, cold", bench.median("version") / bare, 8, "bare")
    yield Row("`xysq --help`, cold", bench.median("help") / bare, 8, "bare")
    yield Row("push of 4 KB `--wait landed`, S", bench.median("landed S") / bare, 15, "bare")
    yield Row("push of 4 KB `--wait indexed`, S", bench.median("indexed S") / bare, 20, "bare")
    yield Row("`search`, three words, S", bench.median("search S") / bare, 10, "bare")
    yield Row("the hook, a 3 MB session grown by 20 KB", bench.median("hook") / bare, 20, "bare")
    yield Row(
        "`xysq mcp`, cold, to its first answer", bench.median("mcp") / bench.median("sdk"), 1.5, "importing its SDK"
    )
    if short:
        return
    yield Row("push `--wait landed`, M", bench.median("landed M") / bench.median("landed S"), 1.2, "S")
    yield Row("push `--wait indexed`, M", bench.median("indexed M") / bench.median("indexed S"), 1.2, "S")
    yield Row("`search`, three words, M", bench.median("search M") / bare, 10, "bare")
    yield Row("`history --limit 3`, M", bench.median("status M") / bare, 12, "bare")
    yield Row("push of a 3 MB session that grew by 1 %", grown(bench, small), 0.15, "its first push")
    yield Row("read model made anew, M (facts included)", rate, 0.25, "fts, passages per second", least=True)


def table(rows: Sequence[Row], bare_s: float) -> str:
    """Spell the table."""
    machine = f"Python {platform.python_version()} on {os.cpu_count()} cores"
    bare = f"`bare`, a Python that does nothing, took {bare_s * 1000:.0f} ms of processor time"
    lines = [
        "# Speed",
        "",
        f"Measured {datetime.now(UTC):%Y-%m-%d} with {machine}; {bare}.",
        "",
        "| what | ratio | budget | against | |",
        "|---|---|---|---|---|",
    ]
    for row in rows:
        sign = "≥" if row.least else "≤"
        kept = "kept" if row.is_kept else "over"
        lines.append(f"| {row.what} | {row.ratio:.2f} | {sign} {row.budget:g} | {row.against} | {kept} |")
    return "\n".join(lines) + "\n"


@contextmanager
def place() -> Iterator[Bench]:
    """Make a home to measure in, and take it away again."""
    home = Path(tempfile.mkdtemp(prefix="xysq-speed-"))
    os.environ.update(HOME=str(home), XDG_CACHE_HOME=str(home / ".cache"), XDG_CONFIG_HOME=str(home / ".config"))
    try:
        yield Bench(home)
    finally:
        shutil.rmtree(home)


def main() -> int:
    """Measure, print, write."""
    short = "--short" in sys.argv[1:]
    with place() as bench:
        rows = list(measure(bench, short=short))
        text = table(rows, bench.median("bare"))
    print(text)
    if not short:
        (Path(__file__).parent / "SPEED.md").write_text(text, encoding="utf-8")
    far = [row.what for row in rows if row.is_far_off]
    print(f"{len(rows) - len(far)} passed, {len(far)} failed")
    return 1 if far else 0


if __name__ == "__main__":
    sys.exit(main())
