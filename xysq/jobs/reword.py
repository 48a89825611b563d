"""Reword: how others than those whose words are taken back said the same, when it was distilled.

A fact that a poisoned source stated and a good one confirmed is stated anew on the good one's words. What the source
made of it must not stay: only its value is proven. The run that confirmed it kept its draft, and there the good
source's own sentence stands; so does the name it called the page by. Where no draft is kept, the quote speaks.
"""

from xysq.canonical import derived_id
from xysq.errors import BadDraft, Damaged
from xysq.frozen import frozen
from xysq.jobs.apply import passages_of, project_of
from xysq.jobs.compose import Ground
from xysq.jobs.opened import Opened
from xysq.jobs.record import read_record
from xysq.model.draft import Draft, DraftFact
from xysq.model.event import RunKind
from xysq.model.fact import Evidence, Fact, Proof, Slug
from xysq.model.page import PageState
from xysq.model.source import Passage
from xysq.model.state import LedgerState, RunMark
from xysq.pages.escape import compose, fold_space, is_shown, text_fault
from xysq.planner.plan import claimed_texts
from xysq.planner.subject import NewPage, Setting, composed, resolve
from xysq.planner.undo import Wording
from xysq.store.readmodel import Snapshot
from xysq.text import fold


@frozen
class _Said:
    """A drafted fact, the blocks that claim it, the passages its run was given, and their project."""

    fact: DraftFact
    texts: tuple[str, ...]
    passages: tuple[Passage, ...]
    project: str


class Rewording:
    """Looks facts up in the kept drafts of a vault, on one state of it."""

    def __init__(self, opened: Opened, snapshot: Snapshot, base: Ground) -> None:
        """Begin with no draft read."""
        self._opened = opened
        self._snapshot = snapshot
        self._base = base
        self._ledger = base.state.ledger

    def wording(self, fact: Fact, proofs: tuple[Proof, ...]) -> Wording:
        """Return how the first of these proofs was put into words; `proofs` are not empty."""
        proof = min(proofs, key=lambda one: one.n)
        mark = self._ledger.run_of(proof.n)
        if mark is not None and mark.kind is RunKind.REVERT and fact.revives is not None:
            older = self._ledger.fact(fact.revives)
            given = () if older is None else tuple(one for one in older.proofs if one.evidence == proof.evidence)
            if older is not None and given:
                return self.wording(older, given)
        said = None if mark is None else self._said(mark, fact, proof.evidence)
        if said is not None:
            setting = self._setting(said.project, self._ledger)
            value = fold_space(said.fact.value)
            for text in (composed(one, setting) for one in said.texts):
                if self._may_stand(text, value):
                    return Wording(text, value)
        quote = compose(proof.evidence.quote, lambda _: None)
        return Wording(quote if self._may_stand(quote, fact.value) else fact.text, fact.value)

    def name(self, slug: Slug, fact: Fact) -> tuple[str, str] | None:
        """Return title and kind that a page would have had, made for this fact; None where no draft tells."""
        proof = self._origin(fact)
        mark = None if proof is None else self._ledger.run_of(proof.n)
        said = None if mark is None or proof is None else self._said(mark, fact, proof.evidence)
        if said is None or proof is None:
            return None
        passage = next((one for one in said.passages if _is_of(one, proof.evidence)), None)
        attribute = self._base.schema.attribute(fact.attribute)
        setting = self._setting(said.project, _Without(self._ledger, slug))
        subject = resolve(said.fact.subject, said.fact.kind, attribute, passage, setting)
        return (subject.title, subject.kind) if isinstance(subject, NewPage) else None

    def _origin(self, fact: Fact) -> Proof | None:
        """Return the first proof of a fact; of one that was revived, the one it had then."""
        while fact.revives is not None:
            older = self._ledger.fact(fact.revives)
            given = () if older is None else tuple(one for one in older.proofs if one.evidence in fact.evidence)
            if older is None or not given:
                break
            first = min(given, key=lambda one: one.n)
            if older.revives is None or first.n != older.n:
                return first
            fact = older
        return min(fact.proofs, key=lambda one: one.n, default=None)

    def _setting(self, project: str, ledger: LedgerState) -> Setting:
        limits = self._base.state.limits
        return Setting(ledger=ledger, me=self._base.me, project=project, name_bytes=limits.name_bytes)

    def _may_stand(self, text: str, value: str) -> bool:
        limits = self._base.state.limits
        is_short = len(text.encode("utf-8", "replace")) <= limits.text_bytes
        return is_short and text_fault(text) is None and is_shown(value, text)

    def _said(self, mark: RunMark, fact: Fact, evidence: Evidence) -> _Said | None:
        """Return the drafted fact of a run that says what a fact does, best of that passage."""
        if mark.kind is not RunKind.DISTILL:
            return None
        try:
            draft = Draft.parse(read_record(self._opened, mark.run)[0].reply.encode())
        except (BadDraft, Damaged):
            return None
        passages = passages_of(self._snapshot, mark.rows)
        texts = claimed_texts(draft.facts, draft.edits)
        found = [
            (not self._points_at(one, passages, evidence), derived_id("f", mark.run, str(index), _no) != fact.id, index)
            for index, one in enumerate(draft.facts)
            if self._says(one, fact)
        ]
        if not found:
            return None
        index = min(found)[-1]
        one = draft.facts[index]
        return _Said(
            fact=one,
            texts=texts[index] or (one.text,),
            passages=passages,
            project=project_of(self._snapshot, mark.rows),
        )

    def _says(self, one: DraftFact, fact: Fact) -> bool:
        known = self._base.schema.attribute(one.attribute)
        return known.name == fact.attribute and fold(fold_space(one.value)) == fold(fact.value)

    def _points_at(self, one: DraftFact, passages: tuple[Passage, ...], evidence: Evidence) -> bool:
        numbers = (quote.passage for quote in one.quotes if quote.passage <= len(passages))
        return any(_is_of(passages[number - 1], evidence) for number in numbers)


class _Without:
    """A ledger's state without one page, for names that are looked up."""

    def __init__(self, ledger: LedgerState, slug: Slug) -> None:
        self._ledger = ledger
        self._slug = slug
        self.head, self.fact, self.facts_of = ledger.head, ledger.fact, ledger.facts_of
        self.resting_on, self.block_page, self.run_of = ledger.resting_on, ledger.block_page, ledger.run_of

    def page(self, slug: Slug) -> PageState | None:
        return None if slug == self._slug else self._ledger.page(slug)

    def named(self, folded: str) -> tuple[Slug, ...]:
        return tuple(slug for slug in self._ledger.named(folded) if slug != self._slug)


def _is_of(passage: Passage, evidence: Evidence) -> bool:
    return (passage.source, passage.version, passage.number) == (evidence.source, evidence.version, evidence.passage)


def _no(_: str) -> bool:
    return False
