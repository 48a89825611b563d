"""Merging: two pages about one thing become one, as events. Pure; no fact's text is touched.

Each open fact of the page that goes is stated again on the page that stays, with its evidence, and closed as merged:
the fact that carries it is its cause. Where the page that stays says the same already, that fact carries it, and gains
the evidence; where an attribute takes one value and has another, the higher rank is open and the other is history.
What was ended on the page that stays is not brought back by the merge (P11). Prose moves along, unless it stands there
already. The names of the page that goes become aliases of the one that stays, and what rested on moved facts rests on
those that carry them.
"""

from collections.abc import Mapping

from xysq.canonical import derived_id
from xysq.ledger.line import chain
from xysq.model.event import (
    Asserted,
    Body,
    Confirmed,
    FactClosed,
    LearnedLate,
    PageChanged,
    PageOp,
    ProseChanged,
    ProseOp,
    RunKind,
    Statement,
    SupersededBy,
)
from xysq.model.fact import CloseReason, Evidence, Fact, FactId, Label, RunId, Slug
from xysq.model.page import Alias, BlockId, Origin, PageState, ProseBlock
from xysq.model.state import State
from xysq.pages.escape import stands_in
from xysq.planner.authority import Verdict, compare, folded_names, rank_of, rank_of_fact
from xysq.planner.deed import USER, behind
from xysq.planner.lineage import holder_of
from xysq.planner.naming import called, with_names
from xysq.planner.prose import END, Wording
from xysq.planner.returned import Claim, brought_back
from xysq.planner.witness import is_standing, is_well_formed
from xysq.text import fold

Written = Mapping[BlockId, ProseChanged]


def merging(gone: PageState, into: PageState, written: Written, run: RunId, at: str, state: State) -> tuple[Body, ...]:
    """Return the events that merge a page into another; `written` are the events that last wrote its prose."""
    merge = _Merge(gone, into, run, at, state)
    merge.take_names()
    facts = [fact for fact in state.ledger.facts_of(gone.slug) if fact.is_open]
    for fact in sorted(facts, key=lambda fact: (fact.label is Label.INFERRED, fact.n)):
        merge.carry(fact)
    merge.move_prose(written)
    title = PageChanged(
        page=gone.slug, op=PageOp.MERGE, title=into.title, kind=gone.kind, aliases=gone.aliases, into=into.slug
    )
    return (*merge.bodies, title)


