"""The places of strings in JSON are where their words are."""

import json

from hypothesis import given
from hypothesis import strategies as st

from xysq.model.source import Encoding, decode_span
from xysq.readers.json_place import Place, inside, object_end, string_places, without_lone_surrogates

KEYS = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | KEYS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=12,
)


def check(value: object, place: Place, line: bytes) -> None:
    if isinstance(value, str):
        assert isinstance(place, tuple)
        assert decode_span(line[slice(*place)], Encoding.JSON) == value
        assert line[place[0] - 1 : place[0]] == line[place[1] : place[1] + 1] == b'"'
    elif isinstance(value, dict):
        assert isinstance(place, dict)
        assert place.keys() == value.keys()
        for name in value:
            check(value[name], place[name], line)
    elif isinstance(value, list):
        assert isinstance(place, list)
        assert len(place) == len(value)
        for item, where in zip(value, place, strict=True):
            check(item, where, line)
    else:
        assert place is None


@given(JSON, st.booleans(), st.sampled_from([None, 1]), st.binary(max_size=3))
def test_places_have_the_shape_of_the_value_and_hold_its_strings(
    value: object, ascii_only: bool, indent: int | None, before: bytes
) -> None:
    line = before + json.dumps(value, ensure_ascii=ascii_only, indent=indent).encode("utf-8")
    check(value, string_places(line, len(before)), line)


@given(st.dictionaries(KEYS, JSON, max_size=4), st.sampled_from([b"", b'{"a":1}', b" }", b'"']))
def test_an_object_ends_where_its_bracket_does(value: object, behind: bytes) -> None:
    line = json.dumps(value).encode("utf-8")
    assert object_end(line + behind, 0) == len(line)
    assert object_end(line[:-1], 0) is None


def test_half_a_pair_is_replaced_and_no_byte_moves() -> None:
    line = rb'{"a":"x\ud83d","b":"\ud83d\ude00","c":"\\ud83d","d":"\uDE00!"}'
    mended = without_lone_surrogates(line)
    assert len(mended) == len(line)
    assert json.loads(mended) == {"a": "x\ufffd", "b": "😀", "c": "\\ud83d", "d": "\ufffd!"}


def test_a_path_that_is_not_there_leads_nowhere() -> None:
    places = string_places(b'{"a":{"b":"c"}}')
    assert inside(places, "a", "b") == (11, 12)
    assert inside(places, "a", "x") is None
    assert inside(places, "a", "b", "c") is None
