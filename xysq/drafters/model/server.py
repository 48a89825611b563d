"""The port between the drafter and a server with models: one question, one answer, streamed."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from xysq.frozen import frozen

STOP, LENGTH = "stop", "length"


@frozen
class Model:
    """What a server tells of a model: how many parameters and how long a context it has (0: not told), its digest."""

    name: str
    parameters: int = 0
    context: int = 0
    digest: str = ""


@frozen
class Message:
    """One message of a conversation."""

    role: str
    content: str


@frozen
class Ask:
    """One question to a model: the messages, the shape of the answer, and the bounds of both."""

    model: str
    messages: tuple[Message, ...]
    schema: Mapping[str, Any]
    context: int
    predict: int
    seed: int = 7

    @property
    def words(self) -> str:
        """Everything the model reads."""
        return "\n".join(message.content for message in self.messages)


@frozen
class Said:
    """What a model answered, why it ended ("stop" where it was done), and how many tokens it read and wrote."""

    text: str
    ended: str
    tokens_in: int
    tokens_out: int


class Server(Protocol):
    """A server with models. Both methods raise `DrafterUnreachable` where it cannot be asked, and nothing is lost.

    `chat` raises `BadDraft` where the server is there and yet gives no answer in time.
    """

    def describe(self, model: str) -> Model:
        """Return what is known of a model."""
        ...

    def chat(self, ask: Ask, stream: Callable[[int], None]) -> Said:
        """Ask once; `stream` is told how many pieces of the answer have come."""
        ...


def joined(pieces: Sequence[str]) -> str:
    """Return an answer that came in pieces, without letters that no file could hold."""
    return "".join(pieces).encode("utf-8", "replace").decode()
