"""Recalling: what is known of something, for a model to read; and why a search found what it found."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Unpack

from xysq.errors import BadInput
from xysq.model.fact import Fact, Slug
from xysq.planner.authority import Authority, authority_of
from xysq.search.block import BUDGET, LEAST_BUDGET, Recall, Searched, pack
from xysq.search.explain import Explained, explain
from xysq.search.hit import Place
from xysq.search.recall import FLOORS, Chosen, Floors, RecalledFact, choose, recalled
from xysq.store.readmodel import FactFilter
from xysq.text import fold
from xysq.vault.options import SearchOptions
from xysq.vault.searching import Asked, Searching

_RULE = "rule"
_MOST_RULES = 20


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
        floors = FLOORS if limit is None else replace(FLOORS, facts=limit, passages=limit)
        with self._asked(words, narrow) as asked:
            return self._packed(words, asked, self._chosen(asked, floors), budget)

    def greet(self, words: str, project: Path, *, budget: int = BUDGET) -> Recall:
        """Return what a session in a project's directory begins with: the owner's rules, then what `words` recall.

        Rules that were said in another project are left out, and so is everything else that was.
        """
        with self._asked(words, SearchOptions(project=str(project))) as asked:
            rules = tuple(self._rules(asked, project))
            chosen = self._chosen(asked, FLOORS)
            known = frozenset(rule.id for rule in rules)
            facts = (*rules, *(fact for fact in chosen.facts if fact.id not in known))
            return self._packed(words, asked, replace(chosen, facts=facts), budget)

    def _rules(self, asked: Asked, project: Path) -> Iterator[RecalledFact]:
        """Yield the owner's open rules, the newest first: those said in a project, and those said in none."""
        snapshot, me = asked.snapshot, self._opened.settings().me
        here = snapshot.lists.facts(FactFilter(attribute=_RULE, project=str(project), is_open=True))
        of_owner = (
            fact
            for slug in snapshot.ledger.named(fold(me.name))
            for fact in snapshot.lists.facts(FactFilter(page=slug, attribute=_RULE, is_open=True))
            if not self._is_of_a_project(asked, fact)
        )
        found = {fact.n: fact for fact in (*here, *of_owner) if _is_owners(fact)}
        for n in sorted(found, reverse=True)[:_MOST_RULES]:
            yield recalled(found[n], self._title(asked, found[n].page))

    def _is_of_a_project(self, asked: Asked, fact: Fact) -> bool:
        metas = (asked.snapshot.logs.meta(piece.cited) for piece in fact.evidence)
        return any(meta is not None and meta.project for meta in metas)

    def _chosen(self, asked: Asked, floors: Floors) -> Chosen:
        return choose(
            asked.index,
            asked.query,
            pages=asked.snapshot.ledger.named,
            title=lambda slug: self._title(asked, slug),
            narrowing=asked.narrowing,
            floors=floors,
        )

    def _title(self, asked: Asked, slug: Slug) -> str:
        page = asked.snapshot.ledger.page(slug)
        return slug if page is None else page.title

    def _packed(self, words: str, asked: Asked, chosen: Chosen, budget: int) -> Recall:
        totals = asked.snapshot.lists.totals()
        searched = Searched(sources=totals.sources, passages=totals.passages, facts=totals.open_facts)
        packed = pack(words, chosen, searched, budget)
        self._tell_damage(asked, (passage.id for group in packed.groups for passage in group))
        return packed

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


def _is_owners(fact: Fact) -> bool:
    """Tell whether the owner said it first-hand: what came over MCP or from a tool begins no session as a rule."""
    return any(authority_of(piece, frozenset()) is Authority.FIRST_HAND for piece in fact.evidence)
