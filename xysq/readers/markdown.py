"""Markdown: one passage a block: heading, paragraph, list item, fence; front matter is one of its own.

Blocks are told apart line by line, by the same signs as in CommonMark, with one simplification: outside a fence a
blank line ends every block, also a list item. So what stands before a complete blank line never changes its
meaning by what follows, and a document that grows is read on from there. (A document's parser cannot promise
that: an indented line behind a blank one belongs to an item that may stand far above.) The tests compare the
blocks with those of markdown-it on documents where the two must agree.
"""

import re
from collections.abc import Iterator
from enum import Enum
from typing import NamedTuple

from xysq.model.source import Certainty, Passage, Role
from xysq.pattern import late
from xysq.readers.material import Collector, Line, Material
from xysq.readers.recall import closes, opens, still_open
from xysq.readers.request import Reading, ReadRequest
from xysq.readers.text import title_of

_FRONT_MATTER_BYTES = 16 * 1024
_RULE = late(rb" {0,3}([-_*])[ \t]*(?:\1[ \t]*){2,}")
_SETEXT = late(rb" {0,3}(?:=+|-+)[ \t]*")
_HEADING = late(rb" {0,3}#{1,6}(?:[ \t]+|$)")
_HEADING_END = late(rb"(?:(?<=[ \t])|\A)#+[ \t]*\Z")
_ITEM = late(rb"([ \t]*)([-*+]|[0-9]{1,9}[.)])([ \t]+|$)")
_FENCE = late(rb"([ \t]*)(?:(?:[-*+]|[0-9]{1,9}[.)])[ \t]+)?(`{3,}(?=[^`]*$)|~{3,})")
_QUOTE = late(rb" {0,3}>[ \t]?")


class Kind(Enum):
    """What a block is."""

    FRONT_MATTER = "front matter"
    HEADING = "heading"
    PARAGRAPH = "paragraph"
    ITEM = "item"
    QUOTE = "quote"
    FENCE = "fence"
    RULE = "rule"
    RECALL = "recall"


class Block(NamedTuple):
    """Lines of one block."""

    kind: Kind
    lines: tuple[Line, ...]


class Blocks:
    """Reads blocks line by line; `finished` is the place behind the last blank line outside a fence."""

    def __init__(self, material: Material, previous: Passage | None) -> None:
        """Begin at the first word, or inside recall output that has not ended."""
        self.material = material
        self.finished = 0
        self._kind: Kind | None = Kind.RECALL if still_open(previous) else None
        self._lines: list[Line] = []
        self._fence = b""
        self._column = 0

    def __iter__(self) -> Iterator[Block]:
        """Yield the blocks in order."""
        place, decided = self.material.first, True
        if self.material.begins_log:
            front, decided = _front_matter(self.material)
            if front:
                yield Block(Kind.FRONT_MATTER, front)
                place = front[-1].next
                self.finished = place if decided else 0
        for line in self.material.lines(place):
            yield from self._take(line, self.material.data[line.start : line.end])
            if line.whole and decided and not self._fence and self.material.is_blank(line):
                self.finished = line.next
        yield from self._end()

    def _end(self) -> Iterator[Block]:
        if self._kind and self._lines:
            yield Block(self._kind, tuple(self._lines))
        self._kind, self._lines, self._fence = None, [], b""

    def _take(self, line: Line, words: bytes) -> Iterator[Block]:
        if self._kind is Kind.RECALL:
            yield from self._take_recall(line, words)
        elif self._fence:
            yield from self._take_code(line, words)
        elif not words.strip():
            yield from self._end()
        else:
            kind = self._opened_by(words)
            if kind:
                yield from self._end()
                self._kind = kind
            self._lines.append(line)
            fence = _FENCE().match(words)
            if fence and self._kind in {Kind.FENCE, Kind.ITEM}:
                self._fence = fence[2]
            if self._kind in {Kind.HEADING, Kind.RULE}:
                yield from self._end()

    def _opened_by(self, words: bytes) -> Kind | None:
        """Return the kind of block that a line begins; None where it belongs to the one before."""
        if opens(words):
            return Kind.RECALL
        if _HEADING().match(words):
            return Kind.HEADING
        item = _ITEM().match(words)
        if item and not _RULE().fullmatch(words):
            return self._item(item)
        if _FENCE().match(words):
            inside = 4 if self._kind in {Kind.PARAGRAPH, Kind.QUOTE} else self._column
            return None if self._kind and _indent(words) >= inside else Kind.FENCE
        if _QUOTE().match(words) and self._kind is not Kind.ITEM:
            return None if self._kind is Kind.QUOTE else Kind.QUOTE
        if _RULE().fullmatch(words) and not (self._kind is Kind.PARAGRAPH and _SETEXT().fullmatch(words)):
            return Kind.RULE
        return None if self._kind else Kind.PARAGRAPH

    def _item(self, item: re.Match[bytes]) -> Kind | None:
        """Return ITEM for an item that is not nested in the one before and may interrupt what is before."""
        if self._kind is Kind.ITEM and len(item[1]) >= self._column:
            return None
        if self._kind in {Kind.PARAGRAPH, Kind.QUOTE} and (len(item[1]) > 3 or not item[3] or not _may_interrupt(item)):
            return None
        self._column = len(item[1]) + len(item[2]) + 1
        return Kind.ITEM

    def _take_code(self, line: Line, words: bytes) -> Iterator[Block]:
        stripped = words.strip()
        if self._kind is Kind.ITEM and stripped and _indent(words) < self._column:
            self._fence = b""
            yield from self._take(line, words)
            return
        self._lines.append(line)
        if len(stripped) >= len(self._fence) and not stripped.strip(self._fence[:1]):
            self._fence = b""
            if self._kind is Kind.FENCE:
                yield from self._end()

    def _take_recall(self, line: Line, words: bytes) -> Iterator[Block]:
        if words.strip():
            self._lines.append(line)
            if closes(words):
                yield from self._end()
        elif self._lines:
            yield from self._end()
            self._kind = Kind.RECALL


