"""Wire: facts, pages and spans as the JSON that stands in the read model's columns.

Each pair is an inverse: `x_from_wire(x_to_wire(x)) == x`. The read model is ours and can always be made again, yet
it is read as strictly as anything else: what does not fit raises `BadWire`, and the model is not believed.
"""

import json
from collections.abc import Callable, Mapping
from typing import Any, assert_never

from xysq.errors import BadWire
from xysq.model.fact import (
    Closed,
    CloseReason,
    Evidence,
    Fact,
    FactId,
    Label,
    Life,
    Open,
    Proof,
    RunId,
    Slug,
    Superseded,
)
from xysq.model.page import Alias, Block, BlockId, ChangelogEntry, FactBlock, Origin, PageState, ProseBlock, Section
from xysq.model.plan import row_item
from xysq.model.source import Encoding, Row, Span, Version
from xysq.model.wire import Fields, number_item, text_item

_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


def dumps(value: object) -> str:
    """Spell a wire value as the text of a column."""
    return _ENCODER.encode(value)


def fact_to_wire(fact: Fact) -> dict[str, Any]:
    """Spell a fact with its life."""
    return {
        "id": fact.id,
        "page": fact.page,
        "attribute": fact.attribute,
        "single": fact.single,
        "section": fact.section,
        "value": fact.value,
        "text": fact.text,
        "label": fact.label.value,
        "proofs": [{"n": proof.n, "evidence": proof.evidence.to_wire()} for proof in fact.proofs],
        "derived_from": list(fact.derived_from),
        "supersedes": fact.supersedes,
        "revives": fact.revives,
        "at": fact.at,
        "run": fact.run,
        "n": fact.n,
        "life": _life_to_wire(fact.life),
    }


def fact_from_wire(where: str, value: object) -> Fact:
    """Read the spelling of a fact."""
    fields = Fields(where, value)
    supersedes, revives = fields.optional_text("supersedes"), fields.optional_text("revives")
    result = Fact(
        id=FactId(fields.text("id")),
        page=Slug(fields.text("page")),
        attribute=fields.text("attribute"),
        single=fields.flag("single"),
        section=fields.text("section"),
        value=fields.text("value"),
        text=fields.text("text"),
        label=fields.choice("label", Label),
        proofs=fields.each("proofs", _proof),
        derived_from=tuple(FactId(name) for name in fields.each("derived_from", text_item)),
        supersedes=None if supersedes is None else FactId(supersedes),
        revives=None if revives is None else FactId(revives),
        at=fields.text("at"),
        run=RunId(fields.text("run")),
        n=fields.number("n"),
        life=_life_from_wire(f"{where}.life", fields.value("life")),
    )
    fields.done()
    return result


def _proof(where: str, value: object) -> Proof:
    fields = Fields(where, value)
    result = Proof(n=fields.number("n"), evidence=Evidence.from_wire(f"{where}.evidence", fields.value("evidence")))
    fields.done()
    return result


def _life_to_wire(life: Life) -> dict[str, Any]:
    match life:
        case Open():
            return {"is": "open"}
        case Superseded():
            when = {"at": life.at, "run": life.run, "n": life.n}
            return {"is": "superseded", "by": life.by, "late": life.late} | when
        case Closed():
            return {
                "is": "closed",
                "reason": life.reason.value,
                "cause": life.cause,
                "by": life.by,
                "evidence": [piece.to_wire() for piece in life.evidence],
                "at": life.at,
                "run": life.run,
                "n": life.n,
            }
        case _:
            assert_never(life)


def _life_from_wire(where: str, value: object) -> Life:
    fields = Fields(where, value)
    kind = fields.text("is")
    if kind not in _LIVES:
        raise BadWire(where, f"is {kind!r}, which is no life")
    result = _LIVES[kind](fields)
    fields.done()
    return result


def _superseded(fields: Fields) -> Life:
    return Superseded(
        by=FactId(fields.text("by")),
        at=fields.text("at"),
        run=RunId(fields.text("run")),
        n=fields.number("n"),
        late=fields.flag("late"),
    )


def _closed(fields: Fields) -> Life:
    return Closed(
        reason=fields.choice("reason", CloseReason),
        cause=fields.text("cause"),
        by=fields.text("by"),
        evidence=fields.each("evidence", Evidence.from_wire),
        at=fields.text("at"),
        run=RunId(fields.text("run")),
        n=fields.number("n"),
    )


_LIVES: Mapping[str, Callable[[Fields], Life]] = {
    "open": lambda _: Open(),
    "superseded": _superseded,
    "closed": _closed,
}


