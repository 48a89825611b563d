"""Writing what runs bring: facts, pages, names, and their words into the index.

A run is put from the fold that judged it: everything the fold touched is stored as it now is, and the run's own
events tell the rest. So the same code stores one run or, from a fold of the whole ledger, everything.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import assert_never

from xysq.ledger.fold import Fold
from xysq.model.event import (
    Asserted,
    Confirmed,
    Event,
    FactClosed,
    Forgotten,
    LearnedLate,
    PageChanged,
    ProseChanged,
    ProseOp,
    RunBegun,
    SupersededBy,
    Withdrawn,
)
from xysq.model.fact import Closed, Evidence, Fact, FactId, Open, Slug, Superseded
from xysq.model.kept import follow
from xysq.model.page import BlockId, PageState, ProseBlock
from xysq.model.source import Encoding, Meta, SourceId, Version
from xysq.pages.escape import plain
from xysq.store.readmodel.log_writer import LogWriter
from xysq.store.readmodel.logs import ModelledLogs
from xysq.store.readmodel.wire import dumps, fact_to_wire, page_to_wire
from xysq.terms import parts, spelled
from xysq.text import fold

_Chain = tuple[int, tuple[Meta, ...]]
"""The version that begins the chain a quote is cited in, and the later ones that replaced bytes."""


@dataclass(slots=True)
class _RunLine:
    """One run while its events are counted."""

    event: Event
    begun: RunBegun
    counts: dict[str, int] = field(default_factory=dict)
    pages: dict[Slug, None] = field(default_factory=dict)

    def take(self, event: Event, state: Fold) -> None:
        """Count an event of the run."""
        self.counts[event.kind] = self.counts.get(event.kind, 0) + 1
        page = _page_of(event, state)
        if page is not None:
            self.pages[page] = None


class LedgerWriter:
    """Puts runs through one connection, inside its transaction."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        """Write through this connection."""
        self._connection = connection
        self._logs = ModelledLogs(connection)
        self._sources = LogWriter(connection)

    def put_run(self, state: Fold, events: Sequence[Event], commit: str) -> None:
        """Put one run or several: `state` is the fold behind `events`, on top of what was put before."""
        head = state.head()
        written = {event.body.block: event.at for event in events if isinstance(event.body, ProseChanged)}
        for slug in state.pages_touched:
            page = state.page(slug)
            if page is not None:
                self._put_page(page, written)
        self._put_facts([fact for name in state.facts_touched if (fact := state.fact(name)) is not None])
        self._put_prose_origins(events)
        self._put_runs(state, events, commit)
        self._connection.execute("UPDATE stamp SET n = ?, hash = ?", (head.n, head.hash))
        if commit:
            self._connection.execute('UPDATE stamp SET "commit" = ?', (commit,))

    # Facts

    def _put_facts(self, facts: Sequence[Fact]) -> None:
        """Store facts as they are now; the words of a fact never change, so only those of new ones are indexed."""
        known = self._connection.execute("SELECT n FROM stamp").fetchone()[0]
        words = {fact.n: plain(fact.text) for fact in facts}
        self._connection.executemany(
            "INSERT OR REPLACE INTO facts VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [_row(fact, words[fact.n]) for fact in facts],
        )
        new = [fact for fact in facts if fact.n > known]
        self._connection.executemany(
            "INSERT INTO fact_words (rowid, words, parts) VALUES (?, ?, ?)",
            [(fact.n, spelled(_indexed(fact, words[fact.n])), parts(words[fact.n])) for fact in new],
        )
        self._connection.executemany(
            "INSERT OR IGNORE INTO resting VALUES (?, ?, ?)",
            [(premise, fact.n, fact.id) for fact in new for premise in fact.derived_from],
        )
        self._connection.executemany("DELETE FROM cites WHERE fact = ?", [(f.n,) for f in facts if f.n <= known])
        chains: dict[Version, _Chain] = {}
        self._connection.executemany(
            "INSERT INTO cites VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            [row for fact in facts for row in self._cites(fact, chains)],
        )

    def _cites(self, fact: Fact, chains: dict[Version, _Chain]) -> Iterator[tuple[object, ...]]:
        """Yield where the fact's quotes stand, in the chain they cite and in each later one that kept them."""
        for piece in fact.evidence:
            chain = chains.get(piece.cited)
            if chain is None:
                base = self._logs.base(piece.cited)
                later = self._logs.bases_after(piece.cited)
                chain = chains[piece.cited] = (piece.version if base is None else base, later)
            for base, start, end, image in _places(piece, chain):
                in_view = piece.enc is Encoding.TEXT
                yield fact.n, piece.source, base, in_view, start, end, piece.version, image

    # Pages

    def _put_page(self, page: PageState, written: Mapping[BlockId, str]) -> None:
        is_living = not page.removed and page.merged_into is None
        changed_at = page.changelog[0].at if page.changelog else ""
        open_facts = sum(1 for block in page.blocks if not isinstance(block, ProseBlock))
        self._connection.execute(
            "INSERT OR REPLACE INTO pages VALUES (?, ?, ?, ?, ?, ?, ?)",
            (page.slug, page.title, page.kind, is_living, open_facts, changed_at, dumps(page_to_wire(page))),
        )
        self._connection.execute("DELETE FROM names WHERE slug = ?", (page.slug,))
        if is_living:
            self._connection.executemany(
                "INSERT OR IGNORE INTO names VALUES (?, ?)", [(fold(name), page.slug) for name in page.names]
            )
        self._put_prose(page, written)

    def _put_prose(self, page: PageState, written: Mapping[BlockId, str]) -> None:
        """Bring the index to the prose the page shows now; `written` tells when the blocks of these events were."""
        shown = {block.block: block for block in page.blocks if isinstance(block, ProseBlock)}
        stored = self._connection.execute("SELECT id, block, text FROM prose WHERE page = ?", (page.slug,)).fetchall()
        for key, block, text in stored:
            if block in shown and shown[block].text == text and block not in written:
                del shown[block]
                continue
            words = plain(text)
            self._connection.execute(
                "INSERT INTO prose_words (prose_words, rowid, words, parts) VALUES ('delete', ?, ?, ?)",
                (key, spelled(words), parts(words)),
            )
            self._connection.execute("DELETE FROM prose WHERE id = ?", (key,))
        for prose in shown.values():
            words = plain(prose.text)
            cursor = self._connection.execute(
                "INSERT INTO prose VALUES (NULL, ?, ?, ?, ?, ?, ?)",
                (prose.block, page.slug, prose.origin.value, prose.code, prose.text, written.get(prose.block, "")),
            )
            self._connection.execute(
                "INSERT INTO prose_words (rowid, words, parts) VALUES (?, ?, ?)",
                (cursor.lastrowid, spelled(words), parts(words)),
            )

    def _put_prose_origins(self, events: Iterable[Event]) -> None:
        for event in events:
            body = event.body
            if not isinstance(body, ProseChanged):
                continue
            if body.op is ProseOp.INSERT:
                self._connection.execute("INSERT OR IGNORE INTO blocks VALUES (?, ?)", (body.block, body.page))
            self._connection.execute("DELETE FROM prose_from WHERE block = ?", (body.block,))
            if body.op is not ProseOp.REMOVE:
                came = [(piece.source, piece.version, piece.start, piece.end, 1) for piece in body.quotes]
                came += [(row.source, row.version, row.start, row.end, 0) for row in body.rows]
                self._connection.executemany(
                    "INSERT INTO prose_from VALUES (?, ?, ?, ?, ?, ?)", [(body.block, *origin) for origin in came]
                )

    # Runs

    def _put_runs(self, state: Fold, events: Iterable[Event], commit: str) -> None:
        lines: list[_RunLine] = []
        for event in events:
            if isinstance(event.body, RunBegun):
                lines.append(_RunLine(event, event.body))
            elif lines:
                lines[-1].take(event, state)
        touched: dict[SourceId, None] = {}
        for line in lines:
            self._put_run_line(line, commit)
            touched.update(dict.fromkeys(row.source for row in line.begun.rows))
        for source in touched:
            self._sources.settle(source)

    def _put_run_line(self, line: _RunLine, commit: str) -> None:
        event, begun = line.event, line.begun
        counts = [line.counts.get(kind, 0) for kind in ("assert", "supersede", "close", "confirm", "prose")]
        self._connection.execute(
            "INSERT OR REPLACE INTO runs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                event.n,
                begun.run,
                begun.kind.value,
                event.at,
                begun.events,
                begun.drafter,
                dumps([str(row) for row in begun.rows]),
                *counts,
                commit,
                begun.reverts,
            ),
        )
        self._connection.executemany(
            "INSERT OR IGNORE INTO run_pages VALUES (?, ?)", [(page, event.n) for page in line.pages]
        )
        self._connection.execute("DELETE FROM covered WHERE n = ?", (event.n,))
        self._connection.executemany(
            "INSERT INTO covered VALUES (?, ?, ?, ?, ?, ?)",
            [(row.source, row.version, row.start, row.end, event.n, begun.reopens(row)) for row in begun.rows],
        )


