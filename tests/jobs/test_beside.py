"""What other processes do in the very moment: versions land while the read model is made, a note is taken by a run."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from tests.jobs.scripted import Scripted, facts
from xysq.drafters import choose
from xysq.jobs import apply as apply_module
from xysq.jobs import distill as distill_module
from xysq.jobs.distill import DistillOrder, distill
from xysq.jobs.follow import rebuild
from xysq.jobs.fsck import fsck
from xysq.jobs.hold import hold
from xysq.jobs.noting import distill_noted
from xysq.jobs.opened import Opened
from xysq.jobs.push import PushOrder, push
from xysq.jobs.readable import readable
from xysq.model.fact import RunId
from xysq.model.source import Role, SourceId, Version
from xysq.store import layout, queue, wal
from xysq.store.files import Files

RULES = choose("rules", {})


class Died(BaseException):
    """The process ends here."""


def grown(opened: Opened, turns: int) -> Version:
    data = b"".join(b"Tom: turn %d.\n\n" % turn for turn in range(turns))
    return push(opened, PushOrder(data=data, filename="talk.txt", source="talk")).version


def newest(opened: Opened, source: SourceId) -> int:
    with readable(opened).reading() as snapshot:
        return snapshot.logs.newest(source)


class Beside(Files):
    """Files beside which something is done as soon as the markers of landings are looked at."""

    def __init__(self, files: Files, then: Callable[[], object]) -> None:
        super().__init__(files.root)
        self._then = [then]

    def exists(self, path: str) -> bool:
        found = super().exists(path)
        if path.startswith(layout.LANDED) and self._then:
            self._then.pop()()
        return found

    def list_dir(self, path: str) -> tuple[str, ...]:
        found = super().list_dir(path)
        if path == layout.LANDED and self._then:
            self._then.pop()()
        return found


def test_versions_that_land_while_the_read_model_is_made_wait_for_their_turn(opened: Opened) -> None:
    first = grown(opened, 1)
    assert newest(opened, first.source) == 1
    grown(opened, 2)
    beside = replace(opened, files=Beside(opened.files, lambda: grown(opened, 3)))
    with hold(opened, settles=False):
        rebuild(beside).close()
    assert newest(opened, first.source) == 3
    assert [finding for finding in fsck(opened) if not finding.note] == []


def test_a_marker_that_came_back_takes_no_version_out_of_a_read_model_that_is_made_anew(opened: Opened) -> None:
    first = grown(opened, 1)
    grown(opened, 2)
    assert newest(opened, first.source) == 2
    queue.mark(opened.files, first)  # as a power loss leaves it: its removal is not synced
    with hold(opened, settles=False):
        rebuild(opened).close()
    assert newest(opened, first.source) == 2


# Notes


def noted(opened: Opened, words: bytes) -> SourceId:
    order = PushOrder(data=words, filename="note.txt", said_as=(Role.USER, "Maya"), format="text")
    return push(opened, order).source


@pytest.fixture
def taken(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> SourceId:
    """Return a note that another process took into a run together with a talk, and died before it applied that."""
    push(opened, PushOrder(data=b"Tom: I moved to Lisbon.\n\nMaya: I like jazz.\n\n", filename="talk.txt"))
    source = noted(opened, b"I like tea.\n")

    def die(*_: object) -> None:
        raise Died

    with monkeypatch.context() as patch:
        patch.setattr(distill_module, "apply", die)
        with pytest.raises(Died):
            list(distill(opened, DistillOrder(drafter=RULES)))
    assert len(wal.list_runs(opened.files)) == 1
    return source


def test_a_note_that_another_run_took_is_told_from_that_run_and_nothing_else_is(
    opened: Opened, taken: SourceId
) -> None:
    (report,) = distill_noted(opened, taken, RULES)
    assert [told.text for told in report.asserted] == ["Maya likes tea."]
    assert {row.source for row in report.rows} == {taken}
    assert report.commit == opened.tip()


def test_a_note_that_is_taken_in_the_very_moment_is_waited_for(
    opened: Opened, taken: SourceId, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[Opened] = []

    def seen_late(opened: Opened) -> tuple[RunId, ...]:
        looks.append(opened)
        return apply_module.left_behind(opened) if len(looks) > 1 else ()

    monkeypatch.setattr(distill_module, "left_behind", seen_late)
    (report,) = distill_noted(opened, taken, RULES)
    assert [told.text for told in report.asserted] == ["Maya likes tea."]


def test_a_note_of_which_a_person_is_to_apply_the_run_is_not_waited_for(opened: Opened) -> None:
    source = noted(opened, b"I like tea.\n")
    list(distill(opened, DistillOrder(drafter=RULES, stage=True)))
    assert distill_noted(opened, source, RULES) == ()
    assert len(wal.list_runs(opened.files)) == 1


def test_a_refused_note_is_told_with_what_refused_it(opened: Opened) -> None:
    source = noted(opened, b"I like tea.\n")
    (report,) = distill_noted(opened, source, Scripted(lambda _: b"no draft"))
    assert [refusal.gate for refusal in report.refusals] == ["bad-draft"]
    (again,) = distill_noted(opened, source, Scripted(facts()))
    assert (again.outcome, again.asserted) == ("applied", ())


def test_a_run_that_is_finished_between_two_looks_is_neither_read_nor_a_fault(
    opened: Opened, taken: SourceId, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = wal.list_runs(opened.files)
    distill_noted(opened, taken, RULES)
    monkeypatch.setattr(wal, "list_runs", lambda _: runs)
    assert list(wal.load_readable(opened.files)) == []
    assert wal.faults(opened.files) == ()
