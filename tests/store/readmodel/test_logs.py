from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.builders import Story, evidence
from tests.modelled import modelled, passages_of, put_story, put_turns, text_of
from tests.store.logs_of import OTHER, SOURCE, meta_of
from xysq.model.event import RunKind
from xysq.model.source import Encoding, Row, Span, Unreadable, Version, VersionKind
from xysq.store.readmodel import Snapshot
from xysq.store.readmodel.writer import Writer

ONE, TWO = Version(SOURCE, 1), Version(SOURCE, 2)
TURNS = ("Alice: I live in Boston.", "Bob: Nice.", "Alice: It is.")


@pytest.fixture
def writer(quick_path: Path) -> Iterator[Writer]:
    with modelled(quick_path) as model, model.writing() as writing:
        yield writing


def words(state: Snapshot, version: Version) -> list[str]:
    return [passage.text for passage in state.logs.passages(version)]


def test_passages_come_back_as_they_were_read(writer: Writer) -> None:
    meta = meta_of(text_of(TURNS).encode())
    spans = (
        Span(start=0, end=3, enc=Encoding.JSON, text="a\nb"),
        Span(start=9, end=9, enc=Encoding.JSON, text=""),
        Span(start=12, end=14, enc=Encoding.JSON, text="é"),
    )
    changes: dict[str, object] = {"native": "u1", "own": True, "after_recall": True, "spans": spans}
    passages = passages_of(TURNS[:1], meta, 1, at="2026-11-30T18:02:11Z", session_kind="work", **changes)
    writer.put_version(meta, passages, [Unreadable(offset=7, reason="no JSON")])
    assert writer.state.logs.passages(ONE) == passages
    assert writer.state.logs.passage(ONE, 1) == passages[0]
    assert writer.state.logs.meta(ONE) == meta
    assert writer.state.logs.unreadable(ONE) == (Unreadable(offset=7, reason="no JSON"),)


def test_what_is_unknown_is_nothing(writer: Writer) -> None:
    logs = writer.state.logs
    assert logs.meta(ONE) is None
    assert logs.passages(ONE) == ()
    assert logs.passage(ONE, 1) is None
    assert logs.passage_at(ONE, 0, 1, Encoding.PLAIN) is None
    assert logs.last_passage(SOURCE) is None
    assert not logs.has_native(SOURCE, "u1")
    assert logs.natives(SOURCE) == frozenset()
    assert (logs.newest(SOURCE), logs.count(ONE), logs.base(ONE), logs.metas(SOURCE)) == (0, 0, None, ())


def test_a_range_takes_whole_records(writer: Writer) -> None:
    put_turns(writer, *TURNS)
    first, second, _ = writer.state.logs.passages(ONE)
    assert writer.state.logs.passages(ONE, first.end) == writer.state.logs.passages(ONE)[1:]
    assert writer.state.logs.passages(ONE, 0, second.end) == (first, second)
    assert writer.state.logs.passages(ONE, 0, second.end - 1) == (first,)


def test_an_appended_part_continues_the_passages(writer: Writer) -> None:
    put_turns(writer, *TURNS[:2])
    put_turns(writer, TURNS[2], kind=VersionKind.APPEND)
    logs = writer.state.logs
    assert words(writer.state, ONE) == ["I live in Boston.", "Nice."]
    assert words(writer.state, TWO) == ["I live in Boston.", "Nice.", "It is."]
    assert [passage.number for passage in logs.passages(TWO)] == [1, 2, 3]
    assert {passage.version for passage in logs.passages(TWO)} == {2}
    assert str(logs.passage(TWO, 3)) == f"{SOURCE}@2#3"
    assert logs.passage(ONE, 3) is None
    last = logs.last_passage(SOURCE)
    assert last is not None
    assert last.text == "It is."
    assert (logs.base(TWO), logs.count(ONE), logs.count(TWO)) == (1, 2, 3)


def test_a_continued_record_takes_the_place_of_its_beginning(writer: Writer) -> None:
    put_turns(writer, *TURNS[:2], parsed_to=len(text_of(TURNS[:1])))
    first, cut = writer.state.logs.passages(ONE)
    meta = meta_of(b"More.\n", text_of(TURNS[:2]).encode(), version=2)
    longer = passages_of(("Bob: Nice. More.",), meta, 2, start=cut.start)
    writer.put_version(meta, longer, read_from=cut.start)
    assert words(writer.state, TWO) == ["I live in Boston.", "Nice. More."]
    assert words(writer.state, ONE) == ["I live in Boston.", "Nice."]
    before = writer.state.logs.last_passage(SOURCE, before=cut.start)
    assert before is not None
    assert before.text == first.text


