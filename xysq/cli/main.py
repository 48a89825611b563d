"""Main: starts the program, and is the one place where errors become words and an exit status.

An error is `xysq: sentence`, then `hint: …`; under `--json` it is one document on standard output. Statuses are those
of the README. Nothing heavy is imported here: a command brings what it needs, and help and version need nothing.
"""

import gc
import json
import os
import sys
from collections.abc import Sequence
from typing import NoReturn, TextIO

from xysq.cli.call import Call, Form
from xysq.cli.commands import enable_completion, load_dispatch
from xysq.cli.overview import VERSION_LINE, overview
from xysq.errors import Bug, XysqError, named
from xysq.text import safe_line

_COMPLETE = "_XYSQ_COMPLETE"
_FIRST_COLLECTION = 100_000  # objects; most commands have ended before, and what is imported is no garbage


class Interrupted(XysqError):
    """Somebody pressed the interrupt key."""

    code = "interrupted"
    exit_status = 130


def main() -> NoReturn:
    """Run the program on the command line it was started with, and end the process."""
    gc.set_threshold(_FIRST_COLLECTION)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    completes = bool(os.environ.get(_COMPLETE))
    if completes:
        enable_completion()
    status = run(sys.argv[1:], completes=completes)
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError:
        # What nobody can take stays in the buffer; an ordinary end would try once more, and complain.
        os._exit(status)
    sys.exit(status)


def run(arguments: Sequence[str], *, completes: bool = False) -> int:
    """Run the program on some arguments; return the status to end with.

    `completes` tells that a shell asks what could come next, by variables of its own.
    """
    alone = arguments[0] if len(arguments) == 1 else ""
    if not completes and (not arguments or alone in {"-h", "--help"}):
        return _write(sys.stdout, overview())
    if not completes and alone == "--version":
        return _write(sys.stdout, VERSION_LINE)
    call = Call()
    try:
        return load_dispatch()(arguments, call)
    except Exception as error:  # noqa: BLE001 - the one place at the edge where everything ends
        return _fail(_named(error), _form(call, arguments))
    except KeyboardInterrupt:
        return _fail(Interrupted("interrupted"), _form(call, arguments))


def _named(error: Exception) -> XysqError:
    """Return the error of ours that an exception is; show where a bug is, to who wants to see it."""
    found = named(error)
    if isinstance(found, Bug) and os.environ.get("XYSQ_DEBUG"):
        sys.excepthook(type(error), error, error.__traceback__)
    return found


def _form(call: Call, arguments: Sequence[str]) -> Form:
    """Return how results were wanted, also where the command line was not understood to its end."""
    if call.form is not Form.TEXT:
        return call.form
    before = list(arguments)
    before = before[: before.index("--")] if "--" in before else before
    return Form.JSON if "--json" in before or "--jsonl" in before else Form.TEXT


def _fail(error: XysqError, form: Form) -> int:
    """Tell of an error; return its status."""
    if form is Form.TEXT:
        _write(sys.stderr, f"xysq: {safe_line(error.sentence)}\n")
        if error.hint:
            _write(sys.stderr, f"hint: {safe_line(error.hint)}\n")
        for row in error.lines:
            _write(sys.stderr, f"  {safe_line(row)}\n")
    else:
        document = json.dumps({"error": error.told()}).replace("\x7f", "\\u007f")
        _write(sys.stdout, f"{document}\n")
    return error.exit_status


def _write(stream: TextIO | None, text: str) -> int:
    """Write where somebody can read it; return 0."""
    try:
        if stream is not None:
            stream.write(text)
            stream.flush()
    except OSError:
        return 0
    return 0
