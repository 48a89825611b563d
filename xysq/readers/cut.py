"""Cutting what is too long for one passage: pieces of at most 32 KiB, at the best place there is.

A piece ends behind a line end, else behind a sentence, else behind a space, else between two characters; never
inside a character or an escape. The pieces follow each other without a gap, and depend on nothing but the bytes
between `start` and their own end, so a longer text is cut at the same places.
"""

import re
from collections.abc import Iterator

from xysq.model.source import Encoding

PASSAGE_BYTES = 32 * 1024
_ESCAPE = re.compile(rb"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\[^u]", re.DOTALL)
_LONGEST_ESCAPE = 12
_SENTENCE_ENDS = (b". ", b"! ", b"? ", "。".encode(), "！".encode(), "？".encode())


def cut(data: bytes, start: int, end: int, enc: Encoding, limit: int = PASSAGE_BYTES) -> Iterator[tuple[int, int]]:
    """Yield the byte ranges into which `[start, end)` of the data is cut; one where it is short enough."""
    while end - start > limit:
        place = _place(data, start, start + limit, enc)
        yield start, place
        start = place
    if start < end:
        yield start, end


def _place(data: bytes, start: int, last: int, enc: Encoding) -> int:
    """Return the best end in the second half of `[start, last]`, which is smaller than what is to be cut."""
    half = start + (last - start) // 2
    if enc is Encoding.JSON:
        found, last = _escapes(data, start, last)
        line = max((place for place in found if place > half), default=0)
    else:
        line = data.rfind(b"\n", half, last) + 1
    if line:
        return line
    sentence = max(
        data.rfind(sign, half, last) + len(sign) if data.rfind(sign, half, last) >= 0 else 0 for sign in _SENTENCE_ENDS
    )
    return sentence or data.rfind(b" ", half, last) + 1 or _character(data, last)


def _escapes(data: bytes, start: int, last: int) -> tuple[list[int], int]:
    """Return the ends of escaped line ends before `last`, and `last`, moved before an escape it would cut."""
    line_ends: list[int] = []
    for match in _ESCAPE.finditer(data, start, last + _LONGEST_ESCAPE):
        if match.start() >= last:
            break
        if match.end() > last:
            return line_ends, match.start()
        if match.group() == b"\\n":
            line_ends.append(match.end())
    return line_ends, last


def _character(data: bytes, last: int) -> int:
    for back in range(4):
        if data[last - back] & 0xC0 != 0x80:
            return last - back
    return last
