"""Files that people really have: nothing crashes, every span is its words, every fault has an offset."""

from pathlib import Path

import pytest

from tests.builders import SOURCE
from xysq.model.source import Encoding, Role, decode_span
from xysq.readers.detect import detect, identify
from xysq.readers.encoding import needs_view
from xysq.readers.reading import Reading, ReadRequest, framed_to, read
from xysq.readers.view import make_view

TRANSCRIPTS = Path(__file__).parents[3] / "shared" / "transcripts"
FILES = sorted(path for path in TRANSCRIPTS.rglob("*") if path.is_file()) if TRANSCRIPTS.is_dir() else []
LARGE = 400_000

pytestmark = pytest.mark.skipif(not FILES, reason="the folder of public transcripts is not here")


def reading_of(data: bytes, name: str) -> tuple[str, Reading]:
    found = detect(data, name)
    view = make_view(data) if needs_view(data, line_records=found == "claude-code") else None
    reading = read(ReadRequest(source=SOURCE, version=1, data=data, format=found, enc_view=view))
    last = -1
    for number, passage in enumerate(reading.passages, 1):
        assert passage.number == number
        assert last < passage.start < passage.end <= len(data)
        last = passage.start
        for span in passage.spans:
            cited = view.text if view is not None and span.enc is Encoding.TEXT else data
            assert decode_span(cited[span.start : span.end], span.enc) == span.text
    assert all(0 <= record.offset <= len(data) for record in reading.unreadable)
    assert 0 <= reading.parsed_to <= len(data)
    assert reading.parsed_to == framed_to(found, data, 0, view=view)
    return found, reading


@pytest.mark.parametrize("place", range(8))
def test_every_file_is_read_and_every_span_is_its_words(place: int) -> None:
    for path in FILES[place::8]:
        data = path.read_bytes()
        if len(data) < LARGE:
            found, _ = reading_of(data, path.name)
            identify(found, data)


def test_a_large_session_is_read() -> None:
    large = [path for path in FILES if path.stat().st_size >= LARGE and "claude_code" in path.parts]
    for path in large[:1]:
        found, reading = reading_of(path.read_bytes(), path.name)
        assert found == "claude-code"
        assert reading.unreadable == ()
        roles = [passage.role for passage in reading.passages]
        assert roles.count(Role.USER) < 0.1 * len(roles)


def test_only_sessions_are_taken_for_sessions() -> None:
    for path in FILES:
        if path.stat().st_size < LARGE and detect(path.read_bytes(), path.name) == "claude-code":
            assert {"claude_code", "claude", "claude-code", "derived"} & set(path.parts)


def test_a_broken_session_loses_only_what_is_broken() -> None:
    derived = TRANSCRIPTS / "nasty" / "derived"
    for name in ("cc_nul_run_glued.jsonl", "cc_truncated_last_line.jsonl", "cc_two_objects_one_line.jsonl"):
        _, reading = reading_of((derived / name).read_bytes(), name)
        assert len(reading.passages) > 10
        assert len(reading.unreadable) <= 2
    _, once = reading_of((derived / "cc_crlf_bom.jsonl").read_bytes(), "x")
    _, wide = reading_of((derived / "cc_utf16le_bom.jsonl").read_bytes(), "x")
    assert [passage.native for passage in once.passages] == [passage.native for passage in wide.passages]
    _, twice = reading_of((derived / "cc_replayed_after_compaction.jsonl").read_bytes(), "x")
    natives = [passage.native for passage in twice.passages]
    assert len(set(natives)) == len(natives)


def test_mails_and_captions_are_not_taken_for_talks() -> None:
    for path in FILES:
        if {"email", "jsontestsuite", "srt"} & set(path.parts) and path.stat().st_size < LARGE:
            assert detect(path.read_bytes(), path.name) == "text"
