"""A repair that is cut short at any step is simply done again, and ends in the same; nothing is gone on the way."""

import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.broken import CASES, Good, make
from tests.store.scratch import scratch
from xysq.jobs.opened import Opened
from xysq.jobs.repair import repair
from xysq.model.source import Channel
from xysq.store.files import Files
from xysq.store.git import Repository
from xysq.store.step import Step
from xysq.vault import place

EVERY = 8


class Cut(Exception):
    """The machine stopped here."""


def cut_at(number: int) -> Callable[[Step], None]:
    steps = iter(range(number))

    def watch(_: Step) -> None:
        if next(steps, None) is None:
            raise Cut

    return watch


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    with scratch() as path:
        monkeypatch.setenv("XDG_CACHE_HOME", str(path / "cache"))
        make(path / "good")
        yield path


def watched(opened: Opened, number: int) -> Opened:
    watch = cut_at(number)
    return replace(opened, files=Files(opened.root, watch), repository=Repository(opened.root, watch=watch))


@pytest.mark.parametrize("name", ["log is a FIFO", "page committed away"])
def test_a_repair_that_is_cut_anywhere_is_done_again(name: str, folder: Path) -> None:
    number, cuts = 0, 0
    while True:
        root = folder / "vault"
        shutil.rmtree(root, ignore_errors=True)
        shutil.copytree(folder / "good", root)
        CASES[name].breaks(Good(root))
        opened = place.examined(root, 5.0, Channel.CLI)
        try:
            repair(watched(opened, number))
        except Cut:
            cuts += 1
        else:
            break
        done = repair(place.examined(root, 5.0, Channel.CLI))
        assert [one for one in done.left if not one.note] == []
        number += EVERY
    assert cuts > 1
