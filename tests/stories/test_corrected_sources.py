"""Stories of corrected sources: what rested on words that went is closed, and nothing else."""

import json

import pytest

from tests.jobs.scripted import passage_with, stated
from tests.stories.told import Tale
from xysq.drafters.port import Request
from xysq.errors import BadInput, NotFound
from xysq.jobs.correct_source import correct_source
from xysq.jobs.replacing import SeveralPlaces, replacing
from xysq.jobs.show import raw
from xysq.model.fact import Closed

TALK = "Maya: I live in Berlin. I work at Acme.\n\nTom: I moved to Lisbon.\n\nMaya: I prefer tea over coffee.\n"
ACME = "Maya works at Acme."
REST = {"Maya lives in Berlin.", "Tom moved to Lisbon.", "Maya prefers tea over coffee."}


def test_only_what_lost_its_words_is_closed_and_the_cause_is_named(tale: Tale) -> None:
    first = tale.said(TALK)
    run = tale.corrected(first, "Acme", "Apex")
    assert [told.text for told in run.closed] == [ACME]
    assert (tale.open(), tale.end_of(ACME)) == (REST, "corrected")
    life = tale.fact(ACME).life
    assert isinstance(life, Closed)
    assert (life.cause, life.by, life.evidence) == (f"{first.source}@2", "user", ())
    assert tale.is_sound()


def test_the_first_bytes_stay_and_the_correction_has_its_own(tale: Tale) -> None:
    first = tale.said(TALK)
    tale.corrected(first, "Acme", "Apex")
    assert raw(tale.opened, str(first), None) == TALK.encode()
    assert raw(tale.opened, f"{first.source}@2", None) == TALK.replace("Acme", "Apex").encode()


def test_the_words_put_in_are_pending_and_become_a_fact(tale: Tale) -> None:
    tale.corrected(tale.said(TALK), "Acme", "Apex")
    tale.distilled()
    assert tale.open() == REST | {"Maya works at Apex."}
    assert tale.is_sound()


def test_the_same_file_pushed_again_brings_nothing_back(tale: Tale) -> None:
    tale.corrected(tale.said(TALK), "Acme", "Apex")
    tale.distilled()
    tale.said(TALK)
    assert tale.open() == REST | {"Maya works at Apex."}


def test_the_same_talk_under_another_name_and_first_line_brings_nothing_back(tale: Tale) -> None:
    tale.corrected(tale.said(TALK), "I work at Acme", "I work at Apex")
    tale.distilled()
    tale.said("Tom: Good morning.\n\n" + TALK, "again.txt")
    assert ACME not in tale.open()
    assert tale.is_sound()


def test_another_drafter_over_the_old_words_brings_nothing_back(tale: Tale) -> None:
    first = tale.said(TALK)
    tale.corrected(first, "Acme", "Apex")
    tale.distilled()

    def answer(request: Request) -> object:
        number = passage_with(request, "Acme")
        return {"facts": [stated("I", "employer", "Acme", ACME, {"passage": number, "text": "I work at Acme"})]}

    tale.drafted(TALK, answer, "copy.txt")
    assert ACME not in tale.open()


def test_the_value_does_not_come_back_under_another_attribute(tale: Tale) -> None:
    tale.corrected(tale.said(TALK), "Acme", "Apex")
    tale.distilled()

    def answer(request: Request) -> object:
        number = passage_with(request, "Acme")
        return {
            "facts": [stated("I", "knows", "Acme", "Maya knows Acme.", {"passage": number, "text": "I work at Acme"})]
        }

    tale.drafted(TALK, answer, "copy.txt")
    assert "Maya knows Acme." not in tale.open()


def test_a_newer_statement_of_it_is_taken(tale: Tale) -> None:
    tale.corrected(tale.said(TALK), "Acme", "Apex")
    tale.distilled()
    tale.said("Maya: Since today I work at Acme again, for good.\n\nTom: Nice.\n\nMaya: I work at Acme.\n", "later.txt")
    assert any("Acme" in text for text in tale.open())
    assert tale.is_sound()


def test_words_put_in_before_close_nothing(tale: Tale) -> None:
    first = tale.said(TALK)
    tale.corrected(first, "Tom: I moved", "Tom: As you know, I moved")
    assert tale.open() == REST | {ACME}
    assert tale.is_sound()


@pytest.mark.parametrize(("old", "new"), [("Berlin", "Bern"), ("Berlin", "New Berlin"), ("Berlin", "Ber")])
def test_what_is_nearly_the_same_word_is_another_value_all_the_same(tale: Tale, old: str, new: str) -> None:
    replaced = tale.said(TALK, "one.txt")
    tale.corrected(replaced, old, new)
    tale.distilled()
    assert f"Maya lives in {new}." in tale.open()
    assert "Maya lives in Berlin." not in tale.open()


def test_a_whole_file_that_differs_in_letters_only_says_the_new_value(tale: Tale) -> None:
    first = tale.said(TALK)
    tale.rewritten(first, TALK.replace("Berlin", "Bern"))
    tale.distilled()
    assert "Maya lives in Bern." in tale.open()
    assert tale.end_of("Maya lives in Berlin.") == "corrected"
    assert tale.is_sound()


def test_a_moved_paragraph_closes_nothing(tale: Tale) -> None:
    first = tale.said(TALK)
    one, two, three = TALK.strip().split("\n\n")
    run = tale.rewritten(first, f"{three}\n\n{one}\n\n{two}\n")
    assert run is not None
    assert run.closed == ()
    assert tale.open() == REST | {ACME}


