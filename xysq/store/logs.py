"""Logs: the immutable bytes of versions, and what is known of each.

A version has landed when its `vN.meta.json` is there: it is written last (`xysq.store.landing`). The bytes of a version
are the concatenation of its parts: back from an appended one to the last whole one. Offsets are global, so a range
is read from those parts alone that it touches.

Nothing here changes anything. Every reading compares sizes, `faults` and `verify_version` compare digests too (P12):
what is missing, cut short or altered is `Damaged`, with the file and the offset in it.
"""

import hashlib
from collections.abc import Iterator
from itertools import pairwise

from xysq.canonical import canonical_json, parse_json, sha256_hex
from xysq.errors import BadInput, BadJson, BadWire, Damaged, NotFound
from xysq.model.source import Digested, Meta, SourceId, Version, VersionKind
from xysq.store import layout
from xysq.store.files import Files


def meta_bytes(meta: Meta) -> bytes:
    """Return the content of a meta file."""
    return canonical_json(meta.to_wire()) + b"\n"


def all_sources(files: Files) -> Iterator[SourceId]:
    """Yield every source that has a directory, oldest day first, also one whose first push never landed."""
    yield from filter(None, map(layout.source_of, _folders(files, layout.LOGS, 0)))


def numbers(files: Files, source: SourceId) -> tuple[int, ...]:
    """Return the numbers of the versions that landed, ascending; a gap is damage."""
    directory = layout.log_dir(source)
    found = sorted(filter(None, map(layout.meta_number, files.list_dir(directory))))
    for before, after in pairwise((0, *found)):
        if after != before + 1:
            raise Damaged(layout.meta_path(Version(source, before + 1)), "0", "the file is missing")
    return tuple(found)


def versions(files: Files, source: SourceId) -> tuple[Meta, ...]:
    """Return what is known of each version of a source, oldest first; () where there is no such source."""
    return tuple(read_meta(files, Version(source, number)) for number in numbers(files, source))


def newest(files: Files, source: SourceId) -> Meta | None:
    """Return what is known of the newest version of a source."""
    found = numbers(files, source)
    return read_meta(files, Version(source, found[-1])) if found else None


def read_meta(files: Files, version: Version) -> Meta:
    """Return what is known of a version; `NotFound` where it never landed."""
    path = layout.meta_path(version)
    data = files.read_or_none(path)
    if data is None:
        raise NotFound("version", str(version))
    try:
        meta = Meta.from_wire("meta", parse_json(data))
        layout.part_path(version, meta.kind, meta.extension)
    except (BadJson, BadWire, BadInput) as error:
        raise Damaged(path, "0", str(error)) from None
    if meta.id != version or meta_bytes(meta) != data:
        raise Damaged(path, "0", f"is not the meta of {version} as it is written")
    return meta


def read_bytes(files: Files, version: Version) -> bytes:
    """Return all bytes of a version, as pushed (P1)."""
    meta = read_meta(files, version)
    return read_range(files, version, 0, meta.whole.size)


def read_range(files: Files, version: Version, start: int, end: int) -> bytes:
    """Return bytes `[start, end)` of a version; fewer where it ends before. Reads the parts that hold them."""
    pieces = []
    for meta in _chain(files, version):
        path = layout.part_path(meta.id, meta.kind, meta.extension)
        pieces.append(_slice(files, path, meta.part, start - meta.offset, end - meta.offset))
        if meta.offset <= start:
            break
    return b"".join(reversed(pieces))


def read_view_range(files: Files, version: Version, start: int, end: int) -> bytes:
    """Return bytes `[start, end)` of a version's text views, counted over all of them; fewer where they end before."""
    pieces = []
    for meta in _chain(files, version):
        view = meta.text
        if view is not None:
            path = layout.view_path(meta.id, meta.kind)
            pieces.append(_slice(files, path, view.digest, start - view.offset, end - view.offset))
            if view.offset <= start:
                break
    return b"".join(reversed(pieces))


def verify_version(files: Files, version: Version) -> None:
    """Prove every part and view of a version, and the whole of it; raise `Damaged` for the first that is wrong."""
    whole = hashlib.sha256()
    meta = read_meta(files, version)
    for part in reversed(tuple(_chain(files, version))):
        whole.update(_proved_part(files, part))
    if whole.hexdigest() != meta.whole.sha256:
        raise Damaged(layout.meta_path(version), "0", f"the parts of {version} do not add up to its digest")


