"""Undo: the events that take back what a run or a source brought, as if it never had been. Pure; nothing is erased.

Its open facts are closed, its quotes withdrawn, its prose removed. Every seat that this leaves, or that it had taken,
is claimed anew (`xysq.planner.restate`); who takes it is stated again, on what is left of it, where it stood before.
Conclusions fall with their premises, and are stated again where the premises are. Last come the names: pages on which
nothing stands but what went are removed, and names that it gave go.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace

from xysq.frozen import frozen
from xysq.model.event import (
    Asserted,
    Body,
    Confirmed,
    FactClosed,
    PageChanged,
    PageOp,
    Statement,
    SupersededBy,
    Withdrawn,
)
from xysq.model.fact import CloseReason, Evidence, Fact, FactId, Label, Open, Proof, Slug, Superseded
from xysq.planner.authority import folded_names
from xysq.planner.deed import USER
from xysq.planner.lineage import holder_of, premise_closings
from xysq.planner.place import before_which, came, first_section
from xysq.planner.restate import Ended, Heard, Seat, Sitting, says_the_same, seat_of, seated
from xysq.planner.returned import united
from xysq.planner.sheet import Sheet, Undoing
from xysq.planner.target import is_reverted
from xysq.planner.undo_page import reopen_pages, undo_pages
from xysq.planner.witness import is_standing
from xysq.text import fold


@frozen(kw_only=False)
class Wording:
    """How others said what a fact says: the Markdown of its block, and the value that stands in it."""

    text: str
    value: str


Reword = Callable[[Fact, tuple[Proof, ...]], Wording]
Rename = Callable[[Slug, Proof], tuple[str, str] | None]


def undo(order: Undoing, reword: Reword, rename: Rename) -> tuple[Body, ...]:
    """Return the events that take the target back; none where nothing of it is left.

    `reword` says how other quotes of a fact were put into words when they were distilled; `rename` which title and
    kind a page would have had from the run that gave the first quote of it which stays.
    """
    sheet = Sheet(order)
    _close(sheet)
    _withdraw(sheet)
    _give_back(sheet)
    reopen_pages(sheet)
    _fall(sheet)
    _Seats(sheet, reword).settle()
    _fall(sheet)
    undo_pages(sheet, rename)
    return tuple(sheet.events)


def _close(sheet: Sheet) -> None:
    order, ledger = sheet.order, sheet.order.state.ledger
    for fact in _known(order.facts, sheet):
        if fact.is_open and order.target.stated(fact, ledger):
            closing = FactClosed(fact=fact.id, reason=CloseReason.REVERTED, cause=order.target.name, by=USER)
            sheet.put(closing)


def _withdraw(sheet: Sheet) -> None:
    """Take back the quotes that the target gave to facts of others; what came with them stays."""
    order, ledger = sheet.order, sheet.order.state.ledger
    for fact in _known(order.facts, sheet):
        if order.target.stated(fact, ledger):
            continue
        for n in sorted({proof.n for proof in fact.proofs if order.target.gave(proof, ledger)}):
            came_along = [proof for proof in fact.proofs if proof.n == n]
            rest = tuple(proof.evidence for proof in came_along if not order.target.gave(proof, ledger))
            if fact.is_open or not rest:
                sheet.put(Withdrawn(fact=fact.id, brought_by=n, cause=order.target.name))
            if fact.is_open and rest:
                sheet.put(Confirmed(fact=fact.id, evidence=rest))


def _give_back(sheet: Sheet) -> None:
    """Give facts the quotes that the target had withdrawn, where they still stand."""
    for name, evidence in sheet.order.withdrawn:
        fact = sheet.ledger.fact(name)
        if fact is not None and fact.is_open:
            archive = sheet.order.state.archive
            lost = tuple(one for one in evidence if one not in fact.evidence and is_standing(one, archive))
            if lost:
                sheet.put(Confirmed(fact=name, evidence=lost))


def _fall(sheet: Sheet) -> None:
    """Close what was concluded from what these events ended."""
    for closing in premise_closings(sheet.ended(), sheet.ledger, sheet.order.state.archive):
        sheet.put(closing)


def _known(names: Iterable[FactId], sheet: Sheet) -> Iterator[Fact]:
    """Yield the facts of these names as they were before, in the order in which they came."""
    found = {fact.id: fact for fact in map(sheet.order.state.ledger.fact, names) if fact is not None}
    yield from sorted(found.values(), key=lambda fact: fact.n)


class _Seats:
    """The seats whose history changes, and what becomes of them."""

    def __init__(self, sheet: Sheet, reword: Reword) -> None:
        self._sheet = sheet
        self._reword = reword
        self._target = sheet.order.target
        self._base = sheet.order.state.ledger
        self._heirs: dict[FactId, FactId] = {}
        self._freed = self._find_freed()

    def settle(self) -> None:
        """Seat whoever the seats go to; conclusions when their premises have been."""
        waiting = list(dict.fromkeys(self._seat(fact) for fact in _known(self._freed, self._sheet)))
        while waiting:
            ready = [seat for seat in waiting if all(map(self._is_tenable, self._of(seat)))] or waiting[:1]
            for seat in ready:
                self._settle(seat)
            waiting = [seat for seat in waiting if seat not in ready]

    def _settle(self, seat: Seat) -> None:
        """Go through the history of a seat that is left, and state anew who sits there then."""
        names = folded_names(self._sheet.ledger.page(seat.page))
        best = seated(self._history(seat), names, self._sheet.order.state.archive)
        here = next((fact for fact in self._sheet.ledger.facts_of(seat.page) if self._sits(fact, seat)), None)
        if best is not None and best.fact.id in self._freed and (here is None or not _is_one(best.fact, here)):
            self._restate(seat, best, here)
        for fact in self._sheet.ledger.facts_of(seat.page):
            if self._sits(fact, seat):
                same = (one.id for one in self._of(seat) if fold(one.value) == fold(fact.value))
                self._heirs |= dict.fromkeys(same, fact.id)

    def _seat(self, fact: Fact) -> Seat:
        return seat_of(fact, self._sheet.living(fact.page))

    def _sits(self, fact: Fact, seat: Seat) -> bool:
        return fact.is_open and seat_of(fact, seat.page) == seat

    def _of(self, seat: Seat) -> list[Fact]:
        """Return every fact that ever sat in a seat, or might have."""
        slugs = dict.fromkeys((seat.page, *united(seat.page, self._base)))
        facts = (fact for slug in slugs for fact in self._base.facts_of(slug))
        return [fact for fact in facts if seat_of(fact, seat.page) == seat]

    # History

    def _history(self, seat: Seat) -> Iterator[Heard | Ended]:
        """Yield what is left of a seat's history: quotes of others that stand, and endings by others.

        What was reverted before is no part of it; where others had proven that too, it was stated anew then.
        """
        facts = [fact for fact in self._of(seat) if fact.id in self._freed or not is_reverted(fact)]
        later = {fact.revives: fact for fact in facts if fact.revives is not None}
        for fact in facts:
            left: dict[int, list[Evidence]] = {}
            for proof in self._left(fact):
                left.setdefault(proof.n, []).append(proof.evidence)
            is_own = self._target.stated(fact, self._base)
            if not left and not is_own and fact.label is Label.INFERRED and self._is_tenable(fact):
                left[fact.n] = []
            for n, evidence in left.items():
                yield Heard(run=self._run(n), n=n, fact=_last_of(fact, later), evidence=tuple(evidence))
            is_by_rank = isinstance(fact.life, Superseded) and fact.single
            if fact.id not in self._freed and not is_by_rank and not isinstance(fact.life, Open):
                yield Ended(run=self._run(fact.life.n), n=fact.life.n, value=fact.value)

    def _run(self, n: int) -> int:
        """Return the first event of the run that an event belongs to."""
        mark = self._base.run_of(n)
        return n if mark is None else mark.n

    def _left(self, fact: Fact) -> tuple[Proof, ...]:
        """Return the proofs of a fact that the target did not give, and that stand."""
        archive = self._sheet.order.state.archive
        return tuple(
            proof
            for proof in fact.proofs
            if not self._target.gave(proof, self._base) and is_standing(proof.evidence, archive)
        )

    def _find_freed(self) -> dict[FactId, None]:
        """Return the facts that ended by the target's doing, or end now, and of which something may be left."""
        order, base = self._sheet.order, self._base
        found = dict.fromkeys(
            name
            for name in (*self._sheet.ended(), *self._candidates())
            if (fact := base.fact(name)) is not None and (fact.is_open or self._target.ended(fact, base))
        )
        todo = [*found, *(name for name in order.facts if name not in found)]
        for name in todo:
            for other in base.resting_on(name):
                fact = base.fact(other)
                if fact is not None and other not in found and not fact.is_open and self._target.ended(fact, base):
                    found[other] = None
                    todo.append(other)
        return found

    def _candidates(self) -> Iterator[FactId]:
        """Yield the facts that the target may have ended."""
        order, base = self._sheet.order, self._base
        yield from order.closed
        for fact in _known(order.facts, self._sheet):
            if not fact.is_open:
                yield fact.id
            lives = ((other.id, other.life) for other in base.facts_of(fact.page))
            yield from (name for name, life in lives if isinstance(life, Superseded) and life.by == fact.id)

    def _is_tenable(self, fact: Fact) -> bool:
        """Tell whether quotes are left of a fact, or premises that hold by now; a stated one waits for nothing."""
        if fact.label is Label.STATED or self._left(fact):
            return True
        return bool(fact.derived_from) and len(self._heirs_of(fact.derived_from)) == len(fact.derived_from)

    def _heirs_of(self, premises: tuple[FactId, ...]) -> tuple[FactId, ...]:
        """Return what premises are by now: those that hold, and who took the place of others."""
        found = (self._heirs.get(name) or holder_of(name, self._sheet.ledger.fact) for name in premises)
        return tuple(dict.fromkeys(name for name in found if name is not None))

    # Stating anew

    def _restate(self, seat: Seat, best: Sitting, here: Fact | None) -> None:
        sheet, fact = self._sheet, best.fact
        self._open(seat.page)
        is_own = self._target.stated(fact, self._base)
        proofs = tuple(proof for proof in self._left(fact) if proof.n >= best.since)
        wording = self._reword(fact, proofs) if is_own and proofs else Wording(fact.text, fact.value)
        section = first_section(fact, self._base)
        statement = Statement(
            fact=sheet.new_fact(),
            page=seat.page,
            attribute=fact.attribute,
            single=fact.single,
            section=section,
            value=wording.value,
            text=wording.text,
            label=fact.label,
            evidence=best.evidence[: sheet.order.state.limits.quotes],
            derived_from=self._heirs_of(fact.derived_from),
            revives=fact.id,
        )
        if here is not None:
            sheet.put(SupersededBy(statement=statement, supersedes=here.id))
        else:
            before = before_which(seat.page, section, best.since if is_own else came(fact, self._base), sheet.ledger)
            sheet.put(Asserted(statement=replace(statement, before=before)))

    def _open(self, slug: Slug) -> None:
        """Make a page again that was removed."""
        page = self._sheet.ledger.page(slug)
        if page is not None and page.removed:
            self._sheet.put(
                PageChanged(page=slug, op=PageOp.CREATE, title=page.title, kind=page.kind, aliases=page.aliases)
            )


def _is_one(fact: Fact, here: Fact) -> bool:
    """Tell whether a fact need not be stated anew, for the one that is there says it already."""
    return fold(fact.value) == fold(here.value) and says_the_same(fact, here)


def _last_of(fact: Fact, later: Mapping[FactId, Fact]) -> Fact:
    """Return the fact that a fact lives on in, through all that were revived."""
    seen: set[FactId] = set()
    while fact.id in later and fact.id not in seen:
        seen.add(fact.id)
        fact = later[fact.id]
    return fact
