"""The words a reader walks through, and the passages it collects from them.

A reader sees UTF-8 bytes only: those of the log, or of its text view. Places are offsets in these bytes;
`Material` knows what they are in the log and in the view, and `Collector` numbers what was found.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from xysq.frozen import frozen
from xysq.model.source import Certainty, Encoding, Passage, Role, Span, Unreadable, decode_span
from xysq.readers.cut import cut
from xysq.readers.encoding import incomplete_end
from xysq.readers.request import Reading, ReadRequest
from xysq.readers.view import View

_MARK = b"\xef\xbb\xbf"


class Line(NamedTuple):
    """One line: its first byte, the end of its words (before LF or CR LF), the next line, whether LF ended it."""

    start: int
    end: int
    next: int
    whole: bool


@frozen
class Material:
    """UTF-8 bytes, the global offset of the first, and which spans cite them."""

    data: bytes
    base: int
    enc: Encoding
    view: View | None
    half: bytes = b""

    @classmethod
    def of(cls, data: bytes, start: int, view: View | None) -> "Material":
        """Take the bytes from the global raw offset `start` on; a character cut off at the end is left out."""
        if view is None:
            half = incomplete_end(data)
            return cls(data=data[: len(data) - len(half)], base=start, enc=Encoding.PLAIN, view=None, half=half)
        begin = view.text_at(start)
        return cls(data=view.text[begin - view.text_start :], base=begin, enc=Encoding.TEXT, view=view)

    @property
    def first(self) -> int:
        """The place of the first word: behind a byte order mark."""
        return len(_MARK) if self.begins_log and self.data.startswith(_MARK) else 0

    @property
    def begins_log(self) -> bool:
        """Whether the first byte is the first of the log."""
        return self.raw(0) == 0

    def raw(self, place: int) -> int:
        """Return the global raw offset of a place."""
        return self.base + place if self.view is None else self.view.raw_at(self.base + place)

    def span(self, start: int, end: int) -> Span | None:
        """Cite `[start, end)`; None where these bytes are no words."""
        words = decode_span(self.data[start:end], self.enc)
        return None if words is None else Span(start=self.base + start, end=self.base + end, enc=self.enc, text=words)

    def lines(self, start: int) -> Iterator[Line]:
        """Yield the lines from a place on; only LF ends a line."""
        data = self.data
        while start < len(data):
            found = data.find(b"\n", start)
            following = len(data) if found < 0 else found + 1
            end = len(data) if found < 0 else found
            if end > start and data[end - 1] == 0x0D:
                end -= 1
            yield Line(start, end, following, found >= 0)
            start = following

    def is_blank(self, line: Line) -> bool:
        """Tell whether a line is nothing but white space."""
        return not self.data[line.start : line.end].strip()

    def trimmed(self, start: int, end: int) -> tuple[int, int]:
        """Return the range without the white space at its ends."""
        piece = self.data[start:end]
        left = len(piece) - len(piece.lstrip())
        return (start, start) if left == len(piece) else (start + left, start + len(piece.rstrip()))


class Collector:
    """Takes what a reader finds in places of the material; `reading` makes passages of it, in order."""

    def __init__(self, request: ReadRequest, material: Material) -> None:
        """Begin with what came before."""
        self.request = request
        self.material = material
        self.passages: list[Passage] = []
        self.unreadable: list[Unreadable] = []
        self.recalled = request.previous is not None and (request.previous.own or request.previous.after_recall)

    @property
    def previous(self) -> Passage | None:
        """The last passage so far, of this reading or before it."""
        return self.passages[-1] if self.passages else self.request.previous

    def add(  # noqa: PLR0913 - what a passage is made of
        self,
        *,
        start: int,
        end: int,
        spans: tuple[Span, ...],
        role: Role,
        speaker: str = "",
        at: str | None = None,
        native: str = "",
        own: bool = False,
        session_kind: str = "text",
    ) -> None:
        """Add a passage; `start` and `end` are places."""
        self.passages.append(
            Passage(
                source=self.request.source,
                version=self.request.version,
                number=self.request.next_number + len(self.passages),
                start=self.material.raw(start),
                end=self.material.raw(end),
                speaker=speaker,
                role=role,
                at=at,
                spans=spans,
                native=native,
                own=own,
                after_recall=self.recalled,
                session_kind=session_kind,
            )
        )
        self.recalled = self.recalled or own

    def add_words(
        self,
        *,
        start: int,
        end: int,
        words: tuple[int, int],
        role: Role,
        speaker: str = "",
        at: str | None = None,
        own: bool = False,
        session_kind: str = "text",
    ) -> None:
        """Add the words of a range of the material, cut where they are too long for one passage."""
        material = self.material
        pieces = list(cut(material.data, *words, material.enc))
        for place, (first, last) in enumerate(pieces):
            span = material.span(first, last)
            begin = start if place == 0 else first
            if span is None or not _has_words(span.text):
                if span is None or span.text.strip():
                    self.report(begin, "not UTF-8" if span is None else "control characters without a word")
                continue
            hole = material.view.hole(span.start, span.end) if material.view else None
            if hole is not None:
                self.report(hole - material.base, "bytes that are no characters in this encoding, shown as U+FFFD")
            self.add(
                start=begin,
                end=end if place == len(pieces) - 1 else last,
                spans=(span,),
                role=role,
                speaker=speaker,
                at=at,
                own=own,
                session_kind=session_kind,
            )

    def report(self, place: int, reason: str) -> None:
        """Report a record that cannot be read."""
        self.unreadable.append(Unreadable(offset=self.material.raw(place), reason=reason))

    def reading(
        self,
        *,
        parsed_to: int,
        certainty: Certainty,
        title: str = "",
        project: str = "",
        session: str = "",
        key: str = "",
        finish: Callable[[Passage], Passage] | None = None,
    ) -> Reading:
        """Make the reading; `parsed_to` is a place, `finish` what is known of every passage only at the end."""
        if self.material.half:
            self.report(len(self.material.data), "a character that the end of the log cuts off")
        passages = tuple(self.passages if finish is None else map(finish, self.passages))
        times = sorted(passage.at for passage in passages if passage.at is not None)
        return Reading(
            passages=passages,
            unreadable=tuple(self.unreadable),
            parsed_to=self.material.raw(parsed_to),
            observed_from=times[0] if times else None,
            observed_to=times[-1] if times else None,
            certainty=certainty if times else Certainty.UNKNOWN,
            title=title,
            project=project,
            session=session,
            key=key,
        )


def _has_words(text: str) -> bool:
    """Tell whether there is anything to see: a letter, a digit or a sign."""
    return any(letter.isprintable() and not letter.isspace() for letter in text)
