"""A few tries of each harness that works step by step, and that each notices what it is there for."""

import random
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.crash import editor, readers, twice, user_git
from tests.crash.place import MEMORY, Snapshot, at_home
from tests.crash.stage import applied, staged_vault, watched
from xysq.jobs import replay
from xysq.store import exchange
from xysq.store.step import Op, Step


class Places:
    """Where in an apply its steps are."""

    def __init__(self, root: Path) -> None:
        self.steps: list[Step] = []
        applied(watched(root, self.steps.append))

    def of(self, op: Op, path: str = "", to: str = "") -> int:
        """Return the number of the first step of that kind."""
        return next(n for n, step in enumerate(self.steps) if step.op is op and path in step.path and to in step.to)


@pytest.fixture
def home() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="xysq-", dir=MEMORY if MEMORY.is_dir() else None) as name:
        (Path(name) / "home").mkdir()
        yield Path(name) / "home"


def test_edits_around_the_swap_of_a_page_are_kept(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exchange, "_PAUSE_S", 0.0002)
    with at_home(home) as root:
        staged_vault(root)
        ready = Snapshot.take(home)
        swap = Places(root).of(Op.EXCHANGE, to=editor.PAGES[0])
        lost = []
        for number, way in enumerate(editor.WAYS):
            for cut in (-1, swap + 1):
                ready.restore(home)
                one = editor.Try(editor.PAGES[0], way, swap, cut, 5 * number + 1)
                lost.append(editor.attempt(root, one, random.Random(number)))
        assert lost == [""] * 8
        monkeypatch.setattr(replay, "rescue", lambda *_: None)
        ready.restore(home)
        one = editor.Try(editor.PAGES[0], editor.at_once, swap, swap + 1, 1)
        assert "has" in editor.attempt(root, one, random.Random(0))


@pytest.mark.parametrize(
    ("doing", "op", "path", "to"),
    [
        ("commit -a", Op.RENAME, "index-next", ".git/index"),
        ("commit -a", Op.SYNC_DIR, ".git/refs/heads", ""),
        ("commit of all", Op.EXCHANGE, "", editor.PAGES[0]),
        ("stash", Op.SYNC_DIR, ".git/refs/heads", ""),
        ("stash and pop", Op.LINK, "", editor.PAGES[1]),
        ("branch and stay", Op.EXCHANGE, "", editor.PAGES[0]),
    ],
)
def test_what_the_owner_does_with_git_in_the_middle_of_a_run_takes_nothing_back(
    home: Path, doing: str, op: Op, path: str, to: str
) -> None:
    with at_home(home) as root:
        user_git.make(root)
        ready = Snapshot.take(home)
        places = Places(root)
        at = max(places.of(op, path, to), places.of(Op.RENAME, to="DECIDED"))
        for is_killed in (False, True):
            ready.restore(home)
            assert user_git.attempt(root, user_git.Try(doing, at, is_killed)) == []


def test_recoveries_of_one_crash_come_to_the_same_bytes(home: Path) -> None:
    with at_home(home) as root:
        trial = twice.Trial(home, root, random.Random(1))
        trial.ready.restore(home)
        decided = Places(root).of(Op.RENAME, to="DECIDED")
        for at in (decided, decided + 1, trial.steps - 1):
            assert list(trial.cut_at(at, 3)) == []
    assert trial.done["recovery cut"] + trial.done["recovery cut twice"] == 9
    assert twice.difference({"a": b"1"}, {"a": b"2", "b": b""}) == "a, b"


def test_a_state_of_no_commit_and_one_that_is_older_than_another_are_noticed() -> None:
    assert readers.faults(["a", "a", "b", "c"], ["a", "b", "c"]) == []
    assert readers.faults(["a", "x", "c"], ["a", "b", "c"]) == ["look 1: a state of no commit"]
    assert readers.faults(["b", "a", "c"], ["a", "b", "c"]) == ["look 1: an older state"]
    assert readers.faults(["a", "b"], ["a", "b", "c"]) == ["the last look did not see the last state"]
