"""Telling of a run: its events as the report people read."""

from xysq.model.event import Asserted, Body, Confirmed, FactClosed, LearnedLate, Statement, SupersededBy
from xysq.model.fact import FactId, RunId
from xysq.model.report import RunReport, Told
from xysq.model.run import Record, Refusal
from xysq.model.source import Row
from xysq.model.state import LedgerState
from xysq.pages.escape import plain

APPLIED, STAGED, REFUSED, OVERTAKEN, PLANNED = "applied", "staged", "refused", "overtaken", "planned"


def tell(
    record: Record,
    bodies: tuple[Body, ...],
    ledger: LedgerState,
    outcome: str,
    *,
    refusals: tuple[Refusal, ...] = (),
    gave_up: tuple[Row, ...] = (),
    commit: str = "",
) -> RunReport:
    """Return the report of a run; `ledger` is a state that knows the facts it is about."""
    stated = {body.statement.fact: body.statement for body in bodies if isinstance(body, _STATING)}
    return RunReport(
        run=RunId(record.run),
        outcome=outcome,
        rows=record.rows,
        drafter=record.drafting.drafter,
        asserted=tuple(_told(b.statement, ledger) for b in bodies if isinstance(b, Asserted)),
        superseded=tuple(
            _told(b.statement, ledger, _text_of(b.supersedes, ledger)) for b in bodies if isinstance(b, SupersededBy)
        ),
        late=tuple(_told(b.statement, ledger) for b in bodies if isinstance(b, LearnedLate)),
        confirmed=_known(tuple(b.fact for b in bodies if isinstance(b, Confirmed)), stated, ledger),
        closed=_known(tuple(b.fact for b in bodies if isinstance(b, FactClosed)), stated, ledger),
        drops=(*record.drafting.drops, *record.drops),
        refusals=refusals,
        gave_up=gave_up,
        commit=commit,
    )


_STATING = (Asserted, SupersededBy, LearnedLate)


def _told(statement: Statement, ledger: LedgerState, replaced: str = "") -> Told:
    page = ledger.page(statement.page)
    return Told(
        fact=statement.fact,
        page=statement.page,
        title=statement.page if page is None else page.title,
        text=plain(statement.text),
        replaced=replaced,
    )


def _text_of(fact: FactId, ledger: LedgerState) -> str:
    known = ledger.fact(fact)
    return "" if known is None else plain(known.text)


def _known(facts: tuple[FactId, ...], stated: dict[FactId, Statement], ledger: LedgerState) -> tuple[Told, ...]:
    told = []
    for name in facts:
        fact = ledger.fact(name)
        if name in stated:
            told.append(_told(stated[name], ledger))
        elif fact is not None:
            page = ledger.page(fact.page)
            title = fact.page if page is None else page.title
            told.append(Told(fact=name, page=fact.page, title=title, text=plain(fact.text)))
    return tuple(told)
