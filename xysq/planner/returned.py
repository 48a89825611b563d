"""Corrected stays corrected (P11): what a closed fact needs before it may be stated again.

A closed or superseded fact binds its page: the same value under any attribute, or the same attribute from an
overlapping quote, may be stated only with *new words*. Words are new if they are another utterance than every quote
of the closed fact and were said after it ended; where the log has no time, if their clause was in no log by then.
Premises that fell and merges bind nothing: no words ended those facts. Nor does a fact bind that a revert revived: the
one it lives on in does, once that has ended.

A supersession or a quoted close dates from its evidence: A, then B, then A again is lawful when the last is really
the latest, or weighs more than B and lies in a log only now. A correction, an adoption or a revert dates from its
commit. Bytes that a correction put in are new words of the correction's moment, whenever the passage was said.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from xysq.frozen import frozen
from xysq.model.fact import Closed, CloseReason, Evidence, Fact, Label, Open, Slug, Superseded
from xysq.model.ranges import Range, subtract
from xysq.model.source import Channel, Encoding, Meta, Version, VersionKind
from xysq.model.state import Archive, LedgerState
from xysq.pages.escape import stands_in
from xysq.planner.authority import Observation, folded_names, newest, observation_of, of_strongest, rank_of
from xysq.text import fold

_CLAUSE_END = re.compile(r"[,;:.!?…—\n]+(?:\s|$)|\s[-–]\s")
_FEWEST_WORDS = 3
_MAX_STEPS = 10_000
_UNBINDING = (CloseReason.PREMISE_CLOSED, CloseReason.MERGED)


@frozen
class Claim:
    """What is about to be stated: the part of a statement that P11 asks about."""

    page: Slug
    attribute: str
    value: str
    label: Label
    evidence: tuple[Evidence, ...]


def brought_back(claim: Claim, ledger: LedgerState, archive: Archive) -> Fact | None:
    """Return the closed fact that a claim would bring back without new words; None where it may be stated."""
    facts = [fact for slug in united(claim.page, ledger) for fact in ledger.facts_of(slug)]
    revived = {fact.revives for fact in facts}
    for fact in facts:
        if fact.id in revived:
            continue
        if _binds(fact, claim, ledger, archive) and not _has_new_words(claim, fact, ledger, archive):
            return fact
    return None


def united(slug: Slug, ledger: LedgerState) -> tuple[Slug, ...]:
    """Return a page and every page that was merged into it: after a merge they are one."""
    found = [slug]
    for place in found:
        page = ledger.page(place)
        if page is None:
            continue
        for alias in page.aliases:
            other = ledger.page(Slug(alias.name))
            if other is not None and other.merged_into == place and other.slug not in found:
                found.append(other.slug)
    return tuple(found)


def _binds(fact: Fact, claim: Claim, ledger: LedgerState, archive: Archive) -> bool:
    """Tell whether a fact ended in a way that binds, and the claim is about the same."""
    match fact.life:
        case Open():
            return False
        case Closed(reason=reason):
            if reason in _UNBINDING:
                return False
        case Superseded(by=by):
            successor = ledger.fact(by)
            if successor is not None and fold(successor.value) == fold(fact.value):
                return False
    if fold(fact.value) == fold(claim.value):
        return True
    return fact.attribute == claim.attribute and any(
        _overlap(new, old, archive) for new in claim.evidence for old in fact.evidence
    )


def _has_new_words(claim: Claim, fact: Fact, ledger: LedgerState, archive: Archive) -> bool:
    """Tell whether the claim's value stands in new words; an inferred claim needs all its quotes to be new."""
    fresh = [piece for piece in claim.evidence if _is_new(piece, claim.value, fact, ledger, archive)]
    if claim.label is Label.INFERRED:
        return bool(fresh) and len(fresh) == len(claim.evidence)
    return any(stands_in(claim.value, piece.quote) for piece in fresh)


def _is_new(piece: Evidence, value: str, fact: Fact, ledger: LedgerState, archive: Archive) -> bool:
    ended = _ended(fact, ledger, archive)
    moment = _corrected_at(piece, value, fact, archive)
    if moment is not None:
        return moment >= ended.at
    if any(archive.same_utterance(piece, old) for old in fact.evidence):
        return False
    if piece.at is None:
        return not archive.said_before(fold(clause_of(piece.quote, value)), _committed(fact))
    said = observation_of(piece, archive)
    if said.at > ended.at or (said.source == ended.source and said.is_after(ended)):
        return True
    return _outweighs(piece, value, fact, ledger, archive)


def _outweighs(piece: Evidence, value: str, fact: Fact, ledger: LedgerState, archive: Archive) -> bool:
    """Tell whether words weigh more than those that superseded a fact, and might have been pushed before them.

    The order of pushing decides nothing: at the same moment the digest does, and whoever has more authority needs no
    later day, unless the words lay in a log already.
    """
    words = _superseding(fact, ledger)
    if not words:
        return False
    names = folded_names(ledger.page(fact.page))
    new, old = (rank_of(pieces, fact.label, names, archive, "") for pieces in ((piece,), words))
    if new.authority > old.authority:
        return not archive.said_before(fold(clause_of(piece.quote, value)), _committed(fact))
    return new.authority == old.authority and new.observation.is_after(old.observation)


