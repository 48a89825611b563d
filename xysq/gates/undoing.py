"""Undoing: what a revert may do: undo what it names, a run or a source, and nothing beside.

It closes facts of theirs and no others, takes back quotes of their giving, and states again what had ended by their
doing: as it was said before, on quotes that were there before. It makes no page but one that was removed, gives no name
that nobody had given, and leaves a page on which somebody else stated something. A run's own prose may be put back to
what it was, and so may names that it gave; of a source's, only removed, and a person's never.

What a run did to prose and names is not asked of its events, which the state does not have: its lines in the changelogs
of the pages say where it wrote or named anything, and a page that has too many lines to tell is let pass.
"""

import re
from collections.abc import Callable, Iterator
from typing import assert_never

from xysq.gates.remit import Beyond, beyond_by, follows
from xysq.ledger.fold import Fold
from xysq.model.event import (
    Asserted,
    Confirmed,
    Event,
    FactClosed,
    Forgotten,
    LearnedLate,
    PageChanged,
    PageOp,
    ProseChanged,
    ProseOp,
    RunBegun,
    RunKind,
    Statement,
    SupersededBy,
    Withdrawn,
)
from xysq.model.fact import CloseReason, Evidence, Fact, FactId, Label, RunId, Slug
from xysq.model.page import CHANGELOG_LINES, ChangelogEntry, Origin, ProseBlock
from xysq.model.run import Candidate
from xysq.model.state import LedgerState, State
from xysq.pages.escape import stands_in
from xysq.pages.slug import slugify
from xysq.planner.authority import Verdict, compare, folded_names, rank_of, rank_of_fact
from xysq.planner.deed import USER
from xysq.planner.lineage import ENGINE
from xysq.planner.returned import united
from xysq.planner.subject import living
from xysq.planner.target import Target
from xysq.planner.witness import is_standing
from xysq.text import fold

_NAMED = re.compile(r"r-[0-9]{8}T[0-9]{6}Z-[0-9a-hjkmnp-tv-z]{4}|[0-9]{8}-[0-9a-hjkmnp-tv-z]{6}")


def beyond_revert(event: Event, before: Fold, after: Fold, run: Candidate, state: State) -> Beyond | None:
    """Say what an event does that no revert may do; None where it may.

    `before` is the state before the event, `after` the one behind the whole run.
    """
    begun = run.events[0].body
    target = Target(begun.reverts if isinstance(begun, RunBegun) else "")
    body = event.body
    match body:
        case RunBegun():
            is_named = _NAMED.fullmatch(target.name) is not None
            return beyond_by("", "", None if is_named else f"takes back {target.name!r}, which is no run and no source")
        case FactClosed(fact=name):
            fact = state.ledger.fact(name)
            return beyond_by("" if fact is None else fact.page, name, _close_fault(body, fact, target, state))
        case Asserted(statement=stated):
            return beyond_by(stated.page, stated.fact, _statement_fault(stated, before, target, state))
        case SupersededBy(statement=stated, supersedes=old):
            fault = _statement_fault(stated, before, target, state)
            return beyond_by(stated.page, stated.fact, fault or _place_fault(stated, old, before, run, state))
        case LearnedLate(statement=stated):
            return beyond_by(stated.page, stated.fact, "is learned late by a revert")
        case Confirmed(fact=name, evidence=evidence):
            return beyond_by("", name, _confirm_fault(state.ledger.fact(name), evidence, target, state.ledger))
        case Withdrawn(fact=name):
            return beyond_by("", name, _withdraw_fault(body, after.fact(name), target, state))
        case ProseChanged(page=page, block=block):
            return beyond_by(page, block, _prose_fault(body, before, target, state.ledger))
        case PageChanged(page=page):
            return beyond_by(page, "", _page_fault(body, before, after, target, state.ledger))
        case Forgotten():
            return beyond_by("", "", "forgets events")
        case None:
            return None
        case _:
            assert_never(body)


# Facts


