import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.builders import passage
from tests.drafters.asking import asked, drafted, facts, only, page, said
from xysq.drafters.rules.drafter import MAX_QUOTES, RulesDrafter
from xysq.drafters.rules.plain import MAX_PASTE
from xysq.model.draft import Draft, DraftQuote
from xysq.model.fact import Label
from xysq.model.settings import Me
from xysq.model.source import Role
from xysq.sentence import sentences
from xysq.text import fold

_WORDS = [
    "I",
    "my",
    "we",
    "the",
    "a",
    "to",
    "of",
    "and",
    "but",
    "really",
    "love",
    "live",
    "work",
    "moved",
    "went",
    "started",
    "use",
    "uses",
    "not",
    "no",
    "longer",
    "always",
    "never",
    "is",
    "are",
    "was",
    "Boston",
    "Acme",
    "Anna",
    "nurse",
    "dog",
    "named",
    "yesterday",
    "last",
    "week",
    "because",
    "if",
    "said",
    '"',
    "'",
    "`",
    "(",
    ")",
    ",",
    ".",
    "?",
    "!",
    ";",
    ":",
    "-",
    "—",
    "3.12",
    "8080",
    "it",
    "you",
    "them",
    "Redis",
    "PostgreSQL",
    "owns",
    "decided",
    "let's",
    "go",
    "with",
    "should",
    "be",
    "port",
    "favorite",
    "color",
    "blue",
    "birthday",
    "3",
    "May",
    "due",
]


def test_a_speaker_is_i_and_the_text_names_them() -> None:
    fact = only("I moved to Lisbon last spring.")
    assert (fact.subject, fact.kind, fact.attribute, fact.value) == ("I", "person", "location", "Lisbon")
    assert fact.text == "Nora moved to Lisbon."
    assert fact.label is Label.STATED


def test_the_quote_points_at_the_sentence() -> None:
    fact = only("Long time no see! I moved to Lisbon last spring. How are you?")
    assert fact.quotes == (DraftQuote(passage=1, sentence=2),)


def test_a_user_turn_without_a_speaker_is_the_owner() -> None:
    assert only("I prefer small commits.", "work").text == "Dana prefers small commits."


def test_a_user_turn_without_a_speaker_in_a_vault_without_owner_drafts_nothing_about_i() -> None:
    request = replace(asked(said("I prefer small commits.", "work")), me=Me())
    assert Draft.parse(RulesDrafter().draft(request).reply).facts == ()


@pytest.mark.parametrize("speaker", ["Unknown Speaker", "Speaker 2", "user", "Participant"])
def test_a_speaker_nobody_can_name_has_no_facts(speaker: str) -> None:
    assert facts("I moved to Lisbon.", speaker=speaker) == ()


@pytest.mark.parametrize("role", [Role.ASSISTANT, Role.TOOL, Role.SYSTEM])
def test_assistants_tools_and_systems_draft_nothing(role: Role) -> None:
    words = "Maya owns the export pipeline. I prefer tabs. We use Redis."
    assert drafted(passage(words, role=role, session_kind="work")).facts == ()
    assert drafted(passage(words, role=Role.USER, speaker="", session_kind="work")).facts != ()


def test_thinking_in_a_work_session_drafts_nothing_but_a_note_does() -> None:
    words = "Maya owns the export pipeline."
    assert drafted(passage(words, role=Role.OTHER, session_kind="work")).facts == ()
    assert drafted(passage(words, role=Role.OTHER, session_kind="text")).facts != ()


def test_results_of_our_own_tools_draft_nothing() -> None:
    assert drafted(replace(said("I moved to Lisbon."), own=True)).facts == ()


