"""What is too long is cut at the best place, never inside a character or an escape."""

import json

from hypothesis import given
from hypothesis import strategies as st

from xysq.model.source import Encoding, decode_span
from xysq.readers.cut import cut

LONG = st.lists(st.sampled_from(["word ", "é", "😀", "end. ", "\n", '"', "\\", "x" * 30, "\u2028"]), max_size=40).map(
    "".join
)


@given(LONG, st.booleans())
def test_pieces_of_a_literal_are_whole_words_of_json(words: str, ascii_only: bool) -> None:
    data = json.dumps(words, ensure_ascii=ascii_only).encode("utf-8")
    pieces = list(cut(data, 1, len(data) - 1, Encoding.JSON, limit=32))
    decoded = [decode_span(data[start:end], Encoding.JSON) for start, end in pieces]
    assert "".join(piece or "" for piece in decoded) == words
    assert None not in decoded
    assert all(0 < end - start <= 32 for start, end in pieces)


@given(LONG)
def test_pieces_of_text_are_whole_characters(words: str) -> None:
    data = words.encode("utf-8")
    pieces = list(cut(data, 0, len(data), Encoding.PLAIN, limit=16))
    assert b"".join(data[start:end] for start, end in pieces) == data
    assert all(decode_span(data[start:end], Encoding.PLAIN) is not None for start, end in pieces)


def test_a_line_end_is_better_than_a_sentence_and_that_is_better_than_a_space() -> None:
    assert next(cut(b"aaaaaa. bb\nccc ddd eee", 0, 22, Encoding.PLAIN, limit=16)) == (0, 11)
    assert next(cut(b"aaaaaaaa. bb ccc ddd eee", 0, 24, Encoding.PLAIN, limit=16)) == (0, 10)
    assert next(cut(b"aaaaaaaaabb ccc ddd eee", 0, 23, Encoding.PLAIN, limit=16)) == (0, 16)
    assert next(cut(b"aaaaaaaaa\\nbb cccccccccc", 0, 24, Encoding.JSON, limit=16)) == (0, 11)


def test_short_words_are_one_piece_and_none_are_no_piece() -> None:
    assert list(cut(b"abc", 0, 3, Encoding.PLAIN)) == [(0, 3)]
    assert list(cut(b"abc", 3, 3, Encoding.PLAIN)) == []


def test_bytes_that_are_no_text_are_cut_all_the_same() -> None:
    assert list(cut(b"\x80" * 40, 0, 40, Encoding.PLAIN, limit=16)) == [(0, 16), (16, 32), (32, 40)]
