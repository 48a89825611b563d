"""The layout of a page: which blocks follow each other, and what stands between them.

Facts that follow each other stand on adjacent lines, so that they are one list; between all other blocks stands
one blank line. The file ends with one line end.
"""

from collections.abc import Iterable, Sequence

from xysq.pages.changelog import HEADING
from xysq.pages.spelling import SECTION_MARK

ADJACENT, APART = "\n", "\n\n"


def put_together(blocks: Iterable[tuple[str, bool]]) -> bytes:
    """Join spelled blocks, each with whether it is a fact, into the bytes of a file."""
    pieces: list[str] = []
    was_fact = False
    for text, is_fact in blocks:
        if pieces:
            pieces.append(ADJACENT if was_fact and is_fact else APART)
        pieces.append(text)
        was_fact = is_fact
    return "".join((*pieces, "\n")).encode("utf-8", "surrogatepass")


def changelog_block(lines: Sequence[str]) -> str:
    """Spell the changelog as one block: its heading, a blank line, its lines."""
    return "\n".join((f"{SECTION_MARK}{HEADING}", "", *lines))
