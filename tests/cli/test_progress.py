from tests.cli.conftest import Stream
from xysq.cli.call import Form
from xysq.cli.output import Output
from xysq.cli.progress import Progress


def progress(err: Stream, *, quiet: bool = False) -> Progress:
    return Progress(Output(Form.TEXT, out=Stream(), err=err, quiet=quiet, paint=None), "passages")


def test_somebody_who_watches_sees_counts_and_rate_and_then_nothing() -> None:
    err = Stream(is_terminal=True)
    with progress(err) as told:
        told(40, 1200)
        told(1200, 1200)
    assert "40 of 1,200 passages, " in err.text
    assert "1,200 of 1,200 passages, " in err.text
    assert err.text.endswith("\r\x1b[K")


def test_nobody_who_watches_is_told_nothing() -> None:
    for err, quiet in ((Stream(), False), (Stream(is_terminal=True), True)):
        with progress(err, quiet=quiet) as told:
            told(1, 2)
        assert err.text == ""


def test_progress_is_told_a_few_times_a_second_only() -> None:
    err = Stream(is_terminal=True)
    with progress(err) as told:
        for done in range(500):
            told(done, 10_000)
    assert err.text.count(" of ") < 100