def test_an_update_has_passages_of_its_own(writer: Writer) -> None:
    put_turns(writer, *TURNS)
    put_turns(writer, TURNS[0], "Bob: Awful.", kind=VersionKind.UPDATE, kept=((0, 25, 0),))
    put_turns(writer, "Bob: Sorry.", kind=VersionKind.APPEND)
    assert words(writer.state, ONE) == ["I live in Boston.", "Nice.", "It is."]
    assert words(writer.state, TWO) == ["I live in Boston.", "Awful."]
    assert words(writer.state, Version(SOURCE, 3)) == ["I live in Boston.", "Awful.", "Sorry."]
    assert [meta.version for meta in writer.state.logs.bases_after(ONE)] == [2]
    assert writer.state.logs.base(Version(SOURCE, 3)) == 2


def test_the_passage_around_a_range_is_found(writer: Writer) -> None:
    put_turns(writer, *TURNS[:2])
    put_turns(writer, TURNS[2], kind=VersionKind.APPEND)
    logs = writer.state.logs
    second = logs.passages(ONE)[1].spans[0]
    for version in (ONE, TWO):
        found = logs.passage_at(version, second.start, second.end, Encoding.PLAIN)
        assert found is not None
        assert (found.number, found.version) == (2, version.number)
    assert logs.passage_at(TWO, second.start - 1, second.end, Encoding.PLAIN) is None
    assert logs.passage_at(TWO, second.start, second.end + 1, Encoding.PLAIN) is None
    assert logs.passage_at(TWO, second.start, second.end, Encoding.JSON) is None
    assert logs.passage_at(TWO, second.start, second.end, Encoding.TEXT) is None
    third = logs.passages(TWO)[2].spans[0]
    assert logs.passage_at(ONE, third.start, third.end, Encoding.PLAIN) is None


def test_passages_of_one_record_are_told_apart(writer: Writer) -> None:
    meta = meta_of(b"x" * 100)
    spans = [Span(start=place, end=place + 5, enc=Encoding.JSON, text="words") for place in (10, 20, 30)]
    passages = [
        passages_of(("A: words",), meta, number, start=0, end=100, spans=(span,))[0]
        for number, span in enumerate(spans, start=1)
    ]
    writer.put_version(meta, passages)
    found = [writer.state.logs.passage_at(ONE, span.start, span.end, Encoding.JSON) for span in spans]
    assert [passage and passage.number for passage in found] == [1, 2, 3]


def test_a_range_of_the_text_view_is_found_by_what_it_cites(writer: Writer) -> None:
    meta = meta_of(b"\xff" * 100)
    spans = [Span(start=place, end=place + 5, enc=Encoding.TEXT, text="words") for place in (0, 50)]
    passages = [
        passages_of(("A: words",), meta, number, start=70 + number, end=71 + number, spans=(span,))[0]
        for number, span in enumerate(spans, start=1)
    ]
    writer.put_version(meta, passages)
    found = writer.state.logs.passage_at(ONE, 51, 53, Encoding.TEXT)
    assert found is not None
    assert found.number == 2
    assert writer.state.logs.passage_at(ONE, 51, 53, Encoding.PLAIN) is None


def test_native_ids_of_the_newest_version_are_known(writer: Writer) -> None:
    put_turns(writer, TURNS[0], said={"native": "u1"})
    put_turns(writer, TURNS[1], kind=VersionKind.APPEND, said={"native": "u2"})
    logs = writer.state.logs
    assert logs.natives(SOURCE) == {"u1", "u2"}
    assert logs.natives(SOURCE, before=5) == {"u1"}
    assert logs.has_native(SOURCE, "u2")
    assert not logs.has_native(SOURCE, "u3")
    assert not logs.has_native(SOURCE, "")
    assert not logs.has_native(OTHER, "u1")
    put_turns(writer, TURNS[2], kind=VersionKind.UPDATE)
    assert not logs.has_native(SOURCE, "u1")


def test_the_newest_version_may_be_put_again(writer: Writer) -> None:
    put_turns(writer, *TURNS)
    meta = put_turns(writer, TURNS[0], kind=VersionKind.CORRECT, kept=((0, 25, 0),))
    writer.put_version(meta, passages_of((TURNS[0],), meta))
    assert words(writer.state, ONE) == ["I live in Boston.", "Nice.", "It is."]
    assert words(writer.state, TWO) == ["I live in Boston."]
    assert writer.state.lists.totals().passages == 4


