"""Reports: what the jobs answer, as values that every surface renders in its own way."""

from dataclasses import dataclass
from enum import StrEnum

from xysq.model.fact import Evidence, Fact, FactId, RunId
from xysq.model.plan import Drop
from xysq.model.run import Refusal
from xysq.model.source import Meta, Passage, Row, SourceId, Version, VersionKind


class Wait(StrEnum):
    """How far a push goes before it answers: durable; searchable; distilled."""

    LANDED = "landed"
    INDEXED = "indexed"
    DISTILLED = "distilled"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pushed:
    """One push: the version it made, or (`kind` None) the one that already held these bytes.

    `gained` are the bytes that were stored, `passages` how many can now be searched (None where that was left for
    later), `unreadable` how many records the reader could not read.
    """

    version: Version
    kind: VersionKind | None
    name: str
    format: str
    gained: int
    passages: int | None = None
    unreadable: int = 0

    @property
    def source(self) -> SourceId:
        """The source it belongs to."""
        return self.version.source


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """One fact as a report tells it."""

    fact: FactId
    page: str
    title: str
    text: str
    replaced: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunReport:
    """One run: applied, staged or refused; what it brought and what was dropped.

    Texts are plain words. `gave_up` are rows that will not be tried again by themselves.
    """

    run: RunId
    outcome: str
    rows: tuple[Row, ...]
    drafter: str
    asserted: tuple[Told, ...] = ()
    superseded: tuple[Told, ...] = ()
    late: tuple[Told, ...] = ()
    confirmed: tuple[Told, ...] = ()
    closed: tuple[Told, ...] = ()
    drops: tuple[Drop, ...] = ()
    refusals: tuple[Refusal, ...] = ()
    gave_up: tuple[Row, ...] = ()
    commit: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Noted:
    """A note: where it landed, and the runs that distilled it at once."""

    pushed: Pushed
    runs: tuple[RunReport, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What the gates say of a staged run; no refusals: it may be applied."""

    run: RunId
    refusals: tuple[Refusal, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenUp:
    """A row that was refused too often, with its last refusals."""

    row: Row
    attempts: int
    refusals: tuple[Refusal, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """Where the vault stands."""

    root: str
    commit: str
    events: int
    sources: int
    passages: int
    pages: int
    open_facts: int
    facts: int
    pending: tuple[Row, ...]
    landed: tuple[Version, ...]
    staged: tuple[RunId, ...]
    refused: tuple[RunId, ...]
    given_up: tuple[GivenUp, ...]
    unsaved_pages: tuple[str, ...]
    outdated_facts: int
    drafter: str
    drafter_trouble: str
    damaged: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """A quote in its surroundings: the evidence, whether it stands, the passage around it, its neighbours."""

    evidence: Evidence
    stands: bool
    before: str
    quote: str
    after: str
    passage: str
    title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Why:
    """Everything a fact rests on and what rests on it. Texts of facts are plain words."""

    fact: Fact
    title: str
    text: str
    contexts: tuple[Context, ...]
    predecessors: tuple[Fact, ...]
    successor: Fact | None
    premises: tuple[Fact, ...]
    conclusions: tuple[Fact, ...]
    run: RunId
    drafter: str
    model: str
    ending: tuple[Context, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Happening:
    """One line of a history, newest first: when, in which run, what happened to what."""

    at: str
    run: str
    what: str
    subject: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing fsck found: file and line (or offset), a stable code, a sentence. Notes are no faults."""

    file: str
    line: str
    code: str
    sentence: str
    note: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownPage:
    """A page as it is committed."""

    slug: str
    data: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownFact:
    """A fact, with the title of its page."""

    fact: Fact
    title: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownBlock:
    """A prose block and the page it stands (or stood) on; text None where it is gone."""

    block: str
    page: str
    text: str | None
    unproven: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownVersion:
    """A version of a source: its meta and its passages."""

    meta: Meta
    passages: tuple[Passage, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownSource:
    """A source with all its versions."""

    source: SourceId
    versions: tuple[Meta, ...]
    facts: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownPassage:
    """One passage."""

    passage: Passage
    title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownRun:
    """A run's report and its record as it is kept."""

    report: RunReport
    record: bytes


Shown = ShownPage | ShownFact | ShownBlock | ShownVersion | ShownSource | ShownPassage | ShownRun
