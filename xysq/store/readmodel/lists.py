"""Lists of facts, pages and runs, narrowed by what people ask for."""

import sqlite3

from xysq.frozen import frozen
from xysq.model.fact import Fact, FactId, Label, RunId, Slug
from xysq.model.page import BlockId
from xysq.model.source import Row, SourceId
from xysq.store.readmodel.failure import believed
from xysq.store.readmodel.wire import fact_from_wire, rows_from_wire
from xysq.terms import quoted
from xysq.text import fold


@frozen
class FactFilter:
    """Which facts are wanted; what is left as it is does not narrow. `after` continues a list behind event n."""

    page: Slug | None = None
    attribute: str = ""
    is_open: bool | None = None
    label: Label | None = None
    source: SourceId | None = None
    run: RunId | None = None
    after: int = 0
    limit: int = -1


@frozen
class PageLine:
    """A page as lists show it."""

    slug: Slug
    title: str
    kind: str
    living: bool
    open_facts: int
    changed_at: str


@frozen
class RunLine:
    """A run as lists show it: `n` is its first event, the counts are of its events by kind.

    `reverts` is the run or source that a revert takes back, "" for runs of other kinds.
    """

    run: RunId
    n: int
    kind: str
    at: str
    drafter: str
    rows: tuple[Row, ...]
    asserted: int
    superseded: int
    closed: int
    confirmed: int
    prose: int
    commit: str
    reverts: str = ""


@frozen
class ProseOrigin:
    """A prose block and a range of a log its words came from; `is_quote` where the range is a quote."""

    block: BlockId
    row: Row
    is_quote: bool


_MAX_WORDS = 64
_RUN = 'run, n, kind, at, drafter, rows, asserted, superseded, closed, confirmed, prose, "commit", reverts'
_RunRow = tuple[str, int, str, str, str, str, int, int, int, int, int, str, str]


