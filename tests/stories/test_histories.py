"""A few random histories; a thousand are part of the crash matrix."""

from hypothesis import Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.stories.histories import Histories


def test_promises_hold_after_every_step_of_a_history() -> None:
    few = settings(max_examples=30, stateful_step_count=8, deadline=None, phases=(Phase.explicit, Phase.generate))
    run_state_machine_as_test(Histories, settings=few)
