"""Damage, links and strangers in a vault: told with their place, never taken for an empty memory, never in the way."""

import os
import shutil
import sqlite3
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tests.builders import Clock, Entropy
from xysq.drafters import choose
from xysq.errors import BadInput, Damaged
from xysq.jobs.conflict import Conflict, OtherBranch
from xysq.jobs.distill import DistillOrder, distill
from xysq.jobs.follow import rebuild
from xysq.jobs.fsck import fsck
from xysq.jobs.hold import hold
from xysq.jobs.init import InitOrder, init, is_vault, vault_id
from xysq.jobs.opened import Opened
from xysq.jobs.push import PushOrder, push
from xysq.jobs.readable import readable
from xysq.jobs.replay import decision_of
from xysq.jobs.show import show
from xysq.jobs.status import status
from xysq.jobs.why import why
from xysq.model.fact import RunId
from xysq.model.source import Channel
from xysq.store import layout, wal
from xysq.store.files import Files
from xysq.store.git import Repository
from xysq.store.git_ref import BrokenRef
from xysq.store.readmodel import FactFilter
from xysq.vault.recalling import Recalling
from xysq.vault.searching import Searching

TALK = b"Maya: I live in Berlin.\n\nTom: I moved to Lisbon.\n\nMaya: I like tea.\n\n"
MORE = b"Maya: I like jazz.\n\nTom: I like rain.\n\nMaya: Me too.\n\n"
RULES = DistillOrder(drafter=choose("rules", {}))


def keep(opened: Opened, data: bytes, name: str) -> None:
    push(opened, PushOrder(data=data, filename=name, origin=f"/home/maya/{name}"))


def run_all(opened: Opened, order: DistillOrder = RULES) -> list[str]:
    return [report.outcome for report in distill(opened, order)]


def faults(opened: Opened) -> set[str]:
    return {finding.file for finding in fsck(opened) if not finding.note}


def values(opened: Opened) -> set[str]:
    with readable(opened).reading() as snapshot:
        return {fact.value for fact in snapshot.lists.facts(FactFilter(is_open=True))}


def without_cache(opened: Opened) -> Opened:
    return replace(opened, cache=opened.cache.with_name("another-cache"))


def opened_at(place: Path, clock: Clock, entropy: Entropy) -> Opened:
    files, repository = Files(place / "vault"), Repository(place / "vault")
    init(files, repository, InitOrder(me="Maya", clock=clock, entropy=entropy, timeout_s=5.0))
    return Opened(
        root=place / "vault",
        vault_id=vault_id(files),
        files=files,
        repository=repository,
        cache=place / "cache",
        clock=clock,
        entropy=entropy,
        timeout_s=5.0,
        channel=Channel.CLI,
    )


