"""Text views: UTF-8 words of bytes that are not UTF-8, and the way back to the raw bytes.

A view is a pure function of bytes and the name of an encoding, so it can be made again and compared (`decode_view`).
Each character knows how many raw bytes it came from: what an encoding cannot read stands as U+FFFD, one for each
byte, code unit or cut-off end. The name of an encoding may end in `+K`: the first K bytes are the end of a
character that began in the part before (`continued`), so that an odd cut does not shift all that follows.
"""

import re
from bisect import bisect_left, bisect_right
from itertools import pairwise

from xysq.errors import BadInput
from xysq.frozen import frozen
from xysq.readers.encoding import sniff

_CODECS = {
    "utf-8": ("utf-8", "surrogateescape", 1),
    "utf-16-le": ("utf-16-le", "surrogatepass", 2),
    "utf-16-be": ("utf-16-be", "surrogatepass", 2),
    "utf-32-le": ("utf-32-le", "replace", 4),
    "utf-32-be": ("utf-32-be", "replace", 4),
    "gb18030": ("gb18030", "surrogateescape", 1),
    "cp949": ("cp949", "surrogateescape", 1),
    "big5": ("big5", "surrogateescape", 1),
    "cp932": ("cp932", "surrogateescape", 1),
    "cp1251": ("cp1251", "surrogateescape", 1),
    "cp1253": ("cp1253", "surrogateescape", 1),
    "cp1255": ("cp1255", "surrogateescape", 1),
    "koi8-r": ("koi8-r", "surrogateescape", 1),
    "cp1252": ("cp1252", "surrogateescape", 1),
}
_NAME = re.compile(r"([a-z0-9-]+)(?:\+([1-3]))?")
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_PIECE = 256


@frozen(kw_only=False)
class _Piece:
    """Some characters, where they begin in view and raw bytes, and how they spell there; "" is one odd end."""

    text_at: int
    raw_at: int
    decoded: str
    codec: str
    errors: str

    def raw_width(self, characters: int) -> int:
        return len(self.decoded[:characters].encode(self.codec, self.errors)) if self.codec else 0


@frozen
class View:
    """The text of raw bytes from the global offset `raw_start` on; `text_start` counts over all views."""

    encoding: str
    raw_start: int
    text_start: int
    raw_end: int
    text: bytes
    pieces: tuple[_Piece, ...]
    holes: tuple[int, ...]

    @property
    def text_end(self) -> int:
        """The global end of the text."""
        return self.text_start + len(self.text)

    def raw_at(self, offset: int) -> int:
        """Return the global raw offset of the character at a global offset of the view."""
        if offset >= self.text_end:
            return self.raw_end
        place = bisect_right(self.pieces, offset, key=_text_at) - 1
        piece = self.pieces[place]
        head = _shown(piece.decoded)[: offset - piece.text_at]
        return piece.raw_at + piece.raw_width(len(head.decode("utf-8")))

    def text_at(self, raw_offset: int) -> int:
        """Return the global offset in the view of the character that begins at or after a raw offset."""
        if raw_offset >= self.raw_end:
            return self.text_end
        piece = self.pieces[max(0, bisect_right(self.pieces, raw_offset, key=_raw_at) - 1)]
        raw, text = piece.raw_at, piece.text_at
        for letter in piece.decoded:
            if raw >= raw_offset:
                break
            raw += len(letter.encode(piece.codec, piece.errors)) if piece.codec else 1
            text += len(_shown(letter))
        return text

    def hole(self, start: int, end: int) -> int | None:
        """Return the first global offset in `[start, end)` of the view where bytes could not be read."""
        place = bisect_left(self.holes, start)
        return self.holes[place] if place < len(self.holes) and self.holes[place] < end else None


def _text_at(piece: _Piece) -> int:
    return piece.text_at


def _raw_at(piece: _Piece) -> int:
    return piece.raw_at


def decode_view(data: bytes, encoding: str) -> bytes:
    """Return the UTF-8 text of raw bytes in a named encoding."""
    head, body, tail, _codec, _errors = _decoded(data, encoding)
    return _shown(head + body + tail)


def make_view(data: bytes, encoding: str | None = None, *, raw_start: int = 0, text_start: int = 0) -> View:
    """View the bytes of a part; without an encoding, find it by its content.

    A part behind another one is given what `continued` says of the view before it.
    """
    name = encoding or sniff(data)
    head, body, tail, codec, errors = _decoded(data, name)
    pieces: list[_Piece] = []
    holes: list[int] = []
    text, raw = text_start, raw_start
    if head:
        pieces.append(_Piece(text, raw, head, "", ""))
        holes.append(text)
        text, raw = text + len(_shown(head)), raw + _phase(name, len(data))
    for begin in range(0, len(body), _PIECE):
        decoded = body[begin : begin + _PIECE]
        piece = _Piece(text, raw, decoded, codec, errors)
        pieces.append(piece)
        holes += (text + len(_shown(decoded[: found.start()])) for found in _SURROGATE.finditer(decoded))
        text, raw = text + len(_shown(decoded)), raw + piece.raw_width(len(decoded))
    if tail:
        pieces.append(_Piece(text, raw, tail, "", ""))
        holes.append(text)
    return View(
        encoding=name,
        raw_start=raw_start,
        text_start=text_start,
        raw_end=raw_start + len(data),
        text=_shown(head + body + tail),
        pieces=tuple(pieces),
        holes=tuple(holes),
    )


def join_views(views: tuple[View, ...]) -> View:
    """Return one view over parts that follow each other without a gap."""
    for before, after in pairwise(views):
        if before.raw_end != after.raw_start or before.text_end != after.text_start:
            raise BadInput(f"a view ends at {before.raw_end}, the next begins at {after.raw_start}")
    return View(
        encoding=views[0].encoding,
        raw_start=views[0].raw_start,
        text_start=views[0].text_start,
        raw_end=views[-1].raw_end,
        text=b"".join(view.text for view in views),
        pieces=tuple(piece for view in views for piece in view.pieces),
        holes=tuple(hole for view in views for hole in view.holes),
    )


def continued(encoding: str, size: int) -> str:
    """Return the encoding of the part behind one of `size` bytes in this encoding."""
    name, phase = _name(encoding)
    unit = _CODECS[name][2]
    missing = (phase - size) % unit
    return f"{name}+{missing}" if missing else name


def _decoded(data: bytes, encoding: str) -> tuple[str, str, str, str, str]:
    """Return odd beginning, characters and odd end, and the codec with which the characters spell raw bytes."""
    name, _ = _name(encoding)
    codec, errors, unit = _CODECS[name]
    phase = _phase(encoding, len(data))
    whole = len(data) - (len(data) - phase) % unit
    body = data[phase:whole].decode(codec, errors)
    return "\ufffd" if phase else "", body, "\ufffd" if whole < len(data) else "", codec, errors


def _shown(decoded: str) -> bytes:
    return _SURROGATE.sub("\ufffd", decoded).encode("utf-8")


def _name(encoding: str) -> tuple[str, int]:
    match = _NAME.fullmatch(encoding)
    if not match or match[1] not in _CODECS or int(match[2] or 0) >= _CODECS[match[1]][2]:
        raise BadInput(f"{encoding!r} is no encoding of a text view")
    return match[1], int(match[2] or 0)


def _phase(encoding: str, size: int) -> int:
    return min(_name(encoding)[1], size)
