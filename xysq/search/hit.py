"""Hits: what a search may look at, and what it answers."""

from enum import StrEnum

from xysq.frozen import frozen
from xysq.model.fact import Slug
from xysq.model.index import Mark


class Place(StrEnum):
    """Where to look: what was pushed, what is known, what pages say besides."""

    LOGS = "logs"
    FACTS = "facts"
    PAGES = "pages"


class HitKind(StrEnum):
    """What a hit is."""

    PASSAGE = "passage"
    FACT = "fact"
    PROSE = "prose"


@frozen
class Hit:
    """Something found.

    `id` is accepted by every command; `at` is when it was said (or pushed, or committed), `who` the speaker, of a
    passage without one its role, of facts and prose their page. `text` is an excerpt of plain words on one line,
    untrusted like everything from a log. `score` is 0 and more, comparable within one search. A passage that has none
    of the words itself but stands near one that has names that one in `beside`. `why` says, where it was asked for,
    what made it a hit.
    """

    kind: HitKind
    id: str
    at: str
    who: str
    text: str
    score: float
    marks: tuple[Mark, ...] = ()
    unproven: bool = False
    page: Slug | None = None
    beside: str = ""
    why: tuple[str, ...] = ()
