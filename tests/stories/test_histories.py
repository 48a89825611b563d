"""A few random histories; a thousand are part of the crash matrix."""

import pytest
from hypothesis import Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.stories.histories import Histories


def test_promises_hold_after_every_step_of_a_history() -> None:
    few = settings(max_examples=30, stateful_step_count=8, deadline=None, phases=(Phase.explicit, Phase.generate))
    run_state_machine_as_test(Histories, settings=few)


def test_what_the_machine_looks_for_it_notices() -> None:
    machine = Histories()
    machine.begin("Maya: I live in Berlin.\n\nTom: I moved to Lisbon.\n\n")
    try:
        machine.what_was_committed_stays()
        machine.what_was_corrected_stays_corrected()
        fact = next(fact for fact in machine.open_facts() if fact.value == "Berlin")
        machine.denied[str(fact.page), "berlin"] = b"".join(machine.landed.values())
        with pytest.raises(AssertionError):
            machine.what_was_corrected_stays_corrected()
        machine.texts[fact.id] = "Maya lives in Rome."
        with pytest.raises(AssertionError):
            machine.what_was_committed_stays()
        (version,) = machine.landed
        machine.landed[version] += b"more"
        with pytest.raises(AssertionError):
            machine.every_version_is_there_byte_for_byte()
    finally:
        machine.stack.close()
