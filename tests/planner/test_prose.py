"""Prose: nothing twice, nothing that ended, and where it came from."""

import pytest

from tests.builders import SOURCE, Story, evidence
from xysq.model.fact import RunId, Slug
from xysq.model.page import Origin
from xysq.model.source import Encoding, Row, SourceId
from xysq.planner.prose import Sentence, Wording, may_stay, place_after, prose_block, rows_behind

ALICE = Slug("alice")


def story() -> Story:
    made = Story()
    page = made.page("alice", "Alice")
    page.assert_("f-0000000001", "Boston", text="She lives in \\*Boston\\*.")
    page.assert_("f-0000000002", "Berlin", text="She lived in Berlin.")
    page.close("f-0000000002")
    page.prose("b-0000000001", "She is kind.")
    return made


@pytest.mark.parametrize("text", ["she lives in *BOSTON*.", "She is  kind.", "She lived in Berlin."])
def test_words_that_stand_there_or_ended_there_are_not_new(text: str) -> None:
    assert not Wording(story().fold).add(ALICE, text)


def test_new_words_are_new_once_and_on_their_page() -> None:
    wording = Wording(story().fold)
    assert wording.add(ALICE, "She rows.")
    assert not wording.add(ALICE, "she rows.")
    assert wording.add(Slug("bob"), "She rows.")


def test_the_id_of_a_block_follows_from_run_and_position_and_a_taken_one_takes_the_next() -> None:
    sentence = Sentence(page=ALICE, text="She rows.", origin=Origin.DRAFTED)
    made = story()
    edit, event = prose_block(sentence, RunId("r-1"), "edit 0", made.fold)
    assert edit.block == event.block == prose_block(sentence, RunId("r-1"), "edit 0", made.fold)[0].block
    assert prose_block(sentence, RunId("r-1"), "edit 1", made.fold)[0].block != edit.block
    made.page("alice").prose(edit.block, "Taken.")
    assert prose_block(sentence, RunId("r-1"), "edit 0", made.fold)[0].block != edit.block


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        ("top", "top"),
        ("end", "end"),
        ("f-0000000001", "f-0000000001"),
        ("b-0000000001", "b-0000000001"),
        ("f-0000000002", "end"),
        ("f-unknown", "end"),
    ],
)
def test_prose_goes_behind_a_block_that_is_shown(after: str, expected: str) -> None:
    assert place_after(after, ALICE, story().fold) == expected


@pytest.mark.parametrize("text", ["", "a\nb", "x ^b-0000000001", "<<<<<<< x", "x" * 101, "a\u202eb"])
def test_a_text_that_could_make_structure_may_not_stay(text: str) -> None:
    assert not may_stay(text, 100)


def test_an_ordinary_text_may_stay() -> None:
    assert may_stay("She *rows* at 5 < 6.", 100)


def test_rows_are_those_that_quotes_touch_else_of_their_source_else_all() -> None:
    rows = (Row(SOURCE, 1, 0, 10), Row(SOURCE, 1, 10, 99), Row(SourceId("20261130-zzzzzz"), 1, 0, 9))
    assert rows_behind((evidence("x", start=10, end=11),), rows) == rows[1:2]
    assert rows_behind((evidence("x", start=10, end=11, enc=Encoding.TEXT),), rows) == rows[:2]
    assert rows_behind((), rows) == rows
