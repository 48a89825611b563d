"""Push: bytes in, a durable version out (P1, P2).

The source is found (by its given name or id, by what its reader finds in the bytes, by the path it was pushed from),
the bytes are compared with those last pushed, and what is new is stored: all of them, only the tail of a grown file,
or nothing. Everything after that, reading and indexing, can fail without losing a byte.
"""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import ClassVar

from xysq.canonical import sha256_hex, source_id
from xysq.errors import BadInput, NotFound, XysqError
from xysq.frozen import frozen
from xysq.jobs.opened import Opened
from xysq.jobs.piece import repeated, separated
from xysq.jobs.recover import recover
from xysq.model.align import align
from xysq.model.report import Pushed
from xysq.model.source import (
    Certainty,
    Digested,
    Meta,
    Passage,
    Role,
    SourceId,
    TextView,
    Version,
    VersionKind,
)
from xysq.readers.detect import Identity, detect, identify
from xysq.readers.encoding import needs_view
from xysq.readers.reading import FORMATS, framed_to, read
from xysq.readers.request import CLAUDE_CODE, TEXT, TURNS, Reading, ReadRequest
from xysq.readers.view import View, continued, join_views, make_view
from xysq.store import landing, layout, logs, sources, wal
from xysq.store.disk_error import AlreadyThere
from xysq.store.lock import SourceLock, VaultLock

_ENDS, _LONG_ENDS = 64 * 1024, 256 * 1024
_TRIES = 5


@frozen
class PushOrder:
    """Bytes to keep, and what was said about them.

    `filename` tips the detection and gives the extension; `origin` is the absolute path, or "" where there is none.
    `source` is a name or an id. `at` is when it was said, for logs that do not tell. `piecewise`: the bytes are a piece
    of the named source (`xysq.jobs.piece`), `sequence` the number its sender gave it.
    """

    data: bytes
    filename: str = ""
    origin: str = ""
    source: str = ""
    append: bool = False
    said_as: tuple[Role, str] | None = None
    title: str = ""
    format: str = ""
    at: str | None = None
    project: str = ""
    piecewise: bool = False
    sequence: int | None = None


class SourceBusy(XysqError):
    """Other pushes of the same source kept coming in between."""

    code: ClassVar[str] = "source-busy"
    exit_status: ClassVar[int] = 3


def push(opened: Opened, order: PushOrder) -> Pushed:
    """Keep the bytes durably; return which version they are. Nothing is indexed yet."""
    if order.format and order.format not in FORMATS:
        raise BadInput(f"{order.format!r} is no format", f"formats: {', '.join(FORMATS)}")
    if order.piecewise and not order.source:
        raise BadInput("a piece belongs to a named source", "name the source")
    first_format = order.format or detect(order.data, order.filename)
    identity = identify(first_format, order.data)
    keys = _lookup_keys(order, identity)
    with _locked(opened, (*keys, *_place_keys(order))):
        for _ in range(_TRIES):
            source = _find(opened, order, keys) or _unnamed(opened, order, identity)
            try:
                if source is None:
                    return _first(opened, order, first_format, identity)
                return _again(opened, order, source, identity)
            except AlreadyThere:
                _finish_decided(opened)  # or another push made this number in between: look again
    raise SourceBusy(f"other pushes of {order.source or order.origin or 'the source'} came in between", "try again")


def _finish_decided(opened: Opened) -> None:
    """Finish a run that a crash interrupted, as what it brings may be the version that is about to be made."""
    if any(wal.is_decided(opened.files, run) for run in wal.list_runs(opened.files)):
        with VaultLock(opened.files, opened.timeout_s) as lock:
            recover(opened, lock)


# Finding the source


def _lookup_keys(order: PushOrder, identity: Identity) -> tuple[str, ...]:
    """Return the keys under which the source may be known, the surest first."""
    if order.source:
        return (sources.name_key(order.source),)
    return (sources.reader_key(identity.key),) if identity.key else _place_keys(order)


