"""A small world: a literal archive, a ledger, and the write path between them as pure functions.

world = World()
world.tell(turn("I live in Boston."))
planned = world.plan(drafted("I", "location", "Boston"))
world.land(planned.plan)
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from tests.archive import LiteralArchive, Turn
from tests.builders import Story, run_events
from xysq.gates.quarantine import Quarantined, quarantine
from xysq.ledger.fold import Fold, Unlawful
from xysq.model.draft import Draft, DraftClose, DraftEdit, DraftFact, DraftQuote
from xysq.model.event import (
    Asserted,
    Body,
    Confirmed,
    Event,
    FactClosed,
    LearnedLate,
    ProseChanged,
    RunKind,
    SupersededBy,
)
from xysq.model.fact import Fact, Label, RunId, Slug
from xysq.model.plan import Plan
from xysq.model.run import Candidate
from xysq.model.schema import Schema
from xysq.model.settings import Limits, Me
from xysq.model.source import Channel, Passage, Row
from xysq.model.state import State
from xysq.pages.render import render
from xysq.planner.order import Planned, PlanOrder
from xysq.planner.plan import plan

RUN = RunId("r-20261130T181000Z-aaaa")
NOW = "2026-11-30T18:10:00Z"


def drafted(
    subject: str = "I",
    attribute: str = "location",
    value: str = "Boston",
    *,
    text: str | None = None,
    passage: int = 1,
    quote: str | None = None,
    label: Label = Label.STATED,
    quotes: Sequence[DraftQuote] | None = None,
    **changes: object,
) -> DraftFact:
    """Return a drafted fact whose text shows its value; by default it points at the first passage, whole."""
    base = DraftFact(
        ref=f"{subject}/{attribute}/{value}",
        subject=subject,
        attribute=attribute,
        value=value,
        text=f"The {attribute} is {value}." if text is None else text,
        label=label,
        quotes=(DraftQuote(passage=passage, text=quote),) if quotes is None else tuple(quotes),
    )
    return replace(base, **changes)  # type: ignore[arg-type]


def inferred(subject: str, attribute: str, value: str, *premises: str, **changes: object) -> DraftFact:
    """Return a drafted conclusion without a quote."""
    return drafted(subject, attribute, value, label=Label.INFERRED, quotes=(), derived_from=premises, **changes)  # type: ignore[arg-type]


def closing(fact: str, passage: int = 1, quote: str | None = None) -> DraftClose:
    """Return a drafted closing."""
    return DraftClose(fact=fact, quotes=(DraftQuote(passage=passage, text=quote),))


def block(page: str, text: str, *claims: str, after: str = "end", op: str = "insert") -> DraftEdit:
    """Return a drafted block."""
    return DraftEdit(page=page, op=op, after=after, text=text, claims=claims)


@dataclass(slots=True)
class World:
    """What is told, what is known, and what happens next."""

    archive: LiteralArchive = field(default_factory=LiteralArchive)
    story: Story = field(default_factory=Story)
    me: Me = field(default_factory=lambda: Me(name="Mia Voss", aliases=("Mia",)))
    schema: Schema = field(default_factory=Schema)
    limits: Limits = field(default_factory=Limits)
    project: str = ""
    passages: tuple[Passage, ...] = ()
    runs: int = 0

    def tell(self, *turns: Turn, source: str = "talk", channel: Channel = Channel.CLI, pushed_at: str = "") -> None:
        """Push a source; its passages are those of the next draft."""
        when = {"pushed_at": pushed_at} if pushed_at else {}
        self.passages = self.archive.push(source, *turns, channel=channel, **when)  # type: ignore[arg-type]

    def also(self, *turns: Turn, source: str) -> None:
        """Push a second source for the same draft."""
        self.passages += self.archive.push(source, *turns)

    @property
    def state(self) -> State:
        return State(ledger=self.story.fold, archive=self.archive, limits=self.limits, me=self.me, schema=self.schema)

    @property
    def rows(self) -> tuple[Row, ...]:
        found: dict[tuple[str, int], Row] = {}
        for passage in self.passages:
            old = found.get((passage.source, passage.version))
            start, end = (passage.start, passage.end) if old is None else (old.start, passage.end)
            found[passage.source, passage.version] = Row(passage.source, passage.version, start, end)
        return tuple(found.values())

    def order(
        self,
        *facts: DraftFact,
        closes: Sequence[DraftClose] = (),
        edits: Sequence[DraftEdit] | None = None,
        at: str = NOW,
    ) -> PlanOrder:
        return PlanOrder(
            run=self.next_run,
            kind=RunKind.DISTILL,
            at=at,
            rows=self.rows,
            drafter="rules",
            draft=Draft(facts=facts, closes=tuple(closes), edits=None if edits is None else tuple(edits)),
            passages=self.passages,
            project=self.project,
            state=self.state,
            schema=self.schema,
            me=self.me,
            raw=self.archive.raw,
        )

    def plan(
        self,
        *facts: DraftFact,
        closes: Sequence[DraftClose] = (),
        edits: Sequence[DraftEdit] | None = None,
        at: str = NOW,
    ) -> Planned:
        return plan(self.order(*facts, closes=closes, edits=edits, at=at))

    def quarantine(self, judged: Plan) -> Quarantined:
        return quarantine(judged, RUN, self.state, self.rows)

    def learn(
        self,
        *facts: DraftFact,
        closes: Sequence[DraftClose] = (),
        edits: Sequence[DraftEdit] | None = None,
        at: str = NOW,
    ) -> Planned:
        """Plan, quarantine and land; return the plan that landed, with all drops."""
        planned = self.plan(*facts, closes=closes, edits=edits, at=at)
        left = self.quarantine(planned.plan)
        self.land(left.plan, at=at)
        return Planned(plan=left.plan, drops=(*planned.drops, *left.drops))

    def land(self, plan: Plan, kind: RunKind = RunKind.DISTILL, at: str = NOW, reverts: str = "") -> None:
        """Fold a plan as the next run."""
        candidate = self.candidate(plan, kind=kind, at=at, reverts=reverts)
        self.story.fold.extend(candidate.events)
        self.story.events.extend(candidate.events)
        self.runs += 1

    @property
    def next_run(self) -> RunId:
        return RunId(f"r-20261130T181000Z-{self.runs:04d}")

    def candidate(
        self, plan: Plan, kind: RunKind = RunKind.DISTILL, at: str = NOW, reverts: str = "", **changes: object
    ) -> Candidate:
        """Return a plan as the gates see it, with the pages it would leave where it can be folded."""
        run, head = self.next_run, self.story.fold.head()
        events = run_events(
            *plan.events, head=head, run=run, kind=kind, at=at, rows=self.rows, drafter="rules", reverts=reverts
        )
        after = Fold(self.story.fold).extend(events) if is_lawful(self.story.fold, events) else None
        slugs = () if after is None else after.pages_touched
        pages = {slug: (self.story.fold.page(slug), None if after is None else after.page(slug)) for slug in slugs}
        base = Candidate(
            run=run,
            kind=kind,
            at=at,
            base=head,
            rows=self.rows,
            drafter="rules",
            plan=plan,
            events=events,
            before={slug: b"" if old is None else render(old) for slug, (old, _) in pages.items()},
            after={slug: b"" if new is None else render(new) for slug, (_, new) in pages.items()},
        )
        return replace(base, **changes)  # type: ignore[arg-type]

    def facts(self, slug: str, *, is_open: bool = True) -> tuple[Fact, ...]:
        return tuple(fact for fact in self.story.fold.facts_of(Slug(slug)) if fact.is_open is is_open)

    def values(self, slug: str) -> set[str]:
        """Return the values a page shows."""
        return {fact.value for fact in self.facts(slug)}


def is_lawful(base: Fold, events: Sequence[Event]) -> bool:
    """Tell whether events may follow a ledger."""
    try:
        Fold(base).extend(events)
    except Unlawful:
        return False
    return True


def kinds(planned: Planned | Plan | Quarantined) -> list[str]:
    """Return the events of a plan in words, page events left out."""
    events = planned.events if isinstance(planned, Plan) else planned.plan.events
    return [word for word in map(_word, events) if word]


def _word(body: Body) -> str:
    match body:
        case Asserted(statement=stated):
            return f"assert {stated.value}"
        case SupersededBy(statement=stated):
            return f"supersede {stated.value}"
        case LearnedLate(statement=stated):
            return f"late {stated.value}"
        case FactClosed(reason=reason):
            return f"close {reason.value}"
        case Confirmed():
            return "confirm"
        case ProseChanged():
            return "prose"
        case _:
            return ""


def codes(planned: Planned | Quarantined) -> list[str]:
    """Return the codes of all drops."""
    return [drop.code.value for drop in planned.drops]
