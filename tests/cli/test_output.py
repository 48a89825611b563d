import errno
import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cli.conftest import Stream
from tests.cli.hostile import HOSTILE, is_fit_for_a_terminal
from xysq.cli.call import Form
from xysq.cli.line import line
from xysq.cli.output import Output, spelled


class Failing(io.StringIO):
    """A stream whose reader went away, or whose disk is full."""

    def __init__(self, code: int) -> None:
        super().__init__()
        self.code = code
        self.tries = 0

    def write(self, _: str, /) -> int:
        self.tries += 1
        raise OSError(self.code, "refused")


def output(out: Stream | Failing | None, *, form: Form = Form.TEXT, quiet: bool = False) -> tuple[Output, Stream]:
    err = Stream()
    return Output(form, out=out, err=err, quiet=quiet, paint=None), err


@given(st.text(st.characters()))
def test_json_holds_the_words_and_nothing_a_terminal_acts_on(text: str) -> None:
    document = spelled({"words": text})
    assert json.loads(document) == {"words": text}
    assert is_fit_for_a_terminal(document)


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_words_survive_json(text: str) -> None:
    assert json.loads(spelled([text])) == [text]


def test_words_of_every_script_stay_readable_in_json() -> None:
    assert spelled("日本 ünï 🙂") == '"日本 ünï 🙂"'


def test_a_reader_that_goes_away_is_not_an_error() -> None:
    out = Failing(errno.EPIPE)
    answers, err = output(out)
    answers.lines(line(str(number)) for number in range(1000))
    assert (answers.is_cut, out.tries, err.text) == (True, 1, "")


def test_a_full_disk_is_an_error() -> None:
    answers, _ = output(Failing(errno.ENOSPC))
    with pytest.raises(OSError, match="refused"):
        answers.document({})


def test_a_closed_standard_output_takes_nothing() -> None:
    answers, _ = output(None)
    answers.lines([line("x")])
    answers.raw(b"x")
    assert answers.is_cut


def test_raw_bytes_are_exact_in_a_pipe() -> None:
    out = Stream()
    output(out)[0].raw(b"\x1b[31m\xff\x00")
    assert out.kept.getvalue() == b"\x1b[31m\xff\x00"


def test_raw_bytes_are_escaped_on_a_terminal_and_that_is_said() -> None:
    out = Stream(is_terminal=True)
    answers, err = output(out)
    answers.raw(b"\x1b[31m\xff\n")
    assert out.text == "\\x1b[31m\\xff\n"
    assert "escapes" in err.text


def test_quiet_keeps_what_is_wrong() -> None:
    answers, err = output(Stream(), quiet=True)
    answers.say("all is well")
    answers.warn("all is not\x1b well")
    assert err.text == "all is not\\x1b well\n"
