"""Pages that somebody saves while a run is applied: the edit is kept."""

import os
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from xysq.canonical import sha256_hex
from xysq.store import exchange as subject
from xysq.store.descriptor import TEMP
from xysq.store.disk_error import UnsafePath
from xysq.store.exchange import Edited, Exchanged, exchange, rescue, withdraw
from xysq.store.files import Files
from xysq.store.step import Op, Step

OLD, NEW, EDIT, LATER = b"old\n", b"new\n", b"typed\n", b"typed later\n"


@pytest.fixture
def files(quick_path: Path) -> Files:
    return Files(quick_path)


def names(files: Files) -> list[str]:
    return sorted(os.listdir(files.root))  # noqa: PTH208 - temps included


def saving(root: Path, edits: list[bytes], *, at: Op) -> Files:
    """Return files with an editor that saves by rename just before each of the first swaps or renames."""
    left = list(edits)

    def watch(step: Step) -> None:
        if step.op is at and left:
            scratch = root / "editor"
            scratch.write_bytes(left.pop(0))
            scratch.rename(root / "page")

    return Files(root, watch)


def test_the_expected_bytes_are_exchanged(files: Files) -> None:
    files.replace("page", OLD)
    assert exchange(files, "page", NEW, sha256_hex(OLD)) == Exchanged()
    assert files.read("page") == NEW
    assert names(files) == ["page"]


def test_exchanging_again_changes_nothing(files: Files) -> None:
    files.replace("page", OLD)
    for _ in range(2):
        assert exchange(files, "page", NEW, sha256_hex(OLD)) == Exchanged()
    assert files.read("page") == NEW


def test_an_edit_stays_and_is_reported(files: Files) -> None:
    files.replace("page", EDIT)
    assert exchange(files, "page", NEW, sha256_hex(OLD)) == Edited(found=EDIT)
    assert files.read("page") == EDIT
    assert names(files) == ["page"]


def test_an_edit_saved_in_that_very_moment_stays(quick_path: Path) -> None:
    Files(quick_path).replace("page", OLD)
    assert exchange(saving(quick_path, [EDIT], at=Op.EXCHANGE), "page", NEW, sha256_hex(OLD)) == Edited(found=EDIT)
    assert (quick_path / "page").read_bytes() == EDIT


def test_of_two_edits_in_that_moment_the_newer_stays_and_the_older_is_handed_over(quick_path: Path) -> None:
    Files(quick_path).replace("page", OLD)
    outcome = exchange(saving(quick_path, [EDIT, LATER], at=Op.EXCHANGE), "page", NEW, sha256_hex(OLD))
    assert outcome == Edited(found=LATER, aside=(EDIT,))
    assert (quick_path / "page").read_bytes() == LATER


