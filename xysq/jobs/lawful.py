"""Lawful: whether what lies in the log as decided may really become part of the vault.

DECIDED is written by `apply` alone, behind the gates, so recovery could believe it. But it is a file, and whatever may
write below `.git` could put one there by hand, or bring back the directory of a run that was finished long ago. So
before a decided run is enacted it is asked again what cannot have changed since: that it continues the ledger of the
commit it was decided on, that every file is what its plan comes to, and whatever gate looks only at the run, the
ledger and the logs. Settings may have been edited meanwhile; what depends on them is not asked, so that a run which
was rightly decided is always finished (P3).

Where the branch already is at the run's commit there is nothing left to allow.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from xysq.canonical import sha256_hex
from xysq.errors import BadInput, Damaged, NotFound, XysqError
from xysq.gates import judge_again
from xysq.jobs.compose import committed_page
from xysq.jobs.conflict import Conflict
from xysq.jobs.follow import followed_model
from xysq.jobs.ground import archive_with
from xysq.jobs.judge import DECIDED_KINDS, candidate_of, file_faults
from xysq.jobs.opened import Opened
from xysq.jobs.past import end_at, events_at, head_at
from xysq.jobs.readable import present_model
from xysq.jobs.replay import fits, prepare
from xysq.ledger.fold import Fold, Unlawful
from xysq.ledger.line import to_line
from xysq.model.event import Head, RunKind
from xysq.model.run import Candidate, Decision, Refusal
from xysq.model.settings import Limits
from xysq.model.source import Channel, Meta, Role, VersionKind
from xysq.model.state import LedgerState, State
from xysq.store import layout, segments
from xysq.store.arrival import arrival_in, follows
from xysq.store.git_ref import BrokenRef
from xysq.store.readmodel import ReadModel, Snapshot, Unusable
from xysq.store.segments import next_segment
from xysq.store.wal import StagedFiles

_BROUGHT = (
    (RunKind.CORRECT, VersionKind.CORRECT),
    (RunKind.CORRECT, VersionKind.PUSH),
    (RunKind.ADOPT, VersionKind.PUSH),
)
_ADOPTING = (RunKind.ADOPT, RunKind.PAGE)


def is_history(opened: Opened, staged: StagedFiles, decision: Decision) -> bool:
    """Tell whether a run was finished and the branch went on from its commit: its events are in the ledger there."""
    tip = _tip(opened, decision)
    try:
        if tip == decision.commit or not opened.repository.is_ancestor(decision.commit, tip):
            return False
    except XysqError:  # no commit of this vault
        return False
    last = candidate_of(staged, Fold()).events[-1]
    end = head_at(opened, tip)
    return last.n <= end.n and segments.event(opened.files, last.n) == last


def prove_lawful(opened: Opened, staged: StagedFiles, decision: Decision) -> None:
    """Raise `Damaged` where a decided run may not be enacted, `Conflict` where the branch is somewhere else."""
    tip = _tip(opened, decision)
    if tip == decision.commit:
        return
    fault = _commit_fault(opened, staged, decision)
    if fault is None and tip != decision.parent and not fits(opened, decision, tip):
        raise Conflict(decision.run, tip, decision.parent)
    fault = fault or _run_fault(opened, staged, decision)
    if fault is not None:
        raise Damaged(layout.wal_dir(decision.run), "0", fault)


def _tip(opened: Opened, decision: Decision) -> str:
    try:
        return opened.tip()
    except BrokenRef:  # a replay puts it back to the parent
        return decision.parent


def _commit_fault(opened: Opened, staged: StagedFiles, decision: Decision) -> str | None:
    """Say in what the decision is not about the files beside it."""
    if {change.path for change in decision.files} != set(staged.after) or len(decision.files) != len(staged.after):
        return "other files were decided than lie there"
    try:
        commit = prepare(opened, staged, decision.parent).commit
    except (BadInput, NotFound) as error:
        return f"it was decided on no commit of this vault: {error}"
    except Damaged as damage:
        if segments.tail(opened.files).head != staged.run.base:
            raise  # it is enacted in part already, and what is damaged is the history
        return f"it was decided on no commit of this vault: {damage.sentence}"
    return None if commit == decision.commit else "the staged files are not those that were decided"


def _run_fault(opened: Opened, staged: StagedFiles, decision: Decision) -> str | None:
    """Say why the run cannot have passed the gates on the commit it was decided on."""
    kind = staged.run.record.kind
    if kind not in DECIDED_KINDS:
        return f"no {kind.value} run is decided this way"
    arrival = arrival_in(staged.after, layout.wal_dir(decision.run))
    fault = None if arrival is None else _arrival_fault(opened, arrival.meta, kind)
    if fault is not None:
        return fault
    end = end_at(opened, decision.parent)
    if end.head != staged.run.base:
        return f"it continues event {staged.run.base.n}, and the ledger ended at {end.head.n}"
    with _base_model(opened, decision.parent, end.head) as snapshot:
        ledger = Fold().extend(events_at(opened, decision.parent)) if snapshot is None else snapshot.ledger
        run = candidate_of(staged, ledger)
        segment = next_segment(end, b"".join(to_line(event) for event in run.events))
        found = [f"{fault.page}: {fault.sentence}" for fault in file_faults(staged, *segment, arrival)]
        found += _before_faults(decision, run, staged)
        if snapshot is None:
            found += _unfolded(run, ledger)
        else:
            archive = archive_with(opened, snapshot, arrival)
            state = State(ledger=ledger, archive=archive, limits=Limits())
            found += (f"{refusal.page}: {refusal.sentence} ({refusal.gate})" for refusal in _asked(run, state))
    return found[0] if found else None


def _arrival_fault(opened: Opened, meta: Meta, kind: RunKind) -> str | None:
    """Say why a version of a log may not come with a run of that kind."""
    is_said = meta.kind is VersionKind.CORRECT or (meta.said_as is not None and meta.said_as[0] is Role.USER)
    is_typed = kind is not RunKind.ADOPT or meta.channel is Channel.ADOPT
    if (kind, meta.kind) not in _BROUGHT or not is_said or not is_typed:
        return f"a {kind.value} run brings {meta.id}, which is a version of kind {meta.kind.value}"
    if not follows(opened.files, meta):
        return f"it brings {meta.id}, which is not the next version of its source"
    return None


def _asked(run: Candidate, state: State) -> tuple[Refusal, ...]:
    try:
        return judge_again(run, state)
    except Damaged:  # a log that broke since is told by whoever proves the logs; the run was decided before
        return ()


def _unfolded(run: Candidate, ledger: LedgerState) -> Iterator[str]:
    """Find what the events do not come to, where there is no read model to ask the gates with."""
    try:
        fold = Fold(ledger).extend(run.events)
        fold.finish()
    except Unlawful as unlawful:
        yield unlawful.sentence
        return
    if set(fold.pages_touched) != set(run.after):
        yield "other pages are left than its events touch"
    for slug, data in run.after.items():
        if committed_page(fold, slug) != data:
            yield f"{layout.page_path(slug)}: is not what the ledger folds to"


def _before_faults(decision: Decision, run: Candidate, staged: StagedFiles) -> Iterator[str]:
    """Find pages whose bytes before are not the ledger's: a person's unsaved edit would be taken for ours.

    Only an edit that the run's record keeps, word for word, may be replaced.
    """
    before = {layout.page_path(slug): sha256_hex(data) if data else "" for slug, data in run.before.items()}
    adopted = staged.run.adopts
    if adopted is not None:
        if run.kind not in _ADOPTING or staged.run.record.reply.encode() != staged.draft:
            yield f"{layout.page_path(adopted)}: what was typed there is not kept by the run"
        before[layout.page_path(adopted)] = sha256_hex(staged.draft) if staged.draft else ""
    for change in decision.files:
        if change.before != before.get(change.path, change.before):
            yield f"{change.path}: was not as decided before the run"


@contextmanager
def _base_model(opened: Opened, parent: str, base: Head) -> Iterator[Snapshot | None]:
    """Give the read model of the state a run was decided on; None where it cannot be had.

    A power cut may have put it back to before the logs that the run quotes. So it is brought up, or made, as long as
    nothing of the run is in the ledger's files yet.
    """
    found = present_model(opened)
    if isinstance(found, ReadModel) and not _has_logs_of(opened, found, parent):
        found.close()
        found = Unusable(reason="it is behind")
    if not isinstance(found, ReadModel) and segments.tail(opened.files).head == base:
        found = followed_model(opened)
    if not isinstance(found, ReadModel):
        yield None
        return
    try:
        with found.reading() as snapshot:
            yield snapshot if snapshot.stamp().head == base else None
    finally:
        found.close()


def _has_logs_of(opened: Opened, model: ReadModel, parent: str) -> bool:
    """Tell whether a read model knows every log that a commit has."""
    with model.reading() as snapshot:
        known = snapshot.stamp().commit
    try:
        return known == parent or (bool(known) and opened.repository.is_ancestor(parent, known))
    except XysqError:  # of a history that is not this one
        return False
