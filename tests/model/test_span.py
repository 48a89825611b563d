"""Characters of a span and bytes of its log name the same words."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xysq.errors import BadInput
from xysq.model.source import Encoding, Span, decode_span
from xysq.model.span import byte_range, char_range, on_boundary

WORDS = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
ESCAPED = st.sampled_from(
    ['\\"', "\\\\", "\\n", "\\u00e9", "\\ud83d\\ude00", "\\uD83D\\uDE00", "\\/", "ü", "😀", "a", "\\u0000"]
)
LITERALS = st.lists(ESCAPED, max_size=25).map("".join)


def span_of(literal: str, enc: Encoding, start: int = 0) -> tuple[Span, bytes]:
    """Make a span over a whole literal."""
    raw = literal.encode("utf-8")
    words = decode_span(raw, enc)
    assert words is not None
    return Span(start=start, end=start + len(raw), enc=enc, text=words), raw


def check_every_range(span: Span, raw: bytes) -> None:
    """Every character range decodes from its bytes, and every other byte range is no range of characters."""
    cuts = []
    for place in range(len(span.text) + 1):
        start, end = byte_range(span, raw, place, len(span.text))
        assert end == span.end
        assert decode_span(raw[start - span.start :], span.enc) == span.text[place:]
        cuts.append(start)
    assert cuts == sorted(set(cuts))
    for offset in range(span.start, span.end + 1):
        assert on_boundary(span, raw, span.start, offset) == (offset in cuts)
        assert on_boundary(span, raw, offset, span.end) == (offset in cuts)


@given(LITERALS, st.integers(0, 1000))
def test_json_ranges_decode_to_their_characters_and_cut_no_escape(literal: str, start: int) -> None:
    """Escapes and pairs of escapes are single characters."""
    check_every_range(*span_of(literal, Encoding.JSON, start))


@given(WORDS, st.sampled_from([Encoding.PLAIN, Encoding.TEXT]), st.integers(0, 1000))
def test_plain_ranges_decode_to_their_characters_and_cut_none(words: str, enc: Encoding, start: int) -> None:
    """UTF-8 characters are whole."""
    check_every_range(*span_of(words, enc, start))


@given(WORDS, st.booleans(), st.data())
def test_the_way_there_and_back_is_one(words: str, ascii_only: bool, data: st.DataObject) -> None:
    """`char_range` undoes `byte_range`, and the slice decodes to the characters."""
    span, raw = span_of(json.dumps(words, ensure_ascii=ascii_only)[1:-1], Encoding.JSON, 7)
    assert span.text == words
    first = data.draw(st.integers(0, len(words)))
    last = data.draw(st.integers(first, len(words)))
    start, end = byte_range(span, raw, first, last)
    assert decode_span(raw[start - 7 : end - 7], Encoding.JSON) == words[first:last]
    assert char_range(span, raw, start, end) == (first, last)


def test_bytes_outside_the_span_are_no_range_but_its_own_ends_are() -> None:
    """The span's ends are the limits."""
    span, raw = span_of("hello", Encoding.PLAIN, 10)
    assert char_range(span, raw, 10, 15) == (0, 5)
    assert char_range(span, raw, 9, 15) is None
    assert char_range(span, raw, 10, 16) is None
    assert char_range(span, raw, 13, 12) is None


def test_characters_beyond_the_words_are_refused() -> None:
    """Asking for characters that are not there is an error, the last one is not."""
    span, raw = span_of("hello", Encoding.PLAIN)
    assert byte_range(span, raw, 4, 5) == (4, 5)
    with pytest.raises(BadInput):
        byte_range(span, raw, 4, 6)
