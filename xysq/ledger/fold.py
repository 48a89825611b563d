"""Fold: the state of the memory, computed from its events.

`Fold` takes events one by one and answers as a `LedgerState`. With a base it keeps only what the events change
and asks the base for the rest, so judging a run costs what the run touches. Unlawful events (a close of a closed
fact, a second page under one slug) raise `Unlawful`: the ledger is not believed past them.

Where a body was emptied by `forget`, what it brought never was: behind it an event may name a fact or block that
nobody knows. What such an event would change is gone, so it changes nothing; what it brings itself is kept.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace
from typing import assert_never

from xysq.ledger.board import END, Board
from xysq.ledger.line import GENESIS
from xysq.ledger.order import Order, Unlawful
from xysq.model.event import (
    Asserted,
    Confirmed,
    Event,
    FactClosed,
    Forgotten,
    Head,
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
from xysq.model.fact import Closed, Evidence, Fact, FactId, Life, Open, Proof, RunId, Slug, Superseded
from xysq.model.page import CHANGELOG_LINES, ChangelogEntry, FactBlock, PageState, ProseBlock
from xysq.model.source import Version
from xysq.model.state import LedgerState, RunMark
from xysq.text import fold as fold_text

__all__ = ["Fold", "Unlawful"]


class Fold:
    """The state behind a number of events, on top of a base state or of nothing."""

    def __init__(self, base: LedgerState | None = None) -> None:
        """Begin where `base` ends."""
        self._base = base
        self._order = Order(GENESIS if base is None else base.head())
        self._pages: dict[Slug, Board] = {}
        self._facts: dict[FactId, Fact] = {}
        self._facts_of: dict[Slug, list[FactId]] = defaultdict(list)
        self._names: dict[str, set[Slug]] = {}
        self._resting: dict[FactId, list[FactId]] = defaultdict(list)
        self._block_pages: dict[str, Slug] = {}
        self._touched: dict[Slug, None] = {}
        self._emptied: set[int] = set()
        self._has_gaps = False
        self._runs: list[RunMark] = []

    # What was touched, for whoever stores the result.

    @property
    def pages_touched(self) -> tuple[Slug, ...]:
        """Pages whose file changed, in the order of their first change."""
        return tuple(self._touched)

    @property
    def facts_touched(self) -> tuple[FactId, ...]:
        """Facts that are new or whose life or evidence changed."""
        return tuple(self._facts)

    # LedgerState

    def head(self) -> Head:
        """Return the end of the ledger this state is of."""
        return self._order.head

    def page(self, slug: Slug) -> PageState | None:
        """Return a page, also a merged or removed one."""
        if slug in self._pages:
            return self._pages[slug].freeze()
        return None if self._base is None else self._base.page(slug)

    def fact(self, fact: FactId) -> Fact | None:
        """Return a fact, open or not."""
        if fact in self._facts:
            return self._facts[fact]
        return None if self._base is None else self._base.fact(fact)

    def facts_of(self, slug: Slug) -> tuple[Fact, ...]:
        """Return every fact ever committed on a page, by event."""
        older = () if self._base is None else self._base.facts_of(slug)
        newer = (self._facts[name] for name in self._facts_of.get(slug, ()))
        return (*(self._facts.get(fact.id, fact) for fact in older), *newer)

    def named(self, folded: str) -> tuple[Slug, ...]:
        """Return the living pages that go by a folded name."""
        if folded in self._names:
            slugs = self._names[folded]
        else:
            slugs = set() if self._base is None else set(self._base.named(folded))
        return tuple(sorted(slugs))

    def resting_on(self, fact: FactId) -> tuple[FactId, ...]:
        """Return the facts whose `derived_from` names this one."""
        older = () if self._base is None else self._base.resting_on(fact)
        return (*older, *self._resting.get(fact, ()))

    def block_page(self, block: str) -> Slug | None:
        """Return the page a prose block was ever put on."""
        if block in self._block_pages:
            return self._block_pages[block]
        return None if self._base is None else self._base.block_page(block)

    def run_of(self, n: int) -> RunMark | None:
        """Return the run that an event belongs to; None before the first."""
        for mark in reversed(self._runs):
            if mark.n <= n:
                return mark if n <= self._order.head.n else None
        return None if self._base is None else self._base.run_of(n)

    def run_named(self, run: RunId) -> RunMark | None:
        """Return a run by its id; None where there is none."""
        found = next((mark for mark in self._runs if mark.run == run), None)
        return self._base.run_named(run) if found is None and self._base is not None else found

    def every_page(self) -> tuple[PageState, ...]:
        """Return all pages folded here (of a fold without a base: all there are)."""
        return tuple(page.freeze() for page in self._pages.values())

    def every_fact(self) -> tuple[Fact, ...]:
        """Return all facts folded here."""
        return tuple(self._facts.values())

    # Events

    def extend(self, events: Iterable[Event]) -> "Fold":
        """Take events in order."""
        for event in events:
            self.apply(event)
        return self

    def finish(self) -> None:
        """Refuse a ledger that ends inside a run, or has empty lines that no `forget` names."""
        self._order.finish()
        if self._emptied:
            raise Unlawful(min(self._emptied), "has no body, and no forget event names it")

    def apply(self, event: Event) -> None:
        """Take one event, which must continue this state lawfully."""
        self._order.expect(event)
        body = event.body
        match body:
            case None:
                self._emptied.add(event.n)
                self._has_gaps = True
            case RunBegun():
                self._runs.append(RunMark(run=body.run, n=event.n, kind=body.kind, rows=body.rows))
            case PageChanged():
                self._change_page(event, body)
            case Asserted():
                self._assert(event, body.statement)
            case SupersededBy():
                self._supersede(event, body)
            case LearnedLate():
                self._learn_late(event, body)
            case FactClosed():
                self._close(event, body)
            case Confirmed():
                self._confirm(event, body)
            case Withdrawn():
                self._withdraw(event, body)
            case Forgotten():
                self._emptied.difference_update(body.events)
            case ProseChanged():
                self._change_prose(event, body)
            case _:
                assert_never(body)
        self._order.passed(event)

    # Pages

    def _thawed(self, event: Event, slug: Slug) -> Board:
        """Return a living page for change."""
        page = self._pages.get(slug)
        if page is None:
            stored = None if self._base is None else self._base.page(slug)
            if stored is None:
                raise Unlawful(event.n, f"is about page {slug!r}, which does not exist")
            page = self._pages[slug] = Board.thaw(stored)
        if not page.is_living:
            raise Unlawful(event.n, f"is about page {slug!r}, which was removed or merged")
        return page

    def _change_page(self, event: Event, body: PageChanged) -> None:
        if body.op is PageOp.CREATE:
            known = self.page(body.page)
            if known is not None and not known.removed:
                raise Unlawful(event.n, f"creates page {body.page!r} a second time")
            page = Board(slug=body.page, title=body.title, kind=body.kind, aliases=body.aliases)
            page.changelog = [] if known is None else list(known.changelog)
            self._pages[body.page] = page
            self._name(page, ())
        else:
            page = self._thawed(event, body.page)
            old = page.freeze().names
            if body.op is PageOp.META:
                page.title, page.kind, page.aliases = body.title, body.kind, body.aliases
                self._name(page, old)
            else:
                if any(isinstance(block, FactBlock) for blocks in page.lists() for block in blocks):
                    raise Unlawful(event.n, f"ends page {body.page!r}, which still shows facts")
                page.removed = body.op is PageOp.REMOVE
                if body.op is PageOp.MERGE:
                    target = None if body.into in (None, body.page) else self.page(Slug(body.into or ""))
                    if target is None or not target.is_living or target.title != body.title:
                        raise Unlawful(event.n, f"merges page {body.page!r} into no other page of that title")
                    page.title, page.merged_into = target.title, target.slug
                self._unname(page, old)
        self._log(event, page, named=True)

    def _name(self, page: Board, old: tuple[str, ...]) -> None:
        self._unname(page, old)
        for name in page.freeze().names:
            folded = fold_text(name)
            self._names[folded] = {*self.named(folded), page.slug}

    def _unname(self, page: Board, old: tuple[str, ...]) -> None:
        for name in old:
            folded = fold_text(name)
            self._names[folded] = set(self.named(folded)) - {page.slug}

    def _log(  # noqa: PLR0913 - one keyword a count of the line
        self,
        event: Event,
        page: Board,
        *,
        asserted: int = 0,
        superseded: int = 0,
        closed: int = 0,
        prose: int = 0,
        named: bool = False,
        evidence: tuple[Evidence, ...] = (),
        rows: tuple[Version, ...] = (),
    ) -> None:
        """Count an event in the page's newest changelog entry, which is this run's."""
        self._touched[page.slug] = None
        if not page.changelog or page.changelog[0].run != event.run:
            kind = "" if self._order.run is None else self._order.run.kind.value
            page.changelog.insert(0, ChangelogEntry(at=event.at, run=event.run, kind=kind))
            del page.changelog[CHANGELOG_LINES:]
        entry = page.changelog[0]
        cited = {*rows, *(piece.cited for piece in evidence)}
        page.changelog[0] = ChangelogEntry(
            at=entry.at,
            run=entry.run,
            kind=entry.kind,
            asserted=entry.asserted + asserted,
            superseded=entry.superseded + superseded,
            closed=entry.closed + closed,
            prose=entry.prose + prose,
            named=entry.named or named,
            sources=entry.sources if cited <= set(entry.sources) else tuple(sorted(cited | set(entry.sources))),
        )

    # Facts

    def _known(self, event: Event, fact: FactId) -> Fact | None:
        """Return a fact; None where its event was emptied."""
        known = self.fact(fact)
        if known is None and not self._has_gaps:
            raise Unlawful(event.n, f"is about fact {fact}, which does not exist")
        return known

    def _opened(self, event: Event, fact: FactId) -> Fact | None:
        """Return an open fact; None where its event was emptied."""
        known = self._known(event, fact)
        if known is not None and not known.is_open:
            raise Unlawful(event.n, f"ends or confirms fact {fact}, which is not open")
        return known

    def _new_fact(self, event: Event, statement: Statement, life: Life, supersedes: FactId | None) -> Board:
        """Keep a new fact and return its page; what it names must exist."""
        if self.fact(statement.fact) is not None:
            raise Unlawful(event.n, f"states fact {statement.fact} a second time")
        page = self._thawed(event, statement.page)
        for premise in statement.derived_from:
            self._known(event, premise)
            self._resting[premise].append(statement.fact)
        if statement.revives is not None:
            self._known(event, statement.revives)
        self._facts[statement.fact] = Fact(
            id=statement.fact,
            page=statement.page,
            attribute=statement.attribute,
            single=statement.single,
            section=statement.section,
            value=statement.value,
            text=statement.text,
            label=statement.label,
            proofs=tuple(Proof(n=event.n, evidence=piece) for piece in statement.evidence),
            derived_from=statement.derived_from,
            supersedes=supersedes,
            revives=statement.revives,
            at=event.at,
            run=event.run,
            n=event.n,
            life=life,
        )
        self._facts_of[statement.page].append(statement.fact)
        return page

    def _assert(self, event: Event, statement: Statement) -> None:
        page = self._new_fact(event, statement, Open(), supersedes=None)
        block, other = FactBlock(fact=statement.fact, text=statement.text), statement.before
        if other is None or not page.insert_before(statement.section, block, other):
            if other is not None and not self._has_gaps:
                raise Unlawful(event.n, f"stands before fact {other}, which the page does not show there")
            page.insert_fact(statement.section, block)
        self._log(event, page, asserted=1, evidence=statement.evidence)

    def _supersede(self, event: Event, body: SupersededBy) -> None:
        old, statement = self._opened(event, body.supersedes), body.statement
        if old is not None and old.page != statement.page:
            raise Unlawful(event.n, f"supersedes fact {old.id} of another page")
        page = self._new_fact(event, statement, Open(), supersedes=body.supersedes)
        block = FactBlock(fact=statement.fact, text=statement.text)
        if old is None:
            page.insert_fact(statement.section, block)
        elif page.exchange_fact(old.id, block):
            life = Superseded(by=statement.fact, at=event.at, run=event.run, n=event.n, late=False)
            self._facts[old.id] = replace(old, life=life)
        else:
            raise Unlawful(event.n, f"supersedes fact {old.id}, which the page does not show")
        self._log(event, page, superseded=1, evidence=statement.evidence)

    def _learn_late(self, event: Event, body: LearnedLate) -> None:
        successor = self._known(event, body.superseded_by)
        if successor is not None and successor.page != body.statement.page:
            raise Unlawful(event.n, f"is late behind fact {successor.id} of another page")
        if successor is not None and not successor.is_open and successor.run != event.run:
            raise Unlawful(event.n, f"is late behind fact {successor.id}, which is not open")
        life = Superseded(by=body.superseded_by, at=event.at, run=event.run, n=event.n, late=True)
        self._new_fact(event, body.statement, life, supersedes=None)

    def _close(self, event: Event, body: FactClosed) -> None:
        old = self._opened(event, body.fact)
        if old is None:
            return
        page = self._thawed(event, old.page)
        if not page.exchange_fact(old.id, None):
            raise Unlawful(event.n, f"closes fact {old.id}, which the page does not show")
        life = Closed(
            reason=body.reason,
            cause=body.cause,
            by=body.by,
            evidence=body.evidence,
            at=event.at,
            run=event.run,
            n=event.n,
        )
        self._facts[old.id] = replace(old, life=life)
        self._log(event, page, closed=1, evidence=body.evidence)

    def _confirm(self, event: Event, body: Confirmed) -> None:
        old = self._opened(event, body.fact)
        if old is not None:
            more = tuple(Proof(n=event.n, evidence=piece) for piece in body.evidence)
            self._facts[old.id] = replace(old, proofs=(*old.proofs, *more))

    def _withdraw(self, event: Event, body: Withdrawn) -> None:
        old = self._known(event, body.fact)
        if old is None:
            return
        left = tuple(proof for proof in old.proofs if proof.n != body.brought_by)
        if len(left) == len(old.proofs) and not self._has_gaps:
            raise Unlawful(event.n, f"withdraws evidence that event {body.brought_by} did not give {old.id}")
        self._facts[old.id] = replace(old, proofs=left)

    # Prose

    def _change_prose(self, event: Event, body: ProseChanged) -> None:
        page = self._thawed(event, body.page)
        block = ProseBlock(block=body.block, text=body.text, origin=body.origin, code=body.code)
        if body.op is ProseOp.INSERT:
            if self.block_page(body.block) is not None:
                raise Unlawful(event.n, f"inserts block {body.block} a second time")
            self._block_pages[body.block] = body.page
            done = page.insert_prose(body.after, block) or (self._has_gaps and page.insert_prose(END, block))
        else:
            done = page.exchange_prose(body.block, block if body.op is ProseOp.REPLACE else None) or self._has_gaps
        if not done:
            raise Unlawful(event.n, f"needs a block on page {body.page!r} that is not there")
        cited = tuple(Version(row.source, row.version) for row in body.rows)
        self._log(event, page, prose=1, evidence=body.quotes, rows=cited)
