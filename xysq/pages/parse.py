r"""Parse: a page's bytes as flat blocks with their byte ranges.

The line grammar. Bytes are UTF-8; a line ends at `\n` and nowhere else.

    page      = merged | front blank title (blank block | fact)* [blank changelog]
    merged    = "Merged into [[" slug ["|" label] "]]."           the only line
    front     = "---", "title: …", ["kind: …"], ["aliases: […]"], "---"
    title     = "# " words
    heading   = "## " words
    fact      = "- " text " ^f-" 10 letters                       facts may follow each other without a blank line
    prose     = lines " ^b-" 10 letters | lines, then a line "^b-" and 10 letters
    changelog = "## Changelog", blank, changelog lines            to the end of the file

Letters are Crockford's base32 in lower case. Prose goes from its first line to its anchor, a blank line outside a
fence, a heading or a fact, whichever comes first. Lines without an anchor are *loose*: the engine writes none, but
a person's edit has them. A `## Changelog` that anything but changelog lines follows is an ordinary heading.

The ranges of the blocks, blank lines behind each included, are the whole file. `render_parsed` spells the values
again, so `render_parsed(parse(data)) == data` holds exactly for pages that are laid out as the engine does it.
"""

import re
from collections.abc import Iterator
from typing import ClassVar, assert_never

from xysq.errors import XysqError
from xysq.frozen import frozen
from xysq.pages.changelog import HEADING, is_changelog_line
from xysq.pages.escape import plain
from xysq.pages.front import FENCE, Front, front_lines, parse_front
from xysq.pages.layout import changelog_block, put_together
from xysq.pages.spelling import (
    SECTION_MARK,
    TITLE_MARK,
    closes_fence,
    fact_line,
    fence_of,
    heading_line,
    merged_line,
    prose_lines,
    title_line,
)

_NAME = "[0-9a-hjkmnp-tv-z]{10}"
_FACT = re.compile(rf"- (.+) \^(f-{_NAME})")
_PROSE_END = re.compile(rf"(?:^|(.*) )\^(b-{_NAME})", re.DOTALL)
_MERGED = re.compile(r"Merged into \[\[([^\[\]|\n]+)(?:\|([^\[\]|\n]+))?\]\]\.")


class PageFault(XysqError):
    """A page whose bytes are not understood, with the line."""

    code: ClassVar[str] = "page-fault"

    def __init__(self, line: int, sentence: str) -> None:
        """Name the line, counted from 1, and what is wrong there."""
        super().__init__(f"line {line}: {sentence}")
        self.line = line


@frozen
class Placed:
    """Bytes `[start, end)` of the file, from a line counted from 1; blank lines behind a block are its own."""

    start: int
    end: int
    line: int


@frozen
class ParsedFront(Placed):
    """The front matter."""

    front: Front


@frozen
class ParsedTitle(Placed):
    """The heading of the page, as plain words."""

    title: str


@frozen
class ParsedHeading(Placed):
    """The heading of a section, as plain words."""

    section: str


@frozen
class ParsedFact(Placed):
    """A fact's list item: its text as Markdown, its anchor without `^`."""

    text: str
    anchor: str


@frozen
class ParsedProse(Placed):
    """Prose with its anchor; several lines where a person wrote it."""

    text: str
    anchor: str


@frozen
class ParsedLoose(Placed):
    """Lines that no anchor ends."""

    text: str


@frozen
class ParsedChangelog(Placed):
    """The changelog, as its lines."""

    lines: tuple[str, ...]


@frozen
class ParsedMerged(Placed):
    """The one line of a page that was merged: where it went, and the title it shows."""

    into: str
    title: str


ParsedBlock = (
    ParsedFront | ParsedTitle | ParsedHeading | ParsedFact | ParsedProse | ParsedLoose | ParsedChangelog | ParsedMerged
)


@frozen
class ParsedPage:
    """All blocks of a page, in their order."""

    blocks: tuple[ParsedBlock, ...]

    @property
    def anchors(self) -> tuple[str, ...]:
        """The anchors of facts and prose, in their order."""
        return tuple(block.anchor for block in self.blocks if isinstance(block, ParsedFact | ParsedProse))


