"""What can go wrong with the read model, and the one place that makes errors out of SQLite's.

The read model can always be made again, so none of this loses anything: damage is answered with a rebuild. Errors
that only a mistake of ours can cause are left as they are.
"""

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import ClassVar, TypeVar

from xysq.errors import BadWire, Busy, XysqError
from xysq.frozen import frozen

T = TypeVar("T")

BUSY_TIMEOUT_S = 5.0


@frozen
class Unusable:
    """There is no read model that can be believed, and why; whoever holds the vault's lock makes a new one."""

    reason: str


class ReadModelFailed(XysqError):
    """SQLite could not do what was asked of it: no room, no permission, a failing disk."""

    code: ClassVar[str] = "read-model-failed"

    def __init__(self, reason: str, hint: str = "") -> None:
        """Keep SQLite's reason."""
        super().__init__(f"the search index could not be used: {reason}", hint or "nothing was lost")


class ReadModelDamaged(ReadModelFailed):
    """The read model's own file is not sound; it is made again from logs and ledger."""

    code: ClassVar[str] = "read-model-damaged"

    def __init__(self, reason: str) -> None:
        """Keep what was found."""
        super().__init__(reason, "run: xysq reindex")


_BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
# SQLITE_ERROR: our statements are constant and fit our tables, so the tables are not ours any more.
_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT, sqlite3.SQLITE_ERROR)


@contextmanager
def answering() -> Iterator[None]:
    """Turn what SQLite says into errors of ours."""
    try:
        yield
    except sqlite3.IntegrityError as error:  # what is put in fits what the ledger says; so what is there does not
        raise ReadModelDamaged(str(error)) from error
    except (sqlite3.ProgrammingError, sqlite3.InterfaceError):
        raise
    except sqlite3.DatabaseError as error:
        primary = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
        if primary in _BUSY:
            raise Busy("the search index", BUSY_TIMEOUT_S) from error
        raise (ReadModelDamaged if primary in _DAMAGED else ReadModelFailed)(str(error)) from error


def believed(where: str, text: str, read: Callable[[str, object], T]) -> T:
    """Read the JSON of a column with `read(where, value)`; what does not fit is damage."""
    try:
        return read(where, json.loads(text))
    except (ValueError, BadWire) as error:
        raise ReadModelDamaged(f"{where}: {error}") from error
