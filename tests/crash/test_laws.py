"""Laws of durability, read off the steps of a push and of a run, and off the syncs that the system was asked for."""

import errno
import os
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from tests.crash import user_git
from tests.crash.place import MEMORY, Snapshot, at_home
from tests.crash.stage import KNOWN, STAGED, applied, faults, staged_vault, watched
from xysq import Vault
from xysq.errors import Damaged, XysqError
from xysq.jobs.hold import hold
from xysq.jobs.push import PushOrder, push
from xysq.jobs.replay import decision_of, replay
from xysq.store import layout, wal
from xysq.store.disk_error import NotSynced
from xysq.store.step import Op, Step

KEPT = ("ledger/", "runs/", "pages/", "logs/")
GITS_OWN = ".git/xysq/index-"  # the child writes it anew, and syncs it


@dataclass
class Trace:
    """The steps, and the files and directories that were really synced, each at the step it was synced after."""

    root: Path
    steps: list[Step] = field(default_factory=list)
    synced: list[tuple[int, str]] = field(default_factory=list)

    def __call__(self, step: Step) -> None:
        self.steps.append(step)

    def fsync(self, descriptor: int) -> None:
        """Note what is synced; it is done too."""
        path = Path(f"/proc/self/fd/{descriptor}").readlink()
        self.synced.append((len(self.steps), os.path.relpath(path, self.root)))
        _FSYNC(descriptor)

    def first(self, op: Op, path: str = "", to: str = "") -> int:
        """Return the place of the first step of that kind."""
        return next(n for n, step in enumerate(self.steps) if step.op is op and path in step.path and to in step.to)


_FSYNC = os.fsync


@pytest.fixture
def home() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="xysq-", dir=MEMORY if MEMORY.is_dir() else None) as name:
        (Path(name) / "home").mkdir()
        yield Path(name) / "home"


@pytest.fixture(scope="module")
def trace(tmp_path_factory: pytest.TempPathFactory) -> Trace:
    """Return the trace of a push that lands and of the run of another that is applied after it."""
    with at_home(tmp_path_factory.mktemp("home")) as root, pytest.MonkeyPatch.context() as monkeypatch:
        staged_vault(root)
        traced = Trace(root)
        monkeypatch.setattr(os, "fsync", traced.fsync)
        push(watched(root, traced), PushOrder(data=STAGED, filename="more.txt", source="more"))
        traced.steps.append(Step(op=Op.SYNC, path="acknowledged"))
        applied(watched(root, traced))
    return traced


def folder(path: str) -> str:
    return path.rpartition("/")[0]


def unsure(steps: list[Step]) -> tuple[set[str], set[str]]:
    """Return the files with bytes, and the directories with names, that are not sure at the end of the steps."""
    files: set[str] = set()
    names: dict[str, set[str]] = {}
    for step in steps:
        match step.op:
            case Op.WRITE if not step.path.startswith(GITS_OWN):
                files.add(step.path)
            case Op.SYNC:
                files.discard(step.path)
            case Op.CREATE | Op.MKDIR:
                names.setdefault(folder(step.path), set()).add(step.path)
            case Op.RENAME | Op.LINK | Op.EXCHANGE:
                names.setdefault(folder(step.to), set()).add(step.to)
            case Op.UNLINK | Op.RMDIR:
                names.get(folder(step.path), set()).discard(step.path)
                files.discard(step.path)
            case Op.SYNC_DIR:
                names.pop(step.path, None)
            case _:
                pass
        if step.op is Op.RENAME:
            names.get(folder(step.path), set()).discard(step.path)
            files = {step.to if path == step.path else path for path in files}
    left = {name for some in names.values() for name in some}
    return files, {name for name in left if not name.endswith("lock")}


