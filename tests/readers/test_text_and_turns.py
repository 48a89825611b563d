"""Paragraphs and turns: passages, speakers, times, and what has no words."""

from pathlib import Path
from typing import Any

import pytest

from tests.builders import SOURCE
from xysq.errors import BadInput
from xysq.model.settings import Me
from xysq.model.source import Certainty, Encoding, Role, decode_span
from xysq.readers.encoding import sniff
from xysq.readers.reading import FORMATS, Reading, ReadRequest, framed_to, read
from xysq.readers.view import make_view

FIXTURES = Path(__file__).parents[2] / "fixtures/transcripts"
ME = Me(name="Alice", aliases=("al",))


def reading(name: str, words: str | bytes, **more: Any) -> Reading:  # noqa: ANN401 - any field of a request
    data = words if isinstance(words, bytes) else words.encode("utf-8")
    return read(ReadRequest(source=SOURCE, version=1, data=data, format=name, me=ME, **more))


def said(found: Reading) -> list[tuple[str, str]]:
    return [(passage.speaker, passage.text) for passage in found.passages]


def test_text_is_one_passage_a_paragraph() -> None:
    found = reading("text", "one\ntwo\r\n\r\n  \n three\n\n")
    assert [passage.text for passage in found.passages] == ["one\ntwo", "three"]
    assert {passage.role for passage in found.passages} == {Role.OTHER}
    assert [(passage.start, passage.end) for passage in found.passages] == [(0, 9), (14, 21)]
    assert found.passages[0].session_kind == "text"
    assert found.parsed_to == 22
    assert found.title == "one"
    assert found.certainty is Certainty.UNKNOWN


def test_text_pushed_as_somebody_s_words_is_theirs() -> None:
    (passage,) = reading("text", "I like tea.", said_as=(Role.USER, "")).passages
    assert passage.role is Role.USER
    (passage,) = reading("text", "I like tea.", said_as=(Role.PERSON, "Bob")).passages
    assert (passage.role, passage.speaker) == (Role.PERSON, "Bob")


def test_a_paragraph_without_its_blank_line_is_not_finished() -> None:
    assert reading("text", "one\n\ntwo\n").parsed_to == 5
    assert reading("text", "one\n\ntwo\n ").parsed_to == 5
    assert reading("text", "one\n\ntwo\n \n").parsed_to == 11


def test_a_byte_order_mark_is_no_word() -> None:
    (passage,) = reading("text", "\ufeffhello").passages
    assert passage.text == "hello"
    assert passage.start == 3


def test_what_splitlines_would_split_is_one_line() -> None:
    (passage,) = reading("text", "a\u2028b\x0bc\x85d").passages
    assert passage.text == "a\u2028b\x0bc\x85d"


def test_nul_runs_and_bad_bytes_are_reported_and_the_rest_is_read() -> None:
    found = reading("text", b"one\n\n\x00\x00\x00\n\n\xff\xfe\n\ntwo")
    assert [passage.text for passage in found.passages] == ["one", "two"]
    assert [record.offset for record in found.unreadable] == [5, 10]


def test_a_character_cut_off_at_the_end_is_reported() -> None:
    found = reading("text", "naïve café".encode()[:-1])
    assert [passage.text for passage in found.passages] == ["naïve caf"]
    assert [record.offset for record in found.unreadable] == [10]


def test_recall_output_is_own_over_blank_lines_until_it_is_closed() -> None:
    words = "I asked:\n<xysq-recall query='x'>\nfact\n\nother\n</xysq-recall>\nand I agree"
    for name in ("text", "markdown", "turns"):
        found = reading(name, words)
        assert [passage.own for passage in found.passages] == [False, True, True, False]
        assert [passage.after_recall for passage in found.passages] == [False, False, True, True]


def test_a_text_view_is_cited_where_bytes_are_not_utf8() -> None:
    raw = "Grüße aus Köln.\n\nNoch eins: süß.".encode("cp1252")
    view = make_view(raw, sniff(raw))
    found = reading("text", raw, enc_view=view)
    first, second = found.passages
    assert (first.start, first.end, second.start) == (0, 16, 17)
    assert first.spans[0].enc is Encoding.TEXT
    assert decode_span(view.text[second.spans[0].start : second.spans[0].end], Encoding.TEXT) == "Noch eins: süß."
    assert found.parsed_to == 17


def test_bytes_that_a_view_cannot_show_are_reported_with_their_raw_offset() -> None:
    raw = ("Grüße. " * 3).encode("utf-8") + b"\xff ok"
    found = reading("text", raw, enc_view=make_view(raw, "utf-8"))
    assert found.passages[0].text.endswith("\ufffd ok")
    assert [record.offset for record in found.unreadable] == [len(raw) - 4]