def test_an_editor_that_has_the_file_open_keeps_its_file(
    files: Files, quick_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(subject, "_PAUSES", 0)
    files.replace("page", OLD)
    with (quick_path / "page").open("r+b") as editor:
        outcome = exchange(files, "page", NEW, sha256_hex(OLD))
        if outcome == Exchanged():
            pytest.skip("this file system grants no leases")
        editor.write(EDIT)
    assert files.read("page").startswith(EDIT)


def test_a_reader_of_the_file_disturbs_nothing(files: Files, quick_path: Path) -> None:
    files.replace("page", OLD)
    with (quick_path / "page").open("rb") as reader:
        assert exchange(files, "page", NEW, sha256_hex(OLD)) == Exchanged()
        assert reader.read() == OLD


def test_a_deleted_page_stays_deleted(files: Files) -> None:
    assert exchange(files, "page", NEW, sha256_hex(OLD)) == Edited(found=None)
    assert names(files) == []


def test_a_new_page_is_written_once_and_takes_no_other_file_away(files: Files) -> None:
    for _ in range(2):
        assert exchange(files, "page", NEW, "") == Exchanged()
    assert exchange(files, "page", OLD, "") == Edited(found=NEW)
    assert files.read("page") == NEW


def test_a_page_is_withdrawn_only_with_its_expected_bytes(files: Files) -> None:
    files.replace("page", OLD)
    assert withdraw(files, "page", sha256_hex(NEW)) == Edited(found=OLD)
    assert files.read("page") == OLD
    for _ in range(2):
        assert withdraw(files, "page", sha256_hex(OLD)) == Exchanged()
    assert names(files) == []


def test_an_edit_saved_while_a_page_is_withdrawn_stays(quick_path: Path) -> None:
    Files(quick_path).replace("page", OLD)
    outcome = withdraw(saving(quick_path, [EDIT], at=Op.RENAME), "page", sha256_hex(OLD))
    assert outcome == Edited(found=EDIT)
    assert (quick_path / "page").read_bytes() == EDIT


def test_a_second_edit_while_a_page_is_put_back_stays_and_the_first_is_handed_over(quick_path: Path) -> None:
    Files(quick_path).replace("page", EDIT)
    outcome = withdraw(saving(quick_path, [LATER], at=Op.LINK), "page", sha256_hex(OLD))
    assert outcome == Edited(found=LATER, aside=(EDIT,))


def test_where_names_cannot_be_swapped_the_bytes_are_still_compared(
    files: Files, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(subject, "_rename_with_flags", None)
    files.replace("page", OLD)
    assert exchange(files, "page", NEW, sha256_hex(OLD)) == Exchanged()
    assert exchange(files, "page", EDIT, sha256_hex(OLD)) == Edited(found=NEW)
    assert files.read("page") == NEW


def test_a_link_in_the_place_of_a_page_is_refused_and_not_followed(files: Files, quick_path: Path) -> None:
    (quick_path / "else").write_bytes(OLD)
    (quick_path / "page").symlink_to(quick_path / "else")
    with pytest.raises(UnsafePath):
        exchange(files, "page", NEW, sha256_hex(OLD))
    assert (quick_path / "else").read_bytes() == OLD
    assert not any(name.startswith(TEMP) for name in names(files))


def save_by_rename(page: Path) -> None:
    scratch = page.with_name("editor")
    scratch.write_bytes(EDIT)
    scratch.rename(page)


def save_by_truncating(page: Path) -> None:
    page.write_bytes(EDIT)


def save_in_place(page: Path) -> None:
    with page.open("r+b") as handle:
        handle.write(EDIT)
        handle.truncate()


@pytest.mark.parametrize("save", [save_by_rename, save_by_truncating, save_in_place])
def test_an_edit_saved_at_any_moment_is_never_lost(quick_path: Path, save: Callable[[Path], None]) -> None:
    files = Files(quick_path)

    def save_after(pause_s: float) -> None:
        time.sleep(pause_s)
        save(quick_path / "page")

    for tries in range(40):
        files.replace("page", OLD)
        editor = threading.Thread(target=save_after, args=(tries / 200_000,))
        editor.start()
        outcome = exchange(files, "page", NEW, sha256_hex(OLD))
        editor.join()
        aside = outcome.aside if isinstance(outcome, Edited) else ()
        assert EDIT in (files.read("page"), *aside)


class Cut(BaseException):
    """The process ends here."""


def cut_after_the_swap(root: Path, edit: Callable[[], object]) -> None:
    """Exchange the page; let somebody save just before the swap, and end just after it."""
    swaps = 0

    def watch(step: Step) -> None:
        nonlocal swaps
        if swaps:
            raise Cut
        if step.op is Op.EXCHANGE:
            swaps += 1
            edit()

    with pytest.raises(Cut):
        exchange(Files(root, watch), "page", NEW, sha256_hex(OLD))
    assert (root / "page").read_bytes() == NEW


def rescued(files: Files, before: bytes = OLD) -> list[bytes]:
    """Rescue what lies beside the page; return what was kept aside."""
    aside: list[bytes] = []
    digests = (sha256_hex(before) if before else "", sha256_hex(NEW))
    rescue(files, "page", digests, aside.extend)
    return aside


def test_an_edit_that_a_crash_caught_between_two_swaps_comes_back(quick_path: Path) -> None:
    files, page = Files(quick_path), quick_path / "page"
    files.replace("page", OLD)
    cut_after_the_swap(quick_path, lambda: page.write_bytes(EDIT))
    for _ in range(2):
        assert rescued(files) == []
        assert page.read_bytes() == EDIT
    assert exchange(files, "page", NEW, sha256_hex(OLD)) == Edited(found=EDIT)
    assert names(files) == ["page"]


def test_of_an_edit_that_a_crash_caught_and_a_later_one_the_later_stays_and_the_other_is_kept(quick_path: Path) -> None:
    files, page = Files(quick_path), quick_path / "page"
    files.replace("page", OLD)
    cut_after_the_swap(quick_path, lambda: page.write_bytes(EDIT))
    page.write_bytes(LATER)
    assert rescued(files) == [EDIT]
    assert page.read_bytes() == LATER
    assert names(files) == ["page"]


def test_an_editor_that_has_the_file_open_over_a_crash_goes_on_in_it(
    quick_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(subject, "_PAUSES", 0)
    files, page = Files(quick_path), quick_path / "page"
    files.replace("page", OLD)
    with page.open("r+b") as editor:
        cut_after_the_swap(quick_path, lambda: None)
        rescued(files)
        editor.write(EDIT)
    assert page.read_bytes() == EDIT


def test_what_a_crash_left_of_the_new_bytes_before_the_swap_is_no_edit(quick_path: Path) -> None:
    files = Files(quick_path)
    files.replace("page", OLD)
    torn = quick_path / f"{TEMP}7-0-page"
    torn.write_bytes(NEW[:2])
    other = quick_path / f"{TEMP}7-0-other-page"
    other.write_bytes(EDIT)
    assert rescued(files) == []
    assert (quick_path / "page").read_bytes() == OLD
    assert sorted(names(files)) == [other.name, "page"]


@pytest.mark.parametrize("before", [OLD, b""], ids=["exchanged", "created"])
def test_nothing_is_written_beside_a_file_that_has_the_new_bytes(quick_path: Path, before: bytes) -> None:
    Files(quick_path).replace("page", NEW)
    steps: list[Step] = []
    digest = sha256_hex(before) if before else ""
    assert exchange(Files(quick_path, steps.append), "page", NEW, digest) == Exchanged()
    assert [step.op for step in steps] == [Op.SYNC_DIR]
