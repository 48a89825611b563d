"""Events: the lines of the ledger, as values. Their spelling and their chain are in `xysq.ledger`."""

from enum import StrEnum

from xysq.frozen import frozen
from xysq.model.fact import CloseReason, Evidence, FactId, Label, RunId, Slug
from xysq.model.page import Alias, BlockId, Origin
from xysq.model.source import Row


class RunKind(StrEnum):
    """What a run was for."""

    INIT = "init"
    DISTILL = "distill"
    CORRECT = "correct"
    ADOPT = "adopt"
    REVERT = "revert"
    PAGE = "page"
    FORGET = "forget"


class PageOp(StrEnum):
    """What happens to a page as a whole."""

    CREATE = "create"
    META = "meta"
    MERGE = "merge"
    REMOVE = "remove"


class ProseOp(StrEnum):
    """What happens to a prose block."""

    INSERT = "insert"
    REPLACE = "replace"
    REMOVE = "remove"


@frozen
class RunBegun:
    """First event of every run. `events` follow it; `record` is the digest of its file under runs/ ("" for init).

    `format` and `vault` stand in event 1 only. `reverts` is the run or source that a revert takes back ("" elsewhere);
    of the rows of a revert, those of that source are no work from then on, all others are work again.
    """

    run: RunId
    kind: RunKind
    rows: tuple[Row, ...]
    drafter: str
    render: int
    events: int
    record: str
    format: int | None = None
    vault: str | None = None
    reverts: str = ""

    def reopens(self, row: Row) -> bool:
        """Tell whether a row of this run is work again, and not covered by it."""
        return self.kind is RunKind.REVERT and row.source != self.reverts


@frozen
class PageChanged:
    """A page is created, renamed, given aliases, merged into another or removed; the new names in full.

    Of a merge, `title` is the title that `into` has then: the page's one line shows it ever after.
    """

    page: Slug
    op: PageOp
    title: str
    kind: str
    aliases: tuple[Alias, ...]
    into: Slug | None = None


@frozen
class Statement:
    """What assert, supersede and late have in common: the fact itself.

    A fact that a revert states anew `revives` the one that had ended, and stands `before` another where that one did.
    """

    fact: FactId
    page: Slug
    attribute: str
    single: bool
    section: str
    value: str
    text: str
    label: Label
    evidence: tuple[Evidence, ...]
    derived_from: tuple[FactId, ...] = ()
    revives: FactId | None = None
    before: FactId | None = None


@frozen
class Asserted:
    """A fact is stated that was not open before."""

    statement: Statement


@frozen
class SupersededBy:
    """A fact takes the place of an open one."""

    statement: Statement
    supersedes: FactId


@frozen
class LearnedLate:
    """History learned after its successor: superseded from the start."""

    statement: Statement
    superseded_by: FactId


@frozen
class FactClosed:
    """An open fact ends. `by` tells who ended it (drafter name, `user`, `agent`, `engine`)."""

    fact: FactId
    reason: CloseReason
    cause: str
    by: str
    evidence: tuple[Evidence, ...] = ()


@frozen
class Confirmed:
    """More evidence for an open fact."""

    fact: FactId
    evidence: tuple[Evidence, ...]


@frozen
class Withdrawn:
    """The evidence that event `brought_by` gave a fact no longer counts."""

    fact: FactId
    brought_by: int
    cause: str


@frozen
class RewrittenFile:
    """A file whose bytes were overwritten by `forget`."""

    path: str
    old_sha256: str
    new_sha256: str


@frozen
class Forgotten:
    """The deliberate exception to append-only: which events were emptied, which files rewritten."""

    events: tuple[int, ...]
    files: tuple[RewrittenFile, ...]
    digests: tuple[str, ...]


@frozen
class ProseChanged:
    """A prose block is inserted behind `after` (a block's id, `top`, `end`), replaced or removed.

    `code` is the drop code where the origin is `dropped`; `quotes` or `rows` say where the words came from.
    """

    page: Slug
    block: BlockId
    op: ProseOp
    text: str
    after: str
    origin: Origin
    code: str = ""
    quotes: tuple[Evidence, ...] = ()
    rows: tuple[Row, ...] = ()


Body = (
    RunBegun
    | PageChanged
    | Asserted
    | SupersededBy
    | LearnedLate
    | FactClosed
    | Confirmed
    | Withdrawn
    | Forgotten
    | ProseChanged
)


@frozen
class Event:
    """One line of the ledger. `body` is None where it was emptied by a later `forget`."""

    n: int
    prev: str
    at: str
    run: RunId
    kind: str
    body: Body | None
    salt: str
    digest: str
    hash: str


@frozen
class Head:
    """An end of the ledger: how many events, and the hash of the last."""

    n: int
    hash: str