def _committed(fact: Fact) -> str:
    """Return when the ending of a fact was committed."""
    return fact.at if isinstance(fact.life, Open) else fact.life.at


def _ended(fact: Fact, ledger: LedgerState, archive: Archive) -> Observation:
    """Return from when the ending of a fact counts: of a supersession, from the words its rank rests on."""
    words = _superseding(fact, ledger)
    if isinstance(fact.life, Closed) and fact.life.reason is CloseReason.RETRACTED:
        words = fact.life.evidence
    if any(piece.channel is Channel.ADOPT for piece in words):
        words = ()
    return newest((observation_of(piece, archive) for piece in words), _committed(fact))


def _superseding(fact: Fact, ledger: LedgerState) -> tuple[Evidence, ...]:
    """Return the words by which a fact was superseded, of the highest class; none where a person's edit did it."""
    if not isinstance(fact.life, Superseded):
        return ()
    successor, n = ledger.fact(fact.life.by), fact.life.n
    if successor is None or successor.revives is not None:
        return ()
    words = tuple(proof.evidence for proof in successor.proofs if proof.n <= n)
    if any(piece.channel is Channel.ADOPT for piece in words):
        return ()
    return of_strongest(words, folded_names(ledger.page(fact.page)))


# Words that a correction put in


def _corrected_at(piece: Evidence, value: str, fact: Fact, archive: Archive) -> str | None:
    """Return the moment of the correction that put a quote's words in; None where it is older than that."""
    meta = _correction_of(piece, archive)
    if meta is None:
        return None
    place = (piece.start, piece.end)
    kept = [(new, new + old_end - old_start) for old_start, old_end, new in meta.kept]
    if any(low <= place[0] and place[1] <= high for low, high in kept):
        return None
    life = fact.life
    if isinstance(life, Closed) and life.reason is CloseReason.CORRECTED and life.cause == str(meta.id):
        return meta.pushed_at
    for start, end in subtract([place], kept):
        words = fold(archive.words(replace(piece, start=start, end=end, quote="")) or "")
        if words and (words in fold(value) or fold(value) in words):
            return meta.pushed_at
    return meta.pushed_at if any(_joins(value, piece, low, archive) for low, _ in kept) else None


def _joins(value: str, piece: Evidence, border: int, archive: Archive) -> bool:
    """Tell whether the value of a quote was put together at a border, by words that went from between."""
    if not piece.start < border < piece.end:
        return False
    before = archive.words(replace(piece, end=border, quote=""))
    at = piece.quote.find(value)
    return before is not None and at >= 0 and at < len(before) < at + len(value)


def _correction_of(piece: Evidence, archive: Archive) -> Meta | None:
    """Return the correction in whose own bytes a quote lies, if it lies in one."""
    meta = archive.meta(piece.cited)
    for _ in range(_MAX_STEPS):
        if meta is None or meta.kind is VersionKind.CORRECT:
            return None if meta is None or piece.enc is Encoding.TEXT else meta
        if meta.kind is not VersionKind.APPEND or piece.end > meta.offset or meta.version == 1:
            return None
        meta = archive.meta(Version(meta.source, meta.version - 1))
    return None


# Quotes that overlap


def _overlap(new: Evidence, old: Evidence, archive: Archive) -> bool:
    """Tell whether two quotes share bytes, the older one followed through later versions of its source."""
    if new.source != old.source or new.enc is not old.enc:
        return False
    early, late = (old, new) if old.version <= new.version else (new, old)
    ranges: list[Range] = [(early.start, early.end)]
    for number in range(early.version + 1, min(late.version, early.version + _MAX_STEPS) + 1):
        meta = archive.meta(Version(early.source, number))
        if meta is not None and meta.kind in (VersionKind.UPDATE, VersionKind.CORRECT):
            ranges = list(_carried(ranges, meta))
    return any(low < late.end and late.start < high for low, high in ranges)


def _carried(ranges: Iterable[Range], meta: Meta) -> Iterator[Range]:
    for start, end in ranges:
        for old_start, old_end, new_start in meta.kept:
            low, high = max(start, old_start), min(end, old_end)
            if low < high:
                yield low + new_start - old_start, high + new_start - old_start


# Clauses


def clause_of(quote: str, value: str) -> str:
    """Return the clause of a quote that the value stands in; the whole quote where that would be hardly a word.

    A clause that is little more than the value is found in any log; one as long as the quote can be made new by
    putting a word before it.
    """
    for piece in _CLAUSE_END.split(quote):
        if stands_in(value, piece) and len(piece.split()) >= _FEWEST_WORDS:
            return piece.strip()
    return quote
