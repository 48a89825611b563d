"""What planner and gates look things up in: the ledger's state, and the archive of logs.

Both are ports. The ledger's state is answered by a fold in memory or by the read model; the archive by the
vault's files, or by a few literals in a test. Every look-up costs what it returns, never the whole vault.
"""

from typing import Protocol

from xysq.frozen import frozen
from xysq.model.event import Head, RunKind
from xysq.model.fact import Evidence, Fact, FactId, RunId, Slug
from xysq.model.page import PageState
from xysq.model.schema import Schema
from xysq.model.settings import Limits, Me
from xysq.model.source import Meta, Passage, Row, Version


@frozen
class RunMark:
    """A run as its events name it: `n` is its first event."""

    run: RunId
    n: int
    kind: RunKind
    rows: tuple[Row, ...]


class LedgerState(Protocol):
    """The memory after some event."""

    def head(self) -> Head:
        """Return the end of the ledger this state is of."""
        ...

    def page(self, slug: Slug) -> PageState | None:
        """Return a page, also a merged or removed one; None where the slug was never given."""
        ...

    def fact(self, fact: FactId) -> Fact | None:
        """Return a fact, open or not."""
        ...

    def facts_of(self, slug: Slug) -> tuple[Fact, ...]:
        """Return every fact ever committed on a page, by event."""
        ...

    def named(self, folded: str) -> tuple[Slug, ...]:
        """Return the living pages that go by a folded name; names of merged pages lead to where they went."""
        ...

    def resting_on(self, fact: FactId) -> tuple[FactId, ...]:
        """Return the facts whose `derived_from` names this one."""
        ...

    def block_page(self, block: str) -> Slug | None:
        """Return the page a prose block was ever put on."""
        ...

    def run_of(self, n: int) -> RunMark | None:
        """Return the run that an event belongs to; None where there is no such event."""
        ...

    def run_named(self, run: RunId) -> RunMark | None:
        """Return a run by its id; None where there is none."""
        ...


class Archive(Protocol):
    """The logs, as evidence needs them."""

    def meta(self, version: Version) -> Meta | None:
        """Return what is known of a version; None where it never landed."""
        ...

    def words(self, evidence: Evidence) -> str | None:
        """Return the words at the cited range by slice and unescape; None where they are no whole words."""
        ...

    def stands(self, evidence: Evidence) -> bool:
        """Tell whether the bytes are in the log and every later correction of the source kept them."""
        ...

    def passage_at(self, version: Version, start: int, end: int, enc: str) -> Passage | None:
        """Return the passage, as it is read now, that has a span around the range; None where there is none."""
        ...

    def said_before(self, clause: str, moment: str) -> bool:
        """Tell whether a log pushed before the moment holds the folded clause."""
        ...

    def same_utterance(self, one: Evidence, other: Evidence) -> bool:
        """Tell whether two quotes are of one utterance: equal native id, or speaker, time and words."""
        ...


@frozen
class State:
    """Everything a gate may look at besides the run.

    `me` is the vault's owner. `schema` is the one a run was planned with; None where it may have changed since.
    """

    ledger: LedgerState
    archive: Archive
    limits: Limits
    me: Me = Me()
    schema: Schema | None = None
