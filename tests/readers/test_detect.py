"""Formats are told by content; what proves nothing is text."""

import json
from pathlib import Path

import pytest

from xysq.readers.detect import Identity, detect, identify

FIXTURES = Path(__file__).parents[2] / "fixtures/transcripts"
SESSION = (FIXTURES / "session.jsonl").read_bytes()

TURNS = {
    "names": "Alice: hi there\nBob: hello\nAlice: how are you?\nBob: fine\n",
    "two roles": "User: What is a monad?\nAssistant: A monoid in a category.\n",
    "bold": "**Ann:** one\n\n**Ben:** two\n\n**Ann:** three\n\n**Ben:** four\n",
    "times": "Ann (10:30): one\nBen (10:31): two\nAnn (10:32): three\n",
    "stamps": "[2026-11-30 10:32] Ann: one\n[2026-11-30 10:33] Ben: two\n",
    "phone": "12/9/20, 23:55 - Bob: hi\n12/9/20, 23:56 - Eve: hi\n12/9/20, 23:57 - Bob: bye\n",
    "alone": "Alice:\nI moved.\n\nBob:\nWhere to?\n\nAlice:\nOslo.\n\nBob:\nNice.\n",
    "paragraphs": "Alice: I moved.\nTo Oslo.\nIn May.\n\nBob: Nice.\nReally.\nYes.\n\nAlice: So.\nWell.\n",
    "chat": "[10:10] <ann> one\n[10:11] <ben> two\n[10:12] <ann> three\n",
    "dates": "1:56 pm on 8 May, 2023\n\nAnn: hi\nBen: hello\nAnn: so\nBen: yes\n\n9 May 2023\n\nAnn: hi\nBen: hm\n",
    "nicks": "ann: did you see the game\nben: no I was at work\nann: it was a good one\nben: tell me about it\n",
    "pasted": "You said:\n\nhow do I do it\n\nChatGPT said:\n\nlike this, in steps\n",
    "windows": "Alice: hi there\r\nBob: hello\r\nAlice: how are you?\r\nBob: fine\r\n",
}
NOT_TURNS = {
    "yaml": "name: app\nreplicas: 3\nimage: nginx\nports:\n  - 80\n",
    "yaml twice": "host: a\nport: 1\nuser: x\n---\nhost: b\nport: 2\nuser: y\n---\nhost: c\nport: 3\nuser: z\n",
    "log": "INFO: started\nERROR: disk full\nINFO: retried\nERROR: disk full\nWARNING: slow\n",
    "dated log": "2026-01-01 10:00:00 ERROR: disk full\n2026-01-01 10:00:01 INFO: retried\n",
    "program log": "2026-01-01 10:00:00 worker: started job\n2026-01-01 10:00:01 worker: done\n",
    "traceback": 'Traceback (most recent call last):\n  File "x.py", line 3, in f\n    g()\nValueError: no\n',
    "python": "class A:\n    def f(self):\n        try:\n            pass\n        finally:\n            pass\n",
    "http": "HTTP/1.1 200 OK\nContent-Type: text/html\nServer: x\nDate: Mon\nConnection: close\n\nbody\n",
    "mail": "Received: from a\nReceived: from b\nReceived: from c\nFrom: a@b.example\nTo: c@d.example\nX: x\n\nhi\n",
    "recipe": "Ingredients: eggs\nSteps: beat them\nTime: ten minutes\n",
    "prose": "We met in Oslo. Alice said: hello.\n\nIt was cold.\n",
    "dialogue in prose": "A story.\n\nAlice: hi\n\nThey walked on.\n\nIt rained.\n\nBob: bye\n\nThe end.\n\nReally.\n",
    "one name": "Alice: hi\n",
    "json": json.dumps([{"role": "user", "content": "hi"}]),
    "empty": "",
}


@pytest.mark.parametrize("words", TURNS.values(), ids=TURNS.keys())
def test_a_talk_is_turns(words: str) -> None:
    for name in ("talk.txt", "", "talk.md"):
        assert detect(words.encode("utf-8"), name) == "turns"


@pytest.mark.parametrize("words", NOT_TURNS.values(), ids=NOT_TURNS.keys())
def test_what_only_looks_like_turns_is_text(words: str) -> None:
    assert detect(words.encode("utf-8"), "x.txt") == "text"


def test_a_session_is_told_by_its_records_whatever_its_name() -> None:
    for name in ("s.jsonl", "x.txt", "notes.md", ""):
        assert detect(SESSION, name) == "claude-code"
    assert detect(b"\x00" * 90 + b"\n{broken\n" + SESSION, "") == "claude-code"
    assert detect(b"\xef\xbb\xbf" + SESSION.replace(b"\n", b"\r\n"), "") == "claude-code"
    assert detect(SESSION.decode("utf-8").encode("utf-16"), "") == "claude-code"


@pytest.mark.parametrize(
    "record",
    [
        {"role": "user", "content": "hi"},
        {"type": "user", "content": "hi"},
        {"type": "message", "message": {"role": "user", "content": "hi"}, "id": "1"},
        {"type": "user", "message": {"role": "user", "parts": [{"text": "hi"}]}, "uuid": "1", "sessionId": "s"},
        {"type": "session_meta", "payload": {"id": "x"}, "timestamp": "2026-11-30T10:00:00Z"},
        {"type": "summary", "text": "x"},
        {"sessionId": "s", "projectHash": "x", "kind": "main"},
    ],
)
def test_other_records_on_lines_are_text(record: dict[str, object]) -> None:
    data = (json.dumps(record) + "\n").encode() * 5
    assert detect(data, "session.jsonl") == "text"


def test_a_session_among_other_records_is_not_claimed() -> None:
    other = (json.dumps({"role": "user", "content": "hi"}) + "\n").encode()
    assert detect(SESSION + other * 2, "") == "claude-code"
    assert detect(other * 30 + SESSION, "") == "text"


def test_markdown_is_told_by_its_signs_and_its_name_tips_the_balance() -> None:
    rich = "# Title\n\nSome text with a [link](x).\n\n- one\n- two\n\n```\ncode\n```\n"
    assert detect(rich.encode(), "x.md") == "markdown"
    assert detect(rich.encode(), "x.txt") == "markdown"
    assert detect(rich.encode(), "") == "markdown"
    assert detect(rich.encode(), "x.py") == "text"
    assert detect(b"- one\n- two\n", "x.md") == "markdown"
    assert detect(b"- one\n- two\n", "x.txt") == "text"
    assert detect(b"just words\n", "x.md") == "text"
    assert detect(b"---\ntitle: x\n---\n\njust words\n", "x.md") == "markdown"
    assert detect(b"# a comment\nx=1\n# another\ny=2\n- z\n* z\n", "run") == "text"


def test_bytes_that_are_no_text_are_text() -> None:
    assert detect(bytes(range(256)) * 20, "x.bin") == "text"
    assert detect(b"\x00" * 5000, "x.md") == "text"


def test_only_a_session_has_a_key() -> None:
    found = identify("claude-code", SESSION)
    assert found.key == "claude-code:5f0c2f5e-8a55-4d3c-9d5c-0f2b6f6f1a01"
    assert found.session == "5f0c2f5e-8a55-4d3c-9d5c-0f2b6f6f1a01"
    assert found.project == "/home/ada/harbour"
    assert identify("text", b"Hello\n\nworld\n") == Identity("", "", "Hello", "")
    assert identify("markdown", (FIXTURES / "notes.md").read_bytes()).title == "Billing service"
    assert identify("text", "Grüße".encode("cp1252")).title == "Grüße"
