"""Edit: declared edits applied to the base bytes of one page.

This is the way a run's pages are made: from the bytes that were there and the edits that were declared, not from
the ledger. That the result equals the rendered fold is then something a gate can prove, not something that holds
because both came from one function.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import ClassVar, assert_never

from xysq.errors import XysqError
from xysq.frozen import frozen
from xysq.model.event import PageOp, ProseOp
from xysq.model.page import PageState, ProseBlock
from xysq.model.plan import Edit, FrontEdit, InsertFact, ProseEdit, RemoveFact, ReplaceFact
from xysq.pages.escape import fold_space
from xysq.pages.front import front_lines
from xysq.pages.layout import changelog_block, put_together
from xysq.pages.parse import (
    ParsedBlock,
    ParsedChangelog,
    ParsedFact,
    ParsedFront,
    ParsedHeading,
    ParsedProse,
    ParsedTitle,
    parse,
)
from xysq.pages.spelling import fact_line, heading_line, merged_line, prose_lines, title_line

TOP, END = "top", "end"


class CannotEdit(XysqError):
    """A declared edit names something that the page does not have."""

    code: ClassVar[str] = "cannot-edit"


@frozen
class _Piece:
    """A block under way: its bytes as text, and what edits look for."""

    text: str
    anchor: str = ""
    section: str | None = None
    is_fact: bool = False
    is_tail: bool = False


def tail_of(page: PageState | None) -> frozenset[str]:
    """Return the ids of a page's tail prose, which the bytes alone cannot tell from prose of the last section."""
    return (
        frozenset() if page is None else frozenset(block.block for block in page.tail if isinstance(block, ProseBlock))
    )


def rebuild(before: bytes, edits: Sequence[Edit], changelog: Sequence[str], tail: Collection[str]) -> bytes:
    """Apply the edits of one page, in the order of their events, and put the given changelog lines.

    `before` is b"" for a page that the first edit creates; `tail` are the block ids of the base's tail prose
    (`tail_of`). The result is b"" for a page that was removed. Raises `CannotEdit`, or `PageFault` for a base that
    is no page.
    """
    draft = _Draft(before, tail)
    for edit in edits:
        draft.apply(edit)
    return draft.bytes(changelog)


