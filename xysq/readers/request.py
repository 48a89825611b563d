"""What a reader is asked and what it answers.

A reading begins where an earlier one ended (`start` is 0 or an earlier `parsed_to`), so work follows the new
bytes. What must be carried across that border comes with the request: the last passage before it, the number of
the next one, the native ids already there. Reading in parts gives the same passages as reading at once.
"""

from collections.abc import Callable
from dataclasses import field

from xysq.frozen import frozen
from xysq.model.settings import Me
from xysq.model.source import Certainty, Passage, Role, SourceId, Unreadable
from xysq.readers.view import View

TEXT = "text"
TURNS = "turns"
MARKDOWN = "markdown"
CLAUDE_CODE = "claude-code"
FORMATS = (TEXT, TURNS, MARKDOWN, CLAUDE_CODE)


@frozen
class ReadRequest:
    """Bytes to read as passages.

    `data` are the log's bytes from the global offset `start` to its end. `enc_view` is the text view of parts
    that cannot be cited as they are; it reaches from `start` (or before it) to the end of `data`. `seen` tells
    which native ids the source already has. `earlier` gives the bytes before `start`: asked at most once, only
    where a record answers one that stands there.
    """

    source: SourceId
    version: int
    data: bytes
    format: str
    start: int = 0
    enc_view: View | None = None
    next_number: int = 1
    previous: Passage | None = None
    seen: frozenset[str] | Callable[[str], bool] = frozenset()
    me: Me = field(default_factory=Me)
    said_as: tuple[Role, str] | None = None
    earlier: Callable[[], bytes] = bytes

    def was_seen(self, native: str) -> bool:
        """Tell whether the source already has a record with this id."""
        return native in self.seen if isinstance(self.seen, frozenset) else self.seen(native)


@frozen
class Reading:
    """The passages of a request, in order of their first byte.

    `parsed_to` is the global end of the last record that its framing alone finished; passages behind it may
    still grow. `observed_from` and `observed_to` span the times found; `title`, `project`, `session` and `key`
    are what this part of the log tells ("" where it does not).
    """

    passages: tuple[Passage, ...]
    unreadable: tuple[Unreadable, ...]
    parsed_to: int
    observed_from: str | None
    observed_to: str | None
    certainty: Certainty
    title: str
    project: str
    session: str
    key: str
