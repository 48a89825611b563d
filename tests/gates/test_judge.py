"""All gates judge every run, and every refusal is told."""

from dataclasses import replace

from tests.archive import turn
from tests.world import World, drafted
from xysq.gates import GATES, judge
from xysq.model.event import Head

TABLE = """
    declared-bytes frozen-text verbatim changelog bijection fact-behind-block closed-shown one-value value-shown
    conflict-markers shrinkage lineage authority returned structure fresh-base limits
"""


def test_there_is_a_gate_for_every_row_of_the_table_in_its_order() -> None:
    assert [gate.__name__.replace("_", "-") for gate in GATES] == TABLE.split()


def test_every_gate_states_its_rule() -> None:
    assert all((gate.__doc__ or "").splitlines()[0].endswith(".") for gate in GATES)


def test_a_good_run_passes_and_one_with_two_faults_hears_of_both() -> None:
    world = World()
    world.tell(turn("I live in Boston."))
    run = world.candidate(world.plan(drafted()).plan)
    assert judge(run, world.state) == ()
    moved = replace(run, base=Head(n=1, hash="0" * 64))
    bare = replace(moved, after={slug: data + b"x" for slug, data in run.after.items()})
    assert {"fresh-base", "declared-bytes"} <= {refusal.gate for refusal in judge(bare, world.state)}
