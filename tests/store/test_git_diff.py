"""What changed between two commits."""

from pathlib import Path

import pytest

from tests.store.git_vault import ALICE, FILES, LEDGER, land, new_vault, put, user
from xysq.errors import BadInput
from xysq.store.git_diff import ChangedFile, changed_files, hunks

ODD = ("-rf", "a b/ü.md", ":(top)x", 'q"uote', "tab\tbed")


def test_changed_files_have_a_status_and_both_blobs(tmp_path: Path) -> None:
    repository, first = new_vault(tmp_path)
    second = land(repository, first, {ALICE: b"# Alice\n", LEDGER: None, "new.md": b"n"}).commit
    old, new = (repository.blob_ids_of(rev, [ALICE, LEDGER, "new.md"]) for rev in (first, second))
    assert changed_files(repository, first, second) == (
        ChangedFile(status="D", path=LEDGER, old=old[LEDGER], new=None),
        ChangedFile(status="A", path="new.md", old=None, new=new["new.md"]),
        ChangedFile(status="M", path=ALICE, old=old[ALICE], new=new[ALICE]),
    )
    assert [file.path for file in changed_files(repository, first, second, "pages")] == [ALICE]
    assert changed_files(repository, second, second) == ()


def test_everything_is_new_against_the_empty_vault(tmp_path: Path) -> None:
    repository, first = new_vault(tmp_path)
    assert {(file.status, file.path) for file in changed_files(repository, None, first)} == {
        ("A", path) for path in FILES
    }
    assert hunks(repository, None, first, [ALICE]).endswith("\n@@ -0,0 +1 @@\n+# Alice Chen\n")


def test_a_moved_file_is_one_gone_and_one_new(tmp_path: Path) -> None:
    repository, first = new_vault(tmp_path)
    second = land(repository, first, {ALICE: None, "pages/al/alice.md": FILES[ALICE]}).commit
    assert {file.status for file in changed_files(repository, first, second)} == {"A", "D"}


def test_odd_names_come_back_as_they_are(tmp_path: Path) -> None:
    repository, first = new_vault(tmp_path)
    second = land(repository, first, dict.fromkeys(ODD, b"x")).commit
    assert {file.path for file in changed_files(repository, first, second)} == set(ODD)
    for path in ODD:
        assert [file.path for file in changed_files(repository, first, second, path)] == [path]
        assert hunks(repository, first, second, [path]).count("diff --git") == 1


def test_hunks_are_those_of_the_paths_that_are_asked_for(tmp_path: Path) -> None:
    repository, first = new_vault(tmp_path)
    second = land(repository, first, {ALICE: b"# Alice\n", LEDGER: b"x\n", "pages/bi/billing.md": b"# B\n"}).commit
    found = hunks(repository, first, second, [ALICE])
    assert f"--- a/{ALICE}\n+++ b/{ALICE}\n@@ -1 +1 @@\n-# Alice Chen\n+# Alice\n" in found
    assert found.count("diff --git") == 1
    assert hunks(repository, first, second, []) == ""


def test_many_paths_are_asked_in_portions(tmp_path: Path) -> None:
    repository, first = new_vault(tmp_path)
    paths = [f"pages/x/{number}.md" for number in range(1100)]
    second = land(repository, first, dict.fromkeys(paths, b"x\n")).commit
    assert hunks(repository, first, second, paths).count("diff --git") == 1100


def test_no_configuration_or_attribute_changes_the_words(tmp_path: Path) -> None:
    root = tmp_path / "vault"
    repository, first = new_vault(root)
    second = land(repository, first, {ALICE: b"# Alice\xff\n", "pages/bi/billing.md": None}).commit
    paths = [ALICE, "pages/bi/billing.md"]
    plain = hunks(repository, first, second, paths), changed_files(repository, first, second)
    trap = tmp_path / "trap.sh"
    put(tmp_path, {"trap.sh": f"#!/bin/sh\ntouch {tmp_path}/sprung\ncat $1\n".encode()})
    trap.chmod(0o755)
    programs = "diff.external diff.evil.command diff.evil.textconv diff.orderFile core.pager"
    words = {"diff.noprefix": "true", "diff.renames": "copies", "color.ui": "always", "diff.mnemonicPrefix": "true"}
    more = {"diff.context": "0", "diff.algorithm": "patience", "diff.submodule": "log", "color.diff": "always"}
    for key, value in (dict.fromkeys(programs.split(), str(trap)) | words | more).items():
        user(root, "config", key, value)
    (root / ".git/info/attributes").write_bytes(b"* diff=evil\n")
    assert (hunks(repository, first, second, paths), changed_files(repository, first, second)) == plain
    assert not (tmp_path / "sprung").exists()
    assert "\ufffd" in plain[0]


@pytest.mark.parametrize("bad", ["HEAD", "--output=x", "main", "a" * 39])
def test_only_full_ids_and_lawful_paths_reach_git(tmp_path: Path, bad: str) -> None:
    repository, first = new_vault(tmp_path)
    for sides in ((bad, first), (first, bad)):
        with pytest.raises(BadInput):
            changed_files(repository, *sides)
        with pytest.raises(BadInput):
            hunks(repository, *sides, [ALICE])
    with pytest.raises(BadInput):
        hunks(repository, first, first, ["../x"])
    assert sorted(path.name for path in tmp_path.iterdir()) == [".git", ".gitattributes", "ledger", "pages"]
