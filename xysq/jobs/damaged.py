"""Damaged sources: what cannot be read is told and left out, and everything else is indexed all the same (P12).

A source is put into the read model version by version, each proven by its digest. At the first that is not as it was
stored the source is noted as damaged, in the same transaction: queries answer without the rest of it and say so, and
nobody takes it for a source that never was. Whoever holds the lock next looks whether it was mended meanwhile.
"""

from collections.abc import Iterable

from xysq.errors import Damaged
from xysq.jobs.held import Held
from xysq.jobs.opened import Opened
from xysq.jobs.reading import read_version
from xysq.model.settings import Me
from xysq.model.source import SourceId, Version
from xysq.store import layout, logs, queue
from xysq.store.readmodel.writer import Writer


def put_versions(opened: Opened, writer: Writer, source: SourceId, numbers: Iterable[int], me: Me) -> bool:
    """Put versions of a source that the read model lacks, in order; False where one is damaged, which is noted."""
    try:
        for number in numbers:
            if writer.state.logs.newest(source) < number:
                meta = logs.read_meta(opened.files, Version(source, number))
                logs.verify_part(opened.files, meta)
                reading, read_from = read_version(opened, writer.state.logs, meta, me)
                writer.put_version(meta, reading.passages, reading.unreadable, read_from)
    except Damaged as damage:
        writer.note_damaged(source, str(damage))
        return False
    return True


def put_source(opened: Opened, writer: Writer, source: SourceId, me: Me) -> bool:
    """Put every version of a source that has settled: all but those at its end that have landed and no more.

    A version may land in this very moment. So it is asked for its marker after it was seen, for that came before it;
    and of versions before one that has settled a marker says nothing, for it may be back after a power loss.
    """
    try:
        numbers = list(logs.numbers(opened.files, source))
    except Damaged as damage:
        writer.note_damaged(source, str(damage))
        return False
    while numbers and queue.is_marked(opened.files, Version(source, numbers[-1])):
        numbers.pop()
    return put_versions(opened, writer, source, numbers, me)


def lost_sources(opened: Opened, tip: str) -> dict[SourceId, str]:
    """Return the sources of which the history has a meta that the disk has not: without it, it looks never pushed."""
    found: dict[SourceId, str] = {}
    for file in opened.repository.ls_tree(tip, layout.LOGS):
        source = layout.source_of(file.path)
        is_meta = layout.meta_number(file.path.rpartition("/")[2]) is not None
        if source is not None and is_meta and source not in found and not opened.files.exists(file.path):
            found[source] = f"{file.path}:0: the history has it, the disk has not"
    return found


def look_again(held: Held) -> None:
    """Put the sources that were damaged and are not any more."""
    opened = held.opened
    with held.model.reading() as snapshot:
        damaged = snapshot.logs.damaged()
    if not damaged:
        return
    lost = lost_sources(opened, opened.tip())
    mended = [source for source in damaged if source not in lost and not logs.faults(opened.files, source)]
    if mended:
        me = opened.settings().me
        with held.model.writing() as writer:
            for source in mended:
                if put_source(opened, writer, source, me):
                    writer.clear_damaged(source)
