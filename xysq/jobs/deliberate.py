"""Deliberate runs: what a person does to the memory, without a drafter: correct, adopt, revert, change of pages.

A deed is the events in their order, and the log version that comes with them. It is composed, judged by the gates that
judge everything, decided and replayed under one holding of the lock. Nobody sees it staged: what a crash left of it
undecided was never acknowledged, and recovery drops it.

A new kind is a job that returns a `Deed`, and its rule of what it may do in `xysq.gates.deed`.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace

from xysq.frozen import frozen
from xysq.gates import judge
from xysq.jobs.batch import newest_push
from xysq.jobs.compose import Ground, build
from xysq.jobs.ground import ground
from xysq.jobs.held import Held
from xysq.jobs.land import land
from xysq.jobs.telling import APPLIED, REFUSED, tell
from xysq.ledger.fold import Fold
from xysq.model.event import Asserted, Body, RunKind, SupersededBy
from xysq.model.fact import FactId, RunId, Slug
from xysq.model.plan import Edit, Plan
from xysq.model.report import RunReport
from xysq.model.run import Drafting, Record
from xysq.model.source import Row
from xysq.model.state import LedgerState
from xysq.pages.declare import edit_of
from xysq.planner.deed import author
from xysq.store import wal
from xysq.store.arrival import Arrival
from xysq.store.readmodel import Snapshot
from xysq.store.wal import StagedFiles


@frozen
class Deed:
    """What a person does: which kind of run, its events, the rows it reads, the version that comes with it.

    `reverts` is the run or source that a revert takes back.
    `typed` is what was typed into the file of the page that the run `adopts`: the run takes its place.
    """

    kind: RunKind
    events: tuple[Body, ...]
    rows: tuple[Row, ...] = ()
    arrival: Arrival | None = None
    reverts: str = ""
    typed: bytes = b""
    adopts: Slug | None = None


DeedOf = Callable[[Ground, Snapshot, RunId], Deed]


def carry_out(held: Held, deed_of: DeedOf, arrival: Arrival | None = None, *, run: RunId | None = None) -> RunReport:
    """Do a deed, as `run` where it has a name already; the report says whether it was applied or refused, and why.

    `deed_of` is asked on the state the run is judged on, where `arrival` is known already.
    """
    opened, run = held.opened, held.opened.new_run() if run is None else run
    with ground(opened, held.model, arrival) as (base, snapshot):
        deed = deed_of(base, snapshot, run)
        record = Record(
            run=run,
            kind=deed.kind,
            at=_moment(opened.now(), deed, snapshot),
            rows=deed.rows,
            drafting=Drafting(drafter=author(opened.channel)),
            reply=deed.typed.decode("utf-8"),
            drops=(),
            reverts=deed.reverts,
        )
        plan = Plan(edits=edits_of(deed.events, base.state.ledger), events=deed.events)
        composed = build(record, plan, base, opened.new_salts(len(deed.events) + 1))
        refusals = judge(composed.candidate, base.state)
        if refusals:
            return tell(record, (), base.state.ledger, REFUSED, refusals=refusals)
        brought = {} if deed.arrival is None else deed.arrival.files()
        run_staged = replace(composed.staged, adopts=deed.adopts)
        staged = StagedFiles(draft=deed.typed, run=run_staged, after={**brought, **composed.files})
        state = Fold(snapshot.ledger).extend(composed.candidate.events)
        report = tell(record, deed.events, state, APPLIED)
        wal.stage(opened.files, staged)
    return replace(report, commit=land(held, staged))


def edits_of(events: Iterable[Body], ledger: LedgerState) -> tuple[Edit, ...]:
    """Return the edits that belong to events."""
    stated: dict[FactId, Slug] = {}
    edits: list[Edit] = []

    def page_of(name: FactId) -> Slug | None:
        fact = ledger.fact(name)
        return stated.get(name) if fact is None else fact.page

    for body in events:
        if isinstance(body, Asserted | SupersededBy):
            stated[body.statement.fact] = body.statement.page
        edit = edit_of(body, page_of)
        if edit is not None:
            edits.append(edit)
    return tuple(edits)


def _moment(now: str, deed: Deed, snapshot: Snapshot) -> str:
    """Return when the run was: never before what it reads was pushed, whatever the clock says.

    A version that comes with it is of the same moment: what it closes ended when its new words were said, not after,
    or they would be taken for words that were there before.
    """
    moment = now if deed.arrival is None else deed.arrival.meta.pushed_at
    return max(moment, newest_push(snapshot, deed.rows))