def test_a_whole_new_file_closes_what_it_lacks(tale: Tale) -> None:
    first = tale.said(TALK)
    tale.rewritten(first, TALK.replace("\n\nTom: I moved to Lisbon.", ""))
    assert tale.end_of("Tom moved to Lisbon.") == "corrected"
    assert tale.open() == (REST | {ACME}) - {"Tom moved to Lisbon."}


def test_the_same_bytes_are_no_correction(tale: Tale) -> None:
    first = tale.said(TALK)
    assert tale.rewritten(first, TALK) is None
    assert tale.open() == REST | {ACME}


def test_an_emptied_source_takes_everything_with_it(tale: Tale) -> None:
    first = tale.said(TALK)
    tale.rewritten(first, "\n")
    assert tale.open() == set()
    assert tale.is_sound()


def test_several_places_are_listed_and_one_or_all_can_be_meant(tale: Tale) -> None:
    first = tale.said(TALK + "\nTom: Acme pays well.\n")
    with pytest.raises(SeveralPlaces) as raised:
        tale.corrected(first, "Acme", "Apex")
    assert len(raised.value.lines) == 2
    source = first.source
    correct_source(tale.opened, source, replacing("Acme", "Apex", passage=4))
    assert ACME in tale.open()
    correct_source(tale.opened, source, replacing("Acme", "Apex", everywhere=True))
    assert ACME not in tale.open()


def test_words_that_are_not_there_are_not_found(tale: Tale) -> None:
    first = tale.said(TALK)
    with pytest.raises(NotFound):
        tale.corrected(first, "Umbrella", "Apex")
    with pytest.raises(BadInput):
        tale.corrected(first, "", "Apex")
    assert tale.open() == REST | {ACME}


def test_a_transcript_goes_on_growing_behind_a_correction(tale: Tale) -> None:
    first = tale.said(TALK)
    tale.corrected(first, "Acme", "Apex")
    grown = tale.said(TALK + "\nTom: I like jazz.\n")
    assert grown.number == 3
    text = raw(tale.opened, str(grown), None)
    assert text == TALK.replace("Acme", "Apex").encode() + b"\nTom: I like jazz.\n"
    assert "Tom likes jazz." in tale.open()
    assert ACME not in tale.open()
    assert tale.is_sound()


def test_words_inside_json_strings_are_replaced_in_their_spelling(tale: Tale) -> None:
    line = {
        "type": "user",
        "uuid": "10000000-0000-4000-8000-000000000001",
        "sessionId": "5f0c2f5e-8a55-4d3c-9d5c-0f2b6f6f1a02",
        "timestamp": "2026-11-30T19:00:00.000Z",
        "message": {"role": "user", "content": 'I work at "Acme\u00e9" now.\nI live in Berlin.'},
    }
    first = tale.said(json.dumps(line) + "\n", "s.jsonl")
    tale.corrected(first, '"Acme\u00e9" now.\nI', '"Ap\\ex" now.\nI')
    data = json.loads(raw(tale.opened, f"{first.source}@2", None))
    assert data["message"]["content"] == 'I work at "Ap\\ex" now.\nI live in Berlin.'
    assert tale.is_sound()


def test_a_fact_with_one_of_its_two_quotes_gone_is_closed(tale: Tale) -> None:
    first = tale.said(TALK)
    tale.said("Maya: As I said, I live in Berlin.\n\nTom: Right.\n\nMaya: I live in Berlin.\n", "second.txt")
    assert len(tale.fact("Maya lives in Berlin.").evidence) > 1
    tale.corrected(first, "Berlin", "Bonn")
    assert tale.end_of("Maya lives in Berlin.") == "corrected"


def test_conclusions_fall_with_their_premises_through_the_chain(tale: Tale) -> None:
    def answer(request: Request) -> object:
        number = passage_with(request, "Acme")
        first = stated("I", "employer", "Acme", ACME, {"passage": number, "text": "I work at Acme"}, ref="1")
        second = stated("Maya", "note", "pharma", "Maya is in pharma.", {"passage": number, "text": "x"}, ref="2")
        third = stated("Maya", "note", "labs", "Maya knows labs.", {"passage": number, "text": "x"}, ref="3")
        for fact, premise in ((second, "1"), (third, "2")):
            fact.update(label="inferred", quotes=[], derived_from=[premise])
        return {"facts": [first, second, third]}

    (report,) = tale.drafted(TALK, answer)
    assert report.drops == ()
    assert {"Maya is in pharma.", "Maya knows labs."} <= tale.open()
    (first,) = {piece.cited for piece in tale.fact(ACME).evidence}
    tale.corrected(first, "Acme", "Apex")
    assert (tale.end_of("Maya is in pharma."), tale.end_of("Maya knows labs.")) == ("premise-closed",) * 2
    assert tale.is_sound()


def test_a_dropped_sentence_goes_with_the_words_it_was_made_of_and_others_stay(tale: Tale) -> None:
    def answer(request: Request) -> object:
        number = passage_with(request, "Acme")
        bad = stated("I", "skill", "welding", "Maya welds for Acme.", {"passage": number, "text": "not there"}, ref="1")
        other = stated("I", "skill", "sailing", "Maya sails.", {"passage": number, "text": "not there"}, ref="2")
        return {"facts": [bad, other]}

    tale.drafted(TALK, answer)
    assert "Maya welds for Acme" in tale.page("maya")
    first = tale.pushed(TALK)  # the same bytes: the version there is
    tale.corrected(first, "Acme", "Apex")
    assert "Maya welds for Acme" not in tale.page("maya")
    assert "Maya sails" in tale.page("maya")
    assert tale.is_sound()
