"""Laws of the fold, over any lawful history."""

from hypothesis import given
from hypothesis import strategies as st

from tests.builders import Story
from tests.strategies import histories
from xysq.ledger.board import block_id
from xysq.ledger.fold import Fold
from xysq.ledger.line import GENESIS, read_segment
from xysq.model.event import RunBegun
from xysq.model.fact import Superseded
from xysq.model.page import CHANGELOG_LINES, FactBlock, ProseBlock
from xysq.model.state import LedgerState
from xysq.text import fold as folded


def _answers(state: LedgerState, story: Story) -> dict[str, object]:
    """Return everything a state can be asked about the story."""
    pages, facts = story.fold.every_page(), story.fold.every_fact()
    names = {folded(name) for page in pages for name in page.names} | {"bob", "title 1", "name 2"}
    blocks = {block_id(block) for page in pages for block in page.blocks}
    return {
        "head": state.head(),
        "pages": [state.page(page.slug) for page in pages],
        "facts": [state.fact(fact.id) for fact in facts],
        "of": [state.facts_of(page.slug) for page in pages],
        "named": {name: state.named(name) for name in names},
        "resting": [state.resting_on(fact.id) for fact in facts],
        "blocks": {block: state.block_page(block) for block in blocks},
        "runs": [state.run_of(n) for n in range(story.fold.head().n + 2)],
    }


@given(histories, st.data())
def test_a_fold_on_a_base_answers_as_the_fold_of_the_whole(story: Story, data: st.DataObject) -> None:
    ends = [place for place, event in enumerate(story.events) if isinstance(event.body, RunBegun)]
    cuts = sorted(data.draw(st.lists(st.sampled_from([*ends, len(story.events)]), max_size=3)))
    state: LedgerState | None = None
    for start, end in zip([0, *cuts], [*cuts, len(story.events)], strict=True):
        layer = Fold(state).extend(story.events[start:end])
        layer.finish()
        state = layer
    assert state is not None
    assert _answers(state, story) == _answers(story.fold, story)


@given(histories)
def test_a_fold_on_a_base_leaves_the_base_as_it_was(story: Story) -> None:
    half = [place for place, event in enumerate(story.events) if isinstance(event.body, RunBegun)]
    cut = half[len(half) // 2]
    base = Fold().extend(story.events[:cut])
    before = _answers(base, story)
    Fold(base).extend(story.events[cut:])

    assert _answers(base, story) == before


@given(histories)
def test_asking_changes_nothing(story: Story) -> None:
    assert _answers(story.fold, story) == _answers(story.fold, story)
    assert Fold().extend(story.events).every_fact() == story.fold.every_fact()


@given(histories)
def test_the_ledger_s_bytes_fold_to_the_same_state(story: Story) -> None:
    again = Fold().extend(read_segment(story.ledger(), "ledger/000/000001.jsonl", GENESIS))
    again.finish()

    assert _answers(again, story) == _answers(story.fold, story)


@given(histories)
def test_a_page_shows_exactly_its_open_facts_and_each_once(story: Story) -> None:
    for page in story.fold.every_page():
        shown = [block for block in page.blocks if isinstance(block, FactBlock)]
        facts = [fact for fact in story.fold.facts_of(page.slug) if fact.is_open]
        assert sorted(block.fact for block in shown) == sorted(fact.id for fact in facts)
        assert {block.fact: block.text for block in shown} == {fact.id: fact.text for fact in facts}
        assert len({block_id(block) for block in page.blocks}) == len(page.blocks)


@given(histories)
def test_sections_are_named_once_and_never_empty(story: Story) -> None:
    for page in story.fold.every_page():
        names = [section.name for section in page.sections]
        assert len(set(names)) == len(names)
        assert all(section.name and section.blocks for section in page.sections)
        assert all(isinstance(block, ProseBlock) for block in page.tail)
        assert len(page.changelog) <= CHANGELOG_LINES


@given(histories)
def test_names_lead_to_the_living_pages_that_have_them_and_to_no_other(story: Story) -> None:
    pages = story.fold.every_page()
    names = {folded(name) for page in pages for name in page.names}
    for name in names:
        living = {page.slug for page in pages if page.is_living and name in map(folded, page.names)}
        assert set(story.fold.named(name)) == living


@given(histories)
def test_every_superseded_fact_names_its_successor_and_the_event_that_said_so(story: Story) -> None:
    for fact in story.fold.every_fact():
        if isinstance(fact.life, Superseded):
            successor = story.fold.fact(fact.life.by)
            assert successor is not None
            assert successor.page == fact.page
            assert fact.life.late or successor.supersedes == fact.id
        assert all(story.fold.fact(premise) is not None for premise in fact.derived_from)
        assert all(fact.id in story.fold.resting_on(premise) for premise in fact.derived_from)
        assert fact in story.fold.facts_of(fact.page)
