"""What the planner is given, and what it gives back."""

from collections.abc import Callable

from xysq.frozen import frozen
from xysq.model.draft import Draft
from xysq.model.event import RunKind
from xysq.model.fact import RunId
from xysq.model.plan import Drop, Plan
from xysq.model.schema import Schema
from xysq.model.settings import Me
from xysq.model.source import Encoding, Passage, Row, Version
from xysq.model.state import State

Raw = Callable[[Version, Encoding, int, int], bytes | None]


@frozen
class PlanOrder:
    """A draft and everything it is judged by.

    `passages` are numbered as the drafter saw them: its passage k is item k - 1. `project` is the working directory
    of the session, or "". `raw` gives the bytes `[start, end)` of a version's log, or of its text view where the
    encoding is `text`; None where there are none. `at` is the time of the run.
    """

    run: RunId
    kind: RunKind
    at: str
    rows: tuple[Row, ...]
    drafter: str
    draft: Draft
    passages: tuple[Passage, ...]
    project: str
    state: State
    schema: Schema
    me: Me
    raw: Raw


@frozen
class Planned:
    """The exact change, and what of the draft was left out of it."""

    plan: Plan
    drops: tuple[Drop, ...]
