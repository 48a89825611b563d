"""`xysq revert`, as typed."""

import json

import pytest

from tests.cli.conftest import Xysq

POISON = b"Nora: I live in Rome.\n\nEmil: I see.\n\nZoe: I live in Ghent.\n"


@pytest.fixture
def poisoned(filled: Xysq) -> Xysq:
    """Return the program where a second source said otherwise."""
    assert filled("push", "-", "--format", "turns", "--source", "poison", stdin=POISON).status == 0
    assert filled("distill").status == 0
    assert "Nora lives in Rome." in filled("ls", "facts", "--open").out
    return filled


def test_a_source_is_taken_back_and_told_and_taken_back_again(poisoned: Xysq) -> None:
    ran = poisoned("revert", "--source", "poison")
    assert (ran.status, ran.err) == (0, "")
    assert [line.split()[1] for line in ran.out.splitlines() if line.startswith("    ") and "f-" in line] == [
        "asserted",
        "closed",
        "closed",
    ]
    assert "removed page zoe, which nothing else stands on" in ran.out
    run = ran.out.split()[0]
    assert ran.out.endswith(f"Taken back by: xysq revert {run}\n")
    assert "Nora lives in Vienna." in poisoned("ls", "facts", "--open").out
    assert "reverted" in poisoned("why", "Zoe lives in Ghent.").out
    assert poisoned("distill").err == "nothing pending\n"
    assert poisoned("revert", run[:-2]).status == 0
    assert "Nora lives in Rome." in poisoned("ls", "facts", "--open").out
    assert poisoned("fsck").status == 0


def test_a_run_is_taken_back_and_json_tells_it(poisoned: Xysq) -> None:
    run = poisoned("ls", "runs").out.split("\t")[0]
    document = json.loads(poisoned("revert", run, "--json").out)
    assert (document["target"], document["removed_pages"], document["withdrawn"]) == (run, ["zoe"], 0)
    assert [told["text"] for told in document["run"]["asserted"]] == ["Nora lives in Vienna."]
    again = poisoned("revert", run, "--json")
    error = json.loads(again.out)["error"]
    assert (again.status, error["code"]) == (1, "already-reverted")
    assert error["hint"] == f"xysq revert {document['run']['run']} takes that back"


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        ((), 2, "a run, or a source"),
        (("r-1", "--source", "talk"), 2, "a run, or a source"),
        (("r-2099",), 1, "no id named 'r-2099'"),
        (("r-",), 2, "could be any of"),
        (("talk",), 1, "xysq revert --source talk"),
        (("--source", "nobody"), 1, "no source named 'nobody'"),
    ],
)
def test_what_cannot_be_taken_back_is_said(filled: Xysq, arguments: tuple[str, ...], status: int, words: str) -> None:
    before = filled("ls", "runs").out
    ran = filled("revert", *arguments)
    assert (ran.status, ran.err.startswith("xysq: "), words in ran.err) == (status, True, True)
    assert filled("ls", "runs").out == before
