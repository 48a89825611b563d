"""Files of git's that end in a digest of everything before it: packs and their indexes, commit graphs, git's index.

git believes most of them without looking; a flipped byte in one then shows up as a wrong answer, or as nothing.
"""

import hashlib
from collections.abc import Iterator

from xysq.errors import Damaged
from xysq.store.path import join
from xysq.store.readonly import ReadOnlyFiles

INDEX = ".git/index"
PACKS, GRAPHS, GRAPH = ".git/objects/pack", ".git/objects/info/commit-graphs", ".git/objects/info/commit-graph"
SHARED_INDEX = "sharedindex."
_SEALED = (".pack", ".idx", ".rev", ".graph")
_MULTI = "multi-pack-index"
_DIGEST_BYTES = 20
_PIECE = 1 << 20


def sealed_files(files: ReadOnlyFiles) -> Iterator[str]:
    """Yield the paths of all such files."""
    for folder in (PACKS, GRAPHS):
        for name in files.list_dir(folder):
            if not name.startswith("tmp_") and (name.endswith(_SEALED) or name == _MULTI):
                yield join(folder, name)
    yield from (join(".git", name) for name in files.list_dir(".git") if name.startswith(SHARED_INDEX))
    yield from (path for path in (GRAPH, INDEX) if files.exists(path))


def seal_fault(files: ReadOnlyFiles, path: str) -> Damaged | None:
    """Return the damage of a file whose end is not the digest of the rest; None where it is whole."""
    try:
        size = files.size(path)
        rest = size - _DIGEST_BYTES
        digest = hashlib.sha1(usedforsecurity=False)
        for start in range(0, max(rest, 0), _PIECE):
            digest.update(files.read_range(path, start, min(start + _PIECE, rest)))
        if rest > 0 and files.read_range(path, rest, size) == digest.digest():
            return None
    except Damaged as damage:
        return damage
    return Damaged(path, "0", "is empty" if not size else "its bytes are not those that git wrote")
