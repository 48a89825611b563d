"""The write-ahead log: a run is staged whole, decided in one moment, and gone only when it is done."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import pytest

from tests.builders import AT, RUN, Story, prose_changed
from xysq.canonical import canonical_json
from xysq.errors import Damaged, NotFound
from xysq.model.event import RunKind
from xysq.model.fact import RunId, Slug
from xysq.model.plan import Plan
from xysq.model.run import Decision, Drafting, FileChange, Record, Refusal
from xysq.model.staging import StagedRun
from xysq.store import layout, wal
from xysq.store.disk_error import AlreadyThere
from xysq.store.files import Files
from xysq.store.step import Op, Step
from xysq.store.wal import StagedFiles

PAGE, GONE, SEGMENT = "pages/al/alice.md", "pages/bo/bob.md", "ledger/000/000001.jsonl"
AFTER = {PAGE: b"# Alice\n", SEGMENT: b"line\n", GONE: None}
REFUSAL = Refusal(gate="one-value", page="alice", anchor="f-1", sentence="two open values")


class Cut(Exception):
    """The process ends here."""


def staged_files(
    run: RunId = RUN, draft: bytes = b"{}", after: Mapping[str, bytes | None] = MappingProxyType(AFTER)
) -> StagedFiles:
    record = Record(
        run=run,
        kind=RunKind.DISTILL,
        at=AT,
        rows=(),
        drafting=Drafting(drafter="rules", parameters={}),
        reply="{}",
        drops=(),
    )
    staged = StagedRun(
        base=Story().fold.head(),
        record=record,
        plan=Plan(edits=(), events=(prose_changed(),)),
        salts=("00", "01"),
        pages=(Slug("alice"), Slug("bob")),
        gone=tuple(path for path, data in after.items() if data is None),
    )
    return StagedFiles(draft=draft, run=staged, after=after)


def decision(run: RunId = RUN) -> Decision:
    return Decision(
        run=run, parent="a" * 40, commit="b" * 40, files=(FileChange(path=PAGE, before="", after="c" * 64),)
    )


def run_number(number: int) -> RunId:
    return RunId(f"r-20261130T18{number // 60:02d}{number % 60:02d}Z-ab12")


def cut_at(root: Path, number: int) -> Files:
    passed = iter(range(number))

    def watch(_step: Step) -> None:
        if next(passed, None) is None:
            raise Cut

    return Files(root, watch)


@pytest.fixture
def files(quick_path: Path) -> Files:
    return Files(quick_path)


def test_a_staged_run_is_read_back_as_it_was(files: Files) -> None:
    assert wal.list_runs(files) == ()
    wal.stage(files, staged_files())
    assert wal.list_runs(files) == (RUN,)
    assert wal.load(files, RUN) == staged_files()
    assert not wal.is_decided(files, RUN)
    assert wal.read_decision(files, RUN) is None
    assert wal.faults(files) == ()


def test_a_run_is_staged_once(files: Files) -> None:
    wal.stage(files, staged_files())
    with pytest.raises(AlreadyThere):
        wal.stage(files, staged_files(draft=b"[]"))
    assert wal.load(files, RUN).draft == b"{}"


def test_a_run_that_is_not_staged_is_not_found(files: Files) -> None:
    with pytest.raises(NotFound):
        wal.load(files, RUN)


def test_cut_anywhere_a_run_is_staged_whole_or_not_at_all(quick_path: Path) -> None:
    (quick_path / "whole").mkdir()
    steps: list[Step] = []
    wal.stage(Files(quick_path / "whole", steps.append), staged_files())
    for number in range(len(steps)):
        root = quick_path / str(number)
        root.mkdir()
        with pytest.raises(Cut):
            wal.stage(cut_at(root, number), staged_files())
        files = Files(root)
        wal.sweep_temps(files)
        assert files.list_dir(layout.WAL) in ((), (RUN,))
        if wal.list_runs(files):
            assert wal.load(files, RUN) == staged_files()
        else:
            wal.stage(files, staged_files())


def test_everything_staged_is_synced_before_it_has_its_name(quick_path: Path) -> None:
    steps: list[Step] = []
    wal.stage(Files(quick_path, steps.append), staged_files())
    temp = f"{layout.WAL}/tmp-{RUN}"  # noqa: S108 - a name in the log
    renamed = steps.index(Step(op=Op.RENAME, path=temp, to=layout.wal_dir(RUN)))
    synced = {step.path for step in steps[:renamed] if step.op is Op.SYNC}
    assert synced == {step.path for step in steps if step.op is Op.CREATE}
    assert {step.path for step in steps[:renamed] if step.op is Op.SYNC_DIR} >= {temp, f"{temp}/after"}
    assert steps[renamed + 1] == Step(op=Op.SYNC_DIR, path=layout.WAL)


def test_a_run_being_staged_is_not_swept(files: Files) -> None:
    swept: list[int] = []

    def watch(step: Step) -> None:
        if step.op is Op.SYNC:
            swept.append(wal.sweep_temps(files))

    wal.stage(Files(files.root, watch), staged_files())
    assert swept
    assert set(swept) == {0}
    assert wal.load(files, RUN) == staged_files()


def test_a_leftover_of_the_same_run_is_no_hindrance(quick_path: Path) -> None:
    with pytest.raises(Cut):
        wal.stage(cut_at(quick_path, 12), staged_files())
    assert (quick_path / layout.WAL / f"tmp-{RUN}").is_dir()
    wal.stage(Files(quick_path), staged_files())
    assert wal.load(Files(quick_path), RUN) == staged_files()


def test_a_decision_is_read_back_and_can_be_changed(files: Files) -> None:
    wal.stage(files, staged_files())
    wal.decide(files, RUN, decision())
    assert wal.is_decided(files, RUN)
    assert wal.read_decision(files, RUN) == decision()
    moved = replace(decision(), parent="d" * 40)
    wal.decide(files, RUN, moved)
    assert wal.read_decision(files, RUN) == moved


def test_cut_anywhere_a_run_is_decided_or_not(quick_path: Path) -> None:
    for number in range(5):
        root = quick_path / str(number)
        root.mkdir()
        wal.stage(Files(root), staged_files())
        with pytest.raises(Cut):
            wal.decide(cut_at(root, number), RUN, decision())
        files = Files(root)
        assert wal.read_decision(files, RUN) in (None, decision())
        wal.sweep_temps(files)
        assert wal.load(files, RUN) == staged_files()
        assert set(files.list_dir(layout.wal_dir(RUN))) <= {"DECIDED", "SUMS", "after", "draft.json", "run.json"}


def test_every_altered_byte_of_a_decision_is_damage_and_the_run_is_kept_aside(files: Files) -> None:
    wal.stage(files, staged_files())
    wal.decide(files, RUN, decision())
    path = f"{layout.wal_dir(RUN)}/DECIDED"
    good = files.read(path)
    for bad in (
        *(good[:place] + bytes([good[place] ^ 1]) + good[place + 1 :] for place in range(len(good))),
        *(good[:size] for size in range(len(good))),
        good + b"\n",
        b"\0" * len(good),
    ):
        files.replace(path, bad)
        assert wal.is_decided(files, RUN)
        with pytest.raises(Damaged, match="DECIDED"):
            wal.read_decision(files, RUN)
    assert [fault.path for fault in wal.faults(files)] == [path]
    kept = wal.set_aside(files, RUN)
    assert wal.list_runs(files) == ()
    assert files.exists(f"{kept}/run.json")


def test_a_decision_of_another_run_is_damage(files: Files) -> None:
    wal.stage(files, staged_files())
    wal.decide(files, RUN, decision(run_number(1)))
    with pytest.raises(Damaged, match="is the decision of"):
        wal.read_decision(files, RUN)


def test_a_staged_run_is_discarded_but_a_decided_one_is_not(files: Files) -> None:
    wal.stage(files, staged_files())
    wal.discard(files, RUN)
    assert files.list_dir(layout.WAL) == ()
    wal.stage(files, staged_files())
    wal.decide(files, RUN, decision())
    with pytest.raises(ValueError, match="is decided"):
        wal.discard(files, RUN)
    with pytest.raises(ValueError, match="is decided"):
        wal.refuse(files, RUN, (REFUSAL,))
    assert wal.read_decision(files, RUN) == decision()


def test_cut_anywhere_a_retired_run_is_still_decided_or_gone(quick_path: Path) -> None:
    total = 20
    for number in range(total):
        root = quick_path / str(number)
        root.mkdir()
        files = Files(root)
        wal.stage(files, staged_files())
        wal.decide(files, RUN, decision())
        try:
            wal.retire(cut_at(root, number), RUN)
        except Cut:
            pass
        else:
            assert number > 5
        if wal.list_runs(files):
            assert wal.read_decision(files, RUN) == decision()
            assert wal.load(files, RUN) == staged_files()
            wal.retire(files, RUN)
        wal.sweep_temps(files)
        assert files.list_dir(layout.WAL) == ()


def test_a_refused_run_is_kept_with_its_reasons(files: Files) -> None:
    wal.stage(files, staged_files())
    wal.refuse(files, RUN, (REFUSAL,))
    assert wal.list_runs(files) == ()
    assert wal.list_refused(files) == (RUN,)
    assert wal.load_refused(files, RUN) == (staged_files(), (REFUSAL,))


def test_the_newest_fifty_refused_runs_are_kept(files: Files) -> None:
    for number in range(53):
        wal.stage(files, staged_files(run_number(number)))
        wal.refuse(files, run_number(number), ())
    assert wal.list_refused(files) == tuple(run_number(number) for number in range(3, 53))


def test_a_run_refused_twice_is_kept_as_it_was_last(files: Files) -> None:
    for refusals in ((), (REFUSAL,)):
        wal.stage(files, staged_files())
        wal.refuse(files, RUN, refusals)
    assert wal.load_refused(files, RUN)[1] == (REFUSAL,)


@pytest.mark.parametrize("name", ["draft.json", "run.json"])
def test_a_missing_file_is_damage(files: Files, name: str) -> None:
    wal.stage(files, staged_files())
    files.remove(f"{layout.wal_dir(RUN)}/{name}")
    with pytest.raises(Damaged, match=f"{name}:0: the file is missing"):
        wal.load(files, RUN)
    assert len(wal.faults(files)) == 1


@pytest.mark.parametrize("data", [b"", b"{}", b"[]", b"{" * 500, b"\0" * 50])
def test_a_run_file_that_says_something_else_is_damage(files: Files, data: bytes) -> None:
    wal.stage(files, staged_files())
    files.replace(f"{layout.wal_dir(RUN)}/run.json", data)
    with pytest.raises(Damaged, match=r"run\.json"):
        wal.load(files, RUN)


def test_a_run_file_of_another_run_is_damage(files: Files) -> None:
    wal.stage(files, staged_files())
    other = canonical_json(staged_files(run_number(1)).run.to_wire())
    files.replace(f"{layout.wal_dir(RUN)}/run.json", other)
    with pytest.raises(Damaged, match="is r-"):
        wal.load(files, RUN)


@pytest.mark.parametrize("name", [".git+config", "xysq.yaml", "pages+xx+alice.md", "a.md", ".git+xysq+lock", "logs+x"])
def test_a_file_that_no_run_may_leave_is_damage(files: Files, name: str) -> None:
    wal.stage(files, staged_files())
    files.replace(f"{layout.wal_dir(RUN)}/after/{name}", b"x")
    with pytest.raises(Damaged, match="no run may change"):
        wal.load(files, RUN)


@pytest.mark.parametrize("path", [".git/config", "xysq.yaml", "../x", "pages/al/alice.md/x", "pages/a+/a+b.md"])
def test_a_file_that_no_run_may_leave_is_not_staged(files: Files, path: str) -> None:
    with pytest.raises(ValueError, match="no file that a run leaves"):
        wal.stage(files, staged_files(after={path: b"x"}))
    assert wal.list_runs(files) == ()


def test_a_file_that_no_run_may_remove_is_damage(files: Files) -> None:
    wal.stage(files, staged_files())
    path = f"{layout.wal_dir(RUN)}/run.json"
    files.replace(path, files.read(path).replace(GONE.encode(), b".git/config"))
    with pytest.raises(Damaged, match="no run may change"):
        wal.load(files, RUN)


def test_new_log_versions_may_be_left_by_a_run(files: Files) -> None:
    after = {"logs/2026/11/30/k3/k3f9x2/v2.txt": b"corrected", "runs/2026/11/30/" + RUN + ".json": b"{}\n"}
    wal.stage(files, staged_files(after=after))
    assert wal.load(files, RUN).after == after


def test_strangers_in_the_log_are_told_of(files: Files) -> None:
    wal.stage(files, staged_files())
    files.make_dirs(f"{layout.WAL}/what")
    assert wal.list_runs(files) == (RUN,)
    assert [fault.path for fault in wal.faults(files)] == [f"{layout.WAL}/what"]


def test_many_files_are_staged(files: Files) -> None:
    after = {f"pages/p{number % 7}/p{number % 7}-{number}.md": f"{number}".encode() for number in range(40)}
    wal.stage(files, staged_files(after=after))
    assert wal.load(files, RUN).after == after
