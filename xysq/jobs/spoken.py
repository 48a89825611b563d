"""Spoken: what a person types about the memory, kept word for word as a source of its own that comes with the run."""

from xysq.canonical import sha256_hex, source_id
from xysq.jobs.opened import Opened
from xysq.model.source import Certainty, Digested, Meta, Role, SourceId, VersionKind
from xysq.readers.reading import framed_to
from xysq.readers.request import TEXT
from xysq.store.arrival import Arrival

_TITLE = 80


def spoken(opened: Opened, words: str) -> Arrival:
    """Return the words as a new source that the vault's owner says now."""
    data, now = f"{words}\n".encode(), opened.now()
    whole = Digested(size=len(data), sha256=sha256_hex(data))
    meta = Meta(
        source=SourceId(source_id(opened.clock(), opened.entropy(8))),
        version=1,
        kind=VersionKind.PUSH,
        name="",
        format=TEXT,
        extension="txt",
        title=words[:_TITLE],
        origin="",
        project="",
        session="",
        key="",
        channel=opened.channel,
        pushed_at=now,
        observed_from=now,
        observed_to=now,
        certainty=Certainty.GIVEN,
        part=whole,
        whole=whole,
        pushed=whole,
        offset=0,
        parsed_to=framed_to(TEXT, data, 0),
        said_as=(Role.USER, opened.settings().me.name),
    )
    return Arrival(meta=meta, part=data)
