"""Naming: how a page's names change when a person says so: its title, and the other names it goes by.

A rename changes the title, and the old one becomes an alias; the slug stays for ever. Two living pages never go by one
name: whoever is called by it would be nobody that can be told.
"""

from collections.abc import Iterable, Iterator

from xysq.model.event import PageChanged, PageOp
from xysq.model.fact import Slug
from xysq.model.page import Alias, PageState
from xysq.model.state import LedgerState, State
from xysq.pages.escape import fold_space, text_fault
from xysq.planner.subject import find
from xysq.text import fold


def name_fault(name: str, page: Slug, state: State) -> str | None:
    """Say why a page cannot go by a name; None where it can."""
    fault = text_fault(name)
    if fault is not None:
        return fault
    if fold_space(name) != name or not any(sign.isalnum() for sign in name):
        return "is no name"
    if len(name.encode("utf-8", "replace")) > state.limits.name_bytes:
        return f"is longer than {state.limits.name_bytes} bytes"
    others = taken(name, page, state.ledger)
    return f"is a name of page {others[0]!r}" if others else None


def taken(name: str, page: Slug, ledger: LedgerState) -> tuple[Slug, ...]:
    """Return the other living pages that go by a name."""
    return tuple(slug for slug in find(name, ledger) if slug != page)


def renamed(page: PageState, title: str) -> PageChanged:
    """Return the event that gives a page another title; the old one becomes an alias."""
    return called(page, title, page.kind, with_names(page.aliases, (Alias(name=page.title),), {title}))


def aliased(page: PageState, names: Iterable[str]) -> PageChanged:
    """Return the event that gives a page other names besides those it has."""
    new = (Alias(name=name) for name in names)
    return called(page, page.title, page.kind, with_names(page.aliases, new, {page.title}))


def unaliased(page: PageState, name: str) -> PageChanged:
    """Return the event that takes a name from a page."""
    kept = tuple(alias for alias in page.aliases if fold(alias.name) != fold(name))
    return called(page, page.title, page.kind, kept)


def called(page: PageState, title: str, kind: str, aliases: tuple[Alias, ...]) -> PageChanged:
    """Return the event that leaves a page with these names."""
    return PageChanged(page=page.slug, op=PageOp.META, title=title, kind=kind, aliases=aliases)


def with_names(old: Iterable[Alias], new: Iterable[Alias], shown: Iterable[str]) -> tuple[Alias, ...]:
    """Return aliases, those that are new behind the old ones, each once and none that is `shown` already."""
    return tuple(_each_once((*old, *new), set(map(fold, shown))))


def merged_slugs(page: PageState, ledger: LedgerState) -> tuple[Slug, ...]:
    """Return the pages that were merged into a page and lead to it by one of its aliases."""
    found = (ledger.page(Slug(alias.name)) for alias in page.aliases)
    return tuple(other.slug for other in found if other is not None and other.merged_into == page.slug)


def _each_once(aliases: Iterable[Alias], seen: set[str]) -> Iterator[Alias]:
    for alias in aliases:
        folded = fold(alias.name)
        if folded not in seen:
            seen.add(folded)
            yield alias
