"""No promise dangles: each number stands in FORMAT.md, in the code that keeps it and in a test that tries it."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from xysq.errors import XysqError

ROOT = Path(__file__).resolve().parents[1]
NUMBERS = tuple(f"P{number}" for number in range(1, 13))
FORMAT = (ROOT / "xysq" / "FORMAT.md").read_text(encoding="utf-8")
README = (ROOT / "README.md").read_text(encoding="utf-8")
_ROW = re.compile(r"^\| (P\d+) \|", re.MULTILINE)
_STATUS = re.compile(r"^\| (\d+) \|", re.MULTILINE)
_COMMAND = re.compile(r"^\| `([a-z]+)[^|]*\|", re.MULTILINE)


def _naming(folder: str, number: str) -> list[Path]:
    """Return the modules that name a promise."""
    word = re.compile(rf"\b{number}\b")
    here = Path(__file__)
    files = (path for path in (ROOT / folder).rglob("*.py") if path != here)
    return [path for path in files if word.search(path.read_text(encoding="utf-8"))]


def _errors(base: type[XysqError] = XysqError) -> Iterator[type[XysqError]]:
    yield base
    for below in base.__subclasses__():
        yield from _errors(below)


@pytest.mark.parametrize("table", [FORMAT, README])
def test_the_tables_have_all_promises_once_in_order(table: str) -> None:
    assert tuple(_ROW.findall(table)) == NUMBERS


@pytest.mark.parametrize("number", NUMBERS)
def test_a_promise_is_named_by_the_code_that_keeps_it(number: str) -> None:
    assert _naming("xysq", number)


@pytest.mark.parametrize("number", NUMBERS)
def test_a_promise_is_named_by_a_test_that_tries_to_break_it(number: str) -> None:
    assert _naming("tests", number)


def test_no_other_promise_is_spoken_of() -> None:
    words = {word for path in (ROOT / "xysq").rglob("*.py") for word in re.findall(r"\bP\d{1,2}\b", path.read_text())}
    assert words <= set(NUMBERS)


def test_every_exit_status_is_in_the_table() -> None:
    table = {int(status) for status in _STATUS.findall(README)}
    assert {error.exit_status for error in _errors()} <= table


def test_the_readme_lists_exactly_the_commands_there_are() -> None:
    listed = set(_COMMAND.findall(_commands())) | set(re.findall(r"`([a-z]+)`", "".join(_command_cells())))
    folder = ROOT / "xysq" / "cli" / "commands"
    there = {path.stem.rstrip("_") for path in folder.glob("*.py") if not path.stem.startswith("_")}
    assert there <= listed
    assert listed - {"add", "log"} <= there


def _command_cells() -> Iterator[str]:
    """Yield the first cells of the table of commands."""
    for line in _commands().splitlines():
        if line.startswith("| `"):
            yield line.split("|")[1]


def _commands() -> str:
    """Return the part of the README that has the table of commands."""
    return README.split("## Commands", 1)[1].split("| status |", 1)[0]
