"""Plan: from a draft to declared edits and ledger events, computed on a base and nothing else.

The same draft on the same base gives the same plan, with the same ids; on a base that moved, the same ids where they
are free. Pages come first, then facts in the draft's order, closings by words, premises that fell with them, prose.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from xysq.frozen import frozen
from xysq.model.draft import DraftEdit, DraftFact
from xysq.model.fact import FactId, Slug
from xysq.model.page import Origin
from xysq.model.plan import Drop, DropCode, RemoveFact
from xysq.pages.escape import plain, text_fault
from xysq.planner.closing import Closings
from xysq.planner.desk import Desk
from xysq.planner.lineage import premise_closings
from xysq.planner.lookup import remembering
from xysq.planner.order import Planned, PlanOrder
from xysq.planner.proposal import Intake, Leftover, Proposal, setting_of, too_long
from xysq.planner.prose import Sentence, Wording, place_after, prose_block
from xysq.planner.quote import Quoting
from xysq.planner.settle import Settling, with_texts
from xysq.planner.subject import NewPage, OnPage, Unresolved, composed, resolve

_INSERT = "insert"


def plan(order: PlanOrder) -> Planned:
    """Return the exact change that a draft comes to, and what was left out of it."""
    order = replace(order, state=remembering(order.state))
    desk = Desk(order)
    quoting = Quoting(order.passages, order.state, order.raw)
    claims = claimed_texts(order.draft.facts, order.draft.edits)
    intake = Intake(desk, quoting)
    taken = [intake.take(index, fact, claims[index]) for index, fact in enumerate(order.draft.facts)]
    loose = _loose_prose(desk)
    proposals = _proposals(desk, taken, claims)
    Settling(desk, proposals).settle_all()
    Closings(desk, quoting).close_all()
    _close_conclusions(desk)
    _write_prose(desk, [item for item in taken if isinstance(item, Leftover)], claims, loose)
    return Planned(plan=desk.plan(), drops=desk.drops)


def _proposals(
    desk: Desk, taken: Sequence[Proposal | Leftover | Drop], claims: Mapping[int, tuple[str, ...]]
) -> list[Proposal]:
    """Return the proposals with the Markdown of their blocks, now that every page has its name."""
    most = desk.order.state.limits.text_bytes
    proposals: list[Proposal] = []
    for item in taken:
        if isinstance(item, Drop):
            desk.drop(item)
        elif isinstance(item, Proposal):
            texts = tuple(_composed(text, desk) for text in claims[item.index])
            if any(_size(text) > most for text in texts):
                desk.drop(too_long(item, desk.order.rows, most))
            else:
                proposals.append(with_texts(item, texts))
    return proposals


def claimed_texts(facts: Sequence[DraftFact], edits: Sequence[DraftEdit] | None) -> Mapping[int, tuple[str, ...]]:
    """Return the drafted texts of the blocks that claim each fact, by its index; without edits each has its own."""
    if edits is None:
        return {index: (fact.text,) for index, fact in enumerate(facts)}
    by_ref = {fact.ref: index for index, fact in reversed(tuple(enumerate(facts)))}
    texts: dict[int, list[str]] = {index: [] for index in range(len(facts))}
    for edit in edits:
        claimed = next((by_ref[ref] for ref in edit.claims if ref in by_ref), None)
        if claimed is not None:
            texts[claimed].append(edit.text)
    return {index: tuple(found) for index, found in texts.items()}


def _composed(text: str, desk: Desk) -> str:
    return composed(text, setting_of(desk))


def _close_conclusions(desk: Desk) -> None:
    """Close what was inferred from facts that this plan ended."""
    ended = [name for name in desk.ledger.facts_touched if _ended_here(desk, name)]
    for closing in premise_closings(ended, desk.ledger, desk.order.state.archive):
        fact = desk.ledger.fact(closing.fact)
        if fact is not None:
            desk.put(closing, RemoveFact(page=fact.page, fact=fact.id))


def _ended_here(desk: Desk, name: FactId) -> bool:
    before, after = desk.order.state.ledger.fact(name), desk.ledger.fact(name)
    return before is not None and before.is_open and after is not None and not after.is_open


# Prose


@frozen
class _Loose:
    """A drafted block that claims no fact, with its page found."""

    index: int
    page: Slug
    edit: DraftEdit


def _loose_prose(desk: Desk) -> tuple[_Loose, ...]:
    """Find the pages of drafted prose; where they do not exist they are made."""
    order, setting = desk.order, setting_of(desk)
    refs = {fact.ref for fact in order.draft.facts}
    found: list[_Loose] = []
    for index, edit in enumerate(order.draft.edits or ()):
        if refs.intersection(edit.claims):
            continue
        fault = text_fault(edit.text) if edit.op == _INSERT else f"asks for {edit.op!r}, and drafts only insert"
        if fault is None and _size(edit.text) > order.state.limits.text_bytes:
            fault = f"is longer than {order.state.limits.text_bytes} bytes"
        if fault is not None:
            _drop_edit(desk, edit, DropCode.BAD_TEXT, f"the text {fault}")
            continue
        match resolve(edit.page, "", None, None, setting):
            case OnPage(slug=slug):
                found.append(_Loose(index=index, page=slug, edit=edit))
            case NewPage() as page:
                found.append(_Loose(index=index, page=desk.create(page), edit=edit))
            case Unresolved(code=code, reason=reason):
                _drop_edit(desk, edit, code, reason)
    return tuple(found)


def _drop_edit(desk: Desk, edit: DraftEdit, code: DropCode, reason: str) -> None:
    desk.drop(Drop(code=code, subject=edit.page, text=plain(edit.text), reason=reason, rows=desk.order.rows))


def _write_prose(
    desk: Desk, leftovers: Sequence[Leftover], claims: Mapping[int, tuple[str, ...]], loose: Sequence[_Loose]
) -> None:
    """Put down the sentences of facts that could not be quoted, then drafted prose; nothing twice."""
    order = desk.order
    wording = Wording(desk.ledger)
    for item in leftovers:
        is_kept = False
        for place, text in enumerate(claims[item.index] or (order.draft.facts[item.index].text,)):
            sentence = Sentence(
                page=item.page,
                text=_composed(text, desk),
                origin=Origin.DROPPED,
                code=item.drop.code.value,
                rows=item.drop.rows,
            )
            is_kept |= _write(desk, wording, sentence, f"fact {item.index} {place}")
        desk.drop(item.drop if is_kept else replace(item.drop, kept_on=""))
    for block in loose:
        sentence = Sentence(
            page=block.page,
            text=_composed(block.edit.text, desk),
            origin=Origin.DRAFTED,
            after=place_after(block.edit.after, block.page, desk.ledger),
            rows=order.rows,
        )
        _write(desk, wording, sentence, f"edit {block.index}")


def _write(desk: Desk, wording: Wording, sentence: Sentence, position: str) -> bool:
    """Write a sentence down; False where it is too long or not new on its page."""
    if _size(sentence.text) > desk.order.state.limits.text_bytes or not wording.add(sentence.page, sentence.text):
        return False
    edit, event = prose_block(sentence, desk.order.run, position, desk.ledger)
    desk.put(event, edit)
    return True


def _size(text: str) -> int:
    return len(text.encode("utf-8", "replace"))
