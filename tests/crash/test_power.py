"""The power cut itself: it takes what was not synced, and nothing that a command acknowledged; and it is noticed."""

import sys
from collections.abc import Sequence

import pytest

from tests.crash import inject, power
from tests.crash.commands import WRITING
from tests.crash.trace import why_not_traced

PUSH = next(row for row in WRITING if row.label == "push")
UNSYNCED = "import os; os.fsync = os.fdatasync = lambda _: None; from xysq.cli.main import main; main()"


@pytest.fixture(scope="module")
def kind() -> power.Kind:
    kind = power.KINDS[0]
    reason = why_not_traced() or power.missing(kind)
    if reason:
        pytest.skip(f"no power can be cut here: {reason}")
    return kind


def test_what_was_acknowledged_outlives_the_power_only_where_it_was_synced(
    kind: power.Kind, monkeypatch: pytest.MonkeyPatch
) -> None:
    with power.disk(kind) as disk:
        bench = power.Cuts(PUSH, disk)
        assert bench.cut(power.ENDED) == "after"

        def unsynced(arguments: Sequence[str]) -> list[str]:
            return [sys.executable, "-c", UNSYNCED, *arguments]

        monkeypatch.setattr(inject, "program", unsynced)
        assert bench.cut(power.ENDED).startswith("LOST")


def test_a_disk_that_cannot_be_had_is_told_with_its_reason() -> None:
    nothing = power.Kind("nothing", ("mkfs.nothing",), "ro", 1 << 20)
    assert power.missing(nothing) == "mkfs.nothing is not installed"
