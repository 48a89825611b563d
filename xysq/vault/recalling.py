"""Recalling: what is known of something, for a model to read; and why a search found what it found."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Unpack

from xysq.errors import BadInput
from xysq.model.fact import Slug
from xysq.search.block import BUDGET, LEAST_BUDGET, Recall, Searched, pack
from xysq.search.explain import Explained, explain
from xysq.search.hit import Place
from xysq.search.recall import FLOORS, choose
from xysq.vault.options import SearchOptions
from xysq.vault.searching import Searching


class Recalling(Searching):
    """A vault whose memory is recalled."""

    def recall(
        self, words: str, *, budget: int = BUDGET, limit: int | None = None, **narrow: Unpack[SearchOptions]
    ) -> Recall:
        """Return what is known about something, for a model to read, in at most `budget` tokens.

        Open facts come first, then passages with the turns beside them; prose never. Where nothing is near enough, it
        is empty and its text says so. `limit` bounds the facts, and the passages that match.
        """
        if budget < LEAST_BUDGET:
            raise BadInput(f"{budget} tokens are too few to say anything", f"--budget {LEAST_BUDGET} or more")
        with self._asked(words, narrow) as asked:
            ledger = asked.snapshot.ledger

            def title(slug: Slug) -> str:
                page = ledger.page(slug)
                return slug if page is None else page.title

            floors = FLOORS if limit is None else replace(FLOORS, facts=limit, passages=limit)
            chosen = choose(
                asked.index, asked.query, pages=ledger.named, title=title, narrowing=asked.narrowing, floors=floors
            )
            totals = asked.snapshot.lists.totals()
            searched = Searched(sources=totals.sources, passages=totals.passages, facts=totals.open_facts)
            recalled = pack(words, chosen, searched, budget)
            self._tell_damage(asked, (passage.id for group in recalled.groups for passage in group))
            return recalled

    def explain(
        self,
        words: str,
        *,
        limit: int = 10,
        where: Iterable[str] = (),
        context: bool = False,
        **narrow: Unpack[SearchOptions],
    ) -> Explained:
        """Search, and tell of each hit why it came and of the nearest others why they were left out."""
        places = frozenset(map(Place, where)) or frozenset(Place)
        with self._asked(words, narrow) as asked:
            return explain(
                asked.index, asked.query, where=places, narrowing=asked.narrowing, limit=limit, context=context
            )
