"""Weakened: the ways in which the durability code is made worse, one at a time, for `tests.crash.mutants`.

Each names a file, the text that stands there and what stands there instead, and who should notice first: tests by their
path, or `simulate`. Texts that no longer stand in their file make the harness fail, so the table follows the code.
"""

from dataclasses import dataclass

FILES, LAND, JOBS = "tests/store/test_files.py", "tests/store/test_landing.py", "tests/jobs/test_promises_kept.py"
WAL, GIT, INDEX = "tests/store/test_wal.py", "tests/store/test_git.py", "tests/store/test_git_index.py"
EXCHANGE, LOCK, STEPS = "tests/store/test_exchange.py", "tests/store/test_lock.py", "tests/crash/test_step_harnesses.py"
LAWS, LOGS, OBJECTS = "tests/crash/test_laws.py", "tests/store/test_logs.py", "tests/store/test_git_ref.py"
SEGMENTS, LINES = "tests/store/test_segments.py", "tests/ledger/test_line.py"


@dataclass(frozen=True)
class Weakened:
    """One weakening: what is lost by it, where, what stands there, what stands there then, who notices."""

    label: str
    path: str
    old: str
    new: str
    tests: tuple[str, ...]


def _dropped(label: str, path: str, old: str, *tests: str) -> Weakened:
    """Leave a statement out."""
    indent = old[: len(old) - len(old.lstrip())]
    return Weakened(label, path, old, f"{indent}pass", tests)


_FILE, _WAL, _OBJECT = "xysq/store/files.py", "xysq/store/wal.py", "xysq/store/git_object_file.py"
_REPLAY, _SETTLE, _LANDING = "xysq/jobs/replay.py", "xysq/jobs/settle.py", "xysq/store/landing.py"
_INDEX, _REF, _EXCHANGE = "xysq/store/git_index.py", "xysq/store/git_ref.py", "xysq/store/exchange.py"

SYNCS = (
    _dropped("nothing is ever synced", "xysq/store/flush.py", "    os.fsync(descriptor)", LAWS),
    Weakened(
        "a failed sync is tried again",
        "xysq/store/flush.py",
        "    os.fsync(descriptor)",
        "    try:\n        os.fsync(descriptor)\n    except OSError:\n        os.fsync(descriptor)",
        (LAWS,),
    ),
    Weakened(
        "a failed sync is passed over",
        "xysq/store/disk_error.py",
        "        raise NotSynced(path, error) from error",
        "        del error",
        (FILES,),
    ),
    _dropped(
        "a temp is not synced",
        _FILE,
        "                self._sync(descriptor, Op.SYNC, sibling(path, temp))",
        FILES,
        LAWS,
    ),
    Weakened(
        "a replaced name is not synced",
        _FILE,
        "            os.rename(at.temp, at.name, src_dir_fd=at.directory, dst_dir_fd=at.directory)\n"
        "            self._sync_dir(at.directory, folder_of(path))\n\n    def remove",
        "            os.rename(at.temp, at.name, src_dir_fd=at.directory, dst_dir_fd=at.directory)\n\n    def remove",
        (FILES, LAWS),
    ),
    Weakened(
        "a new name is not synced",
        _FILE,
        "                raise AlreadyThere(path) from None\n            self._sync_dir(at.directory, folder_of(path))",
        "                raise AlreadyThere(path) from None",
        (FILES, LAWS),
    ),
    Weakened(
        "a removed name is not synced",
        _FILE,
        "            if sync:\n                self._sync_dir(parent, folder_of(path))\n            return True",
        "            return True",
        (FILES, LAWS),
    ),
    _dropped(
        "a new directory's name is not synced", _FILE, "                self._sync_dir(parent, above)", FILES, LAWS
    ),
    Weakened(
        "a new directory has no mark until it is synced",
        _FILE,
        "_NEW_DIR_MODE = 0o600, 0o700, 0o1700",
        "_NEW_DIR_MODE = 0o600, 0o700, 0o700",
        (FILES, LAWS),
    ),
    Weakened(
        "a renamed directory's name is not synced",
        _FILE,
        "            self._sync_dir(target, folder_of(new))\n            if folder_of(old) != folder_of(new):",
        "            if folder_of(old) != folder_of(new):",
        (FILES, LAWS),
    ),
    _dropped("staged files are not synced", _FILE, "            _flush_all(written)", LAWS, WAL),
    _dropped(
        "staged names are not synced",
        _FILE,
        "            self.sync_dir(join(path, folder) if folder else path)",
        WAL,
        LAWS,
    ),
    _dropped("objects are not synced", _OBJECT, "            _sync_all(opened)\n        except XysqError:", LAWS, GIT),
    _dropped("names of objects are not synced", _OBJECT, "            self._sync_dirs((*folders, OBJECTS))", GIT, LAWS),
    _dropped(
        "a swapped page is not synced",
        _EXCHANGE,
        "            files.sync_dir(folder_of(path))\n            return outcome",
        LAWS,
        EXCHANGE,
    ),
    _dropped(
        "the branch's name is not synced", _REF, '        self._files.sync_dir(f".git/{Path(REF).parent}")', GIT, LAWS
    ),
    Weakened("git syncs nothing", "xysq/store/git_process.py", '"core.fsync=all",', '"core.fsync=none",', (LAWS, GIT)),
    _dropped("git's index is not synced", _INDEX, '            self._files.sync_dir(".git")', INDEX),
)

