"""Authority: whose words weigh more, and which of two observations is newer.

There are four classes. *First-hand*: the user, and a person about themselves. *Second-hand*: another person, and
whoever speaks over MCP. Then the assistant, then everything else. A fact ranks by its strongest single piece of
evidence: class first, then stated over inferred, then the newer observation. The order in which things were pushed
never decides: equal times are ordered by place within a source, else by the digests of the quotes.
"""

import hashlib
from collections.abc import Iterable
from enum import Enum, IntEnum, auto
from functools import reduce
from typing import assert_never

from xysq.frozen import frozen
from xysq.model.fact import Evidence, Fact, Label
from xysq.model.page import PageState
from xysq.model.source import Channel, Role
from xysq.model.state import Archive
from xysq.planner.witness import is_standing
from xysq.text import fold


class Authority(IntEnum):
    """The classes, lowest first; `NONE` is for facts that cite nothing."""

    NONE = 0
    OTHER = 1
    ASSISTANT = 2
    SECOND_HAND = 3
    FIRST_HAND = 4


class Verdict(Enum):
    """How a rank compares with another: higher, lower by time only, lower by class, lower by label."""

    HIGHER = auto()
    OLDER = auto()
    LOWER_AUTHORITY = auto()
    WEAKER_LABEL = auto()


@frozen
class Observation:
    """When and where something was said: `at` is when it was pushed where the log does not tell."""

    at: str
    source: str = ""
    place: tuple[int, int] = (0, 0)
    digest: str = ""

    def is_after(self, other: "Observation") -> bool:
        """Tell whether this was said later than the other."""
        if self.at != other.at:
            return self.at > other.at
        if self.source and self.source == other.source:
            return self.place > other.place
        return self.digest > other.digest


@frozen
class Rank:
    """What a fact weighs."""

    authority: Authority
    label: Label
    observation: Observation


def folded_names(page: PageState | None) -> frozenset[str]:
    """Return the names of a page, as speakers are compared with them."""
    return frozenset() if page is None else frozenset(filter(None, map(fold, page.names)))


def authority_of(evidence: Evidence, names: frozenset[str]) -> Authority:
    """Return the class of a piece of evidence for a page of these folded names."""
    match evidence.role:
        case Role.USER:
            return Authority.SECOND_HAND if evidence.channel is Channel.MCP else Authority.FIRST_HAND
        case Role.PERSON:
            is_about_self = evidence.channel is not Channel.MCP and fold(evidence.speaker) in names
            return Authority.FIRST_HAND if is_about_self else Authority.SECOND_HAND
        case Role.ASSISTANT:
            return Authority.ASSISTANT
        case Role.TOOL | Role.SYSTEM | Role.OTHER:
            return Authority.OTHER
        case _:
            assert_never(evidence.role)


def observation_of(evidence: Evidence, archive: Archive) -> Observation:
    """Return when a piece of evidence was observed, for order."""
    at = evidence.at
    if at is None:
        meta = archive.meta(evidence.cited)
        at = "" if meta is None else meta.pushed_at
    digest = hashlib.sha256(evidence.quote.encode("utf-8", "surrogatepass")).hexdigest()
    return Observation(at=at, source=evidence.source, place=(evidence.start, evidence.version), digest=digest)


def newest(observations: Iterable[Observation], otherwise: str) -> Observation:
    """Return the newest observation; where there is none, one at the time given."""
    found = tuple(observations)
    return reduce(_later, found) if found else Observation(at=otherwise)


def strongest(evidence: Iterable[Evidence], names: frozenset[str]) -> Authority:
    """Return the highest class among the pieces."""
    return max((authority_of(piece, names) for piece in evidence), default=Authority.NONE)


def of_strongest(evidence: Iterable[Evidence], names: frozenset[str]) -> tuple[Evidence, ...]:
    """Return the pieces of the highest class."""
    pieces = tuple(evidence)
    best = strongest(pieces, names)
    return tuple(piece for piece in pieces if authority_of(piece, names) is best)


def rank_of(
    evidence: Iterable[Evidence], label: Label, names: frozenset[str], archive: Archive, otherwise: str
) -> Rank:
    """Return what standing evidence and a label weigh on a page; `otherwise` is the time where nothing is cited."""
    pieces = of_strongest(evidence, names)
    seen = (observation_of(piece, archive) for piece in pieces)
    return Rank(authority=strongest(pieces, names), label=label, observation=newest(seen, otherwise))


def rank_of_fact(fact: Fact, names: frozenset[str], archive: Archive) -> Rank:
    """Return what a committed fact weighs: only its standing quotes count."""
    standing = (piece for piece in fact.evidence if is_standing(piece, archive))
    return rank_of(standing, fact.label, names, archive, fact.at)


def compare(new: Rank, old: Rank) -> Verdict:
    """Tell how a rank compares with another."""
    if new.authority != old.authority:
        return Verdict.HIGHER if new.authority > old.authority else Verdict.LOWER_AUTHORITY
    if new.label is not old.label:
        return Verdict.HIGHER if new.label is Label.STATED else Verdict.WEAKER_LABEL
    return Verdict.HIGHER if new.observation.is_after(old.observation) else Verdict.OLDER


def _later(one: Observation, other: Observation) -> Observation:
    return other if other.is_after(one) else one
