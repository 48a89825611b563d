"""A line is believed by its hash: it is read back as it was, and any change of it is found and named."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.builders import AT, RUN, Story, evidence, init_begun, run_begun, statement
from tests.strategies import bodies, histories, run_ids, texts, times
from xysq.canonical import canonical_json, parse_json, sha256_hex
from xysq.errors import Damaged
from xysq.ledger.line import GENESIS, MAX_LINE_BYTES, chain, from_line, read_segment, to_line
from xysq.model.body import body_to_wire
from xysq.model.event import Asserted, Body, Event, Head, PageOp

PATH = "ledger/000/000001.jsonl"
heads = st.builds(Head, n=st.integers(0, 10**6), hash=st.text("0123456789abcdef", min_size=64, max_size=64))


def _one(body: Body, head: Head = GENESIS, at: str = AT, run: str = RUN, salt: str = "5a17") -> Event:
    (event,) = chain(head, at, type(RUN)(run), [body], [salt])
    return event


def _fact_line() -> bytes:
    fact = statement("Café « Zoé »", evidence=(evidence('She said "\x1b[1m"\n'),))
    return to_line(_one(Asserted(statement=fact), head=Head(n=6, hash="ab" * 32)))[:-1]


def _emptied(line: bytes) -> bytes:
    return canonical_json(json.loads(line) | {"body": None, "salt": None})


# Spelling


@given(bodies, heads, times, run_ids, texts)
def test_an_event_is_read_back_from_its_line(body: Body, head: Head, at: str, run: str, salt: str) -> None:
    event = _one(body, head, at, run, salt)
    line = to_line(event)

    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    assert from_line(line[:-1], PATH, 1) == event
    assert parse_json(line[:-1]) == {
        "n": head.n + 1,
        "prev": head.hash,
        "at": at,
        "run": run,
        "kind": event.kind,
        "body": body_to_wire(body),
        "salt": salt,
        "digest": event.digest,
        "hash": event.hash,
    }
    assert canonical_json(parse_json(line[:-1])) == line[:-1]


def test_digest_and_hash_are_what_the_format_says() -> None:
    wire = json.loads(_fact_line())
    framed = {name: value for name, value in wire.items() if name not in {"body", "salt", "hash"}}

    assert wire["digest"] == sha256_hex(wire["salt"].encode() + canonical_json(wire["body"]))
    assert wire["hash"] == sha256_hex(canonical_json(framed))


@given(bodies, texts)
def test_an_emptied_line_keeps_its_place_in_the_chain(body: Body, salt: str) -> None:
    event = _one(body, salt=salt)
    line = _emptied(to_line(event)[:-1])
    emptied = from_line(line, PATH, 1)

    assert (emptied.body, emptied.salt) == (None, "")
    assert (emptied.n, emptied.prev, emptied.digest, emptied.hash) == (event.n, event.prev, event.digest, event.hash)
    assert to_line(emptied)[:-1] == line


# Damage


def _damage(line: bytes) -> str:
    with pytest.raises(Damaged) as caught:
        from_line(line, PATH, 7)
    assert (caught.value.path, caught.value.where) == (PATH, "7")
    assert str(caught.value).startswith(f"{PATH}:7: ")
    return str(caught.value)


@pytest.mark.parametrize("empty", [False, True], ids=["whole", "emptied"])
def test_every_changed_byte_of_a_line_is_found(empty: bool) -> None:
    line = _emptied(_fact_line()) if empty else _fact_line()
    from_line(line, PATH, 7)
    for place in range(len(line)):
        for change in (1, 0x20, 0x80):
            _damage(line[:place] + bytes([line[place] ^ change]) + line[place + 1 :])


def test_every_lost_doubled_or_added_byte_of_a_line_is_found() -> None:
    line = _fact_line()
    for place in range(len(line)):
        _damage(line[:place])
        _damage(line[:place] + line[place + 1 :])
        _damage(line[:place] + b"0" + line[place:])
    _damage(line + b" ")
    _damage(b" " + line)


@given(st.binary(max_size=300))
def test_bytes_that_are_no_line_are_damage(data: bytes) -> None:
    _damage(data)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"n": 0}, "event.n: is not a whole number of at least 1"),
        ({"n": "7"}, "event.n: is not a whole number"),
        ({"at": "2026-11-30T18:02:12Z"}, "event.hash: is not the hash of the line"),
        ({"kind": "confirm"}, "event.hash: is not the hash of the line"),
        ({"digest": "0" * 64}, "event.hash: is not the hash of the line"),
        ({"salt": "5a18"}, "event.digest: is not the digest of the body"),
        ({"salt": None}, "has a body without a salt"),
        ({"body": None}, "a salt without a body"),
        ({"body": {"fact": "f-1"}}, "event.digest: is not the digest of the body"),
        ({"extra": 1}, "has unknown fields: extra"),
    ],
)
def test_a_changed_member_is_named(change: dict[str, object], sentence: str) -> None:
    assert sentence in _damage(canonical_json(json.loads(_fact_line()) | change))


def test_a_line_spelled_another_way_is_damage_though_its_hashes_hold() -> None:
    value = json.loads(_fact_line())

    assert "is not canonical JSON" in _damage(json.dumps(value, ensure_ascii=False).encode())
    assert "is not canonical JSON" in _damage(json.dumps(value, sort_keys=True, separators=(",", ":")).encode())
    unsorted = dict(reversed(value.items()))
    assert "is not canonical JSON" in _damage(json.dumps(unsorted, ensure_ascii=False, separators=(",", ":")).encode())


def test_a_body_whose_own_digest_was_made_over_another_spelling_is_damage() -> None:
    value = json.loads(_fact_line())
    loose = json.dumps(value["body"], ensure_ascii=False).encode()
    framed = {name: value[name] for name in ("n", "prev", "at", "run", "kind")}
    framed["digest"] = sha256_hex(value["salt"].encode() + loose)
    whole = framed | {"salt": value["salt"], "hash": sha256_hex(canonical_json(framed)), "body": None}
    line = canonical_json(whole).replace(b'"body":null', b'"body":' + loose)

    assert "is not canonical JSON" in _damage(line)


def test_a_body_of_a_kind_or_shape_that_the_format_does_not_know_is_damage() -> None:
    known, unknown = statement("x"), body_to_wire(Asserted(statement=statement("x"))) | {"mood": "good"}
    assert from_line(to_line(_one(Asserted(statement=known)))[:-1], PATH, 1).kind == "assert"
    for kind, body, sentence in (("assert", unknown, "unknown fields: mood"), ("dream", {}, "does not know")):
        framed = {"n": 1, "prev": "0" * 64, "at": AT, "run": RUN, "kind": kind}
        framed["digest"] = sha256_hex(b"s" + canonical_json(body))
        line = canonical_json(framed | {"salt": "s", "body": body, "hash": sha256_hex(canonical_json(framed))})
        assert sentence in _damage(line)


def test_a_line_longer_than_any_event_is_damage() -> None:
    assert "bytes of JSON" in _damage(b" " * (MAX_LINE_BYTES + 1))


# Segments


@given(histories, st.data())
def test_a_segment_is_read_back_from_any_place_in_the_chain(story: Story, data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, len(story.events)))
    tail = story.events[cut:]
    head = GENESIS if cut == 0 else Head(n=story.events[cut - 1].n, hash=story.events[cut - 1].hash)

    assert list(read_segment(b"".join(map(to_line, tail)), PATH, head)) == tail


def _lines() -> list[bytes]:
    story = Story()
    alice = story.page("alice")
    alice.assert_("f-1")
    alice.close("f-1")
    return story.ledger().splitlines(keepends=True)


def _segment_damage(data: bytes, head: Head = GENESIS) -> str:
    with pytest.raises(Damaged) as caught:
        list(read_segment(data, PATH, head))
    return str(caught.value)


def test_an_empty_segment_has_no_events() -> None:
    assert list(read_segment(b"", PATH, GENESIS)) == []


def test_lines_missing_doubled_swapped_or_strange_are_found_with_their_number() -> None:
    lines = _lines()
    assert len(list(read_segment(b"".join(lines), PATH, GENESIS))) == len(lines) == 7
    strange = to_line(chain(Head(n=2, hash="ab" * 32), AT, RUN, [run_begun()], ["s"])[0])

    def found(changed: list[bytes]) -> str:
        return _segment_damage(b"".join(changed))

    assert f"{PATH}:3: event 4 stands where 3 belongs" in found(lines[:2] + lines[3:])
    assert f"{PATH}:4: event 3 stands where 4 belongs" in found(lines[:3] + lines[2:])
    assert f"{PATH}:2: event 3 stands where 2 belongs" in found([lines[0], lines[2], lines[1], *lines[3:]])
    assert f"{PATH}:3: event 3 does not continue the chain" in found([*lines[:2], strange])
    assert f"{PATH}:1: event 2 stands where 1 belongs" in found(lines[1:])
    assert f"{PATH}:2: not JSON" in found([lines[0], b"\n", *lines[1:]])


def test_a_torn_tail_is_found_even_where_it_holds_a_line_end() -> None:
    data = b"".join(_lines())
    for size in range(len(data) - 300, len(data)):
        torn = data[:size]
        if not torn.endswith(b"\n"):
            assert "the last line has no end" in _segment_damage(torn)
    assert f"{PATH}:8: not JSON" in _segment_damage(data + b"\x00\x00\n")
    assert f"{PATH}:7: not JSON" in _segment_damage(data[:-9] + b"\n")


def test_only_the_line_feed_ends_a_line() -> None:
    fact = statement("one\u2028two\u0085three", text="a\rb\x0bc")
    line = to_line(_one(Asserted(statement=fact), head=Head(n=1, hash="cd" * 32)))

    (event,) = read_segment(line, PATH, Head(n=1, hash="cd" * 32))
    assert event.body == Asserted(statement=fact)


def test_one_salt_a_body() -> None:
    with pytest.raises(ValueError, match="shorter"):
        chain(GENESIS, AT, RUN, [init_begun(), run_begun()], ["only one"])


def test_a_page_event_spells_what_it_names() -> None:
    story = Story()
    story.page("alice", "Alice", aliases=["Al"]).rename("Alice Chen", "Al", "Alice")
    wire = json.loads(story.ledger().splitlines()[-1])["body"]
    assert (wire["op"], wire["title"]) == (PageOp.META.value, "Alice Chen")
    assert [alias["name"] for alias in wire["aliases"]] == ["Al", "Alice"]
