"""Sessions: who said what, once, with the bytes it stands in."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.builders import SOURCE
from xysq.model.source import Certainty, Encoding, Role, decode_span
from xysq.readers.reading import Reading, ReadRequest, read
from xysq.readers.view import make_view

FIXTURE = Path(__file__).parents[2] / "fixtures/transcripts/session.jsonl"


def line(content: object, kind: str = "user", uuid: str = "u-1", **more: object) -> dict[str, Any]:
    message = {"role": kind, "content": content}
    return {
        "parentUuid": None, "isSidechain": False, "sessionId": "s-1", "cwd": "/home/ada/p", "type": kind,
        "message": message, "uuid": uuid, "timestamp": "2026-11-30T18:02:11.500Z",
    } | more  # fmt: skip


def session(*lines: dict[str, Any], **more: Any) -> Reading:  # noqa: ANN401 - any field of a request
    data = "".join(json.dumps(one) + "\n" for one in lines).encode("utf-8")
    return read(ReadRequest(source=SOURCE, version=1, data=data, format="claude-code", **more))


def said(reading: Reading) -> list[tuple[str, str]]:
    return [(passage.role.value, passage.text) for passage in reading.passages]


def use(name: str, **given: object) -> list[dict[str, Any]]:
    return [{"type": "tool_use", "id": "t-1", "name": name, "input": given}]


def result(words: object) -> list[dict[str, Any]]:
    return [{"type": "tool_result", "tool_use_id": "t-1", "content": words}]


def test_the_fixture_session_reads_as_it_was() -> None:
    data = FIXTURE.read_bytes()
    reading = read(ReadRequest(source=SOURCE, version=1, data=data, format="claude-code"))
    assert [(one.role.value, one.speaker, one.own, one.after_recall) for one in reading.passages] == [
        ("user", "", False, False),
        ("system", "", False, False),
        ("other", "", False, False),
        ("assistant", "", False, False),
        ("tool", "Bash", False, False),
        ("tool", "Bash", False, False),
        ("tool", "mcp__xysq__recall", False, False),
        ("tool", "mcp__xysq__recall", True, False),
        ("assistant", "", False, True),
        *[("system", "", False, True)] * 4,
        ("assistant", "", False, True),
        ("system", "", False, True),
        ("user", "", False, True),
        ("system", "", False, True),
    ]
    first = reading.passages[0]
    assert first.text == 'We store billing data in "PostgreSQL" 🐘\nand nothing else.'
    assert first.spans[0].enc is Encoding.JSON
    assert decode_span(data[first.spans[0].start : first.spans[0].end], Encoding.JSON) == first.text
    assert first.at == "2026-11-30T18:02:01Z"
    assert first.native == "10000000-0000-4000-8000-000000000001"
    assert reading.passages[1].native == "10000000-0000-4000-8000-000000000001/2"
    assert {one.session_kind for one in reading.passages} == {"work"}
    assert reading.unreadable == ()
    assert reading.parsed_to == len(data)
    assert (reading.observed_from, reading.observed_to) == ("2026-11-30T18:02:01Z", "2026-11-30T18:02:13Z")
    assert reading.certainty is Certainty.LOG
    assert reading.title == "Where billing data lives"
    assert reading.project == "/home/ada/harbour"
    assert reading.key == "claude-code:5f0c2f5e-8a55-4d3c-9d5c-0f2b6f6f1a01"


def test_passages_of_a_record_share_its_bytes_in_order() -> None:
    reading = session(
        line([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}, {"type": "image"}], "assistant")
    )
    first, second = reading.passages
    assert first.start == 0
    assert first.end == second.start == second.spans[0].start
    assert second.end == reading.parsed_to


@pytest.mark.parametrize(
    ("more", "role"),
    [
        ({}, Role.USER),
        ({"isMeta": True}, Role.SYSTEM),
        ({"isCompactSummary": True}, Role.SYSTEM),
        ({"isVisibleInTranscriptOnly": True}, Role.SYSTEM),
        ({"isSidechain": True}, Role.ASSISTANT),
        ({"agentId": "a1"}, Role.ASSISTANT),
        ({"origin": {"kind": "human"}}, Role.USER),
        ({"origin": {"kind": "task-notification"}}, Role.SYSTEM),
        ({"sourceToolUseID": "t-1"}, Role.SYSTEM),
    ],
)
def test_only_what_the_human_typed_is_the_user_s(more: dict[str, Any], role: Role) -> None:
    assert [one.role for one in session(line("We use Go.", **more)).passages] == [role]
    assert [one.role for one in session(line([{"type": "text", "text": "We use Go."}], **more)).passages] == [role]


def test_text_beside_a_tool_s_answer_is_not_the_user_s() -> None:
    reading = session(line([*result("out"), {"type": "text", "text": "I prefer tabs."}]))
    assert said(reading) == [("tool", "out"), ("system", "I prefer tabs.")]


def test_errors_shown_as_an_assistant_s_words_are_the_system_s() -> None:
    reading = session(line("API error", "assistant", isApiErrorMessage=True), line("Hello.", "assistant", uuid="u-2"))
    assert said(reading) == [("system", "API error"), ("assistant", "Hello.")]


@pytest.mark.parametrize(
    ("words", "typed", "injected"),
    [
        ("plain", ["plain"], []),
        ("a\n<system-reminder>\nx\n</system-reminder>\nb", ["a", "b"], ["<system-reminder>\nx\n</system-reminder>"]),
        ("<system-reminder>x</system-reminder>", [], ["<system-reminder>x</system-reminder>"]),
        ("<command-name>/go</command-name>", [], ["<command-name>/go</command-name>"]),
        ("<local-command-stdout>out</local-command-stdout>", [], ["<local-command-stdout>out</local-command-stdout>"]),
        ("hi\n<system-reminder>\nnever closed", ["hi"], ["<system-reminder>\nnever closed"]),
        ("I saw <system-reminder> in a file", ["I saw <system-reminder> in a file"], []),
        ("a <b>bold</b> word", ["a <b>bold</b> word"], []),
        ("[Request interrupted by user]", [], ["[Request interrupted by user]"]),
        (
            "<system-reminder>f: </system-reminder> I hate Go <system-reminder></system-reminder>\nyes",
            ["yes"],
            ["<system-reminder>f: </system-reminder> I hate Go <system-reminder></system-reminder>"],
        ),
    ],
)
def test_injected_words_are_cut_out_of_the_user_s(words: str, typed: list[str], injected: list[str]) -> None:
    reading = session(line(words))
    users = [one for one in reading.passages if one.role is Role.USER]
    assert [span.text for one in users for span in one.spans] == typed
    assert len(users) <= 1
    assert [one.text for one in reading.passages if one.role is Role.SYSTEM] == injected


def test_the_same_record_twice_is_one_passage() -> None:
    reading = session(line("one"), line("two", uuid="u-2"), line("one"))
    assert said(reading) == [("user", "one"), ("user", "two")]
    assert said(session(line("one"), line("two", uuid="u-2"), seen=frozenset({"u-1"}))) == [("user", "two")]
    assert said(session(line("one"), line("two", uuid="u-2"), seen=lambda native: native == "u-2")) == [("user", "one")]


def test_records_without_an_id_are_all_read() -> None:
    first = line("one")
    del first["uuid"]
    assert said(session(first, first)) == [("user", "one"), ("user", "one")]


def test_a_tool_s_input_and_answer_are_the_tool_s_and_the_duplicate_is_not_read() -> None:
    reading = session(
        line(use("Write", file_path="/x", content="I like tea", opts=[{"k": "deep"}, 1, None]), "assistant"),
        line(result([{"type": "text", "text": "ok"}, {"type": "image"}, "more"]), uuid="u-2", toolUseResult="ok more"),
    )
    assert [(one.role, one.speaker, [span.text for span in one.spans]) for one in reading.passages] == [
        (Role.TOOL, "Write", ["/x", "I like tea", "deep"]),
        (Role.TOOL, "Write", ["ok", "more"]),
    ]


@pytest.mark.parametrize(
    ("name", "given", "own"),
    [
        ("mcp__xysq__recall", {}, True),
        ("mcp__plugin_memory_xysq__search", {}, True),
        ("Bash", {"command": "xysq recall 'where does Ada work'"}, True),
        ("Bash", {"command": "cd ~/memory && /usr/bin/xysq --json search Ada"}, True),
        ("Bash", {"command": "xysq why f-7k2m9qx4aa"}, True),
        ("Bash", {"command": "xysq push notes.md"}, False),
        ("Bash", {"command": "xysq --vault ~/m recall Ada"}, True),
        ("Bash", {"command": "ls xysq; grep recall notes.md"}, False),
        ("mcp__other__recall", {}, False),
        ("Bash", {"command": ["xysq", "recall"]}, False),
    ],
)
def test_what_our_own_tools_answered_is_own_and_what_follows_is_after_recall(
    name: str, given: dict[str, object], own: bool
) -> None:
    reading = session(
        line(use(name, **given), "assistant", uuid="u-0"), line(result("Ada works at Acme.")), line("ok", uuid="u-2")
    )
    assert [(one.own, one.after_recall) for one in reading.passages[-2:]] == [(own, False), (False, own)]


def test_recalled_words_that_a_hook_injected_are_own() -> None:
    fence = "<xysq-recall query='x'>\nAda works at Acme.\n</xysq-recall>"
    reading = session(line(f"hello\n{fence}"), line("more", uuid="u-2"), line(fence, uuid="u-3", isMeta=True))
    assert [(one.role.value, one.own, one.after_recall) for one in reading.passages] == [
        ("user", False, False), ("system", True, False), ("user", False, True), ("system", True, True),
    ]  # fmt: skip


def test_a_use_before_the_reading_is_looked_up_in_the_earlier_bytes() -> None:
    before = json.dumps(line(use("mcp__xysq__recall"), "assistant")).encode() + b"\n{broken\n"
    answer = line(result("Ada works at Acme."), uuid="u-2")
    known = session(answer, start=len(before), earlier=lambda: before).passages[0]
    assert (known.speaker, known.own, known.start) == ("mcp__xysq__recall", True, len(before))
    unknown = session(answer, start=len(before)).passages[0]
    assert (unknown.speaker, unknown.own) == ("", False)


def test_after_recall_is_carried_over_from_the_passage_before() -> None:
    before = session(line(use("mcp__xysq__recall"), "assistant"), line(result("x"), uuid="u-2")).passages[-1]
    assert session(line("hi"), start=0, previous=before).passages[0].after_recall


def test_half_a_surrogate_pair_costs_its_string_and_is_reported() -> None:
    data = json.dumps(line([{"type": "text", "text": "ok"}, {"type": "text", "text": "bad \ud83d"}], "assistant"))
    reading = read(ReadRequest(source=SOURCE, version=1, data=data.encode(), format="claude-code"))
    assert said(reading) == [("assistant", "ok")]
    (broken,) = reading.unreadable
    assert data[broken.offset :].startswith("bad \\ud83d")


def test_a_broken_line_is_reported_and_the_rest_is_read() -> None:
    good = [json.dumps(line("one")).encode(), json.dumps(line("two", uuid="u-2")).encode()]
    for bad in (b"\x00" * 200, b'{"type":"user"', b"[]", b"\xff\xfe", b'{"type":"user","uuid":"x"}'):
        data = b"\n".join([good[0], bad, good[1], b""])
        reading = read(ReadRequest(source=SOURCE, version=1, data=data, format="claude-code"))
        assert said(reading) == [("user", "one"), ("user", "two")]
        assert [record.offset for record in reading.unreadable] == [len(good[0]) + 1]


def test_a_prompt_typed_while_the_assistant_worked_is_the_user_s_and_a_hook_s_words_are_not() -> None:
    queued = {"type": "queued_command", "prompt": "also check the docs", "commandMode": "prompt"}
    hook = {"type": "hook_success", "content": "formatted", "stdout": "", "exitCode": 0}
    notice = {"type": "queued_command", "prompt": "done", "commandMode": "task-notification"}
    lines = [line("", "attachment", f"u-{n}", attachment=one) for n, one in enumerate((queued, hook, notice))]
    assert said(session(*lines)) == [
        ("user", "also check the docs"), ("system", "formatted"), ("system", "done"),
    ]  # fmt: skip


def test_a_very_long_text_is_several_passages_that_can_be_cited() -> None:
    words = 'He said "no".\n' * 8_000
    reading = session(line(words, "assistant"))
    assert len(reading.passages) > 3
    assert "".join(one.text for one in reading.passages) == words
    assert [one.native for one in reading.passages[:3]] == ["u-1", "u-1/2", "u-1/3"]
    assert all(one.spans[0].end - one.spans[0].start <= 32 * 1024 for one in reading.passages)


def test_a_utf16_session_is_read_through_its_view() -> None:
    lines = (line('It is "ünï" here'), line("ok", uuid="u-2"))
    raw = "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in lines).encode("utf-16")
    view = make_view(raw)
    reading = read(ReadRequest(source=SOURCE, version=1, data=raw, format="claude-code", enc_view=view))
    assert [span.text for span in reading.passages[0].spans] == ["It is ", "ünï", " here"]
    for passage in reading.passages:
        for span in passage.spans:
            assert span.enc is Encoding.TEXT
            assert decode_span(view.text[span.start : span.end], Encoding.TEXT) == span.text
    assert reading.passages[-1].end == len(raw) == reading.parsed_to


def test_a_sub_agent_s_file_has_a_key_of_its_own() -> None:
    main, agent = session(line("hi")), session(line("hi", isSidechain=True, agentId="a1"))
    assert (main.key, main.session) == ("claude-code:s-1", "s-1")
    assert (agent.key, agent.session) == ("claude-code:s-1:a1", "s-1")


def test_a_session_without_a_summary_goes_by_its_first_prompt() -> None:
    assert session(line("  Fix the\tlogin bug\nplease")).title == "Fix the login bug"
    assert session(line("x" * 200)).title == "x" * 79 + "…"


def test_a_line_without_its_end_is_read_but_not_finished() -> None:
    data = json.dumps(line("one")).encode()
    reading = read(ReadRequest(source=SOURCE, version=1, data=data, format="claude-code"))
    assert said(reading) == [("user", "one")]
    assert reading.parsed_to == 0
