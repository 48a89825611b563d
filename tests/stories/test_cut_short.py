"""Corrections and reverts that are cut short: what they bring, close and state again is all there, or nothing is."""

from contextlib import suppress

from tests.jobs.test_promises_kept import Cut, Watch, watched
from tests.stories.told import Tale
from xysq.jobs.correct_source import correct_source
from xysq.jobs.hold import hold
from xysq.jobs.readable import readable
from xysq.jobs.replacing import replacing
from xysq.jobs.revert import revert_source
from xysq.jobs.show import raw
from xysq.model.source import Version
from xysq.store import logs, wal

POISON = "Maya: I moved to Rome. I like beer.\n\nTom: I like jazz.\n\nMaya: I see.\n\nZoe: I live in Ghent.\n"
TALK = "Maya: I work at Acme0. I live in Berlin.\n\nTom: I moved to Lisbon.\n"


def cut_at(tale: Tale, version: Version, number: int, at: int) -> bool:
    """Correct one more word of a source, ended before step `at`; tell whether it was."""
    watch = Watch(at)
    old, new = f"Acme{number}", f"Acme{number + 1}"
    with suppress(Cut):
        correct_source(watched(tale.opened, watch), version.source, replacing(old, new))
        return False
    return True


def newest(tale: Tale, version: Version) -> int:
    return logs.versions(tale.opened.files, version.source)[-1].version


def test_a_correction_cut_at_any_step_is_wholly_there_or_wholly_absent(tale: Tale) -> None:
    first = tale.said(TALK)
    number, outcomes = 0, set()
    for at in range(0, 200, 9):
        tale.clock.tick(60)
        before, versions = tale.open(), newest(tale, first)
        fact = f"Maya works at Acme{number}."
        assert fact in before
        if not cut_at(tale, first, number, at):
            number += 1
            break
        with hold(tale.opened):
            pass
        is_there = newest(tale, first) > versions
        outcomes.add(is_there)
        assert tale.open() == (before - {fact} if is_there else before)
        if is_there:
            assert (
                raw(tale.opened, str(Version(first.source, versions + 1)), None)
                == TALK.replace("Acme0", f"Acme{number + 1}").encode()
            )
            number += 1
            tale.distilled()
        assert tale.is_sound()
        assert wal.list_runs(tale.opened.files) == ()
    assert outcomes == {True, False}
    tale.corrected(first, f"Acme{number}", "Apex")
    assert not any("Acme" in text for text in tale.open())


def test_a_push_that_meets_an_interrupted_correction_comes_behind_it(tale: Tale) -> None:
    first = tale.said(TALK)
    assert any(_is_decided(tale, first, number, at) for number, at in enumerate(range(40, 140, 2)))
    tale.clock.tick(60)
    grown = tale.pushed(TALK + "\nTom: I like jazz.\n")
    assert grown.number > 2
    data = raw(tale.opened, str(grown), None)
    assert data.startswith(raw(tale.opened, str(Version(first.source, grown.number - 1)), None))
    assert data.endswith(b"\nTom: I like jazz.\n")
    assert tale.is_sound()


def _is_decided(tale: Tale, version: Version, number: int, at: int) -> bool:
    """Cut a correction at a step; tell whether it was decided, and its version not in its place yet."""
    number = newest(tale, version) - 1
    before = newest(tale, version)
    if not cut_at(tale, version, number, at):
        return False
    decided = any(wal.is_decided(tale.opened.files, run) for run in wal.list_runs(tale.opened.files))
    return decided and newest(tale, version) == before


def test_a_revert_cut_at_any_step_is_wholly_there_or_wholly_absent(tale: Tale) -> None:
    tale.said(TALK)
    good = tale.open()
    poison = tale.said(POISON, "poison.txt")
    poisoned, outcomes = tale.open(), set()
    for at in range(4, 200, 19):
        tale.clock.tick(60)
        watch = Watch(at)
        with suppress(Cut):
            revert_source(watched(tale.opened, watch), poison.source)
            break
        with hold(tale.opened):
            pass
        is_there = tale.open() == good
        assert is_there or tale.open() == poisoned
        assert (tale.opened.root / "pages/zo/zoe.md").exists() is not is_there
        assert tale.is_sound()
        assert wal.list_runs(tale.opened.files) == ()
        outcomes.add(is_there)
        if is_there:
            with readable(tale.opened).reading() as snapshot:
                (last, *_) = snapshot.lists.runs()
            tale.reverted(last.run)
            assert tale.open() == poisoned
    assert tale.open() == good
    assert outcomes == {True, False}
