"""Replay: the durable steps that make a decided run part of every file and of git.

It runs right after a run was decided and again in recovery, any number of times: every step may find its work done,
and all tries end in the same bytes and the same commit id (P3). No model takes part and nothing is decided here.

Order: ledger, record, pages; git objects; git's index; the ref, by compare-and-swap. The index comes before the ref,
because a user's own commit is made from it: in between, that commit has the run's files too, and the run is rebuilt on
top of it; the other way round it would take them out of the history. What a stash or a checkout of the user's takes
back in these moments is written once more, at the end. What follows is the caller's: the read model, in one
transaction, which is when readers see the run (P9), and taking the run out of the log. A page that a person is editing
stays as that person left it; what the run wanted there is in the commit, and its base is noted.
"""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace

from xysq.canonical import sha256_hex
from xysq.errors import Damaged
from xysq.jobs.conflict import Conflict
from xysq.jobs.index_debt import update_index
from xysq.jobs.opened import Opened
from xysq.model.event import Asserted, Body, FactClosed, SupersededBy
from xysq.model.fact import Slug
from xysq.model.run import Decision, FileChange, Record
from xysq.store import bases, layout, wal
from xysq.store.exchange import Edited, exchange, rescue, withdraw
from xysq.store.git_diff import changed_files
from xysq.store.git_object import Prepared, commit_message
from xysq.store.git_ref import BrokenRef, RefMoved
from xysq.store.lock import VaultLock
from xysq.store.path import folder_of
from xysq.store.wal import StagedFiles

_TRIES = 5
_PLAIN = "AMD"
_KEPT_TREES = (layout.LOGS, layout.LEDGER, layout.RUNS, layout.PAGES)


def message_of(record: Record, bodies: Iterable[Body]) -> str:
    """Return the commit message of a run: counts and ids only, never words of a log."""
    kinds = [type(body) for body in bodies]
    counts = (
        (kinds.count(Asserted), "asserted"),
        (kinds.count(SupersededBy), "superseded"),
        (kinds.count(FactClosed), "closed"),
    )
    told = ", ".join(f"{count} {word}" for count, word in counts if count) or "no change of facts"
    kind = record.kind.value
    return commit_message(f"{kind}: {told}", run=record.run, kind=kind, body="\n".join(map(str, record.rows)))


def replay(opened: Opened, lock: VaultLock, staged: StagedFiles, decision: Decision) -> Decision:
    """Do everything a decided run says; return the decision as it stands in the end."""
    repository = opened.repository
    prepared = _prepared(opened, staged, decision)
    _write_files(opened, staged, decision)
    repository.write_objects(prepared)
    update_index(opened, lock, prepared.blobs)
    known = repository.index_mark()
    decision = _move(opened, lock, staged, decision, prepared)
    for _ in range(_TRIES):
        if repository.index_mark() == known and _is_in_place(opened, decision):
            break
        _write_files(opened, staged, decision)  # a git of the user's took something back meanwhile
        update_index(opened, lock, prepared.blobs)
        known = repository.index_mark()
    return decision


def _is_in_place(opened: Opened, decision: Decision) -> bool:
    """Tell whether every file is as the run leaves it, or, of a page, as a person does."""
    for change in decision.files:
        found = _digest_on_disk(opened, change.path)
        if found != change.after and (layout.slug_of(change.path) is None or found == change.before):
            return False
    return True


def prepare(opened: Opened, staged: StagedFiles, parent: str | None) -> Prepared:
    """Compute the commit of a run on a parent."""
    record = staged.run.record
    return opened.repository.prepare(parent, staged.after, message_of(record, staged.run.plan.events), record.at)


def decision_of(opened: Opened, staged: StagedFiles, parent: str) -> Decision:
    """Compute what is to be decided of a run: on which parent, as which commit, changing which files."""
    files = opened.files
    changes = []
    for path, data in staged.after.items():
        slug = layout.slug_of(path)
        if slug is not None and slug == staged.run.adopts:
            before = staged.draft or None
        else:
            before = files.read_or_none(path) if slug is None else _committed(opened, parent, path)
        changes.append(
            FileChange(
                path=path,
                before="" if before is None else sha256_hex(before),
                after="" if data is None else sha256_hex(data),
            )
        )
    commit = prepare(opened, staged, parent).commit
    return Decision(run=staged.run.run, parent=parent, commit=commit, files=tuple(changes))


def _committed(opened: Opened, parent: str, path: str) -> bytes | None:
    with opened.repository.reader() as reader:
        return reader.blob(parent, path) if reader.blob_id(parent, path) is not None else None


