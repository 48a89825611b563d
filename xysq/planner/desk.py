"""The desk: a plan under way, and the memory as it would be behind it.

Every event is folded the moment it is decided, so the next decision sees it: a fact is not superseded twice, and a
page made for one fact is found by the next. What quarantine will take out again is written down without being
folded: nothing may rest on it.
"""

import sys
from collections.abc import Iterable

from xysq.ledger.fold import Fold
from xysq.ledger.line import RENDER, chain
from xysq.model.event import (
    Asserted,
    Body,
    LearnedLate,
    PageChanged,
    PageOp,
    ProseChanged,
    RunBegun,
    SupersededBy,
)
from xysq.model.fact import Slug
from xysq.model.plan import Drop, Edit, FrontEdit, Plan
from xysq.pages.slug import free_slug
from xysq.planner.order import PlanOrder
from xysq.planner.subject import NewPage


class Desk:
    """Events, edits and drops of one plan, in their order; `ledger` is the state behind the events."""

    def __init__(self, order: PlanOrder) -> None:
        """Begin an empty plan on the order's base."""
        self.order = order
        self.ledger = Fold(order.state.ledger)
        self._bodies: list[Body] = []
        self._edits: list[Edit] = []
        self._drops: list[Drop] = []
        self._fold(
            RunBegun(
                run=order.run,
                kind=order.kind,
                rows=order.rows,
                drafter=order.drafter,
                render=RENDER,
                events=sys.maxsize,
                record="",
            )
        )

    def put(self, body: Body, *edits: Edit) -> None:
        """Decide an event with its edits."""
        self._fold(body)
        self.set_aside(body, *edits)

    def set_aside(self, body: Body, *edits: Edit) -> None:
        """Write an event down for quarantine to judge; nothing that follows sees it."""
        self._bodies.append(body)
        self._edits.extend(edits)

    def drop(self, drop: Drop) -> None:
        """Leave something out of the plan, with the reason."""
        self._drops.append(drop)

    def create(self, page: NewPage) -> Slug:
        """Make a page and return its slug."""
        slug = free_slug(page.title, self._is_taken)
        self.put(
            PageChanged(page=slug, op=PageOp.CREATE, title=page.title, kind=page.kind, aliases=()),
            FrontEdit(page=slug, op=PageOp.CREATE, title=page.title, kind=page.kind, aliases=()),
        )
        return slug

    def _is_taken(self, slug: str) -> bool:
        """Tell whether a slug is a page's; one that was removed is made again, and what ended on it stays ended."""
        page = self.ledger.page(Slug(slug))
        return page is not None and not page.removed

    @property
    def drops(self) -> tuple[Drop, ...]:
        """What was left out so far."""
        return tuple(self._drops)

    def plan(self) -> Plan:
        """Return the plan, without pages that were made for nothing."""
        created = [body.page for body in self._bodies if isinstance(body, PageChanged)]
        return without_idle_pages(Plan(edits=tuple(self._edits), events=tuple(self._bodies)), created)

    def _fold(self, body: Body) -> None:
        self.ledger.extend(chain(self.ledger.head(), self.order.at, self.order.run, [body], [""]))


def without_idle_pages(plan: Plan, candidates: Iterable[Slug]) -> Plan:
    """Return the plan without the making of those pages that nothing in it stands on or links to."""
    idle = {slug for slug in candidates if not _is_needed(slug, plan)}
    if not idle:
        return plan
    return Plan(
        edits=tuple(edit for edit in plan.edits if not (isinstance(edit, FrontEdit) and edit.page in idle)),
        events=tuple(body for body in plan.events if not (isinstance(body, PageChanged) and body.page in idle)),
    )


def _is_needed(slug: Slug, plan: Plan) -> bool:
    links = (f"[[{slug}|", f"[[{slug}]]")
    for body in plan.events:
        match body:
            case Asserted(statement=stated) | SupersededBy(statement=stated) | LearnedLate(statement=stated):
                page, text = stated.page, stated.text
            case ProseChanged():
                page, text = body.page, body.text
            case _:
                continue
        if page == slug or any(link in text for link in links):
            return True
    return False
