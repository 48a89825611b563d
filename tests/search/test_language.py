from collections.abc import Iterator
from datetime import UTC, datetime
from functools import partial

import pytest

from tests.modelled import modelled, put_story, put_turns, quote_of
from tests.search.test_find import TURNS, told
from tests.store.logs_of import OTHER, SOURCE
from tests.store.scratch import scratch
from xysq.model.fact import Slug
from xysq.model.source import SourceId
from xysq.search.find import find
from xysq.search.hit import Place
from xysq.search.syntax import MAX_COMPOSED, Setting, is_composed, read, suggest
from xysq.store.readmodel.writer import Writer

NOW = datetime(2026, 12, 1, 10, 30, tzinfo=UTC)
PAGES = {"alice": (Slug("alice"),), "al": (Slug("alice"), Slug("albert"))}
SOURCES = {"talk": (SOURCE,), "notes": (OTHER,)}


@pytest.fixture(scope="module")
def writer() -> Iterator[Writer]:
    """Return a read model that stays as it is: TURNS with facts about Alice, and notes of October."""
    with scratch() as path, modelled(path) as model, model.writing() as writing:
        told(writing)
        notes = (
            "Carol: The kiln reaches 1200 degrees.",
            "Carol: Bowls crack when they cool too fast.",
            "Carol: I run.",
        )
        put_turns(writing, *notes, source=OTHER, said={"at": "2026-10-03T09:00:00Z"})
        yield writing


def setting(writer: Writer) -> Setting:
    return Setting(
        index=writer.state.index,
        now=NOW,
        pages=lambda name: PAGES.get(name.casefold(), ()),
        sources=lambda name: SOURCES.get(name, ()),
    )


def passages(writer: Writer, words: str) -> set[str]:
    query = read(words, setting(writer))
    hits = find(writer.state.index, query, where=(Place.LOGS,), limit=50)
    return {_short(hit.id) for hit in hits if not hit.beside}


def _short(name: str) -> str:
    source, _, number = name.partition("#")
    return f"{'n' if source.startswith(OTHER) else 't'}{number}"


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ('"pottery class"', {"t2"}),
        ('"class pottery"', set()),
        ('"pottery class" boston', {"t2"}),
        ("pottery OR glazing", {"t2", "t5"}),
        ("bowls AND lovely", {"t4"}),
        ("bowls AND NOT lovely", {"n2"}),
        ("bowls NOT lovely", {"n2"}),
        ("(bowls OR kiln) AND (crack OR degrees)", {"n1", "n2"}),
        ("bowls OR pottery AND class", {"t2", "t4", "n2"}),
        ("speaker:bob", {"t2", "t4", "t6"}),
        ("speaker:bob bowls", {"t4"}),
        ("bowls speaker:carol", {"n2"}),
        ("bowls NOT speaker:carol", {"t4"}),
        ("speaker:bob OR speaker:carol", {"t2", "t4", "t6", "n1", "n2", "n3"}),
        ("(speaker:bob OR speaker:carol) bowls", {"t4", "n2"}),
        ('speaker:"carol" kiln', {"n1"}),
        ("source:notes", {"n1", "n2", "n3"}),
        ("source:notes bowls", {"n2"}),
        ("page:alice", {"t7"}),
        ("page:Al", {"t7"}),
        ("on:2026-10-03", {"n1", "n2", "n3"}),
        ("before:2026-11 bowls", {"n2"}),
        ("after:2026-10 bowls", {"t4"}),
        ('bowls after:"last october"', {"t4"}),
        ('bowls after:"last month"', set()),
        ("bowls on:october", {"n2"}),
        ("bowls on:2026", {"t4", "n2"}),
        ("potte*", {"t2"}),
        ("glaz*", {"t5"}),
        ("runn*", {"n3"}),
        ("crackling*", set()),
        ("potery~", {"t2"}),
        ("glasing~", {"t5"}),
        ("killn~ OR potery~", {"n1", "t2"}),
        ("pxxtery~", set()),
        ("pxxtery~2", {"t2"}),
        ("NOT speaker:bob NOT speaker:alice", {"n1", "n2", "n3"}),
    ],
)
def test_composed_queries_find_what_they_demand(writer: Writer, words: str, expected: set[str]) -> None:
    assert is_composed(words)
    assert passages(writer, words) == expected


def test_fields_alone_come_newest_first(writer: Writer) -> None:
    hits = find(writer.state.index, read("NOT speaker:bob", setting(writer)), where=(Place.LOGS,))
    assert [hit.at for hit in hits] == sorted((hit.at for hit in hits), reverse=True)


