"""Spoken: what a person types about the memory, kept word for word as a new source that comes with the run."""

from xysq.canonical import sha256_hex, source_id
from xysq.jobs.opened import Opened
from xysq.model.source import Certainty, Channel, Digested, Meta, Role, SourceId, VersionKind
from xysq.readers.reading import framed_to
from xysq.readers.request import TEXT
from xysq.store import logs
from xysq.store.arrival import Arrival


def spoken(opened: Opened, data: bytes, title: str, *, channel: Channel, extension: str = "txt") -> Arrival:
    """Return the words as the first version of a source that the vault's owner says now."""
    now, whole = opened.now(), Digested(size=len(data), sha256=sha256_hex(data))
    meta = Meta(
        source=_new_source(opened),
        version=1,
        kind=VersionKind.PUSH,
        name="",
        format=TEXT,
        extension=extension,
        title=title,
        origin="",
        project="",
        session="",
        key="",
        channel=channel,
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


def _new_source(opened: Opened) -> SourceId:
    while logs.newest(opened.files, source := SourceId(source_id(opened.clock(), opened.entropy(8)))) is not None:
        continue
    return source
