"""The program, run in this process as its entry runs it, with streams of its own."""

import io
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from xysq.cli.main import run

TALK = """\
Nora: I live in Vienna.

Emil: The deadline for the parser is 12 December.

Nora: I prefer trains over planes.
"""


class Stream(io.TextIOWrapper):
    """A stream that keeps what is written to it, and may claim to be a terminal."""

    def __init__(self, data: bytes = b"", *, is_terminal: bool = False) -> None:
        self.kept = io.BytesIO(data)
        super().__init__(self.kept, encoding="utf-8", errors="backslashreplace", write_through=True)
        self._is_terminal = is_terminal

    def isatty(self) -> bool:
        return self._is_terminal

    @property
    def text(self) -> str:
        return self.kept.getvalue().decode("utf-8", "backslashreplace")


@dataclass(frozen=True)
class Ran:
    """How a command ended and what it printed."""

    status: int
    out: str
    err: str
    raw: bytes


Xysq = Callable[..., Ran]


@pytest.fixture
def xysq(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Xysq:
    """Return the program, to be called with its arguments, in an empty directory."""
    monkeypatch.chdir(tmp_path)

    def call(*arguments: str, stdin: bytes = b"", is_terminal: bool = False, asks: bool = False) -> Ran:
        out, err = Stream(is_terminal=is_terminal), Stream()
        with monkeypatch.context() as streams:
            streams.setattr("sys.stdin", Stream(stdin, is_terminal=asks))
            streams.setattr("sys.stdout", out)
            streams.setattr("sys.stderr", err)
            status = run([os.fspath(argument) for argument in arguments])
        return Ran(status, out.text, err.text, out.kept.getvalue())

    return call


@pytest.fixture
def fresh(xysq: Xysq) -> Xysq:
    """Return the program in the directory of a vault of Nora's."""
    assert xysq("init", ".", "--me", "Nora", "--quiet").status == 0
    return xysq


@pytest.fixture
def filled(fresh: Xysq) -> Xysq:
    """Return the program in the directory of a vault that knows three facts."""
    assert fresh("push", "-", "--format", "turns", "--source", "talk", stdin=TALK.encode()).status == 0
    assert fresh("distill").status == 0
    return fresh
