"""The write-ahead log: whole runs as directories, and the one moment in which a run becomes part of the vault (P3).

    .git/xysq/wal/<run>/draft.json     what the drafter answered; the only file of these that a person may edit
                        run.json       base, record, plan, salts (`xysq.model.staging`)
                        after/…        every file the run will leave, whole; `/` in its path is `+` in the name
                        SUMS           the digest of each of these as it was staged
                        DECIDED        parent, commit, digests before and after: from here on the run *is* in the vault

The protocol. `stage` builds the directory under another name (`tmp-<run>`), syncs every file and every directory in
it, renames it, syncs the parent. `decide` writes DECIDED by temp, sync, rename, sync. Then the run is applied, step by
step and in any number of tries, each of which may be cut short; all of them end in the same bytes, because every byte
lies in `after/` already. `retire` renames the directory back to `tmp-<run>`, syncs, and only then removes it.

What a crash means, by where it struck:

- while staging: there is a `tmp-` directory that nobody holds; `sweep_temps` removes it; the run never was;
- staged, not decided: the run waits, to be judged again, applied or discarded by hand; the vault is as before;
- decided: recovery does again whatever applying does, and retires the run;
- while retiring: either the run is still decided, and doing it again changes nothing, or it is a `tmp-`, and goes;
- while refusing: it is still staged, or it lies in `refused/`; both are judged again before anything of them lands.

DECIDED is framed, as SUMS is: its length and SHA-256 on the first line. Since it appears by a rename, no crash leaves
half of it; a frame that does not fit is damage of the disk. Such a run is neither applied nor dropped: `read_decision`
raises, and `set_aside` keeps the whole directory for a person to look at.

Staging needs no lock; deciding, refusing, retiring and sweeping are done under the vault's.
"""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace

from xysq.canonical import canonical_json, parse_json, sha256_hex
from xysq.errors import BadJson, BadWire, Damaged, NotFound
from xysq.frozen import frozen
from xysq.model.fact import RunId
from xysq.model.run import Decision, Refusal
from xysq.model.staging import StagedRun
from xysq.store import layout
from xysq.store.disk_error import AlreadyThere, UnsafePath
from xysq.store.files import Files
from xysq.store.path import folder_of, split

REFUSED_KEPT = 50
_TEMP = "tmp-"
_DRAFT, _RUN, _AFTER, _DECIDED, _REFUSALS = "draft.json", "run.json", "after", "DECIDED", "refusals.json"
_SUMS = "SUMS"


@frozen
class StagedFiles:
    """A staged run with its files: the draft as answered, and by path what the run leaves (None: it goes)."""

    draft: bytes
    run: StagedRun
    after: Mapping[str, bytes | None]

    @property
    def brings_log(self) -> bool:
        """Tell whether a version of a log comes with the run."""
        return any(layout.source_of(folder_of(path)) is not None for path in self.after)


def stage(files: Files, staged: StagedFiles) -> None:
    """Put a run into the log, whole and durable; `AlreadyThere` where it is there."""
    run = staged.run.run
    target = layout.wal_dir(run)
    if files.exists(target):
        raise AlreadyThere(target)
    gone = tuple(sorted(path for path, data in staged.after.items() if data is None))
    contents = {
        _DRAFT: staged.draft,
        _RUN: canonical_json(replace(staged.run, gone=gone).to_wire()) + b"\n",
        **{_name_of(path): data for path, data in staged.after.items() if data is not None},
    }
    sums = {name: sha256_hex(data) for name, data in contents.items()}
    contents[_SUMS] = _framed(canonical_json(sums) + b"\n")
    temp = f"{layout.WAL}/{_TEMP}{run}"
    files.make_dirs(layout.WAL)
    files.sweep(layout.WAL, f"{_TEMP}{run}")
    with files.new_dir(temp):
        files.fill(temp, contents)
        files.rename_dir(temp, target)


def list_runs(files: Files) -> tuple[RunId, ...]:
    """Return the runs in the log, oldest first."""
    return _runs_in(files, layout.WAL)


def list_refused(files: Files) -> tuple[RunId, ...]:
    """Return the refused runs that are kept, oldest first."""
    return _runs_in(files, layout.REFUSED)


