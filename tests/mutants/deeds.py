"""Damage to what a person does: a correction, an adoption, a change of pages, a revert that does more than it may.

Only bases of these kinds are damaged, and what is added is of the kind their own runs have: it is not its form that
gives it away, only that nobody asked for it.
"""

from dataclasses import replace
from random import Random

from tests.mutants.base import Base, Mutant, statement_of
from tests.mutants.edits import new_id
from tests.mutants.operator import Family, pick
from xysq.model.event import (
    Asserted,
    Confirmed,
    FactClosed,
    PageChanged,
    PageOp,
    ProseChanged,
    ProseOp,
    RunBegun,
    RunKind,
    Withdrawn,
)
from xysq.model.fact import CloseReason, Fact, Label
from xysq.model.page import Alias, BlockId, Origin, PageState, ProseBlock
from xysq.planner.deed import USER

DEEDS = Family("what a person does")
_REASONS = {
    RunKind.CORRECT: (CloseReason.CORRECTED, CloseReason.REVERTED, CloseReason.FORGOTTEN),
    RunKind.ADOPT: (CloseReason.CORRECTED, CloseReason.REVERTED, CloseReason.FORGOTTEN),
    RunKind.PAGE: (CloseReason.CORRECTED, CloseReason.RETRACTED, CloseReason.REVERTED, CloseReason.FORGOTTEN),
    RunKind.REVERT: (CloseReason.CORRECTED, CloseReason.RETRACTED, CloseReason.FORGOTTEN),
}


def _deed(base: Base) -> bool:
    return base.run.kind in _REASONS


def _pages(base: Base) -> list[PageState]:
    """Return the pages that neither the run nor what it takes back has to do with: of others, a revert undoes more."""
    begun = base.run.events[0].body
    undone = begun.reverts if isinstance(begun, RunBegun) else ""
    return [
        page
        for page in base.pages
        if page.slug not in base.run.after and undone not in [entry.run for entry in page.changelog]
    ]


def _open_facts(base: Base) -> list[Fact]:
    """Return the facts that are open before the run and behind it."""
    ended = base.ended_later()
    return [fact for fact in base.facts if fact.is_open and fact.id not in ended]


@DEEDS
def a_fact_closed_that_nobody_meant(base: Base, luck: Random) -> Mutant | None:
    """Close an open fact beside what the run is about, in the user's name or another, for a reason that is not its."""
    fact = pick(luck, _open_facts(base)) if _deed(base) else None
    if fact is None:
        return None
    reason = luck.choice(_REASONS[base.run.kind])
    by = luck.choice((USER, "agent", "engine", "rules"))
    cause = luck.choice((str(base.run.run), fact.id, "20261130-zzzzzz@2", "x"))
    return base.added(FactClosed(fact=fact.id, reason=reason, cause=cause, by=by))


@DEEDS
def a_conclusion_closed_whose_premises_hold(base: Base, luck: Random) -> Mutant | None:
    """Close a fact as if a premise of it had fallen."""
    fact = pick(luck, _open_facts(base)) if _deed(base) else None
    if fact is None:
        return None
    cause = luck.choice((*fact.derived_from, *(other.id for other in base.facts)))
    by = luck.choice((USER, "engine", "agent"))
    return base.added(FactClosed(fact=fact.id, reason=CloseReason.PREMISE_CLOSED, cause=cause, by=by))


@DEEDS
def a_fact_stated_beside(base: Base, luck: Random) -> Mutant | None:
    """State a fact that nobody typed: words of a log, or a conclusion, in a run that a person made."""
    page, quote = pick(luck, base.pages), pick(luck, base.quotes)
    if not _deed(base) or page is None or quote is None or not base.facts:
        return None
    known = luck.choice(base.facts)
    word = luck.choice(quote.quote.split() or ["x"])
    stated = statement_of(
        known,
        fact=new_id(luck),
        page=page.slug,
        attribute=f"note-{luck.randrange(100)}",
        single=False,
        value=word,
        text=f"{page.title} {word}",
        label=luck.choice(tuple(Label)),
        evidence=(quote,),
        derived_from=luck.choice(((), (known.id,))),
    )
    return base.added(Asserted(statement=stated))


