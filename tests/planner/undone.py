"""Taking back in a small world: what there is of a run or a source, gathered from the world's events."""

from collections.abc import Iterable
from typing import TypeVar

from tests.world import NOW, World
from xysq.gates import judge
from xysq.jobs.deliberate import edits_of
from xysq.model.event import (
    Asserted,
    Body,
    Confirmed,
    FactClosed,
    LearnedLate,
    PageChanged,
    PageOp,
    ProseChanged,
    ProseOp,
    RunBegun,
    RunKind,
    SupersededBy,
    Withdrawn,
)
from xysq.model.fact import Evidence, Fact, FactId, Proof, RunId, Slug
from xysq.model.plan import Plan
from xysq.model.run import Refusal
from xysq.model.source import SourceId
from xysq.planner.sheet import Undoing, UndoneNames, UndoneProse
from xysq.planner.target import Target
from xysq.planner.undo import Rename, Reword, Wording, undo

B = TypeVar("B", bound=Body)


def as_it_is(fact: Fact, _: tuple[Proof, ...]) -> Wording:
    """Say a fact as it was said."""
    return Wording(fact.text, fact.value)


def no_name(_: Slug, __: Proof) -> tuple[str, str] | None:
    """Know no other name of a page."""
    return None


def taken_back(world: World, target: str, reword: Reword = as_it_is, rename: Rename = no_name) -> tuple[Body, ...]:
    """Return the events that take a run or a source back."""
    made = _of_run(world, RunId(target)) if target.startswith("r-") else _of_source(world, SourceId(target))
    return undo(made, reword, rename)


def refusals(world: World, target: str, bodies: tuple[Body, ...]) -> tuple[Refusal, ...]:
    """Return what the gates say of these events as a revert."""
    return judge(world.candidate(planned(world, bodies), RunKind.REVERT, reverts=target), world.state)


def planned(world: World, bodies: tuple[Body, ...]) -> Plan:
    return Plan(edits=edits_of(bodies, world.story.fold), events=bodies)


def revert(world: World, target: str, reword: Reword = as_it_is, rename: Rename = no_name) -> tuple[Body, ...]:
    """Take a run or a source back, judged; return the events."""
    bodies = taken_back(world, target, reword, rename)
    assert (found := refusals(world, target, bodies)) == (), found
    world.land(planned(world, bodies), RunKind.REVERT, reverts=target)
    return bodies


def _of_run(world: World, target: RunId) -> Undoing:
    events = world.story.events
    first = next(event.n for event in events if event.run == target)
    bodies = [event.body for event in events if event.run == target and event.body is not None]
    earlier = [event.body for event in events if event.n < first and event.body is not None]
    return Undoing(
        target=Target(target),
        run=world.next_run,
        at=NOW,
        state=world.state,
        facts=tuple(dict.fromkeys(_facts(bodies))),
        closed=tuple(body.fact for body in bodies if isinstance(body, FactClosed)),
        withdrawn=tuple(
            (body.fact, _evidence(world, body.brought_by)) for body in bodies if isinstance(body, Withdrawn)
        ),
        prose=tuple(
            UndoneProse(
                body, _last(old for old in earlier if isinstance(old, ProseChanged) and old.block == body.block)
            )
            for body in bodies
            if isinstance(body, ProseChanged)
        ),
        names=tuple(
            UndoneNames(body, _last(old for old in earlier if isinstance(old, PageChanged) and old.page == body.page))
            for body in bodies
            if isinstance(body, PageChanged)
        ),
    )


def _of_source(world: World, source: SourceId) -> Undoing:
    events = world.story.events
    read: dict[RunId, bool] = {
        event.run: all(row.source == source for row in event.body.rows)
        for event in events
        if isinstance(event.body, RunBegun)
        and event.body.kind is not RunKind.REVERT
        and any(row.source == source for row in event.body.rows)
    }
    bodies = [event.body for event in events if event.run in read and event.body is not None]
    facts = [
        fact.id
        for fact in world.story.fold.every_fact()
        if any(piece.source == source for piece in fact.evidence) or read.get(fact.run, False)
    ]
    made = [body for body in bodies if isinstance(body, PageChanged) and body.op is PageOp.CREATE]
    prose = (
        body.block
        for body in bodies
        if isinstance(body, ProseChanged)
        and body.op is ProseOp.INSERT
        and source in {*(row.source for row in body.rows), *(piece.source for piece in body.quotes)}
    )
    return Undoing(
        target=Target(source),
        run=world.next_run,
        at=NOW,
        state=world.state,
        facts=tuple(facts),
        closed=tuple(body.fact for body in bodies if isinstance(body, FactClosed)),
        blocks=tuple(prose),
        names=tuple(UndoneNames(body, None) for body in made),
    )


def _facts(bodies: Iterable[Body]) -> Iterable[FactId]:
    for body in bodies:
        match body:
            case Asserted(statement=stated) | SupersededBy(statement=stated) | LearnedLate(statement=stated):
                yield stated.fact
            case Confirmed(fact=name):
                yield name
            case _:
                pass


def _evidence(world: World, n: int) -> tuple[Evidence, ...]:
    body = next(event.body for event in world.story.events if event.n == n)
    match body:
        case Asserted(statement=stated) | SupersededBy(statement=stated) | LearnedLate(statement=stated):
            return stated.evidence
        case Confirmed(evidence=evidence):
            return evidence
        case _:
            return ()


def _last(bodies: Iterable[B]) -> B | None:
    return next(iter(reversed(list(bodies))), None)
