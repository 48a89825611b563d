"""Proposals: drafted facts whose quotes, subject and attribute have been found.

A proposal's `weight` is the label code can vouch for: stated only if the value stands in one of its quotes. The
drafted label is kept for quarantine, which lowers it and says so; decisions are made by the weight.
"""

from collections.abc import Iterable, Sequence

from xysq.canonical import derived_id
from xysq.frozen import frozen
from xysq.model.draft import DraftFact
from xysq.model.fact import Evidence, FactId, Label, Slug
from xysq.model.plan import Drop, DropCode
from xysq.model.schema import Attribute
from xysq.model.source import Passage, Role, Row
from xysq.pages.escape import fold_space, is_shown, plain, stands_in, text_fault
from xysq.planner.authority import folded_names
from xysq.planner.desk import Desk
from xysq.planner.prose import rows_behind
from xysq.planner.quote import Quoting, Unquotable
from xysq.planner.subject import NewPage, OnPage, Setting, Unresolved, resolve
from xysq.planner.voice import voice_fault
from xysq.text import fold


@frozen
class Proposal:
    """A drafted fact, understood: its page, its attribute as the schema knows it, the evidence that was found.

    `texts` are the Markdown of the blocks that claim it: exactly one in a sound draft. `echoes` are pieces an
    assistant said after a recall in the same session.
    """

    index: int
    id: FactId
    draft: DraftFact
    page: Slug
    attribute: Attribute
    value: str
    evidence: tuple[Evidence, ...]
    echoes: frozenset[Evidence]
    texts: tuple[str, ...] = ()

    @property
    def weight(self) -> Label:
        """The label that code can vouch for."""
        shown = any(stands_in(self.value, piece.quote) for piece in self.evidence)
        return Label.STATED if self.draft.label is Label.STATED and shown else Label.INFERRED

    @property
    def is_shown(self) -> bool:
        """True where exactly one block shows the value."""
        return len(self.texts) == 1 and is_shown(self.value, self.texts[0])


@frozen
class Leftover:
    """A drafted fact that cannot be quoted: its sentences stay on the page as prose."""

    index: int
    page: Slug
    drop: Drop


