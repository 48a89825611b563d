"""The search index of one state: FTS5 joined with the tables that say whose words they are and what became of them."""

import sqlite3
from collections.abc import Iterable, Mapping

from xysq.model.fact import Fact, FactId, Slug
from xysq.model.index import IndexedPassage, IndexedProse, Mark, MarkKind, Narrowing
from xysq.model.page import BlockId, Origin
from xysq.model.source import Role, SourceId
from xysq.store.readmodel.failure import believed
from xysq.store.readmodel.wire import fact_from_wire
from xysq.text import fold

MAX_NEAR_TEXT = 4_000
_LONGEST_QUOTE = 131_072
_PASSAGE = "p.id, p.source, p.version, p.base, p.number, p.speaker, p.role, p.at, p.moment, p.until"
_PassageRow = tuple[int, str, int, int, int, str, str, str | None, str, int | None, str]
_NAMESAKES = 100
_SPOKEN = "p.speaker_folded IN (SELECT speaker FROM speakers WHERE name = ?)"
_UNMARKED = ("", "merged")  # a merged fact lives on, word for word, on the page it was merged into


class ModelledIndex:
    """An `Index` over one connection, inside its transaction."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        """Look things up through this connection."""
        self._connection = connection

    def passages(self, match: str, narrowing: Narrowing, limit: int) -> tuple[IndexedPassage, ...]:
        """Return the best matching passages by plain relevance."""
        clauses, values = _passage_clauses(narrowing)
        rows = self._connection.execute(
            f"SELECT {_PASSAGE}, p.text FROM passage_words JOIN passages AS p ON p.id = passage_words.rowid"
            f" WHERE passage_words MATCH ? AND p.listed = 1{clauses} ORDER BY passage_words.rank LIMIT ?",
            (match, *values, limit),
        )
        return tuple(_passage(row) for row in rows)

    def near(self, passages: Iterable[IndexedPassage], reach: int) -> tuple[IndexedPassage, ...]:
        """Return the passages up to `reach` places before and after the given ones in their sources, each once."""
        wanted = dict.fromkeys((p.source, p.base, p.number - reach, p.number + reach, p.until) for p in passages)
        if not wanted:
            return ()
        rows = self._connection.execute(
            f"WITH w (source, base, low, high, until) AS (VALUES {', '.join(['(?, ?, ?, ?, ?)'] * len(wanted))})"
            f" SELECT {_PASSAGE}, substr(p.text, 1, {MAX_NEAR_TEXT}) FROM w JOIN passages AS p"
            " ON p.source = w.source AND p.base = w.base AND p.number BETWEEN w.low AND w.high"
            " WHERE p.until IS w.until AND p.listed = 1",
            [value for row in wanted for value in row],
        )
        return tuple({row[0]: _passage(row) for row in rows}.values())

    def facts(self, match: str, narrowing: Narrowing, limit: int) -> tuple[Fact, ...]:
        """Return the best matching facts by plain relevance."""
        clauses, values = _fact_clauses(narrowing)
        rows = self._connection.execute(
            "SELECT f.wire FROM fact_words JOIN facts AS f ON f.n = fact_words.rowid"
            f" WHERE fact_words MATCH ?{clauses} ORDER BY fact_words.rank LIMIT ?",
            (match, *values, limit),
        )
        return tuple(believed("facts", row[0], fact_from_wire) for row in rows)

    def prose(self, match: str, narrowing: Narrowing, limit: int) -> tuple[IndexedProse, ...]:
        """Return the best matching prose blocks by plain relevance."""
        clauses, values = _prose_clauses(narrowing)
        rows = self._connection.execute(
            "SELECT b.block, b.page, b.text, b.origin, b.code, b.moment FROM prose_words"
            " JOIN prose AS b ON b.id = prose_words.rowid"
            f" WHERE prose_words MATCH ?{clauses} ORDER BY prose_words.rank LIMIT ?",
            (match, *values, limit),
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
            "SELECT DISTINCT f.id, f.ending, f.successor FROM passages AS p"
            " JOIN cites AS c ON c.source = p.source AND c.base = p.base AND c.start < p.cite_to"
            f' AND c.start > p.cite_from - {_LONGEST_QUOTE} AND c."end" > p.cite_from AND c.cite_text = p.cite_text'
            " JOIN facts AS f ON f.n = c.fact WHERE p.id = ? AND f.is_open = 0",
            (passage.key,),
        )
        for fact, ending, successor in rows:
            if ending in _UNMARKED:
                continue
            kind_of_mark = MarkKind.CLOSED if successor is None else MarkKind.SUPERSEDED
            marks.add(Mark(kind=kind_of_mark, by=successor or ending, fact=FactId(fact)))
        return tuple(sorted(marks, key=lambda mark: (mark.kind, mark.by, mark.fact or "")))

    def speakers(self, names: Iterable[str]) -> Mapping[str, frozenset[str]]:
        """Return whom each of the folded names may mean: speakers of passages by folded name; nobody: left out."""
        found: dict[str, frozenset[str]] = {}
        for name in names:
            rows = self._connection.execute("SELECT speaker FROM speakers WHERE name = ? LIMIT ?", (name, _NAMESAKES))
            if speakers := frozenset(row[0] for row in rows):
                found[name] = speakers
        return found


def _passage_clauses(narrowing: Narrowing) -> tuple[str, list[object]]:
    clauses, values = [""], list[object]()
    if narrowing.speaker:
        clauses.append(_SPOKEN)
        values.append(fold(narrowing.speaker))
    if narrowing.source is not None:
        clauses.append("p.source = ?")
        values.append(narrowing.source)
    if narrowing.project:
        clauses.append("p.source IN (SELECT source FROM sources WHERE project = ?)")
        values.append(narrowing.project)
    if narrowing.page is not None:
        clauses.append(
            "EXISTS (SELECT 1 FROM facts AS f JOIN cites AS c ON c.fact = f.n WHERE f.page = ? AND c.source = p.source"
            ' AND c.base = p.base AND c.cite_text = p.cite_text AND c.start < p.cite_to AND c."end" > p.cite_from)'
        )
        values.append(narrowing.page)
    _add_times("p.moment", narrowing, clauses, values)
    return " AND ".join(clauses), values


def _fact_clauses(narrowing: Narrowing) -> tuple[str, list[object]]:
    clauses, values = [""], list[object]()
    if narrowing.only_open:
        clauses.append("f.is_open = 1")
    if narrowing.page is not None:
        clauses.append("f.page = ?")
        values.append(narrowing.page)
    cited: list[str] = []
    if narrowing.source is not None:
        cited.append("c.source = ?")
        values.append(narrowing.source)
    if narrowing.project:
        cited.append("c.source IN (SELECT source FROM sources WHERE project = ?)")
        values.append(narrowing.project)
    if narrowing.speaker:
        cited.append(
            "EXISTS (SELECT 1 FROM passages AS p WHERE p.source = c.source AND p.base = c.base"
            f" AND {_SPOKEN} AND p.cite_text = c.cite_text AND p.cite_from <= c.start"
            ' AND p.cite_to >= c."end")'
        )
        values.append(fold(narrowing.speaker))
    if cited:
        clauses.append(f"EXISTS (SELECT 1 FROM cites AS c WHERE c.fact = f.n AND {' AND '.join(cited)})")
    _add_times("f.moment", narrowing, clauses, values)
    return " AND ".join(clauses), values


def _prose_clauses(narrowing: Narrowing) -> tuple[str, list[object]]:
    clauses, values = [""], list[object]()
    if narrowing.page is not None:
        clauses.append("b.page = ?")
        values.append(narrowing.page)
    came: list[str] = []
    if narrowing.source is not None:
        came.append("o.source = ?")
        values.append(narrowing.source)
    if narrowing.project:
        came.append("o.source IN (SELECT source FROM sources WHERE project = ?)")
        values.append(narrowing.project)
    if came:
        clauses.append(f"EXISTS (SELECT 1 FROM prose_from AS o WHERE o.block = b.block AND {' AND '.join(came)})")
    if narrowing.speaker:
        clauses.append("0")  # prose is nobody's words
    _add_times("b.moment", narrowing, clauses, values)
    return " AND ".join(clauses), values


def _add_times(column: str, narrowing: Narrowing, clauses: list[str], values: list[object]) -> None:
    if narrowing.since:
        clauses.append(f"{column} >= ?")
        values.append(narrowing.since)
    if narrowing.before:
        clauses.append(f"{column} < ?")
        values.append(narrowing.before)


def _passage(row: _PassageRow) -> IndexedPassage:
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
        until=row[9],
        text=row[10],
    )
