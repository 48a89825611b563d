"""Damage to quotes: off by a byte, inside an escape, from elsewhere, with letters that look alike, by somebody else."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from tests.mutants.base import Base, Mutant, Stating, restated
from tests.mutants.operator import Family, pick
from xysq.model.event import Asserted, Body, Confirmed, FactClosed, LearnedLate, PageChanged, ProseChanged, SupersededBy
from xysq.model.fact import Evidence, Label
from xysq.model.source import Channel, Encoding, Role, SourceId

QUOTING = Family("quotes")
_LOOKALIKES = str.maketrans("aeocpixABE", "аеосріхАВЕ")


def cited(body: Body) -> tuple[Evidence, ...]:
    """Return the quotes of an event."""
    match body:
        case Asserted() | SupersededBy() | LearnedLate():
            return body.statement.evidence
        case Confirmed(evidence=evidence) | FactClosed(evidence=evidence):
            return evidence
        case ProseChanged(quotes=quotes):
            return quotes
        case PageChanged(aliases=aliases):
            return tuple(piece for alias in aliases for piece in alias.evidence)
        case _:
            return ()


def citing(body: Body, evidence: tuple[Evidence, ...]) -> Body:
    """Return an event with other quotes."""
    match body:
        case Asserted() | SupersededBy() | LearnedLate():
            return restated(body, evidence=evidence)
        case Confirmed() | FactClosed():
            return replace(body, evidence=evidence)
        case ProseChanged():
            return replace(body, quotes=evidence)
        case _:
            raise AssertionError(body)


def _places(base: Base) -> Iterator[tuple[int, int, Evidence]]:
    for place, body in enumerate(base.bodies):
        if not isinstance(body, PageChanged):
            for number, piece in enumerate(cited(body)):
                yield place, number, piece


def _requoted(base: Base, place: int, number: int, piece: Evidence) -> Mutant:
    """Put another quote in the place of one."""
    body = base.bodies[place]
    old = cited(body)
    return base.replaced(place, citing(body, (*old[:number], piece, *old[number + 1 :])))


def _damaged(
    base: Base, luck: Random, change: "dict[str, object] | None", piece: Evidence | None = None
) -> Mutant | None:
    """Change a quote that somebody chose, or any."""
    found = pick(luck, [at for at in _places(base) if piece is None or at[2] is piece])
    if found is None or change is None:
        return None
    place, number, old = found
    return _requoted(base, place, number, replace(old, **change))  # type: ignore[arg-type]


def _any(base: Base, luck: Random) -> Evidence | None:
    found = pick(luck, list(_places(base)))
    return None if found is None else found[2]


@QUOTING
def a_quote_off_by_a_byte(base: Base, luck: Random) -> Mutant | None:
    """Cite a byte more or less than the words."""
    piece = _any(base, luck)
    if piece is None:
        return None
    step = luck.choice(((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (2, 2)))
    return _damaged(base, luck, {"start": max(0, piece.start + step[0]), "end": piece.end + step[1]}, piece)


@QUOTING
def a_quote_that_cuts(base: Base, luck: Random) -> Mutant | None:
    """Begin or end inside an escape or a character; the words are what the bytes then say, if they say anything."""
    piece = _any(base, luck)
    if piece is None:
        return None
    cuts = [at for at in range(piece.start + 1, piece.end) if not _is_clean(base, piece, at)]
    if not cuts:
        return None
    at = luck.choice(cuts)
    start, end = (at, piece.end) if luck.random() < 0.5 else (piece.start, at)
    words = base.state.archive.words(replace(piece, start=start, end=end, quote=""))
    if words is None:
        words = luck.choice((piece.quote, piece.quote[1:], piece.quote[:-1]))
    return _damaged(base, luck, {"start": start, "end": end, "quote": words}, piece)


def _is_clean(base: Base, piece: Evidence, at: int) -> bool:
    """Tell whether the words before and behind a place make up the quote."""
    words = base.state.archive.words
    before, behind = words(replace(piece, end=at, quote="")), words(replace(piece, start=at, quote=""))
    return before is not None and behind is not None and before + behind == piece.quote


@QUOTING
def a_quote_reworded(base: Base, luck: Random) -> Mutant | None:
    """Change a letter of the words: another one, one that looks alike, another case, a space, an invisible one."""
    piece = _any(base, luck)
    if piece is None or not piece.quote:
        return None
    text, place = piece.quote, luck.randrange(len(piece.quote))
    changed = luck.choice(
        (
            f"{text[:place]}x{text[place + 1 :]}",
            f"{text[:place]}{text[place + 1 :]}",
            text.translate(_LOOKALIKES),
            text.swapcase(),
            f"{text[:place]}\u200b{text[place:]}",
            text.replace(" ", "\u00a0"),
            f"{text} ",
            text.replace('"', "\u201d"),
            f"{text}; she hates it",
            "",
        )
    )
    return _damaged(base, luck, {"quote": changed}, piece)


@QUOTING
def a_quote_from_elsewhere(base: Base, luck: Random) -> Mutant | None:
    """Cite another version, source, passage or encoding for the same words."""
    piece = _any(base, luck)
    other = pick(luck, base.quotes)
    if piece is None or other is None:
        return None
    changes: tuple[dict[str, object], ...] = (
        {"version": piece.version + 1},
        {"version": 2**31},
        {"source": SourceId("20261130-zzzzzz")},
        {"source": SourceId("../../etc")},
        {"source": other.source, "version": other.version},
        {"start": other.start, "end": other.end},
        {"start": 0, "end": 0},
        {"start": piece.end, "end": piece.start},
        {"start": -piece.end, "end": piece.start},
        {"enc": luck.choice([enc for enc in Encoding if enc is not piece.enc])},
    )
    change = luck.choice(changes)
    is_elsewhere = ("source" not in change or other.source != piece.source) and other.quote != piece.quote
    return _damaged(base, luck, change, piece) if is_elsewhere else None


@QUOTING
def a_quote_by_somebody_else(base: Base, luck: Random) -> Mutant | None:
    """Put another speaker, role, time or channel to a quote."""
    piece = _any(base, luck)
    if piece is None:
        return None
    changes: tuple[dict[str, object], ...] = (
        {"speaker": luck.choice(("Mia Voss", "Eve", "", f"{piece.speaker} ", piece.speaker.upper()))},
        {"role": luck.choice([role for role in Role if role is not piece.role])},
        {"at": luck.choice((None, "2026-11-29T00:00:00Z", "2020-01-01T00:00:00Z", "now", f"{piece.at} "))},
        {"channel": luck.choice([channel for channel in Channel if channel is not piece.channel])},
    )
    return _damaged(base, luck, luck.choice(changes), piece)


@QUOTING
def words_of_another_fact(base: Base, luck: Random) -> Mutant | None:
    """Prove a stated fact by true words that do not hold its value."""
    place, body = pick(luck, base.stated) or (None, None)
    piece = pick(luck, base.quotes)
    if body is None or place is None or piece is None or body.statement.label is not Label.STATED:
        return None
    if body.statement.value.casefold() in piece.quote.casefold():
        return None
    return base.replaced(place, restated(body, evidence=(piece,)))


@QUOTING
def no_quote_at_all(base: Base, luck: Random) -> Mutant | None:
    """State a fact, close one or confirm one without words."""
    places = [at for at, body in enumerate(base.bodies) if cited(body) and not isinstance(body, ProseChanged)]
    place = pick(luck, places)
    if place is None:
        return None
    body = base.bodies[place]
    if isinstance(body, Stating) and body.statement.label is Label.INFERRED:
        return None
    return base.replaced(place, citing(body, ()))


@QUOTING
def a_quote_twice_over(base: Base, luck: Random) -> Mutant | None:
    """Add a quote to an event that is not in the log, beside those that are."""
    places = [at for at, body in enumerate(base.bodies) if cited(body) and not isinstance(body, PageChanged)]
    place = pick(luck, places)
    if place is None:
        return None
    body = base.bodies[place]
    first = cited(body)[0]
    forged = replace(first, quote=f"{first.quote} indeed", end=first.end + luck.choice((0, 1, 7)))
    return base.replaced(place, citing(body, (*cited(body), forged)))


@QUOTING
def words_that_recall_printed(base: Base, luck: Random) -> Mutant | None:
    """Rest a fact on words that came out of the memory itself: an own tool's answer, a fenced block of recall."""
    piece = pick(luck, base.own)
    place, body = pick(luck, base.stated) or (None, None)
    if piece is None or place is None or body is None:
        return None
    words = [word for word in piece.quote.replace(".", "").split() if word.isalnum()]
    if not words:
        return None
    value = luck.choice(words)
    return base.replaced(place, restated(body, evidence=(piece,), value=value, text=f"It says {value}."))