def page_to_wire(page: PageState) -> dict[str, Any]:
    """Spell a page with its blocks."""
    return {
        "slug": page.slug,
        "title": page.title,
        "kind": page.kind,
        "aliases": [alias.to_wire() for alias in page.aliases],
        "head": [_block_to_wire(block) for block in page.head],
        "sections": [
            {"name": section.name, "blocks": [_block_to_wire(block) for block in section.blocks]}
            for section in page.sections
        ],
        "tail": [_block_to_wire(block) for block in page.tail],
        "changelog": [_entry_to_wire(entry) for entry in page.changelog],
        "merged_into": page.merged_into,
        "removed": page.removed,
    }


def page_from_wire(where: str, value: object) -> PageState:
    """Read the spelling of a page."""
    fields = Fields(where, value)
    merged_into = fields.optional_text("merged_into")
    result = PageState(
        slug=Slug(fields.text("slug")),
        title=fields.text("title"),
        kind=fields.text("kind"),
        aliases=fields.each("aliases", Alias.from_wire),
        head=fields.each("head", _block),
        sections=fields.each("sections", _section),
        tail=fields.each("tail", _block),
        changelog=fields.each("changelog", _entry),
        merged_into=None if merged_into is None else Slug(merged_into),
        removed=fields.flag("removed"),
    )
    fields.done()
    return result


def _block_to_wire(block: Block) -> dict[str, Any]:
    match block:
        case FactBlock():
            return {"fact": block.fact, "text": block.text}
        case ProseBlock():
            return {"block": block.block, "text": block.text, "origin": block.origin.value, "code": block.code}
        case _:
            assert_never(block)


def _block(where: str, value: object) -> Block:
    fields = Fields(where, value)
    if fields.has("fact"):
        result: Block = FactBlock(fact=FactId(fields.text("fact")), text=fields.text("text"))
    else:
        result = ProseBlock(
            block=BlockId(fields.text("block")),
            text=fields.text("text"),
            origin=fields.choice("origin", Origin),
            code=fields.text("code"),
        )
    fields.done()
    return result


def _section(where: str, value: object) -> Section:
    fields = Fields(where, value)
    result = Section(name=fields.text("name"), blocks=fields.each("blocks", _block))
    fields.done()
    return result


def _entry_to_wire(entry: ChangelogEntry) -> dict[str, Any]:
    return {
        "at": entry.at,
        "run": entry.run,
        "kind": entry.kind,
        "asserted": entry.asserted,
        "superseded": entry.superseded,
        "closed": entry.closed,
        "prose": entry.prose,
        "named": entry.named,
        "sources": [str(version) for version in entry.sources],
    }


def _entry(where: str, value: object) -> ChangelogEntry:
    fields = Fields(where, value)
    result = ChangelogEntry(
        at=fields.text("at"),
        run=RunId(fields.text("run")),
        kind=fields.text("kind"),
        asserted=fields.number("asserted"),
        superseded=fields.number("superseded"),
        closed=fields.number("closed"),
        prose=fields.number("prose"),
        named=fields.flag("named"),
        sources=tuple(Version.parse(text) for text in fields.each("sources", text_item)),
    )
    fields.done()
    return result


def spans_to_text(spans: tuple[Span, ...]) -> str:
    """Spell spans as JSON, without their words: those stand, one span a line, in the passage's text."""
    return "[" + ",".join([f'[{s.start},{s.end},"{s.enc}",{len(s.text)}]' for s in spans]) + "]"


def rows_from_wire(where: str, value: object) -> tuple[Row, ...]:
    """Read the rows of a run."""
    if not isinstance(value, list):
        raise BadWire(where, "is not a list")
    return tuple(row_item(where, item) for item in value)


def spans_from_wire(where: str, value: object, text: str) -> tuple[Span, ...]:
    """Read spans, with their words cut out of the passage's text."""
    if not isinstance(value, list):
        raise BadWire(where, "is not a list")
    spans: list[Span] = []
    place = 0
    for item in value:
        if not isinstance(item, list) or len(item) != 4 or item[2] not in set(Encoding):
            raise BadWire(where, "is not [start, end, enc, length]")
        start, end, length = (number_item(where, item[index]) for index in (0, 1, 3))
        spans.append(Span(start=start, end=end, enc=Encoding(item[2]), text=text[place : place + length]))
        place += length + 1
    if spans and place != len(text) + 1:
        raise BadWire(where, "does not cut the text it belongs to")
    return tuple(spans)