def _row(fact: Fact, words: str) -> tuple[object, ...]:
    return (
        fact.n,
        fact.id,
        fact.page,
        fact.attribute,
        fold(fact.value),
        fold(words),
        fact.is_open,
        fact.label.value,
        fact.run,
        fact.observed,
        fact.observed or fact.at,
        fact.life.by if isinstance(fact.life, Superseded) else None,
        _ending(fact),
        dumps(fact_to_wire(fact)),
    )


def _places(piece: Evidence, chain: _Chain) -> Iterator[tuple[int, int, int, int]]:
    base, later = chain
    start, end = piece.start, piece.end
    yield base, start, end, 0
    for meta in later:
        place = follow(meta.kept, start, end)
        if place is None:
            return
        start, end = place
        yield meta.version, start, end, 1


def _indexed(fact: Fact, words: str) -> str:
    """Return what a fact is found by: its words, and attribute and value where those do not show them."""
    value = "" if fold(fact.value) in fold(words) else fact.value
    return f"{words} {value} {fact.attribute.replace(':', ' ')}".strip()


def _ending(fact: Fact) -> str:
    """Return how a fact ended: "", `superseded` or the reason it was closed."""
    match fact.life:
        case Open():
            return ""
        case Superseded():
            return "superseded"
        case Closed():
            return fact.life.reason.value
        case _:
            assert_never(fact.life)


def _page_of(event: Event, state: Fold) -> Slug | None:
    """Return the page an event is about."""
    body = event.body
    match body:
        case None | RunBegun() | Forgotten():
            return None
        case PageChanged() | ProseChanged():
            return body.page
        case Asserted() | SupersededBy() | LearnedLate():
            return body.statement.page
        case FactClosed() | Confirmed() | Withdrawn():
            return _page_of_fact(state, body.fact)
        case _:
            assert_never(body)


def _page_of_fact(state: Fold, name: FactId) -> Slug | None:
    fact = state.fact(name)
    return None if fact is None else fact.page
