"""The spelling of event bodies: the `body` object of a ledger line, by kind."""

from collections.abc import Callable, Mapping
from typing import Any, assert_never

from xysq.errors import BadWire
from xysq.model.event import (
    Asserted,
    Body,
    Confirmed,
    FactClosed,
    Forgotten,
    LearnedLate,
    PageChanged,
    PageOp,
    ProseChanged,
    ProseOp,
    RewrittenFile,
    RunBegun,
    RunKind,
    Statement,
    SupersededBy,
    Withdrawn,
)
from xysq.model.fact import CloseReason, Evidence, FactId, Label, RunId, Slug
from xysq.model.page import Alias, BlockId, Origin
from xysq.model.plan import row_item
from xysq.model.wire import Fields, number_item, text_item


def kind_of(body: Body) -> str:
    """Return the word that stands in a line's `kind`."""
    match body:
        case RunBegun():
            return "run"
        case PageChanged():
            return "page"
        case Asserted():
            return "assert"
        case SupersededBy():
            return "supersede"
        case LearnedLate():
            return "late"
        case FactClosed():
            return "close"
        case Confirmed():
            return "confirm"
        case Withdrawn():
            return "withdraw"
        case Forgotten():
            return "forget"
        case ProseChanged():
            return "prose"
        case _:
            assert_never(body)


def body_to_wire(body: Body) -> dict[str, Any]:
    """Spell a body."""
    match body:
        case RunBegun():
            wire: dict[str, Any] = {
                "run": body.run,
                "kind": body.kind.value,
                "rows": [str(row) for row in body.rows],
                "drafter": body.drafter,
                "render": body.render,
                "events": body.events,
                "record": body.record,
            }
            if body.kind is RunKind.INIT:
                wire |= {"format": body.format, "vault": body.vault}
            return wire | {"reverts": body.reverts} if body.kind is RunKind.REVERT else wire
        case PageChanged():
            wire = {
                "page": body.page,
                "op": body.op.value,
                "title": body.title,
                "kind": body.kind,
                "aliases": [alias.to_wire() for alias in body.aliases],
            }
            return wire if body.into is None else wire | {"into": body.into}
        case Asserted():
            return _statement_to_wire(body.statement)
        case SupersededBy():
            return _statement_to_wire(body.statement) | {"supersedes": body.supersedes}
        case LearnedLate():
            return _statement_to_wire(body.statement) | {"superseded_by": body.superseded_by}
        case FactClosed():
            return {
                "fact": body.fact,
                "reason": body.reason.value,
                "cause": body.cause,
                "by": body.by,
                "evidence": [piece.to_wire() for piece in body.evidence],
            }
        case Confirmed():
            return {"fact": body.fact, "evidence": [piece.to_wire() for piece in body.evidence]}
        case Withdrawn():
            return {"fact": body.fact, "n": body.brought_by, "cause": body.cause}
        case Forgotten():
            return {
                "events": list(body.events),
                "files": [{"path": f.path, "old_sha256": f.old_sha256, "new_sha256": f.new_sha256} for f in body.files],
                "digests": list(body.digests),
            }
        case ProseChanged():
            return {
                "page": body.page,
                "block": body.block,
                "op": body.op.value,
                "text": body.text,
                "after": body.after,
                "origin": body.origin.value,
                "code": body.code,
                "from": {
                    "quotes": [piece.to_wire() for piece in body.quotes],
                    "rows": [str(row) for row in body.rows],
                },
            }
        case _:
            assert_never(body)


def body_from_wire(kind: str, where: str, value: object) -> Body:
    """Read the body of a line of that kind."""
    reader = _READERS.get(kind)
    if reader is None:
        raise BadWire(f"{where}.kind", f"is {kind!r}, which this format does not know")
    fields = Fields(where, value)
    body = reader(fields)
    fields.done()
    return body


def _statement_to_wire(statement: Statement) -> dict[str, Any]:
    wire: dict[str, Any] = {
        "fact": statement.fact,
        "page": statement.page,
        "attribute": statement.attribute,
        "single": statement.single,
        "section": statement.section,
        "value": statement.value,
        "text": statement.text,
        "label": statement.label.value,
        "evidence": [piece.to_wire() for piece in statement.evidence],
        "derived_from": list(statement.derived_from),
    }
    named = {"revives": statement.revives, "before": statement.before}
    return wire | {key: name for key, name in named.items() if name is not None}


