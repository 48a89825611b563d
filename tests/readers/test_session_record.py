"""A broken record costs itself only."""

import json
from typing import Any

from xysq.readers.session_record import Broken, Record, is_record, is_typical, records


def spelled(uuid: str = "u-1", **more: object) -> bytes:
    value: dict[str, Any] = {"parentUuid": None, "sessionId": "s", "type": "user", "uuid": uuid}
    value["message"] = {"role": "user", "content": [{"type": "text", "text": "hi"}]}
    return json.dumps(value | more, separators=(",", ":")).encode("utf-8")


def found(line: bytes) -> list[object]:
    return [one.value.get("uuid") if isinstance(one, Record) else one for one in records(line, 100)]


def test_a_whole_line_is_one_record() -> None:
    (record,) = records(spelled(), 100)
    assert isinstance(record, Record)
    assert (record.start, record.end) == (100, 100 + len(spelled()))


def test_a_blank_line_holds_nothing() -> None:
    assert found(b"  \r") == []


def test_nul_bytes_are_reported_and_the_record_behind_them_is_read() -> None:
    assert found(b"\x00" * 300 + spelled()) == [Broken(100, "NUL bytes"), "u-1"]
    assert found(b"\x00" * 300) == [Broken(100, "NUL bytes")]


def test_a_byte_order_mark_is_no_fault() -> None:
    assert found(b"\xef\xbb\xbf" + spelled()) == ["u-1"]


def test_a_character_that_begins_like_a_byte_order_mark_is_not_cut() -> None:
    (only,) = found("\ufffd".encode() + spelled())[:1]
    assert isinstance(only, Broken)
    assert only.start == 100


def test_two_records_on_a_line_are_both_read() -> None:
    line = spelled("a") + spelled("b")
    assert found(line) == ["a", "b"]
    second = list(records(line, 0))[1]
    assert isinstance(second, Record)
    assert line[second.start : second.end] == spelled("b")


def test_a_cut_record_is_reported_and_the_complete_one_behind_it_is_read() -> None:
    for cut in range(1, len(spelled("a"))):
        first, *rest = found(spelled("a")[:cut] + spelled("b"))
        assert isinstance(first, Broken)
        assert first.start == 100
        assert rest == ["b"]


def test_a_cut_record_alone_is_reported() -> None:
    for cut in range(1, len(spelled("a"))):
        (only,) = found(spelled("a")[:cut])
        assert isinstance(only, Broken)


def test_an_object_inside_a_cut_record_is_no_record() -> None:
    inner = json.dumps({"type": "user", "uuid": "x", "message": {"role": "user", "content": "evil"}})
    (only,) = found(b'{"type":"progress","sessionId":"s","data":{"message":' + inner.encode())
    assert isinstance(only, Broken)


def test_what_is_not_an_object_or_not_strict_json_is_reported() -> None:
    for line in (b"[1]", b"1", b'"x"', b"{}}", b'{"a":NaN}', b'{"a":1,"a":2}', b"\xff{}", b"not json"):
        (only,) = found(line)
        assert isinstance(only, Broken)


def test_half_a_surrogate_pair_costs_its_string_only() -> None:
    (record,) = records(spelled().replace(b'"hi"', rb'"hi\ud83d"'), 0)
    assert isinstance(record, Record)


def test_any_object_with_role_and_content_is_not_this_format() -> None:
    assert is_record(json.loads(spelled()))
    assert is_typical(json.loads(spelled()))
    assert not is_record({"role": "user", "content": "hi"})
    assert not is_record({"type": "user", "message": {"role": "user", "content": "hi"}})
    assert not is_record({"type": "user", "uuid": "u", "message": {"role": "user", "parts": []}})
    assert not is_record({"type": "message", "uuid": "u", "message": {"role": "user", "content": "hi"}})
    assert not is_record({"type": ["user"]})


def test_a_hostile_line_is_tried_only_a_few_times() -> None:
    line = b'{"parentUuid":' * 20_000
    (only,) = found(line)
    assert isinstance(only, Broken)
