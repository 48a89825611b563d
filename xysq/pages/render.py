"""Render: the bytes of a page, from its state and nothing else (P4)."""

from collections.abc import Iterator, Sequence

from xysq.model.page import Block, FactBlock, PageState
from xysq.pages.changelog import compose_changelog
from xysq.pages.front import front_lines
from xysq.pages.layout import changelog_block, put_together
from xysq.pages.spelling import fact_line, heading_line, merged_line, prose_lines, title_line


def render(page: PageState) -> bytes:
    """Return the whole file of a page: one line where it was merged, nothing where it was removed."""
    if page.removed:
        return b""
    if page.merged_into is not None:
        return put_together([(merged_line(page.merged_into, page.title), False)])
    return put_together(_blocks(page))


def _blocks(page: PageState) -> Iterator[tuple[str, bool]]:
    names = tuple(alias.name for alias in page.aliases)
    yield "\n".join(front_lines(page.title, page.kind, names)), False
    yield title_line(page.title), False
    yield from _spelled(page.head)
    for section in page.sections:
        yield heading_line(section.name), False
        yield from _spelled(section.blocks)
    yield from _spelled(page.tail)
    if page.changelog:
        yield changelog_block(compose_changelog(page.changelog)), False


def _spelled(blocks: Sequence[Block]) -> Iterator[tuple[str, bool]]:
    for block in blocks:
        if isinstance(block, FactBlock):
            yield fact_line(block.text, block.fact), True
        else:
            yield prose_lines(block.text, block.block), False
