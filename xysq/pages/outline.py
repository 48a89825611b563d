"""Outline: what CommonMark makes of a page, held against what `parse` says.

`parse` reads the line grammar; other programs read Markdown. This module proves that both see the same: one h1,
h2 headings, list items and paragraphs in the same order, each inside the lines of its block, nothing more; and that
the words of facts and prose are exactly the words of their blocks. Blocks a person typed may hold any Markdown that
stays within their own lines.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from typing import assert_never

from markdown_it import MarkdownIt
from markdown_it.token import Token

from xysq.frozen import frozen
from xysq.pages.parse import (
    PageFault,
    ParsedBlock,
    ParsedChangelog,
    ParsedFact,
    ParsedFront,
    ParsedHeading,
    ParsedLoose,
    ParsedMerged,
    ParsedProse,
    ParsedTitle,
    parse,
)

_COMMONMARK = MarkdownIt("commonmark")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_ITEM = ("list_item_open", "paragraph_open", "inline", "paragraph_close", "list_item_close")
_PARAGRAPH = ("paragraph_open", "inline", "paragraph_close")
_HEADING = ("heading_open", "inline", "heading_close")


@frozen
class OutlineFault:
    """One place where CommonMark sees something else than the page's grammar."""

    line: int
    anchor: str
    sentence: str


@frozen(kw_only=False)
class _Unit:
    """A top-level block or list item: its lines from 0, the last one not blank, and its tokens."""

    first: int
    last: int
    tokens: Sequence[Token]


def outline(data: bytes, verbatim: Collection[str] = (), proven: bytes = b"") -> tuple[OutlineFault, ...]:
    """Return every difference between a page's Markdown and its grammar; `verbatim` are anchors of typed blocks.

    `proven` is an earlier state of the page that had none: blocks that stand between the same neighbours as there
    are not read again, so the cost follows what changed.
    """
    try:
        blocks = parse(data).blocks
    except PageFault as fault:
        return (OutlineFault(line=fault.line, anchor="", sentence=fault.sentence),)
    lines = data.decode("utf-8").split("\n")
    ends = [*(block.line - 1 for block in blocks[1:]), len(lines)]
    read = []
    for block, end, is_changed in zip(blocks, ends, _changed(data, blocks, proven), strict=True):
        if not is_changed or (block is blocks[0] and isinstance(block, ParsedFront)):
            lines[block.line - 1 : end] = [""] * (end - block.line + 1)
        else:
            read.append((block, end))
    units = tuple(_units(_COMMONMARK.parse("\n".join(lines)), lines))
    return tuple(_faults(read, units, verbatim))


def _changed(data: bytes, blocks: Sequence[ParsedBlock], proven: bytes) -> list[bool]:
    """Tell of each block whether it, or a block beside it, is new or has another neighbour than in the proven page."""
    try:
        known = frozenset(_triples(proven, parse(proven).blocks)) if proven else frozenset()
    except PageFault:
        known = frozenset()
    new = [triple not in known for triple in _triples(data, blocks)]
    return [any(new[max(0, place - 1) : place + 2]) for place in range(len(new))]


def _triples(data: bytes, blocks: Sequence[ParsedBlock]) -> Iterator[tuple[bytes, bytes, bytes]]:
    bodies = [b"", *(data[block.start : block.end] for block in blocks), b""]
    return zip(bodies, bodies[1:], bodies[2:], strict=False)


def _units(tokens: Sequence[Token], lines: Sequence[str]) -> Iterator[_Unit]:
    """Yield top-level blocks, lists as their items."""
    start = 0
    for place, token in enumerate(tokens):
        is_item = token.type.startswith("list_item") and token.level == 1
        is_list = token.type.endswith("_list_open") or token.type.endswith("_list_close")
        if not (is_item or (token.level == 0 and not is_list)):
            continue
        if token.nesting >= 0:
            start = place
        if token.nesting <= 0:
            first, end = tokens[start].map or [0, len(lines)]
            while end > first + 1 and not lines[end - 1].strip():
                end -= 1
            yield _Unit(first, end - 1, tokens[start : place + 1])


def _faults(
    read: Sequence[tuple[ParsedBlock, int]], units: Sequence[_Unit], verbatim: Collection[str]
) -> Iterator[OutlineFault]:
    """Yield the faults of the blocks that were read, each with the line behind it."""
    taken = 0
    for block, end in read:
        mine = []
        while taken < len(units) and units[taken].first < end:
            mine.append(units[taken])
            taken += 1
        anchor = block.anchor if isinstance(block, ParsedFact | ParsedProse) else ""
        sentence = "reaches into another block" if mine and mine[-1].last >= end else _fault(block, mine, verbatim)
        if sentence:
            yield OutlineFault(line=block.line, anchor=anchor, sentence=sentence)


def _fault(block: ParsedBlock, units: Sequence[_Unit], verbatim: Collection[str]) -> str:
    """Say what CommonMark sees instead of a block; "" where it sees the block."""
    match block:
        case ParsedTitle(title=title):
            fits = _is(units, _HEADING, "#", title)
        case ParsedHeading(section=section):
            fits = _is(units, _HEADING, "##", section)
        case ParsedFact():
            fits = _is(units, _ITEM, "-", f"{_literal(block.text)} ^{block.anchor}")
        case ParsedProse() if block.anchor in verbatim:
            fits = bool(units)
        case ParsedProse():
            fits = _is(units, _PARAGRAPH, "", f"{_literal(block.text)} ^{block.anchor}")
        case ParsedChangelog():
            items = zip(units[1:], block.lines, strict=False)
            fits = len(units) == len(block.lines) + 1 and all(_is([unit], _ITEM, "-", line[2:]) for unit, line in items)
        case ParsedMerged():
            label = "" if block.title == block.into else f"|{block.title}"
            fits = _is(units, _PARAGRAPH, "", f"Merged into [[{block.into}{label}]].")
        case ParsedLoose():
            return "has no anchor"
        case ParsedFront():
            return "is front matter in the middle of the page"
        case _:
            assert_never(block)
    return "" if fits else "is something else to CommonMark"


def _literal(markdown: str) -> str:
    """Return the words CommonMark reads where only escapes stand; links are plain words to it."""
    return _ESCAPED.sub(r"\1", markdown)


def _is(units: Sequence[_Unit], shape: tuple[str, ...], markup: str, words: str) -> bool:
    """Tell whether there is exactly one unit, of that shape and mark, that says exactly these words."""
    if len(units) != 1 or tuple(token.type for token in units[0].tokens) != shape:
        return False
    tokens = units[0].tokens
    inline = next(token for token in tokens if token.type == "inline")
    children = inline.children or []
    is_text = all(child.type == "text" for child in children)
    return tokens[0].markup == markup and is_text and "".join(child.content for child in children) == words
