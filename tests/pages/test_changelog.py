"""A changelog line counts what one run did to a page and names at most three sources."""

import pytest

from xysq.model.fact import RunId
from xysq.model.page import ChangelogEntry
from xysq.model.source import SourceId, Version
from xysq.pages.changelog import compose_changelog, is_changelog_line, line

START = "- 2026-11-30 18:04Z r-20261130T180400Z-ab12: "


def entry(**counts: int) -> ChangelogEntry:
    return ChangelogEntry(at="2026-11-30T18:04:59Z", run=RunId("r-20261130T180400Z-ab12"), kind="distill", **counts)  # type: ignore[arg-type]


def with_sources(count: int) -> ChangelogEntry:
    versions = tuple(Version(SourceId("20261130-k3f9x2"), number) for number in range(1, count + 1))
    return ChangelogEntry(at="2026-11-30T18:04:59Z", run=entry().run, kind="", asserted=1, sources=versions)


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (entry(asserted=2), "+2 facts"),
        (entry(asserted=1), "+1 fact"),
        (entry(asserted=1, superseded=2, closed=3, prose=4, named=True), "+1 fact, 2 superseded, 3 closed, 4 prose"),
        (entry(superseded=1), "1 superseded"),
        (entry(named=True), "page changed"),
        (with_sources(1), "+1 fact from 20261130-k3f9x2@1"),
        (with_sources(3), "+1 fact from 20261130-k3f9x2@1, 20261130-k3f9x2@2, 20261130-k3f9x2@3"),
        (with_sources(5), "+1 fact from 20261130-k3f9x2@1, 20261130-k3f9x2@2, 20261130-k3f9x2@3 and 2 more"),
    ],
)
def test_a_line_says_what_a_run_did(made: ChangelogEntry, words: str) -> None:
    assert line(made) == START + words
    assert is_changelog_line(line(made))


def test_lines_stand_in_the_order_of_their_entries() -> None:
    assert compose_changelog((entry(prose=1), entry(closed=1))) == (f"{START}1 prose", f"{START}1 closed")


@pytest.mark.parametrize("text", ["", "- x", START, "2026-11-30 18:04Z r-1: x", f"{START}é", f"{START}x\n"])
def test_another_line_is_no_changelog_line(text: str) -> None:
    assert not is_changelog_line(text)