ORDERS = (
    Weakened(
        "a temp gets its name before it is synced",
        _FILE,
        "                self._sync(descriptor, Op.SYNC, sibling(path, temp))\n"
        "                descriptor = _for_reading(descriptor, parent, temp)\n"
        "                yield Beside(directory=parent, name=name, temp=temp)",
        "                yield Beside(directory=parent, name=name, temp=temp)\n"
        "                self._sync(descriptor, Op.SYNC, sibling(path, temp))",
        (LAWS, FILES),
    ),
    Weakened(
        "an object gets its name before it is synced",
        _OBJECT,
        "            for path in opened.values():\n"
        "                self._watch(Step(op=Op.SYNC, path=path))\n            _sync_all(opened)",
        "            for path in opened.values():\n"
        "                self._rename(path, path.replace(_TEMP, ''))\n            _sync_all(opened)",
        (LAWS, GIT),
    ),
    Weakened(
        "a decision is not durable",
        _WAL,
        '    files.replace(f"{layout.wal_dir(run)}/{_DECIDED}", _framed(body))  # the moment',
        "    (files.root / layout.wal_dir(run) / _DECIDED).write_bytes(_framed(body))",
        (LAWS, WAL),
    ),
    Weakened(
        "a staged run is filled in place",
        _WAL,
        '    temp = f"{layout.WAL}/{_TEMP}{run}"\n    files.make_dirs(layout.WAL)',
        "    temp = target\n    files.make_dirs(layout.WAL)",
        (WAL,),
    ),
    Weakened(
        "a run is replayed before it is decided",
        "xysq/jobs/land.py",
        "    wal.decide(opened.files, run, decision)  # the moment\n"
        "    decision = replay(opened, held.lock, staged, decision)",
        "    decision = replay(opened, held.lock, staged, decision)\n    wal.decide(opened.files, run, decision)",
        (LAWS, STEPS),
    ),
    Weakened(
        "a run is forgotten before it is done",
        "xysq/jobs/land.py",
        "    decision = replay(opened, held.lock, staged, decision)",
        "    wal.retire(opened.files, run)\n    decision = replay(opened, held.lock, staged, decision)",
        (LAWS, STEPS),
    ),
    Weakened(
        "pages stand before the ledger",
        _REPLAY,
        "key=lambda change: layout.slug_of(change.path) is not None)",
        "key=lambda change: layout.slug_of(change.path) is None)",
        (LAWS,),
    ),
    Weakened(
        "the branch moves before the objects are there",
        _REPLAY,
        "    repository.write_objects(prepared)\n    update_index(opened, lock, prepared.blobs)\n",
        "    repository.git.run('update-ref', '--no-deref', 'refs/heads/main', prepared.commit, allowed=(0, 128))\n"
        "    repository.write_objects(prepared)\n    update_index(opened, lock, prepared.blobs)\n",
        (LAWS, STEPS),
    ),
    Weakened(
        "git's index comes after the branch",
        _REPLAY,
        "    update_index(opened, lock, prepared.blobs)\n    known = repository.index_mark()\n"
        "    decision = _move(opened, lock, staged, decision, prepared)\n",
        "    decision = _move(opened, lock, staged, decision, prepared)\n"
        "    update_index(opened, lock, prepared.blobs)\n    known = repository.index_mark()\n",
        (LAWS, STEPS),
    ),
    Weakened(
        "the meta of a push comes first",
        _LANDING,
        "    for data_path, content in data.items():\n        _put(files, data_path, content)\n",
        "    files.write_new(path, logs.meta_bytes(meta))\n    files.remove(path, sync=False)\n"
        "    for data_path, content in data.items():\n        _put(files, data_path, content)\n",
        (LAWS, LAND),
    ),
    Weakened(
        "the marker of a push comes after its meta",
        _LANDING,
        "    queue.mark(files, meta.id)\n    files.write_new(path, logs.meta_bytes(meta))",
        "    files.write_new(path, logs.meta_bytes(meta))\n    queue.mark(files, meta.id)",
        (LAWS, LAND),
    ),
    Weakened(
        "the marker of a push goes before it is committed",
        _SETTLE,
        "    commit = _commit(held, metas)\n",
        "    for meta in metas:\n        queue.unmark(opened.files, meta.id)\n    commit = _commit(held, metas)\n",
        (STEPS,),
    ),
)

