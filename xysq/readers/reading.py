"""Bytes to passages: one door to the readers of all formats.

`read` makes passages; `framed_to` only tells how far a log's framing has finished its records, which is what a
push writes down before anything else is known. Both are pure functions of what they are given.
"""

from collections.abc import Callable, Mapping

from xysq.errors import BadInput
from xysq.model.source import Passage, SourceId
from xysq.readers.claude_code import framed_claude_code, read_claude_code
from xysq.readers.markdown import framed_markdown, read_markdown
from xysq.readers.material import Material
from xysq.readers.paragraph import finished
from xysq.readers.request import CLAUDE_CODE, FORMATS, MARKDOWN, TEXT, TURNS, Reading, ReadRequest
from xysq.readers.text import read_text
from xysq.readers.turns import read_turns
from xysq.readers.view import View

__all__ = ["FORMATS", "ReadRequest", "Reading", "framed_to", "read"]

_READERS: Mapping[str, Callable[[ReadRequest], Reading]] = {
    TEXT: read_text,
    TURNS: read_turns,
    MARKDOWN: read_markdown,
    CLAUDE_CODE: read_claude_code,
}


def read(request: ReadRequest) -> Reading:
    """Read the passages of a request with the reader of its format; an unknown format is a BadInput."""
    reader = _READERS.get(request.format)
    if reader is None:
        raise BadInput(f"{request.format!r} is no format", f"formats: {', '.join(FORMATS)}")
    return reader(request)


def framed_to(name: str, data: bytes, start: int, *, view: View | None = None, previous: Passage | None = None) -> int:
    """Return the `parsed_to` that reading these bytes from `start` will give, by the framing alone.

    `previous` is the last passage before `start`; without it, turns and recall output that go on over `start`
    may be finished at another line.
    """
    material = Material.of(data, start, view)
    match name:
        case "claude-code":
            return material.raw(framed_claude_code(material.data))
        case "text":
            return material.raw(finished(material))
        case "markdown":
            return material.raw(framed_markdown(material, previous))
        case _:
            request = ReadRequest(
                source=SourceId(""), version=1, data=data, format=name, start=start, enc_view=view, previous=previous
            )
            return read(request).parsed_to
