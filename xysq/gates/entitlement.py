"""The gate about authority: who may end what.

A fact of a single-valued attribute is superseded by a higher rank only. Elsewhere, and where words close a fact, the
rules of `xysq.planner.closing` hold. Closings that follow from something else than words are believed in the runs
that make them, and a premise that fell is looked for in every run. What distilling may not do at all is asked of
`xysq.gates.remit`.
"""

from collections.abc import Mapping
from typing import assert_never

from xysq.gates.adopt import beyond_adopt
from xysq.gates.behind import fold_behind, steps, unjudged
from xysq.gates.deed import beyond_correction
from xysq.gates.merge import beyond_merge
from xysq.gates.remit import Beyond, beyond_remit
from xysq.gates.undoing import beyond_revert
from xysq.ledger.fold import Fold, Unlawful
from xysq.model.event import Event, FactClosed, LearnedLate, RunKind, Statement, SupersededBy
from xysq.model.fact import CloseReason, Evidence, Fact, Label
from xysq.model.run import Candidate, Refusal
from xysq.model.state import State
from xysq.planner.authority import Rank, Verdict, compare, folded_names, rank_of, rank_of_fact
from xysq.planner.closing import close_fault
from xysq.planner.lineage import has_fallen
from xysq.planner.witness import is_standing, is_well_formed
from xysq.text import fold

_GATE = "authority"
_BY_HAND = (RunKind.CORRECT, RunKind.ADOPT)
_KINDS: Mapping[CloseReason, tuple[RunKind, ...]] = {
    CloseReason.CORRECTED: _BY_HAND,
    CloseReason.RETRACTED: (RunKind.DISTILL, *_BY_HAND),
    CloseReason.PREMISE_CLOSED: tuple(RunKind),
    CloseReason.REVERTED: (RunKind.REVERT,),
    CloseReason.MERGED: (RunKind.PAGE,),
    CloseReason.FORGOTTEN: (RunKind.FORGET,),
}


def authority(run: Candidate, state: State) -> tuple[Refusal, ...]:
    """Nothing is superseded or closed by words of lower authority, by a weaker label, or by what was said before it.

    And a run that distils does nothing but state, confirm and close in the words it read; one that corrects, nothing
    but what its user said or its log lost; one that adopts or names pages, nothing beyond that; one that reverts,
    nothing but what undoes what it names.
    """
    after = fold_behind(run, state)
    if isinstance(after, Unlawful):
        return unjudged(_GATE, after)
    found: list[Refusal] = []
    for event, before in steps(run, state):
        match event.body:
            case SupersededBy(statement=stated, supersedes=name):
                old = before.fact(name)
                fault = None if old is None else _supersede_fault(stated, old, before, run, state)
                page, anchor = str(stated.page), str(stated.fact)
            case FactClosed(fact=name):
                old = before.fact(name)
                fault = None if old is None else _close_fault(event.body, old, before, after, run, state)
                page, anchor = ("" if old is None else old.page), str(name)
            case LearnedLate(statement=stated, superseded_by=name):
                fault = _late_fault(stated, after.fact(name))
                page, anchor = str(stated.page), str(stated.fact)
            case _:
                fault, page, anchor = None, "", ""
        beyond = _beyond(event, before, after, run, state)
        if fault is not None:
            found.append(Refusal(gate=_GATE, page=page, anchor=anchor, sentence=fault))
        elif beyond is not None:
            found.append(Refusal(gate=_GATE, page=beyond.page, anchor=beyond.anchor, sentence=beyond.sentence))
    return tuple(found)


def _beyond(event: Event, before: Fold, after: Fold, run: Candidate, state: State) -> Beyond | None:
    """Say what an event does that its kind of run may not do at all."""
    match run.kind:
        case RunKind.DISTILL:
            return beyond_remit(event, before, run, state.me)
        case RunKind.CORRECT:
            return beyond_correction(event, before, run, state)
        case RunKind.ADOPT:
            return beyond_adopt(event, before, run, state)
        case RunKind.PAGE:
            return beyond_merge(event, before, run, state)
        case RunKind.REVERT:
            return beyond_revert(event, before, after, run, state)
        case _:
            return None


def _supersede_fault(new: Statement, old: Fact, before: Fold, run: Candidate, state: State) -> str | None:
    if run.kind is RunKind.REVERT and new.revives is not None:
        return None
    if new.attribute != old.attribute:
        return f"supersedes {old.id} of another attribute"
    if new.label is Label.STATED and old.label is Label.INFERRED and fold(new.value) == fold(old.value):
        return None
    evidence = _sound(new.evidence)
    page = before.page(new.page)
    names = folded_names(page)
    rank = rank_of(evidence, new.label, names, state.archive, run.at)
    held = rank_of_fact(old, names, state.archive)
    if run.kind in _BY_HAND or (new.single and old.single):
        return _rank_fault(rank, held, old, run.kind)
    fault = close_fault(old, evidence, new.label, page, state.archive, None)
    return None if fault is None else fault.reason


def _late_fault(stated: Statement, successor: Fact | None) -> str | None:
    """Say why a fact is no history of its successor: it was never about the same."""
    if successor is None or successor.attribute == stated.attribute:
        return None
    return f"is put behind {successor.id} of another attribute"


def _rank_fault(new: Rank, held: Rank, old: Fact, kind: RunKind) -> str | None:
    verdict = compare(new, held)
    match verdict:
        case Verdict.HIGHER:
            return None
        case Verdict.LOWER_AUTHORITY:
            return f"supersedes {old.id}, which has higher authority"
        case Verdict.WEAKER_LABEL:
            return f"supersedes {old.id}, which is stated, by an inference"
        case Verdict.OLDER:
            is_same_moment = kind in _BY_HAND and new.observation.at == held.observation.at
            return None if is_same_moment else f"supersedes {old.id}, which was said since"
        case _:
            assert_never(verdict)


def _close_fault(body: FactClosed, old: Fact, before: Fold, after: Fold, run: Candidate, state: State) -> str | None:
    if run.kind not in _KINDS[body.reason]:
        return f"is closed as {body.reason.value}, which no {run.kind.value} run does"
    if body.reason is CloseReason.PREMISE_CLOSED:
        return _premise_fault(old, after, state)
    if body.reason is not CloseReason.RETRACTED or run.kind in _BY_HAND:
        return None
    fault = close_fault(old, _sound(body.evidence), Label.STATED, before.page(old.page), state.archive, None)
    return None if fault is None else f"is closed without right: {fault.reason}"


def _premise_fault(old: Fact, after: Fold, state: State) -> str | None:
    if old.label is not Label.INFERRED or any(is_standing(piece, state.archive) for piece in old.evidence):
        return "is closed for a premise, and has words of its own"
    if not any(has_fallen(premise, after.fact) for premise in old.derived_from):
        return "is closed for a premise, and all its premises hold"
    return None


def _sound(evidence: tuple[Evidence, ...]) -> tuple[Evidence, ...]:
    return tuple(piece for piece in evidence if is_well_formed(piece))
