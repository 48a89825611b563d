"""Contests: several values of one run for one single-valued attribute, ranked before any is asserted.

Proposals of equal value are one team: the first that can be proven speaks for it, with the quotes of all; the others
are doubles, which quarantine takes out together with their sentence. The team of the highest rank wins. What was
observed before the winner is history learned late; what is newer, but lower in authority or label, is dropped.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import reduce

from xysq.frozen import frozen
from xysq.model.fact import Label
from xysq.model.state import State
from xysq.planner.authority import Rank, Verdict, compare, rank_of
from xysq.planner.proposal import Proposal
from xysq.text import fold


@frozen
class Team:
    """Proposals of one value: who speaks for it, the doubles, and what it weighs."""

    value: str
    head: Proposal
    doubles: tuple[Proposal, ...]
    rank: Rank


def teams_of(proposals: Iterable[Proposal], names: frozenset[str], state: State, at: str) -> tuple[Team, ...]:
    """Return the teams of a group of proposals, in the order of their first."""
    groups: dict[str, list[Proposal]] = {}
    for proposal in proposals:
        groups.setdefault(fold(proposal.value), []).append(proposal)
    return tuple(_team(value, group, names, state, at) for value, group in groups.items())


def winner(teams: Sequence[Team]) -> Team:
    """Return the team of the highest rank; of equals, the first."""
    return reduce(lambda best, team: team if compare(team.rank, best.rank) is Verdict.HIGHER else best, teams)


def losers(teams: Iterable[Team], best: Team) -> Iterator[tuple[Team, Verdict]]:
    """Yield the other teams with why they lost: `OLDER` for whatever was observed before the winner."""
    for team in teams:
        if team is best:
            continue
        verdict = compare(team.rank, best.rank)
        is_older = best.rank.observation.is_after(team.rank.observation)
        yield team, Verdict.OLDER if is_older or verdict is Verdict.HIGHER else verdict


def _team(value: str, group: Sequence[Proposal], names: frozenset[str], state: State, at: str) -> Team:
    head = next((proposal for proposal in group if proposal.weight is Label.STATED), group[0])
    doubles = tuple(proposal for proposal in group if proposal is not head)
    shared = dict.fromkeys(
        piece for proposal in (head, *doubles) if proposal.weight is head.weight for piece in proposal.evidence
    )
    evidence = tuple(shared)[: state.limits.quotes]
    spoken = replace(head, evidence=evidence, echoes=head.echoes.union(*(double.echoes for double in doubles)))
    rank = rank_of(evidence, head.weight, names, state.archive, at)
    return Team(value=value, head=spoken, doubles=doubles, rank=rank)
