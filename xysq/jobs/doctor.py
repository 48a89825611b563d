"""Doctor: what is wrong with a vault, and what to type. It changes nothing, and works on a vault that nothing opens.

Each check is a function from a view of the vault to lines; one that fails is itself a line, so a vault in any state is
told of as far as it can be seen.
"""

from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

from xysq.canonical import instant
from xysq.errors import XysqError
from xysq.jobs.fsck import Depth, looked_at
from xysq.jobs.opened import Opened
from xysq.jobs.proof import files, history, memory
from xysq.jobs.proof.view import View
from xysq.jobs.readable import present_model
from xysq.model.report import Finding, Grade, Health
from xysq.store import layout, problems, queue, wal
from xysq.store.medium import holder_of, is_ours, medium_of
from xysq.store.readmodel import Unusable

_LATELY = 7  # days
_LITTLE_BYTES, _NOTHING_BYTES = 200 << 20, 20 << 20
_GIT_LOCKS = ("index.lock", "HEAD.lock", "config.lock", "packed-refs.lock", "refs/heads/main.lock", "shallow.lock")
_REPAIR = "xysq repair"


def doctor(opened: Opened) -> tuple[Health, ...]:
    """Look at everything."""
    view = View(opened)
    found: list[Health] = []
    for check in CHECKS:
        try:
            found += check(view)
        except (XysqError, OSError) as error:
            found.append(_fault(check.__name__.strip("_").replace("_", " "), str(error), _REPAIR))
    return tuple(found)


def _ok(what: str, sentence: str) -> Health:
    return Health(what=what, grade=Grade.OK, sentence=sentence)


def _warning(what: str, sentence: str, hint: str = "") -> Health:
    return Health(what=what, grade=Grade.WARNING, sentence=sentence, hint=hint)


def _fault(what: str, sentence: str, hint: str) -> Health:
    return Health(what=what, grade=Grade.FAULT, sentence=sentence, hint=hint)


def _place(view: View) -> Iterator[Health]:
    root = Path(view.opened.root)
    if is_ours(root):
        yield _ok("owner", "you")
    else:
        yield _fault("owner", "somebody else: you can read it, and not write", f"chown -R $USER {root}")
    medium = medium_of(root)
    if medium.is_network:
        sentence = f"{medium.kind} lies on another machine: locks and synced writes cannot be counted on"
        yield _warning("file system", sentence, f"keep the vault on a local disk: git clone {root} ~/memory")
    elif medium.is_volatile:
        yield _warning("file system", f"{medium.kind} is gone after a restart", f"mv {root} ~/")
    else:
        yield _ok("file system", medium.kind or "not told by this system")
    free = f"{medium.free_bytes >> 20:,} MiB free"
    if medium.free_bytes < _NOTHING_BYTES:
        yield _fault("space", f"{free}: nothing can be written", f"make room on the disk of {root}: df -h {root}")
    elif medium.free_bytes < _LITTLE_BYTES:
        yield _warning("space", free, f"df -h {root}")
    else:
        yield _ok("space", free)


def _branch(view: View) -> Iterator[Health]:
    found = [*history.branch(view), *history.tree(view)]
    yield from (_fault("branch", _told(one), _cure(view, one)) for one in found)
    if not found:
        yield _ok("branch", f"main, at {(view.tip or '')[:12]}")


def _git_settings(view: View) -> Iterator[Health]:
    found = tuple(history.pins(view))
    yield from (_fault("git settings", _told(one), _REPAIR) for one in found)
    if not found:
        yield _ok("git settings", "as a vault has them")


def _git_index(view: View) -> Iterator[Health]:
    found = tuple(one for one in history.index(view) if not one.note)
    if found:
        more = f" and {len(found) - 1} more" if len(found) > 1 else ""
        yield _fault("git index", f"{_told(found[0])}{more}", _REPAIR)
    elif view.files.exists(layout.INDEX_OWED):
        yield _warning("git index", "does not know the newest commits yet, for somebody held it", "xysq recover")
    else:
        yield _ok("git index", "as main")


