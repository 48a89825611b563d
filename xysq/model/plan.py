"""Plans: the planner's exact change, as declared edits of pages and the events they belong to.

One fact edit belongs to one assert, supersede or close event; prose and front-matter edits match prose and page
events in the same way. What the engine composes (headings, changelog lines) is never declared.
"""

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any

from xysq.errors import BadWire
from xysq.frozen import frozen
from xysq.model.event import Body, PageOp, ProseOp
from xysq.model.fact import FactId, Slug
from xysq.model.page import BlockId
from xysq.model.source import Row
from xysq.model.wire import Fields


@frozen
class InsertFact:
    """A block for a fact, behind the last fact of its section, or in front of the fact `before`.

    Where that one stands in another section, the new block opens its own in front of that section.
    """

    page: Slug
    fact: FactId
    section: str
    text: str
    before: FactId | None = None


@frozen
class ReplaceFact:
    """The block of `old` becomes the block of its successor."""

    page: Slug
    fact: FactId
    old: FactId
    text: str


@frozen
class RemoveFact:
    """The block of a closed fact goes."""

    page: Slug
    fact: FactId


@frozen
class ProseEdit:
    """A prose block comes behind `after`, changes or goes."""

    page: Slug
    op: ProseOp
    block: BlockId
    text: str
    after: str


@frozen
class FrontEdit:
    """Title, kind or aliases of a page change; the page is created, merged `into` another or removed."""

    page: Slug
    op: PageOp
    title: str
    kind: str
    aliases: tuple[str, ...]
    into: Slug | None = None


FactEdit = InsertFact | ReplaceFact | RemoveFact
Edit = FactEdit | ProseEdit | FrontEdit


class DropCode(StrEnum):
    """Why a fact, an event or a label was taken out before the gates, or never planned."""

    QUOTE_MISMATCH = "quote-mismatch"
    RELABELLED = "relabelled"
    VALUE_NOT_SHOWN = "value-not-shown"
    UNCLAIMED_EVENT = "unclaimed-event"
    TWICE_CLAIMED = "twice-claimed"
    DUPLICATE_ASSERT = "duplicate-assert"
    UNFOUNDED = "unfounded"
    LOWER_AUTHORITY = "lower-authority"
    WEAKER_LABEL = "weaker-label"
    RETURNED = "returned"
    AMBIGUOUS = "ambiguous"
    CLOSE_NOT_SHOWN = "close-not-shown"
    OWN_WORDS = "own-words"
    ASSISTANT_SELF = "assistant-self"
    BAD_TEXT = "bad-text"
    NOT_STATED = "not-stated"
    UNSEEN_NAME = "unseen-name"
    CUT_SHORT = "cut-short"
    NO_PATTERNS = "no-patterns"


@frozen
class Drop:
    """One thing taken out: why, its words, the page where they stay as prose ("" where they go), rows it came from."""

    code: DropCode
    subject: str
    text: str
    reason: str
    kept_on: str = ""
    fact: str = ""
    rows: tuple[Row, ...] = ()

    def to_wire(self) -> dict[str, Any]:
        """Spell it as in runs/….json."""
        return {
            "code": self.code.value,
            "subject": self.subject,
            "text": self.text,
            "reason": self.reason,
            "kept_on": self.kept_on,
            "fact": self.fact,
            "rows": [str(row) for row in self.rows],
        }

    @classmethod
    def from_wire(cls, where: str, value: object) -> "Drop":
        """Read the spelling."""
        fields = Fields(where, value)
        result = cls(
            code=fields.choice("code", DropCode),
            subject=fields.text("subject"),
            text=fields.text("text"),
            reason=fields.text("reason"),
            kept_on=fields.text("kept_on"),
            fact=fields.text("fact"),
            rows=fields.each("rows", row_item),
        )
        fields.done()
        return result


@frozen
class Plan:
    """Declared edits and the bodies of the events behind them, in the order they are to be applied."""

    edits: tuple[Edit, ...]
    events: tuple[Body, ...]


def row_item(where: str, value: object) -> Row:
    """Read a row out of a list."""
    if not isinstance(value, str):
        raise BadWire(where, "is not a string")
    return Row.parse(value)


def edit_to_wire(edit: Edit) -> dict[str, Any]:
    """Spell a declared edit as in run.json."""
    match edit:
        case InsertFact():
            insert = {
                "edit": "insert-fact",
                "page": edit.page,
                "fact": edit.fact,
                "section": edit.section,
                "text": edit.text,
            }
            return insert if edit.before is None else insert | {"before": edit.before}
        case ReplaceFact():
            return {"edit": "replace-fact", "page": edit.page, "fact": edit.fact, "old": edit.old, "text": edit.text}
        case RemoveFact():
            return {"edit": "remove-fact", "page": edit.page, "fact": edit.fact}
        case ProseEdit():
            return {
                "edit": "prose",
                "page": edit.page,
                "op": edit.op.value,
                "block": edit.block,
                "text": edit.text,
                "after": edit.after,
            }
        case FrontEdit():
            front = {
                "edit": "front",
                "page": edit.page,
                "op": edit.op.value,
                "title": edit.title,
                "kind": edit.kind,
                "aliases": list(edit.aliases),
            }
            return front if edit.into is None else front | {"into": edit.into}


def edit_from_wire(where: str, value: object) -> Edit:
    """Read the spelling of run.json."""
    fields = Fields(where, value)
    kind = fields.text("edit")
    if kind not in _EDITS:
        raise BadWire(f"{where}.edit", f"is {kind!r}, which is no edit")
    result = _EDITS[kind](where, fields)
    fields.done()
    return result


def _insert(_where: str, fields: Fields) -> Edit:
    return InsertFact(
        page=Slug(fields.text("page")),
        fact=FactId(fields.text("fact")),
        section=fields.text("section"),
        text=fields.text("text"),
        before=FactId(fields.text("before")) if fields.has("before") else None,
    )


def _replace(_where: str, fields: Fields) -> Edit:
    return ReplaceFact(
        page=Slug(fields.text("page")),
        fact=FactId(fields.text("fact")),
        old=FactId(fields.text("old")),
        text=fields.text("text"),
    )


def _remove(_where: str, fields: Fields) -> Edit:
    return RemoveFact(page=Slug(fields.text("page")), fact=FactId(fields.text("fact")))


def _prose(_where: str, fields: Fields) -> Edit:
    return ProseEdit(
        page=Slug(fields.text("page")),
        op=fields.choice("op", ProseOp),
        block=BlockId(fields.text("block")),
        text=fields.text("text"),
        after=fields.text("after"),
    )


def _front(_where: str, fields: Fields) -> Edit:
    into = fields.optional_text("into")
    return FrontEdit(
        page=Slug(fields.text("page")),
        op=fields.choice("op", PageOp),
        title=fields.text("title"),
        kind=fields.text("kind"),
        aliases=fields.each("aliases", _alias),
        into=None if into is None else Slug(into),
    )


def _alias(where: str, value: object) -> str:
    if not isinstance(value, str):
        raise BadWire(where, "is not a string")
    return value


_EDITS: Mapping[str, Callable[[str, Fields], Edit]] = {
    "insert-fact": _insert,
    "replace-fact": _replace,
    "remove-fact": _remove,
    "prose": _prose,
    "front": _front,
}
