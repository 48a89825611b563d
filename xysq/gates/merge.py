"""Merge: what a run about pages may do, whoever wrote it down: give names, and merge one page into another.

A merge states on the page that stays what was open on the page that goes, in its words and on its evidence, and closes
it there; the fact that carries it is named as the cause. Prose moves. It says nothing that no page said.
"""

from collections.abc import Iterator
from typing import assert_never

from xysq.gates.remit import Beyond, beyond_by
from xysq.ledger.fold import Fold
from xysq.model.event import (
    Asserted,
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
    Statement,
    SupersededBy,
    Withdrawn,
)
from xysq.model.fact import Closed, CloseReason, Fact, FactId, Slug
from xysq.model.page import Origin, ProseBlock
from xysq.model.run import Candidate
from xysq.model.state import LedgerState, State
from xysq.pages.escape import plain
from xysq.planner.deed import USER
from xysq.planner.lineage import ENGINE
from xysq.planner.naming import merged_slugs, taken
from xysq.text import fold


def beyond_merge(event: Event, before: Fold, run: Candidate, state: State) -> Beyond | None:
    """Say what an event does that no run about pages may do; None where it may. `before` is the state before it."""
    body, judge = event.body, _Judge(before, run, state)
    match body:
        case PageChanged(page=page):
            return beyond_by(page, "", judge.of_page(body))
        case Asserted(statement=stated) | SupersededBy(statement=stated) | LearnedLate(statement=stated):
            return beyond_by(stated.page, stated.fact, judge.of_statement(stated))
        case FactClosed(fact=name):
            fact = before.fact(name)
            return None if fact is None else beyond_by(fact.page, name, judge.of_closing(body, fact))
        case Confirmed(fact=name):
            return beyond_by("", name, judge.of_confirmation(body))
        case ProseChanged(page=page, block=block):
            return beyond_by(page, block, judge.of_prose(body))
        case Withdrawn(fact=name):
            return beyond_by("", name, "takes evidence back")
        case Forgotten():
            return beyond_by("", "", "forgets events")
        case RunBegun() | None:
            return None
        case _:
            assert_never(body)


def names_fault(body: PageChanged, before: Fold, leaving: frozenset[Slug]) -> str | None:
    """Say which name a page is given that another page goes by, or which old title it loses; `leaving` pages may."""
    known = before.page(body.page)
    old = set() if known is None else set(map(fold, known.names))
    names = (body.title, *(alias.name for alias in body.aliases))
    for name in names:
        others = () if fold(name) in old else taken(name, body.page, before)
        if not leaving.issuperset(others):
            return f"goes by {name!r}, as page {others[0]!r} does"
    lost = () if known is None else set(merged_slugs(known, before)).difference(names)
    if lost:
        return f"no longer goes by {min(lost)!r}, which was merged into it"
    if known is not None and fold(known.title) not in map(fold, (body.page, *names)):
        return f"is renamed, and loses its old title {known.title!r}"
    return None


