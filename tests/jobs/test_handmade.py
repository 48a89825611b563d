"""A commit made by hand is refused where it breaks a promise, and let through where it is the owner's business."""

from pathlib import Path

import pytest

from xysq.drafters import choose
from xysq.jobs.distill import DistillOrder, distill
from xysq.jobs.fsck import fsck
from xysq.jobs.opened import Opened
from xysq.jobs.proof.handmade import handmade
from xysq.jobs.push import PushOrder, push
from xysq.jobs.readable import readable

TALK = b"Maya: I live in Berlin.\n\nTom: I moved to Lisbon.\n\nMaya: I like tea.\n\n"
PAGE = "pages/ma/maya.md"


@pytest.fixture
def lived(opened: Opened) -> Opened:
    """Return a vault with one applied run."""
    push(opened, PushOrder(data=TALK, filename="one.txt", origin="/home/maya/one.txt"))
    list(distill(opened, DistillOrder(drafter=choose("rules", {}))))
    return opened


def stage(opened: Opened, path: str, data: bytes | None) -> None:
    """Write a file and stage it as a person does."""
    file = opened.root / path
    if data is None:
        file.unlink()
    else:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
    opened.repository.git.run("add", "-A", "--", path)


def found(opened: Opened, index: Path | None = None) -> list[tuple[str, str]]:
    return [(one.file, one.code) for one in handmade(opened, index) if not one.note]


def log_of(opened: Opened) -> str:
    return next((opened.root / "logs").rglob("v1.txt")).relative_to(opened.root).as_posix()


def test_nothing_staged_is_nothing_to_refuse(lived: Opened) -> None:
    assert handmade(lived) == ()


@pytest.mark.parametrize("data", [b"another\n", None])
def test_a_log_is_not_changed_by_hand(lived: Opened, data: bytes | None) -> None:
    path = log_of(lived)
    stage(lived, path, data)
    assert found(lived) == [(path, "kept")]


def test_a_ledger_line_is_not_added_by_hand_and_its_place_is_told(lived: Opened) -> None:
    path = "ledger/000/000001.jsonl"
    data = lived.files.read(path)
    stage(lived, path, data + b"{}\n")
    (one,) = handmade(lived)
    assert (one.file, one.line, one.code) == (path, str(data.count(b"\n") + 1), "kept")


def test_an_edited_page_is_not_committed_by_hand_and_an_unstaged_edit_is_a_note(lived: Opened) -> None:
    edited = lived.files.read(PAGE).replace(b"Berlin", b"Bern")
    (lived.root / PAGE).write_bytes(edited)
    (note,) = handmade(lived)
    assert (note.file, note.code, note.note) == (PAGE, "unsaved", True)
    stage(lived, PAGE, edited)
    (one,) = handmade(lived)
    assert (one.file, one.code, one.note) == (PAGE, "page", False)
    assert f"git restore --staged {PAGE}" in one.sentence


def test_a_page_that_the_ledger_does_not_know_is_refused(lived: Opened) -> None:
    stage(lived, "pages/ev/eve.md", b"# Eve\n")
    assert found(lived) == [("pages/ev/eve.md", "page")]


def test_a_page_may_be_committed_as_the_ledger_folds_to_it(lived: Opened) -> None:
    good = lived.files.read(PAGE)
    stage(lived, PAGE, b"# Maya\n")
    lived.repository.git.run("-c", "user.name=E", "-c", "user.email=e@localhost", "commit", "-q", "-m", "by hand")
    assert (PAGE, "page") in [(one.file, one.code) for one in fsck(lived)]
    stage(lived, PAGE, good)
    assert found(lived) == []


def test_settings_must_be_readable_and_may_be_changed(lived: Opened) -> None:
    stage(lived, "xysq.yaml", lived.files.read("xysq.yaml") + b"nonsense: 1\n")
    ((path, code),) = found(lived)
    assert (path, code) == ("xysq.yaml", "settings")
    stage(lived, "xysq.yaml", b"me: {name: Maya}\nmax_attempts: 3\n")
    assert found(lived) == []
    stage(lived, "schema.yaml", None)
    assert found(lived) == [("schema.yaml", "missing")]


def test_attributes_keep_their_lines(lived: Opened) -> None:
    data = lived.files.read(".gitattributes")
    stage(lived, ".gitattributes", data + b"*.png binary\n")
    assert found(lived) == []
    stage(lived, ".gitattributes", b"* text=auto\n")
    assert found(lived) == [(".gitattributes", "attributes")]


def test_files_of_the_owners_are_their_business(lived: Opened) -> None:
    stage(lived, "notes/todo.md", b"- buy tea\n")
    assert handmade(lived) == ()


def test_a_folder_in_capitals_is_no_other_folder(lived: Opened) -> None:
    stage(lived, "Pages/ma/maya.md", b"# Maya\n")
    assert found(lived) == [("Pages/ma/maya.md", "twin")]


def test_the_index_that_git_names_is_the_one_that_is_judged(lived: Opened, tmp_path: Path) -> None:
    other = tmp_path / "next-index"
    other.write_bytes((lived.root / ".git/index").read_bytes())
    for shared in (lived.root / ".git").glob("sharedindex.*"):
        (tmp_path / shared.name).write_bytes(shared.read_bytes())
    path = log_of(lived)
    (lived.root / path).write_bytes(b"another\n")
    lived.repository.git.run("update-index", "--", path, index=other)
    assert found(lived) == []
    assert found(lived, other) == [(path, "kept")]


def test_an_index_that_is_behind_would_take_a_run_back(lived: Opened) -> None:
    lived.repository.git.run("update-index", "--force-remove", "--", "ledger/000/000001.jsonl")
    assert found(lived) == [("ledger/000/000001.jsonl", "kept")]


def test_a_log_that_only_landed_is_committed_by_the_next_command(lived: Opened) -> None:
    push(lived, PushOrder(data=b"Maya: I like jazz.\n\n", filename="two.txt", origin="/home/maya/two.txt"))
    lived.repository.git.run("add", "-A")
    assert {code for _, code in found(lived)} == {"kept"}
    lived.repository.git.run("reset", "-q")
    readable(lived)
    assert found(lived) == []
