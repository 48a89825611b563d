"""The logs, as the read model has them: versions, passages, what could not be read, what runs have covered."""

import sqlite3
from collections.abc import Iterable

from xysq.frozen import frozen
from xysq.model.source import Encoding, Meta, Passage, Role, Row, SourceId, Unreadable, Version
from xysq.model.work import still_covered
from xysq.store.readmodel.failure import believed
from xysq.store.readmodel.wire import spans_from_wire

_PASSAGE = (
    'number, start, "end", speaker, role, at, native, own, after_recall, session_kind, text, spans, version, source'
)
_IN_VIEW = "source = ? AND base = ? AND version <= ? AND (until IS NULL OR until > ?)"
_PassageRow = tuple[int, int, int, str, str, str | None, str, int, int, str, str, str, int, str]


@frozen
class SourceLine:
    """A source as lists show it: its newest version, and how many passages that has."""

    source: SourceId
    newest: int
    name: str
    title: str
    origin: str
    project: str
    session: str
    pushed_at: str
    passages: int


class ModelledLogs:
    """Versions and passages over one connection, inside its transaction."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        """Look things up through this connection."""
        self._connection = connection

    # Versions

    def meta(self, version: Version) -> Meta | None:
        """Return what is known of a version; None where the read model does not have it."""
        row = self._connection.execute(
            "SELECT meta FROM versions WHERE source = ? AND number = ?", (version.source, version.number)
        ).fetchone()
        return None if row is None else believed(f"version {version}", row[0], Meta.from_wire)

    def metas(self, source: SourceId, after: int = 0) -> tuple[Meta, ...]:
        """Return the versions of a source in order, those with a number above `after`."""
        rows = self._connection.execute(
            "SELECT meta FROM versions WHERE source = ? AND number > ? ORDER BY number", (source, after)
        )
        return tuple(believed(f"versions of {source}", row[0], Meta.from_wire) for row in rows)

    def newest(self, source: SourceId) -> int:
        """Return the number of the newest version; 0 where the source is unknown."""
        row = self._connection.execute("SELECT newest FROM sources WHERE source = ?", (source,)).fetchone()
        return 0 if row is None else int(row[0])

    def damaged(self) -> tuple[SourceId, ...]:
        """Return the sources that could not be read when they were to be put: not all of them is here."""
        return tuple(
            SourceId(name) for (name,) in self._connection.execute("SELECT source FROM damaged ORDER BY source")
        )

    def base(self, version: Version) -> int | None:
        """Return the version that begins the chain of appends a version belongs to."""
        row = self._connection.execute(
            "SELECT base FROM versions WHERE source = ? AND number = ?", (version.source, version.number)
        ).fetchone()
        return None if row is None else int(row[0])

    def bases_after(self, version: Version) -> tuple[Meta, ...]:
        """Return the later versions that replaced bytes: updates and corrections, in order."""
        rows = self._connection.execute(
            "SELECT meta FROM versions WHERE source = ? AND number > ? AND base = number ORDER BY number",
            (version.source, version.number),
        )
        return tuple(believed(f"versions of {version.source}", row[0], Meta.from_wire) for row in rows)

    def sources(
        self, *, project: str = "", prefix: str = "", name: str = "", file: str = "", limit: int = -1
    ) -> tuple[SourceLine, ...]:
        """List sources, newest push first; narrowed by project, beginning of the id, name, or file.

        A file is the path a source was pushed from, or the end of it behind a slash.
        """
        rows = self._connection.execute(
            "SELECT source, newest, name, title, origin, project, session, pushed_at FROM sources"
            " WHERE (?1 = '' OR project = ?1) AND (?2 = '' OR substr(source, 1, length(?2)) = ?2)"
            " AND (?3 = '' OR name = ?3) AND (?4 = '' OR origin = ?4 OR substr(origin, -length(?4) - 1) = '/' || ?4)"
            " ORDER BY pushed_at DESC, source DESC LIMIT ?5",
            (project, prefix, name, file, limit),
        ).fetchall()
        return tuple(
            SourceLine(
                source=SourceId(row[0]),
                newest=row[1],
                name=row[2],
                title=row[3],
                origin=row[4],
                project=row[5],
                session=row[6],
                pushed_at=row[7],
                passages=self.count(Version(SourceId(row[0]), row[1])),
            )
            for row in rows
        )

    # Passages

    def passages(self, version: Version, start: int = 0, end: int | None = None) -> tuple[Passage, ...]:
        """Return the passages of a version whose records lie in the byte range, in order."""
        view = self._view(version)
        if view is None:
            return ()
        rows = self._connection.execute(
            f'SELECT {_PASSAGE} FROM passages WHERE {_IN_VIEW} AND start >= ? AND (?6 IS NULL OR "end" <= ?6)'
            " ORDER BY start, number",
            (*view, start, end),
        )
        return tuple(_passage(row, version.number) for row in rows)

    def passage(self, version: Version, number: int) -> Passage | None:
        """Return passage K of a version."""
        view = self._view(version)
        if view is None:
            return None
        row = self._connection.execute(
            f"SELECT {_PASSAGE} FROM passages WHERE {_IN_VIEW} AND number = ?", (*view, number)
        ).fetchone()
        return None if row is None else _passage(row, version.number)

    def passage_at(self, version: Version, start: int, end: int, enc: Encoding) -> Passage | None:
        """Return the passage of a version that has a span of this encoding around the range."""
        view = self._view(version)
        if view is None:
            return None
        is_text = int(enc is Encoding.TEXT)
        column = "cite_from" if is_text else "start"
        here = f"{_IN_VIEW} AND cite_text = {is_text}"
        rows = self._connection.execute(
            f"SELECT {_PASSAGE} FROM passages WHERE {here} AND {column} ="
            f" (SELECT max({column}) FROM passages WHERE {here} AND {column} <= ?) ORDER BY number",
            (*view, *view, start),
        )
        for row in rows:
            passage = _passage(row, version.number)
            if any(span.enc is enc and span.start <= start and end <= span.end for span in passage.spans):
                return passage
        return None

    def last_passage(self, source: SourceId, before: int | None = None) -> Passage | None:
        """Return the last passage of the newest version that begins before a byte (None: before the end)."""
        version = Version(source, self.newest(source))
        view = self._view(version)
        if view is None:
            return None
        row = self._connection.execute(
            f"SELECT {_PASSAGE} FROM passages WHERE {_IN_VIEW} AND (?5 IS NULL OR start < ?5)"
            " ORDER BY start DESC, number DESC LIMIT 1",
            (*view, before),
        ).fetchone()
        return None if row is None else _passage(row, version.number)

    def count(self, version: Version) -> int:
        """Return how many passages a version has."""
        view = self._view(version)
        if view is None:
            return 0
        return int(self._connection.execute(f"SELECT count(*) FROM passages WHERE {_IN_VIEW}", view).fetchone()[0])

    def brought(self, version: Version) -> int:
        """Return how many passages came with a version."""
        query = "SELECT count(*) FROM passages WHERE source = ? AND version = ?"
        return int(self._connection.execute(query, (version.source, version.number)).fetchone()[0])

    def has_native(self, source: SourceId, native: str) -> bool:
        """Tell whether a record's own id stands in the newest version of a source."""
        view = self._view(Version(source, self.newest(source)))
        if view is None or not native:
            return False
        query = f"SELECT 1 FROM passages WHERE {_IN_VIEW} AND native = ? AND native <> '' LIMIT 1"
        return self._connection.execute(query, (*view, native)).fetchone() is not None

    def natives(self, source: SourceId, before: int | None = None) -> frozenset[str]:
        """Return the records' own ids in the newest version of a source, of records that begin before a byte."""
        view = self._view(Version(source, self.newest(source)))
        if view is None:
            return frozenset()
        rows = self._connection.execute(
            f"SELECT native FROM passages WHERE {_IN_VIEW} AND native <> '' AND (?5 IS NULL OR start < ?5)",
            (*view, before),
        )
        return frozenset(row[0] for row in rows)

    def unreadable(self, version: Version) -> tuple[Unreadable, ...]:
        """Return the records a version brought that its format's reader could not read."""
        rows = self._connection.execute(
            'SELECT "offset", reason FROM unreadable WHERE source = ? AND version = ? ORDER BY "offset"',
            (version.source, version.number),
        )
        return tuple(Unreadable(offset=row[0], reason=row[1]) for row in rows)

    def saying(self, match: str, before: str, limit: int) -> Iterable[str]:
        """Yield the words of passages that match, of versions pushed before a moment."""
        rows = self._connection.execute(
            "SELECT passages.text FROM passage_words JOIN passages ON passages.id = passage_words.rowid"
            " JOIN versions ON versions.source = passages.source AND versions.number = passages.version"
            " WHERE passage_words MATCH ? AND versions.pushed_at < ? LIMIT ?",
            (match, before, limit),
        )
        return (row[0] for row in rows)

    # Work

    def due_sources(self) -> tuple[SourceId, ...]:
        """Return the sources that may have bytes no applied run covers, in order of their first push."""
        rows = self._connection.execute("SELECT source FROM sources WHERE due = 1 ORDER BY source")
        return tuple(SourceId(row[0]) for row in rows)

    def covered(self, source: SourceId) -> tuple[Row, ...]:
        """Return the rows of applied runs about a source, but for what a revert made work again."""
        rows = self._connection.execute(
            'SELECT version, start, "end", reopened FROM covered WHERE source = ? ORDER BY n, version, start', (source,)
        )
        return still_covered((Row(source, row[0], row[1], row[2]), bool(row[3])) for row in rows)

    def _view(self, version: Version) -> tuple[str, int, int, int] | None:
        """Return the values of `_IN_VIEW` for a version."""
        base = self.base(version)
        return None if base is None else (version.source, base, version.number, version.number)


def _passage(row: _PassageRow, version: int) -> Passage:
    text = row[10]
    source = SourceId(row[13])
    return Passage(
        source=source,
        version=version,
        number=row[0],
        start=row[1],
        end=row[2],
        speaker=row[3],
        role=Role(row[4]),
        at=row[5],
        native=row[6],
        own=bool(row[7]),
        after_recall=bool(row[8]),
        session_kind=row[9],
        spans=believed(
            f"spans of {source}@{row[12]}#{row[0]}", row[11], lambda where, value: spans_from_wire(where, value, text)
        ),
    )