def _may_interrupt(item: re.Match[bytes]) -> bool:
    """Tell whether an item may follow a paragraph without a blank line: it has words, and a number is 1."""
    return item.end() < len(item.string) and (not item[2][:1].isdigit() or item[2][:-1] == b"1")


def _indent(words: bytes) -> int:
    return len(words) - len(words.lstrip())


def _front_matter(material: Material) -> tuple[tuple[Line, ...], bool]:
    """Return the lines of front matter, and whether it is decided that there is none or all of it is there."""
    lines: list[Line] = []
    for line in material.lines(material.first):
        words = material.data[line.start : line.end].rstrip()
        if not lines and words != b"---":
            return (), line.whole or not b"---".startswith(words)
        if len(lines) == 1 and not words:
            return (), line.whole
        if line.next > _FRONT_MATTER_BYTES:
            return (), True
        lines.append(line)
        if len(lines) > 1 and words in {b"---", b"..."}:
            return tuple(lines), line.whole
    return (), False


def read_markdown(request: ReadRequest) -> Reading:
    """Read blocks."""
    material = Material.of(request.data, request.start, request.enc_view)
    collector = Collector(request, material)
    role, speaker = request.said_as or (Role.OTHER, "")
    blocks = Blocks(material, request.previous)
    title = ""
    for block in blocks:
        is_front = block.kind is Kind.FRONT_MATTER
        before = len(collector.passages)
        collector.add_words(
            start=block.lines[0].start,
            end=block.lines[-1].next,
            words=_words(material, block),
            role=Role.OTHER if is_front else role,
            speaker="" if is_front else speaker,
            own=block.kind is Kind.RECALL,
        )
        if not title and block.kind is Kind.HEADING and len(collector.passages) > before:
            title = title_of(collector.passages[-1].text)
    return collector.reading(
        parsed_to=blocks.finished, certainty=Certainty.UNKNOWN, title=title if material.begins_log else ""
    )


def framed_markdown(material: Material, previous: Passage | None) -> int:
    """Return the place behind the last complete blank line outside fences."""
    blocks = Blocks(material, previous)
    for _ in blocks:
        pass
    return blocks.finished


def _words(material: Material, block: Block) -> tuple[int, int]:
    """Return the range of a block's words, without the signs that make it that block."""
    data, lines = material.data, block.lines
    start, end = material.trimmed(lines[0].start, lines[-1].end)
    match block.kind:
        case Kind.HEADING:
            opening = _HEADING().match(data, lines[0].start)
            start = opening.end() if opening else start
            closing = _HEADING_END().search(data, start, end)
            return material.trimmed(start, closing.start() if closing else end)
        case Kind.FENCE:
            closed = len(lines) > 1 and _is_fence_end(material, lines)
            inner = lines[1 : len(lines) - 1 if closed else len(lines)]
            return (inner[0].start, inner[-1].end) if inner else (start, start)
        case Kind.ITEM:
            item = _ITEM().match(data, lines[0].start, lines[0].end)
            return material.trimmed(item.end() if item else start, end)
        case Kind.QUOTE:
            quote = _QUOTE().match(data, lines[0].start)
            return material.trimmed(quote.end() if quote else start, end)
        case Kind.RULE:
            return start, start
        case Kind.PARAGRAPH | Kind.FRONT_MATTER | Kind.RECALL:
            return start, end


def _is_fence_end(material: Material, lines: tuple[Line, ...]) -> bool:
    opening = _FENCE().match(material.data, lines[0].start, lines[0].end)
    last = material.data[lines[-1].start : lines[-1].end].strip()
    return opening is not None and len(last) >= len(opening[2]) and not last.strip(opening[2][:1])
