"""Restate: which of several facts about the same thing holds, once what a revert takes back is gone.

A *seat* is what one open fact can hold: an attribute of a page, of a many-valued one a single value of it. Whoever
would sit there had the reverted words never been heard has a claim: the fact that sits there now, facts that were ended
by those words, and facts of those words that others prove too. Claims of one value are one, and the first of them
speaks, a stated one before an inferred one. The seat goes to the highest rank, as when the facts came.
"""

from collections.abc import Iterable, Sequence
from functools import reduce

from xysq.frozen import frozen
from xysq.model.fact import Evidence, Fact, Label, Slug
from xysq.model.state import Archive
from xysq.pages.escape import plain, stands_in
from xysq.planner.authority import Rank, Verdict, compare, rank_of
from xysq.text import fold


@frozen(kw_only=False)
class Seat:
    """What one open fact can hold; `value` is "" where the attribute takes one value only."""

    page: Slug
    attribute: str
    value: str


@frozen
class Claim:
    """A fact that may hold a seat, the standing quotes that are left of it, and since when they say so."""

    fact: Fact
    evidence: tuple[Evidence, ...]
    since: int
    is_sitting: bool = False

    @property
    def is_proven(self) -> bool:
        """True where quotes prove it; an inferred fact may yet follow from its premises."""
        if self.fact.label is Label.INFERRED:
            return bool(self.evidence)
        return any(stands_in(self.fact.value, piece.quote) for piece in self.evidence)


@frozen
class Seating:
    """Who is to be seated: a claim, the quotes of all of its value, and whose place it takes, if one is taken."""

    claim: Claim
    evidence: tuple[Evidence, ...]
    instead_of: Fact | None


def seat_of(fact: Fact, page: Slug) -> Seat:
    """Return the seat that a fact would hold on a page."""
    return Seat(page, fact.attribute, "" if fact.single else fold(fact.value))


def seated(claims: Sequence[Claim], names: frozenset[str], archive: Archive) -> Seating | None:
    """Return who takes a seat that these claim; None where who sits there stays, or nobody claims it.

    `names` are the folded names of the page.
    """
    if not claims:
        return None
    teams: dict[str, list[Claim]] = {}
    for claim in sorted(claims, key=lambda one: one.since):
        teams.setdefault(fold(claim.fact.value), []).append(claim)
    best = reduce(lambda one, other: _higher(one, other, names, archive), teams.values())
    speaker = next((claim for claim in best if claim.fact.label is Label.STATED), best[0])
    sitting = next((claim for claim in claims if claim.is_sitting), None)
    if sitting in best and _says_the_same(speaker, sitting):
        return None
    return Seating(
        claim=speaker,
        evidence=_together(speaker, best),
        instead_of=None if sitting is None else sitting.fact,
    )


def _says_the_same(one: Claim, other: Claim | None) -> bool:
    """Tell whether two claims are one for whoever reads the page."""
    if other is None:
        return False
    return one.fact.label is other.fact.label and fold(plain(one.fact.text)) == fold(plain(other.fact.text))


def _higher(one: list[Claim], other: list[Claim], names: frozenset[str], archive: Archive) -> list[Claim]:
    ranks = (_rank(team, names, archive) for team in (other, one))
    return other if compare(*ranks) is Verdict.HIGHER else one


def _rank(team: Iterable[Claim], names: frozenset[str], archive: Archive) -> Rank:
    ranks = (rank_of(one.evidence, one.fact.label, names, archive, one.fact.at) for one in team)
    return reduce(lambda best, rank: rank if compare(rank, best) is Verdict.HIGHER else best, ranks)


def _together(speaker: Claim, team: Iterable[Claim]) -> tuple[Evidence, ...]:
    """Return the quotes of a claim, and one of each other source that says the same."""
    found = list(dict.fromkeys(speaker.evidence))
    for claim in team:
        if claim.fact.label is speaker.fact.label:
            for piece in claim.evidence:
                if piece.source not in {known.source for known in found} and _proves(piece, speaker.fact):
                    found.append(piece)
    return tuple(found)


def _proves(piece: Evidence, fact: Fact) -> bool:
    return fact.label is Label.INFERRED or stands_in(fact.value, piece.quote)