@pytest.fixture(scope="module")
def once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a place with a vault that has one applied run and one that is staged."""
    place = tmp_path_factory.mktemp("once")
    (place / "vault").mkdir()
    opened = opened_at(place, Clock(), Entropy())
    keep(opened, TALK, "one.txt")
    run_all(opened)
    keep(opened, MORE, "two.txt")
    run_all(opened, replace(RULES, stage=True))
    return place


@pytest.fixture
def lived(once: Path, tmp_path: Path, clock: Clock) -> Opened:
    """Return a copy of that vault."""
    copy = shutil.copytree(once, tmp_path / "copy")
    clock.tick(3600)
    return opened_at(copy, clock, Entropy(calls=1000))


def staged_dir(opened: Opened) -> Path:
    (run,) = wal.list_runs(opened.files)
    return opened.root / layout.wal_dir(run)


# What the history has, and the disk not


def test_a_run_that_vanished_from_the_ledger_is_no_run_that_never_was(lived: Opened) -> None:
    path = layout.segment_path(1)
    first = lived.files.read(path).split(b"\n")[0] + b"\n"
    lived.files.replace(path, first)
    with pytest.raises(Damaged) as damaged:
        values(without_cache(lived))
    assert (damaged.value.path, damaged.value.where) == (path, "2")
    wal.discard(lived.files, wal.list_runs(lived.files)[0])
    with pytest.raises(Damaged):
        run_all(lived)
    assert lived.files.read(path) == first
    assert path in faults(lived)


def test_a_ledger_that_is_gone_is_damage_and_no_missing_vault(lived: Opened) -> None:
    shutil.rmtree(lived.root / layout.LEDGER)
    assert is_vault(lived.files)
    with pytest.raises(Damaged, match="the segment is missing"):
        vault_id(lived.files)


def test_a_repository_that_never_was_a_vault_is_none(tmp_path: Path) -> None:
    heads = tmp_path / ".git" / "refs" / "heads"
    heads.mkdir(parents=True)
    (heads / "main").write_text("0" * 40)
    assert not is_vault(Files(tmp_path))


def test_a_log_without_its_meta_does_not_look_as_if_it_was_never_pushed(lived: Opened) -> None:
    (meta, *_) = (path for path in sorted((lived.root / "logs").rglob("*.meta.json")))
    data = meta.read_bytes()
    meta.unlink()
    anew = without_cache(lived)
    assert values(anew) == {"Berlin", "Lisbon", "tea"}
    assert anew.notices == ["1 source is damaged and not wholly searchable: run xysq doctor"]
    meta.write_bytes(data)
    with hold(anew):
        pass
    anew.notices.clear()
    values(anew)
    assert anew.notices == []


def test_lines_behind_the_last_committed_run_are_not_built_on(lived: Opened) -> None:
    (run,) = wal.list_runs(lived.files)
    ahead = wal.load(lived.files, run).after[layout.segment_path(1)]
    assert ahead is not None
    wal.discard(lived.files, run)
    values(lived)
    lived.files.replace(layout.segment_path(1), ahead)
    with pytest.raises(Damaged, match="the last committed run"):
        run_all(lived)
    assert lived.files.read(layout.segment_path(1)) == ahead


# The branch


@pytest.mark.parametrize("data", [b"", b"\0" * 41, None])
def test_a_broken_branch_is_put_back_where_the_reflog_has_it(lived: Opened, data: bytes | None) -> None:
    ref = lived.root / ".git/refs/heads/main"
    tip = ref.read_text()
    ref.unlink()
    if data is not None:
        ref.write_bytes(data)
    assert values(lived) == {"Berlin", "Lisbon", "tea"}
    assert ref.read_text() == tip
    assert any("reflog" in notice for notice in lived.notices)
    assert faults(lived) == set()


def test_a_branch_that_nothing_remembers_is_told(lived: Opened) -> None:
    (lived.root / ".git/refs/heads/main").unlink()
    (lived.root / ".git/logs/refs/heads/main").write_bytes(b"\0" * 90)
    with pytest.raises(BrokenRef):
        values(lived)
    assert faults(lived) == {".git/refs/heads/main"}


def test_on_another_branch_the_last_state_is_served_and_nothing_is_written(lived: Opened) -> None:
    (lived.root / ".git/HEAD").write_text("ref: refs/heads/other\n")
    keep(lived, b"Maya: I like snow.\n\n", "three.txt")
    assert values(lived) == {"Berlin", "Lisbon", "tea"}
    assert any("not on main" in notice for notice in lived.notices)
    with pytest.raises(OtherBranch):
        run_all(lived)


# The write-ahead log


def _renamed(directory: Path) -> None:
    directory.rename(directory.with_name("r-20200101T000000Z-aaaa"))


def _linked(directory: Path) -> None:
    directory.rename(directory.parents[4] / "elsewhere")
    directory.symlink_to(directory.parents[4] / "elsewhere")


def _fifo(path: Path) -> None:
    path.unlink(missing_ok=True)
    os.mkfifo(path)


@pytest.mark.parametrize(
    "change",
    [
        lambda directory: (directory / "run.json").write_bytes(b"{"),
        lambda directory: (directory / "run.json").unlink(),
        lambda directory: (directory / "draft.json").unlink(),
        lambda directory: (directory / "after" / "xysq.yaml").write_text("me: {name: Eve}\n"),
        lambda directory: (directory / "after" / "..+..+..+evil").write_text("evil"),
        lambda directory: _fifo(directory / "after" / "pages+ev+evil.md"),
        lambda directory: _fifo(directory / "run.json"),
        _renamed,
        _linked,
    ],
)
def test_a_staged_run_that_cannot_be_read_is_told_and_its_rows_are_pending(
    lived: Opened, change: Callable[[Path], object]
) -> None:
    change(staged_dir(lived))
    found = status(lived, "rules")
    assert len(found.pending) == 1
    assert found.damaged
    assert any(file.startswith(layout.WAL) for file in faults(lived))
    assert run_all(lived) == ["applied"]
    assert "jazz" in values(lived)


@pytest.mark.parametrize("is_folder", [False, True])
def test_a_decision_that_cannot_be_read_is_kept_aside_and_told_for_as_long_as_it_is_there(
    lived: Opened, *, is_folder: bool
) -> None:
    decided = staged_dir(lived) / "DECIDED"
    decided.mkdir() if is_folder else decided.write_bytes(b"12 abc\n{}")
    run = RunId(decided.parent.name)
    assert run_all(lived) == ["applied"]
    assert faults(lived) == {layout.damaged_dir(run)}
    assert status(lived, "rules").damaged
    shutil.rmtree(lived.root / layout.damaged_dir(run))
    assert faults(lived) == set()


def test_a_decided_run_that_the_history_has_no_place_for_is_told_and_readers_are_served(lived: Opened) -> None:
    values(lived)
    (run,) = wal.list_runs(lived.files)
    tip = lived.tip()
    wal.decide(lived.files, run, decision_of(lived, wal.load(lived.files, run), tip))
    assert lived.repository.commit(tip).parents
    lived.repository.restore_ref(lived.repository.commit(tip).parents[0])
    assert values(lived) == {"Berlin", "Lisbon", "tea"}
    assert faults(lived) == {layout.wal_dir(run)}
    with pytest.raises(Conflict):
        run_all(lived)
    lived.repository.restore_ref(tip)
    assert "jazz" in values(lived)
    assert faults(lived) == set()


# Links and special files where files belong


@pytest.mark.parametrize("plant", [_fifo, lambda path: path.symlink_to("/etc/hostname")])
def test_what_is_planted_in_the_place_of_a_page_is_told_and_stops_nothing(
    lived: Opened, plant: Callable[[Path], object]
) -> None:
    page = lived.root / "pages/ma/maya.md"
    page.unlink()
    plant(page)
    assert status(lived, "rules").unsaved_pages == ("pages/ma/maya.md",)
    assert faults(lived) == {"pages/ma/maya.md"}
    keep(lived, b"Zoe: I live in Lima.\n\nTom: I see.\n\nZoe: Yes.\n\n", "three.txt")
    assert run_all(lived) == ["applied"]


def test_what_is_planted_in_the_place_of_a_log_is_told_with_all_else(lived: Opened) -> None:
    log = next((lived.root / "logs").rglob("v1.txt"))
    _fifo(log)
    record = next((lived.root / "runs").rglob("*.json"))
    record.write_bytes(b"{}")
    assert {str(path.relative_to(lived.root)) for path in (log, record)} <= faults(lived)


def test_what_is_planted_in_the_queue_is_told_and_stops_nothing(lived: Opened) -> None:
    (lived.root / layout.ATTEMPTS).mkdir(parents=True)
    _fifo(lived.root / layout.ATTEMPTS / "x.json")
    assert faults(lived) == {f"{layout.ATTEMPTS}/x.json"}
    keep(lived, b"Maya: I like snow.\n\nTom: I see.\n\nMaya: Yes.\n\n", "three.txt")
    assert run_all(lived) == ["applied"]


# Damaged logs: told, and in nobody else's way


def log_saying(opened: Opened, words: bytes) -> Path:
    return next(path for path in (opened.root / "logs").rglob("v1.txt") if words in path.read_bytes())


def ending(kind: str) -> Callable[[Path], object]:
    return {
        "flipped": lambda path: path.write_bytes(path.read_bytes().replace(b"Lima", b"Rima")),
        "cut": lambda path: path.write_bytes(path.read_bytes()[:-4]),
        "meta": lambda path: path.with_name("v1.meta.json").write_bytes(b"{"),
    }[kind]


@pytest.mark.parametrize("kind", ["flipped", "cut", "meta"])
def test_a_damaged_log_keeps_no_other_one_from_being_distilled_and_its_rows_wait(lived: Opened, kind: str) -> None:
    wal.discard(lived.files, wal.list_runs(lived.files)[0])
    keep(lived, b"Zoe: I live in Lima.\n\nTom: I see.\n\nZoe: Yes.\n\n", "three.txt")
    readable(lived)
    log = log_saying(lived, b"Lima")
    before = log.read_bytes(), log.with_name("v1.meta.json").read_bytes()
    ending(kind)(log)
    lived.notices.clear()
    assert run_all(lived) == ["applied"]
    assert "1 source is damaged: run xysq doctor" in lived.notices
    assert values(lived) == {"Berlin", "Lisbon", "tea", "jazz", "rain"}
    log.write_bytes(before[0])
    log.with_name("v1.meta.json").write_bytes(before[1])
    assert run_all(lived) == ["applied"]
    assert "Lima" in values(lived)


def test_a_log_that_broke_before_it_was_indexed_is_told_until_it_is_mended(lived: Opened) -> None:
    keep(lived, b"Zoe: I live in Lima.\n\nTom: I see.\n\nZoe: Yes.\n\n", "three.txt")
    log = log_saying(lived, b"Lima")
    whole = log.read_bytes()
    ending("cut")(log)
    values(lived)
    lived.notices.clear()
    values(lived)
    assert lived.notices == ["1 source is damaged and not wholly searchable: run xysq doctor"]
    (source,) = (layout.source_of(str(log.parent.relative_to(lived.root))),)
    with pytest.raises(Damaged):
        show(lived, str(source))
    log.write_bytes(whole)
    with hold(lived):
        pass
    lived.notices.clear()
    values(lived)
    assert lived.notices == []
    show(lived, str(source))


def test_what_a_search_shows_of_a_log_that_rots_is_told(lived: Opened) -> None:
    with Searching(lived) as vault:
        assert vault.search("Lisbon")
        assert lived.notices == []
        log = log_saying(lived, b"Lisbon")
        log.write_bytes(log.read_bytes().replace(b"Lisbon", b"Lisben"))
        assert vault.search("Lisbon")
        assert lived.notices == ["1 source is damaged: run xysq doctor"]
    lived.notices.clear()
    with Recalling(lived) as vault:
        assert vault.recall("Lisbon").groups
    assert lived.notices == ["1 source is damaged: run xysq doctor"]


def test_a_quote_in_a_damaged_log_is_not_called_corrected(lived: Opened) -> None:
    log = log_saying(lived, b"Lisbon")
    log.write_bytes(log.read_bytes().replace(b"Lisbon", b"Lisben"))
    (context,) = why(lived, "Tom moved to Lisbon").contexts
    assert (context.stands, context.is_damaged) == (False, True)
    assert lived.notices == ["1 source is damaged: run xysq doctor"]


# The search index


@pytest.mark.parametrize("damage", ["DELETE FROM facts", "DROP TABLE facts", "DROP TABLE passages"])
def test_an_index_that_is_not_as_the_ledger_is_found_and_made_again(lived: Opened, damage: str) -> None:
    values(lived)
    connection = sqlite3.connect(max(lived.cache.glob("*.sqlite")))
    connection.execute(damage)
    connection.commit()
    connection.close()
    (found,) = (finding for finding in fsck(lived) if not finding.note)
    assert found.code == "derived"
    rebuild(lived)
    assert values(lived) == {"Berlin", "Lisbon", "tea"}
    assert faults(lived) == set()


def test_a_file_in_the_place_of_the_cache_is_told(lived: Opened) -> None:
    shutil.rmtree(lived.cache, ignore_errors=True)
    lived.cache.write_bytes(b"")
    with pytest.raises(BadInput, match="no directory"):
        values(lived)
