"""Distill: pending rows through the drafter and the write path, batch by batch.

A batch that is refused is tried once more with the refusals in the request; the same answer again, or a second
refusal, and it is cut in half, down to single records. Only a record that is refused alone counts an attempt; after
`max_attempts` it is given up, told, and waits for `retry`. So one poisoned record takes nothing down but itself, and
nothing is tried for ever. A drafter that cannot be reached costs no attempt.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import assert_never

from xysq.canonical import sha256_hex
from xysq.drafters.port import Answer, Choosy, Drafter, Price, Request
from xysq.errors import BadDraft, BudgetSpent, Damaged
from xysq.frozen import frozen
from xysq.jobs.apply import BAD_DRAFT, Applied, Outcome, Overtaken, Refused, apply, left_behind, stage
from xysq.jobs.batch import Batch, batches, batches_again, newest_push
from xysq.jobs.compose import Drafted, compose
from xysq.jobs.ground import ground
from xysq.jobs.held import Held
from xysq.jobs.hold import hold
from xysq.jobs.mention import mentioned
from xysq.jobs.meter import CapMeter, Caps, SpendingSeen
from xysq.jobs.opened import Opened
from xysq.jobs.readable import readable
from xysq.jobs.telling import APPLIED, OVERTAKEN, PLANNED, REFUSED, STAGED, tell
from xysq.ledger.fold import Fold
from xysq.model.draft import Draft
from xysq.model.event import RunKind
from xysq.model.fact import RunId
from xysq.model.report import RunReport
from xysq.model.run import Drafting, Record, Refusal
from xysq.model.settings import Settings
from xysq.model.source import Row, SourceId
from xysq.model.staging import StagedRun
from xysq.model.state import LedgerState
from xysq.store import queue, wal
from xysq.store.readmodel import Snapshot

_NOTHING = b'{"facts":[]}'


@frozen
class DistillOrder:
    """What to do with pending rows.

    `stage` leaves the runs in the write-ahead log, `dry_run` only plans. `limit` bounds the runs, `caps` what may be
    spent; where one is reached, what is left stays pending and `notices` say so. `progress` is told passages done and
    in all, `spending` what was spent. `only` leaves every other source alone. `again` takes everything that these
    sources say once more, covered or not; a row that is refused then counts no attempt.
    `purse` is the vault whose budget pays, where it is another one.
    """

    drafter: Drafter
    stage: bool = False
    dry_run: bool = False
    limit: int | None = None
    caps: Caps = Caps()
    progress: Callable[[int, int], None] | None = None
    spending: SpendingSeen | None = None
    only: SourceId | None = None
    again: tuple[SourceId, ...] = ()
    purse: Opened | None = None


def distill(opened: Opened, order: DistillOrder) -> Iterator[RunReport]:
    """Work through what is pending now; yield a report for every run that ended.

    Raises `Damaged` where something was found to be, once everything that does not rest on it is done.
    """
    settings = opened.settings()
    with hold(opened):
        pass  # what a crash interrupted is finished, what landed is settled
    if not (order.stage or order.dry_run):
        yield from _finish_left_behind(opened)
    with readable(opened).reading() as snapshot:
        todo = list(_todo(opened, snapshot, order))
    work = _Work(opened, order, settings)
    first: Damaged | None = None
    total, done = sum(len(batch.passages) for batch in todo), 0
    for place, batch in enumerate(todo):
        if order.limit is not None and place >= order.limit:
            break
        try:
            yield from work.through(batch)
        except BudgetSpent as spent:
            opened.notices.append(spent.sentence)
            break
        except Damaged as damage:  # what one batch rests on is broken; the others need not wait for that
            first = first or damage
        done += len(batch.passages)
        if order.progress is not None:
            order.progress(done, total)
    if first is not None:
        raise first


def _todo(opened: Opened, snapshot: Snapshot, order: DistillOrder) -> Iterator[Batch]:
    settings = opened.settings()
    if order.again:
        return batches_again(opened, snapshot, settings, order.drafter, order.again)
    return batches(opened, snapshot, settings, order.drafter, order.only)


def price(opened: Opened, drafter: Drafter) -> Price:
    """Estimate what it costs to draft from everything that is pending; nothing where the drafter costs nothing."""
    if not isinstance(drafter, Choosy):
        return Price()
    with readable(opened).reading() as snapshot:
        todo = batches(opened, snapshot, opened.settings(), drafter)
        return sum((drafter.price(batch.passages) for batch in todo), Price())


@frozen
class _Try:
    """A batch on its way: the refusals of the try before, and what that answer was."""

    batch: Batch
    refusals: tuple[Refusal, ...] = ()
    reply_sha256: str = ""


class _Work:
    """One pass over the batches, with what it may still spend."""

    def __init__(self, opened: Opened, order: DistillOrder, settings: Settings) -> None:
        self._opened = opened
        self._order = order
        self._settings = settings
        self._meter = CapMeter(order.purse or opened, order.caps, order.spending)

    def through(self, batch: Batch) -> Iterator[RunReport]:
        """Try a batch, then its halves where it is refused; yield what ended."""
        waiting = [_Try(batch=batch, refusals=self._known_refusals(batch))]
        while waiting:
            attempt = waiting.pop(0)
            outcome = self._attempt(attempt)
            if isinstance(outcome, RunReport):
                yield outcome
                continue
            again, ended = self._after_refusal(attempt, outcome)
            waiting = [*again, *waiting]
            if ended is not None:
                yield ended

    def _known_refusals(self, batch: Batch) -> tuple[Refusal, ...]:
        return queue.attempt_of(self._opened.files, batch.rows[0]).refusals if len(batch.rows) == 1 else ()

    def _attempt(self, attempt: _Try) -> "RunReport | _Refusal":
        opened, run = self._opened, self._opened.new_run()
        model = readable(opened)
        with ground(opened, model) as (base, snapshot):
            batch = attempt.batch
            request = Request(
                run=run,
                passages=batch.passages,
                pages=mentioned(base.state.ledger, batch.passages, batch.project, base.me),
                schema=base.schema,
                me=base.me,
                project=batch.project.rstrip("/").rpartition("/")[2],
                refusals=attempt.refusals,
                meter=self._meter,
            )
        try:
            answer = self._ask(request)
            draft = Draft.parse(answer.reply)
        except BadDraft as error:
            refusal = Refusal(gate=BAD_DRAFT, page="", anchor="", sentence=error.sentence)
            return _Refusal(run=run, refusals=(refusal,), reply_sha256=sha256_hex(error.sentence.encode()))
        reply_sha256 = sha256_hex(answer.reply)
        if reply_sha256 == attempt.reply_sha256:
            return _Refusal(run=run, refusals=attempt.refusals, reply_sha256=reply_sha256)
        with ground(opened, model) as (base, snapshot):
            drafted = Drafted(
                run=run,
                kind=RunKind.DISTILL,
                at=max(opened.now(), newest_push(snapshot, batch.rows)),
                rows=batch.rows,
                drafting=answer.drafting,
                reply=answer.reply,
                passages=batch.passages,
                project=batch.project,
                refusals=attempt.refusals,
            )
            composed = compose(drafted, draft, base, opened.new_salts)
            state = Fold(snapshot.ledger).extend(composed.candidate.events)
            report = tell(composed.staged.record, composed.staged.plan.events, state, PLANNED)
        if self._order.dry_run:
            return report
        stage(opened, composed, answer.reply, by_hand=self._order.stage, again=bool(self._order.again))
        if self._order.stage:
            return replace(report, outcome=STAGED)
        return self._land(report, composed.staged, reply_sha256)

    def _ask(self, request: Request) -> Answer:
        """Ask the drafter; bytes without words need none."""
        if not request.passages:
            return Answer(reply=_NOTHING, drafting=Drafting(drafter=self._order.drafter.name))
        over = self._meter.spent_out
        if over:
            raise BudgetSpent(f"stopped at {over}; what is left stays pending")
        before = self._meter.spent.calls
        try:
            return self._order.drafter.draft(request)
        finally:
            if self._meter.spent.calls == before:
                self._meter.count_free()

    def _land(self, planned: RunReport, staged: StagedRun, reply_sha256: str) -> "RunReport | _Refusal":
        with hold(self._opened) as held:
            if planned.run not in wal.list_runs(self._opened.files):
                return _finished_by_another(held, planned)
            outcome = apply(held, planned.run, staged)
            if isinstance(outcome, Refused):
                return _Refusal(run=planned.run, refusals=outcome.refusals, reply_sha256=reply_sha256)
            with held.model.reading() as snapshot:
                report = report_of(outcome, snapshot.ledger)
        self._meter.accept(len(report.asserted) + len(report.superseded) + len(report.late))
        return report

    def _after_refusal(self, attempt: _Try, refusal: "_Refusal") -> tuple[list[_Try], RunReport | None]:
        """Decide what comes after a refusal: the same once more, two halves, or the end for now."""
        batch = attempt.batch
        if not attempt.reply_sha256:
            return [_Try(batch=batch, refusals=refusal.refusals, reply_sha256=refusal.reply_sha256)], None
        halves = batch.halves()
        if halves is not None:
            return [_Try(batch=half, refusals=refusal.refusals) for half in halves], None
        gave_up = () if self._order.again else self._count_attempt(batch, refusal)
        record = Record(
            run=refusal.run,
            kind=RunKind.DISTILL,
            at=self._opened.now(),
            rows=batch.rows,
            drafting=Drafting(drafter=self._order.drafter.name),
            reply="",
            drops=(),
        )
        with readable(self._opened).reading() as snapshot:
            return [], tell(record, (), snapshot.ledger, REFUSED, refusals=refusal.refusals, gave_up=gave_up)

    def _count_attempt(self, batch: Batch, refusal: "_Refusal") -> tuple[Row, ...]:
        """Remember that a row was refused alone; return the rows that were given up by it."""
        known = queue.attempt_of(self._opened.files, batch.rows[0])
        known = known.refused(refusal.refusals, refusal.reply_sha256, is_alone=True, most=self._settings.max_attempts)
        queue.keep_attempt(self._opened.files, known)
        return batch.rows if known.given_up else ()


@frozen
class _Refusal:
    """A try that did not land."""

    run: RunId
    refusals: tuple[Refusal, ...]
    reply_sha256: str


def _finish_left_behind(opened: Opened) -> Iterator[RunReport]:
    """Apply the runs that a process had staged when it ended, so that their rows are not asked for again."""
    for run in left_behind(opened):
        with hold(opened) as held:
            if run not in left_behind(opened):
                continue
            outcome = apply(held, run)
            with held.model.reading() as snapshot:
                yield report_of(outcome, snapshot.ledger)


def _finished_by_another(held: Held, planned: RunReport) -> RunReport:
    """Return the report of a run that another process took out of the log: applied, or its rows are pending again."""
    with held.model.reading() as snapshot:
        line = snapshot.lists.run(planned.run)
    return (
        replace(planned, outcome=OVERTAKEN) if line is None else replace(planned, outcome=APPLIED, commit=line.commit)
    )


def report_of(outcome: Outcome, ledger: LedgerState) -> RunReport:
    """Return the report of a run that was applied or refused."""
    staged = outcome.staged.run
    match outcome:
        case Applied(commit=commit):
            return tell(staged.record, staged.plan.events, ledger, APPLIED, commit=commit)
        case Refused(refusals=refusals):
            return tell(staged.record, (), ledger, REFUSED, refusals=refusals)
        case Overtaken():
            return tell(staged.record, (), ledger, OVERTAKEN)
        case _:
            assert_never(outcome)
