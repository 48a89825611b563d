"""The gates about bytes: whether a page changed as declared, lost nothing else, and is still a page.

They look at the files a run would leave, not at how they were made. Each gate's rule is its first line.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from xysq.gates.behind import fold_behind, unjudged
from xysq.ledger.fold import Fold, Unlawful
from xysq.model.event import Asserted, LearnedLate, PageChanged, PageOp, ProseChanged, ProseOp, Statement, SupersededBy
from xysq.model.fact import Slug
from xysq.model.page import FactBlock, Origin, PageState, ProseBlock
from xysq.model.plan import Edit, ProseEdit, RemoveFact, ReplaceFact
from xysq.model.run import Candidate, Refusal, refusal
from xysq.model.state import State
from xysq.pages.changelog import HEADING
from xysq.pages.character import character_fault
from xysq.pages.compare import differences
from xysq.pages.escape import fold_space, is_conflict_marker, respell, text_fault
from xysq.pages.outline import outline
from xysq.pages.parse import (
    PageFault,
    ParsedBlock,
    ParsedChangelog,
    ParsedFact,
    ParsedFront,
    ParsedHeading,
    ParsedMerged,
    ParsedProse,
    ParsedTitle,
    parse,
)
from xysq.pages.render import render
from xysq.pages.spelling import merged_line
from xysq.pages.units import BODY, Unit, UnitKind, units
from xysq.text import fold as fold_text

_BYTES, _SHRINKAGE, _MARKERS, _STRUCTURE = "declared-bytes", "shrinkage", "conflict-markers", "structure"
_FACT_ID = re.compile(r"f-[0-9a-hjkmnp-tv-z]{10}")
_MOST_LOST = 4  # a page may lose one part in four of its body undeclared
_MOST_BLOCKS = 2  # and fewer blocks than this


def declared_bytes(run: Candidate, state: State) -> tuple[Refusal, ...]:
    """Each page differs from its committed bytes by the declared edits, all of them and nothing else (P6)."""
    edits = _edits(run.plan.edits)
    pages = dict.fromkeys((*run.after, *edits))
    return tuple(found for page in pages for found in _undeclared(page, edits[page], run, state))


def _edits(edits: Sequence[Edit]) -> defaultdict[Slug, list[Edit]]:
    by_page: defaultdict[Slug, list[Edit]] = defaultdict(list)
    for edit in edits:
        by_page[edit.page].append(edit)
    return by_page


def _undeclared(page: Slug, edits: Sequence[Edit], run: Candidate, state: State) -> Iterator[Refusal]:
    known = state.ledger.page(page)
    before = run.before.get(page, b"")
    committed = b"" if known is None else render(known)
    if before != committed:
        texts = (data.decode("utf-8", "replace") for data in (committed, before))
        yield refusal(_BYTES, page, "", "the bytes before are not those of the ledger", *texts)
    if page not in run.after:
        yield Refusal(gate=_BYTES, page=page, anchor="", sentence="has edits, and no bytes behind them")
        return
    for found in differences(before, run.after[page], edits):
        yield refusal(_BYTES, page, found.anchor, found.sentence, found.expected, found.found)


def shrinkage(run: Candidate, _state: State) -> tuple[Refusal, ...]:
    """No page's body loses over a quarter of its bytes, nor two blocks, beyond what edits remove."""
    edits = _edits(run.plan.edits)
    refusals = []
    for page, after in run.after.items():
        body = [unit for unit in units(run.before.get(page, b"")) if unit.kind in BODY]
        lost = list(_losses(body, units(after), edits[page]))
        size, blocks = sum(abs(loss) for loss in lost), sum(loss > 0 for loss in lost)
        whole = sum(len(unit.body) for unit in body)
        if size * _MOST_LOST > whole or blocks >= _MOST_BLOCKS:
            sentence = "loses more of its body than the edits remove"
            expected = f"at most {whole // _MOST_LOST} bytes and {_MOST_BLOCKS - 1} block"
            found = f"{size} bytes and {blocks} blocks"
            refusals.append(
                Refusal(gate=_SHRINKAGE, page=page, anchor="", sentence=sentence, expected=expected, found=found)
            )
    return tuple(refusals)


def _losses(body: Sequence[Unit], after: Sequence[Unit], edits: Sequence[Edit]) -> Iterator[int]:
    """Yield the bytes each unit lost undeclared: positive where the whole unit went, negative where it shrank."""
    left = {unit.anchor: unit for unit in after if unit.anchor}
    bodies = Counter(unit.body for unit in after)
    ended = {edit.fact for edit in edits if isinstance(edit, RemoveFact)}
    ended |= {edit.old for edit in edits if isinstance(edit, ReplaceFact)}
    prose = [edit for edit in edits if isinstance(edit, ProseEdit)]
    removed = ended | {edit.block for edit in prose if edit.op is ProseOp.REMOVE}
    replaced = {edit.block for edit in prose if edit.op is ProseOp.REPLACE}
    emptied = {unit.heading for unit in body if unit.anchor in removed}
    kept = {unit.heading for unit in body if unit.anchor and unit.anchor not in removed and unit.kind is UnitKind.FACT}
    for unit in body:
        if unit.anchor in left:
            shorter = len(unit.body) - len(left[unit.anchor].body)
            yield -shorter if shorter > 0 and unit.anchor not in replaced else 0
        elif unit.anchor:
            yield 0 if unit.anchor in removed else len(unit.body)
        elif bodies[unit.body]:
            bodies[unit.body] -= 1
        elif unit.kind is not UnitKind.HEADING or unit.body not in emptied - kept:
            yield len(unit.body)


