"""Values with sensible defaults, one override each; `Story` chains events onto a fold, one run an act.

story = Story()
alice = story.page("alice", "Alice Chen")
alice.assert_("f-1", attribute="role", value="engineer")
with story.run():                       # several acts in one run
    alice.supersede("f-2", "f-1", value="manager")
    alice.prose("b-1", "She likes it.")
story.fold.fact(FactId("f-2"))
"""

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

from xysq.canonical import instant, run_id
from xysq.ledger.fold import Fold
from xysq.ledger.line import FORMAT, GENESIS, RENDER, chain, to_line
from xysq.model.event import (
    Asserted,
    Body,
    Confirmed,
    Event,
    FactClosed,
    Forgotten,
    Head,
    LearnedLate,
    PageChanged,
    PageOp,
    ProseChanged,
    ProseOp,
    RewrittenFile,
    RunBegun,
    RunKind,
    Statement,
    SupersededBy,
    Withdrawn,
)
from xysq.model.fact import CloseReason, Evidence, Fact, FactId, Label, Life, Open, Proof, RunId, Slug
from xysq.model.page import Alias, BlockId, Origin, PageState
from xysq.model.source import Channel, Encoding, Passage, Role, Row, SourceId, Span
from xysq.model.state import LedgerState

SOURCE = SourceId("20261130-k3f9x2")
RUN = RunId("r-20261130T180400Z-ab12")
AT = "2026-11-30T18:02:11Z"
VAULT = "k3f9x2m0a1b4c5d6"
_START = datetime(2026, 11, 30, 18, 4, 0, tzinfo=UTC)


@dataclass(slots=True)
class Clock:
    """A clock that stands still until `tick`."""

    moment: datetime = _START

    def __call__(self) -> datetime:
        return self.moment

    def tick(self, seconds: float = 1) -> None:
        self.moment += timedelta(seconds=seconds)


@dataclass(slots=True)
class Entropy:
    """Bytes that look random, differ at every call and are the same in every process."""

    calls: int = 0

    def __call__(self, count: int) -> bytes:
        self.calls += 1
        return hashlib.shake_256(f"entropy {self.calls}".encode()).digest(count)


def evidence(quote: str = "I live in Boston", **changes: object) -> Evidence:
    """Return a quote from the first bytes of a log; by default the user's own words."""
    base = Evidence(
        source=SOURCE,
        version=1,
        start=0,
        end=len(quote.encode()),
        enc=Encoding.PLAIN,
        quote=quote,
        passage=1,
        speaker="Alice",
        role=Role.USER,
        channel=Channel.CLI,
        at=AT,
    )
    return replace(base, **changes)  # type: ignore[arg-type]


def passage(text: str = "I live in Boston.", **changes: object) -> Passage:
    """Return a passage of one plain span at the beginning of a log; by default a person's turn."""
    size = len(text.encode())
    base = Passage(
        source=SOURCE,
        version=1,
        number=1,
        start=0,
        end=size,
        speaker="Alice",
        role=Role.PERSON,
        at=AT,
        spans=(Span(start=0, end=size, enc=Encoding.PLAIN, text=text),),
        session_kind="talk",
    )
    return replace(base, **changes)  # type: ignore[arg-type]


def statement(value: str = "Boston", **changes: object) -> Statement:
    """Return a stated, many-valued fact about Alice; its text and quote follow from its value."""
    base = Statement(
        fact=FactId("f-0000000001"),
        page=Slug("alice"),
        attribute="note",
        single=False,
        section="",
        value=value,
        text=f"Alice: {value}.",
        label=Label.STATED,
        evidence=(evidence(f"It is {value}"),),
    )
    return replace(base, **changes)  # type: ignore[arg-type]


def fact(value: str = "Boston", life: Life | None = None, **changes: object) -> Fact:
    """Return a fact as the ledger knows it, open where no life is given."""
    stated = statement(value)
    base = Fact(
        id=stated.fact,
        page=stated.page,
        attribute=stated.attribute,
        single=stated.single,
        section=stated.section,
        value=stated.value,
        text=stated.text,
        label=stated.label,
        proofs=tuple(Proof(n=3, evidence=piece) for piece in stated.evidence),
        derived_from=(),
        supersedes=None,
        revives=None,
        at=AT,
        run=RUN,
        n=3,
        life=Open() if life is None else life,
    )
    return replace(base, **changes)  # type: ignore[arg-type]


