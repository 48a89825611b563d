"""Searching: passages, facts and prose by their words."""

from collections.abc import Iterable
from typing import Unpack

from xysq.jobs.intact import tell_of_damage
from xysq.jobs.naming import PassageName, page_named, source_named
from xysq.jobs.readable import readable
from xysq.model.index import Narrowing
from xysq.search.find import find
from xysq.search.hit import Hit, HitKind, Place
from xysq.store import queue
from xysq.vault.core import OpenVault
from xysq.vault.options import SearchOptions


class Searching(OpenVault):
    """A vault that is searched."""

    def landed_note(self) -> str:
        """Return what to say where pushes cannot be searched yet; "" where all can."""
        count = len(queue.landed(self._opened.files))
        return f"{count} {'push' if count == 1 else 'pushes'} not searchable yet" if count else ""

    def search(
        self, words: str, *, limit: int = 10, where: Iterable[str] = (), **narrow: Unpack[SearchOptions]
    ) -> tuple[Hit, ...]:
        """Return the best hits for words, over logs, facts and prose; what only landed is indexed first."""
        places = frozenset(map(Place, where)) or frozenset(Place)
        with readable(self._opened).reading() as snapshot:
            page, source = narrow.get("page"), narrow.get("source")
            narrowing = Narrowing(
                since=narrow.get("since") or "",
                before=narrow.get("before") or "",
                speaker=narrow.get("speaker") or "",
                page=None if page is None else page_named(snapshot, page),
                source=None if source is None else source_named(snapshot, source),
                project=narrow.get("project") or "",
            )
            hits = find(snapshot.index, words, where=places, narrowing=narrowing, limit=limit)
            named = (PassageName.parse(hit.id) for hit in hits if hit.kind is HitKind.PASSAGE)
            shown = (snapshot.logs.passage(name.version, name.number) for name in named)
            tell_of_damage(self._opened, snapshot, filter(None, shown))
            return hits
