"""Runs: one pass of the write path, as it is staged, judged, recorded and decided.

`Record` is the file `runs/….json`: what was drafted, dropped and decided, kept for ever. `Candidate` is a run as
the gates see it. `Decision` is the content of `DECIDED`: from the moment it is durable the run is part of the
vault, whatever happens.
"""

from collections.abc import Mapping
from typing import Any, Self

from xysq.frozen import frozen
from xysq.model.event import Event, Head, RunKind
from xysq.model.fact import RunId, Slug
from xysq.model.plan import Drop, Plan, row_item
from xysq.model.source import Row
from xysq.model.wire import Fields, text_item
from xysq.text import differing

_SIDE = 2_000  # characters that are kept on each side of a difference


@frozen
class Refusal:
    """One reason a run may not land: the gate, the place, and what was expected and found there."""

    gate: str
    page: str
    anchor: str
    sentence: str
    expected: str = ""
    found: str = ""

    def to_wire(self) -> dict[str, Any]:
        """Spell it for `--json`, records and prompts."""
        return {
            "code": self.gate,
            "page": self.page,
            "anchor": self.anchor,
            "sentence": self.sentence,
            "expected": self.expected,
            "found": self.found,
        }

    @classmethod
    def from_wire(cls, where: str, value: object) -> Self:
        """Read the spelling."""
        fields = Fields(where, value)
        result = cls(
            gate=fields.text("code"),
            page=fields.text("page"),
            anchor=fields.text("anchor"),
            sentence=fields.text("sentence"),
            expected=fields.text("expected"),
            found=fields.text("found"),
        )
        fields.done()
        return result


def refusal(gate: str, page: str, anchor: str, sentence: str, expected: str = "", found: str = "") -> Refusal:
    """Return a refusal with both texts whole, or cut around their difference where they are very long."""
    one, other = differing(expected, found, _SIDE)
    return Refusal(gate=gate, page=page, anchor=anchor, sentence=sentence, expected=one, found=other)


@frozen
class Drafting:
    """How a draft came to be: by which drafter and model, from which prompt, at what cost.

    A model answers in a shape of its own, in several calls perhaps: `answers` are its words as they came, and `drops`
    what the drafter itself did not make a draft of.
    """

    drafter: str
    model: str = ""
    parameters: Mapping[str, Any] | None = None
    prompt_sha256: str = ""
    tokens_in: int = 0
    tokens_out: int = 0
    milliseconds: int = 0
    answers: tuple[str, ...] = ()
    drops: tuple[Drop, ...] = ()

    def to_wire(self) -> dict[str, Any]:
        """Spell it; answers and drops only where there are any."""
        wire: dict[str, Any] = {
            "drafter": self.drafter,
            "model": self.model,
            "parameters": dict(self.parameters or {}),
            "prompt_sha256": self.prompt_sha256,
            "tokens_in": self.tokens_in,
            "tokens_out": self.tokens_out,
            "milliseconds": self.milliseconds,
        }
        if self.answers:
            wire["answers"] = list(self.answers)
        if self.drops:
            wire["drops"] = [drop.to_wire() for drop in self.drops]
        return wire

    @classmethod
    def from_wire(cls, where: str, value: object) -> Self:
        """Read the spelling."""
        fields = Fields(where, value)
        result = cls(
            drafter=fields.text("drafter"),
            model=fields.text("model"),
            parameters=fields.value("parameters"),
            prompt_sha256=fields.text("prompt_sha256"),
            tokens_in=fields.number("tokens_in"),
            tokens_out=fields.number("tokens_out"),
            milliseconds=fields.number("milliseconds"),
            answers=fields.each_if_there("answers", text_item) or (),
            drops=fields.each_if_there("drops", Drop.from_wire) or (),
        )
        fields.done()
        return result


@frozen
class Record:
    """The file `runs/….json` of one run: the reply as it came, what was dropped, earlier refusals.

    `reverts` is the run or source that a revert takes back.
    """

    run: RunId
    kind: RunKind
    at: str
    rows: tuple[Row, ...]
    drafting: Drafting
    reply: str
    drops: tuple[Drop, ...]
    refusals: tuple[Refusal, ...] = ()
    reverts: str = ""

    def to_wire(self) -> dict[str, Any]:
        """Spell it."""
        reverts = {"reverts": self.reverts} if self.kind is RunKind.REVERT else {}
        return reverts | {
            "run": self.run,
            "kind": self.kind.value,
            "at": self.at,
            "rows": [str(row) for row in self.rows],
            "drafting": self.drafting.to_wire(),
            "reply": self.reply,
            "drops": [drop.to_wire() for drop in self.drops],
            "refusals": [refusal.to_wire() for refusal in self.refusals],
        }

    @classmethod
    def from_wire(cls, where: str, value: object) -> Self:
        """Read the spelling."""
        fields = Fields(where, value)
        kind = fields.choice("kind", RunKind)
        result = cls(
            run=RunId(fields.text("run")),
            kind=kind,
            at=fields.text("at"),
            rows=fields.each("rows", row_item),
            drafting=Drafting.from_wire(f"{where}.drafting", fields.value("drafting")),
            reply=fields.text("reply"),
            drops=fields.each("drops", Drop.from_wire),
            refusals=fields.each("refusals", Refusal.from_wire),
            reverts=fields.text("reverts") if kind is RunKind.REVERT else "",
        )
        fields.done()
        return result


@frozen
class Candidate:
    """A run as the gates see it: the plan, and every byte it would leave.

    `before` and `after` are whole page files by slug (b"" where there is none); `after` has every page the run
    touches. `events` are the chained lines the plan becomes, the run event first.
    """

    run: RunId
    kind: RunKind
    at: str
    base: Head
    rows: tuple[Row, ...]
    drafter: str
    plan: Plan
    events: tuple[Event, ...]
    before: Mapping[Slug, bytes]
    after: Mapping[Slug, bytes]


@frozen
class FileChange:
    """One file a run leaves: path in the vault, digests before ("" where it was new) and after ("" where it goes)."""

    path: str
    before: str
    after: str

    def to_wire(self) -> dict[str, str]:
        """Spell it."""
        return {"path": self.path, "before": self.before, "after": self.after}

    @classmethod
    def from_wire(cls, where: str, value: object) -> Self:
        """Read the spelling."""
        fields = Fields(where, value)
        result = cls(path=fields.text("path"), before=fields.text("before"), after=fields.text("after"))
        fields.done()
        return result


@frozen
class Decision:
    """The content of `DECIDED`: on which parent, as which commit, changing which files."""

    run: RunId
    parent: str
    commit: str
    files: tuple[FileChange, ...]
    locks_taken: tuple[str, ...] = ()

    def to_wire(self) -> dict[str, Any]:
        """Spell it."""
        return {
            "run": self.run,
            "parent": self.parent,
            "commit": self.commit,
            "files": [file.to_wire() for file in self.files],
            "locks_taken": list(self.locks_taken),
        }

    @classmethod
    def from_wire(cls, where: str, value: object) -> Self:
        """Read the spelling."""
        fields = Fields(where, value)
        result = cls(
            run=RunId(fields.text("run")),
            parent=fields.text("parent"),
            commit=fields.text("commit"),
            files=fields.each("files", FileChange.from_wire),
            locks_taken=fields.each("locks_taken", text_item),
        )
        fields.done()
        return result
