"""Page names: a page gets another title or another name, or loses one; two pages become one. No model is asked."""

from collections.abc import Callable
from typing import ClassVar

from xysq.errors import BadInput, XysqError
from xysq.jobs.compose import Ground
from xysq.jobs.deliberate import Deed, carry_out
from xysq.jobs.history import page_events
from xysq.jobs.hold import hold
from xysq.jobs.naming import page_named
from xysq.jobs.opened import Opened
from xysq.model.event import Body, ProseChanged, ProseOp, RunKind
from xysq.model.fact import RunId, Slug
from xysq.model.page import BlockId, PageState
from xysq.model.report import RunReport
from xysq.model.state import State
from xysq.planner.deed import with_conclusions
from xysq.planner.merging import merging
from xysq.planner.naming import aliased, merged_slugs, name_fault, renamed, taken, unaliased
from xysq.store.readmodel import Snapshot
from xysq.text import fold

Change = Callable[[PageState, State], Body]


class NameTaken(XysqError):
    """Another page goes by the name."""

    code: ClassVar[str] = "name-taken"
    exit_status: ClassVar[int] = 1

    def __init__(self, name: str, page: Slug, other: Slug) -> None:
        """Name both, and how to make them one."""
        super().__init__(f"{name!r} is a name of page {other!r}", f"where both are one: xysq page merge {other} {page}")


def rename_page(opened: Opened, name: str, title: str) -> RunReport:
    """Give a page another title; the old one becomes an alias, the slug stays."""

    def change(page: PageState, state: State) -> Body:
        _prove_free(title, page, state)
        if title == page.title:
            raise BadInput(f"the page is called {title!r} already")
        return renamed(page, title)

    return _changed(opened, name, change)


def alias_page(opened: Opened, name: str, alias: str) -> RunReport:
    """Let a page go by one more name."""

    def change(page: PageState, state: State) -> Body:
        _prove_free(alias, page, state)
        if fold(alias) in map(fold, page.names):
            raise BadInput(f"page {page.slug!r} goes by {alias!r} already")
        return aliased(page, (alias,))

    return _changed(opened, name, change)


def unalias_page(opened: Opened, name: str, alias: str) -> RunReport:
    """Take one of its aliases from a page."""

    def change(page: PageState, state: State) -> Body:
        if fold(alias) not in (fold(one.name) for one in page.aliases):
            raise BadInput(f"{alias!r} is no alias of page {page.slug!r}", f"xysq show {page.slug} lists them")
        if fold(alias) in map(fold, merged_slugs(page, state.ledger)):
            raise BadInput(f"{alias!r} leads to the page that was merged into {page.slug!r}, and stays")
        return unaliased(page, alias)

    return _changed(opened, name, change)


def merge_pages(opened: Opened, name: str, other: str) -> RunReport:
    """Merge a second page into the first one: its facts, its prose and its names."""
    with hold(opened) as held:
        with held.model.reading() as snapshot:
            into, gone = page_named(snapshot, name), page_named(snapshot, other)
        return carry_out(held, lambda base, snapshot, run: merge_deed(opened, base, snapshot, run, (gone, into)))


def merge_deed(opened: Opened, base: Ground, snapshot: Snapshot, run: RunId, slugs: tuple[Slug, Slug]) -> Deed:
    """Return the deed that merges a page into another one, both by their slugs."""
    gone, into = (living(slug, base.state) for slug in slugs)
    if gone.slug == into.slug:
        raise BadInput(f"page {gone.slug!r} cannot be merged into itself")
    written: dict[BlockId, ProseChanged] = {}
    for event in page_events(opened, snapshot, gone.slug):
        if isinstance(event.body, ProseChanged) and event.body.op is not ProseOp.REMOVE:
            written.setdefault(event.body.block, event.body)  # the newest comes first
    at, state = opened.now(), base.state
    events = merging(gone, into, written, run, at, state)
    return Deed(
        kind=RunKind.PAGE,
        events=with_conclusions(events, RunKind.PAGE, run, at, state.ledger, state.archive),
    )


def living(slug: Slug, state: State) -> PageState:
    """Return a page that may be changed; `BadInput` where it was removed or merged."""
    page = state.ledger.page(slug)
    if page is None or not page.is_living:
        became = "removed" if page is None or page.merged_into is None else f"merged into {page.merged_into!r}"
        raise BadInput(f"page {slug!r} was {became}")
    return page


def _changed(opened: Opened, name: str, change: Change) -> RunReport:
    def deed(base: Ground, snapshot: Snapshot, _: RunId) -> Deed:
        page = living(page_named(snapshot, name), base.state)
        return Deed(kind=RunKind.PAGE, events=(change(page, base.state),))

    with hold(opened) as held:
        return carry_out(held, deed)


def _prove_free(name: str, page: PageState, state: State) -> None:
    others = taken(name, page.slug, state.ledger)
    if others:
        raise NameTaken(name, page.slug, others[0])
    fault = name_fault(name, page.slug, state)
    if fault is not None:
        raise BadInput(f"the name {fault}", "a name is a few words on one line")