class _Judge:
    """Asks about single events of one run."""

    def __init__(self, before: Fold, run: Candidate, state: State) -> None:
        self._before, self._ledger, self._run = before, state.ledger, run
        self._named = next((slug for slug in map(_meta_of, run.events) if slug is not None), None)
        self._merges = {
            event.body.page: event.body.into
            for event in run.events
            if isinstance(event.body, PageChanged) and event.body.into is not None
        }

    def of_page(self, body: PageChanged) -> str | None:
        match body.op:
            case PageOp.META:
                if body.page != self._named:
                    return f"is named beside page {self._named!r}, and a run names one"
                known = {piece for slug in (body.page, *self._going(body.page)) for piece in _named(slug, self._before)}
                if not known.issuperset(piece for alias in body.aliases for piece in alias.evidence):
                    return "gets a name in words nobody gave it by"
                return names_fault(body, self._before, frozenset(self._going(body.page)))
            case PageOp.MERGE:
                target = self._before.page(body.into or Slug(""))
                names = () if target is None else (alias.name for alias in target.aliases)
                return None if body.page in names else "is merged into a page that does not go by its slug"
            case PageOp.CREATE | PageOp.REMOVE:
                return f"changes page {body.page!r} as a whole ({body.op.value})"
            case _:
                assert_never(body.op)

    def of_statement(self, stated: Statement) -> str | None:
        if not any(self._is_carried(stated, fact) for fact in self._moving(stated.page)):
            return "states what no page that is merged here says"
        return None

    def of_closing(self, body: FactClosed, fact: Fact) -> str | None:
        if body.reason is not CloseReason.MERGED:
            is_engines = body.by == ENGINE and body.cause in fact.derived_from and not body.evidence
            return None if is_engines else f"is closed in the name of {body.by!r}"
        carrier = self._before.fact(FactId(body.cause))
        if body.by != USER or body.evidence or carrier is None or carrier.page != self._merges.get(fact.page):
            return "is closed as merged, and its page is not merged into that of its cause"
        is_same = (carrier.attribute, fold(carrier.value)) == (fact.attribute, fold(fact.value))
        if not is_same and carrier.is_open:
            return f"is closed as merged, and {carrier.id} says something else"
        return None

    def of_confirmation(self, body: Confirmed) -> str | None:
        fact = self._before.fact(body.fact)
        moving = () if fact is None else self._moving(fact.page)
        quotes = {
            piece
            for other in moving
            if fact is not None and (other.attribute, fold(other.value)) == (fact.attribute, fold(fact.value))
            for piece in other.evidence
        }
        return None if quotes.issuperset(body.evidence) else "is confirmed by words of no fact that is merged into it"

    def of_prose(self, body: ProseChanged) -> str | None:
        if body.op is ProseOp.REMOVE and body.page in self._merges:
            return None if self._is_said_there(body) else "takes out prose that the other page does not get"
        moving = (block for slug in self._going(body.page) for block in _prose_of(slug, self._ledger))
        if body.op is ProseOp.INSERT and (body.text, body.origin, body.code) in (
            (block.text, block.origin, block.code) for block in moving
        ):
            return None
        return "changes prose that no merge moves"

    def _is_said_there(self, body: ProseChanged) -> bool:
        """Tell whether the words of prose that goes stand on the page it is merged into, before or by this run.

        A drafter's words may also go where they were ended there; a person's may not.
        """
        into = self._merges[body.page]
        page = self._before.page(into)
        gone = next((block for block in _prose_of(body.page, self._before) if block.block == body.block), None)
        texts = [] if page is None else [block.text for block in page.blocks]
        written = (event.body for event in self._run.events if isinstance(event.body, ProseChanged))
        texts += (one.text for one in written if (one.page, one.op) == (into, ProseOp.INSERT))
        if gone is not None and gone.origin is not Origin.YOURS:
            texts += (fact.text for fact in self._before.facts_of(into))
        return gone is not None and fold(plain(gone.text)) in (fold(plain(text)) for text in texts)

    def _going(self, page: Slug) -> tuple[Slug, ...]:
        """Return the pages that the run merges into a page."""
        return tuple(gone for gone, into in self._merges.items() if into == page)

    def _moving(self, page: Slug) -> Iterator[Fact]:
        """Yield the facts that were open on the pages that the run merges into a page."""
        return (fact for gone in self._going(page) for fact in self._ledger.facts_of(gone) if fact.is_open)

    def _is_carried(self, stated: Statement, fact: Fact) -> bool:
        """Tell whether a statement is a fact of a page that goes, and rests on no more than that does."""
        wording = (stated.attribute, stated.single, stated.section, stated.value, stated.text, stated.label)
        if wording != (fact.attribute, fact.single, fact.section, fact.value, fact.text, fact.label):
            return False
        rests = {*fact.derived_from, *(self._carrier_of(name) for name in fact.derived_from)}
        return stated.revives is None and set(fact.evidence) >= set(stated.evidence) and rests >= {*stated.derived_from}

    def _carrier_of(self, name: FactId) -> str:
        fact = self._before.fact(name)
        match None if fact is None else fact.life:
            case Closed(reason=CloseReason.MERGED, cause=carrier):
                return carrier
        return ""


def _meta_of(event: Event) -> Slug | None:
    body = event.body
    return body.page if isinstance(body, PageChanged) and body.op is PageOp.META else None


def _named(slug: Slug, ledger: LedgerState) -> Iterator[object]:
    page = ledger.page(slug)
    return (piece for alias in (() if page is None else page.aliases) for piece in alias.evidence)


def _prose_of(slug: Slug, ledger: LedgerState) -> Iterator[ProseBlock]:
    page = ledger.page(slug)
    return (block for block in (() if page is None else page.blocks) if isinstance(block, ProseBlock))
