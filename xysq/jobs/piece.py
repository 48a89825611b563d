"""Pieces: a session that its sender hands over bit by bit, and not always only once.

A piece that begins with everything the session has is the session grown. Any other is what came next, and is added at
the end, as a paragraph of its own where the session is a text. A piece that came before answers the version it made:
senders repeat what they got no answer to. One that numbers its pieces repeats only what has the same number.
"""

from collections.abc import Sequence

from xysq.canonical import sha256_hex
from xysq.model.source import Meta, VersionKind
from xysq.readers.request import CLAUDE_CODE

_PUSHED = (VersionKind.PUSH, VersionKind.APPEND)
_SEPARATORS = (b"", b"\n", b"\n\n")


def repeated(metas: Sequence[Meta], data: bytes, sequence: int | None) -> Meta | None:
    """Return the version that a piece made when it came before; None where it is new."""
    digests = frozenset(sha256_hex(separator + data) for separator in _SEPARATORS)
    for meta in metas:
        is_same = meta.part.sha256 in digests or meta.pushed.sha256 in digests
        if is_same and meta.kind in _PUSHED and (sequence is None or meta.sequence == sequence):
            return meta
    return None


def separated(newest: Meta, before: bytes, piece: bytes) -> bytes:
    """Return a piece with what must stand between it and the bytes before, so that it runs on in no sentence of theirs.

    A session of records is left alone: a piece of it may begin in the middle of one.
    """
    if newest.format == CLAUDE_CODE or newest.text is not None or not before:
        return piece
    separator = next(ending for ending in _SEPARATORS if (before + ending).endswith(b"\n\n"))
    return separator + piece