def parse(data: bytes) -> ParsedPage:
    """Split a page into blocks; what is no page raises `PageFault`."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise PageFault(data.count(b"\n", 0, error.start) + 1, "is not UTF-8") from None
    if not text:
        raise PageFault(1, "the file is empty")
    lines = text.removesuffix("\n").split("\n")
    merged = _MERGED.fullmatch(lines[0])
    if merged and len(lines) == 1:
        shown = plain(merged[2] or merged[1])
        return ParsedPage(blocks=(ParsedMerged(start=0, end=len(data), line=1, into=merged[1], title=shown),))
    return ParsedPage(blocks=tuple(_Reader(data, lines).read()))


def render_parsed(page: ParsedPage) -> bytes:
    """Spell the blocks again, laid out as the engine does it."""
    return put_together((_spelled(block), isinstance(block, ParsedFact)) for block in page.blocks)


def _spelled(block: ParsedBlock) -> str:
    match block:
        case ParsedFront(front=front):
            return "\n".join(front_lines(front.title, front.kind, front.aliases))
        case ParsedTitle(title=title):
            return title_line(title)
        case ParsedHeading(section=section):
            return heading_line(section)
        case ParsedFact():
            return fact_line(block.text, block.anchor)
        case ParsedProse():
            return prose_lines(block.text, block.anchor)
        case ParsedLoose(text=text):
            return text
        case ParsedChangelog(lines=lines):
            return changelog_block(lines)
        case ParsedMerged():
            return merged_line(block.into, block.title)
        case _:
            assert_never(block)


class _Reader:
    """Goes through the lines of a page once."""

    def __init__(self, data: bytes, lines: list[str]) -> None:
        self._lines = lines
        self._starts = [0]
        for piece in data.split(b"\n"):
            self._starts.append(min(self._starts[-1] + len(piece) + 1, len(data)))
        self._at = 0

    def read(self) -> Iterator[ParsedBlock]:
        yield self._front()
        yield self._title()
        while self._at < len(self._lines):
            yield self._block()

    def _placed(self, first: int) -> tuple[int, int, int]:
        """Take the blank lines behind a block; return where it lies."""
        while self._at < len(self._lines) and not self._lines[self._at].strip():
            self._at += 1
        return self._starts[first], self._starts[self._at], first + 1

    def _front(self) -> ParsedFront:
        lines = self._lines
        last = lines.index(FENCE, 1) if lines[0] == FENCE and FENCE in lines[1:] else 0
        front = parse_front(lines[: last + 1]) if last else None
        if front is None:
            raise PageFault(1, "the front matter is not title, kind and aliases as xysq writes them")
        self._at = last + 1
        start, end, line = self._placed(0)
        return ParsedFront(start=start, end=end, line=line, front=front)

    def _title(self) -> ParsedTitle:
        first = self._at
        if first >= len(self._lines) or not self._lines[first].startswith(TITLE_MARK):
            raise PageFault(first + 1, "the page's heading `# …` is missing")
        self._at += 1
        start, end, line = self._placed(first)
        return ParsedTitle(start=start, end=end, line=line, title=plain(self._lines[first][len(TITLE_MARK) :]))

    def _block(self) -> ParsedBlock:
        first = self._at
        text = self._lines[first]
        if _is_heading(text):
            section = plain(text[len(SECTION_MARK) :])
            if section == HEADING and all(is_changelog_line(line) for line in self._lines[first + 1 :] if line.strip()):
                lines = tuple(line for line in self._lines[first + 1 :] if line.strip())
                self._at = len(self._lines)
                return ParsedChangelog(start=self._starts[first], end=self._starts[-1], line=first + 1, lines=lines)
            self._at += 1
            start, end, line = self._placed(first)
            return ParsedHeading(start=start, end=end, line=line, section=section)
        fact = _FACT.fullmatch(text)
        if fact:
            self._at += 1
            start, end, line = self._placed(first)
            return ParsedFact(start=start, end=end, line=line, text=fact[1], anchor=fact[2])
        return self._prose(first)

    def _prose(self, first: int) -> ParsedBlock:
        fence, anchored = "", None
        while self._at < len(self._lines) and anchored is None:
            text = self._lines[self._at]
            if fence:
                fence = "" if closes_fence(text, fence) else fence
            else:
                if self._at > first and (not text.strip() or _is_heading(text) or _FACT.fullmatch(text)):
                    break
                anchored = _PROSE_END.fullmatch(text)
                fence = "" if anchored else fence_of(text)
            self._at += 1
        lines = self._lines[first : self._at]
        start, end, line = self._placed(first)
        if anchored is None or (anchored[1] is None and len(lines) == 1):
            return ParsedLoose(start=start, end=end, line=line, text="\n".join(lines))
        words = lines[:-1] if anchored[1] is None else [*lines[:-1], anchored[1]]
        return ParsedProse(start=start, end=end, line=line, text="\n".join(words), anchor=anchored[2])


def _is_heading(text: str) -> bool:
    return text.startswith(SECTION_MARK)
