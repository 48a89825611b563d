"""The crash matrix: every harness that proves that nothing is lost, one after the other, and the table of them.

    python -m tests.crash [--short]

Writes `CRASH.md` beside this file unless it is the short form. Status 1 where any harness fails; one
that cannot be had here says why and is skipped.
"""

import subprocess
import sys
import time
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
    Harness("inject", "a process killed, or refused, at one system call", ("1100",), ("60",)),
    Harness(
        "simulate", "every legal state of a disk after a power cut", (), ("3000", "1", "apply", "correct fact", "push")
    ),
    Harness("twice", "recovery done twice, and cut short: the same bytes", (), ("12",)),
    Harness("readers", "readers beside 200 runs see commits only", (), ("25", "2")),
    Harness("editor", "a page saved at every step of an apply: the edit is kept", (), ("60",)),
    Harness("user_git", "the owner's own git at every step of an apply", (), ("24",)),
    Harness("writers", "32 processes write at once, some are killed", (), ("8", "25", "2")),
    Harness("flip", "every byte of a vault flipped: fsck names the file", (), ("40",)),
)


@dataclass(frozen=True)
class Ran:
    """What a harness printed, how it ended, and how long it took, in seconds."""

    harness: Harness
    printed: str
    status: int
    took_s: float


def run(harness: Harness, arguments: tuple[str, ...]) -> Ran:
    """Run one to its end."""
    began = time.monotonic()
    command = (sys.executable, "-m", f"tests.crash.{harness.name}", *arguments)
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    return Ran(harness, done.stdout.rstrip("\n"), done.returncode, time.monotonic() - began)


def table(ran: list[Ran]) -> str:
    """Return the page: a line for each harness, and below what each printed."""
    lines = [_HEAD, "| part | shows | ended | seconds |", "|---|---|---|---:|"]
    lines += [
        f"| [{one.harness.name}](#{one.harness.name}) | {one.harness.shows} "
        f"| {_ENDED.get(one.status, f'status {one.status}')} | {one.took_s:.0f} |"
        for one in ran
    ]
    for one in ran:
        lines += ["", f"## {one.harness.name}", "", "```", one.printed, "```"]
    return "\n".join(lines) + "\n"


def main(words: list[str]) -> int:
    """Run them all and print."""
    is_short = "--short" in words
    ran = []
    for harness in HARNESSES:
        arguments = harness.short if is_short else harness.long
        if arguments is None:
            continue
        ran.append(run(harness, arguments))
        print(f"== {harness.name}, {ran[-1].took_s:.0f} s, status {ran[-1].status}\n{ran[-1].printed}", flush=True)
    if not is_short:
        TABLE.write_text(table(ran), encoding="utf-8")
    failed = [one.harness.name for one in ran if one.status not in _ENDED]
    print(f"{sum(one.took_s for one in ran):.0f} s, failed: {', '.join(failed) or 'none'}")
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
