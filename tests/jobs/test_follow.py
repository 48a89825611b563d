"""The read model follows the vault, also where the vault was put back to an earlier state."""

import shutil
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from xysq.jobs.follow import rebuild
from xysq.jobs.opened import Opened
from xysq.jobs.push import PushOrder, push
from xysq.jobs.readable import readable
from xysq.search.find import find


def _pushed(opened: Opened, words: str) -> None:
    push(opened, PushOrder(data=f"{words}\n".encode(), filename="note.txt", source=words.split(maxsplit=1)[0]))


def _found(opened: Opened, words: str) -> int:
    with readable(opened).reading() as snapshot:
        return len(find(snapshot.index, words))


def test_a_vault_put_back_from_a_backup_is_read_as_it_is_now(opened: Opened, tmp_path: Path) -> None:
    _pushed(opened, "heron stands in the reeds")
    assert _found(opened, "heron") == 1
    shutil.copytree(opened.root, tmp_path / "backup")
    _pushed(opened, "otter swims under the bridge")
    assert _found(opened, "otter") == 1
    shutil.rmtree(opened.root)
    shutil.move(tmp_path / "backup", opened.root)
    assert _found(opened, "heron") == 1
    assert _found(opened, "otter") == 0


def test_a_vault_that_went_on_elsewhere_is_caught_up_with(opened: Opened, tmp_path: Path) -> None:
    _pushed(opened, "heron stands in the reeds")
    assert _found(opened, "heron") == 1
    shutil.copytree(opened.cache, tmp_path / "older")
    _pushed(opened, "otter swims under the bridge")
    assert _found(opened, "otter") == 1
    shutil.rmtree(opened.cache)
    shutil.move(tmp_path / "older", opened.cache)
    assert _found(opened, "otter") == 1
    assert _found(opened, "heron") == 1


def test_a_rebuild_interrupted_at_any_step_does_no_harm(opened: Opened) -> None:
    _pushed(opened, "heron stands in the reeds")
    _pushed(opened, "otter swims under the bridge")
    assert _found(opened, "otter") == 1
    told: list[tuple[int, int]] = []
    rebuild(opened, lambda done, total: told.append((done, total))).close()
    assert [done for done, _ in told] == [1, 2, told[-1][1]]
    for stop in range(1, len(told) + 1):
        with pytest.raises(KeyboardInterrupt):
            rebuild(opened, partial(_go_on, iter(range(1, stop))))
        assert _found(opened, "heron") == _found(opened, "otter") == 1
    assert len(list(opened.cache.glob("*.sqlite"))) == 1


def _go_on(steps: Iterator[int], _: int, __: int) -> None:
    if next(steps, None) is None:
        raise KeyboardInterrupt
