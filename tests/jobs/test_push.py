import random

import pytest

from xysq.errors import BadInput, NotFound
from xysq.jobs.opened import Opened
from xysq.jobs.push import PushOrder, push
from xysq.jobs.readable import readable
from xysq.model.source import Role, SourceId, Version, VersionKind
from xysq.store import logs, queue

TALK = b"Maya: I live in Berlin.\n\nTom: I moved to Lisbon.\n\n"


def order(data: bytes, name: str = "talk.txt", **more: object) -> PushOrder:
    return PushOrder(data=data, filename=name, origin=f"/home/maya/{name}", **more)  # type: ignore[arg-type]


def test_the_bytes_come_back_as_they_were_pushed(opened: Opened) -> None:
    pushed = push(opened, order(TALK))
    assert logs.read_bytes(opened.files, pushed.version) == TALK
    assert pushed.kind is VersionKind.PUSH


@pytest.mark.parametrize(
    "data", [b"", b"\x00" * 700, b"\xff\xfe\x00", "ünï\r\n".encode("utf-16"), bytes(range(256)) * 9]
)
def test_any_bytes_are_kept(opened: Opened, data: bytes) -> None:
    pushed = push(opened, order(data, "strange.bin"))
    with readable(opened).reading() as snapshot:
        assert snapshot.logs.meta(pushed.version) is not None
    assert logs.read_bytes(opened.files, pushed.version) == data


def test_the_same_bytes_again_write_nothing(opened: Opened) -> None:
    first = push(opened, order(TALK))
    again = push(opened, order(TALK))
    assert (again.version, again.kind, again.gained) == (first.version, None, 0)


def test_a_beginning_of_the_bytes_is_unchanged(opened: Opened) -> None:
    first = push(opened, order(TALK))
    assert push(opened, order(TALK[:20])).version == first.version


def test_a_grown_file_keeps_only_its_tail(opened: Opened) -> None:
    first = push(opened, order(TALK))
    grown = push(opened, order(TALK + b"Maya: And I like tea.\n\n"))
    assert grown.source == first.source
    assert (grown.kind, grown.gained) == (VersionKind.APPEND, 23)
    assert logs.read_bytes(opened.files, grown.version).endswith(b"tea.\n\n")
    assert logs.read_bytes(opened.files, first.version) == TALK


def test_other_bytes_are_an_update_that_knows_what_was_kept(opened: Opened) -> None:
    push(opened, order(TALK))
    other = push(opened, order(TALK.replace(b"Lisbon", b"Porto")))
    meta = logs.read_meta(opened.files, other.version)
    assert meta.kind is VersionKind.UPDATE
    old, new = TALK, TALK.replace(b"Lisbon", b"Porto")
    assert meta.kept
    for start, end, place in meta.kept:
        assert old[start:end] == new[place : place + end - start]


def test_append_adds_to_the_end_whatever_was_there(opened: Opened) -> None:
    first = push(opened, order(b"one\n", "a.txt", source="notes"))
    second = push(opened, order(b"two\n", "b.txt", source="notes", append=True))
    assert second.source == first.source
    assert logs.read_bytes(opened.files, second.version) == b"one\ntwo\n"


def test_a_name_leads_to_its_source_from_anywhere(opened: Opened) -> None:
    first = push(opened, order(b"one\n", "a.txt", source="standup"))
    second = push(opened, order(b"one\ntwo\n", "elsewhere.txt", source="standup"))
    assert second.version == Version(first.source, 2)
    by_id = push(opened, order(b"one\ntwo\nthree\n", "x.txt", source=first.source))
    assert by_id.version == Version(first.source, 3)


def test_an_id_of_no_source_is_an_error(opened: Opened) -> None:
    with pytest.raises(NotFound):
        push(opened, order(b"x", source="20260101-aaaaaa"))


def test_an_unknown_format_is_an_error_and_nothing_lands(opened: Opened) -> None:
    with pytest.raises(BadInput):
        push(opened, order(b"x", format="pigeon"))
    assert not queue.landed(opened.files)


def test_a_tail_that_is_no_utf8_makes_an_update_with_a_text_view(opened: Opened) -> None:
    first = push(opened, order(b"plain words\n\n"))
    grown = push(opened, order(b"plain words\n\n\xe9t\xe9 \xff\xfe\n\n"))
    assert grown.source == first.source
    assert grown.kind is VersionKind.UPDATE
    assert logs.read_bytes(opened.files, grown.version).endswith(b"\xff\xfe\n\n")


def test_growing_in_any_steps_gives_the_passages_of_one_push(opened: Opened) -> None:
    words = b"".join(f"{'Maya' if n % 3 else 'Tom'}: line {n} says something\n\n".encode() for n in range(30))
    chance = random.Random(7)
    for end in sorted(chance.sample(range(40, len(words)), 9)):
        push(opened, order(words[:end], "grown.txt", format="turns"))
        readable(opened)
    grown = push(opened, order(words, "grown.txt", format="turns"))
    whole = push(opened, order(words, "whole.txt", format="turns"))
    with readable(opened).reading() as snapshot:
        one = snapshot.logs.passages(grown.version)
        other = snapshot.logs.passages(whole.version)
    assert [(p.number, p.start, p.end, p.speaker, p.text) for p in one] == [
        (p.number, p.start, p.end, p.speaker, p.text) for p in other
    ]


def test_what_landed_is_found_by_the_next_reader_and_committed(opened: Opened) -> None:
    push(opened, order(TALK))
    assert len(queue.landed(opened.files)) == 1
    before = opened.repository.tip()
    with readable(opened).reading() as snapshot:
        assert snapshot.logs.sources()[0].passages == 2
    assert not queue.landed(opened.files)
    assert opened.repository.tip() != before


def test_a_landing_cut_before_its_meta_never_happened(opened: Opened) -> None:
    queue.mark(opened.files, Version(SourceId("20261130-abcdef"), 1))
    readable(opened)
    assert not queue.landed(opened.files)


def test_words_pushed_as_somebody_are_theirs(opened: Opened) -> None:
    pushed = push(opened, order(b"I like tea.\n", said_as=(Role.USER, "Maya")))
    with readable(opened).reading() as snapshot:
        (passage,) = snapshot.logs.passages(pushed.version)
    assert (passage.role, passage.speaker) == (Role.USER, "Maya")


def test_a_given_time_is_when_it_was_said(opened: Opened) -> None:
    pushed = push(opened, order(b"I like tea.\n", at="2026-01-02T00:00:00Z"))
    with readable(opened).reading() as snapshot:
        assert snapshot.logs.passages(pushed.version)[0].at == "2026-01-02T00:00:00Z"
