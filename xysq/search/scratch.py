"""A scratch index: FTS5 in memory over the few texts that are being ranked or shown.

It cuts and stems exactly as the vault's index does, so how often a term stands in a text, and where, is never a
second opinion.
"""

import re
import sqlite3
from collections.abc import Iterable, Mapping
from types import TracebackType
from typing import Self

from xysq.terms import TOKENIZER

_BEGIN, _END = "\x01", "\x02"
_MARKS = re.compile("[\x00-\x02]")


class Scratch:
    """Texts by key, and where terms stand in them. Use it in a `with` statement."""

    def __init__(self, texts: Iterable[tuple[int, str]]) -> None:
        """Take the texts."""
        self._connection = sqlite3.connect(":memory:", isolation_level=None)
        self._connection.execute(f'CREATE VIRTUAL TABLE scratch USING fts5(text, tokenize="{TOKENIZER}")')
        self._connection.execute("BEGIN")
        self._connection.executemany(
            "INSERT INTO scratch (rowid, text) VALUES (?, ?)", [(key, _MARKS.sub(" ", text)) for key, text in texts]
        )

    def __enter__(self) -> Self:
        """Use it."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Let it go."""
        self._connection.close()

    def counts(self, match: str) -> Mapping[int, int]:
        """Return how often an expression matches in each text where it does."""
        rows = self._connection.execute(
            "SELECT rowid, highlight(scratch, 0, ?, '') FROM scratch WHERE scratch MATCH ?", (_BEGIN, match)
        )
        return {key: text.count(_BEGIN) for key, text in rows}

    def places(self, match: str) -> Mapping[int, tuple[tuple[int, int], ...]]:
        """Return where an expression matches, as character ranges of each text where it does."""
        rows = self._connection.execute(
            "SELECT rowid, highlight(scratch, 0, ?, ?) FROM scratch WHERE scratch MATCH ?", (_BEGIN, _END, match)
        )
        return {key: _places(text) for key, text in rows}


def _places(marked: str) -> tuple[tuple[int, int], ...]:
    """Read the ranges out of a text in which each match is framed."""
    found: list[tuple[int, int]] = []
    place = 0
    for count, piece in enumerate(marked.split(_BEGIN)):
        inside = piece.index(_END) if count else 0
        if count:
            found.append((place, place + inside))
        place += len(piece) - (1 if count else 0)
    return tuple(found)
