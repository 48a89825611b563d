"""Place: where a fact that comes back stands on its page: where it stood.

Facts stand in their section in the order in which they came, and one that takes another's place came when that one
did. So a fact that is stated anew stands in front of the first that came later.
"""

from collections.abc import Sequence

from xysq.model.fact import Fact, FactId, Slug
from xysq.model.page import Block, FactBlock
from xysq.model.state import LedgerState

_LONGEST_CHAIN = 1_000


def came(fact: Fact, ledger: LedgerState) -> int:
    """Return the event since when a fact stands where it does, through those it took the place of, or revives.

    Where a revived fact rests on later quotes than the ones it was first stated with, it came with those.
    """
    for _ in range(_LONGEST_CHAIN):
        named = fact.supersedes or fact.revives
        older = None if named is None else ledger.fact(named)
        if older is None:
            break
        if fact.supersedes is None:
            given = [proof.n for proof in older.proofs if proof.evidence in fact.evidence]
            if given and older.n not in given:
                return min(given)
        fact = older
    return fact.n


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
