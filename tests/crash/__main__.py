"""The crash matrix: every harness that proves that nothing is lost, one after the other, and the table of them.

    python -m tests.crash [--short] [PART…]

Writes `CRASH.md` beside this file unless it is the short form; where parts are named, those are run and the others
stay as they were written. Status 1 where any part fails; one that cannot be had here says why and is skipped.
"""

import re
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.crash.trace import SKIPPED

TABLE = Path(__file__).with_name("CRASH.md")
_HEAD = """# The crash matrix

Written by `make crash`. Each part can be run alone, and says at its top what it does: `python -m tests.crash.NAME`.
A part fails where one thing is lost, or where a state is seen that must not be.
"""


_ENDED = {0: "0 lost", SKIPPED: "skipped"}


@dataclass(frozen=True)
class Harness:
    """A module of this package, what it shows, and its arguments in the long form and the short one."""

    name: str
    shows: str
    long: tuple[str, ...] = ()
    short: tuple[str, ...] | None = None


HARNESSES = (
    Harness("inject", "a process killed, or refused, at one system call", ("1050",), ("40",)),
    Harness(
        "power", "the power cut at one system call, on ext4 and xfs", (), ("12", "20261201", "push", "note", "apply")
    ),
    Harness("simulate", "every legal state of a disk after a power cut", (), ("2000", "1", "apply", "push")),
    Harness("limits", "full and read-only disks, another owner, few descriptors", (), ("push",)),
    Harness("histories", "a thousand random histories, the promises after every step", (), ("30",)),
    Harness("orders", "dated sessions pushed in any order: the same facts are open", (), ("4",)),
    Harness("mcp_abuse", "a hundred thousand lines of abuse: the server answers, or ends cleanly", (), ("2000",)),
    Harness("twice", "recovery done twice, and cut short: the same bytes", (), ("12",)),
    Harness("readers", "readers beside 200 runs see commits only", (), ("25", "2")),
    Harness("editor", "a page saved at every step of an apply: the edit is kept", (), ("60",)),
    Harness("user_git", "the owner's own git at every step of an apply", (), ("24",)),
    Harness("writers", "32 processes write at once, some are killed", (), ("8", "25", "2")),
    Harness("servers", "two MCP servers and the command line write at once, and are killed", (), ("12", "6")),
    Harness("flip", "every byte of a vault flipped: fsck names the file", (), ("40",)),
)


@dataclass(frozen=True)
class Ran:
    """What a harness printed, how it ended, and how long it took, in seconds."""

    harness: Harness
    printed: str
    status: int
    took_s: float


@dataclass(frozen=True)
class Part:
    """What the page says of one harness: its line of the table, and what it printed."""

    line: str
    section: str


def run(harness: Harness, arguments: tuple[str, ...]) -> Ran:
    """Run one to its end."""
    began = time.monotonic()
    command = (sys.executable, "-m", f"tests.crash.{harness.name}", *arguments)
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    return Ran(harness, done.stdout.rstrip("\n"), done.returncode, time.monotonic() - began)


def table(parts: Mapping[str, Part]) -> str:
    """Return the page: a line for each part, and below what each printed."""
    there = [parts[harness.name] for harness in HARNESSES if harness.name in parts]
    lines = [_HEAD, "| part | shows | ended | seconds |", "|---|---|---|---:|", *(part.line for part in there)]
    return "\n".join((*lines, *(part.section for part in there))) + "\n"


def part_of(one: Ran) -> Part:
    """Return what the page says of a harness that ran."""
    name, ended = one.harness.name, _ENDED.get(one.status, f"status {one.status}")
    return Part(
        line=f"| [{name}](#{name}) | {one.harness.shows} | {ended} | {one.took_s:.0f} |",
        section=f"\n## {name}\n\n```\n{one.printed}\n```",
    )


def written(page: str) -> dict[str, Part]:
    """Return the parts of a page that was written before."""
    lines = {found[1]: found[0] for found in re.finditer(r"^\| \[(\w+)\].*$", page, re.MULTILINE)}
    sections = {found[1]: found[0] for found in re.finditer(r"\n## (\w+)\n\n```\n.*?\n```", page, re.DOTALL)}
    return {name: Part(line=lines[name], section=sections[name]) for name in lines.keys() & sections.keys()}


def main(words: list[str]) -> int:
    """Run them and print."""
    is_short = "--short" in words
    named = [word for word in words if word != "--short"]
    parts = written(TABLE.read_text(encoding="utf-8")) if named and TABLE.is_file() else {}
    ran = []
    for harness in HARNESSES:
        arguments = harness.short if is_short else harness.long
        if arguments is None or (named and harness.name not in named):
            continue
        ran.append(run(harness, arguments))
        parts[harness.name] = part_of(ran[-1])
        print(f"== {harness.name}, {ran[-1].took_s:.0f} s, status {ran[-1].status}\n{ran[-1].printed}", flush=True)
    failed = [one.harness.name for one in ran if one.status not in _ENDED]
    if not is_short and not failed:
        TABLE.write_text(table(parts), encoding="utf-8")
    print(f"{sum(one.took_s for one in ran):.0f} s, failed: {', '.join(failed) or 'none'}")
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
