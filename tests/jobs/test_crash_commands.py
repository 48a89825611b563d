"""Every command of the program is known to the crash harnesses: as one that writes, or as one that reads."""

import pytest

from tests.crash.commands import READING, WRITING, Writing, prepare
from tests.crash.place import call, held
from tests.store.scratch import scratch
from xysq.cli.commands import ENTRIES


def test_every_command_either_writes_or_reads() -> None:
    writing = {row.command for row in WRITING}
    assert writing | READING == {entry.name for entry in ENTRIES}
    assert writing & READING == {"ls"}  # reads, and settles what has landed
    assert len({row.label for row in WRITING}) == len(WRITING)


@pytest.mark.parametrize("writing", [row for row in WRITING if row.label in {"push", "config"}], ids=lambda row: row.label)
def test_a_row_has_something_to_do_in_its_home(writing: Writing) -> None:
    with scratch() as folder:
        home = folder / "home"
        typed = prepare(writing, home)
        before = held(home)
        done = call(home, typed.arguments, typed.data)
        assert done.returncode == 0
        assert bool(done.stdout) != writing.is_silent
        assert held(home) != before
