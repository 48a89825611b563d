"""Arrivals: log versions that come into the vault with a run, and not by a push of their own.

A correction takes words out of a log and closes what rested on them, or does neither; what a person types about a fact
or into a page is kept and taken over, or neither. So the version lies among the files of the run, is decided with it,
and gets its place when the run is replayed. Landings of a known source wait meanwhile: whoever makes such a run holds
the source's landing lock, and a push that finds the number taken by a decided run has that finished first. A new
source nobody else knows.
"""

from collections.abc import Mapping

from xysq.canonical import parse_json, sha256_hex
from xysq.errors import BadJson, BadWire, Damaged
from xysq.frozen import frozen
from xysq.model.source import Digested, Meta, Version
from xysq.store import layout, logs
from xysq.store.files import Files
from xysq.store.path import folder_of


@frozen
class Arrival:
    """A version that comes with a run: what is known of it, its bytes, its text view if it has one."""

    meta: Meta
    part: bytes
    view: bytes | None = None

    def files(self) -> dict[str, bytes]:
        """Return the files of the version by path."""
        meta = self.meta
        views = {} if self.view is None else {layout.view_path(meta.id, meta.kind): self.view}
        part = layout.part_path(meta.id, meta.kind, meta.extension)
        return {part: self.part, **views, layout.meta_path(meta.id): logs.meta_bytes(meta)}


def arrival_in(after: Mapping[str, bytes | None], where: str) -> Arrival | None:
    """Return the version among the files that a run leaves; None where there is none.

    Raises `Damaged`, naming `where`, for files in `logs/` that are not exactly one whole version.
    """
    found = {path: data for path, data in after.items() if layout.source_of(folder_of(path)) is not None}
    if not found:
        return None
    metas = [path for path in found if layout.meta_number(path.rpartition("/")[2]) is not None]
    if len(metas) != 1:
        raise Damaged(where, "0", f"brings {len(metas)} versions of logs")
    arrival = _parsed(found, metas[0], where)
    if arrival.files() != found:
        raise Damaged(where, "0", f"brings files of no version but {arrival.meta.id}")
    for stored, data in ((arrival.meta.part, arrival.part), (_view_digest(arrival.meta), arrival.view)):
        if (stored is None) != (data is None) or (
            stored is not None and data is not None and stored != Digested(size=len(data), sha256=sha256_hex(data))
        ):
            raise Damaged(where, "0", f"the bytes of {arrival.meta.id} are not those its meta speaks of")
    return arrival


def follows(files: Files, meta: Meta) -> bool:
    """Tell whether a version is the next one of its source, or is in its place already."""
    newest = logs.newest(files, meta.source)
    if newest is None:
        return meta.version == 1
    return newest.version + 1 == meta.version or (newest.version >= meta.version and _is_there(files, meta))


def _is_there(files: Files, meta: Meta) -> bool:
    return logs.read_meta(files, Version(meta.source, meta.version)) == meta


def _view_digest(meta: Meta) -> Digested | None:
    return None if meta.text is None else meta.text.digest


def _parsed(found: Mapping[str, bytes | None], path: str, where: str) -> Arrival:
    try:
        meta = Meta.from_wire("meta", parse_json(found[path] or b""))
        part = found[layout.part_path(meta.id, meta.kind, meta.extension)]
        view = None if meta.text is None else found[layout.view_path(meta.id, meta.kind)]
    except (BadJson, BadWire) as error:
        raise Damaged(where, "0", f"brings a version whose meta {error}") from None
    except KeyError as error:
        raise Damaged(where, "0", f"brings a version without {error}") from None
    return Arrival(meta=meta, part=part or b"", view=view)
