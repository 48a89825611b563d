"""Undoing: what there is to take back of a run or a source, gathered from the ledger.

Of a run, its own events tell everything; what a block or a page was before is looked up in the runs before it. A source
is everywhere where its words are cited, and in the events of the runs that read it.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

from xysq.jobs.opened import Opened
from xysq.jobs.record import run_events
from xysq.model.event import (
    Asserted,
    Body,
    Confirmed,
    FactClosed,
    LearnedLate,
    PageChanged,
    PageOp,
    ProseChanged,
    RunKind,
    SupersededBy,
    Withdrawn,
)
from xysq.model.fact import Evidence, FactId, RunId, Slug
from xysq.model.source import SourceId
from xysq.model.state import LedgerState, State
from xysq.planner.sheet import Undoing, UndoneNames, UndoneProse
from xysq.planner.target import Target
from xysq.store import segments
from xysq.store.readmodel import FactFilter, RunLine, Snapshot

B = TypeVar("B", bound=Body)


def undoing_run(opened: Opened, snapshot: Snapshot, line: RunLine, run: RunId, state: State) -> Undoing:
    """Gather what a run did, to be taken back as the run `run`."""
    bodies = _bodies(opened, line)
    return Undoing(
        target=Target(line.run),
        run=run,
        at=opened.now(),
        state=state,
        facts=_facts(bodies),
        closed=tuple(body.fact for body in bodies if isinstance(body, FactClosed)),
        withdrawn=tuple(_withdrawn(opened, bodies)),
        prose=tuple(
            UndoneProse(body, _before(opened, snapshot, line, body.page, _same_block(body)))
            for body in bodies
            if isinstance(body, ProseChanged)
        ),
        names=tuple(
            UndoneNames(body, _before(opened, snapshot, line, body.page, _same_page(body)))
            for body in bodies
            if isinstance(body, PageChanged)
        ),
    )


def undoing_source(opened: Opened, snapshot: Snapshot, source: SourceId, run: RunId, state: State) -> Undoing:
    """Gather what came of the words of a source, to be taken back as the run `run`."""
    lines = [line for line in snapshot.lists.runs_covering(source) if line.kind != RunKind.REVERT.value]
    bodies = [body for line in lines for body in _bodies(opened, line)]
    of_it_alone = [line for line in lines if all(row.source == source for row in line.rows)]
    facts = [
        *snapshot.lists.facts_citing(source),
        *(fact for line in of_it_alone for fact in snapshot.lists.facts(FactFilter(run=line.run))),
    ]
    names = tuple(dict.fromkeys(fact.id for fact in facts))
    made = [body for body in bodies if isinstance(body, PageChanged) and body.op is PageOp.CREATE]
    pages = dict.fromkeys((*(body.page for body in made), *(fact.page for fact in facts)))
    return Undoing(
        target=Target(source),
        run=run,
        at=opened.now(),
        state=state,
        facts=names,
        closed=tuple(body.fact for body in bodies if isinstance(body, FactClosed)),
        blocks=tuple(dict.fromkeys(origin.block for origin in snapshot.lists.prose_from(source))),
        names=(*(UndoneNames(body, None) for body in made), *_named(pages, source, state.ledger)),
    )


def _named(pages: Iterable[Slug], source: SourceId, ledger: LedgerState) -> Iterator[UndoneNames]:
    """Yield the pages that have a name which words of a source gave."""
    for slug in pages:
        page = ledger.page(slug)
        given = () if page is None else (piece for alias in page.aliases for piece in alias.evidence)
        if page is not None and any(piece.source == source for piece in given):
            did = PageChanged(page=slug, op=PageOp.META, title=page.title, kind=page.kind, aliases=page.aliases)
            yield UndoneNames(did, None)


def _bodies(opened: Opened, line: RunLine) -> tuple[Body, ...]:
    """Return the events of a run; those that were forgotten brought nothing that is left."""
    return tuple(event.body for event in run_events(opened, line.n, line.run) if event.body is not None)


def _facts(bodies: Sequence[Body]) -> tuple[FactId, ...]:
    names: dict[FactId, None] = {}
    for body in bodies:
        match body:
            case Asserted(statement=stated) | SupersededBy(statement=stated) | LearnedLate(statement=stated):
                names[stated.fact] = None
            case Confirmed(fact=name):
                names[name] = None
            case _:
                pass
    return tuple(names)


def _withdrawn(opened: Opened, bodies: Iterable[Body]) -> Iterator[tuple[FactId, tuple[Evidence, ...]]]:
    """Yield the quotes that a run took back."""
    for body in bodies:
        if not isinstance(body, Withdrawn):
            continue
        match segments.event(opened.files, body.brought_by).body:
            case Asserted(statement=stated) | SupersededBy(statement=stated) | LearnedLate(statement=stated):
                yield body.fact, stated.evidence
            case Confirmed(evidence=evidence):
                yield body.fact, evidence
            case _:
                pass


def _before(
    opened: Opened, snapshot: Snapshot, line: RunLine, page: Slug, wanted: Callable[[Body], B | None]
) -> B | None:
    """Return the last event before a run, about a page, that is wanted."""
    for earlier in snapshot.lists.runs(page=page, before=line.n):
        found = [body for body in map(wanted, _bodies(opened, earlier)) if body is not None]
        if found:
            return found[-1]
    return None


def _same_block(did: ProseChanged) -> Callable[[Body], ProseChanged | None]:
    return lambda body: body if isinstance(body, ProseChanged) and body.block == did.block else None


def _same_page(did: PageChanged) -> Callable[[Body], PageChanged | None]:
    return lambda body: body if isinstance(body, PageChanged) and body.page == did.page else None
