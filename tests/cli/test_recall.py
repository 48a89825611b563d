import json

from tests.cli.conftest import Xysq
from xysq.readers.recall import closes, opens


def test_recall_prints_a_fenced_block(filled: Xysq) -> None:
    ran = filled("recall", "Where", "does", "Nora", "live?")
    lines = ran.out.splitlines()
    assert ran.status == 0
    assert opens(lines[0].encode())
    assert closes(lines[-1].encode())
    assert "Nora lives in Vienna." in ran.out
    assert ran.err == ""


def test_recall_is_json_where_that_is_wanted(filled: Xysq) -> None:
    for option in (("--format", "json"), ("--json",)):
        recalled = json.loads(filled("recall", "Where does Nora live?", *option).out)
        assert [fact["text"] for fact in recalled["facts"]] == ["Nora lives in Vienna."]
        assert recalled["text"].startswith("<xysq-recall ")


def test_recall_says_that_nothing_is_known(filled: Xysq) -> None:
    ran = filled("recall", "quantum", "chromodynamics")
    assert ran.status == 0
    assert "nothing about quantum chromodynamics in memory (searched 3 passages, 3 facts, 1 source)" in ran.out


def test_recall_explains_what_it_left_out(filled: Xysq) -> None:
    ran = filled("recall", "parser trains hovercraft submarine eels", "--explain")
    assert "left out  f-" in ran.err
    assert "of what was asked" in ran.err
    assert "left out" not in ran.out


def test_recall_keeps_to_its_budget_and_to_places(filled: Xysq) -> None:
    assert filled("recall", "Nora", "--budget", "5").status == 2
    assert len(filled("recall", "Nora trains", "--budget", "100").out) <= 400
    assert "nothing about" in filled("recall", "Nora trains", "--here").out
    assert "nothing about" in filled("recall", "Nora trains", "--as-of", "2001-01-01").out


def test_search_shows_only_what_matches_and_context_below_it(filled: Xysq) -> None:
    piped = filled("search", "deadline", "--in", "logs").out.splitlines()
    assert [row.split("\t")[3] for row in piped] == ["The deadline for the parser is 12 December."]
    shown = filled("search", "deadline", "--in", "logs", is_terminal=True).out.splitlines()
    assert ["beside" in row for row in shown[::2]] == [False, True, True]
    hits = json.loads(filled("search", "deadline", "--in", "logs", "--json").out)["hits"]
    assert {hit["beside"] for hit in hits} == {"", hits[0]["id"]}


def test_search_takes_composed_queries_and_times(filled: Xysq) -> None:
    assert len(filled("search", "speaker:emil").out.splitlines()) == 2
    assert filled("search", "parser NOT speaker:emil", "--in", "logs").out == ""
    assert "parser" in filled("search", "parser", "--since", "last week", "--committed").out
    assert filled("search", "parser", "--as-of", "2001-01-01").out == ""


def test_search_tells_what_was_probably_meant(filled: Xysq) -> None:
    assert filled("search", "dedline").err == "nothing found\ndid you mean: deadline\n"
    assert filled("search", "zebra").err == "nothing found\n"
    assert filled("search", "dedline", "-q").err == ""


def test_search_says_what_of_a_query_it_did_not_understand(filled: Xysq) -> None:
    assert filled("search", "page:nobody", "x").err == "no page is called 'nobody'\nnothing found\n"


def test_search_explains_itself(filled: Xysq) -> None:
    text = filled("search", "deadline parser trains", "--explain", "--limit", "1").out
    assert "has deadline, parser" in text
    assert "left out" in text
    told = json.loads(filled("search", "deadline parser trains", "--explain", "--limit", "1", "--json").out)
    assert all(hit["why"] for hit in told["hits"])
    assert all(out["reason"] for out in told["left_out"])


def test_the_query_language_is_explained(filled: Xysq) -> None:
    assert "speaker:Maya" in filled("help", "query").out


def test_bytes_that_are_no_text_are_answered_like_any_words(filled: Xysq) -> None:
    names = ("show", "why", "history", "search", "recall", "ls facts --page", "ls facts --source")
    options = ("--speaker", "--page", "--project", "--since", "--as-of")
    for command in (*names, *(f"search x {option}" for option in options)):
        assert filled(*command.split(), "\udcff").status in (0, 1, 2), command
