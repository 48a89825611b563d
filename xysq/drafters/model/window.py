"""Windows: the pieces of a request that a model is shown at once, as numbered lines.

A line is a sentence of a passage; its number is its place in the window, so a model needs one small number to point
at words that exist. A long passage goes over several windows. What a tool or a system said, and what came out of this
vault, is not shown.
"""

from collections.abc import Iterator, Sequence

from xysq.drafters.model.profile import Profile
from xysq.frozen import frozen
from xysq.model.source import Passage, Role
from xysq.sentence import sentences

_READ = frozenset((Role.USER, Role.PERSON, Role.ASSISTANT, Role.OTHER))


@frozen
class Line:
    """A sentence: passage and sentence by their numbers in the request, the speaker, the words."""

    passage: int
    sentence: int
    speaker: str
    role: Role
    text: str


@frozen
class Window:
    """Lines that are shown together; line k is item k - 1."""

    lines: tuple[Line, ...]

    def halves(self) -> tuple["Window", "Window"] | None:
        """Return the window in two; None where there is one line only."""
        half = len(self.lines) // 2
        return (Window(lines=self.lines[:half]), Window(lines=self.lines[half:])) if half else None

    def of_passage(self, passage: int) -> tuple[Line, ...]:
        """Return the lines of a passage that are shown."""
        return tuple(line for line in self.lines if line.passage == passage)


def is_read(passage: Passage) -> bool:
    """Tell whether a passage is shown to a model."""
    return passage.role in _READ and not passage.own and bool(passage.text.strip())


def windows(passages: Sequence[Passage], profile: Profile) -> Iterator[Window]:
    """Cut passages into windows, in order."""
    lines: list[Line] = []
    for line in _lines(passages):
        if lines and _is_over([*lines, line], profile):
            yield Window(lines=tuple(lines))
            lines = []
        lines.append(line)
    if lines:
        yield Window(lines=tuple(lines))


def _lines(passages: Sequence[Passage]) -> Iterator[Line]:
    for number, passage in enumerate(passages, start=1):
        if is_read(passage):
            for place, sentence in enumerate(sentences(passage.text), start=1):
                if any(sign.isalnum() for sign in sentence.text):
                    yield Line(
                        passage=number,
                        sentence=place,
                        speaker=passage.speaker,
                        role=passage.role,
                        text=sentence.text,
                    )


def _is_over(lines: Sequence[Line], profile: Profile) -> bool:
    return (
        len(lines) > profile.lines
        or len({line.passage for line in lines}) > profile.passages
        or sum(len(line.text) for line in lines) > profile.characters
    )
