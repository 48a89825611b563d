"""Searching: passages, facts and prose by their words."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar, Unpack

from xysq.errors import Ambiguous, BadInput, NotFound
from xysq.frozen import frozen
from xysq.jobs.intact import tell_of_damage
from xysq.jobs.naming import PassageName, page_named, source_named
from xysq.jobs.readable import index_of, readable
from xysq.model.index import Index, Narrowing
from xysq.search.find import find
from xysq.search.hit import Hit, HitKind, Place
from xysq.search.query import Query
from xysq.search.syntax import Setting, moment, read, suggest
from xysq.store import queue
from xysq.store.readmodel import Snapshot
from xysq.text import encodable
from xysq.vault.core import OpenVault
from xysq.vault.options import SearchOptions

T = TypeVar("T")


@frozen
class Asked:
    """What was asked of one state: the state and its index, the query, what narrows it."""

    snapshot: Snapshot
    index: Index
    query: Query
    narrowing: Narrowing


class Searching(OpenVault):
    """A vault that is searched."""

    def landed_note(self) -> str:
        """Return what to say where pushes cannot be searched yet; "" where all can."""
        count = len(queue.landed(self._opened.files))
        return f"{count} {'push' if count == 1 else 'pushes'} not searchable yet" if count else ""

    def search(
        self,
        words: str,
        *,
        limit: int = 10,
        where: Iterable[str] = (),
        context: bool = False,
        **narrow: Unpack[SearchOptions],
    ) -> tuple[Hit, ...]:
        """Return the best hits for a query, over logs, facts and prose; what only landed is indexed first.

        A query is plain words, any of which may match, or composed (`xysq help search`). A passage that only stands
        beside one that matches is a hit that says so (`beside`); with `context` such do not count towards `limit`.
        """
        places = frozenset(map(Place, where)) or frozenset(Place)
        with self._asked(words, narrow) as asked:
            hits = find(asked.index, asked.query, where=places, narrowing=asked.narrowing, limit=limit, context=context)
            self._tell_damage(asked, (hit.id for hit in hits if hit.kind is HitKind.PASSAGE))
            return hits

    def suggestion(self, words: str) -> str:
        """Return the words with what was probably meant in the place of those nobody said; "" where nothing is near."""
        with readable(self._opened).reading() as snapshot:
            return suggest(words, snapshot.index)

    @contextmanager
    def _asked(self, words: str, narrow: SearchOptions) -> Iterator[Asked]:
        """Read what is asked against one state; what of it was not understood becomes a notice."""
        with readable(self._opened).reading() as snapshot:
            index = index_of(self._opened, snapshot, narrow.get("as_of"))
            setting = Setting(
                index=index,
                now=self._opened.clock(),
                pages=lambda name: _all_named(page_named, snapshot, name),
                sources=lambda name: _all_named(source_named, snapshot, name),
            )
            query = read(words, setting)
            self.notices.extend(query.notes)
            yield Asked(snapshot=snapshot, index=index, query=query, narrowing=self._narrowing(snapshot, narrow))

    def _tell_damage(self, asked: Asked, passages: Iterable[str]) -> None:
        """Say where passages that are shown are not their log's own bytes any more."""
        named = map(PassageName.parse, passages)
        shown = (asked.snapshot.logs.passage(name.version, name.number) for name in named)
        tell_of_damage(self._opened, asked.snapshot, filter(None, shown))

    def _narrowing(self, snapshot: Snapshot, narrow: SearchOptions) -> Narrowing:
        page, source, time = narrow.get("page"), narrow.get("source"), narrow.get("time") or "said"
        if time not in ("said", "committed"):
            raise BadInput(f"{time!r} is no kind of time", "said or committed")
        return Narrowing(
            since=self._moment("since", narrow.get("since")),
            before=self._moment("before", narrow.get("before")),
            speaker=encodable(narrow.get("speaker") or ""),
            page=None if page is None else page_named(snapshot, page),
            source=None if source is None else source_named(snapshot, source),
            project=encodable(narrow.get("project") or ""),
            committed=time == "committed",
        )

    def _moment(self, name: str, words: str | None) -> str:
        found = moment(words, self._opened.clock()) if words else ""
        if found is None:
            raise BadInput(f"{name} {words!r} is no time", "write it as 2026, 2026-11, 2026-11-30 or 'last week'")
        return found


def _all_named(named: Callable[[Snapshot, str], T], snapshot: Snapshot, name: str) -> Sequence[T]:
    """Return everything that goes by a name."""
    try:
        return (named(snapshot, name),)
    except Ambiguous as error:
        return [named(snapshot, candidate) for candidate in error.candidates]
    except NotFound:
        return ()
