"""Paragraphs: lines between blank lines, the framing that plain text, Markdown and turns share.

A blank line that is complete finishes what stands before it; that is all the framing there is. Recall output is a
paragraph of its own from its opening to its closing line, whatever blank lines are inside.
"""

from collections.abc import Iterator
from typing import NamedTuple

from xysq.model.source import Passage
from xysq.readers.material import Line, Material
from xysq.readers.recall import closes, opens, still_open


class Paragraph(NamedTuple):
    """Lines without a blank one between them; `own` where they are recall output."""

    lines: tuple[Line, ...]
    own: bool

    @property
    def start(self) -> int:
        """The place of its first byte."""
        return self.lines[0].start

    @property
    def end(self) -> int:
        """The place behind the words of its last line."""
        return self.lines[-1].end


def paragraphs(material: Material, previous: Passage | None) -> Iterator[Paragraph]:
    """Yield the paragraphs of the material in order."""
    group: list[Line] = []
    own = still_open(previous)
    for line in material.lines(material.first):
        words = material.data[line.start : line.end]
        if not words.strip():
            if group:
                yield Paragraph(tuple(group), own)
            group = []
            continue
        if not own and opens(words):
            if group:
                yield Paragraph(tuple(group), own)
            group, own = [], True
        group.append(line)
        if own and closes(words):
            yield Paragraph(tuple(group), own)
            group, own = [], False
    if group:
        yield Paragraph(tuple(group), own)


def finished(material: Material) -> int:
    """Return the place behind the last complete blank line, or 0 where there is none."""
    data = material.data
    end = data.rfind(b"\n") + 1
    while end > 0:
        start = data.rfind(b"\n", 0, end - 1) + 1
        if not data[max(start, material.first) : end].strip():
            return end
        end = start
    return 0
