"""Finding typed words in a passage: the very characters, else the one place that is equal after folding."""

import unicodedata
from functools import lru_cache

from xysq.frozen import frozen
from xysq.model.ranges import Range
from xysq.text import fold

_JAMO = range(0x1160, 0x1200)


@frozen
class _Folded:
    """A text folded piece by piece: for every folded character where its piece begins and ends in the text."""

    text: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]


def locate(words: str, text: str) -> Range | None:
    """Return the characters of a text that the words are.

    The first exact place wins. Without one, white space, quotation marks, dashes and case do not count, but then
    there must be exactly one place; None where there is none, or several.
    """
    typed = words.strip()
    if not typed:
        return None
    start = text.find(typed)
    if start >= 0:
        return start, start + len(typed)
    if fold(typed) not in fold(text):
        return None
    places = _places(_folded(typed).text, _folded(text))
    return places[0] if len(places) == 1 else None


def _places(needle: str, hay: _Folded) -> list[Range]:
    """Return at most two places where whole pieces of the text are the needle."""
    found: list[Range] = []
    place = hay.text.find(needle) if needle else -1
    while place >= 0 and len(found) < 2:
        last = place + len(needle) - 1
        begins = place == 0 or hay.starts[place - 1] != hay.starts[place]
        ends = last + 1 == len(hay.text) or hay.starts[last + 1] != hay.starts[last]
        if begins and ends:
            found.append((hay.starts[place], hay.ends[last]))
        place = hay.text.find(needle, place + 1)
    return found


@lru_cache(maxsize=8)
def _folded(text: str) -> _Folded:
    letters: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    place = 0
    while place < len(text):
        stop = _piece_end(text, place)
        piece = text[place:stop]
        folded = " " if piece.isspace() else fold(piece)
        letters.append(folded)
        starts += [place] * len(folded)
        ends += [stop] * len(folded)
        place = stop
    return _Folded(text="".join(letters), starts=tuple(starts), ends=tuple(ends))


def _piece_end(text: str, place: int) -> int:
    """Return the end of the piece that begins at a place: a run of white space, or a letter with its marks."""
    stop = place + 1
    if text[place].isspace():
        while stop < len(text) and text[stop].isspace():
            stop += 1
        return stop
    while stop < len(text) and (unicodedata.combining(text[stop]) or ord(text[stop]) in _JAMO):
        stop += 1
    return stop
