"""Settling: what each proposal becomes against what is open: assert, supersede, confirm, late, or nothing.

Proposals are taken in the draft's order, premises before what is concluded from them, and decided on the desk one
by one. What was closed before is asked first (P11). A many-valued attribute takes every new value beside the others;
a single-valued one is a contest, which `xysq.planner.contest` decides.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from xysq.model.event import Asserted, Confirmed, LearnedLate, Statement, SupersededBy
from xysq.model.fact import Evidence, Fact, FactId, Label
from xysq.model.plan import Drop, DropCode, InsertFact, ReplaceFact
from xysq.pages.escape import compose, plain, stands_in
from xysq.planner.authority import Verdict, compare, folded_names, rank_of_fact
from xysq.planner.closing import close_fault
from xysq.planner.contest import Team, losers, teams_of, winner
from xysq.planner.desk import Desk
from xysq.planner.lineage import holder_of
from xysq.planner.proposal import Proposal
from xysq.planner.prose import rows_behind
from xysq.planner.returned import Claim, brought_back
from xysq.text import fold


class Settling:
    """Decides proposals on a desk; `stands` tells which open fact each of them led to."""

    def __init__(self, desk: Desk, proposals: Sequence[Proposal]) -> None:
        """Begin with nothing settled."""
        self._desk = desk
        self._proposals = proposals
        self._by_ref = {proposal.draft.ref: proposal for proposal in reversed(proposals)}
        self._begun: set[int] = set()
        self._stands: dict[int, FactId] = {}

    def settle_all(self) -> None:
        """Decide every proposal."""
        for proposal in self._proposals:
            self._settle(proposal)

    def _settle(self, proposal: Proposal) -> None:
        if proposal.index in self._begun:
            return
        self._begun.add(proposal.index)
        self._settle_premises(proposal)
        if not self._is_sound(proposal):
            self._set_aside(proposal)
        elif proposal.attribute.single:
            self._settle_contest(proposal)
        elif not self._is_returned(proposal):
            self._settle_value(proposal)

    def _settle_premises(self, proposal: Proposal) -> None:
        for ref in proposal.draft.derived_from:
            if ref in self._by_ref:
                self._settle(self._by_ref[ref])

    # Many-valued attributes

    def _settle_value(self, proposal: Proposal) -> None:
        same = self._open_with_value(proposal)
        if same is not None:
            self._agree(proposal, same)
            return
        target = self._replaced(proposal)
        if target is None:
            self._assert(proposal)
        else:
            self._supersede(proposal, target)

    def _replaced(self, proposal: Proposal) -> Fact | None:
        """Return the fact that a drafted `replaces` rightly names; the hint alone is worth nothing."""
        named = proposal.draft.replaces
        target = None if named is None else self._desk.ledger.fact(FactId(named))
        if target is None or (target.page, target.attribute) != (proposal.page, proposal.attribute.name):
            return None
        order = self._desk.order
        fault = close_fault(
            target,
            proposal.evidence,
            proposal.weight,
            self._desk.ledger.page(target.page),
            order.state.archive,
            order.me,
        )
        return target if fault is None else None

    # Single-valued attributes

    def _settle_contest(self, first: Proposal) -> None:
        """Decide all proposals for one attribute of one page together, so that their order does not matter."""
        group = [first]
        for other in self._proposals:
            if other.index not in self._begun and _is_rival(other, first):
                self._begun.add(other.index)
                self._settle_premises(other)
                if self._is_sound(other):
                    group.append(other)
                else:
                    self._set_aside(other)
        group = [proposal for proposal in sorted(group, key=lambda p: p.index) if not self._is_returned(proposal)]
        order = self._desk.order
        names = folded_names(self._desk.ledger.page(first.page))
        teams = teams_of(group, names, order.state, order.at)
        holder = self._holder(first)
        if teams and holder is None:
            self._contest_free(teams)
        elif teams and holder is not None:
            self._contest_held(teams, holder, names)

    def _contest_free(self, teams: Sequence[Team]) -> None:
        best = winner(teams)
        self._assert_team(best, None)
        self._lose(teams, best)

    def _contest_held(self, teams: Sequence[Team], holder: Fact, names: frozenset[str]) -> None:
        archive = self._desk.order.state.archive
        known = next((team for team in teams if team.value == fold(holder.value)), None)
        others = [team for team in teams if team is not known]
        best = winner(others) if others else None
        wins = best is not None and compare(best.rank, rank_of_fact(holder, names, archive)) is Verdict.HIGHER
        if best is not None and wins and (known is None or compare(best.rank, known.rank) is Verdict.HIGHER):
            if known is not None:
                self._confirm(known.head, holder)
            self._assert_team(best, holder)
            self._lose(others, best)
            return
        if known is not None:
            self._agree(known.head, holder)
            self._stands |= {double.index: self._stands[known.head.index] for double in known.doubles}
        leader = self._holder(teams[0].head)
        if leader is None:
            return
        rank = rank_of_fact(leader, names, archive)
        for team in others:
            verdict = compare(team.rank, rank)
            if verdict in (Verdict.LOWER_AUTHORITY, Verdict.WEAKER_LABEL):
                self._refuse(team, verdict)
            else:
                self._late(team.head, leader.id)

    def _assert_team(self, team: Team, holder: Fact | None) -> None:
        if holder is None:
            self._assert(team.head)
        else:
            self._supersede(team.head, holder)
        for double in team.doubles:
            self._stands[double.index] = team.head.id
            self._set_aside(double)

    def _lose(self, teams: Sequence[Team], best: Team) -> None:
        for team, verdict in losers(teams, best):
            if verdict is Verdict.OLDER:
                self._late(team.head, best.head.id)
            else:
                self._refuse(team, verdict)

    def _refuse(self, team: Team, verdict: Verdict) -> None:
        is_label = verdict is Verdict.WEAKER_LABEL
        code = DropCode.WEAKER_LABEL if is_label else DropCode.LOWER_AUTHORITY
        reason = "what is only inferred" if is_label else "words of lower authority"
        for proposal in (team.head, *team.doubles):
            self._drop(proposal, code, f"another value is open, and {reason} cannot end it")

    def _holder(self, proposal: Proposal) -> Fact | None:
        """Return the open fact that holds a single-valued attribute."""
        facts = self._desk.ledger.facts_of(proposal.page)
        return next((f for f in facts if f.is_open and f.single and f.attribute == proposal.attribute.name), None)

    # Equal values

    def _open_with_value(self, proposal: Proposal) -> Fact | None:
        for fact in self._desk.ledger.facts_of(proposal.page):
            is_same = fact.attribute == proposal.attribute.name and fold(fact.value) == fold(proposal.value)
            if fact.is_open and is_same:
                return fact
        return None

    def _agree(self, proposal: Proposal, fact: Fact) -> None:
        """Take a proposal of equal value in: as the proof an inferred fact lacked, else as a confirmation."""
        is_proof = proposal.weight is Label.STATED and fact.label is Label.INFERRED
        if is_proof and any(piece not in proposal.echoes for piece in proposal.evidence):
            self._supersede(proposal, fact)
        else:
            self._confirm(proposal, fact)

    def _confirm(self, proposal: Proposal, fact: Fact) -> None:
        """Add one quote a source to a fact; an assistant that had just recalled it confirms nothing."""
        self._stands[proposal.index] = fact.id
        if proposal.weight is not fact.label:
            return
        heard = {piece.source for piece in fact.evidence}
        fresh: dict[str, Evidence] = {}
        for piece in proposal.evidence:
            is_proof = fact.label is Label.INFERRED or stands_in(fact.value, piece.quote)
            if is_proof and piece.source not in heard and piece not in proposal.echoes:
                fresh.setdefault(piece.source, piece)
        if fresh:
            self._desk.put(Confirmed(fact=fact.id, evidence=tuple(fresh.values())))
        elif proposal.evidence and proposal.echoes.issuperset(proposal.evidence):
            self._drop(proposal, DropCode.OWN_WORDS, "an assistant repeats what it was told by recall")

    # Events

    def _assert(self, proposal: Proposal) -> None:
        self._stands[proposal.index] = proposal.id
        statement = self._statement(proposal)
        self._desk.put(Asserted(statement=statement), *_inserts(proposal))

    def _supersede(self, proposal: Proposal, old: Fact) -> None:
        self._stands[proposal.index] = proposal.id
        statement = self._statement(proposal)
        edit = ReplaceFact(page=proposal.page, fact=proposal.id, old=old.id, text=statement.text)
        self._desk.put(SupersededBy(statement=statement, supersedes=old.id), edit)

    def _late(self, proposal: Proposal, successor: FactId) -> None:
        self._desk.put(LearnedLate(statement=self._statement(proposal), superseded_by=successor))

    def _set_aside(self, proposal: Proposal) -> None:
        self._desk.set_aside(Asserted(statement=self._statement(proposal)), *_inserts(proposal))

    def _statement(self, proposal: Proposal) -> Statement:
        held, missing = self._premises(proposal)
        return Statement(
            fact=proposal.id,
            page=proposal.page,
            attribute=proposal.attribute.name,
            single=proposal.attribute.single,
            section=proposal.attribute.section,
            value=proposal.value,
            text=proposal.texts[0] if proposal.texts else compose(proposal.draft.text, lambda _: None),
            label=proposal.draft.label,
            evidence=proposal.evidence,
            derived_from=held if proposal.evidence else (*held, *missing),
        )

    # Judgements

    def _premises(self, proposal: Proposal) -> tuple[tuple[FactId, ...], tuple[FactId, ...]]:
        """Return the open facts a proposal rests on, and the names of those that are not open."""
        held: dict[FactId, None] = {}
        missing: dict[FactId, None] = {}
        for ref in proposal.draft.derived_from:
            premise = self._by_ref.get(ref)
            name = FactId(ref) if premise is None else self._stands.get(premise.index, premise.id)
            holder = holder_of(name, self._desk.ledger.fact)
            if holder is None:
                missing[name] = None
            elif holder != proposal.id:
                held[holder] = None
        return tuple(held), tuple(missing)

    def _is_sound(self, proposal: Proposal) -> bool:
        """Tell whether quarantine will leave a proposal in: one block shows it, and something proves it."""
        held, missing = self._premises(proposal)
        return proposal.is_shown and bool(proposal.evidence or (held and not missing))

    def _is_returned(self, proposal: Proposal) -> bool:
        claim = Claim(
            page=proposal.page,
            attribute=proposal.attribute.name,
            value=proposal.value,
            label=proposal.weight,
            evidence=proposal.evidence,
        )
        closed = brought_back(claim, self._desk.ledger, self._desk.order.state.archive)
        if closed is not None:
            self._drop(proposal, DropCode.RETURNED, f"{closed.id} was ended, and these words were there before")
        return closed is not None

    def _drop(self, proposal: Proposal, code: DropCode, reason: str) -> None:
        self._desk.drop(
            Drop(
                code=code,
                subject=proposal.draft.subject,
                text=plain(proposal.draft.text),
                reason=reason,
                fact=proposal.id,
                rows=rows_behind(proposal.evidence, self._desk.order.rows),
            )
        )


def with_texts(proposal: Proposal, texts: Iterable[str]) -> Proposal:
    """Return a proposal with the Markdown of the blocks that claim it."""
    return replace(proposal, texts=tuple(texts))


def _is_rival(one: Proposal, other: Proposal) -> bool:
    return one.attribute.single and (one.page, one.attribute.name) == (other.page, other.attribute.name)


def _inserts(proposal: Proposal) -> tuple[InsertFact, ...]:
    return tuple(
        InsertFact(page=proposal.page, fact=proposal.id, section=proposal.attribute.section, text=text)
        for text in proposal.texts
    )
