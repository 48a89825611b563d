"""The search index of one state: FTS5 joined with the tables that say whose words they are and what became of them.

A past state is looked at through the present one: passages of versions that came later are left out, those such a
version ended are read again, and facts that ended later are open. Which prose stood on the pages then, the read model
does not know.
"""

import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import replace

from xysq.model.fact import Fact, FactId, Open, Slug
from xysq.model.index import IndexedPassage, IndexedProse, Mark, MarkKind, Narrowing, Past
from xysq.model.page import BlockId, Origin
from xysq.model.source import Role, SourceId
from xysq.store.readmodel.clause import FACTS, PASSAGES, PROSE, Table, listed, where
from xysq.store.readmodel.failure import believed
from xysq.store.readmodel.wire import fact_from_wire

MAX_NEAR_TEXT = 4_000
_LONGEST_QUOTE = 131_072
_PASSAGE = "p.id, p.source, p.version, p.base, p.number, p.speaker, p.role, p.at, p.moment, p.until"
_PassageRow = tuple[int, str, int, int, int, str, str, str | None, str, int | None, str]
_NAMESAKES = 100
_CITING = (
    "FROM passages AS p JOIN cites AS c ON c.source = p.source AND c.base = p.base AND c.start < p.cite_to"
    f' AND c.start > p.cite_from - {_LONGEST_QUOTE} AND c."end" > p.cite_from AND c.cite_text = p.cite_text'
    " JOIN facts AS f ON f.n = c.fact WHERE p.id = ?"
)
_UNMARKED = ("", "merged")  # a merged fact lives on, word for word, on the page it was merged into