def conflict_markers(run: Candidate, _state: State) -> tuple[Refusal, ...]:
    """No line of a page is a merge-conflict marker, behind whatever indentation, list or quote mark."""
    return tuple(
        refusal(_MARKERS, page, "", f"line {number} is a conflict marker", found=line)
        for page, data in run.after.items()
        for number, line in enumerate(data.decode("utf-8", "replace").split("\n"), start=1)
        if is_conflict_marker(line)
    )


def structure(run: Candidate, state: State) -> tuple[Refusal, ...]:
    """Each page parses into the intended blocks, no anchor stands twice, and texts are words and links."""
    fold = fold_behind(run, state)
    if isinstance(fold, Unlawful):
        return unjudged(_STRUCTURE, fold)
    return (
        *_misspelled(run),
        *(found for page in run.after for found in _malformed(page, run.after[page], fold, state)),
    )


def _misspelled(run: Candidate) -> Iterator[Refusal]:
    """Yield the texts and names of a run's events that are not one line of words and links."""
    for event in run.events:
        match event.body:
            case Asserted(statement=stated) | SupersededBy(statement=stated) | LearnedLate(statement=stated):
                if not _FACT_ID.fullmatch(stated.fact):
                    yield _malformation(stated.page, stated.fact, "is no name of a fact")
                yield from _faults(stated.page, stated.fact, stated.text)
                yield from _section_faults(stated)
            case ProseChanged(op=ProseOp.INSERT | ProseOp.REPLACE, text=text) as prose:
                if prose.origin is not Origin.YOURS:
                    yield from _faults(prose.page, prose.block, text)
                elif not text.strip():
                    yield _malformation(prose.page, prose.block, "its text is empty")
            case PageChanged(op=PageOp.CREATE | PageOp.META, page=page, title=title, kind=kind, aliases=aliases):
                names = (kind, *(alias.name for alias in aliases))
                faults = (text_fault(title), *(character_fault(name) for name in names))
                fault = next((fault for fault in faults if fault), None)
                if fault:
                    yield _malformation(page, "", f"a name of the page {fault}")
            case _:
                pass


def _faults(page: Slug, anchor: str, text: str) -> Iterator[Refusal]:
    fault = text_fault(text)
    if fault is not None:
        yield _malformation(page, anchor, f"its text {fault}")
    elif respell(text) != text:
        yield _malformation(page, anchor, "its text is more than words and links", respell(text), text)


def _section_faults(stated: Statement) -> Iterator[Refusal]:
    name = stated.section
    fault = text_fault(name) if name else None
    if fault is None and (fold_space(name) != name or fold_text(name) == fold_text(HEADING)):
        fault = "is no name of a section"
    if fault is not None:
        yield _malformation(stated.page, stated.fact, f"its section {fault}", "", name)


def _malformed(slug: Slug, data: bytes, fold: Fold, state: State) -> Iterator[Refusal]:
    page = fold.page(slug)
    if page is None or page.removed or not data:
        if data or (page is not None and not page.removed):
            yield _malformation(slug, "", "there is a file without a page, or a page without a file")
        return
    try:
        parsed = parse(data)
    except PageFault as fault:
        yield _malformation(slug, "", fault.sentence)
        return
    typed = {block.block for block in page.blocks if isinstance(block, ProseBlock) and block.origin is Origin.YOURS}
    known = state.ledger.page(slug)
    for found in outline(data, typed, proven=b"" if known is None else render(known)):
        yield _malformation(slug, found.anchor, f"line {found.line} {found.sentence}")
    for anchor, count in Counter(parsed.anchors).items():
        if count > 1:
            yield _malformation(slug, anchor, f"stands on the page {count} times")
    wanted, seen = tuple(_intended(page)), tuple(_seen(block) for block in parsed.blocks)
    if wanted != seen:
        place = next((at for at, pair in enumerate(zip(wanted, seen, strict=False)) if pair[0] != pair[1]), None)
        place = min(len(wanted), len(seen)) if place is None else place
        expected, found_words = (" ".join(side[place]) if place < len(side) else "" for side in (wanted, seen))
        yield _malformation(slug, "", f"block {place + 1} is not the intended one", expected, found_words)


def _intended(page: PageState) -> Iterator[tuple[str, ...]]:
    """Yield what each block of a page's file should say."""
    if page.merged_into is not None:
        yield "merged", merged_line(page.merged_into, page.title)
        return
    yield "front", page.title, page.kind, *(alias.name for alias in page.aliases)
    yield "title", fold_space(page.title)
    for name, blocks in (("", page.head), *((part.name, part.blocks) for part in page.sections), ("", page.tail)):
        if name:
            yield "heading", fold_space(name)
        for block in blocks:
            if isinstance(block, FactBlock):
                yield "fact", block.fact, block.text
            else:
                yield "prose", block.block, block.text
    if page.changelog:
        yield ("changelog",)


def _seen(block: ParsedBlock) -> tuple[str, ...]:
    match block:
        case ParsedMerged():
            return "merged", merged_line(block.into, block.title)
        case ParsedFront(front=front):
            return "front", front.title, front.kind, *front.aliases
        case ParsedTitle():
            return "title", block.title
        case ParsedHeading():
            return "heading", block.section
        case ParsedFact():
            return "fact", block.anchor, block.text
        case ParsedProse():
            return "prose", block.anchor, block.text
        case ParsedChangelog():
            return ("changelog",)
        case _:
            return "loose", block.text


def _malformation(page: Slug, anchor: str, sentence: str, expected: str = "", found: str = "") -> Refusal:
    return refusal(_STRUCTURE, page, anchor, sentence, expected, found)