def test_what_is_acknowledged_is_sure_bytes_and_names(trace: Trace) -> None:
    landed = trace.first(Op.SYNC, "acknowledged")
    assert unsure(trace.steps[:landed]) == (set(), set())
    assert unsure(trace.steps) == (set(), set())
    assert len(trace.steps) > 100


def test_no_name_is_given_to_bytes_that_are_not_sure(trace: Trace) -> None:
    for place, step in enumerate(trace.steps):
        if step.op in (Op.RENAME, Op.LINK, Op.EXCHANGE):
            files, _ = unsure(trace.steps[:place])
            below = f"{step.path}/"
            assert not {path for path in files if path == step.path or path.startswith(below)}, step


def test_the_system_is_asked_for_every_sync_that_is_announced(trace: Trace) -> None:
    wanted = [step.path or "." for step in trace.steps if step.op in (Op.SYNC, Op.SYNC_DIR)]
    wanted.remove("acknowledged")
    assert sorted(path for _, path in trace.synced) == sorted(wanted)
    for place, path in trace.synced:
        before = trace.steps[max(place - 80, 0) : place]
        assert any(step.op in (Op.SYNC, Op.SYNC_DIR) and (step.path or ".") == path for step in before)


def test_a_run_touches_the_vault_only_once_it_is_decided_and_is_forgotten_only_once_it_is_sure(trace: Trace) -> None:
    decided = trace.first(Op.RENAME, to="DECIDED")
    retired = trace.first(Op.RENAME, path=layout.WAL, to="tmp-")
    landed = trace.first(Op.SYNC, "acknowledged")
    own = [n for n, step in enumerate(trace.steps) if n > landed and f"{step.path} {step.to}".startswith(KEPT)]
    assert trace.steps[decided + 1] == Step(op=Op.SYNC_DIR, path=folder(trace.steps[decided].to))
    assert decided + 1 < min(own) < max(own) < retired
    moved = max(n for n, step in enumerate(trace.steps) if step == Step(op=Op.SYNC_DIR, path=".git/refs/heads"))
    objects = [
        n for n, step in enumerate(trace.steps) if step.op is Op.SYNC_DIR and step.path.startswith(".git/objects")
    ]
    index = max(n for n, step in enumerate(trace.steps) if step.op is Op.RENAME and step.to == ".git/index")
    assert max(objects) < index < moved < retired
    assert unsure(trace.steps[:retired]) == (set(), set())
    assert max(own) < min(n for n in objects if n > decided)


def test_a_ledger_line_stands_before_the_page_that_shows_it(trace: Trace) -> None:
    ledger = trace.first(Op.RENAME, to="ledger/")
    assert ledger < trace.first(Op.EXCHANGE, to="pages/")
    assert trace.first(Op.RENAME, to="runs/") < trace.first(Op.EXCHANGE, to="pages/")


def test_a_push_names_its_meta_last_and_everything_before_it_is_sure(trace: Trace) -> None:
    meta = trace.first(Op.LINK, to=".meta.json")
    assert unsure(trace.steps[:meta])[0] == set()
    assert unsure(trace.steps[:meta])[1] <= {trace.steps[meta].path}
    others = [trace.first(Op.RENAME, to=layout.LANDED), trace.first(Op.LINK, to="v1.txt")]
    looked_up = trace.first(Op.RENAME, to=layout.SOURCES)
    assert others[1] < looked_up < others[0] < meta


