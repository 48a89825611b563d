"""Adopt: what a run may do that takes over what a person typed into a page's file, whoever wrote it down.

It changes that one page, in that person's words as they came with the run: facts are superseded or closed, prose
comes, changes and goes, the page gets other names. It states nothing beside what stood there, makes, merges and ends
no page, takes no evidence back and forgets nothing. On other pages only falls what rested on what fell here.
"""

from typing import assert_never

from xysq.gates.deed import close_fault, statement_fault
from xysq.gates.merge import names_fault
from xysq.gates.remit import Beyond
from xysq.ledger.fold import Fold
from xysq.model.event import (
    Asserted,
    Body,
    Confirmed,
    Event,
    FactClosed,
    Forgotten,
    LearnedLate,
    PageChanged,
    PageOp,
    ProseChanged,
    ProseOp,
    RunBegun,
    SupersededBy,
    Withdrawn,
)
from xysq.model.fact import CloseReason, Evidence, Slug
from xysq.model.page import Origin
from xysq.model.run import Candidate
from xysq.model.source import Channel, Role, Row, Version
from xysq.model.state import State


def beyond_adopt(event: Event, before: Fold, run: Candidate, state: State) -> Beyond | None:
    """Say what an event does that no adoption may do; None where it may. `before` is the state before it."""
    body = event.body
    page, anchor = _place(body, before)
    fault = _fault(body, before, run, state)
    if fault is None and page not in ("", _page_of(run, before)) and not _is_consequence(body):
        fault = "is on another page than the one that was edited"
    return None if fault is None else Beyond(page=page, anchor=anchor, sentence=fault)


def _fault(body: Body | None, before: Fold, run: Candidate, state: State) -> str | None:
    match body:
        case SupersededBy(statement=stated):
            return statement_fault(stated) or _words_fault(stated.evidence, run)
        case FactClosed(fact=name):
            fact = before.fact(name)
            fault = None if fact is None else close_fault(body, fact, before, run, state.archive)
            return fault or _words_fault(body.evidence, run)
        case Confirmed(evidence=evidence):
            return _words_fault(evidence, run)
        case ProseChanged():
            return _prose_fault(body, run)
        case PageChanged():
            return _page_fault(body, before)
        case Asserted() | LearnedLate():
            return "is stated beside the others by an adoption"
        case Withdrawn():
            return "takes evidence back"
        case Forgotten():
            return "forgets events"
        case RunBegun() | None:
            return None
        case _:
            assert_never(body)


def _words_fault(evidence: tuple[Evidence, ...], run: Candidate) -> str | None:
    """Say why quotes are not what was typed into the page: those come with the run, over a channel of their own."""
    typed = {Version(row.source, row.version) for row in run.rows}
    for piece in evidence:
        if (piece.role, piece.channel) != (Role.USER, Channel.ADOPT) or piece.cited not in typed:
            return "rests on words that were not typed into the page"
    return None


def _prose_fault(body: ProseChanged, run: Candidate) -> str | None:
    if body.op is ProseOp.REMOVE:
        return None
    if body.origin is not Origin.YOURS or body.code:
        return "writes prose that is not a person's own"
    if not all(any(_is_within(row, whole) for whole in run.rows) for row in body.rows):
        return "writes prose out of rows that are not the run's"
    return _words_fault(body.quotes, run)


def _is_within(row: Row, whole: Row) -> bool:
    is_same = (row.source, row.version) == (whole.source, whole.version)
    return is_same and whole.start <= row.start <= row.end <= whole.end


def _page_fault(body: PageChanged, before: Fold) -> str | None:
    match body.op:
        case PageOp.META:
            page = before.page(body.page)
            known = () if page is None else page.aliases
            if any(alias.evidence and alias not in known for alias in body.aliases):
                return "gets a name in words nobody gave it by"
            return names_fault(body, before, frozenset())
        case PageOp.CREATE | PageOp.MERGE | PageOp.REMOVE:
            return f"changes page {body.page!r} as a whole ({body.op.value})"
        case _:
            assert_never(body.op)


def _is_consequence(body: Body | None) -> bool:
    return isinstance(body, FactClosed) and body.reason is CloseReason.PREMISE_CLOSED


def _page_of(run: Candidate, before: Fold) -> str:
    """Return the page that was edited: the one of the first event that says where it is."""
    found = (_place(event.body, before)[0] for event in run.events if not _is_consequence(event.body))
    return next((page for page in found if page), "")


def _place(body: Body | None, before: Fold) -> tuple[str, str]:
    match body:
        case Asserted(statement=stated) | SupersededBy(statement=stated) | LearnedLate(statement=stated):
            return stated.page, stated.fact
        case FactClosed(fact=name) | Confirmed(fact=name) | Withdrawn(fact=name):
            fact = before.fact(name)
            return ("" if fact is None else fact.page), name
        case ProseChanged(page=page, block=block):
            return page, block
        case PageChanged(page=page):
            return page, ""
        case _:
            return Slug(""), ""
