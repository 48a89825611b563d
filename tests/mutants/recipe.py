"""Recipes: small lives of a vault, written down in `fixtures/recipes/`, told again run by run.

A recipe is a list of steps. `tell` pushes turns; `draft` plans, quarantines and lands a draft over what was told
since; `run` lands what a person does (correcting, adopting, reverting, renaming, merging, forgetting). Facts are
called `page/value`. Every run that lands is a base: the run as the gates saw it, and the state it was judged in.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from tests.archive import LiteralArchive, Turn, source_named
from tests.mutants.archive import ViewedArchive
from tests.mutants.base import Base, file_of, sealed, statement_of
from tests.world import World
from xysq.ledger.fold import Fold
from xysq.model.draft import Draft, DraftQuote
from xysq.model.event import (
    Asserted,
    Body,
    Event,
    FactClosed,
    PageChanged,
    PageOp,
    ProseChanged,
    ProseOp,
    RunKind,
    SupersededBy,
    Withdrawn,
)
from xysq.model.fact import CloseReason, Evidence, Fact, FactId, Label, Slug
from xysq.model.page import Alias, BlockId, Origin, PageState
from xysq.model.plan import Plan
from xysq.model.run import Candidate
from xysq.model.schema import Attribute, Schema
from xysq.model.settings import Me
from xysq.model.source import Channel, Passage, Role, Version, VersionKind
from xysq.planner.lineage import premise_closings
from xysq.planner.lookup import remembering
from xysq.planner.plan import plan
from xysq.planner.quote import Quoting
from xysq.planner.witness import channel_of, disagreement, observed_at

FOLDER = Path(__file__).resolve().parents[2] / "fixtures" / "recipes"
ME = Me(name="Mia Voss", aliases=("Mia",))
_LONGEST_QUOTE = 400


def recipe_bases() -> Iterator[Base]:
    """Play every recipe."""
    for path in sorted(FOLDER.glob("*.json")):
        yield from Telling(path.stem).play(json.loads(path.read_bytes()))


@dataclass(slots=True)
class Telling:
    """A recipe under way."""

    name: str
    archive: ViewedArchive = field(default_factory=ViewedArchive)
    world: World = field(init=False)
    events: list[Event] = field(default_factory=list)
    turns: dict[str, list[Turn]] = field(default_factory=dict)
    slugs: dict[Slug, None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.world = World(archive=self.archive, me=ME, schema=_schema())
        self.events.extend(self.world.story.events)

    def play(self, steps: list[dict[str, Any]]) -> Iterator[Base]:
        """Yield the base of every step that is a run."""
        for number, step in enumerate(steps):
            where = f"{self.name} {number}"
            if "tell" in step:
                self._tell(step)
            elif "draft" in step:
                yield self._land(where, self._drafted(step), RunKind.DISTILL, step["at"])
                self.world.passages = ()
            else:
                kind = RunKind(step["run"])
                yield self._land(where, self._done(step), kind, step["at"])
                if kind is RunKind.ADOPT:
                    self.world.passages = ()

    # Telling

    def _tell(self, step: dict[str, Any]) -> None:
        name, kind = step["tell"], VersionKind(step.get("as", "push"))
        said = [_turn(item, is_json=step.get("json", False)) for item in step.get("turns", ())]
        pushed_at = step["pushed_at"]
        if "old" in step:
            told = self.turns[name]
            passages = self.archive.correct(name, step["old"], step["new"], pushed_at, told)
            self.turns[name] = [replace(item, text=item.text.replace(step["old"], step["new"], 1)) for item in told]
        else:
            self.archive.is_viewed = step.get("view", False)
            kept = tuple(tuple(piece) for piece in step.get("kept", ()))
            channel = Channel(step.get("channel", "cli"))
            passages = self.archive.push(name, *said, kind=kind, kept=kept, channel=channel, pushed_at=pushed_at)
            self.turns[name] = [*(self.turns[name] if kind is VersionKind.APPEND else ()), *said]
        self.world.passages = (*self.world.passages, *passages)

    # Runs

    def _drafted(self, step: dict[str, Any]) -> Plan:
        self.world.project = step.get("project", "")
        draft = Draft.parse(json.dumps(self._named(step["draft"])).encode())
        order = replace(self.world.order(at=step["at"]), draft=draft)
        planned = plan(order)
        cleared = self.world.quarantine(planned.plan)
        dropped = sorted(drop.code.value for drop in (*planned.drops, *cleared.drops))
        if dropped != sorted(step.get("drops", ())):
            raise AssertionError(f"{self.name}: drops {planned.drops + cleared.drops}")
        return cleared.plan

    def _named(self, value: Any) -> Any:  # noqa: ANN401 - JSON
        """Put ids where facts are called `@page/value`."""
        if isinstance(value, dict):
            return {key: self._named(item) for key, item in value.items()}
        if isinstance(value, list):
            return [self._named(item) for item in value]
        return self._fact(value[1:]).id if isinstance(value, str) and value.startswith("@") else value

    def _fact(self, name: str) -> Fact:
        page, _, value = name.partition("/")
        return [fact for fact in self.world.story.fold.facts_of(Slug(page)) if fact.value == value][-1]

    def _done(self, step: dict[str, Any]) -> Plan:
        bodies = [self._body(act, place) for place, act in enumerate(step["does"])]
        ledger = self.world.story.fold
        scratch = self._candidate(bodies, RunKind(step["run"]), step["at"])
        behind = Fold(ledger).extend(scratch.events)
        ended = [body.fact for body in bodies if isinstance(body, FactClosed)]
        ended += [body.supersedes for body in bodies if isinstance(body, SupersededBy)]
        bodies += premise_closings(ended, behind, self.archive)
        return self._candidate(bodies, RunKind(step["run"]), step["at"]).plan

    def _body(self, act: dict[str, Any], place: int) -> Body:
        ledger = self.world.story.fold
        name = FactId(f"f-{place:09d}{self.world.runs % 10}")
        match act:
            case {"close": fact, "as": reason}:
                cause = self._cause(act)
                return FactClosed(fact=self._fact(fact).id, reason=CloseReason(reason), cause=cause, by="user")
            case {"supersede": fact, "value": value, "text": text, "passage": number}:
                old = self._fact(fact)
                evidence = (self._quote(number),)
                stated = statement_of(
                    old, fact=name, value=value, text=text, label=Label.STATED, evidence=evidence, derived_from=()
                )
                return SupersededBy(statement=stated, supersedes=old.id)
            case {"revive": fact}:
                old = self._fact(fact)
                return Asserted(statement=statement_of(old, fact=name, revives=old.id))
            case {"move": fact, "to": page}:
                return Asserted(statement=statement_of(self._fact(fact), fact=name, page=Slug(page)))
            case {"withdraw": fact}:
                old = self._fact(fact)
                return Withdrawn(fact=old.id, brought_by=old.proofs[-1].n, cause=str(self.events[-1].run))
            case {"page": slug, "op": op}:
                page = ledger.page(Slug(slug))
                assert page is not None
                return self._page(page, PageOp(op), act)
            case {"prose": slug, "op": op}:
                block = BlockId(act.get("block") or f"b-{place:09d}{self.world.runs % 10}")
                return ProseChanged(
                    page=Slug(slug),
                    block=block,
                    op=ProseOp(op),
                    text=act.get("text", ""),
                    after=self._named(act.get("after", "")),
                    origin=Origin.YOURS,
                )
            case _:
                raise AssertionError(act)

    def _cause(self, act: dict[str, Any]) -> str:
        if "carrier" in act:
            return f"f-{act['carrier']:09d}{self.world.runs % 10}"
        if "version" in act:
            name, _, number = act["version"].rpartition("@")
            return str(Version(source_named(name), int(number)))
        own = self._candidate([], RunKind.CORRECT, "").run
        return act.get("cause") or str(own if act.get("as") == "retracted" else self.events[-1].run)

    def _page(self, page: PageState, op: PageOp, act: dict[str, Any]) -> PageChanged:
        into = act.get("into")
        target = None if into is None else self.world.story.fold.page(Slug(into))
        names = tuple(Alias(name=name) for name in act.get("names", [alias.name for alias in page.aliases]))
        title = act.get("title", page.title if target is None else target.title)
        return PageChanged(
            page=page.slug, op=op, title=title, kind=page.kind, aliases=names, into=None if into is None else Slug(into)
        )

    def _quote(self, number: int) -> Evidence:
        found = Quoting(list(self.world.passages), self.world.state, self.archive.raw).cite(DraftQuote(passage=number))
        assert isinstance(found, Evidence)
        return found

    # Bases

    def _candidate(self, bodies: list[Body], kind: RunKind, at: str) -> Candidate:
        empty = self.world.candidate(Plan(edits=(), events=()), kind=kind, at=at)
        return sealed(empty, bodies, self.world.story.fold)

    def _land(self, where: str, planned: Plan, kind: RunKind, at: str) -> Base:
        run = self._candidate(list(planned.events), kind, at)
        run = replace(run, plan=planned)
        base = snapshot(where, run, self.events, self.archive, self.world)
        self.events.extend(run.events)
        self.world.story.fold.extend(run.events)
        self.world.runs += 1
        return base


def snapshot(name: str, run: Candidate, events: list[Event], archive: LiteralArchive, world: World) -> Base:
    """Return a base that no later run or push changes."""
    fold = Fold().extend(events)
    frozen = type(archive)(metas=dict(archive.metas), logs=dict(archive.logs), read=dict(archive.read))
    if isinstance(archive, ViewedArchive) and isinstance(frozen, ViewedArchive):
        frozen.views = dict(archive.views)
    state = remembering(replace(world.state, ledger=fold, archive=frozen))
    slugs = tuple(page.slug for page in fold.every_page())
    assert all(run.before[slug] == file_of(fold, slug) for slug in run.after)
    cited = quotes_of(frozen)
    own = tuple(piece for piece in cited if disagreement(piece, frozen) is not None)
    quotes = tuple(piece for piece in cited if piece not in own)
    return Base(name=name, run=run, state=state, slugs=slugs, quotes=quotes, own=own)


def quotes_of(archive: LiteralArchive) -> tuple[Evidence, ...]:
    """Cite every short span of an archive."""
    return tuple(
        piece
        for version, passages in archive.read.items()
        for passage in passages
        for piece in _cited(version, passage, archive)
    )


def _cited(version: Version, passage: Passage, archive: LiteralArchive) -> Iterator[Evidence]:
    meta = archive.metas[version]
    for span in passage.spans:
        channel = channel_of(archive, version, (span.start, span.end), span.enc)
        if channel is not None and span.end - span.start <= _LONGEST_QUOTE:
            yield Evidence(
                source=version.source,
                version=version.number,
                start=span.start,
                end=span.end,
                enc=span.enc,
                quote=span.text,
                passage=passage.number,
                speaker=passage.speaker,
                role=passage.role,
                channel=channel,
                at=observed_at(passage, meta),
            )


def _turn(item: dict[str, Any], *, is_json: bool) -> Turn:
    role = Role(item.get("role", "person"))
    return Turn(
        text=item["text"],
        speaker=item.get("speaker", ""),
        role=role,
        at=item.get("at"),
        native=item.get("native", ""),
        own=item.get("own", False),
        after_recall=item.get("after_recall", False),
        json=is_json,
    )


def _schema() -> Schema:
    return Schema(attributes=(*Schema().attributes, Attribute(name="motto", single=True, section="C# & <b>")))
