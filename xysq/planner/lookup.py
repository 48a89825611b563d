"""Look-ups made once: a state that remembers its answers for as long as one plan, one pass or one judgement takes.

Planner and gates ask the same few questions again and again: the facts of a page, the words at a range. Behind the
ports stand a database and files. Nothing changes them while a run is planned or judged, so the first answer is as
good as the next.
"""

from collections.abc import Callable, Hashable
from dataclasses import replace
from typing import TypeVar

from xysq.model.event import Head
from xysq.model.fact import Evidence, Fact, FactId, RunId, Slug
from xysq.model.page import PageState
from xysq.model.source import Meta, Passage, Version
from xysq.model.state import Archive, LedgerState, RunMark, State

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


def remembering(state: State) -> State:
    """Return the state with every look-up remembered."""
    return replace(state, ledger=RememberedLedger(state.ledger), archive=RememberedArchive(state.archive))


class _Once(dict[K, V]):
    """Answers by question; a question that is new is asked."""

    def __init__(self, ask: Callable[[K], V]) -> None:
        super().__init__()
        self._ask = ask

    def __missing__(self, question: K) -> V:
        answer = self[question] = self._ask(question)
        return answer


class RememberedLedger:
    """A `LedgerState` that asks another one each question once."""

    def __init__(self, ledger: LedgerState) -> None:
        """Begin with nothing asked."""
        self._head = ledger.head
        self._pages: _Once[Slug, PageState | None] = _Once(ledger.page)
        self._facts: _Once[FactId, Fact | None] = _Once(ledger.fact)
        self._of: _Once[Slug, tuple[Fact, ...]] = _Once(ledger.facts_of)
        self._named: _Once[str, tuple[Slug, ...]] = _Once(ledger.named)
        self._resting: _Once[FactId, tuple[FactId, ...]] = _Once(ledger.resting_on)
        self._blocks: _Once[str, Slug | None] = _Once(ledger.block_page)
        self._runs: _Once[int, RunMark | None] = _Once(ledger.run_of)
        self._named_runs: _Once[RunId, RunMark | None] = _Once(ledger.run_named)

    def head(self) -> Head:
        """Return the end of the ledger this state is of."""
        return self._head()

    def page(self, slug: Slug) -> PageState | None:
        """Return a page, also a merged or removed one; None where the slug was never given."""
        return self._pages[slug]

    def fact(self, fact: FactId) -> Fact | None:
        """Return a fact, open or not."""
        return self._facts[fact]

    def facts_of(self, slug: Slug) -> tuple[Fact, ...]:
        """Return every fact ever committed on a page, by event."""
        return self._of[slug]

    def named(self, folded: str) -> tuple[Slug, ...]:
        """Return the living pages that go by a folded name."""
        return self._named[folded]

    def resting_on(self, fact: FactId) -> tuple[FactId, ...]:
        """Return the facts whose `derived_from` names this one."""
        return self._resting[fact]

    def block_page(self, block: str) -> Slug | None:
        """Return the page a prose block was ever put on."""
        return self._blocks[block]

    def run_of(self, n: int) -> RunMark | None:
        """Return the run that an event belongs to; None where there is no such event."""
        return self._runs[n]

    def run_named(self, run: RunId) -> RunMark | None:
        """Return a run by its id; None where there is none."""
        return self._named_runs[run]


class RememberedArchive:
    """An `Archive` that asks another one each question once."""

    def __init__(self, archive: Archive) -> None:
        """Begin with nothing asked."""
        self._metas: _Once[Version, Meta | None] = _Once(archive.meta)
        self._words: _Once[Evidence, str | None] = _Once(archive.words)
        self._stands: _Once[Evidence, bool] = _Once(archive.stands)
        self._passages: _Once[tuple[Version, int, int, str], Passage | None] = _Once(
            lambda place: archive.passage_at(*place)
        )
        self._said: _Once[tuple[str, str], bool] = _Once(lambda words: archive.said_before(*words))
        self._same: _Once[tuple[Evidence, Evidence], bool] = _Once(lambda pair: archive.same_utterance(*pair))

    def meta(self, version: Version) -> Meta | None:
        """Return what is known of a version; None where it never landed."""
        return self._metas[version]

    def words(self, evidence: Evidence) -> str | None:
        """Return the words at the cited range; None where they are no whole words."""
        return self._words[evidence]

    def stands(self, evidence: Evidence) -> bool:
        """Tell whether the bytes are in the log and every later correction of the source kept them."""
        return self._stands[evidence]

    def passage_at(self, version: Version, start: int, end: int, enc: str) -> Passage | None:
        """Return the passage, as it is read now, that has a span around the range."""
        return self._passages[version, start, end, enc]

    def said_before(self, clause: str, moment: str) -> bool:
        """Tell whether a log pushed before the moment holds the folded clause."""
        return self._said[clause, moment]

    def same_utterance(self, one: Evidence, other: Evidence) -> bool:
        """Tell whether two quotes are of one utterance."""
        return self._same[one, other]