def page_changed(slug: str = "alice", **changes: object) -> PageChanged:
    """Return the making of a person's page; its title follows from its slug."""
    base = PageChanged(page=Slug(slug), op=PageOp.CREATE, title=slug.title(), kind="person", aliases=())
    return replace(base, **changes)  # type: ignore[arg-type]


def prose_changed(text: str = "She is kind.", **changes: object) -> ProseChanged:
    """Return prose that comes to the end of Alice's page."""
    base = ProseChanged(
        page=Slug("alice"),
        block=BlockId("b-0000000001"),
        op=ProseOp.INSERT,
        text=text,
        after="end",
        origin=Origin.DRAFTED,
    )
    return replace(base, **changes)  # type: ignore[arg-type]


def run_begun(events: int = 0, **changes: object) -> RunBegun:
    """Return the first event of a run that has this many events behind it."""
    base = RunBegun(
        run=RUN, kind=RunKind.DISTILL, rows=(), drafter="rules", render=RENDER, events=events, record="0" * 64
    )
    return replace(base, **changes)  # type: ignore[arg-type]


def init_begun(**changes: object) -> RunBegun:
    """Return event 1 of a vault."""
    base = run_begun(0, kind=RunKind.INIT, drafter="", record="", format=FORMAT, vault=VAULT)
    return replace(base, **changes)  # type: ignore[arg-type]


def run_events(
    *bodies: Body,
    head: Head = GENESIS,
    run: RunId = RUN,
    kind: RunKind = RunKind.DISTILL,
    at: str = AT,
    rows: tuple[Row, ...] = (),
    drafter: str = "rules",
    reverts: str = "",
) -> tuple[Event, ...]:
    """Return the chained events of one run; behind nothing it is the init run."""
    if head == GENESIS:
        begun = init_begun(run=run, events=len(bodies))
    else:
        begun = run_begun(len(bodies), run=run, kind=kind, rows=rows, drafter=drafter, reverts=reverts)
    salts = [hashlib.sha256(f"{run} {head.n} {place}".encode()).hexdigest()[:32] for place in range(len(bodies) + 1)]
    return chain(head, at, run, (begun, *bodies), salts)


@dataclass(slots=True)
class Story:
    """A memory under way: a fold, the events it took, and a clock that goes on a minute a run."""

    base: LedgerState | None = None
    fold: Fold = field(init=False)
    events: list[Event] = field(default_factory=list)
    clock: Clock = field(default_factory=Clock)
    entropy: Entropy = field(default_factory=Entropy)
    _open: list[Body] | None = None

    def __post_init__(self) -> None:
        self.fold = Fold(self.base)
        if self.base is None:
            self.commit(kind=RunKind.INIT)

    def commit(
        self, *bodies: Body, kind: RunKind = RunKind.DISTILL, rows: tuple[Row, ...] = (), drafter: str = "rules"
    ) -> tuple[Event, ...]:
        """Make the bodies one run, or part of the run that is open."""
        if self._open is not None:
            self._open.extend(bodies)
            return ()
        run = RunId(run_id(self.clock(), self.entropy(4)))
        at = instant(self.clock())
        events = run_events(*bodies, head=self.fold.head(), run=run, kind=kind, at=at, rows=rows, drafter=drafter)
        self.fold.extend(events)
        self.events.extend(events)
        self.clock.tick(60)
        return events

    @contextmanager
    def run(
        self, kind: RunKind = RunKind.DISTILL, rows: tuple[Row, ...] = (), drafter: str = "rules"
    ) -> Iterator[None]:
        """Collect what happens inside into one run. Nothing of it is in the fold before the end."""
        self._open = []
        try:
            yield
            bodies = tuple(self._open)
        finally:
            self._open = None
        self.commit(*bodies, kind=kind, rows=rows, drafter=drafter)

    def page(self, slug: str, title: str = "", *, kind: str = "person", aliases: Sequence[str] = ()) -> "StoryPage":
        """Return a page to act on; it is made where it does not exist."""
        made = any(isinstance(body, PageChanged) and body.page == slug for body in self._open or ())
        known = self.fold.page(Slug(slug))
        if not made and (known is None or known.removed):
            names = tuple(Alias(name=name) for name in aliases)
            self.commit(page_changed(slug, title=title or slug.title(), kind=kind, aliases=names))
        return StoryPage(self, Slug(slug))

    def forget(self, *events: int, files: tuple[RewrittenFile, ...] = ()) -> None:
        """Say that the bodies of these events were emptied."""
        self.commit(Forgotten(events=events, files=files, digests=()), kind=RunKind.FORGET)

    def ledger(self) -> bytes:
        """Return the lines of all events so far."""
        return b"".join(to_line(event) for event in self.events)


