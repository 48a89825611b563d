"""The spelling of single blocks: how a fact, prose, a heading and a merged page are written.

A block is text without a line end behind it. The layout (`xysq.pages.layout`) says what stands between blocks.
"""

import re

from xysq.pages.escape import escape

FACT_MARK = "- "
SECTION_MARK = "## "
TITLE_MARK = "# "
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_STANDS_ALONE = re.compile(r" {4}|\t| {0,3}(?:\||\$\$|<[A-Za-z/!?])")
_DELIMITER = re.compile(r"[ \t|:-]*-[ \t|:-]*")


def fact_line(text: str, anchor: str) -> str:
    """Spell a fact: one list item, its anchor at its end."""
    return f"{FACT_MARK}{text} ^{anchor}"


def prose_lines(text: str, anchor: str) -> str:
    """Spell prose: the anchor ends its last line, or stands on the line below a table, fence or HTML."""
    return f"{text}\n^{anchor}" if anchor_below(text) else f"{text} ^{anchor}"


def heading_line(section: str) -> str:
    """Spell the heading of a section."""
    return f"{SECTION_MARK}{escape(section)}"


def title_line(title: str) -> str:
    """Spell the heading of the page."""
    return f"{TITLE_MARK}{escape(title)}"


def merged_line(slug: str, title: str) -> str:
    """Spell the one line of a page that was merged into another."""
    label = escape(title)
    shown = slug if label == slug or any(sign in title for sign in "[]|") or not label else f"{slug}|{label}"
    return f"Merged into [[{shown}]]."


def anchor_below(text: str) -> bool:
    """Tell whether words behind the last line would become part of a table, a fence, a formula, code or HTML."""
    lines = text.split("\n")
    if _STANDS_ALONE.match(lines[0]) or any(_FENCE.match(line) for line in lines):
        return True
    return any("|" in line and _DELIMITER.fullmatch(line) for line in lines[1:])


def fence_of(line: str) -> str:
    """Return the run of signs that opens or closes a fenced block, or ""."""
    match = _FENCE.match(line)
    if match is None or ("`" in match[1] and "`" in line[match.end() :]):
        return ""
    return match[1]


def closes_fence(line: str, fence: str) -> bool:
    """Tell whether a line closes the fence that was opened with these signs."""
    signs = fence_of(line)
    return signs[:1] == fence[0] and len(signs) >= len(fence) and line.strip(" \t\r") == signs
