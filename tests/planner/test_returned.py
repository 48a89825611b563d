"""Corrected stays corrected (P11): a fact that ended comes back only from new words."""

import pytest

from tests.archive import LiteralArchive, turn, user
from tests.builders import Story, StoryPage
from xysq.model.draft import DraftQuote
from xysq.model.fact import CloseReason, Evidence, Fact, FactId, Label, Slug
from xysq.model.settings import Limits
from xysq.model.source import Passage, VersionKind
from xysq.model.state import State
from xysq.planner.quote import Quoting
from xysq.planner.returned import Claim, brought_back, clause_of, united

EARLY, MIDDLE, LATE = "2026-11-01T00:00:00Z", "2026-11-10T00:00:00Z", "2026-11-20T00:00:00Z"
AFTER = "2027-01-01T00:00:00Z"
OLD, NEW = FactId("f-old"), FactId("f-new")


class Case:
    """One page with one fact, said in a log; what became of it; what is claimed next."""

    def __init__(self, text: str = "I work at Acme.", at: str | None = EARLY, **changes: object) -> None:
        self.archive = LiteralArchive()
        self.turns = [turn(text, at=at)]
        (self.said,) = self.archive.push("talk", *self.turns, pushed_at=EARLY)
        self.story = Story()
        self.page: StoryPage = self.story.page("alice", "Alice")
        fields: dict[str, object] = {"attribute": "employer", "single": True, "evidence": (self.quote(self.said),)}
        self.page.assert_(OLD, "Acme", **fields | changes)

    def quote(self, passage: Passage, text: str | None = None) -> Evidence:
        state = State(ledger=Story().fold, archive=self.archive, limits=Limits())
        found = Quoting([passage], state, self.archive.raw).cite(DraftQuote(passage=1, text=text))
        assert isinstance(found, Evidence)
        return found

    def hear(self, text: str, at: str | None, *, name: str = "later", pushed_at: str = AFTER) -> Evidence:
        (said,) = self.archive.push(name, turn(text, at=at), pushed_at=pushed_at)
        return self.quote(said)

    def back(
        self, *pieces: Evidence, value: str = "Acme", attribute: str = "employer", **changes: object
    ) -> Fact | None:
        fields: dict[str, object] = {"page": Slug("alice"), "label": Label.STATED} | changes
        claim = Claim(value=value, attribute=attribute, evidence=pieces, **fields)  # type: ignore[arg-type]
        return brought_back(claim, self.story.fold, self.archive)


def test_an_open_fact_binds_nothing() -> None:
    case = Case()
    assert case.back(case.quote(case.said)) is None


def test_a_closed_fact_does_not_come_back_from_its_own_words() -> None:
    case = Case()
    case.page.close(OLD)
    found = case.back(case.quote(case.said))
    assert found is not None
    assert found.id == OLD


def test_nor_from_the_same_utterance_pushed_again() -> None:
    case = Case()
    case.page.close(OLD)
    assert case.back(case.hear("I work at Acme.", EARLY, name="copy")) is not None


def test_nor_from_other_words_said_before_it_was_closed() -> None:
    case = Case()
    case.page.close(OLD)
    assert case.back(case.hear("Acme is my employer.", LATE)) is not None


def test_words_said_after_it_was_closed_bring_it_back() -> None:
    case = Case()
    case.page.close(OLD)
    assert case.back(case.hear("Acme is my employer.", AFTER)) is None


def test_the_value_is_bound_under_any_attribute_and_spelling() -> None:
    case = Case()
    case.page.close(OLD)
    assert case.back(case.quote(case.said), value="ACME", attribute="company name") is not None


def test_another_value_of_the_attribute_is_bound_only_from_overlapping_words() -> None:
    case = Case("I work at Acme in Boston. Apex is great.")
    case.page.close(OLD)
    assert case.back(case.quote(case.said, "Acme in Boston"), value="Acme in Boston") is not None
    assert case.back(case.hear("I work at Apex.", EARLY), value="Apex") is None


def test_another_attribute_may_be_stated_from_the_same_words() -> None:
    case = Case("I work at Acme in Boston.")
    case.page.close(OLD)
    assert case.back(case.quote(case.said), value="Boston", attribute="location") is None


def test_words_of_unknown_time_need_a_clause_that_no_log_had() -> None:
    case = Case(at=None)
    case.page.close(OLD)
    assert case.back(case.hear("Oh, I work at Acme.", None)) is not None
    assert case.back(case.hear("These days Acme pays me again.", None, name="other")) is None


def test_a_word_before_an_old_clause_makes_no_new_words() -> None:
    assert clause_of("Hello there, I work at Acme. Bye", "Acme") == "I work at Acme"
    assert clause_of("I said it: Acme", "Acme") == "I said it: Acme"


@pytest.mark.parametrize("reason", [CloseReason.PREMISE_CLOSED, CloseReason.MERGED])
def test_what_no_words_ended_is_not_bound(reason: CloseReason) -> None:
    case = Case()
    case.page.close(OLD, reason)
    assert case.back(case.quote(case.said)) is None


