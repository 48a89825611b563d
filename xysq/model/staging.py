"""Staged runs: what `run.json` in the write-ahead log says of a run that is not part of the vault yet.

It holds what the gates judge and what a replay needs: the base, the record, the plan as declared edits and event
bodies, and one salt for each line the plan becomes, the run event's first. `gone` are the files the run removes;
those it leaves lie beside it, whole. Nothing in it is believed: who applies a run judges it again.
"""

import re
from typing import Any, Self

from xysq.errors import BadWire
from xysq.frozen import frozen
from xysq.model.body import body_from_wire, body_to_wire, kind_of
from xysq.model.event import Body, Head
from xysq.model.fact import RunId, Slug
from xysq.model.plan import Plan, edit_from_wire, edit_to_wire
from xysq.model.run import Record
from xysq.model.wire import Fields, text_item

_SALT = re.compile(r"[0-9a-z]{1,64}")
_HASH = re.compile(r"[0-9a-f]{64}")


@frozen
class StagedRun:
    """A run in full, before it is decided; `pages` are the pages whose files it changes.

    `by_hand`: it waits for a person to apply it; one that does not was left by a process that ended in between.
    `again`: it reads rows once more that other runs cover. `adopts`: the page whose file, as the draft has it, the run
    takes the place of.
    """

    base: Head
    record: Record
    plan: Plan
    salts: tuple[str, ...]
    pages: tuple[Slug, ...]
    gone: tuple[str, ...] = ()
    by_hand: bool = False
    again: bool = False
    adopts: Slug | None = None

    @property
    def run(self) -> RunId:
        """The run this is."""
        return self.record.run

    def to_wire(self) -> dict[str, Any]:
        """Spell it as in run.json; `again` and `adopts` only where they are."""
        wire = {
            "base": {"n": self.base.n, "hash": self.base.hash},
            "record": self.record.to_wire(),
            "edits": [edit_to_wire(edit) for edit in self.plan.edits],
            "events": [{"kind": kind_of(body), "body": body_to_wire(body)} for body in self.plan.events],
            "salts": list(self.salts),
            "pages": list(self.pages),
            "gone": list(self.gone),
            "by_hand": self.by_hand,
        }
        wire |= {"again": True} if self.again else {}
        return wire if self.adopts is None else wire | {"adopts": self.adopts}

    @classmethod
    def from_wire(cls, where: str, value: object) -> Self:
        """Read the spelling of run.json."""
        fields = Fields(where, value)
        result = cls(
            base=_head(f"{where}.base", fields.value("base")),
            record=Record.from_wire(f"{where}.record", fields.value("record")),
            plan=Plan(edits=fields.each("edits", edit_from_wire), events=fields.each("events", _event)),
            salts=fields.each("salts", _salt),
            pages=tuple(Slug(name) for name in fields.each("pages", text_item)),
            gone=fields.each("gone", text_item),
            by_hand=fields.flag("by_hand"),
            again=fields.flag("again") if fields.has("again") else False,
            adopts=Slug(fields.text("adopts")) if fields.has("adopts") else None,
        )
        fields.done()
        if len(result.salts) != len(result.plan.events) + 1:
            raise BadWire(f"{where}.salts", "are not one for the run and one for each event")
        return result


def _head(where: str, value: object) -> Head:
    fields = Fields(where, value)
    head = Head(n=fields.number("n"), hash=fields.text("hash"))
    fields.done()
    if not _HASH.fullmatch(head.hash):
        raise BadWire(f"{where}.hash", "is no hash")
    return head


def _event(where: str, value: object) -> Body:
    fields = Fields(where, value)
    kind, body = fields.text("kind"), fields.value("body")
    fields.done()
    return body_from_wire(kind, where, body)


def _salt(where: str, value: object) -> str:
    if not isinstance(value, str) or not _SALT.fullmatch(value):
        raise BadWire(where, "is no salt")
    return value