def _place_keys(order: PushOrder) -> tuple[str, ...]:
    return (sources.origin_key(order.origin),) if order.origin and not order.source else ()


@contextmanager
def _locked(opened: Opened, keys: Sequence[str]) -> Iterator[None]:
    with ExitStack() as stack:
        for key in sorted(frozenset(keys)):
            stack.enter_context(SourceLock(opened.files, key, opened.timeout_s))
        yield


def _find(opened: Opened, order: PushOrder, keys: Sequence[str]) -> SourceId | None:
    if order.source and _is_source(opened, order.source):
        return SourceId(order.source)
    for key in keys:
        found = sources.find(opened.files, key)
        if found is not None and logs.newest(opened.files, found) is not None:
            return found
    return None


def _unnamed(opened: Opened, order: PushOrder, identity: Identity) -> SourceId | None:
    """Return the source that a file had when it was too short to say which session it is, and goes on with it."""
    found = _find(opened, order, _place_keys(order)) if identity.key else None
    newest = None if found is None else logs.newest(opened.files, found)
    if newest is None or newest.key or newest.format != CLAUDE_CODE:
        return None
    head = order.data[: newest.pushed.size]
    return newest.source if sha256_hex(head) == newest.pushed.sha256 else None


def _is_source(opened: Opened, name: str) -> bool:
    try:
        layout.log_dir(SourceId(name))
    except BadInput:
        return False
    if logs.newest(opened.files, SourceId(name)) is None:
        raise NotFound("source", name)
    return True


# The kinds of versions


def _first(opened: Opened, order: PushOrder, name: str, identity: Identity) -> Pushed:
    """Make a source."""
    source = source_id(opened.clock(), opened.entropy(8))
    view = _view(order.data, name)
    meta = _meta(opened, order, SourceId(source), 1, VersionKind.PUSH, (name, identity))
    whole = Digested(size=len(order.data), sha256=sha256_hex(order.data))
    meta = replace(
        meta,
        part=whole,
        whole=whole,
        pushed=whole,
        parsed_to=framed_to(name, order.data, 0, view=view),
        text=None if view is None else _text_view(view),
    )
    return _land(opened, meta, order.data, view)


def _again(opened: Opened, order: PushOrder, source: SourceId, identity: Identity) -> Pushed:
    """Keep what is new of a known source. A file that only grew costs nothing of what was kept of it before."""
    newest = logs.newest(opened.files, source)
    if newest is None:
        raise NotFound("source", source)
    if not newest.key and newest.format == CLAUDE_CODE:  # now it says which session it is
        title, project = newest.title or identity.title, newest.project or identity.project
        newest = replace(newest, key=identity.key, session=identity.session, title=title, project=project)
    data, pushed = order.data, newest.pushed
    if order.piecewise:
        return _piece(opened, order, newest)
    if order.append:
        pushed_sha256 = sha256_hex(_pushed_bytes(opened, source) + data)
        return _append(opened, order, newest, logs.read_bytes(opened.files, newest.id), data, pushed_sha256)
    if len(data) >= pushed.size and sha256_hex(data[: pushed.size]) == pushed.sha256:
        if len(data) == pushed.size:
            return _unchanged(newest)
        is_all = newest.whole == pushed  # nothing was corrected or added in between
        before = data[: pushed.size] if is_all else logs.read_bytes(opened.files, newest.id)
        return _append(opened, order, newest, before, data[pushed.size :], sha256_hex(data))
    if len(data) < pushed.size and _pushed_bytes(opened, source).startswith(data):
        return _unchanged(newest)
    return _update(opened, order, newest, data)


