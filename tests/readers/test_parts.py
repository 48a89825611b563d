"""The law of growing logs: reading in parts gives the passages that reading at once gives."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.builders import SOURCE
from xysq.model.settings import Me
from xysq.model.source import Passage, decode_span
from xysq.readers.reading import Reading, ReadRequest, framed_to, read
from xysq.readers.view import continued, join_views, make_view

ME = Me(name="Ada Moor", aliases=("ada",))

TEXT = (
    "word one",
    "  indented",
    "",
    "   ",
    "<xysq-recall query='x'>",
    "</xysq-recall>",
    "ünï – 😀",
    "\x00\x00",
    "a\r",
    "\r",
)
TURNS = (
    "Alice: I moved to Oslo.", "Bob: why?",
    "**Alice:** because", "User:", "user: hi", "nick: hello there", "nick: \x00", "Alice:",
    "", "  ", "8 May 2023", "## 2026-11-30", "[10:32] Bob: morning", "[2026-11-30 10:32] Eve: hm", "more words",
    "=== Bob left", "Note: no name", "<xysq-recall>", "</xysq-recall>", "Assistant: sure", "Kelly  0:45", "Ünal: ja",
    "[06/20/20 00:08] You were added", "replicas: 3", "```", "```", "Bob: ```py", "~~~~",
)  # fmt: skip
MARKDOWN = (
    "# Title", "## More ##", "para", "", "", "- item", "  - nested", "  more of it", "1. one", "2. two", "```", "~~~~",
    "    code", "> quote", "---", "title: x", "***", "===", "| a | b |", "<xysq-recall>", "</xysq-recall>", "ü 😀",
    "- ```py", "  ```",
)  # fmt: skip


def record(number: int, kind: str) -> str:
    """Spell one line of a session."""
    line: dict[str, object] = {
        "parentUuid": None, "sessionId": "s-1", "cwd": "/home/ada/p", "uuid": f"u-{number}", "isSidechain": False,
        "timestamp": f"2026-11-30T10:00:{number % 60:02}.123Z", "type": "user",
    }  # fmt: skip
    use = {"type": "tool_use", "id": f"t-{number % 3}", "name": "mcp__xysq__recall" if number % 5 == 0 else "Bash"}
    result = {"type": "tool_result", "tool_use_id": f"t-{number % 3}", "content": [{"type": "text", "text": "öut\n"}]}
    blocks: dict[str, list[object]] = {
        "use": [{"type": "text", "text": "I will."}, use | {"input": {"command": "ls", "deep": [{"a": "b"}, 1]}}],
        "result": [result],
        "thinking": [{"type": "thinking", "thinking": "hm", "signature": "x"}, {"type": "text", "text": "Done."}],
    }
    if kind == "typed":
        line["message"] = {
            "role": "user",
            "content": 'it\'s "ünï" 😀\nline <system-reminder>be nice</system-reminder> end',
        }
    elif kind in blocks:
        role = "user" if kind == "result" else "assistant"
        line |= {"type": role, "message": {"role": role, "content": blocks[kind]}}
    elif kind == "summary":
        return json.dumps({"type": "summary", "summary": "About it", "leafUuid": f"u-{number}"})
    elif kind == "progress":
        line |= {"type": "progress", "data": {"n": 1}}
    else:
        return kind
    return json.dumps(line, ensure_ascii=number % 2 == 0)


SESSION = st.lists(
    st.tuples(
        st.integers(0, 12),
        st.sampled_from(
            ["typed", "use", "result", "thinking", "summary", "progress", "", "\x00\x00\x00", '{"cut":', "[1]"]
        ),
    ),
    max_size=12,
).map(lambda picked: [record(*one) for one in picked])


def joined(lines: list[str], *, last: bool) -> bytes:
    return ("\n".join(lines) + ("\n" if last else "")).encode("utf-8")


def logs(words: tuple[str, ...]) -> st.SearchStrategy[bytes]:
    return st.builds(joined, st.lists(st.sampled_from(words), max_size=14), last=st.booleans())


def request(name: str, data: bytes) -> ReadRequest:
    return ReadRequest(source=SOURCE, version=1, data=data, format=name, me=ME)


def read_on(name: str, data: bytes, first: Reading) -> Reading:
    """Read the rest of a log behind what an earlier reading finished, with nothing carried but what is allowed."""
    done = [passage for passage in first.passages if passage.start < first.parsed_to]
    return read(
        replace(
            request(name, data[first.parsed_to :]),
            start=first.parsed_to,
            previous=done[-1] if done else None,
            next_number=len(done) + 1,
            seen=frozenset(passage.native for passage in done if passage.native),
            earlier=lambda: data[: first.parsed_to],
        )
    )


def but_kind(passages: tuple[Passage, ...]) -> list[Passage]:
    return [replace(passage, session_kind="") for passage in passages]


def check_parts(name: str, data: bytes, cut: int) -> None:
    whole = read(request(name, data))
    first = read(request(name, data[:cut]))
    rest = read_on(name, data, first)
    done = tuple(passage for passage in first.passages if passage.start < first.parsed_to)
    assert all(passage.end <= first.parsed_to for passage in done)
    assert but_kind(done + rest.passages) == but_kind(whole.passages)
    assert rest.parsed_to == whole.parsed_to
    assert first.parsed_to == framed_to(name, data[:cut], 0)
    previous = done[-1] if done else None
    assert rest.parsed_to == framed_to(name, data[first.parsed_to :], first.parsed_to, previous=previous)
    check_reading(whole, data)


def check_reading(reading: Reading, data: bytes) -> None:
    """Every span decodes to its words inside its passage; passages are in order, numbered from 1."""
    assert [passage.number for passage in reading.passages] == list(range(1, len(reading.passages) + 1))
    starts = [passage.start for passage in reading.passages]
    assert starts == sorted(set(starts))
    for passage in reading.passages:
        assert 0 <= passage.start < passage.end <= len(data)
        for span in passage.spans:
            assert passage.start <= span.start < span.end <= passage.end
            assert decode_span(data[span.start : span.end], span.enc) == span.text
    assert all(0 <= record.offset <= len(data) for record in reading.unreadable)


@given(st.data(), logs(TEXT))
def test_text_reads_the_same_in_parts(data: st.DataObject, log: bytes) -> None:
    check_parts("text", log, data.draw(st.integers(0, len(log))))


@given(st.data(), logs(TURNS))
def test_turns_read_the_same_in_parts(data: st.DataObject, log: bytes) -> None:
    check_parts("turns", log, data.draw(st.integers(0, len(log))))


@given(st.data(), logs(MARKDOWN))
def test_markdown_reads_the_same_in_parts(data: st.DataObject, log: bytes) -> None:
    check_parts("markdown", log, data.draw(st.integers(0, len(log))))


@given(st.data(), SESSION, st.booleans())
def test_a_session_reads_the_same_in_parts(data: st.DataObject, lines: list[str], last: bool) -> None:
    log = joined(lines, last=last)
    check_parts("claude-code", log, data.draw(st.integers(0, len(log))))


@pytest.mark.parametrize("name", ["text", "turns", "markdown", "claude-code"])
@given(log=st.binary(max_size=200))
def test_any_bytes_are_read_and_what_is_cited_decodes(name: str, log: bytes) -> None:
    check_reading(read(request(name, log)), log)


@given(st.data(), logs(TURNS), st.sampled_from(["utf-16-le", "utf-16-be", "utf-32-le", "cp1252"]))
def test_a_text_view_reads_the_same_in_parts(data: st.DataObject, log: bytes, encoding: str) -> None:
    raw = log.decode("utf-8").encode(encoding, "replace")
    cut = data.draw(st.integers(0, len(raw)))
    first_view = make_view(raw[:cut], encoding)
    rest = make_view(raw[cut:], continued(encoding, cut), raw_start=cut, text_start=first_view.text_end)
    view = join_views((first_view, rest))
    whole = read(replace(request("turns", raw), enc_view=view))
    first = read(replace(request("turns", raw[:cut]), enc_view=first_view))
    done = tuple(passage for passage in first.passages if passage.start < first.parsed_to)
    after = read(
        replace(
            request("turns", raw[first.parsed_to :]), enc_view=view, start=first.parsed_to,
            previous=done[-1] if done else None, next_number=len(done) + 1,
        )
    )  # fmt: skip
    assert but_kind(done + after.passages) == but_kind(whole.passages)
    for passage in whole.passages:
        for span in passage.spans:
            assert decode_span(view.text[span.start : span.end], span.enc) == span.text
