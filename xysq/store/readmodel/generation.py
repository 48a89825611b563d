"""Generations: the read model's files in its private directory.

A rebuilt read model is a new file, `model-<k>.sqlite` with the next k; a name is never used twice. So readers of the
old one are never disturbed, a damaged file is simply left behind, and SQLite never meets the write-ahead file of
another database under its own name. A generation counts once its stamp says `ready`; older ones are then removed.
"""

import os
import re
import sqlite3
import stat
from pathlib import Path

from xysq.errors import BadInput
from xysq.store.readmodel.failure import BUSY_TIMEOUT_S, ReadModelFailed, Unusable
from xysq.store.readmodel.schema import APPLICATION_ID, SCHEMA_VERSION, TABLES

CACHE_KIB = 16_384
MAPPED_BYTES = 256 * 1024 * 1024
_FILE = re.compile(r"model-([1-9]\d{0,8})\.sqlite(-wal|-shm|-journal)?")


def make_private(directory: Path) -> None:
    """Make the directory, for nobody else to look into; refuse one that is a link or somebody else's."""
    try:
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    except FileExistsError:
        pass  # no directory: said below
    except OSError as error:
        raise ReadModelFailed(f"{directory}: {error.strerror}") from error
    reason = distrust(directory)
    if reason is not None:
        raise BadInput(f"{directory} {reason}", "xysq keeps its search index in a directory of your own, mode 0700")


def distrust(directory: Path) -> str | None:
    """Tell why what lies in the directory is not believed, or None where it is."""
    try:
        found = os.lstat(directory)
    except OSError:
        return "is not there"
    if not stat.S_ISDIR(found.st_mode):
        return "is no directory"
    if found.st_uid != os.geteuid():
        return "belongs to somebody else"
    return "is open to others" if stat.S_IMODE(found.st_mode) & 0o077 else None


def generations(directory: Path) -> tuple[int, ...]:
    """Return the numbers of all generations, newest first."""
    try:
        names = [file.name for file in directory.iterdir()]
    except OSError:
        return ()
    return tuple(sorted({int(match[1]) for name in names if (match := _FILE.fullmatch(name))}, reverse=True))


def file_of(directory: Path, generation: int) -> Path:
    """Return the file of a generation."""
    return directory / f"model-{generation}.sqlite"


def create(directory: Path, vault_id: str, *, ready: bool) -> int:
    """Make the next generation, with empty tables, and return its number."""
    make_private(directory)
    generation = max(generations(directory), default=0) + 1
    file = file_of(directory, generation)
    os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_RDWR | os.O_CLOEXEC, 0o600))
    connection = connect(file)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("BEGIN IMMEDIATE")
        for table in TABLES:
            connection.execute(table)
        connection.execute("INSERT INTO stamp VALUES (1, ?, ?, '', 0, ?)", (vault_id, int(ready), "0" * 64))
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        connection.execute("COMMIT")
    finally:
        connection.close()
    return generation


def connect(file: Path) -> sqlite3.Connection:
    """Open a file that exists. Transactions are begun by hand; a connection is used by one thread at a time."""
    connection = sqlite3.connect(
        f"{file.absolute().as_uri()}?mode=rw",
        uri=True,
        timeout=BUSY_TIMEOUT_S,
        isolation_level=None,
        check_same_thread=False,
        cached_statements=256,
    )
    try:
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute(f"PRAGMA cache_size = -{CACHE_KIB}")
        connection.execute(f"PRAGMA mmap_size = {MAPPED_BYTES}")
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def judge(connection: sqlite3.Connection, vault_id: str) -> Unusable | None:
    """Tell why an opened file is not this vault's read model, or None where it is."""
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if application != APPLICATION_ID or version != SCHEMA_VERSION:
        return Unusable(reason="it was made by another version of xysq")
    row = connection.execute("SELECT vault, ready FROM stamp").fetchone()
    if row is None or row[0] != vault_id:
        return Unusable(reason="it is of another vault")
    return None if row[1] else Unusable(reason="it was never finished")


def remove(directory: Path, generation: int) -> None:
    """Remove a generation's files."""
    for suffix in ("", "-wal", "-shm", "-journal"):
        (directory / f"{file_of(directory, generation).name}{suffix}").unlink(missing_ok=True)