def _close_fault(body: FactClosed, fact: Fact | None, target: Target, state: State) -> str | None:
    if fact is None or body.evidence:
        return "is closed by a revert that stated it itself, or by words"
    if body.reason is CloseReason.PREMISE_CLOSED:
        is_engines = body.by == ENGINE and body.cause in fact.derived_from
        return None if is_engines else f"is closed in the name of {body.by!r}"
    if body.by != USER or body.cause != target.name:
        return f"is closed in the name of {body.by!r}, because of {body.cause!r}"
    return None if target.stated(fact, state.ledger) else f"is closed, and was not stated by {target.name}"


def _statement_fault(stated: Statement, before: Fold, target: Target, state: State) -> str | None:
    """Say in what a statement is more than a fact that had ended by the target's doing, stated again."""
    old = None if stated.revives is None else before.fact(stated.revives)
    if old is None or old.is_open:
        return "is stated by a revert, and revives nothing that had ended"
    if not _is_free(old, target, state):
        return f"revives {old.id}, which did not end by the doing of {target.name}"
    is_same = (old.attribute, old.single, old.label) == (stated.attribute, stated.single, stated.label)
    if not is_same or fold(old.value) != fold(stated.value) or (living(old.page, before) or old.page) != stated.page:
        return f"revives {old.id}, and says something else"
    if stated.text != old.text and not target.stated(old, state.ledger):
        return f"revives {old.id} in other words"
    quotes = _quotes_left(stated, old, target, state)
    if not quotes.issuperset(stated.evidence):
        return f"revives {old.id} on quotes that nobody else had given"
    known = [fact for fact in map(before.fact, old.derived_from) if fact is not None]
    for name in stated.derived_from:
        premise = before.fact(name)
        if premise is None or not any(_is_heir(premise, fact) for fact in known):
            return f"revives {old.id} on another premise, {name}"
    return None


def _is_free(old: Fact, target: Target, state: State) -> bool:
    """Tell whether a fact ended by the target's doing, or in this very run."""
    was = state.ledger.fact(old.id)
    return was is not None and (was.is_open or target.ended(was, state.ledger))


def _quotes_left(stated: Statement, old: Fact, target: Target, state: State) -> frozenset[Evidence]:
    """Return the quotes that facts of its pages have for the same value, but for those of the target's giving."""
    return frozenset(
        proof.evidence
        for slug in {stated.page, old.page}
        for fact in state.ledger.facts_of(slug)
        if fact.attribute == stated.attribute and fold(fact.value) == fold(stated.value)
        for proof in fact.proofs
        if not target.gave(proof, state.ledger)
    )


def _is_heir(premise: Fact, old: Fact) -> bool:
    """Tell whether a premise is an older one, or what took its place: that says the same."""
    return premise.attribute == old.attribute and fold(premise.value) == fold(old.value)


def _place_fault(stated: Statement, name: FactId, before: Fold, run: Candidate, state: State) -> str | None:
    """Say why a revived fact may not take the place of one that stays."""
    old = before.fact(name)
    if stated.before is not None:
        return "takes a place, and chooses another"
    if old is None or old.attribute != stated.attribute:
        return f"takes the place of {name}, of another attribute"
    if fold(old.value) == fold(stated.value):
        return None
    names = folded_names(before.page(stated.page))
    rank = rank_of(stated.evidence, stated.label, names, state.archive, run.at)
    is_higher = compare(rank, rank_of_fact(old, names, state.archive)) is Verdict.HIGHER
    return None if is_higher else f"takes the place of {name}, which weighs more"


def _confirm_fault(
    fact: Fact | None, evidence: tuple[Evidence, ...], target: Target, ledger: LedgerState
) -> str | None:
    """Say why a fact may not have these quotes: nobody else had given them, and no revert that goes had taken them."""
    if fact is None:
        return "is confirmed by the revert that states it"
    mark = ledger.run_named(RunId(target.name))
    if mark is not None and mark.kind is RunKind.REVERT:
        return None
    same = _saying_it(fact, ledger) if target.is_run else (fact,)
    others = {proof.evidence for one in same for proof in one.proofs if not target.gave(proof, ledger)}
    return None if others.issuperset(evidence) else "is confirmed by quotes that nobody else had given"


