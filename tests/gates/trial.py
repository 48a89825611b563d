"""A run on trial: bodies on top of a story, made into the candidate the gates see."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from tests.archive import LiteralArchive
from tests.builders import Story, run_events
from xysq.gates.blocks import bijection, changelog, closed_shown, fact_behind_block, frozen_text, value_shown
from xysq.gates.bytes import conflict_markers, declared_bytes, shrinkage, structure
from xysq.ledger.fold import Fold
from xysq.model.event import Body, RunKind
from xysq.model.fact import FactId, RunId, Slug
from xysq.model.plan import Edit, Plan
from xysq.model.run import Candidate, Refusal
from xysq.model.settings import Limits
from xysq.model.state import State
from xysq.pages.declare import edit_of
from xysq.pages.render import render

RUN = RunId("r-20261130T190000Z-cccc")
NOW = "2026-11-30T19:00:00Z"
ALICE = Slug("alice")
Gate = Callable[[Candidate, State], tuple[Refusal, ...]]
GATES: tuple[Gate, ...] = (
    declared_bytes,
    frozen_text,
    changelog,
    bijection,
    fact_behind_block,
    closed_shown,
    value_shown,
    conflict_markers,
    shrinkage,
    structure,
)


@dataclass(frozen=True, slots=True)
class Trial:
    """A candidate and the state it is judged in."""

    run: Candidate
    state: State

    def after(self, old: bytes, new: bytes, page: Slug = ALICE) -> "Trial":
        """Put other bytes into the page the run would leave."""
        assert old in self.run.after[page]
        return self.leaving({**self.run.after, page: self.run.after[page].replace(old, new, 1)})

    def leaving(self, after: Mapping[Slug, bytes]) -> "Trial":
        return replace(self, run=replace(self.run, after=after))

    def declaring(self, *edits: Edit) -> "Trial":
        return replace(self, run=replace(self.run, plan=replace(self.run.plan, edits=edits)))

    def refused(self) -> set[str]:
        """Return the names of the gates that refuse."""
        return {refusal.gate for gate in GATES for refusal in gate(self.run, self.state)}


def trial(story: Story, *bodies: Body, edits: Sequence[Edit] | None = None, kind: RunKind = RunKind.DISTILL) -> Trial:
    """Return the run that these bodies would be, with the edits that belong to them."""
    fold = story.fold
    events = run_events(*bodies, head=fold.head(), run=RUN, kind=kind, at=NOW)
    behind = Fold(fold).extend(events)

    def page_of(name: FactId) -> Slug | None:
        fact = behind.fact(name)
        return None if fact is None else fact.page

    declared = [edit for edit in (edit_of(body, page_of) for body in bodies) if edit is not None]
    pages = behind.pages_touched
    before = {slug: b"" if (page := fold.page(slug)) is None else render(page) for slug in pages}
    after = {slug: b"" if (page := behind.page(slug)) is None else render(page) for slug in pages}
    run = Candidate(
        run=RUN,
        kind=kind,
        at=NOW,
        base=fold.head(),
        rows=(),
        drafter="rules",
        plan=Plan(edits=tuple(declared if edits is None else edits), events=bodies),
        events=events,
        before=before,
        after=after,
    )
    return Trial(run, State(ledger=fold, archive=LiteralArchive(), limits=Limits()))
