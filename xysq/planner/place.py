"""Place: where a fact that comes back stands on its page: where it stood.

Facts stand in their section in the order in which they came, and one that takes another's place came when that one
did. So a fact that is stated anew stands in front of the first that came later.
"""

from collections.abc import Sequence

from xysq.model.fact import Fact, FactId, Proof, Slug
from xysq.model.page import Block, FactBlock
from xysq.model.state import LedgerState

_LONGEST_CHAIN = 1_000


def first_proof(fact: Fact, ledger: LedgerState) -> Proof | None:
    """Return the quote by which a fact was stated first; of one that was revived, as that quote was given then."""
    for _ in range(_LONGEST_CHAIN):
        older = None if fact.revives is None else ledger.fact(fact.revives)
        given = _given(older, fact)
        if older is None or not given:
            break
        first = min(given, key=lambda proof: proof.n)
        if older.revives is None or older.n not in {proof.n for proof in given}:
            return first
        fact = older
    return min(fact.proofs, key=lambda proof: proof.n, default=None)


def came(fact: Fact, ledger: LedgerState) -> int:
    """Return the event since when a fact stands where it does, through those whose place it took, or revives.

    Where a revived fact rests on later quotes than the ones it was first stated with, it came with those.
    """
    for _ in range(_LONGEST_CHAIN):
        named = fact.supersedes or fact.revives
        older = None if named is None else ledger.fact(named)
        if older is None:
            break
        if fact.supersedes is None:
            given = {proof.n for proof in _given(older, fact)}
            if given and older.n not in given:
                return min(given)
        fact = older
    return fact.n


def _given(older: Fact | None, fact: Fact) -> tuple[Proof, ...]:
    """Return the proofs of a fact that one which revives it rests on too."""
    return () if older is None else tuple(proof for proof in older.proofs if proof.evidence in fact.evidence)


def first_section(fact: Fact, ledger: LedgerState) -> str:
    """Return the section in which the first of those stood whose place a fact took."""
    for _ in range(_LONGEST_CHAIN):
        older = None if fact.supersedes is None else ledger.fact(fact.supersedes)
        if older is None:
            break
        fact = older
    return fact.section


def before_which(slug: Slug, section: str, since: int, ledger: LedgerState) -> FactId | None:
    """Return the fact in front of which one that came with event `since` stands; None: behind all of its section."""
    page = ledger.page(slug)
    if page is None:
        return None
    sections = {one.name: one.blocks for one in page.sections}
    known = page.head if section == "" else sections.get(section)
    if known is not None:
        return next((name for name, at in _coming(known, ledger) if at > since), None)
    for blocks in sections.values():
        shown = _coming(blocks, ledger)
        if shown and min(at for _, at in shown) > since:
            return shown[0][0]
    return None


def _coming(blocks: Sequence[Block], ledger: LedgerState) -> list[tuple[FactId, int]]:
    """Return the facts among blocks, each with the event since when it stands there."""
    names = (block.fact for block in blocks if isinstance(block, FactBlock))
    facts = (fact for fact in map(ledger.fact, names) if fact is not None)
    return [(fact.id, came(fact, ledger)) for fact in facts]
