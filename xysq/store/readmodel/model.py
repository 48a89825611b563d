"""The read model: everything derived from a vault that is looked up while it is used, in one SQLite file.

One transaction holds facts, pages, passages and the search index together, so a reader sees the vault after some
run and never between two (P9). There is one writer, who holds the vault's lock, and any number of readers; readers
neither wait for the writer nor make it wait (write-ahead journal). Nothing here is the truth: what cannot be
believed, or is of another vault or another version, is made again (`rebuild`).
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from xysq.store.readmodel import generation as files
from xysq.store.readmodel.failure import ReadModelFailed, Unusable, answering
from xysq.store.readmodel.snapshot import Snapshot
from xysq.store.readmodel.writer import Writer

_MAX_IDLE = 8


@dataclass(slots=True)
class _Pool:
    """Idle connections to one file. Taking and giving back are single list operations, safe between threads."""

    file: Path
    idle: list[sqlite3.Connection]

    def take(self) -> sqlite3.Connection:
        try:
            return self.idle.pop()
        except IndexError:
            return files.connect(self.file)

    def give_back(self, connection: sqlite3.Connection) -> None:
        if connection.in_transaction:
            connection.rollback()
        if len(self.idle) < _MAX_IDLE:
            self.idle.append(connection)
        else:
            connection.close()

    def close(self) -> None:
        while self.idle:
            self.idle.pop().close()


class ReadModel:
    """An opened read model; may be shared between threads."""

    def __init__(self, directory: Path, vault_id: str, pool: _Pool) -> None:
        """Use `open` or `rebuild`."""
        self._directory = directory
        self._vault_id = vault_id
        self._pool = pool

    @classmethod
    def open(cls, directory: Path, vault_id: str, *, create: bool = True) -> "ReadModel | Unusable":
        """Open the newest finished read model of this vault in a private directory, or tell why there is none.

        With `create`, which needs the vault's lock, an empty one is made where there is none at all.
        """
        with answering():
            if create:
                files.make_private(directory)
                if not files.generations(directory):
                    files.create(directory, vault_id, ready=True)
            found = _newest(directory, vault_id)
            return found if isinstance(found, Unusable) else cls(directory, vault_id, found)

    @classmethod
    @contextmanager
    def rebuild(cls, directory: Path, vault_id: str) -> Iterator["ReadModel"]:
        """Make a new read model, under the vault's lock: fill it inside the block; it counts when the block ends.

        If the block raises, the one before stays what readers see. While it is filled nothing waits for the disk.
        """
        with answering():
            generation = files.create(directory, vault_id, ready=False)
        fresh = cls(directory, vault_id, _Pool(files.file_of(directory, generation), []))
        try:
            with answering():
                connection = fresh._pool.take()
                connection.execute("PRAGMA synchronous = OFF")
                fresh._pool.give_back(connection)
            yield fresh
            with answering():
                fresh._finish()
        except BaseException:
            fresh.close()
            files.remove(directory, generation)
            raise
        for other in files.generations(directory):
            if other != generation:
                files.remove(directory, other)

    def _finish(self) -> None:
        connection = self._pool.take()
        try:
            connection.execute("PRAGMA optimize")
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            connection.execute("UPDATE stamp SET ready = 1")
            connection.execute("PRAGMA synchronous = NORMAL")
        finally:
            self._pool.give_back(connection)

    @contextmanager
    def reading(self) -> Iterator[Snapshot]:
        """Look at one state; whatever is written meanwhile is not seen."""
        pool = self._present()
        with answering():
            connection = pool.take()
            try:
                connection.execute("BEGIN DEFERRED")
                snapshot = Snapshot(connection)
                snapshot.stamp()  # the first read is what fixes the state
                yield snapshot
            finally:
                pool.give_back(connection)

    @contextmanager
    def writing(self) -> Iterator[Writer]:
        """Change the read model, under the vault's lock: all of the block or, if it raises, nothing."""
        pool = self._present()
        with answering():
            connection = pool.take()
            try:
                connection.execute("BEGIN IMMEDIATE")
                yield Writer(connection)
                connection.execute("COMMIT")
            finally:
                pool.give_back(connection)

    def _present(self) -> _Pool:
        """Return the pool; move to the newer generation where ours was replaced."""
        pool = self._pool
        if pool.file.exists():
            return pool
        found = _newest(self._directory, self._vault_id)
        if isinstance(found, Unusable):
            raise ReadModelFailed(found.reason, "run: xysq reindex")
        pool.close()
        self._pool = found
        return found

    def close(self) -> None:
        """Close idle connections; those in use close when given back to a full pool or with the process."""
        self._pool.close()


def _newest(directory: Path, vault_id: str) -> _Pool | Unusable:
    reason = files.distrust(directory)
    if reason is not None:
        return Unusable(reason=f"its directory {reason}")
    first: Unusable | None = None
    for generation in files.generations(directory):
        found = _judged(files.file_of(directory, generation), vault_id)
        if isinstance(found, _Pool):
            return found
        first = first or found
    return first or Unusable(reason="there is none yet")


def _judged(file: Path, vault_id: str) -> _Pool | Unusable:
    """Open a file and keep the connection, or tell why it is not believed."""
    try:
        connection = files.connect(file)
    except sqlite3.DatabaseError as error:
        return Unusable(reason=f"it cannot be opened: {error}")
    try:
        verdict = files.judge(connection, vault_id)
    except sqlite3.DatabaseError as error:
        verdict = Unusable(reason=f"it cannot be read: {error}")
    if verdict is None:
        return _Pool(file, [connection])
    connection.close()
    return verdict
