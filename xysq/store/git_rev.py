"""REV: what a person types to name a point in the vault's history.

A REV is what git takes (`HEAD~3`, the beginning of a commit id, a tag), a run (the state after it) or a time: a date
(the state before its first minute, local time), `today`, `yesterday`, `3 days ago`, `2026-11-30 18:02`. `HEAD` is the
commit that readers are shown, which may be behind the branch for a moment.

Text of a person's never reaches git as it is: it is matched here, and git is given a name out of plain letters, a
full id or a number.
"""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from xysq.errors import BadInput, NotFound
from xysq.store.git import Repository
from xysq.store.git_object import checked_id
from xysq.store.git_ref import REF

_STEPS = r"(?P<steps>(?:[~^][0-9]{0,6}){0,20})"
_NAMED = re.compile(rf"(?P<name>[A-Za-z0-9](?:[A-Za-z0-9_/-]|\.(?![./])){{0,99}}|@){_STEPS}")
_FULL = re.compile(r"[0-9a-f]{40}")
_RUN = re.compile(r"r-[0-9]{8}T[0-9]{6}Z-[0-9a-z]{4}")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_MOMENT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2})?(?:Z|[+-][0-9]{2}:?[0-9]{2})?")
_AGO = re.compile(r"(?P<count>an?|[0-9]{1,6}) (?P<unit>minute|hour|day|week|month|year)s?(?: ago)?")
_UNITS = {
    "minute": timedelta(minutes=1),
    "hour": timedelta(hours=1),
    "day": timedelta(days=1),
    "week": timedelta(weeks=1),
    "month": timedelta(days=30),
    "year": timedelta(days=365),
}
_HINT = "a rev is HEAD~3, the beginning of a commit id, a run, 2026-11-30 or '3 days ago'"


class BeforeBeginning(NotFound):
    """A time at which the vault had no commit yet: its state then is the empty one."""

    code = "before-beginning"


def resolve_rev(
    repository: Repository, text: str, *, head: str, now: datetime, run_commit: Callable[[str], str | None]
) -> str:
    """Return the full commit id of a REV.

    `head` is the commit that HEAD stands for. `run_commit` looks a run id up and may not know it; then history is
    searched. `now` is an aware time; dates without a zone are local. Raises `NotFound`, for times before the first
    commit `BeforeBeginning`, `BadInput` for a date that is none.
    """
    checked_id(head)
    words = text.strip()
    if _RUN.fullmatch(words):
        found = run_commit(words) or _search(repository, head, words)
        if found is None:
            raise NotFound("run", words)
        return checked_id(found)
    moment = _moment(words, now)
    if moment is not None:
        return _before(repository, head, moment, words)
    match = _NAMED.fullmatch(words)
    if match is None:
        raise NotFound("rev", words[:200], _HINT)
    return _named(repository, match["name"], match["steps"], head, words)


def _named(repository: Repository, name: str, steps: str, head: str, words: str) -> str:
    if name in ("HEAD", "@"):
        if not steps:
            return head
        base = head
    else:
        base = REF if name == "main" else name
    command = ("rev-parse", "--verify", "--quiet", "--end-of-options", f"{base}{steps}^{{commit}}")
    status, out = repository.git.run(*command, allowed=(0, 1, 128))
    found = out.decode("ascii", "replace").strip()
    if status != 0 or not _FULL.fullmatch(found):
        raise NotFound("rev", words, _HINT)
    return found


def _search(repository: Repository, head: str, run: str) -> str | None:
    trailer = f"Xysq-Run: {run}"
    command = ("rev-list", "--fixed-strings", f"--grep={trailer}", "--end-of-options", head, "--")
    _, out = repository.git.run(*command)
    with repository.reader() as reader:
        return next((id_ for id_ in out.decode("ascii").split() if reader.commit(id_).run == run), None)


def _before(repository: Repository, head: str, moment: datetime, words: str) -> str:
    """Return the newest commit at or before a moment."""
    seconds = max(0, int(moment.timestamp()))
    command = ("rev-list", "--max-count=1", "--first-parent", f"--min-age={seconds}", "--end-of-options", head, "--")
    _, out = repository.git.run(*command)
    found = out.decode("ascii").strip()
    if not found:
        raise BeforeBeginning("rev", words, "the vault had no commit yet")
    return found


def _moment(words: str, now: datetime) -> datetime | None:
    """Return the last second that a REV of time includes; None where the words are no time."""
    low = words.lower()
    try:
        if _DATE.fullmatch(words):
            return _day_before(datetime.fromisoformat(words))
        if low in ("today", "yesterday"):
            today = now.astimezone().replace(tzinfo=None)
            return _day_before(today - timedelta(days=low == "yesterday"))
        if _MOMENT.fullmatch(words):
            return datetime.fromisoformat(words).astimezone(UTC)
        if match := _AGO.fullmatch(low):
            count = 1 if match["count"].startswith("a") else int(match["count"])
            return now.astimezone(UTC) - count * _UNITS[match["unit"]]
    except (ValueError, OverflowError, OSError):
        raise BadInput(f"{words!r} is no time", "write it as 2026-11-30 or '3 days ago'") from None
    return None


def _day_before(day: datetime) -> datetime:
    """Return the last second before a day begins in local time, whatever the clocks did in between."""
    midnight = day.replace(hour=0, minute=0, second=0, microsecond=0).astimezone()
    return midnight.astimezone(UTC) - timedelta(seconds=1)
