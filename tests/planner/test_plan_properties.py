"""Laws of the write path, for drafts nobody would write by hand: what is planned and quarantined passes every gate."""

from dataclasses import replace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.archive import Turn
from tests.world import World
from xysq.gates import judge
from xysq.gates.quarantine import Quarantined
from xysq.model.draft import Draft, DraftClose, DraftEdit, DraftFact, DraftQuote
from xysq.model.event import Asserted, Body, FactClosed, LearnedLate, SupersededBy
from xysq.model.fact import CloseReason, Evidence, FactId, Label, Slug
from xysq.model.plan import Plan
from xysq.model.source import Channel, Encoding, Role, SourceId
from xysq.pages.escape import stands_in
from xysq.planner.plan import plan
from xysq.planner.witness import is_standing

VALUES = ("Boston", "Berlin", "tea", "green tea", "東京", "x*y")
ATTRIBUTES = ("location", "city", "likes", "uses", "note", "setting:python", "rule")
SUBJECTS = ("I", "Alice", "Bob", "the user", "we", "", "Billing", "[[Alice]]", "Mia")
TEXTS = ("It is {}.", "[[Alice]] and [[Billing|it]]: {}", "<b>{}</b> # _x_", "No value.", "{} ^f-7k2m9qx4aa", "- {}\n")
WORDS = (
    "I live in {}.",
    "{}!",
    "Not {} any more, I say.",
    "Alice has {}. Really {}?",
    "<xysq-recall>\n{}\n</xysq-recall>\nok",
)
TIMES = (None, "2026-11-01T00:00:00Z", "2026-11-10T00:00:00Z", "2026-11-10T00:00:00Z", "2026-11-20T00:00:00Z")

values = st.sampled_from(VALUES)
turns = st.builds(
    lambda words, value, **said: Turn(text=words.replace("{}", value), **said),
    st.sampled_from(WORDS),
    values,
    speaker=st.sampled_from(("Alice", "Bob", "")),
    role=st.sampled_from((Role.PERSON, Role.PERSON, Role.USER, Role.ASSISTANT, Role.TOOL)),
    at=st.sampled_from(TIMES),
    own=st.sampled_from((False, False, False, True)),
    after_recall=st.booleans(),
    json=st.booleans(),
)
quotes = st.builds(
    DraftQuote,
    passage=st.integers(1, 4),
    sentence=st.none() | st.integers(1, 2),
    text=st.none() | st.sampled_from(("i LIVE in boston", "tea", "Berlin", "nothing of it")),
)


def drafts(known: tuple[FactId, ...]) -> st.SearchStrategy[Draft]:
    """Return drafts over facts that are known."""
    refs = ("1", "2", "3")
    facts = st.sampled_from((*known, FactId("f-unknown")))
    text = st.builds(lambda form, value: form.replace("{}", value), st.sampled_from(TEXTS), values)
    fact = st.builds(
        lambda value, form, **said: DraftFact(value=value, text=form.replace("{}", value), **said),
        values,
        st.sampled_from(TEXTS),
        ref=st.sampled_from(refs),
        subject=st.sampled_from(SUBJECTS),
        attribute=st.sampled_from(ATTRIBUTES),
        label=st.sampled_from((Label.STATED, Label.STATED, Label.INFERRED)),
        quotes=st.lists(quotes, max_size=2).map(tuple),
        replaces=st.none() | facts,
        derived_from=st.lists(st.sampled_from(refs) | facts, max_size=2).map(tuple),
    )
    edit = st.builds(
        DraftEdit,
        page=st.sampled_from(SUBJECTS),
        op=st.sampled_from(("insert", "insert", "replace")),
        after=st.sampled_from(("end", "top", *known)),
        text=text,
        claims=st.lists(st.sampled_from(refs), max_size=2).map(tuple),
    )
    close = st.builds(DraftClose, fact=facts, quotes=st.lists(quotes, max_size=2).map(tuple))
    return st.builds(
        Draft,
        facts=st.lists(fact, max_size=5).map(tuple),
        closes=st.lists(close, max_size=2).map(tuple),
        edits=st.none() | st.lists(edit, max_size=4).map(tuple),
    )


def known_facts(world: World) -> tuple[FactId, ...]:
    return tuple(fact.id for fact in world.story.fold.every_fact())


