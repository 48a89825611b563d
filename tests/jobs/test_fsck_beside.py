"""Proving a vault at which somebody writes all the time: nothing is told that is not so."""

import fcntl
import os
from collections.abc import Iterator
from dataclasses import replace
from itertools import count

import pytest

from xysq.jobs import fsck as fsck_module
from xysq.jobs.fsck import Depth, fsck, looked_at
from xysq.jobs.opened import Opened
from xysq.jobs.proof.view import View
from xysq.model.report import Finding
from xysq.store import layout
from xysq.store.medium import holder_of

HALF_DONE = Finding(file="pages/ma/maya.md", line="1", code="page", sentence="is half done")


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> list[int | None]:
    """Let the vault never stand still; return who held the lock at each look."""
    holders: list[int | None] = []
    moments = count()

    def proven(view: View, depth: Depth) -> Iterator[Finding]:
        holders.append(holder_of(view.opened.root / layout.LOCK))
        if holders[-1] is None:
            yield HALF_DONE

    monkeypatch.setattr(fsck_module, "_proven", proven)
    monkeypatch.setattr(fsck_module, "_moment", lambda _: (next(moments),))
    return holders


def test_a_vault_that_never_stands_still_is_proven_under_the_lock(opened: Opened, looks: list[int | None]) -> None:
    assert fsck(opened) == ()
    assert looks == [None, None, None, os.getpid()]


def test_who_only_looks_waits_for_nobody(opened: Opened, looks: list[int | None]) -> None:
    assert looked_at(opened, Depth.FAST) == (HALF_DONE,)
    assert looks == [None, None, None]


def test_where_the_lock_is_not_to_be_had_what_was_seen_is_told(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    moments = count()
    monkeypatch.setattr(fsck_module, "_proven", lambda *_: iter((HALF_DONE,)))
    monkeypatch.setattr(fsck_module, "_moment", lambda _: (next(moments),))
    with (opened.root / layout.LOCK).open("wb") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        assert fsck(replace(opened, timeout_s=0.0)) == (HALF_DONE,)
