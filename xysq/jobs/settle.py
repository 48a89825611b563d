"""Settle: make what has landed part of the history and of the index.

A push is durable once it landed; this is the rest, done by whoever holds the lock: its files are committed to git,
its passages put into the read model, its marker removed. Cut short anywhere, it is simply done again.
"""

from contextlib import suppress
from typing import ClassVar

from xysq.errors import Busy, Damaged, XysqError
from xysq.jobs.damaged import put_versions
from xysq.jobs.held import Held
from xysq.jobs.index_debt import update_index
from xysq.jobs.opened import Opened
from xysq.model.source import Meta, Version
from xysq.store import layout, logs, queue
from xysq.store.git_object import Prepared, commit_message
from xysq.store.git_ref import RefMoved
from xysq.store.landing import landing_lock

_TRIES = 5


class BranchBusy(XysqError):
    """Commits of the user's kept coming in between."""

    code: ClassVar[str] = "branch-busy"
    exit_status: ClassVar[int] = 3

    def __init__(self, tip: str) -> None:
        """Say where the branch is now."""
        super().__init__(f"main kept moving, and is at {tip[:12]} now", "try again")


def settle(held: Held) -> tuple[Version, ...]:
    """Commit and index every landed version; return them."""
    opened = held.opened
    metas = []
    for version in queue.landed(opened.files):
        if not opened.files.exists(layout.meta_path(version)):
            _drop_marker(opened, version)
            continue
        try:
            metas.append(logs.read_meta(opened.files, version))
        except Damaged as damage:
            opened.notices.append(str(damage))
    if not metas:
        return ()
    metas.sort(key=lambda meta: (meta.source, meta.version))
    commit = _commit(held, metas)
    me = opened.settings().me
    with held.model.writing() as writer:
        for meta in metas:
            put_versions(opened, writer, meta.source, (meta.version,), me)
        writer.set_commit(commit)
    for meta in metas:
        queue.unmark(opened.files, meta.id)
    return tuple(meta.id for meta in metas)


def _drop_marker(opened: Opened, version: Version) -> None:
    """Remove the marker of a landing that was cut before its meta; one that is under way keeps it."""
    with suppress(Busy), landing_lock(opened.files, version.source, 0):
        if not opened.files.exists(layout.meta_path(version)):
            queue.unmark(opened.files, version)


def _commit(held: Held, metas: list[Meta]) -> str:
    """Commit the files of the versions, unless the tip has them already; return the tip.

    A commit of the user's own may come in between, or be made from an index that does not know the files yet: then it
    is done again on top of that.
    """
    opened, repository = held.opened, held.opened.repository
    tip = opened.tip()
    for _ in range(_TRIES):
        prepared = push_commit(opened, tip, metas)
        if repository.commit(tip).tree == prepared.tree:
            update_index(opened, held.lock, prepared.blobs)  # a crash may have come between the commit and this
            return tip
        repository.clear_locks(prepared.commit)
        repository.write_objects(prepared)
        with suppress(RefMoved):
            repository.move_ref(prepared.commit, tip, f"xysq: push {len(metas)}", held.lock.fd)
            update_index(opened, held.lock, prepared.blobs)
            if opened.tip() == prepared.commit:
                return prepared.commit
        tip = opened.tip()
    raise BranchBusy(tip)


def push_commit(opened: Opened, parent: str, metas: list[Meta]) -> Prepared:
    """Compute the commit that versions make on a parent; the same every time it is asked for."""
    changes: dict[str, bytes | None] = {path: opened.files.read(path) for meta in metas for path in files_of(meta)}
    at = max(meta.pushed_at for meta in metas)
    return opened.repository.prepare(parent, changes, _message(metas), at)


def files_of(meta: Meta) -> tuple[str, ...]:
    """Return the paths of everything a version brought."""
    view = (layout.view_path(meta.id, meta.kind),) if meta.text is not None else ()
    return (layout.part_path(meta.id, meta.kind, meta.extension), *view, layout.meta_path(meta.id))


def _message(metas: list[Meta]) -> str:
    named = "\n".join(f"{meta.id} {meta.kind.value} {meta.part.size} bytes" for meta in metas)
    subject = f"push {metas[0].id}" if len(metas) == 1 else f"push {len(metas)} versions"
    return commit_message(subject, kind="push", body=named)
