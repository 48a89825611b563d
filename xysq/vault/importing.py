"""Importing: sessions that were there before anybody pushed them, oldest first.

Each is pushed like any other, so what is known already is `unchanged` and an import that was stopped goes on where it
was. A file that is no session, or cannot be read, is told and stops nobody.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path

from xysq.canonical import instant
from xysq.errors import BadInput, NotFound, XysqError
from xysq.frozen import frozen
from xysq.model.report import Pushed, Wait
from xysq.readers.detect import detect
from xysq.readers.moment import iso_moment
from xysq.readers.request import CLAUDE_CODE
from xysq.readers.session_record import Record, records
from xysq.vault import place
from xysq.vault.indexing import Indexing
from xysq.vault.options import PushOptions

_HEAD = 64 * 1024
_OF_THE_FILE = (1, 2)  # statuses of errors that say nothing about the next file


class NoSession(BadInput):
    """A file is no session of the format that is imported."""

    code = "no-session"

    def __init__(self, path: Path) -> None:
        """Name the file."""
        super().__init__(f"{path} is no Claude Code session")


@frozen
class Waiting:
    """A file that may hold a session: where, how large, when it began as far as it tells."""

    path: Path
    size: int
    at: str


@frozen
class Imported:
    """What became of a file: the version that keeps it, or why there is none."""

    path: Path
    pushed: Pushed | None
    error: XysqError | None = None


class Importing(Indexing):
    """A vault that takes in what was there before."""

    def import_iter(self, waiting: Iterable[Waiting]) -> Iterator[Imported]:
        """Push one file after the other; yield each as soon as it is durable. Nothing is indexed yet.

        Raises what would stop the next file too: a vault that is busy or damaged.
        """
        for one in waiting:
            try:
                yield Imported(path=one.path, pushed=self._session(one.path))
            except XysqError as error:
                if error.exit_status not in _OF_THE_FILE:
                    raise
                yield Imported(path=one.path, pushed=None, error=error)

    def _session(self, path: Path) -> Pushed:
        data = place.read_file(path)
        if detect(data, path.name) != CLAUDE_CODE:
            raise NoSession(path)
        return self._push(data, path.name, str(path.resolve()), PushOptions(wait=Wait.LANDED))


def sessions_of_claude() -> tuple[Waiting, ...]:
    """Return the files in which Claude Code keeps its sessions, oldest first; none where it keeps none."""
    folder = place.claude_folder() / "projects"
    return waiting_below(folder) if folder.is_dir() else ()


def waiting_below(folder: Path) -> tuple[Waiting, ...]:
    """Return the files below a folder, or the one file, that may hold sessions, oldest first; no link is followed."""
    if not folder.exists():
        raise NotFound("folder", str(folder))
    found = (folder,) if folder.is_file() else (path for path in folder.rglob("*.jsonl") if _is_file(path))
    return tuple(sorted(map(_waiting, found), key=lambda one: (one.at, str(one.path))))


def _is_file(path: Path) -> bool:
    return path.is_file() and not path.is_symlink()


def _waiting(path: Path) -> Waiting:
    known = path.stat()
    return Waiting(path=path, size=known.st_size, at=_beginning(path) or instant(place.moment(known.st_mtime)))


def _beginning(path: Path) -> str:
    """Return the first time that a session's records tell; "" where none does."""
    try:
        with path.open("rb") as opened:
            head = opened.read(_HEAD)
    except OSError:
        return ""
    for line in head.split(b"\n")[:-1] or [head]:
        for record in records(line, 0):
            at = record.value.get("timestamp") if isinstance(record, Record) else None
            told = iso_moment(at) if isinstance(at, str) else None
            if told is not None:
                return told
    return ""