def test_a_sync_that_fails_once_is_never_asked_for_again_and_nothing_is_acknowledged(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    failed = 0
    with at_home(home) as root:
        staged_vault(root)
        ready = Snapshot.take(home)
        for number in range(0, 60, 9):
            ready.restore(home)
            asked: list[tuple[int, int]] = []

            def fail(descriptor: int, asked: list[tuple[int, int]] = asked, number: int = number) -> None:
                status = os.fstat(descriptor)
                asked.append((status.st_ino, status.st_mtime_ns))
                if len(asked) == number + 1:
                    raise OSError(errno.EIO, "injected")
                _FSYNC(descriptor)

            monkeypatch.setattr(os, "fsync", fail)
            is_told = False
            with suppress(XysqError):
                is_told = bool(applied(watched(root)))
            monkeypatch.undo()
            if len(asked) <= number:
                break
            inode = asked[number][0]
            is_folder = any(path.stat().st_ino == inode for path in (root, *root.rglob("*")) if path.is_dir())
            again = [one for one in asked[number + 1 :] if one == asked[number]]
            assert is_folder or not again, number
            failed += not is_told
            with Vault.open(root) as vault:
                vault.recover()
                vault.apply()
                assert {"Maya likes jazz.", "Nora lives in Lima."} <= {fact.text for fact in vault.facts(is_open=True)}
            assert not faults(root), number
    assert failed > 3


def test_a_push_whose_sync_fails_is_not_acknowledged(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with at_home(home) as root:
        Vault.init(root, me="Maya").close()
        count = 0
        while True:
            asked = 0

            def fail(descriptor: int, at: int = count) -> None:
                nonlocal asked
                asked += 1
                if asked == at + 1:
                    raise OSError(errno.EIO, "injected")
                _FSYNC(descriptor)

            monkeypatch.setattr(os, "fsync", fail)
            order = PushOrder(data=KNOWN + b"%d" % count, filename="a.txt", source=f"a{count}")
            if count >= 6 and asked:
                break
            try:
                push(watched(root), order)
            except NotSynced:
                assert asked == count + 1
            else:
                assert asked <= count
                break
            finally:
                monkeypatch.undo()
            count += 1
        assert count > 8


def test_the_marker_of_a_push_stays_until_the_push_is_committed(home: Path) -> None:
    with at_home(home) as root:
        Vault.init(root, me="Maya").close()
        push(watched(root), PushOrder(data=STAGED, filename="more.txt", source="more"))
        steps: list[Step] = []
        with hold(watched(root, steps.append)):
            pass
    gone = [n for n, step in enumerate(steps) if step.op is Op.UNLINK and step.path.startswith(layout.LANDED)]
    moved = [n for n, step in enumerate(steps) if step == Step(op=Op.SYNC_DIR, path=".git/refs/heads")]
    assert max(moved) < min(gone)


def test_a_run_that_is_not_the_one_decided_is_not_replayed(home: Path) -> None:
    with at_home(home) as root:
        staged_vault(root)
        opened = watched(root)
        with hold(opened) as held:
            (run,) = wal.list_runs(opened.files)
            staged = wal.load(opened.files, run)
            decision = decision_of(opened, staged, opened.tip())
            before = Snapshot.take(root)
            with pytest.raises(Damaged, match="not those that were decided"):
                replay(opened, held.lock, staged, replace(decision, commit="0" * 40))
            assert Snapshot.take(root) == before


def test_what_the_owner_stashes_while_the_branch_moves_is_written_again(home: Path) -> None:
    with at_home(home) as root:
        staged_vault(root)
        done: list[str] = []

        def stash(step: Step) -> None:
            if step == Step(op=Op.SYNC_DIR, path=".git/refs/heads") and not done:
                done.append(user_git.own_git(root, "stash"))

        applied(watched(root, stash))
        assert done
        assert not faults(root)
        assert "Nora lives in Lima." in user_git.values(root)
        assert user_git.own_git(root, "status --porcelain") == ""


def test_what_git_s_index_was_not_told_while_it_was_locked_is_told_by_the_next_command(home: Path) -> None:
    with at_home(home) as root:
        staged_vault(root)
        (root / ".git/index.lock").write_bytes(b"theirs")
        applied(watched(root))
        (root / ".git/index.lock").unlink()
        assert user_git.own_git(root, "diff --cached --name-only HEAD")
        with hold(watched(root)):
            pass
        assert user_git.own_git(root, "diff --cached --name-only HEAD") == ""
