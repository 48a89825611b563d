"""Canonical JSON has one spelling, strict JSON refuses the rest, ids follow from what they are made of."""

import json
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.builders import Entropy
from xysq.canonical import (
    CROCKFORD,
    base32,
    canonical_json,
    canonical_text,
    derived_id,
    instant,
    parse_json,
    run_id,
    sha256_hex,
    source_id,
)
from xysq.errors import BadJson

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=12,
)


@given(JSON)
def test_parsing_what_was_spelled_gives_the_value_back(value: object) -> None:
    assert parse_json(canonical_json(value)) == value


@given(JSON)
def test_a_value_has_one_spelling_whatever_it_was_read_from(value: object) -> None:
    assert canonical_json(json.loads(json.dumps(value, indent=2))) == canonical_json(value)


@given(st.text())
def test_a_string_alone_is_spelled_as_inside_a_value(text: str) -> None:
    assert f'{{"a":{canonical_text(text)}}}'.encode() == canonical_json({"a": text})


def test_keys_are_sorted_and_nothing_is_spaced_or_escaped_without_need() -> None:
    assert canonical_json({"b": [1, True, None], "a": 'ß"\n'}) == '{"a":"ß\\"\\n","b":[1,true,null]}'.encode()


@pytest.mark.parametrize("value", [float("nan"), float("inf"), "\ud800"])
def test_what_has_no_spelling_is_not_spelled(value: object) -> None:
    with pytest.raises(ValueError, match=r"JSON compliant|surrogates"):
        canonical_json(value)


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b'{"a":1,"a":2}', "same key twice"),
        (b'[{"a":{"b":1,"b":1}}]', "same key twice"),
        (b"[NaN]", "NaN is not JSON"),
        (b"[-Infinity]", "Infinity is not JSON"),
        (b"[1e999]", "larger than a number"),
        (b'["\\ud800"]', "lone surrogate"),
        (b'{"\\udc00x":1}', "lone surrogate"),
        (b'["\xff"]', "not UTF-8 at byte 2"),
        (b'["\xed\xa0\x80"]', "not UTF-8"),
        (b"", "not JSON at character 0"),
        (b"[1] x", "not JSON at character 4"),
        (b'["\x01"]', "not JSON"),
        (b"{'a':1}", "not JSON"),
        (b"[01]", "not JSON"),
        (b"[1,]", "not JSON"),
        (b"\xef\xbb\xbf[]", "not JSON"),
        (b"[" + b"9" * 5000 + b"]", "not JSON"),
        (b"[" * 65 + b"]" * 65, "deeper than 64"),
        (b"[" * 100_000, "deeper than 64"),
        (b"[" * 100_000 + b"]" * 100_000, "deeper than 64"),
        (b'{"a":' * 65 + b"1" + b"}" * 65, "deeper than 64"),
    ],
)
def test_json_that_is_not_strict_is_refused(data: bytes, sentence: str) -> None:
    with pytest.raises(BadJson, match=sentence):
        parse_json(data)


@pytest.mark.parametrize(
    "data",
    [
        b'{"a":1,"b":{"a":2}}',
        b"[1e308]",
        b'["\\ud83d\\ude00"]',
        '["\u20ac"]'.encode(),
        b" [1] \n",
        b"[" * 64 + b"]" * 64,
        b"[" + b"[]," * 500 + b'"[[[["]',
        b'"' + b"[{" * 500 + b'"',
    ],
)
def test_strict_json_is_taken(data: bytes) -> None:
    assert parse_json(data) == json.loads(data)


def test_json_is_bounded_in_bytes() -> None:
    assert parse_json(b"[1,2]", max_bytes=5) == [1, 2]
    with pytest.raises(BadJson, match="6 bytes of JSON"):
        parse_json(b"[1,22]", max_bytes=5)


@pytest.mark.parametrize(("data", "depth"), [(b"1", 0), (b"[]", 1), (b'[{"a":1}]', 2), (b'[{"a":[]},[]]', 3)])
def test_depth_counts_lists_and_objects(data: bytes, depth: int) -> None:
    assert parse_json(data, max_depth=depth) == json.loads(data)
    if depth:
        with pytest.raises(BadJson, match="deeper"):
            parse_json(data, max_depth=depth - 1)


@given(st.binary(max_size=200))
def test_any_bytes_are_parsed_or_refused(data: bytes) -> None:
    try:
        value = parse_json(data)
    except BadJson:
        return
    assert parse_json(canonical_json(value)) == value


def test_a_digest_is_lower_case_hexadecimal() -> None:
    assert sha256_hex(b"") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


@pytest.mark.parametrize(
    ("data", "length", "spelled"),
    [(b"\x00", 1, "0"), (b"\xff\xff\xff", 4, "zzzz"), (b"\x08\x42\x10\x84\x21", 8, "11111111")],
)
def test_base32_spells_bits_from_the_front(data: bytes, length: int, spelled: str) -> None:
    assert base32(data, length) == spelled


def test_derived_ids_follow_from_run_and_position_alone() -> None:
    free = derived_id("f", "r-1", "0", lambda _: False)

    assert free == derived_id("f", "r-1", "0", lambda _: False)
    assert len({free, derived_id("f", "r-1", "1", lambda _: False), derived_id("f", "r-2", "0", lambda _: False)}) == 3
    assert free.startswith("f-")
    assert len(free) == 12
    assert set(free[2:]) <= set(CROCKFORD)


def test_a_taken_id_takes_the_next() -> None:
    first = derived_id("f", "r-1", "0", lambda _: False)
    second = derived_id("f", "r-1", "0", lambda name: name == first)

    assert second != first
    assert derived_id("f", "r-1", "0", {first, second}.__contains__) not in {first, second}


def test_ids_of_runs_and_sources_carry_their_time_in_utc(entropy: Entropy) -> None:
    late = datetime(2026, 12, 1, 0, 30, 5, tzinfo=timezone(timedelta(hours=2)))

    assert run_id(late, entropy(4)).startswith("r-20261130T223005Z-")
    assert source_id(late, entropy(4)).startswith("20261130-")
    assert len(run_id(late, entropy(3))) == len("r-20261130T223005Z-abcd")
    assert len(source_id(late, entropy(4))) == len("20261130-abcdef")


@pytest.mark.parametrize(
    ("moment", "spelled"),
    [
        (datetime(2026, 11, 30, 18, 2, 11, 999_999, tzinfo=UTC), "2026-11-30T18:02:11Z"),
        (datetime(2026, 11, 30, 23, 2, 11, tzinfo=timezone(timedelta(hours=-3))), "2026-12-01T02:02:11Z"),
        (datetime(999, 1, 2, tzinfo=UTC), "0999-01-02T00:00:00Z"),
    ],
)
def test_a_moment_is_spelled_in_utc_with_whole_seconds(moment: datetime, spelled: str) -> None:
    assert instant(moment) == spelled