CHECKS = (
    Weakened(
        "the vault's lock is shared",
        "xysq/store/lock.py",
        "fcntl.LOCK_EX | fcntl.LOCK_NB",
        "fcntl.LOCK_SH | fcntl.LOCK_NB",
        (LOCK, JOBS),
    ),
    Weakened(
        "git does not hold the lock",
        "xysq/store/git_process.py",
        "pass_fds=() if lock_fd is None else (lock_fd,),",
        "pass_fds=(),",
        ("tests/store/test_git_process.py", GIT),
    ),
    Weakened("any decision is believed", _WAL, "    if frame != f", "    if not frame and frame != f", (WAL,)),
    Weakened(
        "any object is believed",
        _OBJECT,
        " or object_id(kind, payload) != id_:",
        ":",
        (GIT, "tests/jobs/test_broken.py"),
    ),
    Weakened(
        "any bytes of a log are believed",
        "xysq/store/logs.py",
        "    if sha256_hex(data) != stored.sha256:",
        "    if not data and stored.size:",
        (LOGS,),
    ),
    Weakened(
        "any ledger line is believed",
        "xysq/store/segments.py",
        "        *_, last = read_segment(data, path, _before(first))",
        "        last = _last(path, data)",
        (SEGMENTS, "tests/jobs/test_broken.py"),
    ),
    Weakened(
        "a ledger that lost lines is built on",
        "xysq/jobs/present.py",
        "    if not end.data.startswith(lines):",
        "    if not lines and not end.data.startswith(lines):",
        ("tests/jobs/test_damage.py", "tests/jobs/test_broken.py"),
    ),
    Weakened(
        "staged files are not compared with the decision",
        _REPLAY,
        "    if prepared.commit != decision.commit:",
        "    if not prepared.commit:",
        ("tests/attacks/test_staged_directory.py", JOBS),
    ),
    Weakened(
        "the branch is moved whatever it is at",
        _REF,
        "NO_COMMIT if old is None else checked_id(old))",
        "*(() if old else (NO_COMMIT,)))",
        (OBJECTS, GIT),
    ),
    Weakened(
        "a run is built on any branch",
        _REPLAY,
        "    if not repository.is_ancestor(decision.parent, tip):\n        return False",
        "    if tip:\n        return True",
        (GIT, JOBS, STEPS, "tests/jobs/test_fits.py"),
    ),
    Weakened(
        "a temp that is held is swept",
        _FILE,
        "            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)\n",
        "",
        (FILES,),
    ),
    Weakened(
        "a lock of the user's on git's index is removed",
        _INDEX,
        "        if not _same_file(self._lock, self._own):\n            return False",
        "        if not self._lock.exists():\n            return False",
        (INDEX,),
    ),
    Weakened(
        "any lock on the branch is removed",
        _REF,
        "self._is_left(self._dir / name, commit) and self._drop(name)",
        "self._drop(name)",
        (OBJECTS, GIT),
    ),
    Weakened(
        "an object that is there is not written",
        _OBJECT,
        "            self._write_temps(batch)",
        "            batch = tuple(one for one in batch if not (self._root / object_path(one.id)).exists())\n"
        "            self._write_temps(batch)",
        (GIT,),
    ),
    Weakened(
        "a decided run is discarded",
        _WAL,
        '    if is_decided(files, run):\n        raise ValueError(f"{run} is decided")\n    _remove',
        "    _remove",
        (WAL,),
    ),
    Weakened(
        "a page is written over",
        _EXCHANGE,
        "        if came_out is not None and (sha256_hex(came_out) == ours or came_out in aside):\n            break",
        "        break",
        (EXCHANGE,),
    ),
    Weakened(
        "whatever came out of a swap is thrown away",
        _EXCHANGE,
        "    if came_out is not None and sha256_hex(came_out) in expected:\n        return Exchanged()\n",
        "    return Exchanged()\n",
        (EXCHANGE,),
    ),
    Weakened(
        "an open editor is not waited for",
        _EXCHANGE,
        "read_all(descriptor) if _has_no_writer(descriptor) else None",
        "read_all(descriptor)",
        (EXCHANGE, STEPS),
    ),
    Weakened(
        "an edit that a crash caught is not given back",
        _REPLAY,
        "    rescue(files, change.path, digests, lambda",
        "    _ = (rescue, lambda",
        (STEPS,),
    ),
    Weakened("nothing is recovered", "xysq/jobs/hold.py", "        recover(opened, lock)\n", "", (STEPS, JOBS)),
    Weakened(
        "what a stash took back is not written again",
        _REPLAY,
        "        if repository.index_mark() == known and _is_in_place(opened, decision):",
        "        if known:",
        (STEPS,),
    ),
    Weakened(
        "leftovers of a try are not swept",
        _REPLAY,
        "        files.sweep(folder)  # what",
        "        _ = folder  # what",
        (STEPS,),
    ),
    Weakened(
        "a debt to git's index is forgotten",
        "xysq/jobs/index_debt.py",
        "        _note(opened, {*_owed(opened), *blobs})",
        "        _ = _note",
        ("tests/jobs/test_damage.py", STEPS),
    ),
)

ALL: tuple[Weakened, ...] = (*SYNCS, *ORDERS, *CHECKS)
