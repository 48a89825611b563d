"""REV: what names a point in the history, and what only looks like it."""

import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.store.git_vault import land, new_vault, user
from xysq.errors import BadInput, NotFound
from xysq.store.git import Repository
from xysq.store.git_rev import BeforeBeginning, resolve_rev

NOW = datetime(2026, 12, 3, 12, 0, tzinfo=UTC)
TIMES = ("2026-11-30T23:30:00Z", "2026-12-01T10:00:00Z", "2026-12-02T10:00:00Z", "2026-12-03T09:00:00Z")
RUNS = tuple(f"r-20261130T18000{number}Z-ab12" for number in range(4))


def unknown(_run: str) -> None:
    return None


@pytest.fixture(scope="module")
def line(tmp_path_factory: pytest.TempPathFactory) -> tuple[Repository, tuple[str, ...]]:
    """Return a vault with one commit at each of the times, oldest first."""
    root = tmp_path_factory.mktemp("vault")
    repository = Repository(root)
    repository.init()
    tips: list[str] = []
    for number, (at, run) in enumerate(zip(TIMES, RUNS, strict=True)):
        parent = tips[-1] if tips else None
        tips.append(land(repository, parent, {"x": b"%d" % number}, at=at, run=run).commit)
    user(root, "tag", "v1.0", tips[1])
    return repository, tuple(tips)


Line = tuple[Repository, tuple[str, ...]]


def rev(line: Line, text: str, *, head: int = 3, run_commit: Callable[[str], str | None] = unknown) -> int:
    """Return which of the commits a REV is."""
    repository, tips = line
    return tips.index(resolve_rev(repository, text, head=tips[head], now=NOW, run_commit=run_commit))


@pytest.mark.parametrize(
    ("text", "expected"),
    [("HEAD", 3), ("@", 3), ("HEAD~", 2), ("HEAD~1", 2), ("HEAD^", 2), ("HEAD^^~1", 0), ("@~3", 0), ("main", 3),
     ("main~2", 1), ("v1.0", 1), ("v1.0^", 0), (" HEAD~1 ", 2), ("HEAD~0", 3)],
)  # fmt: skip
def test_what_git_takes_is_taken(line: Line, text: str, expected: int) -> None:
    assert rev(line, text) == expected


def test_head_is_the_commit_that_readers_see(line: Line) -> None:
    assert rev(line, "HEAD", head=2) == 2
    assert rev(line, "HEAD~1", head=2) == 1
    assert rev(line, "main", head=2) == 3


def test_the_beginning_of_a_commit_id_is_enough(line: Line) -> None:
    for number, tip in enumerate(line[1]):
        assert rev(line, tip) == rev(line, tip[:12]) == number
    assert rev(line, f"{line[1][2]}~2") == 0


@pytest.mark.parametrize(
    "text",
    ["", "-1", "--all", "-x", "main@{0}", "HEAD@{yesterday}", "@{-1}", "HEAD..main", "HEAD^{tree}", "HEAD:x", "^HEAD",
     ":/distill", "HEAD~5", "HEAD^2", "nothing", "a" * 40, "ab", "refs/heads/../heads/main", "a b", "HEAD\nmain", "\0",
     "HEAD~9999999", "x" * 5000, "é", "20261130-k3f9x2", "r-20261130T180000Z-zzzz", "HEAD --all", "v1.0.", "/main",
     "main//x"],
)  # fmt: skip
def test_anything_else_is_not_found(line: Line, text: str) -> None:
    with pytest.raises(NotFound):
        rev(line, text)


@given(text=st.one_of(st.text(max_size=12), st.text(alphabet="HEADmain@{}~^-:./ 0123abcdef\n", max_size=12)))
def test_no_words_do_anything_but_name_a_commit_or_not(line: Line, text: str) -> None:
    repository, tips = line
    try:
        found = resolve_rev(repository, text, head=tips[3], now=NOW, run_commit=unknown)
    except (NotFound, BadInput):
        return
    assert found in tips


def test_a_run_is_the_state_after_it(line: Line) -> None:
    for number, run in enumerate(RUNS):
        assert rev(line, run) == number
    assert rev(line, RUNS[0], run_commit=lambda _: line[1][2]) == 2


def test_a_run_that_is_only_mentioned_is_not_its_commit(tmp_path: Path) -> None:
    repository, _ = new_vault(tmp_path)
    user(tmp_path, "commit", "--quiet", "--allow-empty", "-m", f"about Xysq-Run: {RUNS[3]}\n\nno trailer")
    with pytest.raises(NotFound):
        resolve_rev(repository, RUNS[3], head=repository.tip() or "", now=NOW, run_commit=unknown)


@pytest.mark.parametrize(
    ("text", "expected"),
    [("2026-12-01", 0), ("2026-12-02", 1), ("2026-12-03", 2), ("2030-01-01", 3), ("today", 2), ("yesterday", 1),
     ("Yesterday", 1), ("3 hours ago", 3), ("1 day ago", 2), ("2 days ago", 1), ("2 days", 1), ("a day ago", 2),
     ("2026-12-02T10:00:00Z", 2), ("2026-12-02T09:59:59Z", 1), ("2026-12-02 10:00", 2), ("180 minutes ago", 3),
     ("2026-12-02T12:00:00+02:00", 2), ("181 minutes ago", 2)],
)  # fmt: skip
def test_a_time_is_the_state_that_was_then(line: Line, text: str, expected: int) -> None:
    assert rev(line, text) == expected


@pytest.mark.parametrize("text", ["2026-11-30", "1 week ago", "1999-01-01", "900 years ago", "3 months ago"])
def test_before_the_first_commit_there_is_nothing(line: Line, text: str) -> None:
    with pytest.raises(BeforeBeginning):
        rev(line, text)


@pytest.mark.parametrize(
    "text", ["2026-02-30", "2026-13-01", "2026-12-01 25:00", "999999 years ago", "9999-99-99", "0001-01-01"]
)
def test_a_date_that_is_none_is_bad_input(line: Line, text: str) -> None:
    with pytest.raises(BadInput):
        rev(line, text)


@pytest.mark.parametrize(
    ("zone", "expected"), [("UTC", 0), ("Europe/Berlin", None), ("America/New_York", 0), ("Asia/Tokyo", None)]
)
def test_a_day_begins_at_local_midnight(
    line: Line, monkeypatch: pytest.MonkeyPatch, zone: str, expected: int | None
) -> None:
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    if expected is None:  # 23:30 UTC on the day before is after midnight there
        with pytest.raises(BeforeBeginning):
            rev(line, "2026-12-01")
    else:
        assert rev(line, "2026-12-01") == expected


def test_the_newest_commit_before_a_time_is_meant_even_where_clocks_went_back(tmp_path: Path) -> None:
    repository = Repository(tmp_path)
    repository.init()
    tip = None
    for number, at in enumerate(("2026-12-01T10:00:00Z", "2026-12-05T10:00:00Z", "2026-12-02T10:00:00Z")):
        tip = land(repository, tip, {"x": b"%d" % number}, at=at).commit
    assert tip is not None
    assert resolve_rev(repository, "2026-12-03", head=tip, now=NOW, run_commit=unknown) == tip
