"""Typed: a page's file as a person left it, read leniently.

`parse` reads pages as the engine writes them. Here people, editors and formatters had their hands in it: other list
marks, wrapped lines, other line ends, blank lines, text between blocks and behind the changelog. What a block is, its
anchor tells: everything up to `^f-…` or `^b-…`, back to a blank line, a heading or a list mark. Blocks without an
anchor are new. What cannot be told apart for certain is a fault with its line, and nothing of the page is guessed.
"""

import re
from collections.abc import Iterator, Sequence

from xysq.frozen import frozen
from xysq.pages.changelog import HEADING, is_changelog_line
from xysq.pages.character import character_fault
from xysq.pages.escape import is_conflict_marker, plain
from xysq.pages.front import FENCE
from xysq.pages.spelling import SECTION_MARK, TITLE_MARK, closes_fence, fence_of

_NAME = "[0-9a-hjkmnp-tv-z]{10}"
_ANCHORED = re.compile(rf"(?:(.*?)[ \t]+|[ \t]*)\^([fb]-{_NAME})[ \t]*", re.DOTALL)
_INSIDE = re.compile(rf"(?:^|\s)\^([fb]-{_NAME})(?=\s|$)")
_MARK = re.compile(r"[ \t]*(?:[-*+]|[0-9]{1,9}[.)])[ \t]+")
_HEADING = re.compile(r"#{1,6}[ \t]")
_MERGED = re.compile(r"Merged into \[\[([^\[\]|\n]+)(?:\|[^\[\]\n]*)?\]\]\.?\s*")
_MOST_INDENT = 3  # from four signs on it is code
_BOM = "\ufeff"


@frozen
class TypedFault:
    """Why an edit cannot be taken over: the line, counted from 1, a stable code, a sentence."""

    line: int
    code: str
    sentence: str


@frozen
class TypedHeading:
    """The heading of a section, as plain words."""

    line: int
    words: str


@frozen
class TypedBlock:
    """Lines of text: the Markdown before the anchor; `anchor` is "" where there is none. List marks of facts are off.

    `is_behind`: it stands behind the changelog.
    """

    line: int
    text: str
    anchor: str = ""
    is_behind: bool = False


@frozen
class TypedPage:
    """A page as it was typed. `front` are the lines of the front matter, fences included; () where there is none."""

    front: tuple[str, ...] = ()
    title: str | None = None
    title_line: int = 1
    blocks: tuple[TypedHeading | TypedBlock, ...] = ()
    changelog: tuple[tuple[int, str], ...] = ()
    merged_into: str | None = None


def read_typed(data: bytes) -> TypedPage | tuple[TypedFault, ...]:
    """Read a file that is meant to be a page; the faults where it is none, or cannot be told for certain."""
    try:
        text = data.decode("utf-8").removeprefix(_BOM).replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        return (_fault(data.count(b"\n", 0, error.start) + 1, "not-utf-8", "is not UTF-8"),)
    if not text.strip(" \t\n\0"):
        return (_fault(1, "empty-file", "the file is empty; xysq repair puts the page back"),)
    lines = text.split("\n")
    faults = tuple(_bad_lines(lines))
    if faults:
        return faults
    merged = _MERGED.fullmatch(text)
    if merged:
        return TypedPage(merged_into=merged[1].strip())
    reader = _Reader(lines)
    page = reader.read()
    return tuple(reader.faults) or page


def is_listed(text: str) -> bool:
    """Tell whether a text is a list item."""
    return _MARK.match(text) is not None


def unmarked(text: str) -> str:
    """Return a text without its list mark."""
    return _MARK.sub("", text, count=1) if is_listed(text) else text


def _fault(line: int, code: str, sentence: str) -> TypedFault:
    return TypedFault(line=line, code=code, sentence=sentence)


def _bad_lines(lines: Sequence[str]) -> Iterator[TypedFault]:
    for number, line in enumerate(lines, start=1):
        fault = character_fault(line)
        if fault is not None:
            yield _fault(number, "bad-character", fault)
        elif is_conflict_marker(line):
            yield _fault(number, "conflict-marker", "is a merge-conflict marker")