@pytest.mark.parametrize("reason", [CloseReason.CORRECTED, CloseReason.REVERTED, CloseReason.FORGOTTEN])
def test_what_was_corrected_or_reverted_is_bound_from_its_commit(reason: CloseReason) -> None:
    case = Case()
    case.page.close(OLD, reason)
    assert case.back(case.hear("Acme is my employer.", LATE)) is not None


def superseded() -> Case:
    case = Case()
    case.page.supersede(NEW, OLD, "Apex", evidence=(case.hear("I work at Apex.", MIDDLE, name="apex"),))
    return case


def test_a_then_b_then_a_again_is_lawful_when_the_last_is_the_latest() -> None:
    case = superseded()
    assert case.back(case.hear("I am back at Acme.", LATE)) is None


def test_a_superseded_value_does_not_come_back_from_words_before_its_successor() -> None:
    case = superseded()
    assert case.back(case.hear("I do work at Acme.", EARLY)) is not None


def test_within_one_source_the_later_place_is_later() -> None:
    case = Case()
    case.archive.push("talk", turn("Now Apex.", at=EARLY), turn("Acme again.", at=EARLY), kind=VersionKind.APPEND)
    apex, acme = list(case.archive.read.values())[-1][1:]
    case.page.supersede(NEW, OLD, "Apex", evidence=(case.quote(apex),))
    assert case.back(case.quote(acme)) is None


def test_a_fact_that_was_proven_by_an_equal_one_is_not_ended() -> None:
    case = Case(label=Label.INFERRED)
    case.page.supersede(NEW, OLD, "ACME")
    assert case.back(case.quote(case.said)) is None


def test_a_close_by_words_dates_from_the_words() -> None:
    case = Case()
    case.page.close(OLD, quotes=(case.hear("I left Acme.", MIDDLE, name="left"),))
    assert case.back(case.hear("Acme took me back.", LATE)) is None
    assert case.back(case.hear("Acme is home.", EARLY, name="older")) is not None


def test_merged_pages_are_one() -> None:
    case = Case()
    case.page.close(OLD)
    case.story.page("alice-chen", "Alice Chen").rename("Alice Chen", "Alice", "alice")
    case.page.merge_into("alice-chen")
    assert united(Slug("alice-chen"), case.story.fold) == ("alice-chen", "alice")
    assert case.back(case.quote(case.said), page=Slug("alice-chen")) is not None
    assert case.back(case.quote(case.said), page=Slug("bob")) is None


def test_a_stated_fact_needs_new_words_that_hold_its_value() -> None:
    case = Case()
    case.page.close(OLD)
    old, new = case.quote(case.said), case.hear("Nice weather.", AFTER)
    assert case.back(old, new) is not None
    assert case.back(old, case.hear("Acme hired me.", AFTER, name="hired")) is None


def test_an_inferred_fact_needs_all_its_words_to_be_new() -> None:
    case = Case()
    case.page.close(OLD)
    new = case.hear("I went back to them.", AFTER)
    assert case.back(new, label=Label.INFERRED) is None
    assert case.back(new, case.quote(case.said), label=Label.INFERRED) is not None
    assert case.back(label=Label.INFERRED) is not None


def corrected(old: str, new: str, *, at: str = AFTER) -> tuple[Case, Passage]:
    """Return a case whose fact was closed by a correction of its words, and the passage as it now reads."""
    case = Case("I work at Acme, in the lab.")
    (passage,) = case.archive.correct("talk", old, new, at, case.turns)
    case.story.clock.tick(60 * 60 * 24 * 32)
    case.page.close(OLD, CloseReason.CORRECTED, cause=f"{passage.source}@2")
    return case, passage


def test_the_words_a_correction_put_in_are_new_though_the_turn_is_old() -> None:
    case, passage = corrected("Acme", "Apex", at="2027-02-01T00:00:00Z")
    assert case.back(case.quote(passage), value="Apex") is None


def test_a_value_whose_sentence_was_corrected_may_be_stated_from_the_sentence_as_it_now_is() -> None:
    case, passage = corrected("the lab", "the office", at="2027-02-01T00:00:00Z")
    assert case.back(case.quote(passage)) is None


def test_a_correction_of_other_words_does_not_bring_a_retracted_value_back() -> None:
    case = Case("I work at Acme, in the lab.")
    case.page.close(OLD)
    (passage,) = case.archive.correct("talk", "the lab", "the office", AFTER, case.turns)
    assert case.back(case.quote(passage)) is not None


def test_a_corrected_value_does_not_come_back_from_another_old_log() -> None:
    case, _ = corrected("Acme", "Apex", at="2027-02-01T00:00:00Z")
    assert case.back(case.hear("Yes, I am at Acme now.", LATE)) is not None


def test_a_users_turn_is_bound_like_any_other() -> None:
    case = Case()
    case.page.close(OLD)
    (said,) = case.archive.push("mine", user("Acme employs me.", at=LATE))
    assert case.back(case.quote(said)) is not None
