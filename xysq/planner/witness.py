"""Witness: what the archive says about a quote, besides its words: who, when, and by which channel.

Evidence carries the speaker, role and time of the passage it was cut from and the channel of the version that
brought its bytes. The planner writes them down from here, and the gate asks here again whether they are true.
"""

import re
from dataclasses import replace

from xysq.model.fact import Evidence
from xysq.model.ranges import Range
from xysq.model.source import Channel, Encoding, Meta, Passage, Version, VersionKind
from xysq.model.state import Archive
from xysq.planner.fence import fence_ranges

_SOURCE = re.compile(r"[0-9]{8}-[0-9a-hjkmnp-tv-z]{6}")
_MAX_STEPS = 10_000


def is_well_formed(evidence: Evidence) -> bool:
    """Tell whether evidence names a source as sources are named and a range that is not empty."""
    is_named = _SOURCE.fullmatch(evidence.source) is not None and 0 < evidence.version < 2**31
    return is_named and 0 <= evidence.start < evidence.end < 2**53


def is_verbatim(evidence: Evidence, archive: Archive) -> bool:
    """Tell whether the quote is, letter for letter, what the cited bytes say."""
    return is_well_formed(evidence) and archive.words(evidence) == evidence.quote


def is_standing(evidence: Evidence, archive: Archive) -> bool:
    """Tell whether the quote is verbatim and every later correction kept its bytes."""
    return is_verbatim(evidence, archive) and archive.stands(evidence)


def observed_at(passage: Passage, meta: Meta) -> str | None:
    """Return when the passage was said, never later than it was pushed."""
    return None if passage.at is None else min(passage.at, meta.pushed_at)


def channel_of(archive: Archive, version: Version, place: Range, enc: Encoding) -> Channel | None:
    """Return by which channel the bytes came: that of the version that first held them.

    Where several versions brought parts of the range, MCP wins: a quote is as weak as its weakest part. None where
    the version never landed.
    """
    found: Channel | None = None
    for _ in range(_MAX_STEPS):
        meta = archive.meta(version)
        if meta is None:
            return found
        before, is_all_old = _in_version_before(meta, place, enc)
        if not is_all_old:
            found = meta.channel if found is None else found
            if meta.channel is Channel.MCP:
                return Channel.MCP
        if before is None or version.number == 1:
            return found or meta.channel
        version, place = Version(version.source, version.number - 1), before
    return found


def _in_version_before(meta: Meta, place: Range, enc: Encoding) -> tuple[Range | None, bool]:
    """Return the part of a range that the version before held, in its offsets, and whether that is all of it."""
    start, end = place
    match meta.kind:
        case VersionKind.PUSH:
            return None, False
        case VersionKind.APPEND:
            offset = meta.offset
            if enc is Encoding.TEXT:
                offset = 0 if meta.text is None else meta.text.offset
            return ((start, min(end, offset)) if start < offset else None), end <= offset
        case VersionKind.UPDATE | VersionKind.CORRECT:
            if enc is Encoding.TEXT:
                return None, False
            for old_start, old_end, new_start in meta.kept:
                low, high = max(start, new_start), min(end, new_start + old_end - old_start)
                if low < high:
                    shift = old_start - new_start
                    return (low + shift, high + shift), (low, high) == place
            return None, False


def disagreement(evidence: Evidence, archive: Archive) -> str | None:
    """Say in what new evidence differs from the log as it is read now; None where it agrees.

    The range must lie inside one span of one passage and cut no character and no escape; speaker, role, time and
    channel must be the passage's; and the words must not be this vault's own recall.
    """
    if not is_well_formed(evidence):
        return "names no place in a log"
    meta = archive.meta(evidence.cited)
    passage = archive.passage_at(evidence.cited, evidence.start, evidence.end, evidence.enc.value)
    if meta is None or passage is None:
        return "lies in no passage of the log"
    if passage.own:
        return "is what one of our own tools answered"
    if (evidence.speaker, evidence.role) != (passage.speaker, passage.role):
        return f"was said by {passage.speaker or passage.role.value}"
    if evidence.at != observed_at(passage, meta):
        return f"was said at {observed_at(passage, meta) or 'an unknown time'}"
    if evidence.channel is not channel_of(archive, evidence.cited, (evidence.start, evidence.end), evidence.enc):
        return "came by another channel"
    return _misplaced(evidence, passage, archive)


def _misplaced(evidence: Evidence, passage: Passage, archive: Archive) -> str | None:
    """Say why a range is no clean part of a span: its words, and those on both sides, must make up the span."""
    begin = 0
    for span in passage.spans:
        if span.enc is evidence.enc and span.start <= evidence.start and evidence.end <= span.end:
            before = _words(evidence, span.start, evidence.start, archive)
            after = _words(evidence, evidence.end, span.end, archive)
            if before is None or after is None or f"{before}{evidence.quote}{after}" != span.text:
                return "cuts a character or an escape"
            place = begin + len(before)
            if any(low < place + len(evidence.quote) and place < high for low, high in fence_ranges(passage.text)[0]):
                return "stands inside a block that recall printed"
            return None
        begin += len(span.text) + 1
    return "lies in no single span of its passage"


def _words(evidence: Evidence, start: int, end: int, archive: Archive) -> str | None:
    return "" if start == end else archive.words(replace(evidence, start=start, end=end, quote=""))
