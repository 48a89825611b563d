"""Whose words weigh more, and which observation is newer."""

from itertools import permutations

import pytest

from tests.archive import LiteralArchive, turn
from tests.builders import evidence
from xysq.model.fact import Label
from xysq.model.source import Channel, Role, SourceId
from xysq.planner.authority import (
    Authority,
    Rank,
    Verdict,
    authority_of,
    compare,
    newest,
    observation_of,
    rank_of,
    strongest,
)

ALICE = frozenset({"alice", "alice chen"})
OTHER_SOURCE = SourceId("20261130-zzzzzz")
EARLY, LATE = "2026-11-01T00:00:00Z", "2026-11-02T00:00:00Z"


@pytest.mark.parametrize(
    ("role", "speaker", "channel", "expected"),
    [
        (Role.USER, "", Channel.HOOK, Authority.FIRST_HAND),
        (Role.USER, "", Channel.MCP, Authority.SECOND_HAND),
        (Role.PERSON, "ALICE  Chen", Channel.CLI, Authority.FIRST_HAND),
        (Role.PERSON, "Alice", Channel.MCP, Authority.SECOND_HAND),
        (Role.PERSON, "Bob", Channel.CLI, Authority.SECOND_HAND),
        (Role.PERSON, "", Channel.CLI, Authority.SECOND_HAND),
        (Role.ASSISTANT, "Alice", Channel.CLI, Authority.ASSISTANT),
        (Role.TOOL, "Alice", Channel.CLI, Authority.OTHER),
        (Role.SYSTEM, "", Channel.CLI, Authority.OTHER),
        (Role.OTHER, "", Channel.CLI, Authority.OTHER),
    ],
)
def test_the_class_follows_from_role_speaker_and_channel(
    role: Role, speaker: str, channel: Channel, expected: Authority
) -> None:
    assert authority_of(evidence(role=role, speaker=speaker, channel=channel), ALICE) is expected


def test_the_strongest_piece_counts_and_nothing_weighs_nothing() -> None:
    assert strongest((evidence(role=Role.TOOL), evidence(role=Role.USER)), ALICE) is Authority.FIRST_HAND
    assert strongest((), ALICE) is Authority.NONE


def test_the_later_time_is_newer_whatever_was_pushed_first() -> None:
    archive = LiteralArchive()
    early, late = (observation_of(evidence(at=at), archive) for at in (EARLY, LATE))
    assert late.is_after(early)
    assert not early.is_after(late)


def test_an_unknown_time_is_ordered_by_when_it_was_pushed() -> None:
    archive = LiteralArchive()
    (passage,) = archive.push("talk", turn("I live in Boston.", at=None), pushed_at=LATE)
    piece = evidence(source=passage.source, at=None)
    assert observation_of(piece, archive).at == LATE


def test_equal_times_in_one_source_are_ordered_by_place() -> None:
    archive = LiteralArchive()
    first, second = (observation_of(evidence(start=start, end=start + 5), archive) for start in (0, 90))
    assert second.is_after(first)
    assert not first.is_after(second)


def test_equal_times_of_two_sources_have_one_order_whatever_the_ids_are() -> None:
    archive = LiteralArchive()
    for one, two in permutations((evidence().source, OTHER_SOURCE)):
        boston = observation_of(evidence("Boston", source=one), archive)
        berlin = observation_of(evidence("Berlin", source=two), archive)
        assert boston.is_after(berlin) is not berlin.is_after(boston)
        assert newest((boston, berlin), "").digest == max(boston.digest, berlin.digest)


def rank(role: Role = Role.USER, label: Label = Label.STATED, at: str = EARLY) -> Rank:
    return rank_of((evidence(role=role, at=at),), label, ALICE, LiteralArchive(), "")


@pytest.mark.parametrize(
    ("new", "expected"),
    [
        (rank(at=LATE), Verdict.HIGHER),
        (rank(at="2026-10-01T00:00:00Z"), Verdict.OLDER),
        (rank(Role.ASSISTANT, at=LATE), Verdict.LOWER_AUTHORITY),
        (rank(label=Label.INFERRED, at=LATE), Verdict.WEAKER_LABEL),
    ],
)
def test_class_counts_before_label_and_label_before_time(new: Rank, expected: Verdict) -> None:
    assert compare(new, rank()) is expected


def test_a_higher_class_wins_though_it_is_older_and_inferred() -> None:
    other = rank_of((evidence(role=Role.PERSON, speaker="Bob", at=LATE),), Label.STATED, ALICE, LiteralArchive(), "")
    assert compare(rank(label=Label.INFERRED), other) is Verdict.HIGHER
    assert compare(rank(), rank(Role.ASSISTANT, at=LATE)) is Verdict.HIGHER
    assert compare(rank(Role.ASSISTANT), rank(Role.ASSISTANT, Label.INFERRED, at=LATE)) is Verdict.HIGHER


def test_a_rank_is_that_of_one_piece_never_a_mixture() -> None:
    pieces = (evidence(role=Role.USER, at=EARLY), evidence(role=Role.ASSISTANT, at=LATE))
    assert rank_of(pieces, Label.STATED, ALICE, LiteralArchive(), "").observation.at == EARLY


def test_a_fact_that_cites_nothing_ranks_lowest_and_by_its_own_time() -> None:
    bare = rank_of((), Label.INFERRED, ALICE, LiteralArchive(), LATE)
    assert (bare.authority, bare.observation.at) == (Authority.NONE, LATE)
