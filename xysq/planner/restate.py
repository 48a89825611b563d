"""Restate: which fact would hold a seat had the words that a revert takes back never been heard.

A *seat* is what one open fact can hold: an attribute of a page, of a many-valued one a single value of it. What is left
of its history is gone through once more, quote by quote: who sat there, who was of higher rank and took the place, who
said the same and lent weight, and who was ended by somebody's word. Rank decides as it did when the facts came.
"""

from collections.abc import Iterable
from itertools import groupby

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
class Heard:
    """Event `n`, of the run that began with event `run`, gave a fact these quotes; none where it was concluded."""

    run: int
    n: int
    fact: Fact
    evidence: tuple[Evidence, ...]


@frozen
class Ended:
    """Event `n`, of the run that began with event `run`, ended whatever had this value."""

    run: int
    n: int
    value: str


@frozen
class Sitting:
    """Who sits in a seat: the fact whose words say it, since which event, and on which quotes."""

    fact: Fact
    since: int
    evidence: tuple[Evidence, ...]


def seat_of(fact: Fact, page: Slug) -> Seat:
    """Return the seat that a fact would hold on a page."""
    return Seat(page, fact.attribute, "" if fact.single else fold(fact.value))


def says_the_same(one: Fact, other: Fact) -> bool:
    """Tell whether two facts of one value are one for whoever reads the page."""
    return one.label is other.label and fold(plain(one.text)) == fold(plain(other.text))


def seated(history: Iterable[Heard | Ended], names: frozenset[str], archive: Archive) -> Sitting | None:
    """Return who sits in a seat at the end of its history; None where nobody does.

    `names` are the folded names of the page.
    """
    sitting: Sitting | None = None
    for _, run in groupby(sorted(history, key=lambda one: (one.run, one.n)), key=lambda one: one.run):
        events = list(run)
        for event in _best_first([one for one in events if isinstance(one, Heard)], names, archive):
            sitting = _after(sitting, event, names, archive)
        if sitting is not None and fold(sitting.fact.value) in {
            fold(one.value) for one in events if isinstance(one, Ended)
        }:
            sitting = None
    return sitting


def _best_first(events: list[Heard], names: frozenset[str], archive: Archive) -> list[Heard]:
    """Return what one run heard, the highest rank first: its values are a contest before one of them is stated."""
    found: list[Heard] = []
    for event in events:
        higher = (place for place, one in enumerate(found) if _is_higher(_seat(event), _seat(one), names, archive))
        found.insert(next(higher, len(found)), event)
    return found


def _seat(event: Heard) -> Sitting:
    return Sitting(fact=event.fact, since=event.n, evidence=event.evidence)


def _after(sitting: Sitting | None, event: Heard, names: frozenset[str], archive: Archive) -> Sitting | None:
    """Return who sits in a seat behind an event, after who did before."""
    if sitting is not None and fold(sitting.fact.value) == fold(event.fact.value):
        return _joined(sitting, event)
    new = _seat(event)
    is_higher = sitting is None or _is_higher(new, sitting, names, archive)
    return new if is_higher and _can_sit(event) else sitting


def _can_sit(event: Heard) -> bool:
    """Tell whether quotes prove a fact by themselves, or it was concluded."""
    fact = event.fact
    return fact.label is Label.INFERRED or any(stands_in(fact.value, piece.quote) for piece in event.evidence)


def _joined(sitting: Sitting, event: Heard) -> Sitting:
    """Let who says the same lend weight; what is proven takes the word from what was only concluded."""
    if event.fact.label is sitting.fact.label:
        known = {piece.source for piece in sitting.evidence}
        more = tuple(piece for piece in event.evidence if piece.source not in known or event.fact is sitting.fact)
        return Sitting(
            fact=sitting.fact,
            since=sitting.since,
            evidence=tuple(dict.fromkeys((*sitting.evidence, *(one for one in more if _proves(one, sitting.fact))))),
        )
    if event.fact.label is Label.STATED:
        return Sitting(fact=event.fact, since=event.n, evidence=event.evidence)
    return sitting


def _is_higher(new: Sitting, old: Sitting, names: frozenset[str], archive: Archive) -> bool:
    return compare(_rank(new, names, archive), _rank(old, names, archive)) is Verdict.HIGHER


def _rank(sitting: Sitting, names: frozenset[str], archive: Archive) -> Rank:
    return rank_of(sitting.evidence, sitting.fact.label, names, archive, sitting.fact.at)


def _proves(piece: Evidence, fact: Fact) -> bool:
    return fact.label is Label.INFERRED or stands_in(fact.value, piece.quote)
