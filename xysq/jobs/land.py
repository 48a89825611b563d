"""Land: a run that passed the gates becomes part of the vault, whatever stops us from here on."""

from xysq.jobs.follow import follow_run
from xysq.jobs.held import Held
from xysq.jobs.present import prove_ledger
from xysq.jobs.replay import decision_of, replay
from xysq.store import wal
from xysq.store.wal import StagedFiles


def land(held: Held, staged: StagedFiles) -> str:
    """Decide a staged run, replay it, bring the read model over it, take it out of the log; return its commit."""
    opened, run = held.opened, staged.run.run
    parent = opened.tip()
    prove_ledger(opened, parent, staged.run.base)
    decision = decision_of(opened, staged, parent)
    wal.decide(opened.files, run, decision)  # the moment
    decision = replay(opened, held.lock, staged, decision)
    follow_run(held, decision.parent, decision.commit, brings_log=staged.brings_log)
    wal.retire(opened.files, run)
    return decision.commit
