"""Clauses: what hits are wanted, as conditions of SQL on passages, facts and prose.

A narrowing is the same for all three, but each has its own columns for it; a condition composed of narrowings and of
expressions of the index becomes one expression over them.
"""

import json
from collections.abc import Callable
from typing import assert_never

from xysq.frozen import frozen
from xysq.model.index import Condition, Either, Every, Holding, Meeting, Narrowing, Past, Without
from xysq.text import fold

_NAMED = "(SELECT speaker FROM speakers WHERE name = ?)"
_SPOKEN = f"p.speaker_folded IN {_NAMED}"
# Who said what is quoted: of the passages that begin before it the last, which an index finds without a walk.
_BEFORE_QUOTE = (
    "(SELECT q.speaker_folded FROM passages AS q WHERE q.source = c.source AND q.base = c.base AND q.cite_text = {view}"
    " AND q.{place} <= c.start AND q.cite_from <= c.start ORDER BY q.{place} DESC, q.cite_from DESC LIMIT 1)"
)
_QUOTED_FROM = (
    f"CASE c.cite_text WHEN 0 THEN {_BEFORE_QUOTE.format(view=0, place='start')}"
    f" ELSE {_BEFORE_QUOTE.format(view=1, place='cite_from')} END"
)
Clause = tuple[str, list[object]]


@frozen(kw_only=False)
class Table:
    """A kind of hit: the table of its words, the column that leads there, the clauses of one narrowing."""

    words: str
    key: str
    narrow: Callable[[Narrowing], list[Clause]]


def where(table: Table, narrowing: Narrowing) -> Clause:
    """Return the clauses of a narrowing, each with AND before it."""
    found = table.narrow(narrowing)
    if narrowing.condition is not None:
        found.append(_condition(table, narrowing.condition))
    return "".join(f" AND {sql}" for sql, _ in found), [value for _, values in found for value in values]


def _condition(table: Table, condition: Condition) -> Clause:
    match condition:
        case Holding(match):
            return f"{table.key} IN (SELECT rowid FROM {table.words} WHERE {table.words} MATCH ?)", [match]
        case Meeting(narrowing):
            return _joined(table.narrow(narrowing), "AND", "1")
        case Every(parts):
            return _joined([_condition(table, part) for part in parts], "AND", "1")
        case Either(parts):
            return _joined([_condition(table, part) for part in parts], "OR", "0")
        case Without(part):
            sql, values = _condition(table, part)
            return f"NOT ({sql})", values
        case _:
            assert_never(condition)


def _joined(parts: list[Clause], word: str, empty: str) -> Clause:
    sql = f" {word} ".join(sql for sql, _ in parts)
    return f"({sql or empty})", [value for _, values in parts for value in values]


def listed(past: Past | None) -> Clause:
    """Return what makes a passage one that is shown: now, or as it was before the later versions came."""
    if past is None:
        return "p.listed = 1", []
    if past.later is None:
        return "0", []
    later = json.dumps(sorted(past.later))
    was_listed = "(p.listed = 1 OR (p.own = 0 AND p.source || '@' || p.until IN (SELECT value FROM json_each(?))))"
    had_come = "p.source || '@' || p.version NOT IN (SELECT value FROM json_each(?))"
    return f"{was_listed} AND {had_come}", [later, later]


def _passages(narrowing: Narrowing) -> list[Clause]:
    found: list[Clause] = []
    if narrowing.speaker:
        found.append((_SPOKEN, [fold(narrowing.speaker)]))
    if narrowing.source is not None:
        found.append(("p.source = ?", [narrowing.source]))
    if narrowing.project:
        found.append(of_project("p", narrowing.project))
    if narrowing.page is not None:
        cited = (
            "EXISTS (SELECT 1 FROM facts AS f JOIN cites AS c ON c.fact = f.n WHERE f.page = ? AND c.source = p.source"
            ' AND c.base = p.base AND c.cite_text = p.cite_text AND c.start < p.cite_to AND c."end" > p.cite_from)'
        )
        found.append((cited, [narrowing.page]))
    pushed = "(SELECT v.pushed_at FROM versions AS v WHERE v.source = p.source AND v.number = p.version)"
    return found + _times(pushed if narrowing.committed else "p.moment", narrowing)


def _facts(narrowing: Narrowing) -> list[Clause]:
    found: list[Clause] = []
    if narrowing.only_open:
        found.append(("f.is_open = 1", []))
    if narrowing.page is not None:
        found.append(("f.page = ?", [narrowing.page]))
    cited: list[Clause] = []
    if narrowing.source is not None:
        cited.append(("c.source = ?", [narrowing.source]))
    if narrowing.project:
        cited.append(of_project("c", narrowing.project))
    if narrowing.speaker:
        cited.append((f"{_QUOTED_FROM} IN {_NAMED}", [fold(narrowing.speaker)]))
    if cited:
        sql, values = _joined(cited, "AND", "1")
        found.append((f"EXISTS (SELECT 1 FROM cites AS c WHERE c.fact = f.n AND {sql})", values))
    committed = "(SELECT r.at FROM runs AS r WHERE r.run = f.run)"
    return found + _times(committed if narrowing.committed else "f.moment", narrowing)


def _prose(narrowing: Narrowing) -> list[Clause]:
    found: list[Clause] = []
    if narrowing.page is not None:
        found.append(("b.page = ?", [narrowing.page]))
    came: list[Clause] = []
    if narrowing.source is not None:
        came.append(("o.source = ?", [narrowing.source]))
    if narrowing.project:
        came.append(of_project("o", narrowing.project))
    if came:
        sql, values = _joined(came, "AND", "1")
        found.append((f"EXISTS (SELECT 1 FROM prose_from AS o WHERE o.block = b.block AND {sql})", values))
    if narrowing.speaker:
        found.append(("0", []))  # prose is nobody's words
    return found + _times("b.moment", narrowing)


def of_project(table: str, project: str) -> Clause:
    """Say that a source was made while working in a directory or below it."""
    inside, values = in_project(project)
    return f"{table}.source IN (SELECT source FROM sources WHERE {inside})", values


def in_project(project: str) -> Clause:
    """Say that a row of `sources` is of a directory or one below it."""
    below = f"{project.rstrip('/')}/"
    return "(project = ? OR substr(project, 1, length(?)) = ?)", [project, below, below]


def _times(column: str, narrowing: Narrowing) -> list[Clause]:
    bounds = ((">=", narrowing.since), ("<", narrowing.before))
    return [(f"{column} {sign} ?", [bound]) for sign, bound in bounds if bound]


PASSAGES = Table("passage_words", "p.id", _passages)
FACTS = Table("fact_words", "f.n", _facts)
PROSE = Table("prose_words", "b.id", _prose)