@dataclass(frozen=True, slots=True)
class StoryPage:
    """What can happen on one page; every act is a run of its own, unless a run of the story is open."""

    story: Story
    slug: Slug

    @property
    def state(self) -> PageState:
        """The page as it now is."""
        page = self.story.fold.page(self.slug)
        assert page is not None
        return page

    def statement(self, name: str, value: str = "Boston", **changes: object) -> Statement:
        """Return a statement about this page under that fact id."""
        return statement(value, **{"fact": FactId(name), "page": self.slug, "text": f"It says {value}."} | changes)

    def assert_(self, name: str, value: str = "Boston", **changes: object) -> None:
        self.story.commit(Asserted(statement=self.statement(name, value, **changes)))

    def supersede(self, name: str, old: str, value: str = "Berlin", **changes: object) -> None:
        self.story.commit(
            SupersededBy(statement=self.statement(name, value, **self._like(old) | changes), supersedes=FactId(old))
        )

    def late(self, name: str, successor: str, value: str = "Bonn", **changes: object) -> None:
        changes = self._like(successor) | changes
        self.story.commit(
            LearnedLate(statement=self.statement(name, value, **changes), superseded_by=FactId(successor))
        )

    def close(
        self,
        name: str,
        reason: CloseReason = CloseReason.RETRACTED,
        *,
        cause: str = f"{SOURCE}@1",
        by: str = "user",
        quotes: tuple[Evidence, ...] = (),
    ) -> None:
        self.story.commit(FactClosed(fact=FactId(name), reason=reason, cause=cause, by=by, evidence=quotes))

    def confirm(self, name: str, *quotes: Evidence) -> None:
        self.story.commit(Confirmed(fact=FactId(name), evidence=quotes or (evidence("Still so"),)))

    def withdraw(self, name: str, brought_by: int, cause: str = "reverted") -> None:
        self.story.commit(Withdrawn(fact=FactId(name), brought_by=brought_by, cause=cause))

    def prose(self, block: str, text: str = "She is kind.", after: str = "end", **changes: object) -> None:
        self.story.commit(prose_changed(text, **{"page": self.slug, "block": BlockId(block), "after": after} | changes))

    def replace_prose(self, block: str, text: str) -> None:
        self.prose(block, text, op=ProseOp.REPLACE)

    def remove_prose(self, block: str) -> None:
        self.prose(block, "", op=ProseOp.REMOVE)

    def rename(self, title: str, *aliases: str) -> None:
        names = tuple(Alias(name=name) for name in aliases)
        self._meta(PageOp.META, title=title, aliases=names)

    def merge_into(self, slug: str) -> None:
        target = self.story.fold.page(Slug(slug))
        assert target is not None
        self._meta(PageOp.MERGE, into=Slug(slug), title=target.title)

    def remove(self) -> None:
        self._meta(PageOp.REMOVE)

    def _meta(self, op: PageOp, **changes: object) -> None:
        page = self.state
        names: dict[str, object] = {"title": page.title, "kind": page.kind, "aliases": page.aliases}
        self.story.commit(page_changed(self.slug, op=op, **names | changes), kind=RunKind.PAGE)

    def _like(self, name: str) -> dict[str, object]:
        """Return what a successor has in common with a fact that is already committed."""
        known = self.story.fold.fact(FactId(name))
        if known is None:
            return {}
        return {"attribute": known.attribute, "single": known.single, "section": known.section}
