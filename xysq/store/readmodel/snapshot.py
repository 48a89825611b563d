"""A snapshot: one state of the vault, looked at through a read transaction (P9)."""

import sqlite3

from xysq.frozen import frozen
from xysq.model.event import Head
from xysq.model.index import Past
from xysq.store.readmodel.index import ModelledIndex
from xysq.store.readmodel.ledger import ModelledLedger
from xysq.store.readmodel.lists import ModelledLists
from xysq.store.readmodel.logs import ModelledLogs


@frozen
class Stamp:
    """What a read model reflects: the commit ("" before the first) and the end of the ledger."""

    commit: str
    head: Head


class Snapshot:
    """Everything that can be asked of one state.

    `ledger` is a `LedgerState`; `logs` answers about versions, passages and work; `lists` lists facts, pages and
    runs; `index` is what search works on.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        """Look through a connection that is inside a transaction."""
        self._connection = connection
        self.ledger = ModelledLedger(connection)
        self.logs = ModelledLogs(connection)
        self.lists = ModelledLists(connection)
        self.index = ModelledIndex(connection)

    def index_at(self, past: Past | None) -> ModelledIndex:
        """Return the index of a past state, None for the one before everything."""
        return ModelledIndex(self._connection, past or Past(n=0, later=None))

    def stamp(self) -> Stamp:
        """Return what this state reflects."""
        commit, n, hash_ = self._connection.execute('SELECT "commit", n, hash FROM stamp').fetchone()
        return Stamp(commit=commit, head=Head(n=n, hash=hash_))
