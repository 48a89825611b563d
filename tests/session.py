"""Sessions: what a person types and sees, as a text file, run against the real program.

    $ xysq init ~/memory
    …
    $ xysq ls facts | wc -l
    2
    $ xysq bogus
    xysq: there is no command 'bogus'
    hint: …
    [2]

Lines behind a command are what it prints on both streams; `…` inside a line stands for any words, alone for any
number of lines. `[N]` is the status where it is not 0. Lines that begin with `#` are comments. Commands are run by
bash in an empty home; `xysq` is the program under test.
"""

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
_STATUS = re.compile(r"\[(\d+)\]")
_LONGEST_S = 60


@dataclass(frozen=True, slots=True)
class Step:
    """A command, what it should print and how it should end."""

    line: int
    command: str
    expected: tuple[str, ...]
    status: int


def steps(text: str) -> Iterator[Step]:
    """Yield the steps of a session."""
    current: tuple[int, str] | None = None
    lines: list[str] = []
    for number, row in enumerate([*text.splitlines(), "$ "], start=1):
        if row.startswith("$ "):
            if current is not None:
                yield _step(current, lines)
            current, lines = (number, row[2:]), []
        elif not row.startswith("#"):
            assert current is not None, f"line {number} stands before any command"
            lines.append(row)


def _step(current: tuple[int, str], lines: list[str]) -> Step:
    while lines and not lines[-1]:
        lines = lines[:-1]
    match = _STATUS.fullmatch(lines[-1]) if lines else None
    if match:
        return Step(*current, tuple(lines[:-1]), int(match[1]))
    return Step(*current, tuple(lines), 0)


def fits(expected: Sequence[str], actual: Sequence[str]) -> bool:
    """Tell whether lines are as expected."""
    if not expected:
        return not actual
    if expected[0] == "…":
        return any(fits(expected[1:], actual[place:]) for place in range(len(actual) + 1))
    return bool(actual) and _fits_line(expected[0], actual[0]) and fits(expected[1:], actual[1:])


def _fits_line(expected: str, actual: str) -> bool:
    pattern = ".*".join(re.escape(part) for part in expected.split("…"))
    return re.fullmatch(pattern, actual) is not None


def environment(home: Path) -> dict[str, str]:
    """Return the environment of a session: an empty home, and `xysq` on the path."""
    programs = home / ".bin"
    programs.mkdir(exist_ok=True)
    program = programs / "xysq"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m xysq.cli "$@"\n')
    program.chmod(0o755)
    return {
        "HOME": str(home),
        "PATH": f"{programs}:{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "LANG": "C.UTF-8",
        "TZ": "UTC",
        "GIT_CONFIG_NOSYSTEM": "1",
        "TALKS": str(ROOT / "tests" / "sessions"),
    }


def play(text: str, home: Path, variables: Mapping[str, str]) -> str:
    """Run a session; return what was not as expected, "" where everything was."""
    for step in steps(text):
        done = subprocess.run(
            ["bash", "-c", step.command],
            cwd=home,
            env=dict(variables),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=_LONGEST_S,
            check=False,
        )
        printed = done.stdout.decode("utf-8").splitlines()
        if done.returncode != step.status or not fits(step.expected, printed):
            shown = "\n".join(printed)
            return f"line {step.line}: $ {step.command}\n{shown}\n[{done.returncode}]"
    return ""