def _piece(opened: Opened, order: PushOrder, newest: Meta) -> Pushed:
    """Keep a piece of a session: what it says behind everything that is known, or what came next."""
    known = repeated(logs.versions(opened.files, newest.source), order.data, order.sequence)
    if known is not None:
        return _unchanged(known)
    pushed, before = _pushed_bytes(opened, newest.source), logs.read_bytes(opened.files, newest.id)
    if len(order.data) > len(pushed) and order.data.startswith(pushed):
        return _append(opened, order, newest, before, order.data[len(pushed) :], sha256_hex(order.data))
    tail = separated(newest, before, order.data)
    return _append(opened, order, newest, before, tail, sha256_hex(pushed + tail))


def _unchanged(newest: Meta) -> Pushed:
    return Pushed(version=newest.id, kind=None, name=newest.name, format=newest.format, gained=0)


def _append(opened: Opened, order: PushOrder, newest: Meta, before: bytes, tail: bytes, pushed_sha256: str) -> Pushed:
    """Keep the tail of a grown source, behind its newest version; `before` are the bytes of that."""
    if not tail:
        return _unchanged(newest)
    if newest.text is None and needs_view(tail, line_records=newest.format == CLAUDE_CODE, continues=True):
        return _update(opened, order, newest, before + tail, pushed=(newest.pushed.size + len(tail), pushed_sha256))
    begin = min(newest.parsed_to, newest.whole.size)
    view = None
    if newest.text is not None:
        encoding = continued(newest.text.encoding, newest.part.size)
        start = newest.text.offset + newest.text.digest.size
        view = make_view(tail, encoding, raw_start=newest.whole.size, text_start=start)
    meta = replace(
        _meta(opened, order, newest.source, newest.version + 1, VersionKind.APPEND, newest),
        offset=newest.whole.size,
        part=Digested(size=len(tail), sha256=sha256_hex(tail)),
        whole=Digested(size=len(before) + len(tail), sha256=sha256_hex(before + tail)),
        pushed=Digested(size=newest.pushed.size + len(tail), sha256=pushed_sha256),
        parsed_to=_appended_to(newest, before, tail, begin, view),
        text=None if view is None else _text_view(view),
    )
    return _land(opened, meta, tail, view)


def _appended_to(newest: Meta, before: bytes, tail: bytes, begin: int, view: View | None) -> int:
    """Return where the last certainly finished record now ends; never before where it ended."""
    if newest.text is None or view is None:
        return framed_to(newest.format, before[begin:] + tail, begin)
    head = make_view(
        before[newest.offset :],
        newest.text.encoding,
        raw_start=newest.offset,
        text_start=newest.text.offset,
    )
    begin = max(begin, newest.offset)
    return framed_to(newest.format, before[begin:] + tail, begin, view=join_views((head, view)))


def _update(
    opened: Opened, order: PushOrder, newest: Meta, data: bytes, pushed: tuple[int, str] | None = None
) -> Pushed:
    """Keep other bytes for a known source, and what of the newest version still stands in them."""
    old = logs.read_bytes(opened.files, newest.id)
    name = order.format or newest.format
    view = _view(data, name)
    whole = Digested(size=len(data), sha256=sha256_hex(data))
    meta = replace(
        _meta(opened, order, newest.source, newest.version + 1, VersionKind.UPDATE, newest),
        format=name,
        part=whole,
        whole=whole,
        pushed=whole if pushed is None else Digested(size=pushed[0], sha256=pushed[1]),
        parsed_to=framed_to(name, data, 0, view=view),
        text=None if view is None else _text_view(view),
        kept=align(old, data) if view is None and newest.text is None else (),
    )
    return _land(opened, meta, data, view)


def _pushed_bytes(opened: Opened, source: SourceId) -> bytes:
    """Return the bytes last pushed: of the newest push or update and what was appended since."""
    metas = logs.versions(opened.files, source)
    begin = max(place for place, meta in enumerate(metas) if meta.kind in (VersionKind.PUSH, VersionKind.UPDATE))
    data = logs.read_bytes(opened.files, metas[begin].id)
    for meta in metas[begin + 1 :]:
        if meta.kind is VersionKind.APPEND:
            data += logs.read_range(opened.files, meta.id, meta.offset, meta.whole.size)
    return data