class ModelledIndex:
    """An `Index` over one connection, inside its transaction."""

    def __init__(self, connection: sqlite3.Connection, past: Past | None = None) -> None:
        """Look things up through this connection, as they are or as they were."""
        self._connection = connection
        self._past = past

    def passages(self, match: str, narrowing: Narrowing, limit: int) -> tuple[IndexedPassage, ...]:
        """Return the best matching passages by plain relevance."""
        shown, shown_values = listed(self._past)
        clauses, values = where(PASSAGES, narrowing)
        begin, order = _by_relevance(PASSAGES, "passages AS p", match)
        rows = self._connection.execute(
            f"SELECT {_PASSAGE}, p.text {begin} AND {shown}{clauses} ORDER BY {order or 'p.moment DESC, p.id'} LIMIT ?",
            (*_given(match), *shown_values, *values, limit),
        )
        return tuple(self._passage(row) for row in rows)

    def near(self, passages: Iterable[IndexedPassage], reach: int) -> tuple[IndexedPassage, ...]:
        """Return the passages up to `reach` places before and after the given ones in their sources, each once."""
        wanted = dict.fromkeys((p.source, p.base, p.number - reach, p.number + reach, p.until) for p in passages)
        if not wanted:
            return ()
        shown, shown_values = listed(self._past)
        rows = self._connection.execute(
            f"WITH w (source, base, low, high, until) AS (VALUES {', '.join(['(?, ?, ?, ?, ?)'] * len(wanted))})"
            f" SELECT {_PASSAGE}, substr(p.text, 1, {MAX_NEAR_TEXT}), w.until FROM w JOIN passages AS p"
            " ON p.source = w.source AND p.base = w.base AND p.number BETWEEN w.low AND w.high"
            f" WHERE {'p.until IS w.until AND ' if self._past is None else ''}{shown}",
            [*(value for row in wanted for value in row), *shown_values],
        )
        found = ((self._passage(row[:-1]), row[-1]) for row in rows)
        return tuple({passage.key: passage for passage, until in found if passage.until == until}.values())

    def facts(self, match: str, narrowing: Narrowing, limit: int) -> tuple[Fact, ...]:
        """Return the best matching facts by plain relevance."""
        if self._past is None:
            return self._facts(match, narrowing, limit)
        now = replace(narrowing, only_open=False)
        found = (_as_of(fact, self._past) for fact in self._facts(match, now, limit, self._past.n))
        return tuple(fact for fact in found if fact.is_open or not narrowing.only_open)

    def _facts(self, match: str, narrowing: Narrowing, limit: int, until: int | None = None) -> tuple[Fact, ...]:
        clauses, values = where(FACTS, narrowing)
        begin, order = _by_relevance(FACTS, "facts AS f", match)
        rows = self._connection.execute(
            f"SELECT f.wire {begin}{clauses} AND (? IS NULL OR f.n <= ?) ORDER BY {order or 'f.n DESC'} LIMIT ?",
            (*_given(match), *values, until, until, limit),
        )
        return tuple(believed("facts", row[0], fact_from_wire) for row in rows)

    def prose(self, match: str, narrowing: Narrowing, limit: int) -> tuple[IndexedProse, ...]:
        """Return the best matching prose blocks by plain relevance; none of a past state."""
        if self._past is not None:
            return ()
        clauses, values = where(PROSE, narrowing)
        begin, order = _by_relevance(PROSE, "prose AS b", match)
        rows = self._connection.execute(
            f"SELECT b.block, b.page, b.text, b.origin, b.code, b.moment {begin}{clauses}"
            f" ORDER BY {order or 'b.moment DESC, b.id'} LIMIT ?",
            (*_given(match), *values, limit),
        )
        return tuple(
            IndexedProse(
                block=BlockId(row[0]), page=Slug(row[1]), text=row[2], origin=Origin(row[3]), code=row[4], moment=row[5]
            )
            for row in rows
        )

    def frequency(self, match: str) -> int:
        """Return how many passages match."""
        query = "SELECT count(*) FROM passage_words WHERE passage_words MATCH ?"
        return int(self._connection.execute(query, (match,)).fetchone()[0])

    def size(self) -> int:
        """Return about how many passages there are: the highest key, which costs nothing to find."""
        return int(self._connection.execute("SELECT coalesce(max(id), 0) FROM passages").fetchone()[0])

    def vocabulary(self) -> Mapping[str, int]:
        """Return every word of the passages as the index spells it, and in how many passages it stands."""
        self._connection.execute(
            "CREATE VIRTUAL TABLE IF NOT EXISTS temp.vocabulary USING fts5vocab('main', 'passage_words', 'row')"
        )
        return dict(self._connection.execute("SELECT term, doc FROM temp.vocabulary"))

    def marks(self, passage: IndexedPassage) -> tuple[Mark, ...]:
        """Tell what became of the passage's words: its source moved on, or a fact that quotes it ended."""
        marks: set[Mark] = set()
        if passage.until is not None:
            kind = self._connection.execute(
                "SELECT kind FROM versions WHERE source = ? AND number = ?", (passage.source, passage.until)
            ).fetchone()
            corrected = kind is not None and kind[0] == "correct"
            marks.add(
                Mark(
                    kind=MarkKind.CORRECTED if corrected else MarkKind.CHANGED,
                    by=f"{passage.source}@{passage.until}",
                )
            )
        rows = self._connection.execute(
            f"SELECT DISTINCT f.id, f.ending, f.successor, f.wire {_CITING} AND f.is_open = 0"
            " AND f.n <= coalesce(?, f.n)",
            (passage.key, None if self._past is None else self._past.n),
        )
        for name, ending, successor, wire in rows:
            if ending in _UNMARKED:
                continue
            fact = believed("facts", wire, fact_from_wire)
            if isinstance(fact.life, Open) or (self._past and _as_of(fact, self._past).is_open):
                continue
            if successor is None:
                marks.add(Mark(kind=MarkKind.CLOSED, by=ending, fact=FactId(name)))
            else:
                day = fact.life.at[:10]
                marks.add(Mark(kind=MarkKind.SUPERSEDED, by=successor, fact=FactId(name), on=day))
        return tuple(sorted(marks, key=lambda mark: (mark.kind, mark.by, mark.fact or "")))

    def proves(self, passage: IndexedPassage) -> frozenset[FactId]:
        """Return the facts that quote the passage, ended or not."""
        rows = self._connection.execute(f"SELECT DISTINCT f.id {_CITING}", (passage.key,))
        return frozenset(FactId(name) for (name,) in rows)

    def _passage(self, row: _PassageRow) -> IndexedPassage:
        until = row[9]
        if until is not None and self._past is not None and f"{row[1]}@{until}" in (self._past.later or ()):
            until = None
        return IndexedPassage(
            key=row[0],
            source=SourceId(row[1]),
            version=row[2],
            base=row[3],
            number=row[4],
            speaker=row[5],
            role=Role(row[6]),
            at=row[7],
            moment=row[8],
            until=until,
            text=row[10],
        )

    def speakers(self, names: Iterable[str]) -> Mapping[str, frozenset[str]]:
        """Return whom each of the folded names may mean: speakers of passages by folded name; nobody: left out."""
        found: dict[str, frozenset[str]] = {}
        for name in names:
            rows = self._connection.execute("SELECT speaker FROM speakers WHERE name = ? LIMIT ?", (name, _NAMESAKES))
            if speakers := frozenset(row[0] for row in rows):
                found[name] = speakers
        return found


def _by_relevance(table: Table, rows: str, match: str) -> tuple[str, str]:
    """Return where rows come from, up to a first condition, and how they are ordered if they match something."""
    if not match:
        return f"FROM {rows} WHERE 1", ""
    return f"FROM {table.words} JOIN {rows} ON {table.key} = {table.words}.rowid WHERE {table.words} MATCH ?", (
        f"{table.words}.rank"
    )


def _given(match: str) -> tuple[str, ...]:
    return (match,) if match else ()


def _as_of(fact: Fact, past: Past) -> Fact:
    """Return a fact as it stood at a past state; it was known by then."""
    life = fact.life if isinstance(fact.life, Open) or fact.life.n <= past.n else Open()
    return replace(fact, life=life, proofs=tuple(proof for proof in fact.proofs if proof.n <= past.n))
