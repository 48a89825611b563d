"""Compare: what changed between two states of a page, worked out from their bytes alone.

The second way. `xysq.pages.edit` makes a page from its edits; this module takes the page before, the page after and
the same edits, and finds every changed region no edit accounts for and every edit that was not done. It shares no
code with parsing, editing or rendering. The changelog is left to its own gate; headings come and go with the blocks
under them. Names (title, aliases, sections) are compared by what they say, blocks by every byte. Where bytes cannot
tell (prose at the end of a page from prose of its last section) either reading passes here; the gate that renders
the fold decides.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from xysq.frozen import frozen
from xysq.model.event import PageOp, ProseOp
from xysq.model.plan import Edit, FrontEdit, InsertFact, ProseEdit, RemoveFact, ReplaceFact
from xysq.pages.units import BODY, Unit, UnitKind, folded, named, units, words_of

_MERGED = re.compile(rb"Merged into \[\[([^|\]\n]+)(?:\|([^\]\n]+))?\]\]\.\n")


@frozen
class Difference:
    """One change that no edit declares, or one edit that was not done."""

    anchor: str
    sentence: str
    expected: str = ""
    found: str = ""


@frozen(kw_only=False)
class _Place:
    """Where an edit puts a block: for another one, under a section, behind a block; `rank` counts the edits.

    Under a section it may be in front of a fact, `ahead`.
    """

    way: str
    where: str
    rank: int
    ahead: str = ""


def differences(before: bytes, after: bytes, edits: Sequence[Edit]) -> tuple[Difference, ...]:
    """Return everything between two states of one page that its edits, in their order, do not account for."""
    declared = _Declared(frozenset(unit.anchor for unit in units(before) if unit.anchor))
    for edit in edits:
        declared.add(edit)
    return (*declared.faults, *_Comparison(before, after, declared).all())


@dataclass(slots=True)
class _Declared:
    """What the edits of a page add up to; bodies of blocks as the bytes they may have."""

    base: frozenset[str]
    gone: set[str] = field(default_factory=set)
    new: dict[str, tuple[bytes, ...]] = field(default_factory=dict)
    changed: dict[str, tuple[bytes, ...]] = field(default_factory=dict)
    places: dict[str, _Place] = field(default_factory=dict)
    became: dict[str, str] = field(default_factory=dict)
    sections: set[str] = field(default_factory=set)
    front: FrontEdit | None = None
    faults: list[Difference] = field(default_factory=list)
    rank: int = 0

    def add(self, edit: Edit) -> None:
        self.rank += 1
        match edit:
            case InsertFact():
                self.sections.add(folded(edit.section))
                place = _Place("under", edit.section, self.rank, "" if edit.before is None else edit.before)
                self._put(edit.fact, _item(edit.text, edit.fact), place)
            case ReplaceFact():
                place = self.places.get(edit.old, _Place("for", edit.old, self.rank))
                self._take(edit.old)
                self.became[edit.old] = edit.fact
                self._put(edit.fact, _item(edit.text, edit.fact), place)
            case RemoveFact():
                self._take(edit.fact)
            case ProseEdit(op=ProseOp.INSERT):
                self._put(edit.block, _prose(edit.text, edit.block), _Place("behind", edit.after, self.rank))
            case ProseEdit(op=ProseOp.REPLACE):
                self._change(edit)
            case ProseEdit():
                self._take(edit.block)
            case FrontEdit():
                if self.front is not None and self.front.op in (PageOp.MERGE, PageOp.REMOVE):
                    self.faults.append(Difference(anchor="", sentence="an edit is about a page that has ended"))
                self.front = edit

    def now(self, anchor: str) -> str:
        """Follow a fact that was replaced to the one that stands there now."""
        seen: set[str] = set()
        while anchor in self.became and anchor not in seen:
            seen.add(anchor)
            anchor = self.became[anchor]
        return anchor

    def is_new(self, unit: Unit) -> bool:
        """Tell whether a unit was declared and stands for no older one."""
        return unit.anchor != "" and unit.anchor in self.new and self.places[unit.anchor].way != "for"

    def _change(self, edit: ProseEdit) -> None:
        if edit.block in self.new:
            self.new[edit.block] = _prose(edit.text, edit.block)
        elif edit.block in self.base and edit.block not in self.gone:
            self.changed[edit.block] = _prose(edit.text, edit.block)
        else:
            self._unknown(edit.block)

    def _put(self, anchor: str, bodies: tuple[bytes, ...], place: _Place) -> None:
        if anchor in self.new or anchor in self.base:
            self.faults.append(Difference(anchor=anchor, sentence="an edit inserts a block that was there already"))
        self.new[anchor] = bodies
        self.places[anchor] = place

    def _take(self, anchor: str) -> None:
        if self.new.pop(anchor, None) is not None:
            del self.places[anchor]
        elif anchor in self.base and anchor not in self.gone:
            self.gone.add(anchor)
            self.changed.pop(anchor, None)
        else:
            self._unknown(anchor)

    def _unknown(self, anchor: str) -> None:
        self.faults.append(Difference(anchor=anchor, sentence="an edit is about a block the page does not have"))


class _Comparison:
    """Two states of a page, and what was declared between them."""

    def __init__(self, before: bytes, after: bytes, declared: _Declared) -> None:
        self._bytes = after
        self._before, self._after = units(before), units(after)
        self._declared = declared
        self._old = {unit.anchor: unit for unit in self._before if unit.anchor}
        self._new = {unit.anchor: unit for unit in self._after if unit.anchor}
        self._body = [unit for unit in self._after if unit.kind in BODY]
        left = {anchor for anchor in declared.gone if declared.now(anchor) not in self._new}
        self._thinned = {unit.heading for unit in self._before if unit.anchor in left}
        self._lasting = {unit.heading for unit in _without_tail(self._before) if self._lasts(unit)}

    def all(self) -> Iterator[Difference]:
        front = self._declared.front
        if front is not None and front.op in (PageOp.MERGE, PageOp.REMOVE):
            yield from self._ended(front)
            return
        yield from self._blocks()
        yield from self._loose()
        yield from self._order()
        yield from self._places()
        yield from self._ranks()
        yield from self._headings()
        yield from self._names()
        yield from self._gaps()

    def _lasts(self, unit: Unit) -> bool:
        """Tell whether a block stays on the page, itself or in what took its place."""
        if unit.kind is UnitKind.HEADING or unit.kind not in BODY:
            return False
        is_gone = unit.anchor in self._declared.gone and self._declared.now(unit.anchor) not in self._new
        return not unit.anchor or not is_gone

    def _ended(self, front: FrontEdit) -> Iterator[Difference]:
        """Nothing may go with a page that ends but what edits removed."""
        for unit in self._before:
            if unit.kind in BODY - {UnitKind.HEADING} and unit.anchor not in self._declared.gone:
                yield _difference(unit.anchor, "goes with its page, and no edit removes it", unit.body, b"")
        for anchor, bodies in self._declared.new.items():
            yield _difference(anchor, "is inserted into a page that ends", bodies[0], b"")
        if front.op is PageOp.REMOVE:
            if self._bytes:
                yield _difference("", "the page is removed, but its file stays", b"", self._bytes)
            return
        match = _MERGED.fullmatch(self._bytes)
        into = str(front.into)
        shown = (match[1].decode("utf-8", "replace"), words_of(match[2] or match[1])) if match else ("", "")
        if shown not in ((into, folded(front.title)), (into, into)):
            wanted = f"Merged into [[{into}|{front.title}]]."
            yield _difference("", "is not the line of a merged page", wanted.encode("utf-8", "replace"), self._bytes)

    def _blocks(self) -> Iterator[Difference]:
        declared = self._declared
        for anchor, count in Counter(unit.anchor for unit in self._after if unit.anchor).items():
            if count > 1:
                yield Difference(anchor=anchor, sentence=f"stands on the page {count} times")
        for anchor, unit in self._old.items():
            found = self._new.get(anchor)
            allowed = declared.changed.get(anchor, (unit.body,))
            if anchor in declared.gone:
                if found is not None and anchor not in declared.new:
                    yield _difference(anchor, "is still there, though an edit removes it", b"", found.body)
            elif found is None:
                yield _difference(anchor, "is gone, and no edit says so", unit.body, b"")
            elif found.body not in allowed:
                yield _difference(anchor, "is neither what it was nor what an edit makes of it", allowed[0], found.body)
        for anchor, unit in self._new.items():
            if anchor not in declared.new and anchor not in self._old:
                yield _difference(anchor, "appears, and no edit says so", b"", unit.body)
        for anchor, bodies in declared.new.items():
            found = self._new.get(anchor)
            if found is None:
                yield _difference(anchor, "is declared and not there", bodies[0], b"")
            elif found.body not in bodies:
                yield _difference(anchor, "is not what its edit declares", bodies[0], found.body)

    def _loose(self) -> Iterator[Difference]:
        old, new = (Counter(u.body for u in side if u.kind is UnitKind.LOOSE) for side in (self._before, self._after))
        for body in new - old:
            yield _difference("", "lines without an anchor appear", b"", body)
        for body in old - new:
            yield _difference("", "lines without an anchor are gone", body, b"")

    def _counterpart(self, unit: Unit) -> str:
        """Return the anchor that stood in a unit's place before; "" where none did."""
        if unit.anchor not in self._declared.new:
            return unit.anchor if unit.anchor in self._old else ""
        place = self._declared.places[unit.anchor]
        return place.where if place.way == "for" else ""

    def _order(self) -> Iterator[Difference]:
        numbers = {anchor: number for number, anchor in enumerate(self._old)}
        last = -1
        for unit in self._body:
            number = numbers.get(self._counterpart(unit), -1)
            if 0 <= number < last:
                yield Difference(anchor=unit.anchor, sentence="moved, and no edit moves a block")
            last = max(last, number)

    def _places(self) -> Iterator[Difference]:
        """Each new block stands where its edit says, but for what was inserted since."""
        only_new = True
        settled = self._settled()
        for place, unit in enumerate(self._body):
            if not self._declared.is_new(unit):
                only_new = False
                continue
            wanted = self._declared.places[unit.anchor]
            if wanted.way == "under":
                is_there = folded(wanted.where) == words_of(unit.heading[3:])
                if wanted.ahead:
                    stands = is_there and self._precedes(place, self._declared.now(wanted.ahead))
                else:
                    stands = is_there and settled[place] and self._follows_a_fact(place)
            elif wanted.where in ("top", "end"):
                stands = only_new if wanted.where == "top" else settled[place]
            else:
                stands = self._follows(place, self._declared.now(wanted.where))
            if not stands:
                sentence = f"does not stand {wanted.way} {wanted.where!r}, as its edit says"
                yield Difference(anchor=unit.anchor, sentence=sentence)

    def _settled(self) -> list[bool]:
        """Tell of each unit whether what follows it may: no older fact of its section, or new prose only."""
        result: list[bool] = []
        facts_fit = prose_fits = True
        for unit in reversed(self._body):
            is_new = self._declared.is_new(unit)
            facts_fit = facts_fit or unit.kind is UnitKind.HEADING
            result.append(facts_fit if unit.kind is UnitKind.FACT else prose_fits)
            facts_fit = facts_fit and (is_new or unit.kind is not UnitKind.FACT)
            prose_fits = prose_fits and is_new and unit.kind is UnitKind.PROSE
        return result[::-1]

    def _ranks(self) -> Iterator[Difference]:
        """Blocks for one place stand in the order of their edits; behind a block, the latest stands first."""
        last: dict[tuple[str, str], int] = {}
        for unit in filter(self._declared.is_new, self._body):
            place = self._declared.places[unit.anchor]
            where = folded(place.where) if place.way == "under" else self._declared.now(place.where)
            where = f"{where} {self._declared.now(place.ahead)}" if place.ahead else where
            rank = place.rank if place.way == "under" or where == "end" else -place.rank
            if rank < last.get((place.way, where), rank):
                yield Difference(anchor=unit.anchor, sentence="does not stand in the order of the edits")
            last[place.way, where] = rank

    def _follows_a_fact(self, place: int) -> bool:
        """Tell whether only new prose stands between a new fact and the fact before it, if its section has one.

        Where a fact of the section went since, older prose may have stood behind that one.
        """
        if self._body[place].heading in self._thinned:
            return True
        is_old_between = False
        for at in range(place - 1, -1, -1):
            unit = self._body[at]
            if unit.kind is UnitKind.HEADING:
                return True
            if unit.kind is UnitKind.FACT:
                return not is_old_between
            is_old_between = is_old_between or not self._declared.is_new(unit)
        return True

    def _precedes(self, place: int, anchor: str) -> bool:
        """Tell whether only new blocks stand between a block and the fact behind it that bears the anchor.

        Where the block's section is new, or was emptied before, the next one that is not has to be that fact's.
        """
        if anchor not in self._new:
            return True
        may_cross = self._body[place].heading not in self._lasting
        crossed: list[bytes] = []
        for unit in self._body[place + 1 :]:
            if unit.anchor == anchor:
                return unit.kind is UnitKind.FACT and self._lasting.isdisjoint(crossed[:-1])
            if unit.kind is UnitKind.HEADING and may_cross:
                crossed.append(unit.heading)
            elif not self._declared.is_new(unit) and not (crossed and crossed[-1] in self._lasting):
                return False
        return False

    def _follows(self, place: int, anchor: str) -> bool:
        """Tell whether only new blocks stand between a block and the one before it that bears the anchor."""
        if anchor not in self._new:
            return True
        for at in range(place - 1, -1, -1):
            if self._body[at].anchor == anchor:
                return True
            if not self._declared.is_new(self._body[at]):
                return False
        return False

    def _headings(self) -> Iterator[Difference]:
        needed: set[bytes] = set()
        for unit, follows in zip(self._body, [*self._body[1:], None], strict=False):
            if unit.kind is UnitKind.HEADING and (follows is None or follows.kind is UnitKind.HEADING):
                yield _difference("", "a heading stands over nothing", b"", unit.body)
            elif unit.kind is UnitKind.HEADING and follows is not None and self._declared.is_new(follows):
                needed.add(unit.body)
        old, new = (Counter(u.body for u in side if u.kind is UnitKind.HEADING) for side in (self._before, self._after))
        emptied = {unit.heading for unit in self._before if unit.anchor in self._declared.gone}
        for body in new - old:
            if body not in needed or words_of(body[3:]) not in self._declared.sections:
                yield _difference("", "a heading appears, and no edit needs it", b"", body)
        for body in old - new:
            if body not in emptied:
                yield _difference("", "a heading is gone, and no edit empties it", body, b"")
        for unit in self._body:
            was = self._old.get(self._counterpart(unit))
            if unit.kind is UnitKind.FACT and was is not None and was.heading != unit.heading:
                yield _difference(unit.anchor, "stands under another heading than before", was.heading, unit.heading)

    def _names(self) -> Iterator[Difference]:
        front = self._declared.front
        sides = (self._before, self._after)
        old, new = (b"\n".join(u.body for u in s if u.kind in (UnitKind.FRONT, UnitKind.TITLE)) for s in sides)
        if front is None:
            if old != new or not old:
                yield _difference("", "title or front matter changed, and no edit says so", old, new)
            return
        wanted = (front.title, front.kind, front.aliases, folded(front.title))
        if named(self._after) != wanted:
            expected = repr(wanted).encode("utf-8", "replace")
            yield _difference("", "title or front matter are not what the edit declares", expected, new)

    def _gaps(self) -> Iterator[Difference]:
        pieces: list[bytes] = []
        was: UnitKind | None = None
        for unit in self._after:
            if was is not None:
                pieces.append(b"\n" if was is unit.kind is UnitKind.FACT else b"\n\n")
            pieces.append(unit.body)
            was = unit.kind
        if self._bytes != b"".join(pieces) + b"\n":
            yield Difference(anchor="", sentence="something else than a line end or a blank line is between two blocks")


def _without_tail(before: Sequence[Unit]) -> Sequence[Unit]:
    """Return the units of a page without the prose at its end, of which bytes cannot tell whether a section has it."""
    end = len(before)
    while end and before[end - 1].kind in (UnitKind.PROSE, UnitKind.CHANGELOG):
        end -= 1
    return before[:end]


def _item(text: str, anchor: str) -> tuple[bytes, ...]:
    return (f"- {text} ^{anchor}".encode("utf-8", "surrogatepass"),)


def _prose(text: str, anchor: str) -> tuple[bytes, ...]:
    return tuple(f"{text}{gap}^{anchor}".encode("utf-8", "surrogatepass") for gap in " \n")


def _difference(anchor: str, sentence: str, expected: bytes, found: bytes) -> Difference:
    texts = expected.decode("utf-8", "replace"), found.decode("utf-8", "replace")
    return Difference(anchor=anchor, sentence=sentence, expected=texts[0], found=texts[1])
