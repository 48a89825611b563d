"""Output: results on standard output, everything else on standard error.

Text takes lines only, so nothing unescaped gets through; JSON escapes what a terminal would act on. When the reader
of a pipe goes away, what is left is not written and nobody is told: the work itself goes on to its end.
"""

import errno
import json
from collections.abc import Callable, Iterable
from importlib import import_module
from typing import TextIO

from xysq.cli.call import Form
from xysq.cli.line import Line, line
from xysq.text import safe_json, safe_text

Paint = Callable[[Line], str]


class Output:
    """Where a command's answers go. `is_cut` once nobody reads them any more."""

    def __init__(self, form: Form, *, out: TextIO | None, err: TextIO | None, quiet: bool, paint: Paint | None) -> None:
        """Write to these streams; `paint` is there where `out` shows colours."""
        self.form = form
        self.is_cut = out is None
        self._out = out
        self._err = err
        self._quiet = quiet
        self._paint: Paint = paint or str

    @property
    def is_for_people(self) -> bool:
        """Tell whether results are read on a terminal, not by a program."""
        return self.form is Form.TEXT and self._is_terminal

    @property
    def _is_terminal(self) -> bool:
        return self._out is not None and self._out.isatty()

    @property
    def shows_progress(self) -> bool:
        """Tell whether somebody is watching standard error."""
        return self._err is not None and not self._quiet and self._err.isatty()

    # Results

    def lines(self, lines: Iterable[Line]) -> None:
        """Write lines as they come."""
        for one in lines:
            self._write(f"{self._paint(one)}\n")
            if self.is_cut:
                return
        self.flush()

    def document(self, value: object) -> None:
        """Write a value as one JSON document."""
        self._write(f"{spelled(value)}\n")
        self.flush()

    def raw(self, data: bytes) -> None:
        """Write exact bytes; on a terminal, escaped, with a word about it."""
        if self._out is None:
            return
        if self._is_terminal:
            text = data.decode("utf-8", "backslashreplace")
            self._write(safe_text(text.replace("\r\n", "\n")))
            self.flush()
            if safe_text(text) != text:
                self.say("some characters are shown as escapes here; in a file or a pipe they are exact")
            return
        self.flush()
        try:
            self._out.buffer.write(data)
            self._out.buffer.flush()
        except BrokenPipeError:
            self.is_cut = True

    def flush(self) -> None:
        """Hand over what is written so far."""
        if self._out is None or self.is_cut:
            return
        try:
            self._out.flush()
        except OSError as error:
            self._take(error)

    def _write(self, text: str) -> None:
        if self._out is None or self.is_cut:
            return
        try:
            self._out.write(text)
        except OSError as error:
            self._take(error)

    def _take(self, error: OSError) -> None:
        self.is_cut = True
        if error.errno != errno.EPIPE:
            raise error

    # Everything else

    def say(self, sentence: str) -> None:
        """Tell a person something, unless they want it quiet."""
        if not self._quiet:
            self.warn(sentence)

    def warn(self, sentence: str) -> None:
        """Tell a person something in any case."""
        if self._err is not None:
            self.progress(f"{line(sentence)}\n")

    def progress(self, text: str) -> None:
        """Write something of ours to standard error as it is."""
        if self._err is None:
            return
        try:
            self._err.write(text)
            self._err.flush()
        except BrokenPipeError:
            self._err = None


def spelled(value: object) -> str:
    """Return a value as JSON on one line in which a terminal finds nothing to act on."""
    to_json: Callable[[object], object] = import_module("xysq.cli.wire").to_json  # knows every report there is
    return safe_json(json.dumps(to_json(value), ensure_ascii=False, allow_nan=False))
