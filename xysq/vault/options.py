"""What may be said about a push, a distillation, a search, a list of facts: keywords of the Python API."""

from collections.abc import Callable
from datetime import datetime
from typing import TypedDict

from xysq.model.fact import Label
from xysq.model.report import Progress, Wait
from xysq.model.spending import Spending


class PushOptions(TypedDict, total=False):
    """What may be said about a push.

    `source` names the source (or is its id), `append` adds the bytes to its end. `said_as` tells whose words a text
    without turns is: "me" or a name. `at` is when it was said, for logs that do not tell. `wait` is `landed`
    (durable), `indexed` (searchable, the default) or `distilled`. `piecewise`: the bytes are a piece of a named session
    that is handed over bit by bit, all of it so far or only what came next; `sequence` numbers them.
    """

    source: str | None
    append: bool
    said_as: str | None
    title: str | None
    format: str | None
    at: datetime | None
    project: str | None
    wait: Wait | str
    piecewise: bool
    sequence: int | None


class DistillOptions(TypedDict, total=False):
    """How to work through what is pending: see `DistillOrder`. `max_…` are caps on what one pass may spend."""

    stage: bool
    dry_run: bool
    limit: int | None
    max_calls: int | None
    max_tokens: int | None
    max_seconds: float | None
    progress: Progress | None
    spending: Callable[[Spending, int], None] | None


class SearchOptions(TypedDict, total=False):
    """Which hits are wanted.

    `since` and `before` are UTC, the beginning of a time (`2026-11`) or words (`last week`); they are about when
    something was said, with `time="committed"` about when the vault came to hold it. `as_of` is a rev: only what it
    held then, as it stood then, prose aside.
    """

    since: str | None
    before: str | None
    speaker: str | None
    page: str | None
    source: str | None
    project: str | None
    time: str | None
    as_of: str | None


class FactOptions(TypedDict, total=False):
    """Which facts are wanted; `as_of` is a rev."""

    page: str | None
    attribute: str | None
    is_open: bool | None
    label: Label | str | None
    source: str | None
    as_of: str | None
