"""Bases: from which state of a page a person's unsaved edit began, where a run changed the page meanwhile.

A run never writes over a page that a person is editing. It is committed all the same, the file stays, and here lies
which committed bytes the edit started from (their digest), so that the edit can be told from the run later. Edits
that came out of a race and lie nowhere else are kept beside it, whole.
"""

from xysq.canonical import canonical_json, parse_json, sha256_hex
from xysq.errors import BadJson
from xysq.model.fact import Slug
from xysq.store import layout
from xysq.store.files import Files


def note(files: Files, slug: Slug, base_sha256: str, aside: tuple[bytes, ...] = ()) -> None:
    """Note the base of an edited page, unless an older one is noted already, and keep edits found aside."""
    layout.page_path(slug)
    files.make_dirs(layout.BASES)
    for data in aside:
        path = f"{layout.BASES}/{slug}.{sha256_hex(data)[:16]}.md"
        if not files.exists(path):
            files.write_new(path, data)
    path = _path(slug)
    if not files.exists(path):
        files.replace(path, canonical_json({"base": base_sha256, "page": slug}) + b"\n")


def base_of(files: Files, slug: Slug) -> str | None:
    """Return the digest of the bytes that the edit of a page began from; None where none is noted or readable."""
    data = files.read_or_none(_path(slug))
    if data is None:
        return None
    try:
        value = parse_json(data)
    except BadJson:
        return None
    base = value.get("base") if isinstance(value, dict) else None
    return base if isinstance(base, str) else None


def forget(files: Files, slug: Slug) -> None:
    """Drop the note of a page whose file is as committed again, where there is one."""
    path = _path(slug)
    if files.exists(path):
        files.remove(path)


def kept_aside(files: Files, slug: Slug) -> tuple[str, ...]:
    """Return the paths of the edits of a page that came out of a race and lie here."""
    layout.page_path(slug)
    names = (name for name in files.list_dir(layout.BASES) if name.startswith(f"{slug}.") and name.endswith(".md"))
    return tuple(f"{layout.BASES}/{name}" for name in names if len(name) == len(slug) + len(".0123456789abcdef.md"))


def _path(slug: Slug) -> str:
    layout.page_path(slug)
    return f"{layout.BASES}/{slug}.json"
