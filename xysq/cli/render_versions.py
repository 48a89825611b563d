"""Render, versions: what changed in a source from one version to another, and which facts ended of it."""

from collections.abc import Iterator

from xysq.cli.line import INDENT, Line, Piece, Tone, counted, faint, ident, line, strong
from xysq.cli.render_diff import change, patch
from xysq.jobs.versions import VersionDifference, WordHunk

_TONES = {"+": Tone.COME, "-": Tone.GONE}


def versions(found: VersionDifference, *, with_words: bool = True) -> Iterator[Line]:
    """Yield the facts that ended, then the words that differ, with the passages they are in."""
    yield line(faint("from "), ident(str(found.old)), faint(f"  {counted(found.old_bytes, 'byte')}"))
    yield line(faint("to   "), ident(str(found.new)), faint(f"  {counted(found.new_bytes, 'byte')}"))
    if not found:
        yield line("no difference")
        return
    for end in found.closed:
        yield line()
        yield from change("- closed", Tone.GONE, end.fact)
        yield line(INDENT, faint(f"{end.reason}, cause "), ident(end.cause))
    if not with_words:
        return
    if not found.words:
        yield line()
        yield line("the words are the same, the bytes are not: --patch shows their lines")
    for hunk in found.words:
        yield line()
        yield from _hunk(hunk)


def versions_stat(found: VersionDifference) -> Iterator[Line]:
    """Yield the numbers alone."""
    signs = [one.sign for hunk in found.words for one in hunk.lines]
    yield line(
        ident(str(found.new)),
        "  ",
        Piece(f"+{signs.count('+')}", Tone.COME),
        " ",
        Piece(f"-{signs.count('-')}", Tone.GONE),
    )
    yield line(f"{found.new_bytes - found.old_bytes:+,} bytes; facts: {len(found.closed):,} closed")


def versions_patch(found: VersionDifference) -> Iterator[Line]:
    """Yield the lines of the bytes that differ; of equal bytes nothing."""
    if found.patch:
        yield from patch(found.patch)


def _hunk(hunk: WordHunk) -> Iterator[Line]:
    yield line(faint("@@ "), ident(hunk.old or "nothing"), faint(" … "), ident(hunk.new or "nothing"), faint(" @@"))
    for one in hunk.lines:
        tone = _TONES.get(one.sign, Tone.PLAIN)
        yield line(Piece(f"{one.sign} ", tone), strong(one.who), Piece(f": {one.text}", tone))
