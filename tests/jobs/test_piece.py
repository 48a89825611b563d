"""A session that is handed over piece by piece: everything once, nothing run together, nothing twice."""

from tests.builders import Clock
from xysq.jobs.opened import Opened
from xysq.jobs.push import PushOrder, push
from xysq.model.report import Pushed
from xysq.model.source import VersionKind
from xysq.store import logs


def pushed(opened: Opened, words: str, sequence: int | None = None, source: str = "mcp:talk") -> Pushed:
    order = PushOrder(data=words.encode(), source=source, piecewise=True, sequence=sequence)
    return push(opened, order)


def whole(opened: Opened, one: Pushed) -> bytes:
    newest = logs.newest(opened.files, one.source)
    assert newest is not None
    return logs.read_bytes(opened.files, newest.id)


def test_pieces_become_paragraphs_of_one_session_and_a_grown_one_only_gains_its_tail(opened: Opened) -> None:
    first = pushed(opened, "I like tea.")
    second = pushed(opened, "I live in Rome.\n")
    assert (second.source, second.version.number, second.kind) == (first.source, 2, VersionKind.APPEND)
    assert whole(opened, first) == b"I like tea.\n\nI live in Rome.\n"
    grown = pushed(opened, "I like tea.\n\nI live in Rome.\n\nSo does Ida.\n\n")
    assert (grown.version.number, grown.gained) == (3, len(b"\nSo does Ida.\n\n"))
    pushed(opened, "I")  # a beginning of what is there is a piece too
    assert whole(opened, first).endswith(b"So does Ida.\n\nI")


def test_a_piece_that_comes_twice_answers_the_version_it_made_then(opened: Opened, clock: Clock) -> None:
    first, second = pushed(opened, "one"), pushed(opened, "two")
    clock.tick(60)
    assert [pushed(opened, words).version for words in ("one", "two", "one\n\ntwo")] == [
        first.version,
        second.version,
        second.version,
    ]
    assert whole(opened, first) == b"one\n\ntwo"


def test_numbered_pieces_are_the_same_only_under_the_same_number(opened: Opened) -> None:
    first = pushed(opened, "yes", 1)
    again = pushed(opened, "yes", 2)
    assert [pushed(opened, "yes", number).version for number in (1, 2)] == [first.version, again.version]
    assert whole(opened, first) == b"yes\n\nyes"
    unnumbered = pushed(opened, "no")
    assert logs.read_meta(opened.files, unnumbered.version).sequence is None
    assert logs.read_meta(opened.files, again.version).sequence == 2


def test_records_of_a_session_may_be_cut_anywhere(opened: Opened) -> None:
    record = '{"type":"user","uuid":"u1","sessionId":"s","message":{"role":"user","content":"I live in Rome."}}\n'
    pushed(opened, record + record[:40].replace("u1", "u2"))
    last = pushed(opened, record[40:].replace("u1", "u2"))
    assert whole(opened, last) == (record + record.replace("u1", "u2")).encode()
