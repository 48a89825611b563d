"""Drafts: what a drafter answered, as values. A draft proves nothing; the planner and the gates judge it.

The spelling is documented for people in FORMAT.md ("The draft"). Names of passages and sentences are numbers
from 1: passages as the request numbers them, sentences as `xysq.sentence` cuts a passage. What may be left out may
also be null, which is how models leave things out.
"""

from typing import Self

from xysq.canonical import parse_json
from xysq.errors import BadDraft, BadJson, BadWire
from xysq.frozen import frozen
from xysq.model.fact import Label
from xysq.model.wire import Fields, number_item, text_item

MAX_DRAFT_BYTES = 4 * 1024 * 1024
MAX_DRAFT_DEPTH = 8


@frozen
class DraftQuote:
    """Points at a sentence of a passage, or types the words; neither: the whole passage."""

    passage: int
    sentence: int | None = None
    text: str | None = None

    @classmethod
    def from_wire(cls, where: str, value: object) -> Self:
        """Read the spelling."""
        fields = Fields(where, value)
        result = cls(
            passage=fields.number("passage", least=1),
            sentence=fields.optional("sentence", _ordinal),
            text=fields.optional_text("text"),
        )
        fields.done()
        return result


@frozen
class DraftFact:
    """One proposed fact. `ref` is how edits and `derived_from` of the same draft name it."""

    ref: str
    subject: str
    attribute: str
    value: str
    text: str
    label: Label
    quotes: tuple[DraftQuote, ...]
    kind: str = ""
    replaces: str | None = None
    derived_from: tuple[str, ...] = ()

    @classmethod
    def from_wire(cls, where: str, value: object) -> Self:
        """Read the spelling."""
        fields = Fields(where, value)
        result = cls(
            ref=fields.text("ref"),
            subject=fields.text("subject"),
            attribute=fields.text("attribute"),
            value=fields.text("value"),
            text=fields.text("text"),
            label=fields.choice("label", Label),
            quotes=fields.each("quotes", DraftQuote.from_wire),
            kind=fields.optional_text("kind") or "",
            replaces=fields.optional_text("replaces"),
            derived_from=fields.each_if_there("derived_from", text_item) or (),
        )
        fields.done()
        return result


@frozen
class DraftClose:
    """Proposes that an open fact ended, with the words that say so."""

    fact: str
    quotes: tuple[DraftQuote, ...]

    @classmethod
    def from_wire(cls, where: str, value: object) -> Self:
        """Read the spelling."""
        fields = Fields(where, value)
        result = cls(fact=fields.text("fact"), quotes=fields.each("quotes", DraftQuote.from_wire))
        fields.done()
        return result


@frozen
class DraftEdit:
    """Proposes a block: prose, or (with one claim) the block of a fact. `op` is `insert`."""

    page: str
    op: str
    after: str
    text: str
    claims: tuple[str, ...]

    @classmethod
    def from_wire(cls, where: str, value: object) -> Self:
        """Read the spelling."""
        fields = Fields(where, value)
        result = cls(
            page=fields.text("page"),
            op=fields.text("op"),
            after=fields.optional_text("after") or "end",
            text=fields.text("text"),
            claims=fields.each_if_there("claims", text_item) or (),
        )
        fields.done()
        return result


@frozen
class Draft:
    """A whole answer. `edits` is None where the drafter left them out: each fact then gets a block of its own."""

    facts: tuple[DraftFact, ...]
    closes: tuple[DraftClose, ...] = ()
    edits: tuple[DraftEdit, ...] | None = None

    @classmethod
    def parse(cls, data: bytes) -> Self:
        """Read a drafter's answer; anything that is no draft raises `BadDraft`."""
        try:
            value = parse_json(data, max_bytes=MAX_DRAFT_BYTES, max_depth=MAX_DRAFT_DEPTH)
            fields = Fields("draft", value)
            result = cls(
                facts=fields.each_if_there("facts", DraftFact.from_wire) or (),
                closes=fields.each_if_there("closes", DraftClose.from_wire) or (),
                edits=fields.each_if_there("edits", DraftEdit.from_wire),
            )
            fields.done()
        except (BadJson, BadWire) as error:
            raise BadDraft(f"the answer is no draft: {error}") from None
        return result


def _ordinal(where: str, value: object) -> int:
    number = number_item(where, value)
    if number < 1:
        raise BadWire(where, "is not counted from 1")
    return number


def fact_to_wire(fact: DraftFact) -> dict[str, object]:
    """Spell a drafted fact (for drafters written in Python)."""
    wire: dict[str, object] = {
        "ref": fact.ref,
        "subject": fact.subject,
        "attribute": fact.attribute,
        "value": fact.value,
        "text": fact.text,
        "label": fact.label.value,
        "quotes": [quote_to_wire(quote) for quote in fact.quotes],
    }
    if fact.kind:
        wire["kind"] = fact.kind
    if fact.replaces is not None:
        wire["replaces"] = fact.replaces
    if fact.derived_from:
        wire["derived_from"] = list(fact.derived_from)
    return wire


def quote_to_wire(quote: DraftQuote) -> dict[str, object]:
    """Spell a drafted quote."""
    wire: dict[str, object] = {"passage": quote.passage}
    if quote.sentence is not None:
        wire["sentence"] = quote.sentence
    if quote.text is not None:
        wire["text"] = quote.text
    return wire


def close_to_wire(close: DraftClose) -> dict[str, object]:
    """Spell a drafted close."""
    return {"fact": close.fact, "quotes": [quote_to_wire(quote) for quote in close.quotes]}