class ModelledLists:
    """Lists over one connection, inside its transaction."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        """Look things up through this connection."""
        self._connection = connection

    def facts(self, wanted: FactFilter) -> tuple[Fact, ...]:
        """List facts by event."""
        clauses, values = ["n > ?"], [wanted.after or 0]
        narrow: list[tuple[str, object]] = []
        if wanted.page is not None:
            narrow.append(("page = ?", wanted.page))
        if wanted.attribute:
            narrow.append(("attribute = ?", wanted.attribute))
        if wanted.is_open is not None:
            narrow.append(("is_open = ?", wanted.is_open))
        if wanted.label is not None:
            narrow.append(("label = ?", wanted.label.value))
        if wanted.source is not None:
            narrow.append(
                (
                    "n IN (SELECT fact FROM cites WHERE source = ? AND image = 0)",
                    wanted.source,
                )
            )
        if wanted.run is not None:
            narrow.append(("run = ?", wanted.run))
        where = " AND ".join([*clauses, *(clause for clause, _ in narrow)])
        rows = self._connection.execute(
            f"SELECT wire FROM facts WHERE {where} ORDER BY n LIMIT ?",
            (*values, *(value for _, value in narrow), wanted.limit),
        )
        return tuple(believed("facts", row[0], fact_from_wire) for row in rows)

    def facts_starting(self, prefix: str, limit: int) -> tuple[FactId, ...]:
        """Return the ids of facts that begin so."""
        rows = self._connection.execute(
            "SELECT id FROM facts WHERE id >= ? AND id < ? ORDER BY id LIMIT ?", (prefix, prefix + "\U0010ffff", limit)
        )
        return tuple(FactId(row[0]) for row in rows)

    def facts_saying(self, words: str, limit: int = 20) -> tuple[Fact, ...]:
        """Return the facts whose text is these words, folded; where none is, those that have all of them."""
        folded = fold(words)
        rows = self._connection.execute(
            "SELECT wire FROM facts WHERE text = ? ORDER BY is_open DESC, n DESC LIMIT ?", (folded, limit)
        ).fetchall()
        if not rows and (match := _all_of(folded)):
            rows = self._connection.execute(
                "SELECT facts.wire FROM fact_words JOIN facts ON facts.n = fact_words.rowid"
                " WHERE fact_words MATCH ? ORDER BY facts.is_open DESC, fact_words.rank LIMIT ?",
                (match, limit),
            ).fetchall()
        return tuple(believed("facts", row[0], fact_from_wire) for row in rows)

    def facts_citing(self, source: SourceId) -> tuple[Fact, ...]:
        """Return every fact with a quote of a source, by event."""
        return self.facts(FactFilter(source=source))

    def prose_from(self, source: SourceId) -> tuple[ProseOrigin, ...]:
        """Return the prose blocks whose words came from a source, with the ranges."""
        rows = self._connection.execute(
            'SELECT block, version, start, "end", is_quote FROM prose_from WHERE source = ? ORDER BY block', (source,)
        )
        return tuple(
            ProseOrigin(block=BlockId(row[0]), row=Row(source, row[1], row[2], row[3]), is_quote=bool(row[4]))
            for row in rows
        )

    def pages(self, *, prefix: str = "", limit: int = -1, with_ended: bool = False) -> tuple[PageLine, ...]:
        """List pages by slug; those that were merged or removed only with `with_ended`."""
        rows = self._connection.execute(
            "SELECT slug, title, kind, living, open_facts, changed_at FROM pages"
            " WHERE (living OR ?) AND slug >= ? AND slug < ? ORDER BY slug LIMIT ?",
            (with_ended, prefix, prefix + "\U0010ffff", limit),
        )
        return tuple(
            PageLine(
                slug=Slug(row[0]),
                title=row[1],
                kind=row[2],
                living=bool(row[3]),
                open_facts=row[4],
                changed_at=row[5],
            )
            for row in rows
        )

    def runs(
        self, *, page: Slug | None = None, drafter: str = "", limit: int = -1, before: int | None = None
    ) -> tuple[RunLine, ...]:
        """List runs, newest first: those that touched a page, of a drafter, those that begin before event `before`."""
        rows = self._connection.execute(
            f"SELECT {_RUN} FROM runs WHERE (?1 IS NULL OR n IN (SELECT n FROM run_pages WHERE page = ?1))"
            " AND (?2 IS NULL OR n < ?2) AND (?4 = '' OR drafter = ?4) ORDER BY n DESC LIMIT ?3",
            (page, before, limit, drafter),
        )
        return tuple(_run_line(row) for row in rows)

    def run(self, run: RunId) -> RunLine | None:
        """Return a run."""
        row = self._connection.execute(f"SELECT {_RUN} FROM runs WHERE run = ?", (run,)).fetchone()
        return None if row is None else _run_line(row)

    def runs_starting(self, prefix: str, limit: int) -> tuple[RunId, ...]:
        """Return the ids of runs that begin so."""
        rows = self._connection.execute(
            "SELECT run FROM runs WHERE run >= ? AND run < ? ORDER BY run LIMIT ?",
            (prefix, prefix + "\U0010ffff", limit),
        )
        return tuple(RunId(row[0]) for row in rows)

    def runs_covering(self, source: SourceId) -> tuple[RunLine, ...]:
        """Return the runs with rows of a source, in order."""
        rows = self._connection.execute(
            f"SELECT {_RUN} FROM runs WHERE n IN (SELECT n FROM covered WHERE source = ?) ORDER BY n", (source,)
        )
        return tuple(_run_line(row) for row in rows)

    def revert_of(self, target: str) -> RunLine | None:
        """Return the latest run that took back a run or a source."""
        row = self._connection.execute(
            f"SELECT {_RUN} FROM runs WHERE reverts = ? AND reverts <> '' ORDER BY n DESC LIMIT 1", (target,)
        ).fetchone()
        return None if row is None else _run_line(row)

    def reverted_sources(self) -> tuple[SourceId, ...]:
        """Return the sources that were ever taken back."""
        rows = self._connection.execute(
            "SELECT DISTINCT reverts FROM runs WHERE reverts <> '' AND reverts NOT LIKE 'r-%' ORDER BY reverts"
        )
        return tuple(SourceId(row[0]) for row in rows)

    def head_after(self, run: RunId) -> int | None:
        """Return the number of the last event of a run."""
        row = self._connection.execute("SELECT n + events FROM runs WHERE run = ?", (run,)).fetchone()
        return None if row is None else int(row[0])

    def totals(self) -> "Totals":
        """Count what there is."""
        counts = [
            self._connection.execute(query).fetchone()[0]
            for query in (
                "SELECT count(*) FROM sources",
                "SELECT count(*) FROM passages",
                "SELECT count(*) FROM pages WHERE living",
                "SELECT count(*) FROM facts WHERE is_open",
                "SELECT count(*) FROM facts WHERE NOT is_open",
                "SELECT count(*) FROM runs",
            )
        ]
        return Totals(*counts)


@frozen(kw_only=False)
class Totals:
    """How much there is of everything."""

    sources: int
    passages: int
    pages: int
    open_facts: int
    ended_facts: int
    runs: int


def _all_of(words: str) -> str:
    """Return the FTS5 expression for every word of a text; "" where it has none."""
    return " AND ".join(filter(None, map(quoted, words.split()[:_MAX_WORDS])))


def _run_line(row: _RunRow) -> RunLine:
    rows = believed(f"rows of run {row[0]}", row[5], rows_from_wire)
    return RunLine(
        run=RunId(row[0]),
        n=row[1],
        kind=row[2],
        at=row[3],
        drafter=row[4],
        rows=rows,
        asserted=row[6],
        superseded=row[7],
        closed=row[8],
        confirmed=row[9],
        prose=row[10],
        commit=row[11],
        reverts=row[12],
    )
