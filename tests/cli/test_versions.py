"""`xysq diff SOURCE@1 SOURCE@2`, `history SOURCE` and `show SOURCE@N`, as typed."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import TALK, Xysq
from xysq.vault.api import Vault


@pytest.fixture
def corrected(filled: Xysq) -> Xysq:
    """Return a vault whose source `talk` was corrected and then grew."""
    assert filled("correct", "talk", "--replace", "Vienna", "Graz").status == 0
    grown = f"{TALK}\nEmil: I like \x1b[31mtea.\n".encode()
    assert filled("push", "-", "--source", "talk", "--format", "turns", stdin=grown).status == 0
    return filled


def test_the_words_of_two_versions_are_compared_and_the_facts_that_ended_told(corrected: Xysq) -> None:
    ran = corrected("diff", "talk@1", "talk@2")
    assert ran.status == 0
    assert "- Nora: I live in Vienna.\n+ Nora: I live in Graz.\n" in ran.out
    assert "closed" in ran.out
    assert "tea" not in ran.out
    assert corrected("diff", "talk@1..talk@2").out == ran.out
    assert "- Nora" not in corrected("diff", "talk@1", "talk@2", "--facts").out


def test_without_a_second_version_it_is_the_newest_and_words_are_fit_for_a_terminal(corrected: Xysq) -> None:
    out = corrected("diff", "talk@1").out
    assert "+ Emil: I like \\x1b[31mtea." in out
    assert out == corrected("diff", "talk@1", "talk@3").out
    assert "\x1b" not in corrected("diff", "talk@2", "talk@3", "--patch").out


def test_the_other_way_round_the_signs_are_turned(corrected: Xysq) -> None:
    assert "- Nora: I live in Graz.\n+ Nora: I live in Vienna.\n" in corrected("diff", "talk@2", "talk@1").out
    assert corrected("diff", "talk@3", "talk@1", "--stat").out.endswith("facts: 1 closed\n")


def test_the_answer_is_one_document(corrected: Xysq) -> None:
    found = json.loads(corrected("diff", "talk@1", "talk@2", "--json").out)
    assert (found["same"], [end["reason"] for end in found["closed"]]) == (False, ["corrected"])
    assert [one["sign"] for hunk in found["words"] for one in hunk["lines"]].count("-") == 1
    assert found["patch"].startswith("--- ")


def test_equal_versions_end_with_6_where_that_is_asked_for(corrected: Xysq) -> None:
    assert corrected("diff", "talk@2", "talk@2").out.endswith("no difference\n")
    assert corrected("diff", "talk@2", "talk@2", "--exit-code").status == 6
    assert corrected("diff", "talk@1", "talk@2", "--exit-code").status == 0
    assert corrected("diff", "talk@2", "talk@2", "--patch").out == ""


def test_bytes_that_differ_behind_equal_words_are_told(filled: Xysq, tmp_path: Path) -> None:
    spaced = tmp_path / "spaced.txt"
    spaced.write_text(TALK.replace("\n\n", "\n\n\n"), encoding="utf-8")
    assert filled("correct", "talk", str(spaced)).status == 0
    assert "the words are the same, the bytes are not" in filled("diff", "talk@1", "talk@2").out
    assert "@@" in filled("diff", "talk@1", "talk@2", "--patch").out


def test_bytes_in_no_encoding_are_compared_too(filled: Xysq, tmp_path: Path) -> None:
    for name, data in (("old", b"\x00\xff\xfe one\n"), ("new", b"\x00\xff\xfe two\n")):
        (tmp_path / name).write_bytes(data)
    assert filled("push", "old", "--source", "odd").status == 0
    assert filled("correct", "odd", "new").status == 0
    assert "\n-\\x00\\xff\\xfe one\n+\\x00\\xff\\xfe two\n" in filled("diff", "odd@1", "odd@2", "--patch").out
    assert filled("show", "odd@1", "--raw").raw == b"\x00\xff\xfe one\n"


@pytest.mark.parametrize(
    ("arguments", "status", "told"),
    [
        (("talk@1", "talk@9"), 1, "the newest one is"),
        (("nothing@1",), 1, "no source named 'nothing'"),
        (("talk@1", "HEAD"), 2, "is no version"),
        (("talk@1", "other@1"), 2, "versions of two sources"),
        (("talk@1", "--page", "nora"), 2, "are about pages"),
    ],
)
def test_what_cannot_be_compared_is_said(corrected: Xysq, arguments: tuple[str, ...], status: int, told: str) -> None:
    assert corrected("push", "-", "--source", "other", stdin=b"Nora: Hello.\n").status == 0
    ran = corrected("diff", *arguments)
    assert (ran.status, told in ran.err) == (status, True)


def test_versions_and_passages_go_by_the_name_of_their_source_and_its_history_tells_of_them(corrected: Xysq) -> None:
    assert "I live in Graz." in corrected("show", "talk@2").out
    assert corrected("show", "talk@1", "--raw").raw == TALK.encode()
    assert "I live in Vienna." in corrected("show", "talk@1#1").out
    assert corrected("show", "talk@9").status == 1
    told = [line.split("\t")[3].split(":")[0] for line in corrected("history", "talk").out.splitlines()]
    assert [one for one in told if one != "distill"] == ["append", "correct", "push"]
    assert corrected("revert", "--source", "talk").status == 0
    assert corrected("history", "talk").out.split("\n")[0].split("\t")[3].startswith("revert")


def test_python_compares_versions(corrected: Xysq, tmp_path: Path) -> None:
    root = next(path.parent for path in tmp_path.rglob("xysq.yaml"))
    with Vault.open(root) as vault:
        found = vault.diff_versions("talk@1", "talk@2")
        assert [end.reason for end in found.closed] == ["corrected"]
        assert not vault.diff_versions("talk@2", "talk@2")
