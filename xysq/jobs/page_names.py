"""Page names: a page gets another title or another name, or loses one; two pages become one. No model is asked."""

from collections.abc import Callable
from typing import ClassVar

from xysq.errors import BadInput, XysqError
from xysq.jobs.adopt import adopt_first
from xysq.jobs.compose import Ground
from xysq.jobs.deliberate import Deed, carry_out
from xysq.jobs.hold import hold
from xysq.jobs.merge import living, merge_deed
from xysq.jobs.naming import page_named
from xysq.jobs.opened import Opened
from xysq.model.event import Body, RunKind
from xysq.model.fact import RunId, Slug
from xysq.model.page import PageState
from xysq.model.report import RunReport
from xysq.model.state import State
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
        adopt_first(held, (into, gone))
        return carry_out(held, lambda base, snapshot, run: merge_deed(opened, base, snapshot, run, (gone, into)))


def _changed(opened: Opened, name: str, change: Change) -> RunReport:
    with hold(opened) as held:
        with held.model.reading() as snapshot:
            slug = page_named(snapshot, name)
        adopt_first(held, (slug,))

        def deed(base: Ground, _: Snapshot, __: RunId) -> Deed:
            return Deed(kind=RunKind.PAGE, events=(change(living(slug, base.state), base.state),))

        return carry_out(held, deed)


def _prove_free(name: str, page: PageState, state: State) -> None:
    others = taken(name, page.slug, state.ledger)
    if others:
        raise NameTaken(name, page.slug, others[0])
    fault = name_fault(name, page.slug, state)
    if fault is not None:
        raise BadInput(f"the name {fault}", "a name is a few words on one line")
