"""Bases and mutants: a good run as the gates see it, and the same run damaged and sealed anew.

An attacker knows the format and has the program. So whatever was changed, the events are chained again with new
digests, the record's digest fits, counts are right, and the pages are what the events fold to, unless an operator
leaves them on purpose: nothing is refused because a checksum is wrong.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from xysq.ledger.fold import Fold, Unlawful
from xysq.ledger.line import RENDER, chain
from xysq.model.event import Asserted, Body, Event, Head, LearnedLate, RunBegun, RunKind, Statement, SupersededBy
from xysq.model.fact import Evidence, Fact, FactId, RunId, Slug
from xysq.model.page import PageState
from xysq.model.plan import Edit, Plan
from xysq.model.run import Candidate
from xysq.model.source import Row
from xysq.model.state import LedgerState, State
from xysq.pages.declare import edit_of
from xysq.pages.render import render

Stating = Asserted | SupersededBy | LearnedLate


@dataclass(frozen=True, slots=True)
class Mutant:
    """A damaged run, and the state it is judged in; `key` tells states apart."""

    run: Candidate
    state: State
    key: str = ""


@dataclass(frozen=True)
class Base:
    """A good run.

    `slugs` are all pages of its state; `quotes` words of the archive, each cited rightly; `own` those of its recall.
    """

    name: str
    run: Candidate
    state: State
    slugs: tuple[Slug, ...]
    quotes: tuple[Evidence, ...]
    own: tuple[Evidence, ...] = ()

    @property
    def bodies(self) -> tuple[Body, ...]:
        """The events behind the run event."""
        return self.run.plan.events

    @cached_property
    def facts(self) -> tuple[Fact, ...]:
        """Every fact of the state, whatever became of it."""
        return tuple(fact for slug in self.slugs for fact in self.state.ledger.facts_of(slug))

    @cached_property
    def pages(self) -> tuple[PageState, ...]:
        """The living pages of the state."""
        pages = (self.state.ledger.page(slug) for slug in self.slugs)
        return tuple(page for page in pages if page is not None and page.is_living)

    @cached_property
    def after(self) -> Fold:
        """The state behind the run."""
        return Fold(self.state.ledger).extend(self.run.events)

    @cached_property
    def stated(self) -> tuple[tuple[int, Stating], ...]:
        """The statements of the run, each with its place among the events."""
        return tuple((at, body) for at, body in enumerate(self.bodies) if isinstance(body, Stating))

    def ended_later(self) -> set[FactId]:
        """Return the facts of the state that the run ends."""
        return {name for name in self.after.facts_touched if not _is_open(self.after.fact(name))}

    # Damage

    def with_pages(self, after: dict[Slug, bytes], before: dict[Slug, bytes] | None = None) -> Mutant:
        """Leave other bytes than the events fold to."""
        run = replace(self.run, after=after, before=self.run.before if before is None else before)
        return Mutant(run, self.state)

    def with_page(self, slug: Slug, data: bytes) -> Mutant:
        """Leave other bytes on one page."""
        return self.with_pages({**self.run.after, slug: data})

    def with_both(self, declared: Mutant, left: Mutant) -> Mutant:
        """Have the edits of one mutant and the pages of another."""
        run = replace(declared.run, before=left.run.before, after=left.run.after)
        return Mutant(run, self.state)

    def file(self, slug: Slug) -> bytes:
        """Return the bytes of a page as the state has it."""
        return file_of(self.state.ledger, slug)

    def with_edits(self, edits: Sequence[Edit]) -> Mutant:
        """Declare other edits than the events need."""
        return Mutant(replace(self.run, plan=replace(self.run.plan, edits=tuple(edits))), self.state)

    def with_state(self, state: State) -> Mutant:
        """Judge the run, made anew, in another state."""
        return self.with_bodies(self.bodies, state=state)

    def with_bodies(
        self,
        bodies: Sequence[Body],
        *,
        edits: Sequence[Edit] | None = None,
        kind: RunKind | None = None,
        state: State | None = None,
        at: str | None = None,
        name: str | None = None,
        rows: tuple[Row, ...] | None = None,
        head: Head | None = None,
        keep_pages: bool = False,
    ) -> Mutant:
        """Have other events, sealed, with their edits and pages; where they are unlawful the pages stay."""
        judged_in = self.state if state is None else state
        run = replace(
            self.run,
            run=self.run.run if name is None else RunId(name),
            kind=self.run.kind if kind is None else kind,
            at=self.run.at if at is None else at,
            rows=self.run.rows if rows is None else rows,
        )
        return Mutant(sealed(run, bodies, judged_in.ledger, edits, head, keep_pages=keep_pages), judged_in)

    def replaced(self, place: int, *bodies: Body, keep_edits: bool = False) -> Mutant:
        """Put other events in the place of one."""
        changed = (*self.bodies[:place], *bodies, *self.bodies[place + 1 :])
        return self.with_bodies(changed, edits=self.run.plan.edits if keep_edits else None)

    def added(self, *bodies: Body) -> Mutant:
        """Put events behind the others."""
        return self.with_bodies((*self.bodies, *bodies))


def _is_open(fact: Fact | None) -> bool:
    return fact is not None and fact.is_open


def restated(body: Stating, **changes: object) -> Stating:
    """Return a statement with other words."""
    return replace(body, statement=replace(body.statement, **changes))  # type: ignore[arg-type]


def sealed(
    run: Candidate,
    bodies: Sequence[Body],
    ledger: LedgerState,
    edits: Sequence[Edit] | None = None,
    head: Head | None = None,
    *,
    keep_pages: bool = False,
) -> Candidate:
    """Return the run with these events, chained anew; edits and pages follow from them unless they are given."""
    bodies = tuple(bodies)
    base = ledger.head() if head is None else head
    record = hashlib.sha256(repr((bodies, run.rows, run.at)).encode()).hexdigest()
    first = run.events[0].body if run.events else None
    begun = RunBegun(
        run=run.run,
        kind=run.kind,
        rows=run.rows,
        drafter=run.drafter,
        render=RENDER,
        events=len(bodies),
        record=record,
        reverts=first.reverts if isinstance(first, RunBegun) else "",
    )
    salts = [
        hashlib.sha256(f"{run.run} {place}".encode("utf-8", "replace")).hexdigest()[:32]
        for place in range(len(bodies) + 1)
    ]
    events = chain(base, run.at, run.run, (begun, *bodies), salts)
    before, after, behind = folded(run, events, ledger, keep_pages=keep_pages)
    if edits is None:
        declared = (edit_of(body, lambda name: _page_of(behind, name)) for body in bodies)
        edits = [edit for edit in declared if edit is not None]
    plan = Plan(edits=tuple(edits), events=bodies)
    return replace(run, base=base, events=events, plan=plan, before=before, after=after)


def folded(
    run: Candidate, events: Sequence[Event], ledger: LedgerState, *, keep_pages: bool
) -> tuple[dict[Slug, bytes], dict[Slug, bytes], LedgerState]:
    """Return the pages before and behind the events, and the state there; those of the run where that is unlawful."""
    fold = Fold(ledger)
    kept = dict(run.before), dict(run.after)
    try:
        fold.extend(events)
    except Unlawful:
        return *kept, fold
    if keep_pages:
        return *kept, fold
    before = {slug: file_of(ledger, slug) for slug in fold.pages_touched}
    return before, {slug: file_of(fold, slug) for slug in fold.pages_touched}, fold


def file_of(ledger: LedgerState, slug: Slug) -> bytes:
    """Return the bytes of a page."""
    page = ledger.page(slug)
    return b"" if page is None else render(page)


def _page_of(ledger: LedgerState, name: FactId) -> Slug | None:
    fact = ledger.fact(name)
    return None if fact is None else fact.page


def statement_of(known: Fact, /, **changes: object) -> Statement:
    """Return what a fact said, to be said again."""
    base = Statement(
        fact=known.id,
        page=known.page,
        attribute=known.attribute,
        single=known.single,
        section=known.section,
        value=known.value,
        text=known.text,
        label=known.label,
        evidence=known.evidence,
        derived_from=known.derived_from,
    )
    return replace(base, **changes)  # type: ignore[arg-type]
