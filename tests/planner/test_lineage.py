"""Conclusions stand and fall with their premises."""

from tests.archive import LiteralArchive, turn
from tests.builders import Story, StoryPage, evidence
from xysq.model.fact import CloseReason, Evidence, FactId, Label
from xysq.planner.lineage import has_fallen, holder_of, premise_closings

BOSTON, COLD, COAT = FactId("f-boston"), FactId("f-cold"), FactId("f-coat")


def chain(*, quotes: tuple[Evidence, ...] = ()) -> tuple[Story, StoryPage]:
    """Return a chain of three: a stated fact, and two conclusions, the first with these quotes."""
    story = Story()
    page = story.page("alice", "Alice")
    page.assert_(BOSTON, "Boston")
    page.assert_(COLD, "cold winters", label=Label.INFERRED, evidence=quotes, derived_from=(BOSTON,))
    page.assert_(COAT, "a warm coat", label=Label.INFERRED, evidence=(), derived_from=(COLD,))
    return story, page


def closed(story: Story, *ended: FactId, archive: LiteralArchive | None = None) -> dict[str, str]:
    closings = premise_closings(ended, story.fold, archive or LiteralArchive())
    assert all(closing.reason is CloseReason.PREMISE_CLOSED and closing.by == "engine" for closing in closings)
    return {closing.fact: closing.cause for closing in closings}


def test_what_rests_on_a_closed_fact_falls_through_the_chain() -> None:
    story, page = chain()
    page.close(BOSTON)
    assert closed(story, BOSTON) == {COLD: BOSTON, COAT: COLD}


def test_nothing_falls_while_the_premise_is_open() -> None:
    story, _ = chain()
    assert closed(story, BOSTON) == {}


def test_another_value_ends_a_premise_and_an_equal_one_takes_its_place() -> None:
    story, page = chain()
    page.supersede("f-again", BOSTON, "BOSTON")
    assert closed(story, BOSTON) == {}
    assert holder_of(BOSTON, story.fold.fact) == "f-again"
    page.supersede("f-berlin", "f-again", "Berlin")
    assert closed(story, FactId("f-again")) == {COLD: BOSTON, COAT: COLD}
    assert closed(story, BOSTON, FactId("f-again")) == {COLD: BOSTON, COAT: COLD}
    assert holder_of(BOSTON, story.fold.fact) is None


def test_a_conclusion_with_a_standing_quote_of_its_own_stays() -> None:
    archive = LiteralArchive()
    (said,) = archive.push("talk", turn("Winters are cold."))
    span = said.spans[0]
    quote = evidence("Winters are cold.", source=said.source, start=span.start, end=span.end)
    story, page = chain(quotes=(quote,))
    page.close(BOSTON)
    assert closed(story, BOSTON, archive=archive) == {}


def test_a_conclusion_whose_quote_was_corrected_away_falls() -> None:
    archive = LiteralArchive()
    turns = [turn("Winters are cold.")]
    (said,) = archive.push("talk", *turns)
    span = said.spans[0]
    quote = evidence("Winters are cold.", source=said.source, start=span.start, end=span.end)
    story, page = chain(quotes=(quote,))
    archive.correct("talk", "cold", "mild", "2026-12-01T00:00:00Z", turns)
    page.close(BOSTON, CloseReason.CORRECTED)
    assert closed(story, BOSTON, archive=archive) == {COLD: BOSTON, COAT: COLD}


def test_a_stated_fact_does_not_fall() -> None:
    story = Story()
    page = story.page("alice", "Alice")
    page.assert_(BOSTON, "Boston")
    page.assert_(COLD, "cold winters", derived_from=(BOSTON,))
    page.close(BOSTON)
    assert closed(story, BOSTON) == {}


def test_a_merged_premise_holds_as_long_as_the_fact_that_carries_it() -> None:
    story, page = chain()
    ally, carrier = story.page("ally", "Ally", aliases=("alice",)), FactId("f-carrier")
    ally.assert_(carrier, "BOSTON")
    page.close(BOSTON, CloseReason.MERGED, cause=carrier)
    assert closed(story, BOSTON) == {}
    assert holder_of(BOSTON, story.fold.fact) == carrier
    for name in (COLD, COAT):
        ally.assert_(f"{name}-2", str(name), label=Label.INFERRED, evidence=(), derived_from=(BOSTON,))
        page.close(name, CloseReason.MERGED, cause=f"{name}-2")
    page.merge_into("ally")
    ally.close(carrier)
    assert has_fallen(BOSTON, story.fold.fact)
    assert closed(story, carrier) == {f"{COLD}-2": BOSTON, f"{COAT}-2": BOSTON}


def test_a_premise_merged_into_another_value_falls() -> None:
    story, page = chain()
    page.assert_("f-other", "Berlin")
    page.close(BOSTON, CloseReason.MERGED, cause="f-other")
    assert closed(story, BOSTON) == {COLD: BOSTON, COAT: COLD}


def test_a_premise_that_never_was_holds_nothing() -> None:
    assert has_fallen(FactId("f-nothing"), Story().fold.fact)
