"""A little archive: versions with right digests, landed as a push lands them."""

from dataclasses import replace

from xysq.canonical import sha256_hex
from xysq.model.source import Certainty, Channel, Digested, Meta, SourceId, TextView, VersionKind
from xysq.store.files import Files
from xysq.store.landing import land

SOURCE = SourceId("20261130-k3f9x2")
OTHER = SourceId("20261130-zzzzzz")


def digested(data: bytes) -> Digested:
    """Return size and digest."""
    return Digested(size=len(data), sha256=sha256_hex(data))


def meta_of(part: bytes, before: bytes = b"", **changes: object) -> Meta:
    """Return the meta of a version that brought `part`; with `before`, of one appended to those bytes."""
    whole = before + part
    base = Meta(
        source=SOURCE,
        version=1,
        kind=VersionKind.APPEND if before else VersionKind.PUSH,
        name="",
        format="text",
        extension="txt",
        title="Notes",
        origin="/home/alice/notes.txt",
        project="",
        session="",
        key="",
        channel=Channel.CLI,
        pushed_at="2026-11-30T18:02:11Z",
        observed_from=None,
        observed_to=None,
        certainty=Certainty.UNKNOWN,
        part=digested(part),
        whole=digested(whole),
        pushed=digested(whole),
        offset=len(before),
        parsed_to=len(whole),
    )
    return replace(base, **changes)  # type: ignore[arg-type]


def land_parts(files: Files, *parts: bytes, source: SourceId = SOURCE, **changes: object) -> bytes:
    """Land a first push and what was appended to it; return all bytes."""
    whole = b""
    for number, part in enumerate(parts, start=1):
        land(files, meta_of(part, whole, version=number, source=source, **changes), part)
        whole += part
    return whole


def view_of(text: bytes, offset: int = 0) -> TextView:
    """Return what a meta says of a text view."""
    return TextView(encoding="cp1252", offset=offset, digest=digested(text))