def _locks(view: View) -> Iterator[Health]:
    root = Path(view.opened.root)
    for name in _GIT_LOCKS:
        if view.files.exists(f".git/{name}"):
            sentence = f".git/{name} is there: git is at work, or was killed"
            yield _warning("lock", sentence, f"where no git is running: rm {root / '.git' / name}")
    holder = holder_of(root / layout.LOCK)
    if holder is None:
        yield _ok("lock", "nobody is writing")
    else:
        who = f"process {holder}" if holder else "another process"
        hint = f"ps -p {holder}" if holder else "xysq --timeout 60 recover"
        yield _warning("lock", f"{who} is writing, or waits for git", hint)


def _waiting(view: View) -> Iterator[Health]:
    runs = wal.list_runs(view.files)
    decided = [run for run in runs if wal.is_decided(view.files, run)]
    for run in decided:
        yield _warning("runs", f"{run} was decided and is not finished", "xysq recover")
    for damage in (*wal.faults(view.files), *queue.faults(view.files)):
        yield _fault("runs", str(damage), _REPAIR)
    staged = len(runs) - len(decided)
    landed = len(queue.landed(view.files))
    if landed:
        yield _warning("pushes", f"{landed} landed and cannot be searched yet", "xysq recover")
    yield _ok("runs", f"{staged} staged" if staged else "nothing waits")


def _settings(view: View) -> Iterator[Health]:
    found = [one for one in files.owned(view) if not one.note]
    yield from (_fault("settings", _told(one), f"$EDITOR {one.file}, or {_REPAIR}") for one in found)
    if not found:
        yield _ok("settings", "can be read")


def _search_index(view: View) -> Iterator[Health]:
    if not view.opened.vault_id:
        yield _warning("search index", "cannot be told from another vault's while the ledger is damaged", _REPAIR)
        return
    found = present_model(view.opened)
    if isinstance(found, Unusable):
        yield _ok("search index", f"{found.reason}; the next query makes it")
        return
    with found.reading() as snapshot:
        commit, damaged = snapshot.stamp().commit, snapshot.logs.damaged()
    found.close()
    for source in damaged:
        yield _fault("search index", f"{source} is damaged, so not all of it can be found", _REPAIR)
    if commit != view.tip:
        yield _warning("search index", "is behind; the next query brings it up", "xysq recover")
    elif not damaged:
        yield _ok("search index", f"of {commit[:12]}")


def _logs(view: View) -> Iterator[Health]:
    found = tuple(one for one in memory.log_bytes(view) if not one.note)
    yield from (_fault("logs", _told(one), _REPAIR) for one in found)
    if not found:
        yield _ok("logs", "every byte is as it was pushed")


def _promises(view: View) -> Iterator[Health]:
    found = [one for one in looked_at(view.opened, Depth.FAST) if not one.note]
    yield from (_fault("promises", _told(one), _cure(view, one)) for one in found)
    if not found:
        yield _ok("promises", "ledger, records and pages are as promised; all there is to prove: xysq fsck")


def _unseen(view: View) -> Iterator[Health]:
    since = instant(view.opened.clock() - timedelta(days=_LATELY))
    found = [one for one in problems.problems(view.files) if one.at >= since]
    if found:
        last = found[-1]
        times = "" if len(found) == 1 else f", and {len(found) - 1} more in these {_LATELY} days"
        yield _warning("unseen", f"{last.at} {last.who}: {last.what}{times}", "xysq status")
    else:
        yield _ok("unseen", f"nothing went wrong in the last {_LATELY} days")


def _told(one: Finding) -> str:
    return f"{one.file}:{one.line}: {one.sentence}"


def _cure(view: View, one: Finding) -> str:
    match one.code:
        case "head":
            return f"git -C {view.opened.root} switch main"
        case "diverged":
            return f"git -C {view.opened.root} reflog main, and put main back to the clone whose ledger lies here"
        case "unfinished":
            return "xysq recover"
        case "newer-format":
            return "install a newer xysq"
        case _:
            return _REPAIR


CHECKS: tuple[Callable[[View], Iterator[Health]], ...] = (
    _place,
    _branch,
    _git_settings,
    _git_index,
    _locks,
    _waiting,
    _settings,
    _logs,
    _search_index,
    _promises,
    _unseen,
)
