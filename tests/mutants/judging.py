"""Judging mutants: which gates refuse one, what quarantine takes out of it, and whether that is as the table says.

What neither refuses nor drops is a survivor; so is a drop whose sentence is not kept or gone as it should be.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from tests.mutants.base import Base, Mutant, Stating
from xysq.gates import GATES, Gate
from xysq.gates.quarantine import Quarantined, quarantine
from xysq.model.event import Asserted, Body, LearnedLate, ProseChanged, SupersededBy
from xysq.model.fact import Label, Slug
from xysq.model.plan import Drop, DropCode, InsertFact, Plan, ReplaceFact
from xysq.model.state import State
from xysq.pages.escape import plain
from xysq.planner.prose import may_stay
from xysq.planner.witness import is_verbatim
from xysq.text import fold

STAYS = frozenset(
    (
        DropCode.QUOTE_MISMATCH,
        DropCode.VALUE_NOT_SHOWN,
        DropCode.UNCLAIMED_EVENT,
        DropCode.TWICE_CLAIMED,
        DropCode.UNFOUNDED,
    )
)


@dataclass(frozen=True, slots=True)
class Judgement:
    """What became of a mutant: the gates that refuse it, the codes of what was dropped, faults of these drops."""

    gates: frozenset[str]
    codes: frozenset[str]
    faults: tuple[str, ...]

    @property
    def survives(self) -> bool:
        """Whether it would land as it is, or quarantine treats its words wrongly."""
        return not (self.gates or self.codes) or bool(self.faults)

    @property
    def alone(self) -> str:
        """The one gate that refuses it, "" where several do: of what shrinks, declared-bytes is left aside."""
        if len(self.gates) == 1:
            return next(iter(self.gates))
        return "shrinkage" if self.gates == {"shrinkage", "declared-bytes"} else ""


def judged(mutant: Mutant, base: Base, gates: Sequence[Gate] = GATES) -> Judgement:
    """Judge one mutant."""
    run, state = mutant.run, mutant.state
    refused = frozenset(refusal.gate for gate in gates for refusal in gate(run, state))
    if run.plan == base.run.plan and state is base.state:
        return Judgement(refused, frozenset(), ())
    cleared = quarantine(run.plan, run.run, state, run.rows)
    codes = frozenset(drop.code.value for drop in cleared.drops)
    return Judgement(refused, codes, tuple(_drop_faults(run.plan, cleared, state)))


def same_in_effect(mutant: Mutant, base: Base) -> bool:
    """Tell whether a mutant is no damage at all: equal events, edits and bytes in the same state."""
    return mutant.run == base.run and mutant.state is base.state


# Drops


def _drop_faults(plan: Plan, cleared: Quarantined, state: State) -> list[str]:
    left = {body.statement.fact: body for body in cleared.plan.events if isinstance(body, Stating)}
    found = []
    for drop in cleared.drops:
        stated = [body for body in plan.events if isinstance(body, Stating) and body.statement.fact == drop.fact]
        if len(stated) != 1:
            continue  # a confirmation or closing, which shows no sentence, or a fact stated twice
        body = stated[0]
        if drop.code is DropCode.RELABELLED:
            kept = left.get(body.statement.fact)
            if kept is not None and kept.statement.label is not Label.INFERRED:
                found.append("relabelled, and not inferred")
        elif drop.code is DropCode.QUOTE_MISMATCH and body.statement.label is Label.INFERRED:
            kept = left.get(body.statement.fact)
            if kept is not None and any(not is_verbatim(piece, state.archive) for piece in kept.statement.evidence):
                found.append("a conclusion keeps a quote that is not in the log")
        else:
            found += _sentence_faults(drop, body, plan, cleared.plan, left, state)
    return found


def _sentence_faults(
    drop: Drop, body: Asserted | SupersededBy | LearnedLate, plan: Plan, after: Plan, left: object, state: State
) -> list[str]:
    stated = body.statement
    assert isinstance(left, dict)
    if stated.fact in left:
        return [f"{drop.code.value}: the fact is still there"]
    texts = [
        edit.text for edit in plan.edits if isinstance(edit, InsertFact | ReplaceFact) and edit.fact == stated.fact
    ]
    texts = [text for text in texts or [stated.text] if may_stay(text, state.limits.text_bytes)]
    if drop.code in STAYS and not isinstance(body, LearnedLate):
        words = _words_of(stated.page, after.events, state)
        gone = [text for text in texts if fold(plain(text)) not in words]
        return [f"{drop.code.value}: {text!r} is gone" for text in gone]
    written = {fold(plain(prose.text)) for prose in after.events if isinstance(prose, ProseChanged)}
    own = {fold(plain(prose.text)) for prose in plan.events if isinstance(prose, ProseChanged)}
    other = {fold(plain(text)) for text in _other_texts(plan, stated.fact)}
    return [f"{drop.code.value}: {text!r} stays" for text in texts if fold(plain(text)) in written - own - other]


def _other_texts(plan: Plan, fact: str) -> list[str]:
    statements = [body.statement for body in plan.events if isinstance(body, Stating)]
    return [stated.text for stated in statements if stated.fact != fact]


def _words_of(page: Slug, events: Sequence[Body], state: State) -> set[str]:
    """Return the folded words a page shows behind some events, and those it showed as facts that ended."""
    shown = state.ledger.page(page)
    texts = [] if shown is None else [block.text for block in shown.blocks]
    texts += [fact.text for fact in state.ledger.facts_of(page) if not fact.is_open]
    texts += [body.text for body in events if isinstance(body, ProseChanged) and body.page == page]
    texts += [body.statement.text for body in events if isinstance(body, Stating) and body.statement.page == page]
    return {fold(plain(text)) for text in texts}
