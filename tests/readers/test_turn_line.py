"""The first line of a turn, in all its forms, and the many lines that only look like one."""

import pytest

from xysq.model.settings import Me
from xysq.model.source import Role
from xysq.readers.speaker import role_of
from xysq.readers.turn_line import is_notice, turn_of


@pytest.mark.parametrize(
    ("line", "name", "stamp", "words"),
    [
        ("Alice: hi", "Alice", "", "hi"),
        ("**Alice:** hi", "Alice", "", "hi"),
        ("**Alice**: hi", "Alice", "", "hi"),
        ("Alice (10:32): hi", "Alice", "10:32", "hi"),
        ("[10:32] Alice: hi", "Alice", "10:32", "hi"),
        ("[2026-11-30 10:32] Alice: hi", "Alice", "2026-11-30 10:32", "hi"),
        ("2026-11-30T10:32:00Z Alice: hi", "Alice", "2026-11-30T10:32:00Z", "hi"),
        ("12/9/20, 23:55 - Bob: hi", "Bob", "12/9/20, 23:55", "hi"),
        ("[14/10/2021, 3:34:09\u202fPM] Bob: hi", "Bob", "14/10/2021, 3:34:09\u202fPM", "hi"),
        ("\u200e[14/10/2021, 3:34:09 PM] +49 151 2345678: hi", "+49 151 2345678", "14/10/2021, 3:34:09 PM", "hi"),
        ("20/6/2017 8:28 p.\u00a0m. - Michelle: hi", "Michelle", "20/6/2017 8:28 p.\u00a0m.", "hi"),
        ("[04:14] <nick> hi", "nick", "04:14", "hi"),
        ("_**User (2026-07-28 13:49:50Z)**_", "User", "2026-07-28 13:49:50Z", ""),
        ("**Kelly**  0:45", "Kelly", "", ""),
        ("Kelly  0:45", "Kelly", "", ""),
        ("1 (1m 3s):", "1", "1m 3s", ""),
        ("Alice:", "Alice", "", ""),
        ("You said:", "You", "", ""),
        ("ChatGPT said: hi", "ChatGPT", "", "hi"),
        ("assistant: hi", "assistant", "", "hi"),
        ("gpt-4o: hi", "gpt-4o", "", "hi"),
        ("alice: hi", "alice", "", "hi"),
        ("Dr. Chen: hi", "Dr. Chen", "", "hi"),
        ("Mary Ann van Dyke: hi", "Mary Ann van Dyke", "", "hi"),
        ("山田: はい", "山田", "", "はい"),
    ],
)
def test_a_turn_has_a_name_a_stamp_and_words(line: str, name: str, stamp: str, words: str) -> None:
    turn = turn_of(line)
    assert turn is not None
    assert (turn.name, turn.stamp, line[turn.words_at :]) == (name, stamp, words)


@pytest.mark.parametrize(
    "line",
    [
        "Note: remember the milk", "TODO: write", "https://example.org/x", "ERROR: disk full", "Warning: hot",
        "2026-01-01 10:00:00 ERROR: disk full", "2026-01-01 10:00:00,123 INFO app.db: connected",
        "2026-01-01 10:00:00 worker: started", "Content-Type: text/plain", "Subject: lunch", "def run(x): return",
        "else:", "key: value", "  indented: yes", '"json": 1', 'File "x.py", line 3', "In Germany: beer",
        "this is why: because", "Well, then: go", "3: three", "- item: x", "C:\\temp", "12:30", "a sentence", "",
    ],
)  # fmt: skip
def test_labels_code_and_logs_are_no_turns(line: str) -> None:
    assert turn_of(line) is None


def test_a_lower_case_word_is_a_name_only_where_nicks_are() -> None:
    assert turn_of("alice: hi", nicks=False) is None
    assert turn_of("alice: hi", nicks=True) is not None
    assert turn_of("user: hi", nicks=False) is not None


def test_notices_of_chat_programs_are_nobody_s_words() -> None:
    assert is_notice("=== bob is now known as rob")
    assert is_notice("[10:10] * bob waves")
    assert is_notice('[06/20/20 00:08] +12 345 578 created group "G"')
    assert is_notice("2020/06/30, 09:10 - You were added")
    assert not is_notice("* a bullet")
    assert not is_notice("2020-01-01 is a day")
    assert not is_notice("12:30 - lunch")


def test_roles_follow_from_names() -> None:
    me = Me(name="Ada Moor", aliases=("ada",))
    assert role_of("ADA  moor", me) is Role.USER
    assert role_of("ada", me) is Role.USER
    assert role_of("Ada", Me()) is Role.PERSON
    assert role_of("Human", me) is Role.USER
    assert role_of("Claude", me) is Role.ASSISTANT
    assert role_of("Claude Monet", me) is Role.PERSON
    assert role_of("claude-3-opus", me) is Role.ASSISTANT
    assert role_of("GPT-4", me) is Role.ASSISTANT
    assert role_of("System", me) is Role.SYSTEM
    assert role_of("tool", me) is Role.TOOL
