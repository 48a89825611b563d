"""Deeds: what a writer does to a vault, told durably before it is begun and again when it was answered.

A history is a file of one writer's own, outside the vault. A deed that was begun and has no answer was under way when
its writer died: it may have happened wholly or not at all, then or later, where a child of the writer lived on.
"""

import json
import os
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any


class Kind(StrEnum):
    """What is done."""

    NEW = "new"  # a source nobody had
    GROWN = "grown"  # the writer's own file, longer than before
    SAME = "same"  # the same file, as it was last pushed
    SHARED = "shared"  # a line behind a source that all writers add to
    NOTE = "note"
    TYPED = "typed"  # a note by the command line
    PIPED = "piped"  # a source nobody had, by the command line
    LOOK = "look"  # what is there, in numbers
    FIND = "find"  # words of one's own that were acknowledged as searchable
    DISTILL = "distill"
    PROVE = "prove"  # fsck, while others write


READS = frozenset({Kind.LOOK, Kind.FIND, Kind.PROVE})
NOTES = frozenset({Kind.NOTE, Kind.TYPED})


@dataclass
class Deed:
    """One thing that was done: by whom, with which bytes, when, and what was answered.

    `source` is the name it was pushed under, "" for a note. `is_indexed`: its answer promises that it can be searched.
    `said` is the fact its words come to once they are distilled, "" where they come to none. `answer` is None where
    there was none; `failed` is the code of an error. Times are of one clock, in nanoseconds.
    """

    writer: int
    number: int
    kind: Kind
    begun: int
    source: str = ""
    data: bytes = b""
    is_indexed: bool = False
    said: str = ""
    ended: int | None = None
    answer: dict[str, Any] | None = None
    failed: str = ""

    @property
    def is_told(self) -> bool:
        """Whether it was acknowledged."""
        return self.answer is not None

    def __str__(self) -> str:
        """Name it."""
        return f"writer {self.writer}, deed {self.number} ({self.kind.value})"


@dataclass
class History:
    """The file of one writer."""

    path: Path
    _descriptor: int = field(default=-1)

    def begin(self, deed: Deed) -> None:
        """Tell what is about to be done."""
        told = {name: value for name, value in vars(deed).items() if name not in ("ended", "answer", "failed")}
        self._tell(told | {"data": deed.data.decode("latin-1")})

    def end(self, deed: Deed) -> None:
        """Tell what came of it."""
        names = ("number", "ended", "answer", "failed", "is_indexed")
        self._tell({name: getattr(deed, name) for name in names})

    def _tell(self, line: dict[str, Any]) -> None:
        if self._descriptor < 0:
            self._descriptor = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        os.write(self._descriptor, json.dumps(line).encode() + b"\n")
        os.fsync(self._descriptor)

    def read(self) -> list[Deed]:
        """Return the deeds in their order; a line that a death cut short is of no deed that was begun."""
        deeds: dict[int, Deed] = {}
        if not self.path.exists():
            return []
        for line in self.path.read_bytes().split(b"\n"):
            try:
                told = json.loads(line)
            except ValueError:
                continue
            if "kind" in told:
                told |= {"kind": Kind(told["kind"]), "data": told["data"].encode("latin-1")}
                deeds[told["number"]] = Deed(**told)
            else:
                deed = deeds[told["number"]]
                for name, value in told.items():
                    setattr(deed, name, value)
        return list(deeds.values())