def lived(data: st.DataObject, rounds: int) -> World:
    """Return a world that heard and learned something in each of these rounds, every run judged."""
    world = World(project="/src/billing")
    for number in range(rounds):
        world.tell(*data.draw(st.lists(turns, min_size=1, max_size=4)), source=f"talk {number}")
        order = replace(world.order(), draft=data.draw(drafts(known_facts(world))))
        planned = plan(order)
        assert plan(order) == planned
        left = world.quarantine(planned.plan)
        assert world.quarantine(left.plan) == Quarantined(plan=left.plan, drops=())
        assert judge(world.candidate(left.plan), world.state) == ()
        world.land(left.plan)
    return world


@settings(max_examples=60)
@given(st.data())
def test_what_is_planned_and_quarantined_passes_every_gate(data: st.DataObject) -> None:
    world = lived(data, 3)
    for fact in world.story.fold.every_fact():
        if fact.is_open and fact.label is Label.STATED:
            assert any(
                is_standing(piece, world.archive) and stands_in(fact.value, piece.quote) for piece in fact.evidence
            )


strange = st.sampled_from(("", "x", "f-unknown", "../..", "^f-1", "a\nb", "9999-12-31T00:00:00Z", "ß" * 300))
forged = st.builds(
    Evidence,
    source=strange.map(SourceId) | st.just(SourceId("20261130-zzzzzz")),
    version=st.integers(-1, 2**70),
    start=st.integers(-5, 2**70),
    end=st.integers(-5, 2**70),
    enc=st.sampled_from(Encoding),
    quote=strange,
    passage=st.integers(-1, 3),
    speaker=strange,
    role=st.sampled_from(Role),
    channel=st.sampled_from(Channel),
    at=st.none() | strange,
)


def tampered(data: st.DataObject, body: Body, names: tuple[str, ...]) -> Body:
    """Return a body with one of its fields put to something strange."""
    name = st.sampled_from(names).map(FactId) | strange.map(FactId)
    match body:
        case Asserted(statement=stated) | SupersededBy(statement=stated) | LearnedLate(statement=stated):
            changes: dict[str, Any] = data.draw(
                st.fixed_dictionaries(
                    {},
                    optional={
                        "fact": name,
                        "page": strange.map(Slug) | st.just(Slug("alice")),
                        "attribute": strange,
                        "single": st.booleans(),
                        "section": strange,
                        "value": strange,
                        "text": strange,
                        "label": st.sampled_from(Label),
                        "evidence": st.lists(forged, max_size=2).map(tuple),
                        "derived_from": st.lists(name, max_size=3).map(tuple),
                        "revives": st.none() | name,
                    },
                )
            )
            new = replace(stated, **changes)
            form = data.draw(st.sampled_from(("assert", "supersede", "late")))
            if form == "assert":
                return Asserted(statement=new)
            other = data.draw(name)
            if form == "late":
                return LearnedLate(statement=new, superseded_by=other)
            return SupersededBy(statement=new, supersedes=other)
        case _:
            return FactClosed(
                fact=data.draw(name),
                reason=data.draw(st.sampled_from(CloseReason)),
                cause=data.draw(strange),
                by=data.draw(strange),
                evidence=data.draw(st.lists(forged, max_size=2).map(tuple)),
            )


@settings(max_examples=60)
@given(st.data())
def test_no_tampered_plan_makes_quarantine_or_a_gate_raise_and_quarantine_settles(data: st.DataObject) -> None:
    world = lived(data, 1)
    world.tell(*data.draw(st.lists(turns, min_size=1, max_size=3)), source="next")
    planned = plan(replace(world.order(), draft=data.draw(drafts(known_facts(world)))))
    names = (*known_facts(world), "f-unknown")
    bodies = list(planned.plan.events)
    for place in range(len(bodies)):
        if data.draw(st.booleans()):
            bodies[place] = tampered(data, bodies[place], names)
    bodies = data.draw(st.permutations(bodies)) if data.draw(st.booleans()) else bodies
    bad = Plan(edits=planned.plan.edits, events=tuple(bodies))
    left = world.quarantine(bad)
    assert world.quarantine(left.plan).drops == ()
    for judged in (bad, left.plan):
        judge(world.candidate(judged), world.state)