def verify_part(files: Files, meta: Meta) -> None:
    """Prove the part that a version brought, and its view; raise `Damaged` where the bytes are others."""
    _proved_part(files, meta)


def faults(files: Files, source: SourceId) -> tuple[Damaged, ...]:
    """Return everything that is wrong with a source; each part is read once."""
    found: list[Damaged] = []
    whole = hashlib.sha256()
    try:
        known = numbers(files, source)
    except Damaged as damage:
        return (damage,)
    is_whole = True  # so far: behind a part that is broken, nothing can be said of the sum
    for number in known:
        try:
            meta = read_meta(files, Version(source, number))
            if meta.kind is not VersionKind.APPEND:
                whole, is_whole = hashlib.sha256(), True
            whole.update(_proved_part(files, meta))
            if is_whole and meta.whole.sha256 != whole.hexdigest():
                raise Damaged(layout.meta_path(meta.id), "0", f"the parts of {meta.id} do not add up to its digest")
            next(_chain(files, meta.id))
        except Damaged as damage:
            is_whole = False
            if damage.path not in {one.path for one in found}:
                found.append(damage)
    return tuple(found)


def strays(files: Files, source: SourceId) -> tuple[str, ...]:
    """Return the files in a source's directory that belong to no version that landed; () where a meta is damaged."""
    directory = layout.log_dir(source)
    known = set()
    try:
        landed = versions(files, source)
    except Damaged:
        return ()  # whose file is whose cannot be told; the damage is for `faults`
    for meta in landed:
        known |= {layout.meta_path(meta.id), layout.part_path(meta.id, meta.kind, meta.extension)}
        if meta.text is not None:
            known.add(layout.view_path(meta.id, meta.kind))
    return tuple(path for name in files.list_dir(directory) if (path := f"{directory}/{name}") not in known)


def _chain(files: Files, version: Version) -> Iterator[Meta]:
    """Yield the versions whose parts make up a version, newest first; each must begin where the one before ends."""
    meta = read_meta(files, version)
    while meta.kind is VersionKind.APPEND:
        before = read_meta(files, Version(meta.source, meta.version - 1)) if meta.version > 1 else None
        if before is None or before.whole.size != meta.offset or meta.offset + meta.part.size != meta.whole.size:
            raise Damaged(layout.meta_path(meta.id), "0", "the part does not continue the version before")
        yield meta
        meta = before
    if meta.offset or meta.part != meta.whole:
        raise Damaged(layout.meta_path(meta.id), "0", "a whole version is not its own only part")
    yield meta


def _slice(files: Files, path: str, stored: Digested, start: int, end: int) -> bytes:
    """Return what a stored file has of a range that is relative to it, having compared its size."""
    size = _size(files, path)
    if size != stored.size:
        raise Damaged(path, str(min(size, stored.size)), f"{size} bytes where {stored.size} were stored")
    return files.read_range(path, max(start, 0), min(end, stored.size))


def _size(files: Files, path: str) -> int:
    try:
        return files.size(path)
    except NotFound:
        raise Damaged(path, "0", "the file is missing") from None


def _proved_part(files: Files, meta: Meta) -> bytes:
    if meta.text is not None:
        _proved(files, layout.view_path(meta.id, meta.kind), meta.text.digest)
    return _proved(files, layout.part_path(meta.id, meta.kind, meta.extension), meta.part)


def _proved(files: Files, path: str, stored: Digested) -> bytes:
    data = _slice(files, path, stored, 0, stored.size)
    if sha256_hex(data) != stored.sha256:
        raise Damaged(path, "0", "the bytes are not those that were stored")
    return data


def _folders(files: Files, path: str, depth: int) -> Iterator[str]:
    """Yield the directories of sources; a name that belongs nowhere is somebody else's and not entered."""
    for name in files.list_dir(path):
        if layout.is_log_folder(name, depth):
            inner = f"{path}/{name}"
            if depth == layout.LOG_DEPTH:
                yield inner
            else:
                yield from _folders(files, inner, depth + 1)
