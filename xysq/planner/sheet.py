"""The sheet: the events of a revert under way, and the memory as it would be behind them."""

import sys
from collections.abc import Callable

from xysq.canonical import derived_id
from xysq.frozen import frozen
from xysq.ledger.fold import Fold
from xysq.ledger.line import RENDER, chain
from xysq.model.event import Body, PageChanged, ProseChanged, RunBegun, RunKind
from xysq.model.fact import Evidence, Fact, FactId, RunId, Slug
from xysq.model.page import BlockId
from xysq.model.state import State
from xysq.planner.deed import USER
from xysq.planner.subject import living
from xysq.planner.target import Target


@frozen(kw_only=False)
class UndoneProse:
    """What a run did to a block, and what had been done to it last before."""

    did: ProseChanged
    before: ProseChanged | None


@frozen(kw_only=False)
class UndoneNames:
    """What a run did to a page as a whole, and what had been done to it last before."""

    did: PageChanged
    before: PageChanged | None


@frozen
class Undoing:
    """What is to be taken back, as the run `run`, and on which state.

    `facts` are those that the target stated or gave a quote, `closed` those that its runs closed; `withdrawn` are
    quotes that it withdrew. `blocks` is prose made of the words of a source; of a run, `prose` is told one by one.
    """

    target: Target
    run: RunId
    at: str
    state: State
    facts: tuple[FactId, ...] = ()
    closed: tuple[FactId, ...] = ()
    withdrawn: tuple[tuple[FactId, tuple[Evidence, ...]], ...] = ()
    blocks: tuple[BlockId, ...] = ()
    prose: tuple[UndoneProse, ...] = ()
    names: tuple[UndoneNames, ...] = ()


class Sheet:
    """Events in their order; `ledger` is the state behind them."""

    def __init__(self, order: Undoing) -> None:
        """Begin with none, on the order's state."""
        self.order = order
        self.ledger = Fold(order.state.ledger)
        self.events: list[Body] = []
        self._fold(
            RunBegun(
                run=order.run,
                kind=RunKind.REVERT,
                rows=(),
                drafter=USER,
                render=RENDER,
                events=sys.maxsize,
                record="",
                reverts=order.target.name,
            )
        )

    def put(self, body: Body) -> None:
        """Decide an event."""
        self._fold(body)
        self.events.append(body)

    def new_fact(self) -> FactId:
        """Return an id for the next fact."""
        return FactId(self._id("f", lambda name: self.ledger.fact(FactId(name)) is not None))

    def new_block(self) -> BlockId:
        """Return an id for the next block."""
        return BlockId(self._id("b", lambda name: self.ledger.block_page(name) is not None))

    def ended(self) -> tuple[FactId, ...]:
        """Return the facts that were open before these events and are not behind them."""
        return tuple(name for name in self.ledger.facts_touched if self._has_ended(name))

    def living(self, slug: Slug) -> Slug:
        """Return a page, or the one it went into by merging."""
        return living(slug, self.ledger) or slug

    def _has_ended(self, name: FactId) -> bool:
        old, new = self.order.state.ledger.fact(name), self.ledger.fact(name)
        return _is_open(old) and not _is_open(new)

    def _id(self, prefix: str, taken: Callable[[str], bool]) -> str:
        return derived_id(prefix, self.order.run, str(len(self.events)), taken)

    def _fold(self, body: Body) -> None:
        self.ledger.extend(chain(self.ledger.head(), self.order.at, self.order.run, [body], [""]))


def _is_open(fact: Fact | None) -> bool:
    return fact is not None and fact.is_open