class Intake:
    """Takes drafted facts in, one after the other; pages they need are made on the desk."""

    def __init__(self, desk: Desk, quoting: Quoting) -> None:
        """Begin with nothing taken."""
        self._desk = desk
        self._order = desk.order
        self._quoting = quoting
        self._setting = setting_of(desk)
        self._taken: set[str] = set()

    def take(self, index: int, draft: DraftFact, claimed: Sequence[str]) -> Proposal | Leftover | Drop:
        """Return what a drafted fact comes to; the drop where it goes.

        `claimed` are the texts of the draft's edits that claim it, as drafted.
        """
        fault = self._text_fault(draft, claimed)
        if fault is not None:
            return self._drop(DropCode.BAD_TEXT, draft, fault)
        evidence, faults, echoes = self._cited(draft)
        attribute = self._order.schema.attribute(draft.attribute)
        subject = resolve(draft.subject, draft.kind, attribute, self._passage(draft), self._setting)
        if isinstance(subject, Unresolved):
            return self._drop(subject.code, draft, subject.reason, evidence=evidence)
        is_unproven = not evidence and (draft.label is Label.STATED or not draft.derived_from)
        own = next((fault for fault in faults if fault.code is DropCode.OWN_WORDS), None)
        if is_unproven and own is not None:
            return self._drop(own.code, draft, own.reason)
        voiceless = self._voiceless(draft, attribute, subject, evidence)
        if voiceless is not None:
            return self._drop(DropCode.LOWER_AUTHORITY, draft, voiceless, evidence=evidence)
        page = subject.slug if isinstance(subject, OnPage) else self._desk.create(subject)
        name = self._name(index)
        if draft.label is Label.STATED and not evidence:
            reason = faults[0].reason if faults else "a stated fact without a quote"
            return Leftover(index=index, page=page, drop=self._drop(DropCode.QUOTE_MISMATCH, draft, reason, page))
        for lost in faults:
            self._desk.drop(self._drop(lost.code, draft, f"one quote is left out: {lost.reason}", evidence=evidence))
        return Proposal(
            index=index,
            id=name,
            draft=draft,
            page=page,
            attribute=attribute,
            value=fold_space(draft.value),
            evidence=evidence,
            echoes=echoes,
        )

    def _text_fault(self, draft: DraftFact, claimed: Sequence[str]) -> str | None:
        limits = self._order.state.limits
        for name, text, most in (
            ("value", draft.value, limits.value_bytes),
            ("attribute", draft.attribute, limits.name_bytes),
            *(("text", text, limits.text_bytes) for text in (draft.text, *claimed)),
        ):
            if len(text.encode("utf-8", "replace")) > most:
                return f"the {name} is longer than {most} bytes"
            fault = text_fault(text)
            if fault is not None:
                return f"the {name} {fault}"
        return None if fold(draft.value) and fold(draft.attribute) else "the value or the attribute is empty"

    def _cited(self, draft: DraftFact) -> tuple[tuple[Evidence, ...], list[Unquotable], frozenset[Evidence]]:
        """Return the evidence that was found, the faults of the quotes that were not, and the echoes."""
        found: dict[Evidence, Passage | None] = {}
        faults: list[Unquotable] = []
        for quote in draft.quotes[: self._order.state.limits.quotes]:
            piece = self._quoting.cite(quote)
            if isinstance(piece, Unquotable):
                faults.append(piece)
            else:
                found.setdefault(piece, self._quoting.passage(quote))
        echoes = frozenset(piece for piece, passage in found.items() if _is_echo(passage))
        return tuple(found), faults, echoes

    def _passage(self, draft: DraftFact) -> Passage | None:
        """Return the passage a fact is said in: the first one it points at, else the first its premises point at."""
        premises = (fact for ref in draft.derived_from for fact in self._order.draft.facts if fact.ref == ref)
        quotes = (quote for fact in (draft, *premises) for quote in fact.quotes)
        return next((p for quote in quotes if (p := self._quoting.passage(quote)) is not None), None)

    def _voiceless(
        self, draft: DraftFact, attribute: Attribute, subject: OnPage | NewPage, evidence: tuple[Evidence, ...]
    ) -> str | None:
        """Say why what was found is no voice for a preference or a rule; a stated fact without words is no fact."""
        if draft.label is Label.STATED and not evidence:
            return None
        if isinstance(subject, OnPage):
            names = folded_names(self._desk.ledger.page(subject.slug))
        else:
            names = frozenset((fold(subject.title),))
        return voice_fault(attribute.name, evidence, names, self._order.me)

    def _name(self, index: int) -> FactId:
        """Return the id of the draft's fact of that index: the same whenever the draft is planned again."""
        name = derived_id("f", self._order.run, str(index), self._is_taken)
        self._taken.add(name)
        return FactId(name)

    def _is_taken(self, name: str) -> bool:
        return name in self._taken or self._desk.ledger.fact(FactId(name)) is not None

    def _drop(
        self, code: DropCode, draft: DraftFact, reason: str, kept_on: str = "", evidence: Iterable[Evidence] = ()
    ) -> Drop:
        return Drop(
            code=code,
            subject=draft.subject,
            text=plain(draft.text),
            reason=reason,
            kept_on=kept_on,
            rows=rows_behind(evidence, self._order.rows),
        )


def setting_of(desk: Desk) -> Setting:
    """Return what subjects of a plan are resolved against: the pages as they are on the desk."""
    order = desk.order
    return Setting(ledger=desk.ledger, me=order.me, project=order.project, name_bytes=order.state.limits.name_bytes)


def too_long(proposal: Proposal, rows: tuple[Row, ...], most: int) -> Drop:
    """Return the drop of a proposal whose text grew too long when its signs were escaped."""
    return Drop(
        code=DropCode.BAD_TEXT,
        subject=proposal.draft.subject,
        text=plain(proposal.draft.text),
        reason=f"the text is longer than {most} bytes",
        fact=proposal.id,
        rows=rows_behind(proposal.evidence, rows),
    )


def _is_echo(passage: Passage | None) -> bool:
    return passage is not None and passage.role is Role.ASSISTANT and passage.after_recall