def _saying_it(fact: Fact, ledger: LedgerState) -> Iterator[Fact]:
    """Yield every fact that ever said the same on the page, or on one that was merged into it."""
    every = (one for slug in united(fact.page, ledger) for one in ledger.facts_of(slug))
    return (one for one in every if (one.attribute, fold(one.value)) == (fact.attribute, fold(fact.value)))


def _withdraw_fault(body: Withdrawn, after: Fact | None, target: Target, state: State) -> str | None:
    """Say why a quote may not be taken back: it is not the target's, or an open fact would stand on nothing."""
    fact = state.ledger.fact(body.fact)
    given = () if fact is None else tuple(proof for proof in fact.proofs if proof.n == body.brought_by)
    if not any(target.gave(proof, state.ledger) for proof in given) or body.cause != target.name:
        return f"loses a quote that {target.name} did not give it"
    if after is None or not after.is_open:
        return None
    left = [piece for piece in after.evidence if is_standing(piece, state.archive)]
    is_proven = any(stands_in(after.value, piece.quote) for piece in left)
    return None if is_proven or after.label is Label.INFERRED else "loses the last quote it stands on"


# Pages


def _may_have(slug: Slug, target: Target, ledger: LedgerState, did: Callable[[ChangelogEntry], bool]) -> bool:
    """Tell whether a run may have done something to a page or to one that was merged into it, by their changelogs."""
    pages = [page for page in map(ledger.page, united(slug, ledger)) if page is not None]
    lines = [entry for page in pages for entry in page.changelog if entry.run == target.name]
    return any(map(did, lines)) or any(len(page.changelog) == CHANGELOG_LINES for page in pages)


def _prose_fault(body: ProseChanged, before: Fold, target: Target, ledger: LedgerState) -> str | None:
    if target.is_run:
        has_written = _may_have(body.page, target, ledger, lambda entry: entry.prose > 0)
        return None if has_written else f"changes prose where {target.name} wrote none"
    if body.op is not ProseOp.REMOVE:
        return "writes prose, and takes a source back"
    page = before.page(body.page)
    shown = () if page is None else page.blocks
    is_yours = any(isinstance(b, ProseBlock) and b.block == body.block and b.origin is Origin.YOURS for b in shown)
    return "takes out a person's own prose" if is_yours else None


def _page_fault(body: PageChanged, before: Fold, after: Fold, target: Target, ledger: LedgerState) -> str | None:
    page = before.page(body.page)
    match body.op:
        case PageOp.CREATE:
            is_again = page is not None and (page.title, page.kind, page.aliases) == (
                body.title,
                body.kind,
                body.aliases,
            )
            return None if is_again else f"makes page {body.page!r}, which was not there"
        case PageOp.META if not target.is_run:
            if page is None:
                return f"names page {body.page!r}, which was not there"
            known = {alias.name: set(alias.evidence) for alias in page.aliases}
            if not all(alias.name in known and known[alias.name].issuperset(alias.evidence) for alias in body.aliases):
                return f"gives page {body.page!r} other names"
            is_title = page.title == body.title or follows(body.page, slugify(body.title))
            return None if is_title else f"calls page {body.page!r} by a name of another"
        case PageOp.META:
            has_named = _may_have(body.page, target, ledger, lambda entry: entry.named)
            return None if has_named else f"names page {body.page!r}, which {target.name} did not"
        case PageOp.REMOVE:
            is_others = any(target.leaves(fact, after) for fact in after.facts_of(body.page))
            return f"removes page {body.page!r}, where others stated something" if is_others else None
        case PageOp.MERGE:
            return f"merges page {body.page!r}"
        case _:
            assert_never(body.op)
