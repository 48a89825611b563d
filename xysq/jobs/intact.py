"""Intact: whether the words that a query shows still are the log's own bytes (P12).

What is searched is derived, so it would go on answering while the log behind it rots. The few passages that a query
shows are compared with the log before it is answered; the answer stands, and says what is damaged.
"""

from collections.abc import Callable, Iterable, Sequence

from xysq.errors import Damaged, NotFound
from xysq.jobs.opened import Opened
from xysq.jobs.readable import tell_damaged
from xysq.model.source import Encoding, Passage, Span, Version, decode_span
from xysq.store import layout, logs
from xysq.store.files import Files
from xysq.store.readmodel import Snapshot

_Read = Callable[[Files, Version, int, int], bytes]


def tell_of_damage(opened: Opened, snapshot: Snapshot, passages: Iterable[Passage]) -> None:
    """Say how many of the sources that are shown are damaged, apart from those of which readers say so anyway."""
    damaged = {passage.source for passage in passages if not are_intact(opened, (passage,))}
    tell_damaged(opened, len(damaged.difference(snapshot.logs.damaged())))


def are_intact(opened: Opened, passages: Sequence[Passage]) -> bool:
    """Tell whether every span of passages of one version still is what the log has; the log is read once."""
    if not passages:
        return True
    version = Version(passages[0].source, passages[0].version)
    spans = [span for passage in passages for span in passage.spans]
    views = [span for span in spans if span.enc is Encoding.TEXT]
    raws = [span for span in spans if span.enc is not Encoding.TEXT]
    return _are_in(opened, version, raws, logs.read_range) and _are_in(opened, version, views, logs.read_view_range)


def prove_intact(opened: Opened, passage: Passage) -> None:
    """Raise `Damaged` where the bytes of a passage are not those that were read."""
    version = Version(passage.source, passage.version)
    if not are_intact(opened, (passage,)):
        logs.verify_version(opened.files, version)
        raise Damaged(layout.meta_path(version), "0", f"the bytes of {passage} are not those that were read")


def _are_in(opened: Opened, version: Version, spans: Sequence[Span], read: _Read) -> bool:
    if not spans:
        return True
    begin, end = min(span.start for span in spans), max(span.end for span in spans)
    try:
        data = read(opened.files, version, begin, end)
    except (Damaged, NotFound):
        return False
    return all(decode_span(data[span.start - begin : span.end - begin], span.enc) == span.text for span in spans)