# What is written down


def _meta(
    opened: Opened,
    order: PushOrder,
    source: SourceId,
    number: int,
    kind: VersionKind,
    known: Meta | tuple[str, Identity],
) -> Meta:
    """Return the meta of a version, without its digests; `known` is the version before, or what was found out."""
    if isinstance(known, Meta):
        name, identity = known.format, Identity(known.key, known.session, known.title, known.project)
        source_name, extension, said_as = known.name, known.extension, order.said_as or known.said_as
    else:
        name, identity = known
        source_name = "" if order.source == source else order.source
        extension, said_as = layout.extension_of(order.filename or "stdin.txt"), order.said_as
    observed_from, observed_to, certainty = _observed(order, name)
    nothing = Digested(size=0, sha256=sha256_hex(b""))
    return Meta(
        source=source,
        version=number,
        kind=kind,
        name=source_name,
        format=name,
        extension=extension,
        title=order.title or _title(order, name, identity),
        origin=order.origin or (known.origin if isinstance(known, Meta) else ""),
        project=order.project or identity.project,
        session=identity.session,
        key=identity.key,
        channel=opened.channel,
        pushed_at=opened.now(),
        observed_from=observed_from,
        observed_to=observed_to,
        certainty=certainty,
        part=nothing,
        whole=nothing,
        pushed=nothing,
        offset=0,
        parsed_to=0,
        said_as=said_as,
        sequence=order.sequence,
    )


def _title(order: PushOrder, name: str, identity: Identity) -> str:
    """Return what to call a source: a text's file name says more than its first line."""
    return order.filename if order.filename and name in (TEXT, TURNS) else identity.title


def _observed(order: PushOrder, name: str) -> tuple[str | None, str | None, Certainty]:
    """Return from when to when the bytes speak, from their beginning and their end, and how sure that is."""
    if order.at is not None:
        return order.at, order.at, Certainty.GIVEN
    head, tail = _ends(order.data, name, _ENDS)
    if head.observed_from is None or tail.observed_to is None:
        head, tail = _ends(order.data, name, _LONG_ENDS)
    if head.observed_from is None:
        return None, None, Certainty.UNKNOWN
    return head.observed_from, max(head.observed_to or "", tail.observed_to or "") or None, head.certainty


def _ends(data: bytes, name: str, size: int) -> tuple[Reading, Reading]:
    """Read so many bytes at the beginning and at the end; a log's first or last record may be longer than that."""
    head = read(_sample(name, data[:size]))
    if len(data) <= size:
        return head, head
    end = data[-size:]
    return head, read(_sample(name, end[end.find(b"\n") + 1 :], head.passages[-1:]))


def _sample(name: str, data: bytes, previous: tuple[Passage, ...] = ()) -> ReadRequest:
    view = _view(data, name)
    return ReadRequest(
        source=SourceId(""),
        version=1,
        data=data,
        format=name,
        enc_view=view,
        previous=previous[0] if previous else None,
    )


def _view(data: bytes, name: str) -> View | None:
    return make_view(data) if needs_view(data, line_records=name == CLAUDE_CODE) else None


def _text_view(view: View) -> TextView:
    return TextView(
        encoding=view.encoding,
        offset=view.text_start,
        digest=Digested(size=len(view.text), sha256=sha256_hex(view.text)),
    )


def _land(opened: Opened, meta: Meta, part: bytes, view: View | None) -> Pushed:
    landing.land(opened.files, meta, part, None if view is None else view.text, opened.timeout_s)
    return Pushed(
        version=Version(meta.source, meta.version),
        kind=meta.kind,
        name=meta.name,
        format=meta.format,
        gained=len(part),
    )
