"""The state behind a run, for gates that ask what would be: after the whole run, or before each of its events."""

from collections.abc import Iterator

from xysq.ledger.fold import Fold, Unlawful
from xysq.model.event import Event
from xysq.model.run import Candidate, Refusal
from xysq.model.state import State


def fold_behind(run: Candidate, state: State) -> Fold | Unlawful:
    """Return the state behind a run; the error where its events may not follow the ledger."""
    fold = Fold(state.ledger)
    try:
        fold.extend(run.events)
        fold.finish()
    except Unlawful as unlawful:
        return unlawful
    return fold


def steps(run: Candidate, state: State) -> Iterator[tuple[Event, Fold]]:
    """Yield each event of a lawful run with the state before it."""
    fold = Fold(state.ledger)
    for event in run.events:
        yield event, fold
        fold.apply(event)


def unjudged(gate: str, unlawful: Unlawful) -> tuple[Refusal, ...]:
    """Return the refusal of a gate that cannot be asked, because the run's events are not lawful."""
    return (Refusal(gate=gate, page="", anchor="", sentence=f"cannot be judged: {unlawful.sentence}"),)
