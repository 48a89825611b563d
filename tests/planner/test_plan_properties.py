"""Laws of the write path, for drafts nobody would write by hand: what is planned and quarantined passes every gate."""

from dataclasses import replace
from random import Random

from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.planner.lives import drafted_order, known_facts, turns
from tests.world import World
from xysq.gates import judge
from xysq.gates.quarantine import Quarantined
from xysq.model.event import Asserted, Body, FactClosed, LearnedLate, SupersededBy
from xysq.model.fact import CloseReason, Evidence, FactId, Label, Slug
from xysq.model.plan import Plan
from xysq.model.source import Channel, Encoding, Role, SourceId
from xysq.pages.escape import stands_in
from xysq.planner.plan import plan
from xysq.planner.witness import is_standing

STRANGE = ("", "x", "f-unknown", "../..", "^f-1", "a\nb", "9999-12-31T00:00:00Z", "ß" * 300)


def lived(random: Random, rounds: int) -> World:
    """Return a world that heard and learned something in each of these rounds, every run judged."""
    world = World(project="/src/billing")
    for number in range(rounds):
        world.tell(*turns(random), source=f"talk {number}")
        order = drafted_order(world, random)
        planned = plan(order)
        assert plan(order) == planned
        left = world.quarantine(planned.plan)
        assert world.quarantine(left.plan) == Quarantined(plan=left.plan, drops=())
        assert judge(world.candidate(left.plan), world.state) == ()
        world.land(left.plan)
    return world


@settings(max_examples=30)
@given(st.integers(0, 2**32))
@example(349)  # closes a fact of its own run, which rests on another that is closed, and is taken out
def test_what_is_planned_and_quarantined_passes_every_gate(seed: int) -> None:
    world = lived(Random(seed), 4)
    for fact in world.story.fold.every_fact():
        if fact.is_open and fact.label is Label.STATED:
            assert any(
                is_standing(piece, world.archive) and stands_in(fact.value, piece.quote) for piece in fact.evidence
            )


@settings(max_examples=30)
@given(st.integers(0, 2**32))
def test_no_tampered_plan_makes_quarantine_or_a_gate_raise_and_quarantine_settles(seed: int) -> None:
    random = Random(seed)
    world = lived(random, 2)
    world.tell(*turns(random), source="next")
    planned = plan(drafted_order(world, random)).plan
    names = (*known_facts(world), "f-unknown")
    bodies = [_tampered(body, names, random) if random.random() < 0.5 else body for body in planned.events]
    if random.random() < 0.3:
        random.shuffle(bodies)
    bad = Plan(edits=planned.edits, events=tuple(bodies))
    left = world.quarantine(bad)
    assert world.quarantine(left.plan).drops == ()
    for judged in (bad, left.plan):
        judge(world.candidate(judged), world.state)


def _tampered(body: Body, names: tuple[str, ...], random: Random) -> Body:
    """Return a body with some of its fields put to something strange."""
    name = FactId(random.choice((*names, *STRANGE)))
    match body:
        case Asserted(statement=stated) | SupersededBy(statement=stated) | LearnedLate(statement=stated):
            odd = {
                "fact": name,
                "page": Slug(random.choice(("alice", "mia-voss", *STRANGE))),
                "attribute": random.choice(STRANGE),
                "single": random.random() < 0.5,
                "section": random.choice(STRANGE),
                "value": random.choice(STRANGE),
                "text": random.choice(STRANGE),
                "label": random.choice(tuple(Label)),
                "evidence": _forged(random),
                "derived_from": (name, FactId(random.choice(names))),
                "revives": name,
            }
            chosen = random.sample(sorted(odd), random.randint(0, 3))
            new = replace(stated, **{field: odd[field] for field in chosen})  # type: ignore[arg-type]
            made: tuple[Body, ...] = (
                Asserted(statement=new),
                LearnedLate(statement=new, superseded_by=name),
                SupersededBy(statement=new, supersedes=name),
            )
            return random.choice(made)
        case _:
            reason = random.choice(tuple(CloseReason))
            return FactClosed(fact=name, reason=reason, cause="x", by="x", evidence=_forged(random))


def _forged(random: Random) -> tuple[Evidence, ...]:
    return tuple(
        Evidence(
            source=SourceId(random.choice(("20261130-zzzzzz", *STRANGE))),
            version=random.choice((-1, 0, 1, 2**70)),
            start=random.choice((-5, 0, 7, 2**70)),
            end=random.choice((-5, 0, 9, 2**70)),
            enc=random.choice(tuple(Encoding)),
            quote=random.choice(STRANGE),
            passage=0,
            speaker=random.choice(STRANGE),
            role=random.choice(tuple(Role)),
            channel=random.choice(tuple(Channel)),
            at=random.choice((None, *STRANGE)),
        )
        for _ in range(random.randint(0, 2))
    )