@DEEDS
def a_persons_prose_taken_out(base: Base, luck: Random) -> Mutant | None:
    """Take out or rewrite prose that a person wrote, on a page that the run does not speak of."""
    yours = [
        (page.slug, block)
        for page in _pages(base)
        for block in page.blocks
        if isinstance(block, ProseBlock) and block.origin is Origin.YOURS
    ]
    found = pick(luck, yours) if base.run.kind in (RunKind.CORRECT, RunKind.REVERT) else None
    if found is None:
        return None
    slug, block = found
    gone = ProseChanged(page=slug, block=block.block, op=ProseOp.REMOVE, text="", after="", origin=block.origin)
    other = replace(gone, op=ProseOp.REPLACE, text=f"{luck.randrange(1000)} words", origin=Origin.DRAFTED)
    return base.added(luck.choice((gone, other)))


@DEEDS
def prose_that_nobody_typed(base: Base, luck: Random) -> Mutant | None:
    """Write prose as a drafter does in a run that drafts nothing."""
    page = pick(luck, _pages(base)) if _deed(base) else None
    if page is None:
        return None
    made = ProseChanged(
        page=page.slug,
        block=BlockId(f"b-{luck.randrange(10**10):010d}"),
        op=ProseOp.INSERT,
        text=f"{luck.randrange(1000)} words.",
        after=luck.choice(("end", "top")),
        origin=luck.choice((Origin.DRAFTED, Origin.DROPPED)),
        rows=base.run.rows[:1],
    )
    return base.added(replace(made, code="unfounded") if made.origin is Origin.DROPPED else made)


@DEEDS
def another_page_renamed_or_removed(base: Base, luck: Random) -> Mutant | None:
    """Rename, merge or remove a page beside the run's own, or give it a name that nobody gave."""
    page = pick(luck, _pages(base)) if _deed(base) else None
    other = pick(luck, [one for one in base.pages if page is not None and one.slug != page.slug])
    if page is None or other is None:
        return None
    change = PageChanged(page=page.slug, op=PageOp.META, title=page.title, kind=page.kind, aliases=page.aliases)
    return base.added(
        luck.choice(
            (
                replace(change, aliases=(*page.aliases, Alias(name=f"Eve {luck.randrange(100)}"))),
                replace(change, title=f"{other.title} {luck.randrange(100)}"),
                replace(change, op=PageOp.REMOVE),
                replace(change, op=PageOp.MERGE, into=other.slug, title=other.title),
            )
        )
    )


@DEEDS
def evidence_given_or_taken(base: Base, luck: Random) -> Mutant | None:
    """Confirm a fact by words of somebody else, or take back a quote that the run has nothing to do with."""
    fact = pick(luck, [fact for fact in _open_facts(base) if fact.proofs]) if _deed(base) else None
    quote = pick(luck, [piece for piece in base.quotes if fact is None or piece not in fact.evidence])
    if fact is None or quote is None:
        return None
    taken = Withdrawn(fact=fact.id, brought_by=luck.choice(fact.proofs).n, cause=luck.choice(("x", base.run.run)))
    return base.added(luck.choice((taken, Confirmed(fact=fact.id, evidence=(quote,)))))


@DEEDS
def a_deed_in_another_name(base: Base, luck: Random) -> Mutant | None:
    """Do what a run does as a run of another kind; whoever edits a page may correct facts and names on it."""
    # A run that distils its user's own words may do no more than what correcting in these words would.
    alike = {RunKind.CORRECT: RunKind.ADOPT, RunKind.PAGE: RunKind.ADOPT}
    alike |= {RunKind.ADOPT: RunKind.CORRECT, RunKind.DISTILL: RunKind.CORRECT}
    kinds = [kind for kind in (RunKind.DISTILL, *_REASONS) if kind not in (base.run.kind, alike.get(base.run.kind))]
    return base.with_bodies(base.bodies, kind=luck.choice(kinds))
