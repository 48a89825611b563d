"""Damage to evidence: quotes that are nearly right."""

from collections.abc import Callable
from dataclasses import replace
from random import Random

from tests.mutants.base import Base, Mutant, Stating, restated
from tests.mutants.operator import operator, pick
from xysq.model.event import Asserted, Confirmed, FactClosed, LearnedLate, SupersededBy
from xysq.model.fact import Evidence, Label
from xysq.model.source import Channel, Encoding, Role, SourceId

QUOTES = "quotes"
Change = Callable[[Evidence, Random], Evidence | None]
_LOOKALIKES = str.maketrans({"a": "\u0430", "e": "\u0435", "o": "\u043e", "i": "\u0456", "c": "\u0441", "B": "\u0412"})


def _with_quote(base: Base, random: Random, change: Change) -> Mutant | None:
    """Change one piece of evidence of one event that is the run's own."""
    places: list[tuple[int, int]] = []
    for at, body in enumerate(base.bodies):
        match body:
            case Asserted(statement=stated) | SupersededBy(statement=stated) | LearnedLate(statement=stated):
                places += [(at, number) for number in range(len(stated.evidence))]
            case Confirmed(evidence=evidence) | FactClosed(evidence=evidence):
                places += [(at, number) for number in range(len(evidence))]
            case _:
                pass
    if base.run.kind.value in ("revert", "page"):
        return None  # what they state again was proven before, and is compared with that
    chosen = pick(random, places)
    if chosen is None:
        return None
    at, number = chosen
    body = base.bodies[at]
    assert isinstance(body, Asserted | SupersededBy | LearnedLate | Confirmed | FactClosed)
    evidence = body.statement.evidence if isinstance(body, Stating) else body.evidence
    changed = change(evidence[number], random)
    if changed is None or changed == evidence[number]:
        return None
    pieces = (*evidence[:number], changed, *evidence[number + 1 :])
    if isinstance(body, Stating):
        return base.replaced(at, restated(body, evidence=pieces))
    return base.replaced(at, replace(body, evidence=pieces))


@operator(QUOTES)
def quote_off_by_a_byte(base: Base, random: Random) -> Mutant | None:
    def change(piece: Evidence, random: Random) -> Evidence:
        start, end = random.choice(((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (2, 2)))
        return replace(piece, start=piece.start + start, end=piece.end + end)

    return _with_quote(base, random, change)


@operator(QUOTES)
def quote_of_other_words(base: Base, random: Random) -> Mutant | None:
    def change(piece: Evidence, random: Random) -> Evidence:
        words = piece.quote
        at = random.randrange(len(words))
        return replace(
            piece,
            quote=random.choice(
                (
                    words.translate(_LOOKALIKES),
                    words[:at] + words[at + 1 :],
                    words.swapcase(),
                    words.replace(" ", "\u00a0"),
                    f"{words} ",
                    words + "!",
                    words.replace("'", "\u2019"),
                )
            ),
        )

    return _with_quote(base, random, change)


@operator(QUOTES)
def quote_from_another_place(base: Base, random: Random) -> Mutant | None:
    def change(piece: Evidence, random: Random) -> Evidence | None:
        other = pick(random, [one for one in base.quotes if one.quote != piece.quote])
        if other is None:
            return None
        return replace(piece, source=other.source, version=other.version, start=other.start, end=other.end)

    return _with_quote(base, random, change)


@operator(QUOTES)
def quote_of_another_version_or_source(base: Base, random: Random) -> Mutant | None:
    def change(piece: Evidence, random: Random) -> Evidence:
        return random.choice(
            (
                replace(piece, version=piece.version + 7),
                replace(piece, version=0),
                replace(piece, source=SourceId(piece.source[:-1] + ("0" if piece.source[-1] != "0" else "1"))),
                replace(piece, source=SourceId("../../etc/passwd")),
                replace(piece, start=2**60, end=2**60 + 5),
                replace(piece, start=piece.end, end=piece.start),
            )
        )

    return _with_quote(base, random, change)


@operator(QUOTES)
def quote_by_another_speaker(base: Base, random: Random) -> Mutant | None:
    def change(piece: Evidence, random: Random) -> Evidence:
        roles = [role for role in Role if role is not piece.role]
        return random.choice(
            (
                replace(piece, role=random.choice(roles)),
                replace(piece, speaker=piece.speaker + "x"),
                replace(piece, speaker="Mia"),
            )
        )

    return _with_quote(base, random, change)


@operator(QUOTES)
def quote_at_another_time(base: Base, random: Random) -> Mutant | None:
    def change(piece: Evidence, random: Random) -> Evidence:
        times = (None, "2031-01-01T00:00:00Z", "1999-01-01T00:00:00Z", "yesterday")
        return replace(piece, at=random.choice(times))

    return _with_quote(base, random, change)


@operator(QUOTES)
def quote_by_another_channel(base: Base, random: Random) -> Mutant | None:
    def change(piece: Evidence, random: Random) -> Evidence:
        return replace(piece, channel=random.choice([channel for channel in Channel if channel is not piece.channel]))

    return _with_quote(base, random, change)


@operator(QUOTES)
def quote_in_another_spelling(base: Base, random: Random) -> Mutant | None:
    def change(piece: Evidence, random: Random) -> Evidence:
        return replace(piece, enc=random.choice([enc for enc in Encoding if enc is not piece.enc]))

    return _with_quote(base, random, change)


@operator(QUOTES)
def quote_cut_inside_an_escape(base: Base, random: Random) -> Mutant | None:
    def change(_: Evidence, random: Random) -> Evidence | None:
        escaped = [
            one for one in base.quotes if one.enc is Encoding.JSON and one.end - one.start > len(one.quote.encode())
        ]
        piece = pick(random, escaped)
        if piece is None:
            return None
        low, high = piece.start, piece.start  # the first escape begins where the bytes stop being the words
        while (
            high < piece.end and base.state.archive.words(replace(piece, end=high + 1)) == piece.quote[: high + 1 - low]
        ):
            high += 1
        return replace(piece, start=high + 1, quote=piece.quote[high - low :])

    return _with_quote(base, random, change)


@operator(QUOTES)
def stated_without_a_quote(base: Base, random: Random) -> Mutant | None:
    found = [(at, body) for at, body in base.stated if body.statement.label is Label.STATED]
    chosen = pick(random, found)
    return None if chosen is None else base.replaced(chosen[0], restated(chosen[1], evidence=()))


@operator(QUOTES)
def stated_by_words_without_the_value(base: Base, random: Random) -> Mutant | None:
    found = [(at, body) for at, body in base.stated if body.statement.label is Label.STATED]
    chosen = pick(random, found)
    if chosen is None or base.run.kind.value in ("revert", "page"):
        return None
    at, body = chosen
    value = body.statement.value.casefold()
    other = pick(random, [one for one in base.quotes if value not in one.quote.casefold()])
    return None if other is None else base.replaced(at, restated(body, evidence=(other,)))


@operator(QUOTES)
def label_raised(base: Base, random: Random) -> Mutant | None:
    found = [(at, body) for at, body in base.stated if body.statement.label is Label.INFERRED]
    chosen = pick(random, found)
    if chosen is None:
        return None
    at, body = chosen
    return base.replaced(at, restated(body, label=Label.STATED))
