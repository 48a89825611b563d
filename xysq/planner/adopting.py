"""Adopting: what a person's edit of a page comes to, as events. Pure; nothing here asks a model.

What was typed is kept as a log of its own, the changed blocks in their order, and everything rests on that: the line of
a fact that says another value in the value's place supersedes the fact; where it says something else, the fact is
closed and the line is the person's prose, where it stood. A deleted line closes its fact. Prose comes, changes and goes
as it was typed.
"""

from collections.abc import Callable, Sequence

from xysq.canonical import derived_id
from xysq.frozen import frozen
from xysq.ledger.board import block_id
from xysq.ledger.fold import Fold
from xysq.ledger.line import chain
from xysq.model.event import (
    Body,
    Confirmed,
    ProseChanged,
    ProseOp,
    RunKind,
    Statement,
    SupersededBy,
)
from xysq.model.fact import Evidence, Fact, FactId, Label, RunId
from xysq.model.page import BlockId, FactBlock, Origin
from xysq.model.source import Row, Version
from xysq.model.state import State
from xysq.pages.escape import plain, stands_in
from xysq.planner.deed import behind, retracted, reworded_value, saying_the_same, with_conclusions
from xysq.planner.prose import END, TOP
from xysq.planner.retyped import Added, Retyped, Reworded, Rewritten, Stays, Under
from xysq.text import fold

_APART = "\n\n"


@frozen
class TypedLog:
    """What was typed: the bytes of its log, and for each text where it lies in them."""

    data: bytes
    places: tuple[tuple[int, int], ...]


def typed_log(edit: Retyped) -> TypedLog | None:
    """Return the log of an edit: the words of each changed block, apart; None where nothing was typed."""
    places: list[tuple[int, int]] = []
    data = b""
    for step in edit.typed:
        text = plain(step.text) if isinstance(step, Reworded) else step.text
        start = len(data)
        data += text.encode("utf-8")
        places.append((start, len(data)))
        data += _APART.encode()
    return TypedLog(data=data.rstrip(b"\n") + b"\n", places=tuple(places)) if places else None


Cite = Callable[[int, int], Evidence]


@frozen
class Said:
    """Where what was typed is kept: the version that comes with the run, and how to quote from it."""

    version: Version
    log: TypedLog
    cite: Cite


@frozen
class Adoption:
    """The events of an adoption, and the line of the file behind each fact and block that it makes."""

    events: tuple[Body, ...]
    lines: dict[str, int]


def adoption(edit: Retyped, said: Said | None, run: RunId, at: str, state: State) -> Adoption:
    """Return the events of an edit."""
    adopting = _Adopting(edit, said, run, at, state)
    adopting.set_right()
    adopting.take_away()
    adopting.rewrite()
    if edit.names is not None:
        adopting.put(edit.names)
    adopting.insert()
    events = with_conclusions(adopting.bodies, RunKind.ADOPT, run, at, state.ledger, state.archive)
    return Adoption(events=events, lines=adopting.lines)


