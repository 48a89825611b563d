"""Bases out of worlds that lived a little: seeded turns and drafts, mostly sensible and now and then anything but."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from tests.mutants.archive import ViewedArchive
from tests.mutants.base import Base, sealed
from tests.mutants.recipe import ME, snapshot
from tests.planner.lives import drafted_order, turns
from tests.world import World
from xysq.model.event import Asserted, LearnedLate, SupersededBy
from xysq.model.plan import Plan
from xysq.planner.plan import plan

_RUNS = 5


def lived_bases(worlds: int) -> Iterator[Base]:
    """Yield the runs of so many worlds that state something."""
    for seed in range(worlds):
        luck = Random(seed)
        world = World(archive=ViewedArchive(), me=ME)
        events = list(world.story.events)
        for number in range(_RUNS):
            day = 1 + number * 5
            world.tell(*turns(luck), source=f"talk {number}", pushed_at=f"2026-11-{day:02d}T12:00:00Z")
            order = replace(drafted_order(world, luck), at=f"2026-11-{day:02d}T13:00:00Z")
            planned = world.quarantine(plan(order).plan).plan
            empty = world.candidate(Plan(edits=(), events=()), at=order.at)
            run = replace(sealed(empty, planned.events, world.story.fold), plan=planned)
            if any(isinstance(body, Asserted | SupersededBy | LearnedLate) for body in planned.events):
                yield snapshot(f"life {seed} {number}", run, events, world.archive, world)
            events.extend(run.events)
            world.story.fold.extend(run.events)
            world.runs += 1
