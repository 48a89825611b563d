"""The writer: what may be done to the read model, inside one transaction, by whoever holds the vault's lock."""

import sqlite3
from collections.abc import Sequence

from xysq.ledger.fold import Fold
from xysq.model.event import Event
from xysq.model.source import Meta, Passage, SourceId, Unreadable
from xysq.store.readmodel.ledger_writer import LedgerWriter
from xysq.store.readmodel.log_writer import LogWriter
from xysq.store.readmodel.snapshot import Snapshot


class Writer:
    """Changes that become visible together. `state` shows what is there, the writer's own changes included."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        """Write through a connection that is inside a transaction."""
        self._connection = connection
        self._logs = LogWriter(connection)
        self._ledger = LedgerWriter(connection)
        self.state = Snapshot(connection)

    def put_version(
        self,
        meta: Meta,
        passages: Sequence[Passage],
        unreadable: Sequence[Unreadable] = (),
        read_from: int | None = None,
    ) -> None:
        """Put the newest version of a source with the passages read from byte `read_from` on (default: its part)."""
        self._logs.put_version(meta, passages, unreadable, read_from)

    def drop_source(self, source: SourceId) -> None:
        """Take a source out, so that its versions can be put again in order."""
        self._logs.drop_source(source)

    def note_damaged(self, source: SourceId, sentence: str) -> None:
        """Note that a source cannot be read, and why; what was put of it before stays."""
        self._connection.execute("INSERT OR REPLACE INTO damaged VALUES (?, ?)", (source, sentence))

    def clear_damaged(self, source: SourceId) -> None:
        """Note that a source can be read again."""
        self._connection.execute("DELETE FROM damaged WHERE source = ?", (source,))

    def put_run(self, state: Fold, events: Sequence[Event], commit: str = "") -> None:
        """Put one run or several; `state` is the fold behind the events, on top of what was put before."""
        self._ledger.put_run(state, events, commit)

    def set_commit(self, commit: str) -> None:
        """Note which commit the read model now reflects."""
        self._connection.execute('UPDATE stamp SET "commit" = ?', (commit,))
