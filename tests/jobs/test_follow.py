"""The read model follows the vault, also where the vault was put back to an earlier state."""

import shutil
import sqlite3
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from xysq.drafters import choose
from xysq.jobs.distill import DistillOrder, distill
from xysq.jobs.follow import rebuild
from xysq.jobs.opened import Opened
from xysq.jobs.push import PushOrder, push
from xysq.jobs.readable import readable
from xysq.search.find import find
from xysq.store.readmodel import FactFilter, Stamp


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


@pytest.mark.parametrize("change", ["UPDATE stamp SET ready = 1", "DELETE FROM pages", "DELETE FROM facts"])
def test_a_read_model_that_is_not_what_its_stamp_says_is_made_anew(opened: Opened, change: str) -> None:
    def stamp() -> Stamp:
        with readable(opened).reading() as snapshot:
            return snapshot.stamp()

    def facts() -> list[str]:
        with readable(opened).reading() as snapshot:
            return [fact.text for fact in snapshot.lists.facts(FactFilter())]

    before = stamp()
    push(opened, PushOrder(data=b"Maya: I live in Berlin.\n\nTom: I like tea.\n", filename="talk.txt"))
    list(distill(opened, DistillOrder(drafter=choose("rules", {}))))
    known = facts()
    assert len(known) == 2
    (file,) = opened.cache.glob("*.sqlite")
    with sqlite3.connect(file) as connection:
        connection.execute(change)
        put_back = (before.commit, before.head.n, before.head.hash)
        connection.execute('UPDATE stamp SET "commit" = ?, n = ?, hash = ?', put_back)
    connection.close()
    assert facts() == known
    assert stamp().commit == opened.tip()
