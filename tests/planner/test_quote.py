"""A drafted quote becomes evidence only with the log's own bytes, and with who said them as the log has it."""

from dataclasses import replace

import pytest

from tests.archive import LiteralArchive, assistant, turn, user
from xysq.ledger.fold import Fold
from xysq.model.draft import DraftQuote
from xysq.model.fact import Evidence
from xysq.model.plan import DropCode
from xysq.model.settings import Limits
from xysq.model.source import Channel, Encoding, Role, Span, VersionKind
from xysq.model.state import State
from xysq.planner.quote import Quoting, Unquotable

ONE = 'We use Postgres. "It is fine," I said… Really.\nThe 2nd line'


def quoting(archive: LiteralArchive, *, limits: Limits | None = None) -> Quoting:
    passages = [passage for version in archive.read for passage in archive.read[version]]
    return Quoting(passages, State(ledger=Fold(), archive=archive, limits=limits or Limits()), archive.raw)


def cite(archive: LiteralArchive, number: int = 1, **changes: object) -> Evidence | Unquotable:
    return quoting(archive).cite(DraftQuote(passage=number, **changes))  # type: ignore[arg-type]


@pytest.fixture
def archive() -> LiteralArchive:
    archive = LiteralArchive()
    archive.push("talk", turn(ONE), turn("Grüße 🙂 from \t tab", json=True), assistant("I think so."))
    return archive


def words(found: Evidence | Unquotable) -> str:
    assert isinstance(found, Evidence)
    return found.quote


def code(found: Evidence | Unquotable) -> DropCode:
    assert isinstance(found, Unquotable)
    return found.code


def test_a_sentence_is_pointed_at_by_its_number(archive: LiteralArchive) -> None:
    assert words(cite(archive, sentence=1)) == "We use Postgres."
    assert words(cite(archive, sentence=4)) == "The 2nd line"


def test_a_sentence_that_does_not_exist_is_no_quote(archive: LiteralArchive) -> None:
    assert code(cite(archive, sentence=5)) is DropCode.QUOTE_MISMATCH


def test_a_passage_that_does_not_exist_is_no_quote(archive: LiteralArchive) -> None:
    assert code(cite(archive, 4)) is DropCode.QUOTE_MISMATCH


def test_typed_words_take_the_bytes_of_the_log(archive: LiteralArchive) -> None:
    assert words(cite(archive, text="we use  POSTGRES. “it is")) == 'We use Postgres. "It is'


def test_words_that_are_not_in_the_passage_are_no_quote(archive: LiteralArchive) -> None:
    assert code(cite(archive, text="We use MySQL.")) is DropCode.QUOTE_MISMATCH


def test_a_sentence_number_tells_equal_words_apart(archive: LiteralArchive) -> None:
    archive.push("more", turn("Tea today. Really, TEA."))
    found = cite(archive, 4, sentence=2, text="tea")
    assert words(found) == "TEA"


def test_neither_number_nor_words_is_the_whole_passage(archive: LiteralArchive) -> None:
    assert words(cite(archive)) == ONE


def test_the_cited_bytes_say_the_quote_in_every_encoding(archive: LiteralArchive) -> None:
    for number, text in ((1, "2nd line"), (2, "🙂 from \t"), (2, "Grüße")):
        found = cite(archive, number, text=text)
        assert isinstance(found, Evidence)
        assert archive.words(found) == found.quote == text.strip()
        assert found.enc is (Encoding.JSON if number == 2 else Encoding.PLAIN)


def test_evidence_tells_speaker_role_time_channel_and_passage(archive: LiteralArchive) -> None:
    found = cite(archive, 3, sentence=1)
    assert isinstance(found, Evidence)
    assert (found.role, found.speaker, found.passage, found.channel) == (Role.ASSISTANT, "", 3, Channel.CLI)
    assert found.at == "2026-11-30T18:02:11Z"


def test_nothing_is_observed_after_it_was_pushed() -> None:
    archive = LiteralArchive()
    archive.push("talk", turn("I live in Boston.", at="2031-01-01T00:00:00Z"), pushed_at="2026-12-01T00:00:00Z")
    found = cite(archive)
    assert isinstance(found, Evidence)
    assert found.at == "2026-12-01T00:00:00Z"


