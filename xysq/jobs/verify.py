"""Verify: what the gates say of staged runs. It changes nothing.

A run is judged as it lies there, and against what its draft comes to. Where its draft was edited, or the ledger moved
on since it was staged, it is judged as `apply` would plan it again.
"""

from xysq.errors import BadDraft, Damaged
from xysq.jobs.apply import BAD_DRAFT, needs_planning, planned_again
from xysq.jobs.ground import ground
from xysq.jobs.judge import STAGED_FILES, judged
from xysq.jobs.opened import Opened
from xysq.jobs.readable import readable
from xysq.model.fact import RunId
from xysq.model.report import Verdict
from xysq.model.run import Refusal
from xysq.store import wal
from xysq.store.readmodel import ReadModel
from xysq.store.wal import StagedFiles


def verify(opened: Opened, runs: tuple[RunId, ...] = ()) -> tuple[Verdict, ...]:
    """Judge staged runs (all there are, without names)."""
    model = readable(opened)
    wanted = runs or tuple(run for run in wal.list_runs(opened.files) if not wal.is_decided(opened.files, run))
    return tuple(Verdict(run=run, refusals=_judge(opened, model, run)) for run in wanted)


def _judge(opened: Opened, model: ReadModel, run: RunId) -> tuple[Refusal, ...]:
    try:
        staged = wal.load(opened.files, run)
    except Damaged as damage:
        return (Refusal(gate=STAGED_FILES, page=damage.path, anchor="", sentence=damage.sentence),)
    with ground(opened, model) as (base, snapshot):
        try:
            composed = planned_again(opened, staged, base, snapshot)
            if needs_planning(opened, staged, base):
                staged = StagedFiles(draft=staged.draft, run=composed.staged, after=composed.files)
        except BadDraft as error:
            return (Refusal(gate=BAD_DRAFT, page="", anchor="", sentence=error.sentence),)
        return judged(staged, base, opened.now(), composed.staged)
