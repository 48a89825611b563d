"""Redistill: the logs of a vault once more, into a second vault that begins with nothing but them.

From kept drafts no model is asked: every run is made again from the answer that its record keeps, under its own id and
of its own moment, and what a person did in between is done again with the same events. Logs come in as they came, so
each run meets the state it met. The second vault ends with the same pages; ids, times and changelogs included.

With a drafter the logs are distilled anew. What a person corrected in the logs is corrected there already; a fact that
a person ended or reworded is ended or reworded again wherever the new drafter says it again. A source that was reverted
is not distilled at all; a run that was has no counterpart there.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from itertools import groupby

from xysq.errors import Damaged
from xysq.frozen import frozen
from xysq.jobs.apply import apply, passages_of, project_of, stage
from xysq.jobs.compose import Drafted, compose
from xysq.jobs.deliberate import Deed, carry_out
from xysq.jobs.distill import DistillOrder, distill, report_of
from xysq.jobs.ground import ground
from xysq.jobs.hold import hold
from xysq.jobs.opened import Opened
from xysq.jobs.past import versions_of
from xysq.jobs.readable import readable
from xysq.jobs.record import read_record
from xysq.jobs.revert import NothingToRevert, revert_source
from xysq.jobs.reverted import reverted_sources
from xysq.ledger.fold import Unlawful
from xysq.model.draft import Draft
from xysq.model.event import Body, Event, FactClosed, ProseChanged, ProseOp, RunBegun, RunKind, SupersededBy
from xysq.model.fact import CloseReason, Fact, FactId, RunId, Slug
from xysq.model.report import Progress, RunReport
from xysq.model.run import Record
from xysq.model.source import Meta, Version
from xysq.planner.deed import with_conclusions
from xysq.store import landing, layout, logs, segments
from xysq.store.arrival import Arrival
from xysq.store.readmodel import Snapshot
from xysq.text import fold


@frozen
class _Run:
    """A run of the old vault: its first event, its others, and the versions that came with it."""

    begun: RunBegun
    at: str
    bodies: tuple[Body, ...]
    brings: tuple[Version, ...]


def redistill_from_drafts(old: Opened, new: Opened, progress: Progress | None = None) -> Iterator[RunReport]:
    """Make every run of a vault again in a new one, from what its record keeps; yield a report for each."""
    runs = _runs(old)
    waiting = _landings(old, runs)
    for place, run in enumerate(runs, start=1):
        waiting = _land(old, new, waiting, until=run.at)
        yield _again(old, _at(new, run.at), run)
        if progress is not None:
            progress(place, len(runs))
    _land(old, new, waiting, until=None)


def redistill_anew(old: Opened, new: Opened, order: DistillOrder) -> Iterator[RunReport]:
    """Distil all logs of a vault into a new one, but what was reverted, and hold a person's corrections there.

    Yields a report for each run.
    """
    runs = _runs(old)
    metas = [meta for source in logs.all_sources(old.files) for meta in logs.versions(old.files, source)]
    _land(old, new, _in_order(metas), until=None)
    with readable(old).reading() as snapshot:
        gone = sorted(reverted_sources(snapshot))
    for source in gone:
        with suppress(NothingToRevert):  # it says nothing any more
            yield revert_source(new, source).run
    yield from distill(new, order)
    for run in runs:
        is_spoken = run.begun.kind is RunKind.CORRECT and not any(version.number > 1 for version in run.brings)
        if is_spoken or run.begun.kind is RunKind.ADOPT:
            yield from _held(old, new, run)


def _runs(old: Opened) -> tuple[_Run, ...]:
    """Return the runs of a vault but its init, in order."""
    with hold(old):
        pass  # what was decided is finished first
    with readable(old).reading() as snapshot:
        events = segments.read_all(old.files)
        found = (tuple(group) for _, group in groupby(events, key=lambda event: event.run))
        return tuple(_run(old, snapshot, group) for group in found if not _is_init(group[0]))


def _is_init(event: Event) -> bool:
    return isinstance(event.body, RunBegun) and event.body.kind is RunKind.INIT


def _run(old: Opened, snapshot: Snapshot, events: Sequence[Event]) -> _Run:
    begun, *others = (event.body for event in events)
    if not isinstance(begun, RunBegun) or any(body is None for body in others):
        raise Damaged(layout.LEDGER, str(events[0].n), "a run whose words were forgotten cannot be made again")
    is_deed = begun.kind not in (RunKind.DISTILL, RunKind.REVERT)
    brings = versions_of(old, snapshot, begun.run) if is_deed else ()
    bodies = tuple(body for body in others if body is not None)
    return _Run(begun=begun, at=events[0].at, bodies=bodies, brings=brings)


def _landings(old: Opened, runs: Iterable[_Run]) -> list[Meta]:
    """Return the versions that landed by themselves, in the order in which they did."""
    brought = {version for run in runs for version in run.brings}
    metas = (meta for source in logs.all_sources(old.files) for meta in logs.versions(old.files, source))
    return _in_order(meta for meta in metas if meta.id not in brought)


def _in_order(metas: Iterable[Meta]) -> list[Meta]:
    return sorted(metas, key=lambda meta: (meta.pushed_at, meta.source, meta.version))


def _land(old: Opened, new: Opened, metas: list[Meta], until: str | None) -> list[Meta]:
    """Land versions up to a moment as they lie in the old vault; return those that are left."""
    due = [meta for meta in metas if until is None or meta.pushed_at <= until]
    for meta in due:
        arrival = _arrival(old, meta)
        landing.land(new.files, meta, arrival.part, arrival.view, new.timeout_s)
    if due:
        with hold(new):
            pass  # settles them
    return metas[len(due) :]


def _arrival(old: Opened, meta: Meta) -> Arrival:
    logs.verify_part(old.files, meta)
    view = None if meta.text is None else old.files.read(layout.view_path(meta.id, meta.kind))
    return Arrival(meta=meta, part=old.files.read(layout.part_path(meta.id, meta.kind, meta.extension)), view=view)


def _at(new: Opened, at: str) -> Opened:
    """Return a vault whose clock stands at a moment."""
    moment = datetime.fromisoformat(at)
    return replace(new, clock=lambda: moment)


def _again(old: Opened, new: Opened, run: _Run) -> RunReport:
    record = read_record(old, run.begun.run)[0]
    if run.begun.kind is RunKind.DISTILL:
        return _drafted_again(new, record)
    arrival = next((_arrival(old, logs.read_meta(old.files, version)) for version in run.brings), None)
    deed = Deed(
        kind=run.begun.kind,
        events=run.bodies,
        rows=run.begun.rows,
        arrival=arrival,
        reverts=run.begun.reverts,
        typed=record.reply.encode(),
    )
    return _done_again(new, run.begun.run, deed)


def _drafted_again(new: Opened, record: Record) -> RunReport:
    reply = record.reply.encode()
    with hold(new) as held:
        with ground(new, held.model) as (base, snapshot):
            drafted = Drafted(
                run=record.run,
                kind=record.kind,
                at=record.at,
                rows=record.rows,
                drafting=record.drafting,
                reply=reply,
                passages=passages_of(snapshot, record.rows),
                project=project_of(snapshot, record.rows),
                refusals=record.refusals,
            )
            composed = compose(drafted, Draft.parse(reply), base, new.new_salts)
        stage(new, composed, reply, by_hand=False)
        outcome = apply(held, record.run, composed.staged)
        with held.model.reading() as snapshot:
            return report_of(outcome, snapshot.ledger)


def _done_again(new: Opened, run: RunId, deed: Deed) -> RunReport:
    """Do a person's deed again; one that means nothing on the new state is a run that was refused."""
    with hold(new, settles=False) as held:
        return carry_out(held, lambda *_: deed, deed.arrival, run=run)


