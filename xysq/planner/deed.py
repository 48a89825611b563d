"""Deeds: what a person's deliberate change of the memory comes to, as events. Pure; nothing here asks a model.

A correction of a log closes every open fact one of whose quotes it took words out of, and what was concluded from
those; prose that was made of the words goes with them. A correction of a fact supersedes it, where the new words say
another value in the place of the old one; else it is closed and the new words are a person's prose.
"""

import re
import sys
from collections.abc import Iterable, Sequence
from typing import TypeGuard

from xysq.ledger.fold import Fold
from xysq.ledger.line import RENDER, chain
from xysq.model.event import Body, FactClosed, ProseChanged, ProseOp, RunBegun, RunKind
from xysq.model.fact import CloseReason, Evidence, Fact, FactId, RunId, Slug
from xysq.model.page import Block, Origin, ProseBlock
from xysq.model.source import Channel, Meta, SourceId
from xysq.model.state import Archive, LedgerState
from xysq.pages.escape import plain
from xysq.planner.lineage import premise_closings
from xysq.planner.witness import is_standing
from xysq.text import fold

USER, AGENT = "user", "agent"
_WORD = re.compile(r"\w+")
_ENDS = " .!?。！？"
_FEWEST_LETTERS = 3


def author(channel: Channel) -> str:
    """Return in whose name a correction is made that came by a channel: an agent speaks over MCP, else the user."""
    return AGENT if channel is Channel.MCP else USER


def behind(events: Iterable[Body], kind: RunKind, run: RunId, at: str, ledger: LedgerState) -> Fold:
    """Return the state behind the events of a run."""
    begun = RunBegun(run=run, kind=kind, rows=(), drafter=USER, render=RENDER, events=sys.maxsize, record="")
    bodies = (begun, *events)
    return Fold(ledger).extend(chain(ledger.head(), at, run, bodies, [""] * len(bodies)))


def with_conclusions(
    events: Sequence[Body], kind: RunKind, run: RunId, at: str, ledger: LedgerState, archive: Archive
) -> tuple[Body, ...]:
    """Return the events with the closings of everything that was concluded from the facts they end."""
    after = behind(events, kind, run, at, ledger)
    ended = [name for name in after.facts_touched if _ended(name, ledger, after)]
    return (*events, *premise_closings(ended, after, archive))


def _ended(name: FactId, before: LedgerState, after: LedgerState) -> bool:
    old, new = before.fact(name), after.fact(name)
    return old is not None and old.is_open and new is not None and not new.is_open


def saying_the_same(target: Fact, ledger: LedgerState) -> tuple[Fact, ...]:
    """Return a fact and the open facts of its page in the same words: a page cannot deny what it says."""
    words = fold(plain(target.text))
    same = (fact for fact in ledger.facts_of(target.page) if fact.is_open and fold(plain(fact.text)) == words)
    return (target, *(fact for fact in same if fact.id != target.id))


# Correcting a log


def lost_words(fact: Fact, source: SourceId, archive: Archive) -> bool:
    """Tell whether a correction took words out of one of a fact's quotes; `archive` knows the correction."""
    return any(piece.source == source and not is_standing(piece, archive) for piece in fact.evidence)


def corrected(facts: Iterable[Fact], meta: Meta, ledger: LedgerState, archive: Archive) -> tuple[FactClosed, ...]:
    """Return the closings of the open facts that a correction took words from."""
    lost = (fact for fact in facts if fact.is_open and lost_words(fact, meta.source, archive))
    found = {same.id: same for fact in lost for same in saying_the_same(fact, ledger)}
    by, cause = author(meta.channel), str(meta.id)
    return tuple(FactClosed(fact=name, reason=CloseReason.CORRECTED, cause=cause, by=by) for name in found)


def prose_gone(blocks: Iterable[str], ledger: LedgerState) -> tuple[ProseChanged, ...]:
    """Return the removals of prose blocks that pages still show, a person's own words excepted."""
    found: list[ProseChanged] = []
    for name in dict.fromkeys(blocks):
        slug = ledger.block_page(name)
        page = None if slug is None else ledger.page(slug)
        if page is not None:
            found += (_removal(page.slug, block) for block in page.blocks if _is_drafted(block, name))
    return tuple(found)


def _is_drafted(block: Block, name: str) -> TypeGuard[ProseBlock]:
    return isinstance(block, ProseBlock) and block.block == name and block.origin is not Origin.YOURS


def _removal(page: Slug, block: ProseBlock) -> ProseChanged:
    return ProseChanged(
        page=page, block=block.block, op=ProseOp.REMOVE, text="", after="", origin=block.origin, code=block.code
    )


class RemovedWords:
    """The words that a correction took out of a log and did not put in again elsewhere."""

    def __init__(self, removed: Iterable[str], put_in: Iterable[str]) -> None:
        """Take the texts that went and those that came."""
        gone, come = [fold(text).strip() for text in removed], " ".join(map(fold, put_in))
        self._stretches = tuple(text for text in gone if len(text) >= _FEWEST_LETTERS and text not in come)
        known = set(_WORD.findall(come))
        words = {word for text in gone for word in _WORD.findall(text)}
        self._words = {word for word in words if len(word) >= _FEWEST_LETTERS and word not in known}

    def are_in(self, text: str) -> bool:
        """Tell whether a text holds any of them."""
        folded = fold(text)
        return not self._words.isdisjoint(_WORD.findall(folded)) or any(words in folded for words in self._stretches)


# Correcting a fact


def reworded_value(fact: Fact, text: str) -> str | None:
    """Return what stands in a text where the fact's own text has its value; None where the rest differs too."""
    old, new = plain(fact.text).rstrip(_ENDS), text.strip().rstrip(_ENDS)
    place = fold(old).find(fold(fact.value)) if len(fold(old)) == len(old) else old.find(fact.value)
    if place < 0 or not fact.value:
        return None
    before, behind_it = old[:place], old[place + len(fact.value) :]
    value = new[len(before) : len(new) - len(behind_it)].strip()
    is_same = new[: len(before)].casefold() == before.casefold()
    ends_the_same = new[len(new) - len(behind_it) :].casefold() == behind_it.casefold()
    return value if value and is_same and ends_the_same and len(new) > len(before) + len(behind_it) else None


def retracted(facts: Iterable[Fact], cause: str, evidence: tuple[Evidence, ...] = ()) -> tuple[FactClosed, ...]:
    """Return the closings of facts that a person says are wrong."""
    return tuple(
        FactClosed(fact=fact.id, reason=CloseReason.RETRACTED, cause=cause, by=USER, evidence=evidence)
        for fact in facts
    )
