"""Intact: whether the words that a query shows still are the log's own bytes (P12).

What is searched is derived, so it would go on answering while the log behind it rots. The few passages that a query
shows are compared with the log before it is answered; the answer stands, and says what is damaged.
"""

from collections.abc import Iterable

from xysq.errors import Damaged, NotFound
from xysq.jobs.opened import Opened
from xysq.jobs.readable import tell_damaged
from xysq.model.source import Encoding, Passage, Span, Version, decode_span
from xysq.store import layout, logs
from xysq.store.readmodel import Snapshot


def tell_of_damage(opened: Opened, snapshot: Snapshot, passages: Iterable[Passage]) -> None:
    """Say how many of the sources that are shown are damaged, apart from those of which readers say so anyway."""
    damaged = {passage.source for passage in passages if not is_intact(opened, passage)}
    tell_damaged(opened, len(damaged.difference(snapshot.logs.damaged())))


def is_intact(opened: Opened, passage: Passage) -> bool:
    """Tell whether every span of a passage still is what the log has."""
    version = Version(passage.source, passage.version)
    return all(_is_in_log(opened, version, span) for span in passage.spans)


def prove_intact(opened: Opened, passage: Passage) -> None:
    """Raise `Damaged` where the bytes of a passage are not those that were read."""
    version = Version(passage.source, passage.version)
    if not is_intact(opened, passage):
        logs.verify_version(opened.files, version)
        raise Damaged(layout.meta_path(version), "0", f"the bytes of {passage} are not those that were read")


def _is_in_log(opened: Opened, version: Version, span: Span) -> bool:
    read = logs.read_view_range if span.enc is Encoding.TEXT else logs.read_range
    try:
        return decode_span(read(opened.files, version, span.start, span.end), span.enc) == span.text
    except (Damaged, NotFound):
        return False
