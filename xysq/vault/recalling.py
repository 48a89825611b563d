"""Recalling: what is known of something, for a model to read; and why a search found what it found."""

from collections.abc import Iterable
from typing import Unpack

from xysq.search.explain import Explained, explain
from xysq.search.hit import Place
from xysq.vault.options import SearchOptions
from xysq.vault.searching import Searching


class Recalling(Searching):
    """A vault whose memory is recalled."""

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