class _Merge:
    """A merge under way: its events so far, and which fact carries each that was moved."""

    def __init__(self, gone: PageState, into: PageState, run: RunId, at: str, state: State) -> None:
        self._gone, self._into = gone, into
        self._run, self._at, self._state = run, at, state
        self._carriers: dict[FactId, FactId] = {}
        self._now = behind((), RunKind.PAGE, run, at, state.ledger)
        self._most = max(1, state.limits.quotes)
        self.bodies: list[Body] = []

    def take_names(self) -> None:
        gone, into = self._gone, self._into
        slug = (Alias(name=gone.slug),)  # exactly so: it is how the two pages are known to be one
        kept = tuple(alias for alias in into.aliases if fold(alias.name) != fold(gone.slug))
        new = (*slug, Alias(name=gone.title), *gone.aliases)
        self._put(called(into, into.title, into.kind, with_names(kept, new, {into.title, into.slug})))

    def carry(self, fact: Fact) -> None:
        """State a fact where it goes, and close it where it was."""
        claim = Claim(
            page=self._into.slug,
            attribute=fact.attribute,
            value=fact.value,
            label=fact.label,
            evidence=tuple(filter(is_well_formed, fact.evidence)),
        )
        lost = self._lost_premise(fact)
        same = next((one for one in self._open_like(fact) if fold(one.value) == fold(fact.value)), None)
        ended = brought_back(claim, self._now, self._state.archive) if same is None else None
        if lost is not None:
            carrier = lost
        elif same is not None:
            carrier = self._join(fact, same)
        elif ended is not None:
            carrier = ended.id
        else:
            carrier = self._state_again(fact)
        self._carriers[fact.id] = carrier
        self._put(FactClosed(fact=fact.id, reason=CloseReason.MERGED, cause=carrier, by=USER))

    def move_prose(self, written: Written) -> None:
        wording, shown = Wording(self._now), [block.text for block in self._into.blocks]
        for place, block in enumerate(block for block in self._gone.blocks if isinstance(block, ProseBlock)):
            self._put(_prose(self._gone.slug, block, block.block, ProseOp.REMOVE, written))
            is_new = wording.add(self._into.slug, block.text)
            if is_new or (block.origin is Origin.YOURS and block.text not in shown):
                name = derived_id("b", self._run, str(place), self._is_block)
                self._put(_prose(self._into.slug, block, BlockId(name), ProseOp.INSERT, written))

    def _put(self, body: Body) -> None:
        self.bodies.append(body)
        self._now.extend(chain(self._now.head(), self._at, self._run, (body,), ("",)))

    def _open_like(self, fact: Fact) -> tuple[Fact, ...]:
        """Return the open facts of the page that stays which are about the same."""
        facts = self._now.facts_of(self._into.slug)
        return tuple(one for one in facts if one.is_open and one.attribute == fact.attribute)

    def _lost_premise(self, fact: Fact) -> FactId | None:
        """Return the carrier of a premise that is not held where everything goes; None where all are, or words hold."""
        if fact.label is Label.STATED or any(is_standing(piece, self._state.archive) for piece in fact.evidence):
            return None
        premises = (self._carriers.get(name, name) for name in fact.derived_from)
        return next((name for name in premises if holder_of(name, self._now.fact) is None), None)

    def _join(self, fact: Fact, same: Fact) -> FactId:
        """Let the fact that says the same carry this one; return which it is then."""
        if fact.label is Label.STATED and same.label is Label.INFERRED:
            statement = self._statement(fact)
            self._put(SupersededBy(statement=statement, supersedes=same.id))
            return statement.fact
        if fact.label is Label.STATED:
            self._confirm(same, tuple(piece for piece in fact.evidence if piece not in same.evidence))
        return same.id

    def _confirm(self, fact: Fact, evidence: tuple[Evidence, ...]) -> None:
        for start in range(0, len(evidence), self._most):
            pieces = evidence[start : start + self._most]
            if any(stands_in(fact.value, piece.quote) for piece in pieces):
                self._put(Confirmed(fact=fact.id, evidence=pieces))

    def _state_again(self, fact: Fact) -> FactId:
        statement = self._statement(fact)
        held = next((one for one in self._open_like(fact) if one.single and fact.single), None)
        if held is None:
            self._put(Asserted(statement=statement))
        elif self._goes_before(statement, held):
            self._put(SupersededBy(statement=statement, supersedes=held.id))
        else:
            self._put(LearnedLate(statement=statement, superseded_by=held.id))
        stated = self._now.fact(statement.fact)
        if stated is not None and stated.is_open:
            self._confirm(stated, self._strongest_first(fact)[len(statement.evidence) :])
        return statement.fact

    def _strongest_first(self, fact: Fact) -> tuple[Evidence, ...]:
        """Return the quotes of a fact, those that prove it first: a run states so many at once and no more."""

        def is_weak(piece: Evidence) -> bool:
            return not (stands_in(fact.value, piece.quote) and is_standing(piece, self._state.archive))

        return tuple(sorted(fact.evidence, key=is_weak)) if len(fact.evidence) > self._most else fact.evidence

    def _goes_before(self, new: Statement, held: Fact) -> bool:
        names, archive = folded_names(self._now.page(self._into.slug)), self._state.archive
        evidence: tuple[Evidence, ...] = tuple(filter(is_well_formed, new.evidence))
        rank = rank_of(evidence, new.label, names, archive, self._at)
        return compare(rank, rank_of_fact(held, names, archive)) is Verdict.HIGHER

    def _statement(self, fact: Fact) -> Statement:
        premises = (self._carriers.get(name, name) for name in fact.derived_from)
        return Statement(
            fact=FactId(derived_id("f", self._run, str(len(self._carriers)), self._is_fact)),
            page=self._into.slug,
            attribute=fact.attribute,
            single=fact.single,
            section=fact.section,
            value=fact.value,
            text=fact.text,
            label=fact.label,
            evidence=self._strongest_first(fact)[: self._most],
            derived_from=tuple(name for name in premises if holder_of(name, self._now.fact) is not None),
        )

    def _is_fact(self, name: str) -> bool:
        return self._state.ledger.fact(FactId(name)) is not None

    def _is_block(self, name: str) -> bool:
        return self._state.ledger.block_page(name) is not None


def _prose(page: Slug, block: ProseBlock, name: BlockId, op: ProseOp, written: Written) -> ProseChanged:
    came = written.get(block.block) if op is ProseOp.INSERT else None
    return ProseChanged(
        page=page,
        block=name,
        op=op,
        text=block.text if op is ProseOp.INSERT else "",
        after=END if op is ProseOp.INSERT else "",
        origin=block.origin,
        code=block.code,
        quotes=() if came is None else came.quotes,
        rows=() if came is None else came.rows,
    )