def load(files: Files, run: RunId) -> StagedFiles:
    """Read a staged run; `NotFound` where there is none, `Damaged` where it cannot be read."""
    return _load(files, run, layout.wal_dir(run))


def load_refused(files: Files, run: RunId) -> tuple[StagedFiles, tuple[Refusal, ...]]:
    """Read a refused run and why it was refused."""
    directory = layout.refused_dir(run)
    staged = _load(files, run, directory)
    path = f"{directory}/{_REFUSALS}"
    try:
        value = parse_json(_read(files, path))
        if not isinstance(value, list):
            raise BadWire("refusals", "are not a list")
        return staged, tuple(Refusal.from_wire(f"refusals[{place}]", item) for place, item in enumerate(value))
    except (BadJson, BadWire) as error:
        raise Damaged(path, "0", str(error)) from None


def decide(files: Files, run: RunId, decision: Decision) -> None:
    """Make a staged run part of the vault, whatever happens from here on; or change what it was decided to be."""
    body = canonical_json(decision.to_wire()) + b"\n"
    files.replace(f"{layout.wal_dir(run)}/{_DECIDED}", _framed(body))  # the moment


def is_decided(files: Files, run: RunId) -> bool:
    """Tell whether a run was decided, also where its decision can no longer be read."""
    return files.exists(f"{layout.wal_dir(run)}/{_DECIDED}")


def is_awaited(files: Files, path: str) -> bool:
    """Tell whether a decided run brings a file that may not be in its place yet."""
    return any(
        is_decided(files, run) and files.exists(f"{layout.wal_dir(run)}/{_name_of(path)}") for run in list_runs(files)
    )


def read_decision(files: Files, run: RunId) -> Decision | None:
    """Return what was decided of a run; None where nothing was, `Damaged` where the frame does not fit."""
    path = f"{layout.wal_dir(run)}/{_DECIDED}"
    data = files.read_or_none(path)
    if data is None:
        return None
    try:
        decision = Decision.from_wire("decision", parse_json(_unframed(path, data)))
    except (BadJson, BadWire) as error:
        raise Damaged(path, "0", str(error)) from None
    if decision.run != run:
        raise Damaged(path, "0", f"is the decision of {decision.run}")
    return decision


def discard(files: Files, run: RunId) -> None:
    """Drop a staged run. A decided one is part of the vault and cannot be dropped."""
    if is_decided(files, run):
        raise ValueError(f"{run} is decided")
    _remove(files, run)


def retire(files: Files, run: RunId) -> None:
    """Take a run that was applied, and whose files are all synced, out of the log."""
    _remove(files, run)


def refuse(files: Files, run: RunId, refusals: tuple[Refusal, ...]) -> None:
    """Move a staged run to the refused ones, with the reasons; the newest 50 are kept."""
    if is_decided(files, run):
        raise ValueError(f"{run} is decided")
    wire = canonical_json([refusal.to_wire() for refusal in refusals]) + b"\n"
    files.replace(f"{layout.wal_dir(run)}/{_REFUSALS}", wire)
    files.make_dirs(layout.REFUSED)
    files.remove_tree(layout.refused_dir(run))
    files.rename_dir(layout.wal_dir(run), layout.refused_dir(run))
    for old in list_refused(files)[:-REFUSED_KEPT]:
        files.remove_tree(layout.refused_dir(old))


def set_aside(files: Files, run: RunId) -> str:
    """Keep a run with a damaged decision out of the way of the others; return where it lies now."""
    kept = layout.damaged_dir(run)
    files.make_dirs(layout.DAMAGED)
    files.rename_dir(layout.wal_dir(run), kept)
    return kept


def sweep_temps(files: Files) -> int:
    """Remove what dead processes left in the log; return how many leftovers there were."""
    runs = [layout.wal_dir(run) for run in list_runs(files)]
    return files.sweep(layout.WAL, _TEMP) + sum(files.sweep(directory) for directory in (layout.WAL, *runs))


def load_readable(files: Files) -> Iterator[StagedRun]:
    """Yield the runs in the log that can be read, oldest first; `faults` tells of the others.

    Without the lock one may be gone before it is read: somebody finished it.
    """
    for run in list_runs(files):
        with suppress(Damaged, NotFound):
            yield load(files, run).run


