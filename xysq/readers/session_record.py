"""Records of a Claude Code session: the lines of the file, and the objects that can be read from them.

A record is one line. What is broken costs itself only: NUL bytes in front, a cut record with the complete one
behind it on the same line, two records on one line, a line of something else. Whether an object is a record is
told by its shape; a file of other objects with roles and contents is not this format.
"""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any, NamedTuple

from xysq.canonical import parse_json
from xysq.errors import BadJson
from xysq.readers.json_place import object_end, without_lone_surrogates

SPOKEN = ("user", "assistant")
WITH_WORDS = frozenset({*SPOKEN, "system", "summary", "attachment"})
TYPES = frozenset(
    (
        *("user", "assistant", "system", "summary", "progress", "file-history-snapshot", "queue-operation"),
        *("attachment", "permission-mode", "mode", "pr-link", "custom-title", "ai-title", "agent-name"),
        *("last-prompt", "tag"),
    )
)
_USUAL_BEGINNING = re.compile(rb'\{"parentUuid":')
_BEGINNING = re.compile(rb'\{[ ]?"(?:type|uuid|sessionId|isSidechain|timestamp|parentUuid)"[ ]?:')
_TRIES = 8
_NOISE = re.compile(rb"(?:[\x00 \t\r]|\xef\xbb\xbf)*+")  # a mark as a whole: its bytes begin other characters


class Record(NamedTuple):
    """An object and the places `[start, end)` of its bytes."""

    start: int
    end: int
    value: dict[str, Any]


class Broken(NamedTuple):
    """Bytes that are no record, from a place on."""

    start: int
    reason: str


def records(line: bytes, start: int) -> Iterator[Record | Broken]:
    """Yield what a line holds, its first byte being at the place `start`."""
    mended = without_lone_surrogates(line)
    place = _behind_noise(line, 0)
    if b"\x00" in line[:place]:
        yield Broken(start, "NUL bytes")
    for _ in range(_TRIES):
        if _behind_noise(mended, place) == len(mended):
            return
        value, reason = _object(mended[place:])
        if value is not None:
            yield Record(start + place, start + len(line), value)
            return
        found = _record_at(mended, place)
        if found is None:
            yield Broken(start + place, reason)
            found = next(filter(None, (_record_at(mended, other) for other in _beginnings(mended, place + 1))), None)
        if found is None:
            return
        yield Record(start + found.start, start + found.end, found.value)
        place = found.end


def _behind_noise(line: bytes, place: int) -> int:
    """Return where something begins that is no noise."""
    noise = _NOISE.match(line, place)
    return place if noise is None else noise.end()


def _beginnings(line: bytes, place: int) -> list[int]:
    """Return where a record may begin: a bounded number of places, in order."""
    usual = islice(_USUAL_BEGINNING.finditer(line, place), _TRIES)
    others = islice(_BEGINNING.finditer(line, place), _TRIES)
    return sorted({match.start() for match in (*usual, *others)})


def _record_at(line: bytes, place: int) -> Record | None:
    """Return the complete record that begins at a place, though more follows behind it on the line."""
    end = object_end(line, place)
    value = _object(line[place:end])[0] if end is not None else None
    if end is None or value is None or not is_record(value) or not {"sessionId", "uuid"} <= value.keys():
        return None
    return Record(place, end, value)


def _object(data: bytes) -> tuple[dict[str, Any] | None, str]:
    try:
        value = parse_json(data)
    except BadJson as error:
        return None, error.sentence
    return (value, "") if isinstance(value, dict) else (None, "not an object")


def is_record(value: dict[str, Any]) -> bool:
    """Tell whether an object has the shape of a record of this format."""
    kind = value.get("type")
    if not isinstance(kind, str):
        return False
    if kind not in SPOKEN:
        return kind in TYPES
    message = value.get("message")
    return (
        isinstance(message, dict)
        and isinstance(message.get("content"), str | list)
        and message.get("role", kind) in SPOKEN
        and (isinstance(value.get("uuid"), str) or isinstance(value.get("sessionId"), str))
    )


def is_typical(value: dict[str, Any]) -> bool:
    """Tell whether a record could be of no other format."""
    kind = value.get("type")
    if kind in SPOKEN:
        return is_record(value) and ("parentUuid" in value or "sessionId" in value)
    if kind == "file-history-snapshot":
        return isinstance(value.get("messageId"), str) and isinstance(value.get("snapshot"), dict)
    return kind == "summary" and isinstance(value.get("leafUuid"), str) and isinstance(value.get("summary"), str)
