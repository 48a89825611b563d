"""Remit: what a distilling run may do at all, whatever its words are.

Distilling reads what was said. It makes pages, states facts, confirms and closes them in somebody's words, and puts
sentences beside them. It renames, merges and removes no page, gives no names, takes no evidence back, forgets nothing,
and neither changes a person's prose nor writes any in a person's name. Runs of other kinds are a person's deliberate
doing, and may.
"""

import re
from typing import assert_never

from xysq.frozen import frozen
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
    Statement,
    SupersededBy,
    Withdrawn,
)
from xysq.model.fact import CloseReason, Fact
from xysq.model.page import Origin
from xysq.model.plan import DropCode
from xysq.model.run import Candidate
from xysq.model.settings import Me
from xysq.pages.slug import is_slug, slugify
from xysq.planner.authority import folded_names
from xysq.planner.lineage import ENGINE
from xysq.planner.subject import find
from xysq.planner.voice import voice_fault

_NUMBERED = re.compile(r"(.+)-[0-9]{1,9}")
_DROPPED = frozenset(code.value for code in DropCode)


@frozen
class Beyond:
    """What an event does beyond the remit, and where."""

    page: str
    anchor: str
    sentence: str


def beyond_by(page: str, anchor: str, fault: str | None) -> Beyond | None:
    """Return a fault with its place; None where there is none."""
    return None if fault is None else Beyond(page=page, anchor=anchor, sentence=fault)


def beyond_remit(event: Event, before: Fold, run: Candidate, me: Me) -> Beyond | None:
    """Say what an event does that no distilling run may do; None where it may. `before` is the state before it."""
    body = event.body
    match body:
        case PageChanged(page=page):
            return beyond_by(page, "", _page_fault(body, before))
        case Asserted(statement=stated) | SupersededBy(statement=stated):
            names = folded_names(before.page(stated.page))
            fault = _statement_fault(stated) or voice_fault(stated.attribute, stated.evidence, names, me)
            return beyond_by(stated.page, stated.fact, fault)
        case LearnedLate(statement=stated):
            return beyond_by(stated.page, stated.fact, _statement_fault(stated))
        case FactClosed(fact=name):
            fact = before.fact(name)
            return beyond_by("" if fact is None else fact.page, name, _close_fault(body, fact, run))
        case ProseChanged(page=page, block=block):
            return beyond_by(page, block, _prose_fault(body, run))
        case Withdrawn(fact=name):
            return beyond_by("", name, "takes evidence back")
        case Forgotten():
            return beyond_by("", "", "forgets events")
        case Confirmed() | RunBegun() | None:
            return None
        case _:
            assert_never(body)


def _statement_fault(stated: Statement) -> str | None:
    if stated.before is not None:
        return f"chooses its place, before {stated.before}"
    return None if stated.revives is None else f"revives {stated.revives}"


def _page_fault(body: PageChanged, before: Fold) -> str | None:
    """Say what is wrong with a page that is made: its slug follows from its title, and nobody goes by that yet."""
    if body.op is not PageOp.CREATE:
        return f"changes page {body.page!r} as a whole ({body.op.value})"
    if body.aliases:
        return f"gives page {body.page!r} other names"
    if not follows(body.page, slugify(body.title)):
        return f"makes page {body.page!r}, which is no slug of its title"
    if find(body.title, before):
        return f"makes a second page that goes by {body.title!r}"
    return None


def follows(slug: str, base: str) -> bool:
    """Tell whether a slug is the one of a title, or that with a number behind it (and cut to make room)."""
    numbered = _NUMBERED.fullmatch(slug)
    return is_slug(slug) and (slug == base or (numbered is not None and base.startswith(numbered[1])))


def _close_fault(body: FactClosed, fact: Fact | None, run: Candidate) -> str | None:
    """Say what a closing claims falsely: who ended the fact, and by what."""
    if body.reason is CloseReason.RETRACTED:
        if body.by != run.drafter:
            return f"is closed in the name of {body.by!r}"
        causes: tuple[str, ...] = tuple(str(piece.cited) for piece in body.evidence)
    elif body.reason is CloseReason.PREMISE_CLOSED:
        if body.by != ENGINE or body.evidence:
            return f"is closed for a premise in the name of {body.by!r}"
        causes = () if fact is None else fact.derived_from
    else:
        return None  # what other reasons need is asked by the gate itself
    return None if body.cause in causes else f"is closed because of {body.cause!r}, which has no part in it"


def _prose_fault(body: ProseChanged, run: Candidate) -> str | None:
    if body.op is not ProseOp.INSERT:
        return f"changes prose that is there ({body.op.value})"
    if body.origin is Origin.YOURS:
        return "writes prose in a person's name"
    if body.code not in (_DROPPED if body.origin is Origin.DROPPED else ("",)):
        return f"writes prose that is dropped as {body.code!r}"
    if not set(body.rows) <= set(run.rows):
        return "writes prose out of rows that are not the run's"
    return None