def test_an_unknown_time_stays_unknown() -> None:
    archive = LiteralArchive()
    archive.push("talk", turn("I live in Boston.", at=None))
    found = cite(archive)
    assert isinstance(found, Evidence)
    assert found.at is None


def test_words_across_two_spans_are_no_quote(archive: LiteralArchive) -> None:
    version = min(archive.read)
    first = archive.read[version][0]
    span = first.spans[0]
    halves = (
        Span(start=span.start, end=span.start + 16, enc=span.enc, text=ONE[:16]),
        Span(start=span.start + 17, end=span.end, enc=span.enc, text=ONE[17:]),
    )
    split = replace(first, spans=halves)
    quotes = Quoting([split], State(ledger=Fold(), archive=archive, limits=Limits()), archive.raw)
    crossing = quotes.cite(DraftQuote(passage=1, text='Postgres. "It'))
    assert code(crossing) is DropCode.QUOTE_MISMATCH
    inside = quotes.cite(DraftQuote(passage=1, text='"It is fine,"'))
    assert isinstance(inside, Evidence)
    assert archive.words(inside) == inside.quote


def test_recall_output_is_own_words_and_what_follows_it_is_not() -> None:
    archive = LiteralArchive()
    archive.push("talk", user("<xysq-recall>\nMia likes tea.\n</xysq-recall>\nI prefer coffee."))
    assert code(cite(archive, text="Mia likes tea.")) is DropCode.OWN_WORDS
    assert words(cite(archive, text="I prefer coffee.")) == "I prefer coffee."


def test_the_result_of_an_own_tool_is_own_words() -> None:
    archive = LiteralArchive()
    archive.push("talk", turn("Mia likes tea.", role=Role.TOOL, own=True), turn("Mia likes tea.", role=Role.TOOL))
    assert code(cite(archive, 1)) is DropCode.OWN_WORDS
    assert words(cite(archive, 2)) == "Mia likes tea."


def test_words_that_a_correction_removed_are_no_quote_and_its_new_words_are() -> None:
    archive = LiteralArchive()
    said = [turn("I work at Acme."), turn("I live in Boston.")]
    archive.push("talk", *said)
    archive.correct("talk", "Acme", "Apex", "2026-12-01T00:00:00Z", said)
    assert code(cite(archive, 1)) is DropCode.QUOTE_MISMATCH
    assert words(cite(archive, 2)) == "I live in Boston."
    assert words(cite(archive, 3)) == "I work at Apex."


def test_a_quote_longer_than_allowed_is_none() -> None:
    archive = LiteralArchive()
    archive.push("talk", turn("I live in Boston."))
    narrow = quoting(archive, limits=Limits(quote_bytes=16))
    assert code(narrow.cite(DraftQuote(passage=1))) is DropCode.QUOTE_MISMATCH
    assert words(narrow.cite(DraftQuote(passage=1, text="I live in Boston"))) == "I live in Boston"


def test_bytes_keep_the_channel_of_the_version_that_brought_them() -> None:
    archive = LiteralArchive()
    archive.push("talk", user("I live in Boston."), channel=Channel.HOOK)
    archive.push("talk", user("I like tea."), channel=Channel.MCP, kind=VersionKind.APPEND)
    (old, new) = [quoting(archive).cite(DraftQuote(passage=number)) for number in (2, 3)]
    assert isinstance(old, Evidence)
    assert isinstance(new, Evidence)
    assert (old.cited.number, old.channel, new.channel) == (2, Channel.HOOK, Channel.MCP)


def test_a_correction_keeps_the_channel_of_what_it_kept() -> None:
    archive = LiteralArchive()
    said = [user("I work at Acme."), user("I live in Boston.")]
    archive.push("talk", *said, channel=Channel.MCP)
    archive.correct("talk", "Acme", "Apex", "2026-12-01T00:00:00Z", said)
    kept, mixed, new = [
        quoting(archive).cite(DraftQuote(passage=number, text=text))
        for number, text in ((4, "I live in Boston."), (3, "at Apex"), (3, "Apex"))
    ]
    channels = [piece.channel for piece in (kept, mixed, new) if isinstance(piece, Evidence)]
    assert channels == [Channel.MCP, Channel.MCP, Channel.CLI]