# Corrections of facts, on facts that another drafter drafted


def _held(old: Opened, new: Opened, run: _Run) -> Iterator[RunReport]:
    """Do again what a person did to facts, on the facts of the new vault that say the same."""
    with readable(old).reading() as before, readable(new).reading() as after:
        events = tuple(_moved(run.bodies, before, after))
    if not events:
        return
    run_id = new.new_run()
    events = tuple(_by(body, run.begun.run, run_id) for body in events)
    with hold(new) as held:
        with ground(new, held.model) as (base, _):
            state = base.state
            whole = with_conclusions(events, run.begun.kind, run_id, new.now(), state.ledger, state.archive)
        deed = Deed(kind=run.begun.kind, events=whole, rows=run.begun.rows)
        try:
            yield carry_out(held, lambda *_: deed, run=run_id)
        except Unlawful as fault:
            new.notices.append(f"{run.begun.run} could not be done again: {fault.sentence}")


def _by(body: Body, old: RunId, new: RunId) -> Body:
    """Return an event with the run that it names as its cause put right."""
    return replace(body, cause=new) if isinstance(body, FactClosed) and body.cause == old else body


def _moved(bodies: Iterable[Body], before: Snapshot, after: Snapshot) -> Iterator[Body]:
    """Yield a person's events, about the facts of the new vault that say what the old facts said."""
    for body in bodies:
        match body:
            case FactClosed(fact=name, reason=CloseReason.RETRACTED):
                for same in _saying(name, before, after):
                    yield replace(body, fact=same.id)
            case SupersededBy(statement=stated, supersedes=name):
                said = [fact for fact in _open_facts(after, stated.page) if fold(fact.value) == fold(stated.value)]
                for place, same in enumerate(_saying(name, before, after)):
                    if place or any(fact.attribute == stated.attribute for fact in said):
                        yield _closing(same, body)
                    else:
                        yield replace(body, supersedes=same.id)
            case ProseChanged(page=page, block=block, op=op) if after.ledger.page(page) is not None:
                is_there = after.ledger.block_page(block) == page
                if is_there and op is not ProseOp.INSERT:
                    yield body
                elif not is_there and op is not ProseOp.REMOVE:
                    yield replace(body, op=ProseOp.INSERT, after="end")
            case _:
                continue


def _closing(fact: Fact, body: SupersededBy) -> FactClosed:
    evidence = body.statement.evidence
    return FactClosed(
        fact=fact.id, reason=CloseReason.RETRACTED, cause=str(evidence[0].cited), by="user", evidence=evidence
    )


def _saying(name: FactId, before: Snapshot, after: Snapshot) -> tuple[Fact, ...]:
    """Return the open facts of the new vault with page, attribute and value of an old fact."""
    old = before.ledger.fact(name)
    if old is None:
        return ()
    same = (fact for fact in _open_facts(after, old.page) if fact.attribute == old.attribute)
    return tuple(fact for fact in same if fold(fact.value) == fold(old.value))


def _open_facts(snapshot: Snapshot, page: Slug) -> tuple[Fact, ...]:
    return tuple(fact for fact in snapshot.ledger.facts_of(page) if fact.is_open)
