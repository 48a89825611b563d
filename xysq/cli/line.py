"""Lines: what people read, as pieces with a tone. Untrusted text becomes fit for a terminal here and nowhere else.

Whatever a piece is made of, control, bidi and invisible characters are shown as escapes and a line end as a space, so
words from a log can neither drive a terminal nor look like a line of ours. A surface that has colours paints the tones;
every other one prints the words alone.
"""

from collections.abc import Iterator
from enum import StrEnum

from xysq.frozen import frozen
from xysq.text import safe_line, safe_text

INDENT = "    "


class Tone(StrEnum):
    """What a piece is, which is all that a colour may say about it."""

    PLAIN = "plain"
    ID = "id"
    FAINT = "faint"
    STRONG = "strong"
    QUOTE = "quote"
    COME = "come"
    GONE = "gone"
    WARN = "warn"


@frozen(kw_only=False)
class Piece:
    """A part of a line."""

    text: str
    tone: Tone = Tone.PLAIN


@frozen(kw_only=False)
class Line:
    """One line for people; its pieces are fit for a terminal."""

    pieces: tuple[Piece, ...]

    def __str__(self) -> str:
        """Return the words without their tones."""
        return "".join(piece.text for piece in self.pieces)


def line(*parts: str | Piece) -> Line:
    """Make a line of words and pieces."""
    pieces = (part if isinstance(part, Piece) else Piece(part) for part in parts)
    return Line(tuple(Piece(_fit(piece.text), piece.tone) for piece in pieces))


def rows(text: str, indent: str = "", tone: Tone = Tone.PLAIN) -> Iterator[Line]:
    """Yield the lines of a text that has several."""
    for row in text.removesuffix("\n").split("\n"):
        yield line(indent, Piece(row.removesuffix("\r"), tone))


def tabbed(*cells: str) -> Line:
    """Make a line of cells for programs: tabs between them, and none inside."""
    return Line((Piece("\t".join(safe_line(cell) for cell in cells)),))


def ident(text: str) -> Piece:
    """Return an id that can be typed."""
    return Piece(text, Tone.ID)


def faint(text: str) -> Piece:
    """Return what is not worth a second look."""
    return Piece(text, Tone.FAINT)


def strong(text: str) -> Piece:
    """Return what to look at first."""
    return Piece(text, Tone.STRONG)


def warning(text: str) -> Piece:
    """Return what should not be overlooked."""
    return Piece(text, Tone.WARN)


def flat(text: str) -> str:
    """Return words on one line, with single spaces."""
    return " ".join(text.split())


def counted(count: int, word: str, plural: str = "") -> str:
    """Return a number with its word: `1 fact`, `4,182 bytes`."""
    return f"{count:,} {word if count == 1 else plural or f'{word}s'}"


def moment(at: str | None) -> str:
    """Spell a moment for people: `2026-11-30 18:02Z`; "" where it is unknown."""
    return f"{at[:16].replace('T', ' ')}Z" if at else ""


def _fit(text: str) -> str:
    return safe_text(text.replace("\r\n", " ").replace("\n", " "))
