"""Sources: which source goes by a name, by a key its reader found, or by the place it was pushed from.

Each such look-up key leads to a source by one small entry named by the key's digest, so finding a source costs the
same whatever the vault's size is. Entries are written before the version they speak of lands. Behind them are *packs*,
one for each first byte of a digest, derived from all metas in one scan: a fresh clone has no entries, and an entry may
be damaged or lead to a source that never landed. The file `complete` says that the scan was done.
"""

from collections import defaultdict
from collections.abc import Mapping

from xysq.canonical import canonical_json, parse_json
from xysq.errors import BadJson, BadWire, Damaged
from xysq.model.source import Meta, SourceId, Version
from xysq.model.wire import Fields
from xysq.store import layout, logs
from xysq.store.files import Files
from xysq.store.path import folder_of


def name_key(name: str) -> str:
    """Return the look-up key of a name given with `--source`."""
    return f"name\0{name}"


def reader_key(key: str) -> str:
    """Return the look-up key of what a reader found in the bytes (format, session, agent)."""
    return f"key\0{key}"


def origin_key(origin: str) -> str:
    """Return the look-up key of the place that bytes were pushed from."""
    return f"origin\0{origin}"


def keys_of(meta: Meta) -> tuple[str, ...]:
    """Return the keys under which a version makes its source known."""
    keys = ((name_key, meta.name), (reader_key, meta.key), (origin_key, meta.origin))
    return tuple(key_of(value) for key_of, value in keys if value)


def find(files: Files, key: str) -> SourceId | None:
    """Return the source that a look-up key leads to."""
    if not files.exists(layout.SOURCES_COMPLETE):
        rebuild(files)
    path = layout.lookup_path(key)
    entry = files.read_or_none(path)
    try:
        if entry is not None:
            return _source_in(files, entry, path)
        return _packed(files, path)
    except (BadJson, BadWire):
        rebuild(files)
    try:
        return _packed(files, path)
    except (BadJson, BadWire):
        return None


def remember(files: Files, meta: Meta) -> None:
    """Let every key of a version lead to its source, durably."""
    for key in keys_of(meta):
        path = layout.lookup_path(key)
        data = canonical_json({"key": _digest(path), "source": meta.source}) + b"\n"
        if files.read_or_none(path) != data:
            files.make_dirs(folder_of(path))
            files.replace(path, data)


def rebuild(files: Files) -> tuple[Damaged, ...]:
    """Derive the packs from the metas of all versions: of two sources with one key, the one pushed last has it.

    Sources with damaged metas are left out and their damage is returned; then the next `find` tries again.
    """
    metas: list[Meta] = []
    damages: list[Damaged] = []
    for source in logs.all_sources(files):
        try:
            metas.extend(logs.versions(files, source))
        except Damaged as damage:
            damages.append(damage)
    packs: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for meta in sorted(metas, key=lambda meta: (meta.pushed_at, meta.source, meta.version)):
        for key in keys_of(meta):
            path = layout.lookup_path(key)
            packs[folder_of(path)][_digest(path)] = meta.source
    files.make_dirs(layout.SOURCES)
    old = {f"{layout.SOURCES}/{folder_of(name)}" for name in files.walk(layout.SOURCES) if name.endswith("/pack.json")}
    for folder in sorted(old | packs.keys()):
        files.make_dirs(folder)
        files.replace(f"{folder}/pack.json", canonical_json(packs.get(folder, {})) + b"\n")
    if not damages:
        files.replace(layout.SOURCES_COMPLETE, b"")
    return tuple(damages)


def _source_in(files: Files, entry: bytes, path: str) -> SourceId:
    """Read an entry; `BadJson` or `BadWire` where it cannot be believed."""
    fields = Fields(path, parse_json(entry, max_bytes=1024))
    digest, source = fields.text("key"), fields.text("source")
    fields.done()
    if digest != _digest(path):
        raise BadWire(path, "is the entry of another key")
    return _landed(files, source, path)


def _packed(files: Files, path: str) -> SourceId | None:
    data = files.read_or_none(f"{folder_of(path)}/pack.json")
    if data is None:
        return None
    pack = parse_json(data)
    if not isinstance(pack, Mapping):
        raise BadWire(path, "lies beside a broken pack")
    source = pack.get(_digest(path))
    return None if source is None else _landed(files, source, path)


def _landed(files: Files, source: object, path: str) -> SourceId:
    if not isinstance(source, str) or not layout.is_source_id(source):
        raise BadWire(path, "leads to what is no source")
    found = SourceId(source)
    if not files.exists(layout.meta_path(Version(found, 1))):
        raise BadWire(path, "leads to a source that never landed")
    return found


def _digest(path: str) -> str:
    return path.rpartition("/")[2].partition(".")[0]
