"""Deed: what a deliberate run may do, kind by kind, whoever wrote it down.

A correction closes what it says it took words from, supersedes or closes what its user spoke of, and takes prose out
or puts a person's own in. It makes no page, renames none, takes no evidence back and forgets nothing.
"""

from typing import assert_never

from xysq.errors import BadInput
from xysq.gates.remit import Beyond, beyond_by
from xysq.ledger.fold import Fold
from xysq.model.event import (
    Asserted,
    Confirmed,
    Event,
    FactClosed,
    Forgotten,
    LearnedLate,
    PageChanged,
    ProseChanged,
    ProseOp,
    RunBegun,
    Statement,
    SupersededBy,
    Withdrawn,
)
from xysq.model.fact import CloseReason, Evidence, Fact, Label
from xysq.model.page import Origin, ProseBlock
from xysq.model.run import Candidate
from xysq.model.source import Role, Version
from xysq.model.state import Archive, State
from xysq.planner.deed import USER, author, lost_words, saying_the_same
from xysq.planner.lineage import ENGINE


def beyond_correction(event: Event, before: Fold, run: Candidate, state: State) -> Beyond | None:
    """Say what an event does that no correction may do; None where it may. `before` is the state before it."""
    body = event.body
    match body:
        case SupersededBy(statement=stated):
            return beyond_by(stated.page, stated.fact, statement_fault(stated) or _words_fault(stated.evidence, run))
        case FactClosed(fact=name):
            fact = before.fact(name)
            page = "" if fact is None else str(fact.page)
            return beyond_by(page, name, None if fact is None else close_fault(body, fact, before, run, state.archive))
        case ProseChanged(page=page, block=block):
            return beyond_by(page, block, _prose_fault(body, before))
        case Asserted(statement=stated) | LearnedLate(statement=stated):
            return beyond_by(stated.page, stated.fact, "is stated beside the others by a correction")
        case PageChanged(page=page):
            return beyond_by(page, "", "changes a page as a whole")
        case Withdrawn(fact=name):
            return beyond_by("", name, "takes evidence back")
        case Forgotten():
            return beyond_by("", "", "forgets events")
        case Confirmed(fact=name, evidence=evidence):
            is_users = all(piece.role is Role.USER for piece in evidence)
            fault = None if is_users else "is confirmed by words that are not the user's"
            return beyond_by("", name, fault or _words_fault(evidence, run))
        case RunBegun() | None:
            return None
        case _:
            assert_never(body)


def _words_fault(evidence: tuple[Evidence, ...], run: Candidate) -> str | None:
    """Say why words are not those in which the user made this correction: they are in none of its rows."""
    read = {Version(row.source, row.version) for row in run.rows}
    return None if all(piece.cited in read for piece in evidence) else "rests on words that did not make the correction"


def statement_fault(stated: Statement) -> str | None:
    """Say why a statement is not its user's own."""
    is_plain = stated.revives is None and stated.before is None and not stated.derived_from
    if stated.label is not Label.STATED or not is_plain:
        return "supersedes a fact by something else than a statement"
    if not all(piece.role is Role.USER for piece in stated.evidence):
        return "supersedes a fact in words that are not the user's"
    return None


def close_fault(body: FactClosed, fact: Fact, before: Fold, run: Candidate, archive: Archive) -> str | None:
    """Say why a closing is neither its user's, nor a correction's, nor what follows from another."""
    match body.reason:
        case CloseReason.CORRECTED:
            return None if _is_corrected(body, fact, before, archive) else "is closed, and lost no words of its quotes"
        case CloseReason.RETRACTED:
            causes = (str(run.run), *(str(piece.cited) for piece in body.evidence))
            is_users = body.by == USER and all(piece.role is Role.USER for piece in body.evidence)
            return None if is_users and body.cause in causes else "is closed by somebody else than the user"
        case _:
            is_engines = body.by == ENGINE and body.cause in fact.derived_from
            return None if is_engines and not body.evidence else f"is closed in the name of {body.by!r}"


def _is_corrected(body: FactClosed, fact: Fact, before: Fold, archive: Archive) -> bool:
    try:
        version = Version.parse(body.cause)
    except BadInput:
        return False
    meta = archive.meta(version)
    is_theirs = meta is not None and body.by == author(meta.channel) and not body.evidence
    return is_theirs and any(lost_words(one, version.source, archive) for one in saying_the_same(fact, before))


def _prose_fault(body: ProseChanged, before: Fold) -> str | None:
    if body.op is ProseOp.REMOVE:
        page = before.page(body.page)
        shown = () if page is None else page.blocks
        is_yours = any(isinstance(b, ProseBlock) and b.block == body.block and b.origin is Origin.YOURS for b in shown)
        return "takes out a person's own prose" if is_yours else None
    if body.op is ProseOp.INSERT and body.origin is Origin.YOURS:
        return None
    return "writes prose that is not a person's own"
