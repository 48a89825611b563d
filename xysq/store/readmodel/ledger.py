"""The ledger's state, answered by the read model: the same answers as a fold of the whole ledger, each by index."""

import sqlite3

from xysq.model.event import Head, RunKind
from xysq.model.fact import Fact, FactId, RunId, Slug
from xysq.model.page import PageState
from xysq.model.state import RunMark
from xysq.store.readmodel.failure import believed
from xysq.store.readmodel.wire import fact_from_wire, page_from_wire, rows_from_wire


class ModelledLedger:
    """A `LedgerState` over one connection, inside its transaction."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        """Look things up through this connection."""
        self._connection = connection

    def head(self) -> Head:
        """Return the end of the ledger this state is of."""
        n, hash_ = self._connection.execute("SELECT n, hash FROM stamp").fetchone()
        return Head(n=n, hash=hash_)

    def page(self, slug: Slug) -> PageState | None:
        """Return a page, also a merged or removed one; None where the slug was never given."""
        row = self._connection.execute("SELECT wire FROM pages WHERE slug = ?", (slug,)).fetchone()
        return None if row is None else believed(f"page {slug}", row[0], page_from_wire)

    def fact(self, fact: FactId) -> Fact | None:
        """Return a fact, open or not."""
        row = self._connection.execute("SELECT wire FROM facts WHERE id = ?", (fact,)).fetchone()
        return None if row is None else believed(f"fact {fact}", row[0], fact_from_wire)

    def facts_of(self, slug: Slug) -> tuple[Fact, ...]:
        """Return every fact ever committed on a page, by event."""
        rows = self._connection.execute("SELECT wire FROM facts WHERE page = ? ORDER BY n", (slug,))
        return tuple(believed(f"facts of {slug}", row[0], fact_from_wire) for row in rows)

    def named(self, folded: str) -> tuple[Slug, ...]:
        """Return the living pages that go by a folded name."""
        rows = self._connection.execute("SELECT slug FROM names WHERE folded = ? ORDER BY slug", (folded,))
        return tuple(Slug(row[0]) for row in rows)

    def resting_on(self, fact: FactId) -> tuple[FactId, ...]:
        """Return the facts whose `derived_from` names this one."""
        rows = self._connection.execute("SELECT fact FROM resting WHERE premise = ? ORDER BY n", (fact,))
        return tuple(FactId(row[0]) for row in rows)

    def block_page(self, block: str) -> Slug | None:
        """Return the page a prose block was ever put on."""
        row = self._connection.execute("SELECT page FROM blocks WHERE block = ?", (block,)).fetchone()
        return None if row is None else Slug(row[0])

    def run_of(self, n: int) -> RunMark | None:
        """Return the run that an event belongs to; None where there is no such event."""
        return self._mark("n <= ?1 AND ?1 <= n + events ORDER BY n DESC LIMIT 1", n)

    def run_named(self, run: RunId) -> RunMark | None:
        """Return a run by its id; None where there is none."""
        return self._mark("run = ?", run)

    def _mark(self, condition: str, value: int | str) -> RunMark | None:
        statement = f"SELECT run, n, kind, rows FROM runs WHERE {condition}"
        row = self._connection.execute(statement, (value,)).fetchone()
        if row is None:
            return None
        rows = believed(f"rows of run {row[0]}", row[3], rows_from_wire)
        return RunMark(run=RunId(row[0]), n=row[1], kind=RunKind(row[2]), rows=rows)
