"""What comes in on the pipe, whatever it is, neither stops the server nor is lost in it."""

import pytest

from tests.crash.mcp_abuse import abuse
from tests.store.scratch import scratch
from xysq.mcp.pipe import Lines


@pytest.mark.parametrize("size", [1, 2, 3, 7, 100])
def test_lines_are_the_same_however_they_are_cut(size: int) -> None:
    data = b"one\n\ntwo\r\nx" + b"y" * 30 + b"\nthree\nhalf"
    lines = Lines(most=20)
    found = [line for at in range(0, len(data), size) for line in lines.of(data[at : at + size])]
    assert [*found, *lines.rest()] == [b"one", b"two\r", None, b"three", b"half"]


def test_a_server_lives_through_abuse_and_keeps_what_it_says() -> None:
    with scratch() as home:
        sent, heard = abuse(home, 150, seed=5)
    assert heard.faults == []
    assert {"noise", "json", "bent", "call", "half", "endless", "request"} <= set(sent.sent)
    assert heard.kept
