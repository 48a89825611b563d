"""Replacing words of a source: where they stand, and the bytes that stand there then.

In a text they are looked for as they stand. In a session they are looked for as people read them, in its passages, and
what is changed are the bytes they were read from, in the spelling of JSON. Everything else stays, byte for byte.
"""

import json
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import replace
from typing import ClassVar

from xysq.errors import BadInput, NotFound, XysqError
from xysq.frozen import frozen
from xysq.jobs.correct_source import Rewrite, Rewritten
from xysq.model.ranges import Kept
from xysq.model.source import Encoding, Meta, Passage, Span
from xysq.model.span import byte_range
from xysq.readers.request import CLAUDE_CODE
from xysq.store.readmodel import Snapshot

_SHOWN = 20
_AROUND = 40


class SeveralPlaces(XysqError):
    """The words stand in several places, and it was not said which are meant."""

    code: ClassVar[str] = "several-places"
    exit_status: ClassVar[int] = 2

    def __init__(self, old: str, places: "tuple[Place, ...]") -> None:
        """List the places."""
        super().__init__(f"{old[:80]!r} stands in {len(places)} places", "--all, or --passage K for one of them")
        shown = tuple(f"{place.passage}: {place.around}" for place in places[:_SHOWN])
        self.lines = (*shown, f"and {len(places) - _SHOWN} more") if len(places) > _SHOWN else shown


@frozen
class Place:
    """Where words stand: the passage, the bytes, how they are spelled, the words around; the words put there then."""

    passage: int
    start: int
    end: int
    enc: Encoding
    around: str
    words: bytes = b""


def replacing(old: str, new: str, *, everywhere: bool = False, passage: int | None = None) -> Rewrite:
    """Return the correction that puts `new` where `old` stands: in one place, in one passage, or everywhere."""
    if not old:
        raise BadInput("nothing to replace was given")

    def rewrite(snapshot: Snapshot, newest: Meta, data: bytes) -> Rewritten:
        if newest.text is not None:
            raise BadInput(f"{newest.source} is in another encoding than UTF-8", "correct it with a whole new file")
        passages = snapshot.logs.passages(newest.id)
        places = tuple(_inside(passages, old, data) if newest.format == CLAUDE_CODE else _anywhere(passages, old, data))
        if passage is not None:
            places = tuple(place for place in places if place.passage == passage)
        if not places:
            raise NotFound("words", old[:200], f"xysq show {newest.id} shows what the source says")
        if len(places) > 1 and not everywhere and passage is None:
            raise SeveralPlaces(old, places)
        return _replaced(data, places, new)

    return rewrite


def _anywhere(passages: tuple[Passage, ...], old: str, data: bytes) -> Iterator[Place]:
    """Yield where words stand in a text, be it between passages: names before turns, headings, times."""
    words = old.encode("utf-8")
    starts = [passage.start for passage in passages]
    at = data.find(words)
    while at >= 0:
        number = max(bisect_right(starts, at), 1)
        around = data[max(0, at - _AROUND) : at + len(words) + _AROUND].decode("utf-8", "replace")
        yield Place(passage=number, start=at, end=at + len(words), enc=Encoding.PLAIN, around=" ".join(around.split()))
        at = data.find(words, at + len(words))


def _inside(passages: tuple[Passage, ...], old: str, data: bytes) -> Iterator[Place]:
    """Yield where words stand in the strings that a session's passages were read from."""
    for passage in passages:
        for span in passage.spans:
            raw = data[span.start : span.end]
            for at in _found(span, old):
                start, end = byte_range(span, raw, at, at + len(old))
                around = span.text[max(0, at - _AROUND) : at + len(old) + _AROUND]
                yield Place(passage=passage.number, start=start, end=end, enc=span.enc, around=" ".join(around.split()))


def _found(span: Span, old: str) -> Iterator[int]:
    at = span.text.find(old)
    while at >= 0:
        yield at
        at = span.text.find(old, at + len(old))


def _replaced(data: bytes, places: tuple[Place, ...], new: str) -> Rewritten:
    pieces: list[bytes] = []
    kept: list[Kept] = []
    begin = size = 0
    for place in sorted((_narrowed(place, data, new) for place in places), key=lambda place: place.start):
        words = place.words
        if begin < place.start:
            kept.append((begin, place.start, size))
        pieces += [data[begin : place.start], words]
        size += place.start - begin + len(words)
        begin = place.end
    if begin < len(data):
        kept.append((begin, len(data), size))
    pieces.append(data[begin:])
    return Rewritten(data=b"".join(pieces), kept=tuple(kept))


def _narrowed(place: Place, data: bytes, new: str) -> Place:
    """Return what really changes: whole words that both have at the beginning and at the end stay where they are."""
    old, words = data[place.start : place.end], _spelled(new, place.enc)
    front = _common_words(old, words)
    back = _common_words(old[front:][::-1], words[front:][::-1])
    end, last = len(old) - back, len(words) - back
    return replace(place, start=place.start + front, end=place.start + end, words=words[front:last])


def _common_words(one: bytes, other: bytes) -> int:
    """Return the length of the common beginning, back to the last space in it; all where one is a beginning."""
    size = next((at for at, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), None)
    if size is None:
        size = min(len(one), len(other))
        longer = one if len(one) > len(other) else other
        if size == len(longer) or longer[size : size + 1] == b" ":
            return size
    return one.rfind(b" ", 0, size) + 1


def _spelled(new: str, enc: Encoding) -> bytes:
    return (json.dumps(new, ensure_ascii=False)[1:-1] if enc is Encoding.JSON else new).encode("utf-8")