class _Reader:
    """Goes through the lines of a page once."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = lines
        self._at = 0
        self._log = self._changelog_start()
        self.faults: list[TypedFault] = []

    def read(self) -> TypedPage:
        front = self._front()
        title, title_line = self._title()
        blocks: list[TypedHeading | TypedBlock] = []
        changelog: list[tuple[int, str]] = []
        while self._at < len(self._lines):
            line = self._lines[self._at].rstrip()
            if not line or self._at == self._log:
                self._at += 1
            elif self._at > self._log and is_changelog_line(line):
                changelog.append((self._at + 1, line))
                self._at += 1
            elif line.startswith(SECTION_MARK):
                blocks.append(TypedHeading(line=self._at + 1, words=plain(line[len(SECTION_MARK) :].strip())))
                self._at += 1
            else:
                blocks += self._block(blocks[-1] if blocks else None)
        return TypedPage(
            front=front, title=title, title_line=title_line, blocks=tuple(blocks), changelog=tuple(changelog)
        )

    def _changelog_start(self) -> int:
        """Return the place of the last heading `Changelog`; behind the end where there is none."""
        wanted = f"{SECTION_MARK}{HEADING}"
        places = [place for place, line in enumerate(self._lines) if line.rstrip() == wanted]
        return places[-1] if places else len(self._lines)

    def _front(self) -> tuple[str, ...]:
        lines = [line.rstrip() for line in self._lines]
        if lines[0] != FENCE or FENCE not in lines[1:]:
            return ()
        self._at = lines.index(FENCE, 1) + 1
        return tuple(lines[: self._at])

    def _title(self) -> tuple[str | None, int]:
        while self._at < len(self._lines) and not self._lines[self._at].strip():
            self._at += 1
        line = self._lines[self._at] if self._at < len(self._lines) else ""
        if not line.startswith(TITLE_MARK):
            return None, 1
        self._at += 1
        return plain(line[len(TITLE_MARK) :].strip()), self._at

    def _block(self, before: TypedHeading | TypedBlock | None) -> Iterator[TypedBlock]:
        """Take the lines up to an anchor, or to where a block without one ends."""
        first, anchor = self._at, ""
        is_below = first > 0 and self._lines[first - 1].strip() != ""
        fence = ""
        while self._at < len(self._lines) and not anchor:
            line = self._lines[self._at]
            if fence:
                fence = "" if closes_fence(line, fence) else fence
            elif self._at > first and self._ends_before(line):
                break
            else:
                match = _ANCHORED.fullmatch(line)
                anchor = match[2] if match else ""
                fence = "" if anchor else fence_of(line)
            self._at += 1
            if _HEADING.match(line) and self._at == first + 1:
                break
        if fence:
            self.faults.append(_fault(first + 1, "open-fence", "a fenced block is opened and not closed"))
        is_nested = is_below and isinstance(before, TypedBlock) and _is_item(before)
        yield from self._cut(first, self._lines[first : self._at], anchor, is_nested=is_nested)

    def _ends_before(self, line: str) -> bool:
        """Tell whether a block without an anchor ends before a line."""
        if not line.strip() or _HEADING.match(line):
            return True
        if self._at > self._log and is_changelog_line(line.rstrip()):
            return True
        match = _ANCHORED.fullmatch(line)
        return match is not None and match[2].startswith("f-") and is_listed(line)

    def _cut(self, first: int, lines: Sequence[str], anchor: str, *, is_nested: bool) -> Iterator[TypedBlock]:
        """Yield the block of some lines; where a wrapped list item with a fact's anchor ends them, what is above it."""
        start = 0
        if anchor.startswith("f-"):
            marks = [place for place, line in enumerate(lines) if is_listed(line)]
            start = marks[-1] if marks else 0
        if start:
            yield from self._made(first, lines[:start], "", is_nested=is_nested)
        yield from self._made(first + start, lines[start:], anchor, is_nested=is_nested)

    def _made(self, first: int, lines: Sequence[str], anchor: str, *, is_nested: bool) -> Iterator[TypedBlock]:
        number, is_behind = first + 1, first > self._log
        text = "\n".join(lines).rstrip()
        if anchor:
            text = text[: -len(anchor) - 1].rstrip()
        inside = _INSIDE.search(text)
        if inside:
            line = number + text.count("\n", 0, inside.start(1))
            self.faults.append(_fault(line, "anchor-inside", f"^{inside[1]} must be the end of its block"))
        if anchor.startswith("f-"):
            text = " ".join(unmarked(text).split())
        elif not anchor:
            text = _dedented(text, is_nested=is_nested)
        yield TypedBlock(line=number, text=text, anchor=anchor, is_behind=is_behind)


def _is_item(block: TypedBlock) -> bool:
    return block.anchor.startswith("f-") or is_listed(block.text)


def _dedented(text: str, *, is_nested: bool) -> str:
    """Take the indentation off that would make a block part of the list above it."""
    lines = text.split("\n")
    indent = _indent(lines[0])
    if indent > _MOST_INDENT and not is_nested:
        return text
    return "\n".join(line[min(indent, _indent(line)) :] for line in lines)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" \t"))
