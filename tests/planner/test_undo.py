"""Laws of taking back: the pages of a world that never heard, whatever there was; and always lawful, and only once."""

from random import Random

from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from tests.planner.never_heard import told_twice
from tests.planner.test_plan_properties import lived
from tests.planner.undone import revert, taken_back
from xysq.model.event import RunBegun, RunKind
from xysq.planner.target import Target

seeds = st.integers(0, 2**32)


@settings(max_examples=20)
@given(seeds)
@example(1829)  # one draft says what holds and what it replaces
@example(1375)  # history that came late for more reasons than one
@example(599)  # a page named by a fact that is not the first in the ledger
@example(195)  # a page named by a fact that others had stated too
@example(165)  # a section is left, and opened again in front of another
def test_a_source_that_is_taken_back_leaves_the_pages_of_a_world_that_never_heard_it(seed: int) -> None:
    pair = told_twice(seed)
    assume(pair is not None)
    assert pair is not None
    back, never = pair
    assert back == never


@settings(max_examples=10)
@given(seeds)
@example(648)  # two sections are opened in front of one
@example(464)
@example(99999)  # a revert that only withdrew a quote shows on no page
def test_whatever_is_taken_back_passes_every_gate_leaves_nothing_of_it_and_is_done_once(seed: int) -> None:
    random = Random(seed)
    world = lived(random, 4)
    begun = [event.body for event in world.story.events if isinstance(event.body, RunBegun)]
    runs = [one.run for one in begun if one.kind is RunKind.DISTILL]
    name = random.choice([*runs, *sorted({version.source for version in world.archive.metas})])
    target = Target(name)
    revert(world, name)
    fold = world.story.fold
    assert not [fact.id for fact in fold.every_fact() if fact.is_open and target.stated(fact, fold)]
    assert not [
        fact.id for fact in fold.every_fact() if fact.is_open and any(target.gave(one, fold) for one in fact.proofs)
    ]
    assert taken_back(world, name) == ()
    (last,) = [event.body.run for event in world.story.events if isinstance(event.body, RunBegun)][-1:]
    revert(world, last)