def _prepared(opened: Opened, staged: StagedFiles, decision: Decision) -> Prepared:
    prepared = prepare(opened, staged, decision.parent)
    if prepared.commit != decision.commit:
        raise Damaged(layout.wal_dir(decision.run), "0", "the staged files are not those that were decided")
    return prepared


def _write_files(opened: Opened, staged: StagedFiles, decision: Decision) -> None:
    """Put ledger, record and then pages in their places."""
    files = opened.files
    for change in decision.files:
        data = staged.after.get(change.path)
        if (sha256_hex(data) if data is not None else "") != change.after:
            raise Damaged(layout.wal_dir(decision.run), "0", f"{change.path} is not as it was decided")
    for change in sorted(decision.files, key=lambda change: layout.slug_of(change.path) is not None):
        slug = layout.slug_of(change.path)
        data = staged.after[change.path]
        if slug is not None:
            _write_page(opened, slug, change, data)
        elif data is not None:
            files.make_dirs(folder_of(change.path))
            files.replace(change.path, data)
    for folder in sorted({folder_of(change.path) for change in decision.files}):
        files.sweep(folder)  # what earlier tries left; edits among it were given back


def _write_page(opened: Opened, slug: Slug, change: FileChange, data: bytes | None) -> None:
    """Exchange a page's file, unless a person has edited it: then its base is noted and it stays."""
    files = opened.files
    files.make_dirs(folder_of(change.path))
    digests = (change.before, change.after)
    rescue(files, change.path, digests, lambda edits: bases.note(files, slug, change.before, edits))
    if data is None:
        outcome = withdraw(files, change.path, change.before)
    else:
        outcome = exchange(files, change.path, data, change.before)
    if isinstance(outcome, Edited):
        if outcome.found is not None and data is not None and outcome.found == data:
            bases.forget(files, slug)
            return
        bases.note(files, slug, change.before, outcome.aside)
        opened.notices.append(f"{change.path} has edits of yours and stays as it is; the run is in the history")
    else:
        bases.forget(files, slug)


def _move(opened: Opened, lock: VaultLock, staged: StagedFiles, decision: Decision, prepared: Prepared) -> Decision:
    """Move the branch to the run's commit; where the user committed something else meanwhile, on top of that."""
    run = decision.run
    for _ in range(_TRIES):
        try:
            tip = opened.tip()
        except BrokenRef:
            opened.repository.restore_ref(decision.parent)
            tip = decision.parent
        if tip == decision.commit:
            return decision
        opened.repository.clear_locks(decision.commit)
        if tip == decision.parent:
            with suppress(RefMoved):  # somebody committed in this very moment: look again
                opened.repository.move_ref(prepared.commit, decision.parent, f"xysq: {run}", lock.fd)
                return decision
            continue
        if not fits(opened, decision, tip):
            raise Conflict(run, tip, decision.parent)
        prepared = prepare(opened, staged, tip)
        decision = replace(decision, parent=tip, commit=prepared.commit)
        wal.decide(opened.files, run, decision)
        opened.repository.write_objects(prepared)
    raise Conflict(run, "a moving commit", decision.parent)


def fits(opened: Opened, decision: Decision, tip: str) -> bool:
    """Tell whether a run can be rebuilt on a branch that gained commits of the user's.

    So it is where they left the vault's own files alone, and where what they changed of them is harmless: files as this
    run leaves them or found them, taken along from the disk; logs that had landed; pages, which say nothing that the
    ledger does not say, and whose every edit is in the history and stays in the file.
    """
    repository = opened.repository
    if not repository.is_ancestor(decision.parent, tip):
        return False
    if repository.trees_equal(decision.parent, tip, _KEPT_TREES):
        return True
    own = {change.path: (change.before, change.after) for change in decision.files}
    with repository.reader() as reader:

        def digest(blob: str | None) -> str:
            return "" if blob is None else sha256_hex(reader.payload(blob, "blob"))

        for changed in changed_files(repository, decision.parent, tip):
            path = changed.path
            if changed.status not in _PLAIN or not changed.mode.startswith("100"):
                return False
            if not layout.is_kept(path) or layout.slug_of(path) is not None:
                continue
            if path not in own and not (changed.status == "A" and layout.source_of(folder_of(path)) is not None):
                return False
            if digest(changed.new) not in own.get(path, (_digest_on_disk(opened, path),)):
                return False
    return True


def _digest_on_disk(opened: Opened, path: str) -> str:
    data = opened.files.read_or_none(path)
    return "" if data is None else sha256_hex(data)
