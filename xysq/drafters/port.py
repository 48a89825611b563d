"""The port between xysq and whatever drafts: one method, bytes out.

A drafter reads a request and answers with a draft as bytes. Nothing it says is believed; whoever it is, the same
planner and the same gates judge the answer. It runs without any lock and may take minutes.
"""

from typing import Protocol

from xysq.frozen import frozen
from xysq.model.fact import FactId, Label, RunId, Slug
from xysq.model.run import Drafting, Refusal
from xysq.model.schema import Schema
from xysq.model.settings import Me
from xysq.model.source import Passage


@frozen
class KnownFact:
    """An open fact the drafter is shown."""

    id: FactId
    attribute: str
    value: str
    text: str
    label: Label


@frozen
class KnownPage:
    """A page that the passages mention, with its open facts."""

    slug: Slug
    title: str
    kind: str
    aliases: tuple[str, ...]
    facts: tuple[KnownFact, ...]


@frozen
class Request:
    """What a drafter works from. In its answer, passage k is item k - 1 of `passages`.

    `project` is the name of the session's repository or "" where the passages have none. `refusals` are those of
    the try before, if the same rows were refused.
    """

    run: RunId
    passages: tuple[Passage, ...]
    pages: tuple[KnownPage, ...]
    schema: Schema
    me: Me
    project: str = ""
    refusals: tuple[Refusal, ...] = ()


@frozen
class Answer:
    """The reply as it came, and how it came to be."""

    reply: bytes
    drafting: Drafting


class Drafter(Protocol):
    """Anything that drafts.

    `draft` raises `DrafterUnreachable` where nothing was lost by asking, `BadDraft` where the answer is unusable.
    """

    @property
    def name(self) -> str:
        """The name it has in settings and records."""
        ...

    def draft(self, request: Request) -> Answer:
        """Answer a request with a draft."""
        ...