def test_an_older_version_may_not(writer: Writer) -> None:
    meta = put_turns(writer, *TURNS)
    put_turns(writer, TURNS[0], kind=VersionKind.UPDATE)
    with pytest.raises(ValueError, match="is put after version 2"):
        writer.put_version(meta, ())


def test_a_part_needs_what_it_continues(writer: Writer) -> None:
    with pytest.raises(ValueError, match="continues a version that was not put"):
        writer.put_version(meta_of(b"more", b"some", version=2), ())


def test_a_dropped_source_leaves_nothing_and_can_be_put_again(writer: Writer) -> None:
    put_turns(writer, "Bob: Hello.", source=OTHER)
    put_turns(writer, *TURNS)
    put_turns(writer, TURNS[0], kind=VersionKind.UPDATE, kept=((0, 25, 0),))
    writer.drop_source(SOURCE)
    assert [line.source for line in writer.state.logs.sources()] == [OTHER]
    assert (writer.state.logs.count(ONE), writer.state.lists.totals().passages) == (0, 1)
    assert writer.state.index.frequency('"Boston"') == 0
    put_turns(writer, *TURNS)
    assert writer.state.index.frequency('"Boston"') == 1


def test_sources_are_listed_newest_push_first(writer: Writer) -> None:
    put_turns(writer, *TURNS, name="standup", project="/p")
    put_turns(writer, "Bob: Hello.", source=OTHER, pushed_at="2026-12-01T00:00:00Z", title="Hello")
    lines = writer.state.logs.sources()
    assert [(line.source, line.passages, line.title) for line in lines] == [(OTHER, 1, "Hello"), (SOURCE, 3, "Notes")]
    assert [line.source for line in writer.state.logs.sources(project="/p")] == [SOURCE]
    assert [line.source for line in writer.state.logs.sources(name="standup")] == [SOURCE]
    assert [line.source for line in writer.state.logs.sources(prefix="20261130-z")] == [OTHER]
    assert len(writer.state.logs.sources(limit=1)) == 1


def cover(writer: Writer, *rows: Row) -> None:
    story = Story()
    story.commit(kind=RunKind.DISTILL, rows=rows)
    put_story(writer, story)


def test_a_source_is_due_until_a_run_covers_it(writer: Writer) -> None:
    size = put_turns(writer, *TURNS).whole.size
    assert writer.state.logs.due_sources() == (SOURCE,)
    cover(writer, Row(SOURCE, 1, 0, 40))
    assert writer.state.logs.due_sources() == (SOURCE,)
    cover(writer, Row(SOURCE, 1, 0, 40), Row(SOURCE, 1, 40, size))
    assert writer.state.logs.due_sources() == ()
    assert writer.state.logs.covered(SOURCE) == (Row(SOURCE, 1, 0, 40), Row(SOURCE, 1, 40, size))


def test_new_bytes_make_a_covered_source_due_again(writer: Writer) -> None:
    size = put_turns(writer, *TURNS).whole.size
    cover(writer, Row(SOURCE, 1, 0, size))
    put_turns(writer, "Bob: More.", kind=VersionKind.APPEND)
    assert writer.state.logs.due_sources() == (SOURCE,)


def test_what_a_correction_kept_is_no_new_work(writer: Writer) -> None:
    size = put_turns(writer, *TURNS).whole.size
    cover(writer, Row(SOURCE, 1, 0, size))
    put_turns(writer, *TURNS, kind=VersionKind.CORRECT, kept=((0, size, 0),))
    assert writer.state.logs.due_sources() == ()


def test_what_a_correction_removed_is_work_no_more(writer: Writer) -> None:
    size = put_turns(writer, *TURNS).whole.size
    put_turns(writer, "Bob: No.", kind=VersionKind.CORRECT)
    cover(writer, Row(SOURCE, 2, 0, 9))
    assert size != 9
    assert writer.state.logs.due_sources() == ()


def test_what_an_update_lacks_is_still_work(writer: Writer) -> None:
    put_turns(writer, *TURNS)
    put_turns(writer, "Bob: No.", kind=VersionKind.UPDATE)
    cover(writer, Row(SOURCE, 2, 0, 9))
    assert writer.state.logs.due_sources() == (SOURCE,)


def test_quotes_of_versions_not_put_yet_are_no_trouble(writer: Writer) -> None:
    story = Story()
    story.page("alice").assert_("f-0000000001", evidence=(evidence("x", version=7),))
    put_story(writer, story)
    assert [fact.id for fact in writer.state.lists.facts_citing(SOURCE)] == ["f-0000000001"]
