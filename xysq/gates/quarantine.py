"""Quarantine: the pure pass before any gate. It takes single facts and events out, and the run goes on.

What is taken out is kept as a drop, with its code and words. Most sentences stay on the page as prose without a
fact: also where the page is new, since the sentence is the one thing a reader loses otherwise. Only a second assert
for a single-valued attribute goes with its words, because the page would say the same twice with one of them
unproven; and so does history learned late, which no page ever showed. Words that already stand on the page, or that
stood there as a fact that ended, are not written as prose.

A drop can pull others along (a premise that is gone, a successor that is gone), so the pass is repeated until
nothing more falls: running it on its own result changes nothing.
"""

from collections.abc import Iterable
from dataclasses import replace

from xysq.frozen import frozen
from xysq.gates.outlook import Outlook
from xysq.model.event import Asserted, Body, Confirmed, FactClosed, LearnedLate, ProseChanged, Statement, SupersededBy
from xysq.model.fact import CloseReason, Evidence, FactId, Label, RunId, Slug
from xysq.model.page import Origin
from xysq.model.plan import Drop, DropCode, Edit, InsertFact, Plan, RemoveFact, ReplaceFact
from xysq.model.source import Row
from xysq.model.state import State
from xysq.pages.escape import is_shown, plain, stands_in
from xysq.planner.desk import without_idle_pages
from xysq.planner.lookup import remembering
from xysq.planner.prose import Sentence, Wording, may_stay, prose_block, rows_behind
from xysq.planner.witness import is_standing, is_verbatim
from xysq.text import fold

_Stating = Asserted | SupersededBy | LearnedLate
_Claim = InsertFact | ReplaceFact


@frozen
class Quarantined:
    """The plan that is left, and what was taken out of it."""

    plan: Plan
    drops: tuple[Drop, ...]


def quarantine(plan: Plan, run: RunId, state: State, rows: tuple[Row, ...] = ()) -> Quarantined:
    """Return the plan without what cannot be proven or told apart, and the drops."""
    ward = _Ward(plan, run, remembering(state), rows)
    ward.judge_events()
    while ward.judge_lineage():
        pass
    return ward.discharge()


@frozen
class _Finding:
    """Why a statement is taken out, and whether its words stay."""

    code: DropCode
    reason: str
    stays: bool = True


