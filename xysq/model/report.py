"""Reports: what the jobs answer, as values that every surface renders in its own way."""

from collections.abc import Callable
from enum import StrEnum

from xysq.frozen import frozen
from xysq.model.fact import Evidence, Fact, FactId, RunId, Slug
from xysq.model.plan import Drop
from xysq.model.run import Refusal
from xysq.model.settings import Budgets
from xysq.model.source import Meta, Passage, Row, SourceId, Version, VersionKind
from xysq.model.spending import Spending

Progress = Callable[[int, int], None]  # told how much is done, and of how much


class Wait(StrEnum):
    """How far a push goes before it answers: durable; searchable; distilled."""

    LANDED = "landed"
    INDEXED = "indexed"
    DISTILLED = "distilled"


@frozen
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


@frozen
class Told:
    """One fact as a report tells it."""

    fact: FactId
    page: str
    title: str
    text: str
    replaced: str = ""


@frozen
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


@frozen
class Corrected:
    """A correction: the version it made of a source (None: a fact was corrected, or nothing differs), and its run."""

    version: Version | None
    run: RunReport | None


@frozen
class Reverted:
    """A revert: the run or source it took back, its run, and what the run alone does not tell.

    `pending` are rows that are work again, `withdrawn` counts quotes that facts of others lost.
    """

    target: str
    run: RunReport
    pending: tuple[Row, ...] = ()
    removed_pages: tuple[str, ...] = ()
    withdrawn: int = 0


@frozen
class Unadopted:
    """An edit of a page's file that could not be taken over, and stays there: where, a stable code, a sentence."""

    file: str
    line: int
    code: str
    sentence: str


@frozen
class Adopted:
    """What became of one page's edits: the run that took them over (None: there is none), or why they stay.

    `laid_out`: nothing was said otherwise; the file was laid out again as the ledger has it.
    """

    page: Slug
    file: str
    run: RunReport | None = None
    unadopted: tuple[Unadopted, ...] = ()
    laid_out: bool = False


@frozen
class Noted:
    """A note: where it landed, and the runs that distilled it at once."""

    pushed: Pushed
    runs: tuple[RunReport, ...]


@frozen
class Verdict:
    """What the gates say of a staged run; no refusals: it may be applied."""

    run: RunId
    refusals: tuple[Refusal, ...]


@frozen
class Problem:
    """When something went wrong where nobody was looking, who noticed, and what it was."""

    at: str
    who: str
    what: str


@frozen
class Tried:
    """A row that was refused when it stood alone in its run: how often, and why the last time."""

    row: Row
    attempts: int
    refusals: tuple[Refusal, ...]


@frozen
class Status:
    """Where the vault stands. `by_agents` are the newest corrections that agents made over MCP."""

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
    given_up: tuple[Tried, ...]
    unsaved_pages: tuple[str, ...]
    outdated_facts: int
    drafter: str
    drafter_trouble: str
    damaged: tuple[str, ...] = ()
    tried: tuple[Tried, ...] = ()
    problems: tuple[Problem, ...] = ()
    spent_today: Spending = Spending()
    spent_lately: Spending = Spending()
    budgets: Budgets = Budgets()
    by_agents: tuple[RunId, ...] = ()


@frozen
class Context:
    """A quote in its surroundings: the evidence, whether it stands, the passage around it, its neighbours.

    Of one whose log is damaged nothing can be said; it does not stand.
    """

    evidence: Evidence
    stands: bool
    before: str
    quote: str
    after: str
    passage: str
    title: str
    is_damaged: bool = False


@frozen
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


@frozen
class Happening:
    """One line of a history, newest first: when, in which run, what happened to what."""

    at: str
    run: str
    what: str
    subject: str
    text: str


@frozen
class Finding:
    """One thing fsck found: file and line (or offset), a stable code, a sentence. Notes are no faults."""

    file: str
    line: str
    code: str
    sentence: str
    note: bool = False


class Grade(StrEnum):
    """How something is: as it should be, worth a look, or in the way."""

    OK = "ok"
    WARNING = "warning"
    FAULT = "fault"


@frozen
class Health:
    """One thing a doctor looked at: what, how it is, in words, and what to type ("" where nothing is to be done)."""

    what: str
    grade: Grade
    sentence: str
    hint: str = ""


@frozen
class Mended:
    """One thing that was mended: which file, how, and where what was there before is kept ("" where nothing was)."""

    file: str
    sentence: str
    kept: str = ""


@frozen
class Repaired:
    """What a repair did, and what remains."""

    mended: tuple[Mended, ...]
    left: tuple[Finding, ...]


@frozen
class ShownPage:
    """A page as it is committed."""

    slug: str
    data: bytes


@frozen
class ShownFact:
    """A fact, with the title of its page."""

    fact: Fact
    title: str
    text: str


@frozen
class ShownBlock:
    """A prose block and the page it stands (or stood) on; text None where it is gone."""

    block: str
    page: str
    text: str | None
    unproven: bool


@frozen
class ShownVersion:
    """A version of a source: its meta and its passages."""

    meta: Meta
    passages: tuple[Passage, ...]


@frozen
class ShownSource:
    """A source with all its versions."""

    source: SourceId
    versions: tuple[Meta, ...]
    facts: int


@frozen
class ShownPassage:
    """One passage."""

    passage: Passage
    title: str


@frozen
class ShownRun:
    """A run's report and its record as it is kept."""

    report: RunReport
    record: bytes


Shown = ShownPage | ShownFact | ShownBlock | ShownVersion | ShownSource | ShownPassage | ShownRun