def _statement(fields: Fields) -> Statement:
    revives, before = (fields.text(key) if fields.has(key) else None for key in ("revives", "before"))
    return Statement(
        fact=FactId(fields.text("fact")),
        page=Slug(fields.text("page")),
        attribute=fields.text("attribute"),
        single=fields.flag("single"),
        section=fields.text("section"),
        value=fields.text("value"),
        text=fields.text("text"),
        label=fields.choice("label", Label),
        evidence=fields.each("evidence", Evidence.from_wire),
        derived_from=tuple(FactId(name) for name in fields.each("derived_from", text_item)),
        revives=None if revives is None else FactId(revives),
        before=None if before is None else FactId(before),
    )


def _run(fields: Fields) -> Body:
    kind = fields.choice("kind", RunKind)
    is_init = kind is RunKind.INIT
    return RunBegun(
        run=RunId(fields.text("run")),
        kind=kind,
        rows=fields.each("rows", row_item),
        drafter=fields.text("drafter"),
        render=fields.number("render"),
        events=fields.number("events"),
        record=fields.text("record"),
        format=fields.number("format", least=1) if is_init else None,
        vault=fields.text("vault") if is_init else None,
        reverts=fields.text("reverts") if kind is RunKind.REVERT else "",
    )


def _page(fields: Fields) -> Body:
    into = fields.text("into") if fields.has("into") else None
    return PageChanged(
        page=Slug(fields.text("page")),
        op=fields.choice("op", PageOp),
        title=fields.text("title"),
        kind=fields.text("kind"),
        aliases=fields.each("aliases", Alias.from_wire),
        into=None if into is None else Slug(into),
    )


def _supersede(fields: Fields) -> Body:
    return SupersededBy(supersedes=FactId(fields.text("supersedes")), statement=_statement(fields))


def _late(fields: Fields) -> Body:
    return LearnedLate(superseded_by=FactId(fields.text("superseded_by")), statement=_statement(fields))


def _close(fields: Fields) -> Body:
    return FactClosed(
        fact=FactId(fields.text("fact")),
        reason=fields.choice("reason", CloseReason),
        cause=fields.text("cause"),
        by=fields.text("by"),
        evidence=fields.each("evidence", Evidence.from_wire),
    )


def _confirm(fields: Fields) -> Body:
    return Confirmed(fact=FactId(fields.text("fact")), evidence=fields.each("evidence", Evidence.from_wire))


def _withdraw(fields: Fields) -> Body:
    return Withdrawn(
        fact=FactId(fields.text("fact")), brought_by=fields.number("n", least=1), cause=fields.text("cause")
    )


def _rewritten(where: str, value: object) -> RewrittenFile:
    fields = Fields(where, value)
    result = RewrittenFile(
        path=fields.text("path"), old_sha256=fields.text("old_sha256"), new_sha256=fields.text("new_sha256")
    )
    fields.done()
    return result


def _forget(fields: Fields) -> Body:
    return Forgotten(
        events=fields.each("events", number_item),
        files=fields.each("files", _rewritten),
        digests=fields.each("digests", text_item),
    )


def _prose(fields: Fields) -> Body:
    came_from = Fields(f"{fields.where}.from", fields.value("from"))
    quotes = came_from.each("quotes", Evidence.from_wire)
    rows = came_from.each("rows", row_item)
    came_from.done()
    return ProseChanged(
        page=Slug(fields.text("page")),
        block=BlockId(fields.text("block")),
        op=fields.choice("op", ProseOp),
        text=fields.text("text"),
        after=fields.text("after"),
        origin=fields.choice("origin", Origin),
        code=fields.text("code"),
        quotes=quotes,
        rows=rows,
    )


_READERS: Mapping[str, Callable[[Fields], Body]] = {
    "run": _run,
    "page": _page,
    "assert": lambda fields: Asserted(statement=_statement(fields)),
    "supersede": _supersede,
    "late": _late,
    "close": _close,
    "confirm": _confirm,
    "withdraw": _withdraw,
    "forget": _forget,
    "prose": _prose,
}