def faults(files: Files) -> tuple[Damaged, ...]:
    """Return what in the log is no run, or a run that cannot be read, and what was set aside."""
    runs = set(list_runs(files))
    strangers = (name for name in files.list_dir(layout.WAL) if name not in runs and not name.startswith(_TEMP))
    found = [Damaged(f"{layout.WAL}/{name}", "0", "is no run") for name in strangers]
    aside = map(layout.damaged_dir, _runs_in(files, layout.DAMAGED))
    found += (Damaged(path, "0", "was decided, but what it decided can no longer be read") for path in aside)
    for run in list_runs(files):
        try:
            read_decision(files, run)
            load(files, run)
        except Damaged as damage:
            found.append(damage)
        except NotFound:  # somebody finished it meanwhile
            continue
    return tuple(found)


def altered(files: Files, run: RunId) -> tuple[str, ...]:
    """Return the files of a run in the log that are not as they were staged, and those that were not staged at all.

    Such a run may be what a person made of it, or a flipped bit; either way it is judged as it lies there.
    """
    directory = layout.wal_dir(run)
    path = f"{directory}/{_SUMS}"
    try:
        found = {name: sha256_hex(files.read(f"{directory}/{name}")) for name in files.walk(directory)}
        sums = parse_json(_unframed(path, _read(files, path)))
    except UnsafePath:  # told by `faults`
        return ()
    except (BadJson, Damaged):
        return (path,)
    if not isinstance(sums, dict):
        return (path,)
    later = (_SUMS, _DECIDED, _REFUSALS)
    wrong = {name for name in (*sums, *found) if sums.get(name) != found.get(name)}
    return tuple(f"{directory}/{name}" for name in sorted(wrong.difference(later)))


def _framed(body: bytes) -> bytes:
    """Return bytes behind a line with their length and SHA-256."""
    return f"{len(body)} {sha256_hex(body)}\n".encode("ascii") + body


def _unframed(path: str, data: bytes) -> bytes:
    """Return what stands in a frame; `Damaged` where the frame is another's."""
    frame, _, body = data.partition(b"\n")
    if frame != f"{len(body)} {sha256_hex(body)}".encode("ascii"):
        raise Damaged(path, "0", "the frame does not fit what it holds")
    return body


def _runs_in(files: Files, directory: str) -> tuple[RunId, ...]:
    names = filter(layout.is_run_id, files.list_dir(directory))
    return tuple(RunId(name) for name in names if files.is_folder(f"{directory}/{name}"))


def _remove(files: Files, run: RunId) -> None:
    temp = f"{layout.WAL}/{_TEMP}{run}"
    files.remove_tree(temp)
    files.rename_dir(layout.wal_dir(run), temp)
    files.remove_tree(temp)


def _load(files: Files, run: RunId, directory: str) -> StagedFiles:
    if not files.exists(directory):
        raise NotFound("staged run", run)
    path = f"{directory}/{_RUN}"
    try:
        staged = StagedRun.from_wire("run", parse_json(_read(files, path)))
    except (BadJson, BadWire) as error:
        raise Damaged(path, "0", str(error)) from None
    if staged.run != run:
        raise Damaged(path, "0", f"is {staged.run}")
    after: dict[str, bytes | None] = {_checked(path, gone): None for gone in staged.gone}
    for name in files.list_dir(f"{directory}/{_AFTER}"):
        stored = f"{directory}/{_AFTER}/{name}"
        after[_checked(stored, name.replace("+", "/"))] = files.read(stored)
    return StagedFiles(draft=_read(files, f"{directory}/{_DRAFT}"), run=staged, after=after)


def _name_of(path: str) -> str:
    if not layout.is_kept(path) or "+" in path:
        raise ValueError(f"{path!r} is no file that a run leaves")
    return f"{_AFTER}/{path.replace('/', '+')}"


def _checked(where: str, path: str) -> str:
    """Let a path pass that a run may change; others were put there by somebody else."""
    with suppress(UnsafePath):
        split(path)
        if layout.is_kept(path):
            return path
    raise Damaged(where, "0", "names a file that no run may change")


def _read(files: Files, path: str) -> bytes:
    data = files.read_or_none(path)
    if data is None:
        raise Damaged(path, "0", "the file is missing")
    return data
