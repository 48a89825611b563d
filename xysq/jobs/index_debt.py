"""git's index, and what we owe it.

A user's own `git commit` writes what git's index says; were ours missing there, it would take them back. So every
commit of ours tells the index about its paths. While the user holds index.lock that has to wait: the paths are noted
durably and told by whichever command takes the vault's lock next.
"""

from collections.abc import Mapping

from xysq.canonical import canonical_json, parse_json
from xysq.errors import BadJson
from xysq.jobs.opened import Opened
from xysq.store import layout
from xysq.store.lock import VaultLock
from xysq.store.path import folder_of

_INDEX = ".git/index"


def update_index(opened: Opened, lock: VaultLock, blobs: Mapping[str, str | None]) -> None:
    """Tell git's index what these paths are now, or note that it is owed."""
    if not opened.repository.update_index(blobs, lock.fd):
        _note(opened, {*_owed(opened), *blobs})


def pay_index(opened: Opened, lock: VaultLock) -> None:
    """Tell git's index what an earlier command could not; with no index at all, everything."""
    paths = _owed(opened)
    if not opened.files.exists(_INDEX):
        paths.add(layout.SETTINGS)  # for any path, an index that is missing is made of all of the commit
    tip = opened.repository.tip() if paths else None
    if tip is None:
        return
    if opened.repository.update_index(opened.repository.blob_ids_of(tip, sorted(paths)), lock.fd):
        opened.files.remove(layout.INDEX_OWED)


def _note(opened: Opened, paths: set[str]) -> None:
    opened.files.make_dirs(folder_of(layout.INDEX_OWED))
    opened.files.replace(layout.INDEX_OWED, canonical_json(sorted(paths)) + b"\n")


def _owed(opened: Opened) -> set[str]:
    data = opened.files.read_or_none(layout.INDEX_OWED)
    if data is None:
        return set()
    try:
        value = parse_json(data)
    except BadJson:
        value = None
    if not isinstance(value, list) or not all(isinstance(path, str) for path in value):
        opened.notices.append(f"{layout.INDEX_OWED} was unreadable; git's index may be behind: git reset --mixed")
        opened.files.remove(layout.INDEX_OWED)
        return set()
    return set(value)
