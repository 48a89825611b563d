"""Answered: a draft that is there already goes the whole way at once, under one holding of the lock.

Plan, quarantine, stage, gates, apply: the same as for any drafter's answer. The rows may be covered by other runs.
"""

from collections.abc import Callable

from xysq.jobs.apply import apply, stage
from xysq.jobs.compose import Drafted, Ground, compose
from xysq.jobs.distill import report_of
from xysq.jobs.ground import ground
from xysq.jobs.held import Held
from xysq.model.draft import Draft
from xysq.model.report import RunReport
from xysq.store.readmodel import Snapshot

DraftedOf = Callable[[Ground, Snapshot], Drafted]


def take_answer(held: Held, drafted_of: DraftedOf) -> RunReport:
    """Plan what was drafted, on the state it is judged on, and apply it; report the run, or why it was refused."""
    opened = held.opened
    with ground(opened, held.model) as (base, snapshot):
        drafted = drafted_of(base, snapshot)
        composed = compose(drafted, Draft.parse(drafted.reply), base, opened.new_salts)
    stage(opened, composed, drafted.reply, by_hand=False, again=True)
    outcome = apply(held, drafted.run, composed.staged)
    with held.model.reading() as snapshot:
        return report_of(outcome, snapshot.ledger)