class _Draft:
    """A page while its edits are applied."""

    def __init__(self, before: bytes, tail: Collection[str]) -> None:
        self._top: list[str] = []
        self._pieces: list[_Piece] = []
        self._last: bytes | None = None
        for block in parse(before).blocks if before else ():
            text = before[block.start : block.end].decode("utf-8").rstrip("\n")
            if isinstance(block, ParsedFront | ParsedTitle):
                self._top.append(text)
            elif not isinstance(block, ParsedChangelog):
                self._pieces.append(_piece(block, text, tail))

    def apply(self, edit: Edit) -> None:
        if self._last is not None:
            raise CannotEdit(f"page {edit.page!r} was merged or removed before this edit of it")
        if not self._top and not isinstance(edit, FrontEdit):
            raise CannotEdit(f"page {edit.page!r} is not there")
        match edit:
            case InsertFact():
                self._insert_fact(edit)
            case ReplaceFact():
                new = _Piece(text=fact_line(edit.text, edit.fact), anchor=edit.fact, is_fact=True)
                self._pieces[self._place(edit.old)] = new
            case RemoveFact():
                self._remove(edit.fact)
            case ProseEdit():
                self._change_prose(edit)
            case FrontEdit():
                self._change_front(edit)
            case _:
                assert_never(edit)

    def bytes(self, changelog: Sequence[str]) -> bytes:
        if self._last is not None:
            return self._last
        return put_together(self._all(changelog))

    def _all(self, changelog: Sequence[str]) -> Iterator[tuple[str, bool]]:
        yield from ((text, False) for text in self._top)
        yield from ((piece.text, piece.is_fact) for piece in self._pieces)
        if changelog:
            yield changelog_block(changelog), False

    def _place(self, anchor: str) -> int:
        for place, piece in enumerate(self._pieces):
            if piece.anchor == anchor:
                return place
        raise CannotEdit(f"the page has no block {anchor}")

    def _end_of(self, start: int) -> int:
        """Return where the blocks end that begin at `start` and belong under one heading."""
        for place in range(start, len(self._pieces)):
            if self._pieces[place].section is not None or self._pieces[place].is_tail:
                return place
        return len(self._pieces)

    def _insert_fact(self, edit: InsertFact) -> None:
        new = _Piece(text=fact_line(edit.text, edit.fact), anchor=edit.fact, is_fact=True)
        section = fold_space(edit.section)
        start = 0
        if section:
            headings = (place for place, piece in enumerate(self._pieces) if piece.section == section)
            start = next(headings, -1) + 1
        if section and not start:
            place = self._start_of_section(edit.before)
            self._pieces[place:place] = [_Piece(text=heading_line(edit.section), section=section), new]
            return
        end = self._end_of(start)
        if edit.before is not None:
            place = self._place(edit.before)
            if not (start <= place < end and self._pieces[place].is_fact):
                raise CannotEdit(f"{edit.before} is no fact of section {edit.section!r}")
            self._pieces.insert(place, new)
            return
        facts = (place + 1 for place in range(end - 1, start - 1, -1) if self._pieces[place].is_fact)
        self._pieces.insert(next(facts, end), new)

    def _start_of_section(self, before: str | None) -> int:
        """Return where a new section opens: in front of the one that a block stands in, or behind all."""
        if before is None:
            return next((place for place, piece in enumerate(self._pieces) if piece.is_tail), len(self._pieces))
        for place in range(self._place(before), -1, -1):
            if self._pieces[place].section is not None:
                return place
        raise CannotEdit(f"{before} stands in no section")

    def _remove(self, anchor: str) -> None:
        place = self._place(anchor)
        del self._pieces[place]
        if place and self._pieces[place - 1].section is not None and self._end_of(place) == place:
            del self._pieces[place - 1]

    def _change_prose(self, edit: ProseEdit) -> None:
        new = _Piece(text=prose_lines(edit.text, edit.block), anchor=edit.block)
        match edit.op:
            case ProseOp.INSERT if edit.after == TOP:
                self._pieces.insert(0, new)
            case ProseOp.INSERT if edit.after == END:
                self._pieces.append(replace(new, is_tail=True))
            case ProseOp.INSERT:
                place = self._place(edit.after)
                self._pieces.insert(place + 1, replace(new, is_tail=self._pieces[place].is_tail))
            case ProseOp.REPLACE:
                place = self._place(edit.block)
                self._pieces[place] = replace(new, is_tail=self._pieces[place].is_tail)
            case ProseOp.REMOVE:
                self._remove(edit.block)
            case _:
                assert_never(edit.op)

    def _change_front(self, edit: FrontEdit) -> None:
        if (edit.op is PageOp.CREATE) == bool(self._top):
            raise CannotEdit(f"page {edit.page!r} is {'there already' if self._top else 'not there'}")
        match edit.op:
            case PageOp.CREATE | PageOp.META:
                self._top = ["\n".join(front_lines(edit.title, edit.kind, edit.aliases)), title_line(edit.title)]
            case PageOp.MERGE:
                self._last = put_together([(merged_line(edit.into or "", edit.title), False)])
            case PageOp.REMOVE:
                self._last = b""
            case _:
                assert_never(edit.op)


def _piece(block: ParsedBlock, text: str, tail: Collection[str]) -> _Piece:
    match block:
        case ParsedFact(anchor=anchor):
            return _Piece(text=text, anchor=anchor, is_fact=True)
        case ParsedProse(anchor=anchor):
            return _Piece(text=text, anchor=anchor, is_tail=anchor in tail)
        case ParsedHeading(section=section):
            return _Piece(text=text, section=section)
        case _:
            return _Piece(text=text)
