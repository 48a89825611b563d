"""A view is a function of bytes and encoding, and every character knows its raw bytes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xysq.errors import BadInput
from xysq.readers.view import continued, decode_view, join_views, make_view

ENCODINGS = st.sampled_from(
    (
        *("utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be", "gb18030", "cp949", "big5", "cp932"),
        *("cp1251", "cp1253", "cp1255", "koi8-r", "cp1252", "utf-16-le+1", "utf-32-be+3"),
    )
)


@given(st.binary(max_size=700), ENCODINGS, st.integers(0, 50), st.integers(0, 50))
def test_any_bytes_have_a_view_whose_characters_lie_in_order(
    data: bytes, encoding: str, raw_start: int, text_start: int
) -> None:
    view = make_view(data, encoding, raw_start=raw_start, text_start=text_start)
    assert decode_view(data, encoding) == view.text
    places = [text_start]
    for letter in view.text.decode("utf-8"):
        places.append(places[-1] + len(letter.encode("utf-8")))
    raws = [view.raw_at(place) for place in places]
    assert raws == sorted(set(raws)) or not data
    assert raws[-1] == raw_start + len(data) == view.raw_end
    assert all(view.text_at(raw) == place for raw, place in zip(raws, places, strict=True))


@given(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=400),
    st.sampled_from(["utf-16-le", "utf-32-be", "gb18030"]),
)
def test_each_character_is_viewed_from_its_own_bytes(words: str, encoding: str) -> None:
    data = words.encode(encoding)
    view = make_view(data, encoding)
    assert view.text.decode("utf-8") == words
    assert view.hole(0, len(view.text) + 1) is None
    half = words[: len(words) // 2]
    assert view.raw_at(len(half.encode("utf-8"))) == len(half.encode(encoding))


@given(st.text(st.characters(max_codepoint=0xFFFF, exclude_categories=["Cs"]), max_size=60), st.data())
def test_parts_cut_at_an_odd_byte_lose_no_more_than_the_character_there(words: str, data: st.DataObject) -> None:
    raw = words.encode("utf-16-le")
    cut = data.draw(st.integers(0, len(raw)))
    first = make_view(raw[:cut], "utf-16-le")
    second = make_view(raw[cut:], continued("utf-16-le", cut), raw_start=cut, text_start=first.text_end)
    view = join_views((first, second))
    shown = view.text.decode("utf-8")
    if cut % 2:
        assert shown == words[: cut // 2] + "\ufffd\ufffd" + words[cut // 2 + 1 :]
        assert view.hole(0, len(view.text)) == len(words[: cut // 2].encode("utf-8"))
    else:
        assert shown == words


def test_what_cannot_be_read_is_a_hole() -> None:
    view = make_view(b"ab\xff\xc3\xa9\xff", "utf-8", raw_start=10, text_start=4)
    assert view.text.decode("utf-8") == "ab\ufffdé\ufffd"
    assert view.hole(4, 6) is None
    assert view.hole(4, 7) == 6
    assert view.raw_at(6) == 12
    assert view.hole(9, 20) == 11
    assert view.raw_at(11) == 15


def test_views_with_a_gap_are_not_joined() -> None:
    first = make_view(b"a\xe9", "cp1252")
    assert join_views((first, make_view(b"b", "cp1252", raw_start=2, text_start=3))).text == "aéb".encode()
    with pytest.raises(BadInput):
        join_views((first, make_view(b"b", "cp1252", raw_start=3, text_start=3)))


def test_an_unknown_encoding_is_refused() -> None:
    assert decode_view(b"\xe9", "cp1252") == "é".encode()
    for name in ("zip", "cp1252+1", "utf-16-le+2", "utf-8;x"):
        with pytest.raises(BadInput):
            decode_view(b"x", name)