def test_the_fixture_talk_reads_as_it_was() -> None:
    found = reading("turns", (FIXTURES / "talk.txt").read_bytes())
    assert [(one.role.value, one.speaker, one.at, one.text) for one in found.passages] == [
        ("other", "", "2026-11-28T00:00:00Z", "2026-11-28"),
        ("user", "Alice", "2026-11-28T00:00:00Z", "I started at Harbour Labs this week."),
        ("person", "Bob", "2026-11-28T00:00:00Z", "Congratulations! As what?"),
        ("user", "Alice", "2026-11-28T00:00:00Z", "As a staff engineer.\nI sit in the Bergen office."),
        ("user", "Alice", "2026-11-28T00:00:00Z", "It rains a lot."),
        ("other", "", "2026-11-29T00:00:00Z", "2026-11-29"),
        ("person", "Bob", "2026-11-29T09:15:00Z", "Do you still use Vim?"),
        ("user", "Alice", "2026-11-29T09:17:00Z", "No, I moved to Helix in spring."),
    ]
    assert {one.session_kind for one in found.passages} == {"talk"}
    assert found.certainty is Certainty.LOCAL
    assert (found.observed_from, found.observed_to) == ("2026-11-28T00:00:00Z", "2026-11-29T09:17:00Z")


def test_a_talk_with_an_assistant_is_work() -> None:
    found = reading("turns", "User: hi\nAssistant: hello\n\nmore of it\n")
    assert [(one.role, one.session_kind) for one in found.passages] == [
        (Role.USER, "work"), (Role.ASSISTANT, "work"), (Role.ASSISTANT, "work"),
    ]  # fmt: skip
    assert reading("turns", "Bob: hi\n", previous=found.passages[-1]).passages[0].session_kind == "work"


def test_a_name_alone_waits_for_the_words_below_it() -> None:
    found = reading("turns", "You said:\n\nhow?\n\nChatGPT said:\nlike this\n\nAlice:\n")
    assert said(found) == [("You", "how?"), ("ChatGPT", "like this")]
    assert [one.start for one in found.passages] == [0, 17]
    assert found.parsed_to == len("You said:\n\nhow?\n\nChatGPT said:\nlike this\n\n")


def test_a_turn_is_finished_by_the_next_one() -> None:
    assert reading("turns", "Alice: a\nBob: b\n").parsed_to == 9
    assert reading("turns", "Alice: a\nBob: b").parsed_to == 0
    assert reading("turns", "Alice: a\nmore\n").parsed_to == 0
    assert reading("turns", "Alice: a\n\n").parsed_to == 10


def test_words_before_the_first_turn_are_nobody_s() -> None:
    found = reading("turns", "A talk we had.\n\nAlice: hi\n")
    assert [(one.speaker, one.role) for one in found.passages] == [("", Role.OTHER), ("Alice", Role.USER)]


def test_a_date_within_a_turn_s_words_is_only_words() -> None:
    found = reading("turns", "Alice: I was born on\n8 May 1990\nin Oslo\n\n8 May 1990\n\nit was\n\nBob: ah\n")
    assert said(found) == [
        ("Alice", "I was born on\n8 May 1990\nin Oslo"), ("Alice", "8 May 1990"), ("Alice", "it was"), ("Bob", "ah"),
    ]  # fmt: skip
    assert {one.at for one in found.passages} == {None}


def test_a_date_before_a_turn_dates_it_also_without_a_blank_line() -> None:
    found = reading("turns", "Alice: hi\n8 May 2023\nBob: hello\n")
    assert [one.at for one in found.passages] == [None, "2023-05-08T00:00:00Z", "2023-05-08T00:00:00Z"]


def test_offsets_from_some_beginning_leave_the_day_as_it_was() -> None:
    found = reading("turns", "2026-11-30\n\n0 (3s):\nhello\n\n1 (1m 3s):\nhi\n")
    assert [one.at for one in found.passages] == ["2026-11-30T00:00:00Z"] * 3


def test_a_day_that_cannot_be_told_is_unknown() -> None:
    found = reading("turns", "2026-11-30\n\n9/12/20, 23:55 - Bob: hi\n13/12/20, 23:55 - Bob: hi\n")
    assert [one.at for one in found.passages] == ["2026-11-30T00:00:00Z", None, "2020-12-13T23:55:00Z"]


def test_notices_are_the_system_s() -> None:
    found = reading("turns", "[10:10] <bob> hi\n=== al has left\n[06/20/20 00:08] You were added\n[10:11] <al> yo\n")
    assert [(one.speaker, one.role) for one in found.passages] == [
        ("bob", Role.PERSON), ("", Role.SYSTEM), ("", Role.SYSTEM), ("al", Role.USER),
    ]  # fmt: skip


def test_settings_in_an_answer_are_not_turns() -> None:
    found = reading("turns", "Assistant: use this\nreplicas: 3\nimage: nginx\n")
    assert said(found) == [("Assistant", "use this\nreplicas: 3\nimage: nginx")]


def test_an_unknown_format_is_refused() -> None:
    assert set(FORMATS) == {"text", "turns", "markdown", "claude-code"}
    for name in FORMATS:
        assert framed_to(name, b"", 7) == 7
    with pytest.raises(BadInput):
        reading("zip", "x")