class _Ward:
    """One plan under quarantine: its bodies and edits by place, and what is known so far."""

    def __init__(self, plan: Plan, run: RunId, state: State, rows: tuple[Row, ...]) -> None:
        self._state = state
        self._run = run
        self._rows = rows
        self._plan = plan
        self._bodies: dict[int, Body] = dict(enumerate(plan.events))
        self._edits: dict[int, Edit] = dict(enumerate(plan.edits))
        self._claims: dict[FactId, list[int]] = {}
        for place, edit in self._edits.items():
            if isinstance(edit, _Claim):
                self._claims.setdefault(edit.fact, []).append(place)
        self._heads: dict[tuple[Slug, str], Statement] = {}
        self._stands: dict[FactId, FactId] = {}
        self._drops: list[Drop] = []
        self._sentences: list[tuple[FactId, Sentence]] = []
        self._emptied: set[Slug] = set()

    # One event after the other

    def judge_events(self) -> None:
        """Judge each event by itself, and each assert against those before it."""
        for place, body in tuple(self._bodies.items()):
            match body:
                case Asserted() | SupersededBy() | LearnedLate():
                    self._judge_statement(place, body)
                case Confirmed():
                    self._judge_confirm(place, body)
                case FactClosed():
                    self._judge_close(place, body)
                case _:
                    pass

    def _judge_statement(self, place: int, body: _Stating) -> None:
        body = self._with_proven_quotes(place, body)
        finding = self._fault(body)
        if finding is not None:
            self._take_out(place, body, finding)
            return
        if not isinstance(body, LearnedLate) and body.statement.single:
            self._heads[body.statement.page, body.statement.attribute] = body.statement

    def _with_proven_quotes(self, place: int, body: _Stating) -> _Stating:
        """Take unproven quotes from an inferred fact; lower the label of a stated one that its quotes do not show."""
        stated = body.statement
        proven = tuple(piece for piece in stated.evidence if self._is_verbatim(piece))
        if stated.label is Label.INFERRED:
            for lost in stated.evidence:
                if lost not in proven:
                    self._note(DropCode.QUOTE_MISMATCH, stated, "one quote is not in the cited log", text=lost.quote)
            stated = replace(stated, evidence=proven)
        elif proven and proven == stated.evidence and not any(_shows(stated, piece) for piece in proven):
            self._note(DropCode.RELABELLED, stated, "the quoted words do not hold the value: inferred", kept=True)
            stated = replace(stated, label=Label.INFERRED)
        body = replace(body, statement=stated)
        self._bodies[place] = body
        return body

    def _is_verbatim(self, piece: Evidence) -> bool:
        return is_verbatim(piece, self._state.archive)

    def _fault(self, body: _Stating) -> _Finding | None:
        stated = body.statement
        if stated.label is Label.STATED:
            if not stated.evidence or not all(self._is_verbatim(piece) for piece in stated.evidence):
                return _Finding(code=DropCode.QUOTE_MISMATCH, reason="a quote is not in the cited log")
            if not any(_shows(stated, piece) and is_standing(piece, self._state.archive) for piece in stated.evidence):
                return _Finding(code=DropCode.QUOTE_MISMATCH, reason="the quoted words were corrected since")
        if isinstance(body, LearnedLate):
            return None
        texts = [self._edits[place] for place in self._claims.get(stated.fact, ())]
        if not texts:
            return _Finding(code=DropCode.UNCLAIMED_EVENT, reason="no block claims the event")
        if len(texts) > 1:
            return _Finding(code=DropCode.TWICE_CLAIMED, reason=f"{len(texts)} blocks claim the event")
        if not all(isinstance(edit, _Claim) and is_shown(stated.value, edit.text) for edit in texts):
            return _Finding(code=DropCode.VALUE_NOT_SHOWN, reason="the block does not show the value")
        head = self._heads.get((stated.page, stated.attribute)) if stated.single else None
        if head is None or (isinstance(body, SupersededBy) and body.supersedes == head.fact):
            return None
        if fold(head.value) == fold(stated.value):
            self._stands[stated.fact] = head.fact
        reason = f"{head.fact} of this run already holds {stated.attribute!r}"
        return _Finding(code=DropCode.DUPLICATE_ASSERT, reason=reason, stays=False)

    def _judge_confirm(self, place: int, body: Confirmed) -> None:
        proven = tuple(piece for piece in body.evidence if self._is_verbatim(piece))
        if len(proven) == len(body.evidence):
            return
        fact = self._state.ledger.fact(body.fact)
        for lost in body.evidence:
            if lost not in proven:
                subject = "" if fact is None else fact.page
                reason = "a confirming quote is not in the cited log"
                self._drops.append(self._drop(DropCode.QUOTE_MISMATCH, subject, lost.quote, reason, body.fact))
        if proven:
            self._bodies[place] = replace(body, evidence=proven)
        else:
            del self._bodies[place]

    def _judge_close(self, place: int, body: FactClosed) -> None:
        if all(self._is_verbatim(piece) for piece in body.evidence):
            return
        fact = self._state.ledger.fact(body.fact)
        subject, text = ("", "") if fact is None else (fact.page, plain(fact.text))
        reason = "not closed: a quote is not in the cited log"
        self._drops.append(self._drop(DropCode.QUOTE_MISMATCH, subject, text, reason, body.fact))
        self._uncover(place, body)

    # What rests on what

    def judge_lineage(self) -> bool:
        """Take out what rests on nothing that holds; True where something changed, so that it must be asked again."""
        outlook = Outlook(self._state.ledger, self._bodies.values())
        changed = False
        for place, body in tuple(self._bodies.items()):
            match body:
                case Asserted() | SupersededBy() | LearnedLate():
                    changed |= self._judge_premises(place, body, outlook)
                case Confirmed() if outlook.fact(body.fact) is None:
                    del self._bodies[place]
                    changed = True
                case FactClosed() if outlook.fact(body.fact) is None or _is_idle(body, outlook):
                    self._uncover(place, body)
                    changed = True
                case _:
                    pass
        return changed

    def _judge_premises(self, place: int, body: _Stating, outlook: Outlook) -> bool:
        stated = body.statement
        named = tuple(dict.fromkeys(self._stands.get(name, name) for name in stated.derived_from))
        held = tuple(name for name in named if outlook.holds(name, before=stated.fact))
        if isinstance(body, LearnedLate) and outlook.fact(body.superseded_by) is None:
            reason, stays = f"its successor {body.superseded_by} was taken out", False
        elif stated.label is Label.INFERRED and not stated.evidence and (not held or held != named):
            reason, stays = "neither a quote nor premises that are open", True
        else:
            self._bodies[place] = replace(body, statement=replace(stated, derived_from=held))
            return held != stated.derived_from
        self._take_out(place, body, _Finding(code=DropCode.UNFOUNDED, reason=reason, stays=stays))
        outlook.take_back(body)
        return True

    # Taking out

    def _take_out(self, place: int, body: _Stating, finding: _Finding) -> None:
        """Remove a statement with its edits; its words stay as prose where they may."""
        del self._bodies[place]
        stated = body.statement
        self._emptied.add(stated.page)
        claims = [self._edits.pop(edit) for edit in self._claims.pop(stated.fact, ())]
        texts = [edit.text for edit in claims if isinstance(edit, _Claim)] or [stated.text]
        stays = finding.stays and not isinstance(body, LearnedLate)
        if stays:
            quotes = tuple(piece for piece in stated.evidence if self._is_verbatim(piece))
            rows = () if quotes else self._rows
            for text in texts:
                sentence = Sentence(
                    page=stated.page,
                    text=text,
                    origin=Origin.DROPPED,
                    code=finding.code.value,
                    quotes=quotes,
                    rows=rows,
                )
                self._sentences.append((stated.fact, sentence))
        self._note(finding.code, stated, finding.reason, text=plain(texts[0]), kept=stays)

    def _uncover(self, place: int, body: FactClosed) -> None:
        """Remove a closing with the edits that take the block away."""
        del self._bodies[place]
        for number, edit in tuple(self._edits.items()):
            if isinstance(edit, RemoveFact) and edit.fact == body.fact:
                del self._edits[number]

    def _note(self, code: DropCode, stated: Statement, reason: str, *, text: str = "", kept: bool = False) -> None:
        self._drops.append(
            replace(
                self._drop(code, stated.page, text or plain(stated.text), reason, stated.fact, stated.evidence),
                kept_on=stated.page if kept else "",
            )
        )

    def _drop(
        self, code: DropCode, subject: str, text: str, reason: str, fact: FactId, evidence: Iterable[Evidence] = ()
    ) -> Drop:
        rows = rows_behind(evidence, self._rows)
        return Drop(code=code, subject=subject, text=text, reason=reason, fact=fact, rows=rows)

    # The plan that is left

    def discharge(self) -> Quarantined:
        """Return what is left, with the sentences that stay put down as prose behind it."""
        edits, bodies = list(self._edits.values()), list(self._bodies.values())
        wording = Wording(self._state.ledger)
        for body in bodies:
            match body:
                case Asserted(statement=stated) | SupersededBy(statement=stated):
                    wording.add(stated.page, stated.text)
                case ProseChanged(page=page, text=text):
                    wording.add(page, text)
                case _:
                    pass
        written: set[FactId] = set()
        for number, (fact, sentence) in enumerate(self._sentences):
            if not may_stay(sentence.text, self._state.limits.text_bytes):
                continue
            if wording.add(sentence.page, sentence.text):
                edit, event = prose_block(sentence, self._run, f"{fact} {number}", self._state.ledger)
                edits.append(edit)
                bodies.append(event)
                written.add(fact)
        plan = Plan(edits=tuple(edits), events=tuple(bodies))
        return Quarantined(plan=without_idle_pages(plan, self._emptied), drops=tuple(self._drops))


def _is_idle(body: FactClosed, outlook: Outlook) -> bool:
    """Tell whether a fact is closed for a premise that holds."""
    return body.reason is CloseReason.PREMISE_CLOSED and not outlook.lost_a_premise(body.fact)


def _shows(stated: Statement, piece: Evidence) -> bool:
    return stands_in(stated.value, piece.quote)
