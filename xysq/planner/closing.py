"""Closings by words: what a quote must be before it may end a fact.

The target is open and the quote names it: its value, a name of its page, or the speaker's own "I" where the page is
the speaker's. The words weigh at least as much as the target's, an inference ends no stated fact, and nothing that
proves the target is as new as the words that end it.
"""

import re
from collections.abc import Iterable

from xysq.frozen import frozen
from xysq.model.event import FactClosed
from xysq.model.fact import CloseReason, Evidence, Fact, FactId, Label
from xysq.model.page import PageState
from xysq.model.plan import Drop, DropCode, RemoveFact
from xysq.model.settings import Me
from xysq.model.source import Role
from xysq.model.state import Archive
from xysq.pages.escape import plain, stands_in
from xysq.planner.authority import folded_names, newest, observation_of, strongest
from xysq.planner.desk import Desk
from xysq.planner.prose import rows_behind
from xysq.planner.quote import Quoting, Unquotable
from xysq.planner.witness import is_standing
from xysq.text import fold

_FIRST_PERSON = re.compile(r"\b(?:i|me|my|mine|myself)\b")


@frozen
class CloseFault:
    """Why words may not end a fact."""

    code: DropCode
    reason: str


def close_fault(
    target: Fact,
    evidence: tuple[Evidence, ...],
    label: Label,
    page: PageState | None,
    archive: Archive,
    me: Me | None,
) -> CloseFault | None:
    """Say why the evidence may not end the target; None where it may. Without `me` any user may say "I"."""
    if not target.is_open:
        return CloseFault(code=DropCode.CLOSE_NOT_SHOWN, reason=f"{target.id} is not open")
    names = folded_names(page)
    if not any(is_named(target, page, piece, me) for piece in evidence):
        return CloseFault(code=DropCode.CLOSE_NOT_SHOWN, reason=f"the words name neither {target.id} nor its subject")
    standing = tuple(piece for piece in target.evidence if is_standing(piece, archive))
    if strongest(evidence, names) < strongest(standing, names):
        return CloseFault(code=DropCode.LOWER_AUTHORITY, reason=f"{target.id} has higher authority")
    if label is Label.INFERRED and target.label is Label.STATED:
        return CloseFault(code=DropCode.WEAKER_LABEL, reason=f"{target.id} is stated, and this is inferred")
    said = newest((observation_of(piece, archive) for piece in evidence), "")
    if not all(said.is_after(observation_of(piece, archive)) for piece in target.evidence):
        return CloseFault(code=DropCode.CLOSE_NOT_SHOWN, reason=f"{target.id} was said since")
    return None


def is_named(target: Fact, page: PageState | None, evidence: Evidence, me: Me | None) -> bool:
    """Tell whether a quote names the fact's value or its subject."""
    names = () if page is None else page.names
    if any(stands_in(name, evidence.quote) for name in (target.value, *names)):
        return True
    if _FIRST_PERSON.search(fold(evidence.quote)) is None:
        return False
    folded = folded_names(page)
    if evidence.role is Role.USER:
        return me is None or any(fold(name) in folded for name in (*me.names, evidence.speaker))
    return evidence.role is Role.PERSON and fold(evidence.speaker) in folded


class Closings:
    """Decides the closings of a draft on a desk."""

    def __init__(self, desk: Desk, quoting: Quoting) -> None:
        """Begin with none decided."""
        self._desk = desk
        self._quoting = quoting

    def close_all(self) -> None:
        """Decide every drafted closing."""
        for close in self._desk.order.draft.closes:
            cited = [self._quoting.cite(quote) for quote in close.quotes[: self._desk.order.state.limits.quotes]]
            evidence = tuple(dict.fromkeys(piece for piece in cited if not isinstance(piece, Unquotable)))
            self._close(FactId(close.fact), evidence, [piece for piece in cited if isinstance(piece, Unquotable)])

    def _close(self, name: FactId, evidence: tuple[Evidence, ...], faults: Iterable[Unquotable]) -> None:
        order = self._desk.order
        target = self._desk.ledger.fact(name)
        if target is None:
            self._drop(
                str(name), "", CloseFault(code=DropCode.CLOSE_NOT_SHOWN, reason="there is no such fact"), evidence
            )
            return
        page = self._desk.ledger.page(target.page)
        lost = next(iter(faults), None)
        targets = self._saying_the_same(target)
        if evidence:
            asked = (close_fault(fact, evidence, Label.STATED, page, order.state.archive, order.me) for fact in targets)
            fault = next((found for found in asked if found is not None), None)
        elif lost is None:
            fault = CloseFault(code=DropCode.CLOSE_NOT_SHOWN, reason="no words were quoted")
        else:
            fault = CloseFault(code=lost.code, reason=lost.reason)
        if fault is not None:
            self._drop(target.page if page is None else page.title, target.text, fault, evidence, name)
            return
        for fact in targets:
            self._desk.put(
                FactClosed(
                    fact=fact.id,
                    reason=CloseReason.RETRACTED,
                    cause=str(evidence[0].cited),
                    by=order.drafter,
                    evidence=evidence,
                ),
                RemoveFact(page=fact.page, fact=fact.id),
            )

    def _saying_the_same(self, target: Fact) -> tuple[Fact, ...]:
        """Return the target and the open facts of its page in the same words: a page cannot deny what it says."""
        words = fold(plain(target.text))
        facts = self._desk.ledger.facts_of(target.page)
        same = (fact for fact in facts if fact.is_open and fold(plain(fact.text)) == words)
        return (target, *(fact for fact in same if fact.id != target.id))

    def _drop(self, subject: str, text: str, fault: CloseFault, evidence: tuple[Evidence, ...], fact: str = "") -> None:
        self._desk.drop(
            Drop(
                code=fault.code,
                subject=subject,
                text=plain(text),
                reason=f"not closed: {fault.reason}",
                fact=fact,
                rows=rows_behind(evidence, self._desk.order.rows),
            )
        )
