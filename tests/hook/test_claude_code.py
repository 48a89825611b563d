"""The settings of Claude Code, with our hooks and without."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xysq.hook.claude_code import EVENTS, BadSettingsFile, commands, installed, removed

COMMAND = "/home/maya/.local/bin/xysq --vault /home/maya/memory hook run claude-code"
FOREIGN = """{
  // no comments are allowed here
}"""
MINE = """{
  "model": "opus",
  "hooks": {
    "Stop": [
      { "matcher": "", "hooks": [ {"type":"command", "command":"say done" } ] }
    ],
    "PreToolUse": []
  },
  "env": {"A":"\\u00e9"}
}
"""


def test_every_event_calls_us_once_and_what_was_there_stays_byte_for_byte() -> None:
    text = installed(MINE, COMMAND)
    assert commands(text) == dict.fromkeys(EVENTS, (COMMAND,))
    settings = json.loads(text)
    assert settings["hooks"]["Stop"][0] == json.loads(MINE)["hooks"]["Stop"][0]
    for piece in (
        '{ "matcher": "", "hooks": [ {"type":"command", "command":"say done" } ] }',
        '"env": {"A":"\\u00e9"}',
    ):
        assert piece in text
    assert installed(text, COMMAND) == text
    assert removed(text) == MINE


def test_a_program_that_moved_is_called_where_it_is_now() -> None:
    moved = COMMAND.replace(".local", "opt")
    text = installed(installed(MINE, COMMAND), moved)
    assert commands(text) == dict.fromkeys(EVENTS, (moved,))
    assert COMMAND not in text


def test_ours_goes_out_of_a_group_that_others_share() -> None:
    shared = {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": name} for name in (COMMAND, "say done")]}]}}
    text = removed(json.dumps(shared))
    assert json.loads(text) == {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say done"}]}]}}


@pytest.mark.parametrize("text", ["", "\n", "{}", "{}\n"])
def test_empty_settings_are_filled_and_emptied(text: str) -> None:
    full = installed(text, COMMAND)
    assert commands(full) == dict.fromkeys(EVENTS, (COMMAND,))
    assert json.loads(removed(full)) == {}


@pytest.mark.parametrize("text", [FOREIGN, "[]", '{"hooks": []}', '{"hooks": {"Stop": {}}}', "not json"])
def test_settings_of_another_shape_are_left_as_they_are(text: str) -> None:
    with pytest.raises(BadSettingsFile):
        installed(text, COMMAND)
    with pytest.raises(BadSettingsFile):
        removed(text)


HOOKS = st.fixed_dictionaries({"type": st.just("command"), "command": st.sampled_from(["a", "b --c", "say done"])})
GROUPS = st.lists(
    st.fixed_dictionaries({"matcher": st.text(max_size=3), "hooks": st.lists(HOOKS, max_size=2)}), min_size=1
)
SETTINGS = st.fixed_dictionaries(
    {"model": st.text(max_size=5)},
    optional={
        "hooks": st.dictionaries(st.sampled_from([*EVENTS, "PreToolUse"]), GROUPS, min_size=1),
        "env": st.just({}),
    },
)


@given(SETTINGS, st.sampled_from([None, 2, 4, "\t"]))
def test_installing_and_removing_leaves_no_trace(settings: dict[str, object], indent: int | str | None) -> None:
    text = json.dumps(settings, indent=indent)
    assert removed(installed(text, COMMAND)) == text
