"""`xysq correct`, as typed."""

import json
from datetime import timedelta
from itertools import count
from pathlib import Path

import pytest

from tests.cli.conftest import Xysq
from xysq.vault import place


def fact(xysq: Xysq, words: str) -> str:
    return next(line.split("\t")[0] for line in xysq("ls", "facts", "--open").out.splitlines() if words in line)


def test_however_long_a_correction_takes_its_new_words_are_no_older_than_what_it_closes(
    filled: Xysq, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = count()
    now = place.now
    monkeypatch.setattr(place, "now", lambda: now() + timedelta(seconds=next(looks)))
    assert filled("correct", "talk", "--replace", "Vienna", "Graz").status == 0
    assert filled("distill").status == 0
    assert "Nora lives in Graz." in filled("ls", "facts", "--open").out


def test_words_of_a_source_are_replaced_and_what_rested_on_them_is_told(filled: Xysq) -> None:
    ran = filled("correct", "talk", "--replace", "Vienna", "Graz")
    assert (ran.status, "@2  corrected" in ran.out, "closed" in ran.out) == (0, True, True)
    assert "Vienna" not in filled("ls", "facts", "--open").out
    assert filled("distill").status == 0
    assert "Nora lives in Graz." in filled("ls", "facts", "--open").out
    assert filled("fsck").status == 0


def test_a_file_and_standard_input_are_whole_new_versions(filled: Xysq, tmp_path: Path) -> None:
    new = tmp_path / "new.txt"
    new.write_text("Nora: I live in Vienna.\n", encoding="utf-8")
    assert filled("correct", "talk", str(new)).status == 0
    assert filled("ls", "facts", "--open").out.count("\n") == 1
    assert filled("correct", "talk", "-", stdin=b"Nora: I prefer trains over planes.\n").status == 0
    again = filled("correct", "talk", "-", stdin=b"Nora: I prefer trains over planes.\n")
    assert (again.status, "unchanged" in again.err) == (0, True)


def test_a_fact_is_set_right_or_closed(filled: Xysq) -> None:
    assert filled("correct", fact(filled, "Vienna"), "Nora lives in Linz.").status == 0
    assert "Nora lives in Linz." in filled("ls", "facts", "--open").out
    document = json.loads(filled("correct", fact(filled, "trains"), "--wrong", "--json").out)
    assert [told["text"] for told in document["run"]["closed"]] == ["Nora prefers trains over planes."]
    assert filled("fsck").status == 0


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (("talk",), 2),
        (("talk", "--replace", "Vienna", "Graz", "--wrong"), 2),
        (("talk", "new.txt", "--all"), 2),
        (("talk", "--replace", "Atlantis", "Graz"), 1),
        (("talk", "--edit"), 2),
        (("nothing.txt", "--replace", "a", "b"), 1),
        (("f-zzzzzzzzzz", "A new text."), 1),
        (("f-zzzzzzzzzz", "--replace", "a", "b"), 2),
        (("talk", "no-such-file.txt"), 1),
        (("talk", "--replace", "I", "We"), 2),
    ],
)
def test_what_cannot_be_done_is_said_and_changes_nothing(filled: Xysq, arguments: tuple[str, ...], status: int) -> None:
    before = filled("ls", "facts").out
    ran = filled("correct", *arguments)
    assert (ran.status, ran.err.startswith("xysq: ")) == (status, True)
    assert filled("ls", "facts").out == before


def test_the_editor_gives_the_new_version(filled: Xysq, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    editor = tmp_path / "editor"
    editor.write_text('#!/bin/sh\nsed -i "s/Vienna/Graz/" "$1"\n', encoding="utf-8")
    editor.chmod(0o700)
    monkeypatch.setenv("EDITOR", str(editor))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.delenv("VISUAL", raising=False)
    before = set(tmp_path.iterdir())
    assert filled("correct", "talk", "--edit", asks=True).status == 0
    assert "Vienna" not in filled("ls", "facts", "--open").out
    assert set(tmp_path.iterdir()) == before
    monkeypatch.setenv("EDITOR", "false")
    refused = filled("correct", "talk", "--edit", asks=True)
    assert (refused.status, "nothing was changed" in refused.err) == (2, True)