def test_a_paste_into_a_work_session_drafts_nothing() -> None:
    line = "We use Terraform for the network.\n"
    assert drafted(said(line, "work")).facts != ()
    assert drafted(said(line + "Some other line of it.\n" * (MAX_PASTE // 20), "work")).facts == ()


def test_the_same_fact_said_twice_is_one_with_two_quotes() -> None:
    draft = drafted(said("I love hiking."), said("Yeah, I really love hiking!"))
    (fact,) = draft.facts
    assert [quote.passage for quote in fact.quotes] == [1, 2]


def test_quotes_of_one_fact_are_bounded() -> None:
    (fact,) = drafted(*[said("I love hiking.")] * 9).facts
    assert len(fact.quotes) == MAX_QUOTES


def test_two_speakers_who_say_the_same_have_a_fact_each() -> None:
    draft = drafted(said("I love hiking."), said("I love hiking too.", speaker="Omar"))
    assert [fact.text for fact in draft.facts] == ["Nora loves hiking.", "Omar loves hiking."]
    assert [fact.ref for fact in draft.facts] == ["1", "2"]


def test_another_value_later_is_a_fact_of_its_own() -> None:
    draft = drafted(said("I live in Boston."), said("No, I moved to Denver."))
    assert [fact.value for fact in draft.facts] == ["Boston", "Denver"]


def test_decisions_rules_and_settings_of_a_work_session_belong_to_its_project() -> None:
    draft = drafted(said("Let's go with SQLite for the cache.\nUse uv, not pip.\nThe default branch is trunk.", "work"))
    assert {(fact.subject, fact.attribute) for fact in draft.facts} == {
        ("", "decision"),
        ("", "rule"),
        ("", "setting:default branch"),
    }


def test_without_a_project_nothing_is_decided_for_one() -> None:
    assert drafted(said("Let's go with SQLite for the cache.", "work"), project="").facts == ()


def test_what_the_project_uses_names_the_project() -> None:
    fact = only("We use Terraform for the network.", "work")
    assert (fact.subject, fact.text) == ("shop", "shop uses Terraform for the network.")


def test_a_named_thing_is_the_subject() -> None:
    fact = only("The ledger service stores its events in Kafka.", "text")
    assert fact.subject == "Ledger service"
    assert fact.text == "The ledger service stores its events in Kafka."


def test_a_version_is_a_setting_of_its_subject_so_that_a_later_one_can_replace_it() -> None:
    first, second = facts("The importer runs on Python 3.11.\nThe importer runs on Python 3.12.", "text")
    assert (first.subject, first.attribute, first.value) == ("importer", "setting:python", "3.11")
    assert first.text == "The importer runs on Python 3.11."
    assert (second.subject, second.attribute, second.value) == ("importer", "setting:python", "3.12")


def test_a_tool_has_one_key_however_it_is_spelled() -> None:
    draft = drafted(said("we use NodeJS 20\nupgraded node to 22\nthe Node version is 23", "work"))
    assert [(fact.attribute, fact.value) for fact in draft.facts] == [
        ("setting:node", "20"),
        ("setting:node", "22"),
        ("setting:node", "23"),
    ]


def test_past_help_is_told_in_the_past() -> None:
    assert only("I volunteered at a soup kitchen last winter.").text == "Nora volunteered at a soup kitchen."
    assert only("I volunteer at a soup kitchen.").text == "Nora volunteers at a soup kitchen."


def test_what_the_next_sentence_calls_lapsed_is_not_drafted() -> None:
    assert facts("I play drums. Haven't in a while though.") == ()
    assert only("I play drums. Haven't seen you in a while though.").value == "drums"


def test_what_a_later_passage_ends_is_taken_back_for_its_speaker_alone() -> None:
    over = said("I used to play drums when I was younger.")
    assert drafted(said("I play drums too!"), over).facts == ()
    assert drafted(said("I play drums too!"), said("I used to play chess.")).facts != ()
    draft = drafted(said("I play drums."), said("I play drums.", speaker="Omar"), over, said("I play chess."))
    assert [(fact.ref, fact.text) for fact in draft.facts] == [("2", "Omar plays drums."), ("3", "Nora plays chess.")]


def test_something_of_ones_own_is_told_as_theirs() -> None:
    assert only("I donated my old car to a shelter.").text == "Nora donated their old car to a shelter."
    assert facts("I lost my mind.") == ()


def test_clauses_share_their_subject() -> None:
    assert [fact.text for fact in facts("I moved to Rome and joined a rowing club.")] == [
        "Nora moved to Rome.",
        "Nora joined a rowing club.",
    ]


def test_another_persons_clause_lends_no_subject() -> None:
    assert facts("They came over and joined a rowing club.") == ()


def test_the_answer_says_which_patterns_made_it() -> None:
    answer = RulesDrafter().draft(asked(said("I love hiking.")))
    assert answer.drafting.drafter == "rules"
    assert answer.drafting.parameters is not None
    assert set(answer.drafting.parameters) == {"language", "patterns"}


def test_the_same_request_gives_the_same_bytes() -> None:
    request = asked(said("I love hiking and I live in Porto. My cat is called Pixel."))
    assert RulesDrafter().draft(request).reply == RulesDrafter().draft(request).reply


def test_nothing_found_is_a_draft_without_facts() -> None:
    assert json.loads(RulesDrafter().draft(asked(said("Hello!"))).reply) == {"facts": [], "closes": []}


def test_a_known_fact_said_again_is_drafted_so_that_it_can_be_confirmed() -> None:
    known = page("Nora", ("f-1", "location", "Porto", "Nora lives in Porto."))
    (fact,) = drafted(said("I live in Porto."), pages=(known,)).facts
    assert (fact.value, fact.replaces) == ("Porto", None)


@given(
    st.lists(st.sampled_from(_WORDS), max_size=40).map(" ".join),
    st.sampled_from(["talk", "work", "text"]),
)
def test_every_value_stands_in_its_sentence_and_in_its_text(words: str, kind: str) -> None:
    for fact in drafted(said(words, kind)).facts:
        quoted = sentences(words)[(fact.quotes[0].sentence or 0) - 1].text
        assert fact.value
        assert fold(fact.value) in fold(quoted)
        assert fold(fact.value) in fold(fact.text)
        assert "\n" not in fact.text


@given(st.text(max_size=300), st.sampled_from(["talk", "work", "text"]))
def test_no_text_breaks_the_drafter(words: str, kind: str) -> None:
    drafted(said(words, kind))


@pytest.mark.parametrize(
    "unit", ["I ", "my ", "and I love ", "a, ", '"', "`", "- ", "I moved to A, ", "(((", "not ", "é"]
)
def test_long_hostile_lines_are_read_to_their_end(unit: str) -> None:
    line = (unit * 400)[:390]
    text = "\n".join([line] * 60 + ["I moved to Lisbon."])
    assert any(fact.value == "Lisbon" for fact in drafted(said(text)).facts)
