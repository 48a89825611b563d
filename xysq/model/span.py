"""Places in a span: from characters of its words to bytes of its log, and back.

A quote is cited in bytes, but chosen in characters. In `plain` and `text` spans a character is its UTF-8; in
`json` spans it may be an escape, and two escapes of a surrogate pair are one character. A range that cuts a
character or an escape in two is no quote: `char_range` answers None for it.

What is kept true, for every range of characters of a span: the bytes found here decode to exactly these
characters (`decode_span(bytes) == text[char_start:char_end]`), and mapping back gives the same characters.
"""

import re

from xysq.errors import BadInput
from xysq.model.source import Encoding, Span

_HIGH = r"\\u[dD][89abAB][0-9a-fA-F]{2}"
_LOW = r"\\u[dD][c-fC-F][0-9a-fA-F]{2}"
_ESCAPE = re.compile(rf"{_HIGH}{_LOW}|\\u[0-9a-fA-F]{{4}}|\\.", re.DOTALL)


def byte_range(span: Span, raw: bytes, char_start: int, char_end: int) -> tuple[int, int]:
    """Return the global bytes of the characters `[char_start, char_end)` of a span.

    `raw` are the bytes `[span.start, span.end)` of the log, or of the text view where the span cites that.
    """
    if not 0 <= char_start <= char_end <= len(span.text):
        raise BadInput(f"characters {char_start} to {char_end} are not within a span of {len(span.text)}")
    if not _has_escapes(span, raw):
        begin = len(span.text[:char_start].encode("utf-8"))
        return span.start + begin, span.start + begin + len(span.text[char_start:char_end].encode("utf-8"))
    literal = raw.decode("utf-8")
    first = _place(literal, char_start)
    last = first if char_end == char_start else _place(literal, char_end)
    begin = len(literal[:first].encode("utf-8"))
    return span.start + begin, span.start + begin + len(literal[first:last].encode("utf-8"))


def char_range(span: Span, raw: bytes, start: int, end: int) -> tuple[int, int] | None:
    """Return the characters that the global bytes are; None where they cut a character or leave the span."""
    if not span.start <= start <= end <= span.end:
        return None
    first = _characters(span, raw[: start - span.start])
    width = _characters(span, raw[start - span.start : end - span.start])
    rest = _characters(span, raw[end - span.start :])
    if first is None or width is None or rest is None or first + width + rest != len(span.text):
        return None
    return first, first + width


def on_boundary(span: Span, raw: bytes, start: int, end: int) -> bool:
    """Tell whether the global bytes `[start, end)` lie in the span and cut no character and no escape."""
    return char_range(span, raw, start, end) is not None


def _has_escapes(span: Span, raw: bytes) -> bool:
    return span.enc is Encoding.JSON and b"\\" in raw


def _place(literal: str, count: int) -> int:
    """Return where in a literal its character number `count` begins."""
    begin = seen = 0
    for match in _ESCAPE.finditer(literal):
        if seen + match.start() - begin >= count:
            break
        seen += match.start() - begin + 1
        begin = match.end()
    return begin + count - seen


def _characters(span: Span, piece: bytes) -> int | None:
    """Count the characters of a piece; None where it begins or ends inside one.

    Cuts inside an escape show as a backslash without its letters, or as letters too many: the caller compares
    the sum over all pieces with the span's own length.
    """
    try:
        text = piece.decode("utf-8")
    except UnicodeDecodeError:
        return None
    if not _has_escapes(span, piece):
        return len(text)
    count = begin = 0
    for match in _ESCAPE.finditer(text):
        if match.group() == "\\u":
            return None
        count += match.start() - begin + 1
        begin = match.end()
    if "\\" in text[begin:]:
        return None
    return count + len(text) - begin
