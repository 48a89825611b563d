"""Stories of facts set right by their user."""

import pytest

from tests.jobs.scripted import passage_with, stated
from tests.stories.told import Tale
from xysq.drafters.port import Request
from xysq.errors import BadInput, NotFound
from xysq.jobs.correct_fact import correct_fact
from xysq.model.fact import Closed, Label
from xysq.model.source import Role

TALK = "Maya: I live in Berlin. I like tea.\n\nTom: I moved to Lisbon.\n\nMaya: I like maps.\n"
LISBON = "Tom moved to Lisbon."


def test_the_new_text_supersedes_and_is_proven_by_what_was_typed(tale: Tale) -> None:
    tale.said(TALK)
    tale.set_right(LISBON, "Tom moved to Porto.")
    new = tale.fact("Tom moved to Porto.")
    assert (tale.end_of(LISBON), new.value, new.label, new.supersedes) == (
        "superseded",
        "Porto",
        Label.STATED,
        tale.fact(LISBON).id,
    )
    (piece,) = new.evidence
    assert (piece.quote, piece.role, piece.speaker) == ("Tom moved to Porto.", Role.USER, "Maya")
    assert tale.is_sound()


def test_old_words_do_not_win_it_back_and_newer_ones_do(tale: Tale) -> None:
    tale.said(TALK)
    tale.set_right(LISBON, "Tom moved to Porto.")
    tale.said(TALK, "copy.txt")
    assert LISBON not in tale.open()
    tale.set_right("Tom moved to Porto.", LISBON)
    assert LISBON in tale.open()
    assert tale.is_sound()


def test_what_is_wrong_is_closed_and_stays_so(tale: Tale) -> None:
    tale.said(TALK)
    tale.set_right(LISBON, None)
    life = tale.fact(LISBON).life
    assert isinstance(life, Closed)
    assert (life.reason.value, life.by, life.cause) == ("retracted", "user", life.run)
    tale.said(TALK, "copy.txt")
    assert LISBON not in tale.open()
    assert tale.is_sound()


def test_another_sentence_closes_the_fact_and_stands_as_prose_of_its_user(tale: Tale) -> None:
    tale.said(TALK)
    tale.set_right(LISBON, "Tom never left, he was only on holidays.")
    assert tale.end_of(LISBON) == "retracted"
    assert "Tom never left, he was only on holidays." in tale.page("tom")
    assert LISBON not in tale.page("tom")
    assert tale.is_sound()


def test_a_value_that_is_known_already_is_confirmed(tale: Tale) -> None:
    tale.said(TALK)
    before = tale.fact("Maya likes maps.")
    tale.set_right("Maya likes tea.", "Maya likes maps.")
    after = tale.fact("Maya likes maps.")
    assert (after.id, len(after.evidence)) == (before.id, len(before.evidence) + 1)
    assert tale.end_of("Maya likes tea.") == "retracted"
    assert tale.is_sound()


def test_conclusions_from_a_wrong_fact_fall(tale: Tale) -> None:
    def answer(request: Request) -> object:
        number = passage_with(request, "Lisbon")
        first = stated("Tom", "location", "Lisbon", LISBON, {"passage": number}, ref="1")
        second = stated("Tom", "note", "an hour behind", "Tom is an hour behind.", {"passage": number}, ref="2")
        second.update(label="inferred", quotes=[], derived_from=["1"])
        return {"facts": [first, second]}

    tale.drafted(TALK, answer)
    assert "Tom is an hour behind." in tale.open()
    tale.set_right(LISBON, None)
    assert tale.end_of("Tom is an hour behind.") == "premise-closed"
    assert tale.is_sound()


def test_an_assistants_claim_is_set_right_by_its_user(tale: Tale) -> None:
    tale.said("User: Where does Tom live?\n\nAssistant: Tom lives in Oslo.\n\nUser: Thanks.\n", "chat.txt")

    def answer(request: Request) -> object:
        number = passage_with(request, "Oslo")
        return {"facts": [stated("Tom", "location", "Oslo", "Tom lives in Oslo.", {"passage": number})]}

    tale.drafted("User: And now?\n\nAssistant: Tom lives in Oslo.\n\nUser: Hm.\n", answer, "chat2.txt")
    tale.set_right("Tom lives in Oslo.", "Tom lives in Bergen.")
    tale.drafted("User: Now?\n\nAssistant: Tom lives in Oslo.\n\nUser: Hm.\n", answer, "chat3.txt")
    assert "Tom lives in Bergen." in tale.open()
    assert "Tom lives in Oslo." not in tale.open()


@pytest.mark.parametrize("text", ["", "  ", "two\nlines", "a\x00b", "x ^f-0000000000", "<<<<<<< HEAD"])
def test_what_is_no_line_of_words_changes_nothing(tale: Tale, text: str) -> None:
    tale.said(TALK)
    before = tale.open()
    with pytest.raises(BadInput):
        correct_fact(tale.opened, tale.fact(LISBON).id, text)
    assert tale.open() == before
    assert tale.is_sound()


def test_a_closed_or_unknown_fact_is_not_corrected(tale: Tale) -> None:
    tale.said(TALK)
    name = tale.fact(LISBON).id
    tale.set_right(LISBON, None)
    with pytest.raises(BadInput):
        correct_fact(tale.opened, name, "Tom moved to Porto.")
    with pytest.raises(NotFound):
        correct_fact(tale.opened, "f-zzzzzzzzzz", "Tom moved to Porto.")


def test_markdown_and_markup_typed_by_a_user_is_text(tale: Tale) -> None:
    tale.said(TALK)
    tale.set_right(LISBON, "Tom moved to <b>*Porto*</b> [x](y).")
    assert tale.is_sound()
    assert r"Tom moved to \<b>\*Porto\*\</b> \[x](y)." in tale.page("tom")
