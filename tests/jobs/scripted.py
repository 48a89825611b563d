"""A drafter with its answers written down."""

import json
from collections.abc import Callable, Sequence
from typing import Any

from xysq.drafters.port import Answer, Request
from xysq.model.run import Drafting


class Scripted:
    """Answers each request with what a function makes of it; remembers the requests."""

    def __init__(self, answer: Callable[[Request], Any]) -> None:
        self._answer = answer
        self.requests: list[Request] = []

    @property
    def name(self) -> str:
        return "scripted"

    def draft(self, request: Request) -> Answer:
        self.requests.append(request)
        reply = self._answer(request)
        data = reply if isinstance(reply, bytes) else json.dumps(reply).encode()
        return Answer(reply=data, drafting=Drafting(drafter=self.name))


def stated(
    subject: str, attribute: str, value: str, text: str, quote: dict[str, Any], ref: str = "1"
) -> dict[str, Any]:
    """Return a drafted fact."""
    return {
        "ref": ref,
        "subject": subject,
        "kind": "person",
        "attribute": attribute,
        "value": value,
        "text": text,
        "label": "stated",
        "quotes": [quote],
    }


def passage_with(request: Request, words: str) -> int:
    """Return the number of the first passage that has the words."""
    return next(n for n, passage in enumerate(request.passages, 1) if words in passage.text)


def facts(*found: dict[str, Any]) -> Callable[[Request], dict[str, Sequence[Any]]]:
    """Return an answer with these facts, whatever is asked."""
    return lambda _: {"facts": list(found)}