class _Adopting:
    """An adoption under way."""

    def __init__(self, edit: Retyped, said: Said | None, run: RunId, at: str, state: State) -> None:
        self._edit, self._said, self._run, self._state = edit, said, run, state
        self._at = at
        self._now: Fold = behind((), RunKind.ADOPT, run, at, state.ledger)
        self._numbers = {step.line: number for number, step in enumerate(edit.typed)}
        self._rewording = {step.fact for step in edit.typed if isinstance(step, Reworded)}
        self._became: dict[FactId, str | None] = {}
        self.bodies: list[Body] = []
        self.lines: dict[str, int] = {}

    def put(self, body: Body) -> None:
        """Add an event."""
        self.bodies.append(body)
        self._now.extend(chain(self._now.head(), self._at, self._run, (body,), ("",)))

    # Facts

    def set_right(self) -> None:
        """Let each line that was reworded supersede its fact, or close it."""
        for step in self._edit.steps:
            fact = self._now.fact(step.fact) if isinstance(step, Reworded) else None
            if isinstance(step, Reworded) and fact is not None and fact.is_open:
                self.lines[fact.id] = step.line
                self._became[fact.id] = self._reworded(step, fact)

    def _reworded(self, step: Reworded, fact: Fact) -> str | None:
        """Return which fact or prose the line is now; None where another fact says it."""
        evidence, words = self._quote(step), plain(step.text)
        value = reworded_value(fact, words)
        if value is None or not stands_in(value, words):
            twins = (one for one in saying_the_same(fact, self._now)[1:] if one.id not in self._rewording)
            block = self._insert(step, after=fact.id)  # while the line is there: so the words stand where it stood
            self._retract((fact, *twins), evidence)  # a page cannot deny what it says
            return block
        known = self._known(fact, value)
        if known is not None:
            self.put(Confirmed(fact=known.id, evidence=(evidence,)))
            self._retract((fact,), evidence)
            return None
        name = derived_id("f", self._run, str(self._numbers[step.line]), self._is_fact)
        new = Statement(
            fact=FactId(name),
            page=fact.page,
            attribute=fact.attribute,
            single=fact.single,
            section=fact.section,
            value=value,
            text=step.text,
            label=Label.STATED,
            evidence=(evidence,),
        )
        self.put(SupersededBy(statement=new, supersedes=fact.id))
        self.lines[name] = step.line
        return name

    def _known(self, fact: Fact, value: str) -> Fact | None:
        """Return another open fact that says already what this one is set right to."""
        changing = {*self._rewording, *self._edit.gone_facts}
        facts = (one for one in self._now.facts_of(fact.page) if one.is_open and one.id not in changing)
        same = (one for one in facts if one.attribute == fact.attribute and fold(one.value) == fold(value))
        return next(same, None)

    def take_away(self) -> None:
        """Close the facts whose lines were deleted."""
        for name in self._edit.gone_facts:
            fact = self._now.fact(name)
            if fact is not None and fact.is_open:
                for body in retracted(saying_the_same(fact, self._now), self._run):
                    self.put(body)

    def _retract(self, facts: Sequence[Fact], evidence: Evidence) -> None:
        for body in retracted(facts, str(evidence.cited), (evidence,)):
            self.put(body)

    # Prose

    def rewrite(self) -> None:
        """Take prose out, and put other text in its place."""
        page = self._edit.page
        shown = {block.block: block for block in page.blocks if not isinstance(block, FactBlock)}
        for name in self._edit.gone_prose:
            block = shown[name]
            self.put(self._prose(name, ProseOp.REMOVE, "", origin=block.origin, code=block.code))
        for step in self._edit.steps:
            if isinstance(step, Rewritten):
                self.lines[step.block] = step.line
                self.put(self._prose(step.block, ProseOp.REPLACE, step.text, rows=(self._row(step),)))

    def insert(self) -> None:
        """Put new text where it was typed: behind the block before it, or at the top, or behind everything."""
        places = _Places(self._now, self._edit)
        for place, step in enumerate(self._edit.steps):
            match step:
                case Stays(name=name) | Rewritten(block=name):
                    places.pass_by(name)
                case Under():
                    places.enter(self._first_below(place))
                case Reworded(fact=fact):
                    places.pass_by(self._became.get(fact) or "")
                case Added():
                    after = END if step.is_behind else places.after
                    places.put(self._insert(step, after), after)

    def _insert(self, step: Reworded | Added, after: str) -> BlockId:
        name = BlockId(derived_id("b", self._run, str(self._numbers[step.line]), self._is_block))
        self.put(self._prose(name, ProseOp.INSERT, step.text, after=after, rows=(self._row(step),)))
        self.lines[name] = step.line
        return name

    def _first_below(self, place: int) -> str:
        """Return the first block under a heading that the page still shows; "" where there is none."""
        for step in self._edit.steps[place + 1 :]:
            match step:
                case Stays(name=name) | Rewritten(block=name):
                    return name
                case Reworded(fact=fact) if self._became.get(fact):
                    return self._became[fact] or ""
                case Under():
                    return ""
                case _:
                    pass
        return ""

    def _prose(
        self,
        name: BlockId,
        op: ProseOp,
        text: str,
        *,
        after: str = "",
        rows: tuple[Row, ...] = (),
        origin: Origin = Origin.YOURS,
        code: str = "",
    ) -> ProseChanged:
        page = self._edit.page.slug
        return ProseChanged(page=page, block=name, op=op, text=text, after=after, origin=origin, code=code, rows=rows)

    # What was typed

    def _quote(self, step: Reworded) -> Evidence:
        said = self._kept()
        return said.cite(*said.log.places[self._numbers[step.line]])

    def _row(self, step: Reworded | Rewritten | Added) -> Row:
        said = self._kept()
        return Row(said.version.source, said.version.number, *said.log.places[self._numbers[step.line]])

    def _kept(self) -> Said:
        if self._said is None:
            raise ValueError("words were typed, and they are kept nowhere")
        return self._said

    def _is_fact(self, name: str) -> bool:
        return self._now.fact(FactId(name)) is not None

    def _is_block(self, name: str) -> bool:
        return self._now.block_page(name) is not None


class _Places:
    """Where the next new text goes, as the steps of an edit go by."""

    def __init__(self, now: Fold, edit: Retyped) -> None:
        page = now.page(edit.page.slug)
        self._shown = set() if page is None else set(map(block_id, page.blocks))
        self._last: dict[str, str] = {}  # the newest text behind a block
        self.after = TOP

    def pass_by(self, name: str) -> None:
        if name in self._shown:
            self.after = self._last.get(name, name)

    def enter(self, first: str) -> None:
        """Go below a heading: text there goes behind the section's first block, or stays where it is."""
        if first in self._shown:
            self.after = self._last.get(first, first)

    def put(self, name: str, after: str) -> None:
        self._shown.add(name)
        for block, last in tuple(self._last.items()):
            if last == after:
                self._last[block] = name
        self._last[after] = name
        self.after = name
