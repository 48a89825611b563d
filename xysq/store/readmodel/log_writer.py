"""Writing what the logs bring: versions with their passages, and their words into the index.

Versions of a source are put in order. A newer version decides what of the older ones is still read: an append takes
over from the byte its reader began at; an update or a correction replaces everything, and what it kept word for
word is no longer listed from the older version, so a search finds it once. What it did not keep stays findable, as
words that were changed or corrected.
"""

import sqlite3
from collections.abc import Iterable, Sequence

from xysq.model.kept import KeptMap
from xysq.model.source import Encoding, Meta, Passage, SourceId, Span, Unreadable, Version, VersionKind
from xysq.model.work import pending_rows
from xysq.store.readmodel.logs import ModelledLogs
from xysq.store.readmodel.wire import dumps, spans_to_text
from xysq.terms import parts, spelled
from xysq.text import fold

_NAME_WORDS = 8
_INSERT = "INSERT INTO passages VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, ?, ?, ?)"


class LogWriter:
    """Puts versions through one connection, inside its transaction."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        """Write through this connection."""
        self._connection = connection
        self._logs = ModelledLogs(connection)

    def put_version(
        self, meta: Meta, passages: Sequence[Passage], unreadable: Sequence[Unreadable], read_from: int | None = None
    ) -> None:
        """Put the newest version of a source, or put it once more.

        `passages` are those its reader found from byte `read_from` on (default: where its part begins).
        """
        newest = self._logs.newest(meta.source)
        if meta.version < newest:
            raise ValueError(f"{meta.id} is put after version {newest}")
        if meta.version == newest:
            self._take_back(meta.id)
        base = self._base(meta)
        begin = meta.offset if read_from is None else read_from
        self._connection.execute(
            "INSERT INTO versions VALUES (?, ?, ?, ?, ?, ?, ?)",
            (meta.source, meta.version, base, meta.kind.value, meta.pushed_at, meta.project, dumps(meta.to_wire())),
        )
        if meta.kind is VersionKind.APPEND:
            self._connection.execute(
                "UPDATE passages SET until = ?, listed = 0"
                " WHERE source = ? AND base = ? AND until IS NULL AND start >= ?",
                (meta.version, meta.source, base, begin),
            )
        elif meta.kind in (VersionKind.UPDATE, VersionKind.CORRECT):
            self._replace(meta)
        self._insert(meta, base, passages)
        self._connection.executemany(
            "INSERT INTO unreadable VALUES (?, ?, ?, ?)",
            [(meta.source, meta.version, record.offset, record.reason) for record in unreadable],
        )
        self._put_source(meta)

    def drop_source(self, source: SourceId) -> None:
        """Take a source out, so that all its versions can be put again after their bytes were rewritten."""
        for version in range(self._logs.newest(source), 0, -1):
            self._take_back(Version(source, version))
        self._connection.execute("DELETE FROM sources WHERE source = ?", (source,))

    def settle(self, source: SourceId) -> None:
        """Note whether the source may have work left."""
        due = _is_due(self._logs, source)
        self._connection.execute("UPDATE sources SET due = ? WHERE source = ? AND due <> ?", (due, source, due))

    def _base(self, meta: Meta) -> int:
        if meta.kind is not VersionKind.APPEND:
            return meta.version
        base = self._logs.base(Version(meta.source, meta.version - 1))
        if base is None:
            raise ValueError(f"{meta.id} continues a version that was not put")
        return base

    def _put_source(self, meta: Meta) -> None:
        due = _is_due(self._logs, meta.source)
        self._connection.execute(
            "INSERT OR REPLACE INTO sources VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                meta.source,
                meta.version,
                due,
                meta.name,
                meta.title,
                meta.origin,
                meta.project,
                meta.session,
                meta.pushed_at,
            ),
        )

    def _insert(self, meta: Meta, base: int, passages: Sequence[Passage]) -> None:
        rows, words = [], []
        folded = {speaker: fold(speaker) for speaker in {passage.speaker for passage in passages}}
        moment = meta.observed_to or meta.pushed_at
        key = self._connection.execute("SELECT coalesce(max(id), 0) FROM passages").fetchone()[0]
        for passage in passages:
            key += 1
            text = passage.text
            rows.append(_row(base, passage, text, folded[passage.speaker], moment))
            words.append((key, spelled(text), parts(text)))
        self._connection.executemany(_INSERT, rows)
        self._connection.executemany("INSERT OR IGNORE INTO speakers VALUES (?, ?)", _names(folded.values()))
        self._connection.executemany("INSERT INTO passage_words (rowid, words, parts) VALUES (?, ?, ?)", words)

    def _replace(self, meta: Meta) -> None:
        """End the passages of the chain before; those kept word for word are listed from the new version."""
        kept = KeptMap(meta.kept)
        rows = self._connection.execute(
            "SELECT id, cite_from, cite_to FROM passages WHERE source = ? AND until IS NULL", (meta.source,)
        ).fetchall()
        self._connection.executemany(
            "UPDATE passages SET until = ?, listed = CASE WHEN ? THEN 0 ELSE listed END WHERE id = ?",
            [(meta.version, kept.follow(start, end) is not None, key) for key, start, end in rows],
        )
        before = self._logs.base(Version(meta.source, meta.version - 1))
        cites = self._connection.execute(
            'SELECT fact, cite_text, start, "end", version FROM cites WHERE source = ? AND base = ?',
            (meta.source, before),
        ).fetchall()
        images = [(cite, kept.follow(cite[2], cite[3])) for cite in cites]
        self._connection.executemany(
            "INSERT INTO cites VALUES (?, ?, ?, ?, ?, ?, ?, 1)",
            [
                (fact, meta.source, meta.version, cite_text, *place, version)
                for (fact, cite_text, _, _, version), place in images
                if place is not None
            ],
        )

    def _take_back(self, version: Version) -> None:
        """Undo the newest version of a source: its passages go, those it ended are read and listed again."""
        key = (version.source, version.number)
        rows = self._connection.execute("SELECT id, text FROM passages WHERE source = ? AND version = ?", key)
        self._connection.executemany(
            "INSERT INTO passage_words (passage_words, rowid, words, parts) VALUES ('delete', ?, ?, ?)",
            [(row[0], spelled(row[1]), parts(row[1])) for row in rows.fetchall()],
        )
        self._connection.execute("DELETE FROM passages WHERE source = ? AND version = ?", key)
        self._connection.execute(
            "UPDATE passages SET until = NULL, listed = NOT own WHERE source = ? AND until = ?", key
        )
        self._connection.execute("DELETE FROM unreadable WHERE source = ? AND version = ?", key)
        self._connection.execute("DELETE FROM cites WHERE source = ? AND base = ? AND image = 1", key)
        self._connection.execute("DELETE FROM versions WHERE source = ? AND number = ?", key)


def _names(folded: Iterable[str]) -> set[tuple[str, str]]:
    """Return each word of each speaker's folded name, and the name itself, with the name."""
    return {(name, speaker) for speaker in folded if speaker for name in (speaker, *speaker.split()[:_NAME_WORDS])}


def _is_due(logs: ModelledLogs, source: SourceId) -> bool:
    """Tell whether a source may have bytes that no applied run covers; its unfinished last record counts."""
    return bool(pending_rows(logs.metas(source), logs.covered(source), idle=True))


def _row(base: int, passage: Passage, text: str, speaker_folded: str, moment: str) -> tuple[object, ...]:
    spans = passage.spans
    first = spans[0] if spans else Span(start=passage.start, end=passage.end, enc=Encoding.PLAIN, text="")
    is_one = len(spans) < 2
    return (
        passage.source,
        passage.version,
        base,
        passage.number,
        passage.start,
        passage.end,
        passage.speaker,
        speaker_folded,
        passage.role,
        passage.at,
        passage.at or moment,
        passage.native,
        passage.own,
        passage.after_recall,
        passage.session_kind,
        first.enc is Encoding.TEXT,
        first.start if is_one else min(span.start for span in spans),
        first.end if is_one else max(span.end for span in spans),
        not passage.own,
        text,
        spans_to_text(spans),
    )
