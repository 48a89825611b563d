"""Whole sessions at the command line are as they are written down."""

from pathlib import Path

import pytest

from tests.session import environment, fits, play, steps

SESSIONS = sorted(Path(__file__).parent.glob("*.session"))


@pytest.mark.parametrize("session", SESSIONS, ids=lambda path: path.stem)
def test_a_session_goes_as_written(session: Path, tmp_path: Path) -> None:
    assert play(session.read_text("utf-8"), tmp_path, environment(tmp_path)) == ""


def test_a_session_is_read_as_commands_with_their_output_and_status() -> None:
    first, second = steps("# about\n$ xysq ls\none\n\ntwo\n\n$ false\n[1]\n")
    assert (first.command, first.expected, first.status) == ("xysq ls", ("one", "", "two"), 0)
    assert (second.command, second.expected, second.status, second.line) == ("false", (), 1, 7)


@pytest.mark.parametrize(
    ("expected", "actual", "is_fit"),
    [
        (["a…c"], ["abc"], True),
        (["a…c"], ["abd"], False),
        (["a", "…", "z"], ["a", "b", "c", "z"], True),
        (["a", "…", "z"], ["a", "z"], True),
        (["…"], [], True),
        (["a"], ["a", "b"], False),
        ([], ["a"], False),
    ],
)
def test_an_ellipsis_stands_for_anything(expected: list[str], actual: list[str], is_fit: bool) -> None:
    assert fits(expected, actual) is is_fit


def test_a_session_that_goes_otherwise_is_told(tmp_path: Path) -> None:
    assert play("$ echo one\ntwo\n", tmp_path, environment(tmp_path)) == "line 1: $ echo one\none\n[0]"
