"""What a stretch of the ledger changed: the net difference of facts between two points of the history.

Pure: events in, changes out. A fact that was open at the first point and gave way to another is *superseded*, by
whatever stands at the end of its chain of successors; a fact that came and went in between is *passing*.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from xysq.frozen import frozen
from xysq.model.event import Asserted, Confirmed, Event, FactClosed, LearnedLate, Statement, SupersededBy
from xysq.model.fact import Evidence, Fact, FactId


@frozen
class FactRef:
    """A fact as a difference names it."""

    id: str
    page: str
    attribute: str
    value: str
    text: str
    label: str
    evidence: tuple[Evidence, ...]


@frozen
class Replaced:
    """An open fact that gave way to another."""

    old: FactRef
    new: FactRef


@frozen
class Ended:
    """An open fact that was closed, why, by what, and the words that closed it."""

    fact: FactRef
    reason: str
    cause: str
    evidence: tuple[Evidence, ...]


@frozen
class FactChanges:
    """The net difference of facts between two points."""

    asserted: tuple[FactRef, ...] = ()
    superseded: tuple[Replaced, ...] = ()
    closed: tuple[Ended, ...] = ()
    confirmed: tuple[FactRef, ...] = ()
    late: tuple[FactRef, ...] = ()
    passing: tuple[FactRef, ...] = ()

    def __bool__(self) -> bool:
        """Tell whether anything changed."""
        return bool(self.asserted or self.superseded or self.closed or self.confirmed or self.late or self.passing)


@dataclass(slots=True)
class _Moves:
    """What the events say, before it is netted."""

    stated: dict[FactId, FactRef] = field(default_factory=dict)
    successor: dict[FactId, FactId] = field(default_factory=dict)
    closes: dict[FactId, FactClosed] = field(default_factory=dict)
    confirms: dict[FactId, None] = field(default_factory=dict)
    late: list[FactRef] = field(default_factory=list)

    def take(self, event: Event) -> None:
        match event.body:
            case Asserted(statement=statement):
                self.stated[statement.fact] = _of_statement(statement)
            case SupersededBy(statement=statement, supersedes=old):
                self.stated[statement.fact] = _of_statement(statement)
                self.successor[old] = statement.fact
            case LearnedLate(statement=statement):
                self.late.append(_of_statement(statement))
            case FactClosed() as close:
                self.closes[close.fact] = close
            case Confirmed(fact=fact):
                self.confirms[fact] = None
            case _:
                pass

    def last(self, fact: FactId) -> FactId:
        while fact in self.successor:
            fact = self.successor[fact]
        return fact


def fact_changes(events: Iterable[Event], known: Callable[[FactId], Fact | None]) -> FactChanges:
    """Return what the events changed; `known` tells of facts that were there before them."""
    moves = _Moves()
    for event in events:
        moves.take(event)

    def ref(fact: FactId) -> FactRef:
        older = None if fact in moves.stated else known(fact)
        return moves.stated[fact] if older is None else ref_of(older)

    superseded, closed, heirs = [], [], set()
    for old in moves.successor:
        if old in moves.stated:
            continue
        heir = moves.last(old)
        heirs.add(heir)
        if heir in moves.closes:
            closed.append(_ended(ref(old), moves.closes[heir]))
        else:
            superseded.append(Replaced(old=ref(old), new=ref(heir)))
    closed += [_ended(ref(fact), close) for fact, close in moves.closes.items() if fact not in moves.stated]
    gone = {fact for fact in moves.stated if fact in moves.successor or fact in moves.closes}
    return FactChanges(
        asserted=tuple(one for fact, one in moves.stated.items() if fact not in gone and fact not in heirs),
        superseded=tuple(superseded),
        closed=tuple(closed),
        confirmed=tuple(ref(fact) for fact in moves.confirms if fact not in gone and fact not in moves.stated),
        late=tuple(moves.late),
        passing=tuple(moves.stated[fact] for fact in moves.stated if fact in gone),
    )


def _ended(fact: FactRef, close: FactClosed) -> Ended:
    return Ended(fact=fact, reason=close.reason.value, cause=close.cause, evidence=close.evidence)


def _of_statement(statement: Statement) -> FactRef:
    return FactRef(
        id=statement.fact,
        page=statement.page,
        attribute=statement.attribute,
        value=statement.value,
        text=statement.text,
        label=statement.label.value,
        evidence=statement.evidence,
    )


def ref_of(fact: Fact) -> FactRef:
    """Return a fact as a difference names it."""
    return FactRef(
        id=fact.id,
        page=fact.page,
        attribute=fact.attribute,
        value=fact.value,
        text=fact.text,
        label=fact.label.value,
        evidence=fact.evidence,
    )
