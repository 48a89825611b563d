"""Init: a directory becomes a vault.

The repository with its pins, settings and schema with comments for people, the attributes that keep bytes bytes, and
the first event of the ledger, in one first commit. On a directory where an earlier `init` was cut short it finishes;
on a vault it changes nothing.
"""

from collections.abc import Callable
from datetime import datetime

from xysq.canonical import base32, instant, run_id
from xysq.errors import Damaged, NewerFormat
from xysq.frozen import frozen
from xysq.ledger.line import FORMAT, GENESIS, RENDER, chain, to_line
from xysq.model.event import RunBegun, RunKind
from xysq.model.fact import RunId
from xysq.model.settings import Me
from xysq.store import layout, segments
from xysq.store.files import Files
from xysq.store.git import ATTRIBUTES, ATTRIBUTES_PATH, Repository
from xysq.store.git_object import commit_message
from xysq.store.git_ref import REF
from xysq.store.lock import VaultLock
from xysq.store.path import folder_of
from xysq.store.schema_file import schema_text
from xysq.store.settings import settings_text

_VAULT_ID_LENGTH = 16


@frozen
class InitOrder:
    """The owner's name as the vault should know it, and where moment and chance come from."""

    me: str
    clock: Callable[[], datetime]
    entropy: Callable[[int], bytes]
    timeout_s: float


def is_vault(files: Files) -> bool:
    """Tell whether a directory is a vault, a ledger in a repository, or was one whose ledger is lost."""
    if not files.exists(".git"):
        return False
    if files.exists(layout.segment_path(1)):
        return True
    return files.exists(layout.WAL) and any(map(files.exists, (f".git/{REF}", ".git/packed-refs", layout.SETTINGS)))


def vault_id(files: Files) -> str:
    """Return the id a vault was given in its first event; raise `NewerFormat` for one we cannot know how to read."""
    first = next(segments.read_all(files), None)
    if first is None:
        raise Damaged(layout.segment_path(1), "0", "the segment is missing")
    if not isinstance(first.body, RunBegun) or first.body.vault is None:
        raise RuntimeError("the first event of a ledger is its init")
    if first.body.format is not None and first.body.format > FORMAT:
        raise NewerFormat(
            f"the vault is of format {first.body.format}, and this xysq knows {FORMAT}", "install a newer xysq"
        )
    return first.body.vault


def init(files: Files, repository: Repository, order: InitOrder) -> bool:
    """Make a vault; False where there is a whole one already."""
    if is_vault(files) and repository.tip() is not None:
        return False
    repository.init()
    with VaultLock(files, order.timeout_s) as lock:
        if repository.tip() is not None:
            return False
        first = _first_files(files, order)
        for path, data in first.items():
            if not files.exists(path):
                files.make_dirs(folder_of(path))
                files.replace(path, data)
        prepared = repository.prepare(
            None, {path: files.read(path) for path in first}, commit_message("init", kind="init"), _moment(files)
        )
        repository.clear_locks(prepared.commit)
        repository.write_objects(prepared)
        repository.move_ref(prepared.commit, None, "xysq: init", lock.fd)
        repository.update_index(prepared.blobs, lock.fd)
    return True


def _first_files(files: Files, order: InitOrder) -> dict[str, bytes]:
    return {
        ATTRIBUTES_PATH: ATTRIBUTES,
        layout.SETTINGS: settings_text(Me(name=order.me)).encode("utf-8"),
        layout.SCHEMA: schema_text().encode("utf-8"),
        layout.segment_path(1): files.read_or_none(layout.segment_path(1)) or _first_segment(order),
    }


def _first_segment(order: InitOrder) -> bytes:
    moment = order.clock()
    run = RunId(run_id(moment, order.entropy(4)))
    begun = RunBegun(
        run=run,
        kind=RunKind.INIT,
        rows=(),
        drafter="",
        render=RENDER,
        events=0,
        record="",
        format=FORMAT,
        vault=base32(order.entropy(10), _VAULT_ID_LENGTH),
    )
    return b"".join(map(to_line, chain(GENESIS, instant(moment), run, (begun,), (order.entropy(16).hex(),))))


def _moment(files: Files) -> str:
    """Return the time of the first event, so that a second try makes the same commit."""
    return next(segments.read_all(files)).at
