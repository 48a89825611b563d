"""Packing git's objects is the last step of a command that writes; no query and no hook waits for it."""

from pathlib import Path

import pytest

from xysq.drafters import choose
from xysq.jobs.distill import DistillOrder, distill
from xysq.jobs.fsck import fsck
from xysq.jobs.hold import hold
from xysq.jobs.opened import Opened
from xysq.jobs.push import PushOrder, push
from xysq.jobs.readable import readable
from xysq.store import git_housekeeping

TALK = b"Maya: I live in Berlin.\n\nTom: I moved to Lisbon.\n\nMaya: I like tea.\n\n"


@pytest.fixture(autouse=True)
def _is_due(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(git_housekeeping, "DUE_IN_SAMPLE", 0)


def loose(opened: Opened) -> int:
    return len(list((opened.root / ".git/objects").glob("??/*")))


def keep(opened: Opened) -> None:
    push(opened, PushOrder(data=TALK, filename="one.txt", origin="/home/maya/one.txt"))


def test_a_query_and_a_push_that_lands_leave_it_to_others(opened: Opened) -> None:
    keep(opened)
    before = loose(opened)
    readable(opened)
    assert loose(opened) > before > 0


def test_a_run_is_followed_by_it_and_the_vault_is_as_promised(opened: Opened) -> None:
    keep(opened)
    list(distill(opened, DistillOrder(drafter=choose("rules", {}))))
    assert loose(opened) == 0
    assert fsck(opened) == ()
    with readable(opened).reading() as snapshot:
        assert snapshot.lists.totals().open_facts == 3


def test_where_it_fails_the_command_is_done_all_the_same_and_says_so(opened: Opened) -> None:
    pack = opened.root / ".git/objects/pack"
    pack.rmdir() if pack.exists() else None
    Path(pack).write_bytes(b"no directory")
    with hold(opened):
        pass
    assert any("could not be packed" in notice for notice in opened.notices)