def test_facts_and_prose_are_demanded_of_too(writer: Writer) -> None:
    ask = partial(find, writer.state.index, where=(Place.FACTS, Place.PAGES))
    assert {hit.id for hit in ask(read("page:alice Boston", setting(writer)))} == {
        "f-0000000001",
        "b-0000000001",
        "b-0000000002",
    }
    assert {hit.id for hit in ask(read("Boston NOT trip", setting(writer)))} == {"f-0000000001", "b-0000000001"}
    assert {hit.id for hit in ask(read("Boston speaker:Alice", setting(writer)))} == {"f-0000000001"}
    assert ask(read("Boston speaker:Bob", setting(writer))) == ()


@pytest.mark.parametrize(
    ("words", "note"),
    [
        ("page:nobody bowls", "no page is called 'nobody'"),
        ("source:nothing bowls", "no source is called 'nothing'"),
        ("on:fire", "'fire' is no time"),
    ],
)
def test_what_is_not_understood_finds_nothing_and_is_told(writer: Writer, words: str, note: str) -> None:
    query = read(words, setting(writer))
    assert [told[: len(note)] for told in query.notes] == [note]
    assert passages(writer, words) == set()


@pytest.mark.parametrize(
    "words",
    [
        "what's on at the state-of-the-art kiln?",
        "src/search/query.py:42",
        "http://example.org/a?b=c",
        "page: 3 of the book",
        "5 * 3 ~ 15",
        "rock and roll or jazz, not blues",
        "THIS IS LOUD AND CLEAR",
        'an inch is 1"',
        "(pottery) [class] {bowls}",
        "re: the meeting at 10:30",
        "C:\\Users\\bob",
        "a^2 + b^2",
        "",
        '"',
    ],
)
def test_ordinary_questions_are_plain_words(words: str) -> None:
    assert not is_composed(words)


@pytest.mark.parametrize("words", ["(" * 30 + '"a b"' + ")" * 30, '"a b" ' + "x " * MAX_COMPOSED])
def test_what_nobody_types_is_plain_words(words: str) -> None:
    assert not is_composed(words)


def test_a_composed_query_may_hold_anything(writer: Writer) -> None:
    assert passages(writer, "\"don't stop\" OR src/a-b.py OR 北京* OR it's? OR C++~ OR (((bowls") >= {"t4", "n2"}


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        ("potery", "pottery"),
        ("glaxing", "glazing"),
        ("potery clas", "pottery class"),
        ("zebra", ""),
        ("xyz", ""),
        ("pottery", ""),
        ("", ""),
    ],
)
def test_what_was_probably_meant_is_told(writer: Writer, words: str, meant: str) -> None:
    assert suggest(words, writer.state.index) == meant


def test_an_empty_vault_knows_no_words() -> None:
    with scratch() as path, modelled(path) as model, model.writing() as empty:
        assert suggest("potery", empty.state.index) == ""
        assert passages(empty, "potery~ OR pott*") == set()


def test_a_source_that_ends_in_superseded_words_marks_them_whatever_the_query() -> None:
    with scratch() as path, modelled(path) as model, model.writing() as writing:
        story = told(writing)
        story.page("alice").supersede("f-0000000009", "f-0000000001", "Berlin", evidence=(quote_of(TURNS, "sister"),))
        put_story(writing, story)
        hits = find(writing.state.index, read('"live in Boston"', setting(writing)))
        assert hits
        assert all("superseded on 2026-11-30 by f-0000000009" in map(str, hit.marks) for hit in hits)


@pytest.mark.parametrize(
    "words", [" OR ".join("abcdefghij" * 19), "NOT " * 240 + "x", "a~2 " * 240, '"a" ' * 240, "(a OR " * 19]
)
def test_a_query_as_long_as_may_be_is_answered(writer: Writer, words: str) -> None:
    assert is_composed(words)
    assert passages(writer, words) <= {f"{where}{number}" for where in "tn" for number in range(1, 8)}


@pytest.mark.parametrize("words", ["bowls NOT OR lovely", "NOT OR ", "AND (OR) bowls AND NOT", "() OR NOT ()"])
def test_operators_without_anything_between_are_no_trouble(writer: Writer, words: str) -> None:
    assert passages(writer, words) <= {"t4", "n2"}


def test_names_are_those_of_the_setting(writer: Writer) -> None:
    assert SourceId("20261130-zzzzzz") == OTHER
    assert passages(writer, "source:talk") == {f"t{number}" for number in range(1, 8)}
