"""`xysq adopt`, `xysq edit` and `xysq page`, as typed."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Xysq
from xysq import Vault

NORA = Path("pages/no/nora.md")


def typed(old: str, new: str) -> None:
    text = NORA.read_text(encoding="utf-8")
    assert old in text
    NORA.write_text(text.replace(old, new), encoding="utf-8")


def test_an_edit_is_seen_by_status_adopted_and_told(filled: Xysq) -> None:
    assert filled("adopt").err.startswith("nothing to adopt")
    typed("Vienna", "Linz")
    assert "1 page with edits of yours. Next: xysq adopt" in filled("status").out
    ran = filled("adopt")
    assert ran.status == 0
    assert ran.out.startswith("pages/no/nora.md  adopted\nr-")
    assert "instead of: Nora lives in Vienna." in ran.out
    assert "Nora lives in Linz." in filled("ls", "facts", "--open").out
    assert "Linz" in filled("search", "Linz", "--in", "logs").out
    assert "edits" not in filled("status").out
    assert filled("fsck").status == 0


def test_what_stays_is_told_like_a_finding(filled: Xysq) -> None:
    typed("## Preferences", "## Likings")
    ran = filled("adopt")
    assert (ran.status, ran.out.split(": ")[:2]) == (4, ["pages/no/nora.md:10", "heading"])
    assert "## Likings" in NORA.read_text(encoding="utf-8")
    (page,) = json.loads(filled("adopt", "nora", "--json").out)["pages"]
    assert page["unadopted"][0] | {"sentence": ""} == {
        "file": "pages/no/nora.md",
        "line": 10,
        "code": "heading",
        "sentence": "",
    }
    assert filled("adopt", "nobody").status == 1


def test_a_page_that_was_deleted_needs_to_be_meant(filled: Xysq) -> None:
    NORA.unlink()
    assert "1: missing-file: " in filled("adopt").out
    assert filled("adopt", "--yes").status == 0
    assert "Nora" not in filled("ls", "facts", "--open").out
    assert NORA.exists()


def test_a_page_is_edited_in_an_editor_or_from_a_file(
    filled: Xysq, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    editor = tmp_path / "editor"
    editor.write_text('#!/bin/sh\nsed -i "s/Vienna/Graz/" "$1"\n', encoding="utf-8")
    editor.chmod(0o700)
    monkeypatch.setenv("EDITOR", str(editor))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.delenv("VISUAL", raising=False)
    assert filled("edit", "Nora", asks=True).status == 0
    assert "Nora lives in Graz." in filled("ls", "facts", "--open").out
    assert "is as the ledger has it" in filled("edit", "Nora", asks=True).out
    text = NORA.read_bytes().replace(b"Graz", b"Linz")
    assert filled("edit", "nora", "-", stdin=text).status == 0
    assert "Nora lives in Linz." in filled("ls", "facts", "--open").out
    assert filled("edit", "nora", "-", stdin=b"\xff").out.startswith("pages/no/nora.md:1: not-utf-8: ")
    ran = filled("edit", "nora")
    assert (ran.status, "needs a terminal" in ran.err) == (2, True)


def test_an_edit_of_a_page_that_a_run_changed_meanwhile_is_held_against_it(filled: Xysq) -> None:
    opened = NORA.read_bytes()
    assert filled("note", "I like black tea.").status == 0
    with Vault.open(".") as vault:
        done = vault.edit_page("nora", opened, opened.replace(b"Vienna", b"Linz"))
        assert done.unadopted == ()
        assert {"Nora lives in Linz.", "Nora likes black tea."} <= {fact.text for fact in vault.facts(is_open=True)}
        opened = vault.page_text("nora")
        other = opened.replace(b"Linz", b"Graz")
        NORA.write_bytes(other)
        done = vault.edit_page("nora", opened, opened.replace(b"Linz", b"Wels"))
        assert [stays.code for stays in done.unadopted] == ["aside"]
        (kept,) = Path(".git/xysq/bases").glob("nora.*.md")
        assert (NORA.read_bytes(), kept.read_bytes()) == (other, opened.replace(b"Linz", b"Wels"))


def test_pages_are_renamed_aliased_and_merged(filled: Xysq) -> None:
    assert filled("page", "rename", "parser", "The compiler").status == 0
    assert filled("page", "alias", "the compiler", "compiler").status == 0
    assert filled("page", "alias", "parser", "Compiler", "--remove").status == 0
    ran = filled("page", "merge", "nora", "the compiler")
    assert (ran.status, "r-" in ran.out) == (0, True)
    assert filled("fsck").status == 0


REFUSED = (
    (("page", "rename", "nora", "Parser"), 1),
    (("page", "rename", "nora", ""), 2),
    (("page", "rename", "nobody", "Somebody"), 1),
    (("page", "rename", "nora", "N", "--remove"), 2),
    (("page", "merge", "nora", "nora"), 2),
    (("page", "alias", "nora", "x", "--remove"), 2),
    (("page", "burn", "nora", "x"), 2),
)


def test_what_cannot_be_done_to_pages_is_said_and_changes_nothing(filled: Xysq) -> None:
    before = filled("ls", "pages").out
    for arguments, status in REFUSED:
        ran = filled(*arguments)
        assert (arguments, ran.status, ran.err.startswith("xysq: ")) == (arguments, status, True)
    assert filled("ls", "pages").out == before
