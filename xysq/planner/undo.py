"""Undo: the events that take back what a run or a source brought, as if it never had been. Pure; nothing is erased.

Its open facts are closed, its quotes withdrawn, its prose removed. Every seat that this leaves, or that it had taken,
is claimed anew (`xysq.planner.restate`); who takes it is stated again, on what is left of it, where it stood before.
Conclusions fall with their premises, and are stated again where the premises are. Last come the names: pages on which
nothing stands but what went are removed, and names that it gave go.
"""

from collections.abc import Callable, Iterable, Iterator
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
from xysq.model.fact import CloseReason, Fact, FactId, Label, Proof, Slug, Superseded
from xysq.planner.authority import folded_names
from xysq.planner.deed import USER
from xysq.planner.lineage import holder_of, premise_closings
from xysq.planner.place import before_which, came, first_section
from xysq.planner.restate import Claim, Seat, Seating, seat_of, seated
from xysq.planner.sheet import Sheet, Undoing
from xysq.planner.undo_page import undo_pages
from xysq.planner.witness import is_standing
from xysq.text import fold


@frozen(kw_only=False)
class Wording:
    """How others said what a fact says: the Markdown of its block, and the value that stands in it."""

    text: str
    value: str


Reword = Callable[[Fact, tuple[Proof, ...]], Wording]
Rename = Callable[[Slug, Fact], tuple[str, str] | None]


def undo(order: Undoing, reword: Reword, rename: Rename) -> tuple[Body, ...]:
    """Return the events that take the target back; none where nothing of it is left.

    `reword` says how other quotes of a fact were put into words when they were distilled; `rename` which title and
    kind a page would have had from its first fact that stays.
    """
    sheet = Sheet(order)
    _close(sheet)
    _withdraw(sheet)
    _give_back(sheet)
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
    """The seats that are claimed, and what becomes of them."""

    def __init__(self, sheet: Sheet, reword: Reword) -> None:
        self._sheet = sheet
        self._reword = reword
        self._target = sheet.order.target
        self._base = sheet.order.state.ledger
        self._heirs: dict[FactId, FactId] = {}

    def settle(self) -> None:
        """Seat whoever the seats go to; conclusions when their premises have been."""
        seats: dict[Seat, list[Claim]] = {}
        for claim in self._claims():
            seats.setdefault(seat_of(claim.fact, self._sheet.living(claim.fact.page)), []).append(claim)
        waiting = sorted(seats.items(), key=lambda item: min(claim.since for claim in item[1]))
        while waiting:
            ready = [item for item in waiting if all(map(self._is_tenable, item[1]))] or [
                item for item in waiting if any(map(self._is_tenable, item[1]))
            ][:1]
            for seat, claims in ready:
                self._settle(seat, [claim for claim in claims if self._is_tenable(claim)])
            if not ready:
                return
            waiting = [item for item in waiting if item not in ready]

    def _settle(self, seat: Seat, claims: list[Claim]) -> None:
        """Seat one of these, or leave whoever sits there; all of that value live on in it."""
        archive = self._sheet.order.state.archive
        held = [self._claim_of(fact, is_sitting=True) for fact in self._sitting(seat)]
        seating = seated([*claims, *held], folded_names(self._sheet.ledger.page(seat.page)), archive)
        if seating is not None and not seating.claim.is_sitting:
            self._restate(seat, seating)
        for fact in self._sitting(seat):
            same = (claim.fact.id for claim in claims if fold(claim.fact.value) == fold(fact.value))
            self._heirs |= dict.fromkeys(same, fact.id)

    def _sitting(self, seat: Seat) -> list[Fact]:
        facts = self._sheet.ledger.facts_of(seat.page)
        return [fact for fact in facts if fact.is_open and seat_of(fact, seat.page) == seat]

    # Claims

    def _claims(self) -> Iterator[Claim]:
        """Yield a claim for each fact that was ended by the target, or is its own, where something is left of it."""
        for fact in _known(self._freed(), self._sheet):
            claim = self._claim_of(fact)
            if not self._is_revived(fact) and (claim.evidence or not self._target.stated(fact, self._base)):
                yield claim

    def _freed(self) -> dict[FactId, None]:
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

    def _is_revived(self, fact: Fact) -> bool:
        """Tell whether a fact lives on already in one that revived it, and that the target did not bring."""
        others = (other for slug in (fact.page, self._sheet.living(fact.page)) for other in self._base.facts_of(slug))
        return any(other.revives == fact.id and not self._target.stated(other, self._base) for other in others)

    def _claim_of(self, fact: Fact, *, is_sitting: bool = False) -> Claim:
        base, archive = self._base, self._sheet.order.state.archive
        left = [proof for proof in fact.proofs if is_standing(proof.evidence, archive)]
        if not is_sitting:
            left = [proof for proof in left if not self._target.gave(proof, base)]
        is_others = is_sitting or not self._target.stated(fact, base)
        since = came(fact, base) if is_others or not left else min(proof.n for proof in left)
        return Claim(fact=fact, evidence=tuple(proof.evidence for proof in left), since=since, is_sitting=is_sitting)

    def _is_tenable(self, claim: Claim) -> bool:
        """Tell whether quotes prove a claim, or premises that hold by now."""
        if claim.is_proven:
            return True
        premises = claim.fact.derived_from
        return claim.fact.label is Label.INFERRED and bool(premises) and len(self._heirs_of(premises)) == len(premises)

    def _heirs_of(self, premises: tuple[FactId, ...]) -> tuple[FactId, ...]:
        """Return what premises are by now: those that hold, and who took the place of others."""
        found = (self._heirs.get(name) or holder_of(name, self._sheet.ledger.fact) for name in premises)
        return tuple(dict.fromkeys(name for name in found if name is not None))

    # Stating anew

    def _restate(self, seat: Seat, seating: Seating) -> None:
        sheet, fact = self._sheet, seating.claim.fact
        self._open(seat.page)
        wording = Wording(fact.text, fact.value)
        if self._target.stated(fact, self._base):
            left = tuple(proof for proof in fact.proofs if proof.evidence in seating.claim.evidence)
            wording = self._reword(fact, left) if left else wording
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
            evidence=seating.evidence[: sheet.order.state.limits.quotes],
            derived_from=self._heirs_of(fact.derived_from),
            revives=fact.id,
        )
        if seating.instead_of is not None:
            sheet.put(SupersededBy(statement=statement, supersedes=seating.instead_of.id))
        else:
            before = before_which(seat.page, section, seating.claim.since, sheet.ledger)
            sheet.put(Asserted(statement=replace(statement, before=before)))

    def _open(self, slug: Slug) -> None:
        """Make a page again that was removed."""
        page = self._sheet.ledger.page(slug)
        if page is not None and page.removed:
            self._sheet.put(
                PageChanged(page=slug, op=PageOp.CREATE, title=page.title, kind=page.kind, aliases=page.aliases)
            )
