"""Reading a version: its new passages, from the first byte that may have grown.

An append is read from where the version before it was certainly finished, so an unfinished last record is read again
with what came behind it, and everything before costs nothing.
"""

from dataclasses import replace

from xysq.jobs.opened import Opened
from xysq.model.settings import Me
from xysq.model.source import Certainty, Meta, Passage, Version, VersionKind
from xysq.readers.reading import Reading, ReadRequest, read
from xysq.readers.view import View, join_views, make_view
from xysq.store import logs
from xysq.store.readmodel.logs import ModelledLogs


def read_version(opened: Opened, known: ModelledLogs, meta: Meta, me: Me) -> tuple[Reading, int]:
    """Read what a version brought, behind what is known of the versions before; return it and where it began."""
    begin = 0
    previous = None
    if meta.kind is VersionKind.APPEND:
        before = known.meta(Version(meta.source, meta.version - 1)) or logs.read_meta(
            opened.files, Version(meta.source, meta.version - 1)
        )
        begin = min(meta.offset, before.parsed_to)
        previous = known.last_passage(meta.source, begin) if begin else None
    request = ReadRequest(
        source=meta.source,
        version=meta.version,
        data=logs.read_range(opened.files, meta.id, begin, meta.whole.size),
        format=meta.format,
        start=begin,
        enc_view=view_from(opened, meta, begin),
        next_number=1 if previous is None else previous.number + 1,
        previous=previous,
        seen=known.natives(meta.source, begin) if begin else frozenset(),
        me=me,
        said_as=meta.said_as,
        earlier=lambda: logs.read_range(opened.files, meta.id, 0, begin),
    )
    return _timed(read(request), meta), begin


def read_arriving(meta: Meta, data: bytes) -> tuple[Passage, ...]:
    """Read the first version of a source that comes with a run, and lies nowhere yet."""
    request = ReadRequest(source=meta.source, version=meta.version, data=data, format=meta.format, said_as=meta.said_as)
    return _timed(read(request), meta).passages


def _timed(reading: Reading, meta: Meta) -> Reading:
    """Return a reading with the time that was given where the log tells none."""
    if meta.certainty is not Certainty.GIVEN:
        return reading
    timed = tuple(replace(passage, at=passage.at or meta.observed_to) for passage in reading.passages)
    return replace(reading, passages=timed)


def view_from(opened: Opened, meta: Meta, begin: int) -> View | None:
    """Return the text view from the part around a raw offset to the end; None where the words are cited raw."""
    if meta.text is None:
        return None
    views: list[View] = []
    number = meta.version
    while True:
        part = meta if number == meta.version else logs.read_meta(opened.files, Version(meta.source, number))
        if part.text is None:
            break
        raw = logs.read_range(opened.files, part.id, part.offset, part.offset + part.part.size)
        views.append(make_view(raw, part.text.encoding, raw_start=part.offset, text_start=part.text.offset))
        if part.kind is not VersionKind.APPEND or part.offset <= begin:
            break
        number -= 1
    return join_views(tuple(reversed(views)))
