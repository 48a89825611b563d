import pytest

from xysq.drafters.rules.language import load
from xysq.drafters.rules.mood import Mood, clause_mood, in_quotes, sentence_mood, signs

ENGLISH = load("en")


@pytest.mark.parametrize(
    ("words", "mood"),
    [
        ("Do you live in Porto?", Mood.QUESTION),
        ("should we go with Postgres", Mood.QUESTION),
        ("how do i set the port", Mood.QUESTION),
        ("I moved to Porto, right?", Mood.QUESTION),
        ("I moved to Porto.", Mood.STATED),
        ("Don't use mocks.", Mood.STATED),
        ("I married a robot, just kidding.", Mood.JOKE),
        ("great idea, let's rewrite it all in Perl /s", Mood.JOKE),
        ("In my dream I lived in Venice.", Mood.JOKE),
    ],
)
def test_sentences_have_a_mood(words: str, mood: Mood) -> None:
    assert sentence_mood(words, ENGLISH) is mood


@pytest.mark.parametrize(
    ("words", "statement", "mood"),
    [
        ("If I live in Porto", "I live in Porto", Mood.UNSURE),
        ("Maybe I live in Porto", "I live in Porto", Mood.UNSURE),
        ("Omar said I live in Porto", "I live in Porto", Mood.REPORTED),
        ("I live in Porto, he said", "I live in Porto", Mood.REPORTED),
        ('He wrote down "I live in Porto"', "I live in Porto", Mood.QUOTED),
        ("I live in Porto no longer", "I live in Porto", Mood.OVER),
        ("I play chess, haven't in a while", "I play chess", Mood.OVER),
        ("I play chess but had to stop", "I play chess", Mood.OVER),
        ("Haven't talked in a while, I play chess", "I play chess", Mood.STATED),
        ("I live in Porto, but I might move", "I live in Porto", Mood.STATED),
        ("I live in Porto, so tell me if you come", "I live in Porto", Mood.STATED),
    ],
)
def test_clauses_have_a_mood_by_what_leads_up_to_them(words: str, statement: str, mood: Mood) -> None:
    start = words.index(statement)
    span = (start, start, start + len(statement))
    assert clause_mood(words, signs(words, ENGLISH), span, ENGLISH) is mood


@pytest.mark.parametrize(
    ("before", "inside"),
    [('say "', True), ('say "yes" and ', False), ("run `", True), ("he wrote “", True), ("he wrote “no” and ", False)],
)
def test_quotation_marks_and_code_spans_enclose(before: str, inside: bool) -> None:
    assert in_quotes(f"{before}I live in Porto", len(before)) is inside
