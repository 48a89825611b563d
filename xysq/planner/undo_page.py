"""Undoing what a run or a source brought to pages besides facts: prose, names, the pages themselves.

Prose made of a source's words goes, a person's own excepted; of a run, each of its blocks is put back to what it was,
unless somebody changed it since. A page goes when nothing stands on it any more and nobody else ever stated a fact
there. One that was made by what is taken back, and stays, is called as its first fact which stays would have called it.
"""

from collections.abc import Callable
from dataclasses import replace

from xysq.model.event import PageChanged, PageOp, ProseChanged, ProseOp
from xysq.model.fact import Evidence, Fact, Proof, Slug
from xysq.model.page import Alias, PageState, ProseBlock
from xysq.planner.deed import prose_gone
from xysq.planner.place import first_proof
from xysq.planner.prose import END
from xysq.planner.returned import united
from xysq.planner.sheet import Sheet, UndoneNames, UndoneProse

Rename = Callable[[Slug, Proof], tuple[str, str] | None]


def undo_pages(sheet: Sheet, rename: Rename) -> None:
    """Put the events that take prose, names and pages back."""
    for gone in prose_gone(sheet.order.blocks, sheet.ledger):
        sheet.put(gone)
    for undone in reversed(sheet.order.prose):
        _undo_prose(sheet, undone)
    for names in reversed(sheet.order.names):
        _undo_names(sheet, names, rename)
    for slug in sheet.ledger.pages_touched:
        page = sheet.ledger.page(slug)
        if page is not None and page.is_living and _is_idle(sheet, page):
            sheet.put(_changed(page, PageOp.REMOVE))


def reopen_pages(sheet: Sheet) -> None:
    """Make the pages again that the target had removed."""
    for names in sheet.order.names:
        page = sheet.ledger.page(names.did.page)
        if names.did.op is PageOp.REMOVE and page is not None and page.removed:
            sheet.put(_changed(page, PageOp.CREATE))


# Prose


def _undo_prose(sheet: Sheet, undone: UndoneProse) -> None:
    did, before = undone.did, undone.before
    page = sheet.ledger.page(sheet.living(did.page))
    if page is None:
        return
    shown = next((one for one in page.blocks if isinstance(one, ProseBlock) and one.block == did.block), None)
    if did.op is ProseOp.REMOVE:
        if before is not None and shown is None and page.is_living:
            after = before.after if _has_anchor(page, before.after) else END
            sheet.put(replace(before, page=page.slug, block=sheet.new_block(), op=ProseOp.INSERT, after=after))
    elif shown is not None and shown.text == did.text:
        if did.op is ProseOp.REPLACE and before is not None:
            sheet.put(replace(before, page=page.slug, block=did.block, op=ProseOp.REPLACE))
        else:
            sheet.put(_removal(did, page.slug))


def _removal(did: ProseChanged, page: Slug) -> ProseChanged:
    return replace(did, page=page, op=ProseOp.REMOVE, text="", after="", quotes=(), rows=())


def _has_anchor(page: PageState, after: str) -> bool:
    anchors = {one.block if isinstance(one, ProseBlock) else one.fact for one in page.blocks}
    return after in {"top", END, *anchors}


# Names


def _undo_names(sheet: Sheet, names: UndoneNames, rename: Rename) -> None:
    did, before = names.did, names.before
    page = sheet.ledger.page(did.page)
    if page is None:
        return
    match did.op:
        case PageOp.CREATE if page.is_living:
            _rename(sheet, page, did, rename)
        case PageOp.META if page.is_living:
            _put_names(sheet, page, _names_without(sheet, page, did, before))
        case _:
            pass


def _is_idle(sheet: Sheet, page: PageState) -> bool:
    """Tell whether nothing stands on a page, and of all that ever did nothing is anybody else's."""
    is_alone = united(page.slug, sheet.ledger) == (page.slug,)
    facts = sheet.ledger.facts_of(page.slug)
    return not page.blocks and is_alone and not any(sheet.order.target.leaves(one, sheet.ledger) for one in facts)


def _rename(sheet: Sheet, page: PageState, did: PageChanged, rename: Rename) -> None:
    """Call a page as its first fact that stays would have called it, if it still has the name it was made with."""
    if (page.title, page.kind) != (did.title, did.kind):
        return
    said = [proof for fact in sheet.ledger.facts_of(page.slug) for proof in _first_of_others(sheet, fact)]
    if said:
        found = rename(page.slug, min(said, key=lambda one: one.n))
        if found is not None:
            _put_names(sheet, page, (found[0], found[1], page.aliases))


def _first_of_others(sheet: Sheet, fact: Fact) -> tuple[Proof, ...]:
    """Return the first quote by which somebody else than the target said a fact, if anybody did."""
    target, base = sheet.order.target, sheet.order.state.ledger
    if target.stated(fact, base):
        left = (proof for proof in fact.proofs if not target.gave(proof, base))
        first = min(left, key=lambda proof: proof.n, default=None)
    else:
        first = first_proof(fact, sheet.ledger)
    return () if first is None else (first,)


def _names_without(
    sheet: Sheet, page: PageState, did: PageChanged, before: PageChanged | None
) -> tuple[str, str, tuple[Alias, ...]]:
    """Return title, kind and other names of a page without what was done to them."""
    target = sheet.order.target
    if not target.is_run:
        left = (replace(one, evidence=_of_others(one, target.name)) for one in page.aliases)
        kept = zip(page.aliases, left, strict=True)
        return page.title, page.kind, tuple(now for was, now in kept if now.evidence or not was.evidence)
    if before is None:
        return page.title, page.kind, page.aliases
    added = {one.name for one in did.aliases} - {one.name for one in before.aliases}
    lost = [one for one in before.aliases if one.name not in {known.name for known in did.aliases}]
    kept_names = [one for one in page.aliases if one.name not in added]
    known = {one.name for one in kept_names}
    return (
        before.title if page.title == did.title else page.title,
        before.kind if page.kind == did.kind else page.kind,
        (*kept_names, *(one for one in lost if one.name not in known)),
    )


def _of_others(alias: Alias, source: str) -> tuple[Evidence, ...]:
    return tuple(piece for piece in alias.evidence if piece.source != source)


def _put_names(sheet: Sheet, page: PageState, names: tuple[str, str, tuple[Alias, ...]]) -> None:
    if names != (page.title, page.kind, page.aliases):
        title, kind, aliases = names
        sheet.put(PageChanged(page=page.slug, op=PageOp.META, title=title, kind=kind, aliases=aliases))


def _changed(page: PageState, op: PageOp) -> PageChanged:
    return PageChanged(page=page.slug, op=op, title=page.title, kind=page.kind, aliases=page.aliases)
