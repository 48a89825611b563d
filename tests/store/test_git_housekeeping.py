"""Objects are packed, none is lost: not one that nothing reaches, not when the work is cut short anywhere."""

import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.store.git_vault import AT
from xysq.store import git_housekeeping
from xysq.store.git import Repository
from xysq.store.git_history import commits
from xysq.store.git_object import git_object
from xysq.store.git_seal import GRAPHS, PACKS
from xysq.store.step import Step

NOW = 2_000_000_000.0


class Cut(Exception):
    """The machine stopped here."""


def filled(root: Path, count: int = 6) -> Repository:
    """Return a repository with some commits."""
    repository = Repository(root)
    if repository.git.git_dir.exists():
        tip = repository.tip()
    else:
        repository.init()
        tip = None
    for number in range(count):
        data = b"".join(b"line %d\n" % place for place in range(200 + number))
        begun = 0 if tip is None else len(commits(repository, tip))
        prepared = repository.prepare(tip, {"ledger/000/000001.jsonl": data, f"pages/{begun}.md": data}, "m\n", AT)
        repository.write_objects(prepared)
        repository.move_ref(prepared.commit, tip, "m")
        tip = prepared.commit
    return repository


def loose(repository: Repository) -> int:
    return len(list((repository.git.git_dir / "objects").glob("??/*")))


def packs(repository: Repository) -> list[str]:
    return sorted(path.name for path in (repository.git.root / PACKS).glob("*.pack"))


def everything(repository: Repository) -> set[str]:
    """Return the ids of all objects there are, and prove each."""
    _, out = repository.git.run("cat-file", "--batch-check=%(objectname) %(objecttype)", "--batch-all-objects")
    repository.git.run("fsck", "--full", "--no-dangling")
    return set(out.decode().splitlines())


def test_objects_are_packed_and_read_as_before(quick_path: Path) -> None:
    repository = filled(quick_path)
    before, tip = everything(repository), repository.tip()
    assert tip is not None
    repository.housekeeping.tidy(None, NOW)
    assert (loose(repository), len(packs(repository))) == (0, 1)
    assert everything(repository) == before
    assert len(commits(repository, tip, ["pages/3.md"])) == 1
    assert list((repository.git.root / GRAPHS).glob("*.graph"))


def test_an_object_that_nothing_reaches_is_packed_too(quick_path: Path) -> None:
    repository = filled(quick_path)
    alone = git_object("blob", b"of a run that is decided and not finished\n")
    repository.write(alone)
    repository.housekeeping.tidy(None, NOW)
    with repository.reader() as reader:
        assert reader.payload(alone.id, "blob") == alone.payload


def test_small_packs_are_rolled_up_and_large_ones_stay(quick_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repository = filled(quick_path)
    repository.housekeeping.tidy(None, NOW)
    (first,) = packs(repository)
    filled(quick_path, 2)
    before = everything(repository)
    monkeypatch.setattr(git_housekeeping, "_LEAST_BYTES", 1)
    repository.housekeeping.tidy(None, NOW)
    assert first in packs(repository)
    assert len(packs(repository)) == 2
    monkeypatch.undo()
    filled(quick_path, 1)
    before |= everything(repository)
    repository.housekeeping.tidy(None, NOW)
    assert len(packs(repository)) == 1
    assert everything(repository) == before


def test_a_pack_that_is_to_be_kept_is_kept(quick_path: Path) -> None:
    repository = filled(quick_path)
    repository.housekeeping.tidy(None, NOW)
    (kept,) = packs(repository)
    (repository.git.root / PACKS / kept).with_suffix(".keep").touch()
    filled(quick_path, 1)
    repository.housekeeping.tidy(None, NOW)
    assert kept in packs(repository)


def test_nothing_to_do_does_nothing(quick_path: Path) -> None:
    repository = filled(quick_path)
    repository.housekeeping.tidy(None, NOW)
    before = packs(repository)
    repository.housekeeping.tidy(None, NOW)
    assert packs(repository) == before


def cut_at(number: int) -> Callable[[Step], None]:
    """Return a watcher that stops the machine at a step."""
    steps = iter(range(number))

    def watch(_: Step) -> None:
        if next(steps, None) is None:
            raise Cut

    return watch


def test_cut_anywhere_every_object_is_still_there_and_the_next_try_ends_it(quick_path: Path) -> None:
    (quick_path / "whole").mkdir()
    whole = filled(quick_path / "whole")
    whole.housekeeping.tidy(None, NOW)
    filled(quick_path / "whole", 2)
    before = everything(whole)
    number, cuts = 0, 0
    while True:
        root = quick_path / "cut"
        shutil.rmtree(root, ignore_errors=True)
        shutil.copytree(quick_path / "whole", root)
        try:
            Repository(root, watch=cut_at(number)).housekeeping.tidy(None, NOW)
        except Cut:
            cuts += 1
        else:
            break
        assert everything(Repository(root)) == before
        Repository(root).housekeeping.tidy(None, NOW)
        assert (loose(Repository(root)), everything(Repository(root))) == (0, before)
        number += 1
    assert cuts >= 5


def test_what_a_killed_git_left_is_swept_when_it_is_old(quick_path: Path) -> None:
    repository = filled(quick_path, 1)
    folder = repository.git.root / PACKS
    folder.mkdir(exist_ok=True)
    child = repository.git.start("pack-objects", "--all", "--quiet", f"{PACKS}/pack")
    child.kill()
    child.communicate()
    for name in ("tmp_pack_aB3xY9", "tmp_idx_aB3xY9", ".tmp-77-pack-1234.pack"):
        (folder / name).write_bytes(b"half")
    young = folder / "tmp_pack_young1"
    young.write_bytes(b"half")
    old = time.time() - 2 * git_housekeeping.ABANDONED_S
    for path in folder.iterdir():
        if path != young:
            os.utime(path, (old, old))
    repository.housekeeping.sweep(time.time())
    assert [path.name for path in folder.iterdir() if not path.name.startswith("pack-")] == [young.name]
    everything(repository)


def test_a_broken_object_stays_where_it_lies_and_all_others_are_packed(quick_path: Path) -> None:
    repository = filled(quick_path)
    tip = repository.tip()
    assert tip is not None
    before = everything(repository)
    broken = repository.blob_ids_of(tip, ["pages/3.md"])["pages/3.md"]
    assert broken is not None
    victim = repository.git.git_dir / "objects" / broken[:2] / broken[2:]
    victim.chmod(0o600)
    victim.write_bytes(b"")
    repository.housekeeping.tidy(None, NOW)
    assert (loose(repository), victim.read_bytes()) == (1, b"")
    repository.write(git_object("blob", b"".join(b"line %d\n" % place for place in range(203))))
    assert everything(repository) == before


def test_it_is_due_by_one_folder(quick_path: Path) -> None:
    repository = filled(quick_path, 1)
    assert not repository.housekeeping.is_due()
    folder = repository.git.git_dir / "objects" / "17"
    folder.mkdir(exist_ok=True)
    for number in range(git_housekeeping.DUE_IN_SAMPLE):
        (folder / f"{number:038x}").touch()
    assert repository.housekeeping.is_due()
