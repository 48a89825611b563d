"""Retitled: the names a person gave a page in its file: title, kind and aliases, held against what they were and are.

A new title may stand in the front matter or in the heading. A renamed page keeps its old title as an alias.
"""

from collections.abc import Iterator

from xysq.model.event import PageChanged
from xysq.model.page import Alias, PageState
from xysq.model.state import State
from xysq.pages.escape import fold_space
from xysq.pages.front import Front
from xysq.pages.typed import TypedFault, TypedPage
from xysq.planner.naming import called, merged_slugs, name_fault, with_names
from xysq.text import fold


def new_names(
    typed: TypedPage, front: Front | None, old: Front, page: PageState, state: State
) -> tuple[PageChanged | None, tuple[TypedFault, ...]]:
    """Return the names that a page gets (None: they stay), and why it cannot get them.

    `front` is the front matter of the file, where it has one; `old` what it was when the edit began.
    """
    naming = _Naming(typed, front, old, page, state)
    title, kind = naming.title(), naming.kind()
    aliases = naming.aliases(title)
    if (title, kind, aliases) == (page.title, page.kind, page.aliases):
        return None, tuple(naming.faults)
    return called(page, title, kind, aliases), tuple(naming.faults)


class _Naming:
    """The names of one page, typed, old and present."""

    def __init__(self, typed: TypedPage, front: Front | None, old: Front, page: PageState, state: State) -> None:
        self._typed, self._front, self._old, self._page, self._state = typed, front, old, page, state
        self.faults: list[TypedFault] = []

    def title(self) -> str:
        old, now, line = self._old.title, self._page.title, self._typed.title_line
        new = list(dict.fromkeys(text for text in self._given() if fold_space(text) != fold_space(old)))
        if len(new) > 1:
            self._fault(line, "two-titles", "the front matter and the heading give two new titles")
        title = new[0] if new else now
        if fold_space(title) == fold_space(now):
            return now
        if now != old:
            self._fault(line, "conflict", f"the page was renamed to {now!r} meanwhile")
        self._prove_name(title, line)
        return title

    def kind(self) -> str:
        old, now = self._old.kind, self._page.kind
        if self._front is None or self._front.kind in (old, now):
            return now
        if now != old:
            self._fault(1, "conflict", f"the kind became {now!r} meanwhile")
        return self._front.kind

    def aliases(self, title: str) -> tuple[Alias, ...]:
        page, old = self._page, set(map(fold, self._old.aliases))
        names = self._old.aliases if self._front is None else self._front.aliases
        new = tuple(name for name in names if fold(name) not in old)
        gone = old - set(map(fold, names))
        renamed = (Alias(name=page.title),) if title != page.title else ()
        if not (new or gone or renamed):
            return page.aliases
        for slug in merged_slugs(page, self._state.ledger):
            if fold(slug) in gone:
                self._fault(1, "alias-stays", f"{slug!r} leads to the page that was merged into this one, and stays")
        for name in new:
            self._prove_name(name, 1)
        kept = tuple(alias for alias in page.aliases if fold(alias.name) not in gone)
        return with_names(kept, (*renamed, *(Alias(name=name) for name in new)), {title})

    def _given(self) -> Iterator[str]:
        if self._front is not None:
            yield self._front.title
        if self._typed.title is not None:
            yield self._typed.title

    def _prove_name(self, name: str, line: int) -> None:
        fault = name_fault(name, self._page.slug, self._state)
        if fault is not None:
            is_taken = fault.startswith("is a name of")
            hint = "; to make both one: xysq page merge" if is_taken else ""
            self._fault(line, "name-taken" if is_taken else "bad-name", f"{name!r} {fault}{hint}")

    def _fault(self, line: int, code: str, sentence: str) -> None:
        self.faults.append(TypedFault(line=line, code=code, sentence=sentence))
