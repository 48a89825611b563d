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
from xysq.planner.subject import NewPage, OnPage, Setting, composed, resolve
from xysq.planner.undo import Wording
from xysq.store.readmodel import Snapshot
from xysq.text import fold


@frozen
class _Kept:
    """A kept draft, with the passages that its run was given and their project."""

    draft: Draft
    passages: tuple[Passage, ...]
    project: str

    def passages_of(self, one: DraftFact) -> tuple[Passage, ...]:
        """Return the passages that a drafted fact points at."""
        return tuple(self.passages[quote.passage - 1] for quote in one.quotes if quote.passage <= len(self.passages))

    def passage_of(self, one: DraftFact) -> Passage | None:
        """Return the first of them."""
        return next(iter(self.passages_of(one)), None)


class Rewording:
    """Looks facts up in the kept drafts of a vault, on one state of it."""

    def __init__(self, opened: Opened, snapshot: Snapshot, base: Ground, target: str) -> None:
        """Begin with no draft read; `target` is the run or source that is taken back."""
        self._target = target
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
            kept, index = said
            setting, one = self._setting(kept.project, self._ledger), kept.draft.facts[index]
            value = fold_space(one.value)
            texts = claimed_texts(kept.draft.facts, kept.draft.edits)[index]
            for text in (composed(words, setting) for words in texts or (one.text,)):
                if self._may_stand(text, value):
                    return Wording(text, value)
        quote = compose(proof.evidence.quote, lambda _: None)
        return Wording(quote if self._may_stand(quote, fact.value) else fact.text, fact.value)

    def name(self, slug: Slug, proof: Proof) -> tuple[str, str] | None:
        """Return title and kind that the run which gave a quote would have made a page with; None where none tells."""
        mark = self._ledger.run_of(proof.n)
        kept = None if mark is None else self._kept(mark)
        if kept is None:
            return None
        setting = self._setting(kept.project, _Without(self._ledger, slug))
        for one in kept.draft.facts:
            passage = kept.passage_of(one)
            if self._is_about(one, slug, kept) and (passage is None or passage.source != self._target):
                attribute = self._base.schema.attribute(one.attribute)
                subject = resolve(one.subject, one.kind, attribute, passage, setting)
                return (subject.title, subject.kind) if isinstance(subject, NewPage) else None
        return None

    def _setting(self, project: str, ledger: LedgerState) -> Setting:
        limits = self._base.state.limits
        return Setting(ledger=ledger, me=self._base.me, project=project, name_bytes=limits.name_bytes)

    def _may_stand(self, text: str, value: str) -> bool:
        limits = self._base.state.limits
        is_short = len(text.encode("utf-8", "replace")) <= limits.text_bytes
        return is_short and text_fault(text) is None and is_shown(value, text)

    def _kept(self, mark: RunMark) -> _Kept | None:
        """Return the draft of a run, if it had one and that can be read."""
        if mark.kind is not RunKind.DISTILL:
            return None
        try:
            draft = Draft.parse(read_record(self._opened, mark.run)[0].reply.encode())
        except (BadDraft, Damaged):
            return None
        passages = passages_of(self._snapshot, mark.rows)
        return _Kept(draft=draft, passages=passages, project=project_of(self._snapshot, mark.rows))

    def _said(self, mark: RunMark, fact: Fact, evidence: Evidence) -> tuple[_Kept, int] | None:
        """Return the place in a run's draft where it says what a fact does, best of the passage that is quoted."""
        kept = self._kept(mark)
        if kept is None:
            return None
        found = [
            (
                derived_id("f", mark.run, str(index), _no) != fact.id,
                not self._is_about(one, fact.page, kept),
                not any(_is_of(passage, evidence) for passage in kept.passages_of(one)),
                index,
            )
            for index, one in enumerate(kept.draft.facts)
            if self._says(one, fact)
        ]
        return (kept, min(found)[-1]) if found else None

    def _says(self, one: DraftFact, fact: Fact) -> bool:
        known = self._base.schema.attribute(one.attribute)
        return known.name == fact.attribute and fold(fold_space(one.value)) == fold(fact.value)

    def _is_about(self, one: DraftFact, page: Slug, kept: _Kept) -> bool:
        """Tell whether a drafted fact is about a page, said in the passage it points at."""
        attribute = self._base.schema.attribute(one.attribute)
        setting = self._setting(kept.project, self._ledger)
        subject = resolve(one.subject, one.kind, attribute, kept.passage_of(one), setting)
        return isinstance(subject, OnPage) and subject.slug == page


class _Without:
    """A ledger's state without one page, for names that are looked up."""

    def __init__(self, ledger: LedgerState, slug: Slug) -> None:
        self._ledger = ledger
        self._slug = slug
        self.head, self.fact, self.facts_of = ledger.head, ledger.fact, ledger.facts_of
        self.resting_on, self.block_page = ledger.resting_on, ledger.block_page
        self.run_of, self.run_named = ledger.run_of, ledger.run_named

    def page(self, slug: Slug) -> PageState | None:
        return None if slug == self._slug else self._ledger.page(slug)

    def named(self, folded: str) -> tuple[Slug, ...]:
        return tuple(slug for slug in self._ledger.named(folded) if slug != self._slug)


def _is_of(passage: Passage, evidence: Evidence) -> bool:
    return (passage.source, passage.version, passage.number) == (evidence.source, evidence.version, evidence.passage)


def _no(_: str) -> bool:
    return False
