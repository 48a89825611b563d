"""Queue: the little about pending work that cannot be derived from logs and ledger.

A *landing marker* says that a version landed and is in neither git nor the read model yet. It is durable before the
version's meta, so nobody ever has to scan for what was missed; one whose meta never came belongs to a push that was
not acknowledged, and is not answered. An *attempt* remembers what was refused for a row, and how often.

Losing a file of the queue costs a try, never a byte that was pushed; so one that is damaged is reported by `faults`
and otherwise counts as absent.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Self

from xysq.canonical import canonical_json, parse_json
from xysq.errors import BadInput, BadJson, BadWire, Damaged
from xysq.frozen import frozen
from xysq.model.run import Refusal
from xysq.model.source import Row, Version
from xysq.model.wire import Fields
from xysq.store import layout
from xysq.store.files import Files

MAX_BYTES = 1024 * 1024


@frozen
class Attempt:
    """What happened to a row so far: how often it was refused alone, why, which answer it was ("" for none)."""

    row: Row
    count: int = 0
    given_up: bool = False
    refusals: tuple[Refusal, ...] = ()
    draft_sha256: str = ""

    def refused(self, refusals: tuple[Refusal, ...], draft_sha256: str, *, is_alone: bool, most: int) -> Self:
        """Return what is known after one more refusal; it counts, and may end the trying, where the row was alone."""
        count = self.count + is_alone
        return replace(self, count=count, given_up=count >= most, refusals=refusals, draft_sha256=draft_sha256)

    def to_wire(self) -> dict[str, Any]:
        """Spell it."""
        return {
            "row": str(self.row),
            "count": self.count,
            "given_up": self.given_up,
            "refusals": [refusal.to_wire() for refusal in self.refusals],
            "draft_sha256": self.draft_sha256,
        }

    @classmethod
    def from_wire(cls, where: str, value: object) -> Self:
        """Read the spelling."""
        fields = Fields(where, value)
        result = cls(
            row=Row.parse(fields.text("row")),
            count=fields.number("count"),
            given_up=fields.flag("given_up"),
            refusals=fields.each("refusals", Refusal.from_wire),
            draft_sha256=fields.text("draft_sha256"),
        )
        fields.done()
        return result


# Landing markers


def mark(files: Files, version: Version) -> None:
    """Note, durably, that a version is about to land."""
    files.make_dirs(layout.LANDED)
    files.replace(layout.landed_path(version), b"")


def landed(files: Files) -> tuple[Version, ...]:
    """Return the versions that landed and were not unmarked yet, oldest source first.

    None is missing before another of its source, as it may be in a listing: that need not hold what came while it was
    made, though it holds what came after that.
    """
    marked = set()
    for name in files.list_dir(layout.LANDED):
        version = _version(name)
        while version is not None and version not in marked and files.exists(layout.meta_path(version)):
            marked.add(version)
            before = Version(version.source, version.number - 1)
            version = before if before.number and is_marked(files, before) else None
    return tuple(sorted(marked))


def is_marked(files: Files, version: Version) -> bool:
    """Tell whether a version is about to land, or has landed and was not unmarked yet."""
    return files.exists(layout.landed_path(version))


def landed_folders(files: Files) -> Iterator[str]:
    """Yield the directories of the sources that have a landing marker, whether or not the version's meta came."""
    for name in files.list_dir(layout.LANDED):
        version = _version(name)
        if version is not None:
            yield layout.log_dir(version.source)


def unmark(files: Files, version: Version) -> None:
    """Forget a landing that is in git and in the read model; it may come back after a power loss, which is harmless."""
    files.remove(layout.landed_path(version), sync=False)


def _version(name: str) -> Version | None:
    try:
        return Version.parse(name)
    except BadInput:
        return None


# Attempts


def attempt_of(files: Files, row: Row) -> Attempt:
    """Return what is known of a row; nothing yet where it was never refused."""
    path = layout.attempts_path(row)
    data = files.read_or_none(path)
    if data is not None:
        try:
            attempt = _parse(path, data)
        except Damaged:  # told by `faults`
            return Attempt(row=row)
        if attempt.row == row:
            return attempt
    return Attempt(row=row)


def keep_attempt(files: Files, attempt: Attempt) -> None:
    """Remember, durably, what happened to a row."""
    files.make_dirs(layout.ATTEMPTS)
    files.replace(layout.attempts_path(attempt.row), canonical_json(attempt.to_wire()) + b"\n")


def drop_attempt(files: Files, row: Row) -> bool:
    """Forget what happened to a row: it was applied, or is to be tried anew; False where nothing was known."""
    return files.remove(layout.attempts_path(row))


def attempts(files: Files) -> tuple[Attempt, ...]:
    """Return what is known of all rows."""
    return tuple(found for found in _all(files) if isinstance(found, Attempt))


def faults(files: Files) -> tuple[Damaged, ...]:
    """Return what in the queue is damaged or in the wrong place."""
    misplaced = (name for name in files.list_dir(layout.LANDED) if _version(name) is None)
    markers = tuple(Damaged(f"{layout.LANDED}/{name}", "0", "is no landing marker") for name in misplaced)
    return (*markers, *(found for found in _all(files) if isinstance(found, Damaged)))


def _all(files: Files) -> Iterator[Attempt | Damaged]:
    for name in files.list_dir(layout.ATTEMPTS):
        path = f"{layout.ATTEMPTS}/{name}"
        try:
            data = files.read_or_none(path)
            if data is None:
                continue
            attempt = _parse(path, data)
        except Damaged as damage:
            yield damage
            continue
        yield attempt if layout.attempts_path(attempt.row) == path else Damaged(path, "0", "is about another row")


def _parse(path: str, data: bytes) -> Attempt:
    try:
        return Attempt.from_wire("attempt", parse_json(data, max_bytes=MAX_BYTES))
    except (BadJson, BadWire) as error:
        raise Damaged(path, "0", str(error)) from None
