"""Hypothesis strategies for values of the model, and for whole lawful stories."""

import string
from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from hypothesis import strategies as st

from tests.builders import Story, StoryPage, evidence
from xysq.canonical import CROCKFORD
from xysq.ledger.board import block_id
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
from xysq.model.fact import CloseReason, Evidence, Fact, FactId, Label, RunId, Slug
from xysq.model.page import Alias, BlockId, FactBlock, Origin, PageState, ProseBlock
from xysq.model.source import Channel, Encoding, Role, Row, SourceId

T = TypeVar("T")
texts = st.text(max_size=20)  # any character but surrogates
numbers = st.integers(min_value=0, max_value=10**6)
slugs = st.text(string.ascii_lowercase, min_size=2, max_size=6).map(Slug)
times = st.datetimes().map(lambda moment: f"{moment.replace(microsecond=0).isoformat()}Z")
hexes = st.text("0123456789abcdef", min_size=64, max_size=64)


def _ids(prefix: str, length: int) -> st.SearchStrategy[str]:
    return st.text(CROCKFORD, min_size=length, max_size=length).map(lambda letters: f"{prefix}-{letters}")


fact_ids = _ids("f", 10).map(FactId)
block_ids = _ids("b", 10).map(BlockId)
run_ids = _ids("r-20261130T180400Z", 4).map(RunId)
source_ids = _ids("20261130", 6).map(SourceId)
rows = st.builds(
    lambda source, version, start, size: Row(source, version, start, start + size),
    source_ids,
    st.integers(min_value=1, max_value=99),
    numbers,
    numbers,
)
evidences = st.builds(
    Evidence,
    source=source_ids,
    version=st.integers(min_value=1, max_value=99),
    start=numbers,
    end=numbers,
    enc=st.sampled_from(Encoding),
    quote=texts,
    passage=numbers,
    speaker=texts,
    role=st.sampled_from(Role),
    channel=st.sampled_from(Channel),
    at=st.none() | times,
)


def _some(items: st.SearchStrategy[T]) -> st.SearchStrategy[tuple[T, ...]]:
    return st.lists(items, max_size=3).map(tuple)


aliases = st.builds(Alias, name=texts, evidence=_some(evidences))
statements = st.builds(
    Statement,
    fact=fact_ids,
    page=slugs,
    attribute=texts,
    single=st.booleans(),
    section=texts,
    value=texts,
    text=texts,
    label=st.sampled_from(Label),
    evidence=_some(evidences),
    derived_from=_some(fact_ids),
    revives=st.none() | fact_ids,
    before=st.none() | fact_ids,
)
runs_begun = st.builds(
    RunBegun,
    run=run_ids,
    kind=st.sampled_from([kind for kind in RunKind if kind not in (RunKind.INIT, RunKind.REVERT)]),
    rows=_some(rows),
    drafter=texts,
    render=numbers,
    events=numbers,
    record=hexes,
)
reverts_begun = st.builds(
    lambda begun, target: replace(begun, kind=RunKind.REVERT, reverts=target), runs_begun, run_ids | source_ids
)
inits_begun = st.builds(
    RunBegun,
    run=run_ids,
    kind=st.just(RunKind.INIT),
    rows=st.just(()),
    drafter=texts,
    render=numbers,
    events=numbers,
    record=st.just(""),
    format=st.integers(min_value=1, max_value=9),
    vault=texts,
)
BODIES: dict[str, st.SearchStrategy[Body]] = {
    "run": runs_begun | reverts_begun | inits_begun,
    "page": st.builds(
        PageChanged,
        page=slugs,
        op=st.sampled_from(PageOp),
        title=texts,
        kind=texts,
        aliases=_some(aliases),
        into=st.none() | slugs,
    ),
    "assert": st.builds(Asserted, statement=statements),
    "supersede": st.builds(SupersededBy, statement=statements, supersedes=fact_ids),
    "late": st.builds(LearnedLate, statement=statements, superseded_by=fact_ids),
    "close": st.builds(
        FactClosed,
        fact=fact_ids,
        reason=st.sampled_from(CloseReason),
        cause=texts,
        by=texts,
        evidence=_some(evidences),
    ),
    "confirm": st.builds(Confirmed, fact=fact_ids, evidence=_some(evidences)),
    "withdraw": st.builds(Withdrawn, fact=fact_ids, brought_by=st.integers(min_value=1), cause=texts),
    "forget": st.builds(
        Forgotten,
        events=_some(numbers),
        files=_some(st.builds(RewrittenFile, path=texts, old_sha256=hexes, new_sha256=hexes)),
        digests=_some(hexes),
    ),
    "prose": st.builds(
        ProseChanged,
        page=slugs,
        block=block_ids,
        op=st.sampled_from(ProseOp),
        text=texts,
        after=texts,
        origin=st.sampled_from(Origin),
        code=texts,
        quotes=_some(evidences),
        rows=_some(rows),
    ),
}
bodies = st.one_of(*BODIES.values())

# Lawful histories: a list of moves, each three small numbers, is played; a move that is not lawful now is passed over.

Move = tuple[int, int, int]
moves = st.lists(st.tuples(st.integers(0, 99), st.integers(0, 99), st.integers(0, 99)), max_size=30)
_PAGES = ("alice", "bob", "carol", "acme")
_SECTIONS = ("", "Rules", "Setup")


def _pick(items: Sequence[T], number: int) -> T | None:
    return items[number % len(items)] if items else None


def _living(story: Story) -> list[Slug]:
    pages = story.fold.every_page()
    return [page.slug for page in pages if page.merged_into is None and not page.removed]


def _open(story: Story) -> list[Fact]:
    return [fact for fact in story.fold.every_fact() if fact.is_open]


def _play(story: Story, move: Move) -> None:
    act, first, second = move
    name, quote = f"f-{len(story.events):010d}", evidence(f"words {second % 7}", version=1 + second % 3)
    slug, old = _pick(_living(story), first), _pick(_open(story), first)
    page = None if slug is None else StoryPage(story, slug)
    owner = None if old is None else StoryPage(story, old.page)
    match act % 12:
        case 0 | 1:
            story.page(_PAGES[first % 4])
        case 2 | 3 if page is not None:
            section = _SECTIONS[second % 3]
            page.assert_(name, f"value {second % 5}", attribute=f"a{first % 3}", section=section, evidence=(quote,))
        case 4 if page is not None:
            section = _SECTIONS[second % 3]
            other = _pick(_places_before(page.state, section), first)
            page.assert_(name, f"value {second % 5}", section=section, evidence=(quote,), before=other)
        case 5 if old is not None and owner is not None:
            owner.supersede(name, old.id, f"value {second % 5}", evidence=(quote,), derived_from=(old.id,))
        case 6 if old is not None and owner is not None:
            owner.late(name, old.id, evidence=(quote,))
        case 7 if old is not None and owner is not None:
            owner.close(old.id, tuple(CloseReason)[second % 6])
        case 8 if old is not None and owner is not None:
            owner.confirm(old.id, quote)
            if second % 2:
                owner.withdraw(old.id, story.events[-1].n)
        case 9 if page is not None:
            anchors = ["top", "end", *map(block_id, page.state.blocks)]
            page.prose(f"b-{len(story.events):010d}", after=anchors[second % len(anchors)])
        case 10 if page is not None:
            prose = [block.block for block in page.state.blocks if isinstance(block, ProseBlock)]
            if block := _pick(prose, second):
                (page.remove_prose(block) if first % 2 else page.replace_prose(block, f"Other {second}."))
        case 11 if page is not None:
            _rename_or_end(page, second)
        case _:
            pass


def _places_before(page: PageState, section: str) -> list[FactId]:
    """Return the facts a block of a section may be put in front of."""
    known = {"": page.head} | {one.name: one.blocks for one in page.sections}
    of_others = (block for name, blocks in known.items() for block in blocks if name)
    blocks = known.get(section, of_others)
    return [block.fact for block in blocks if isinstance(block, FactBlock)]


def _rename_or_end(page: StoryPage, number: int) -> None:
    others = [slug for slug in _living(page.story) if slug != page.slug]
    shows_facts = any(not isinstance(block, ProseBlock) for block in page.state.blocks)
    if number % 3 or shows_facts:
        page.rename(f"Title {number % 4}", f"name {number % 5}")
    elif others:
        page.merge_into(others[number % len(others)])
    else:
        page.remove()


def history(played: Sequence[Move], sizes: Sequence[int] = ()) -> Story:
    """Play the moves, then tell what happened again in runs of these sizes; what is left is one run an event."""
    scratch = Story()
    for move in played:
        _play(scratch, move)
    told = [event for event in scratch.events if not isinstance(event.body, RunBegun)]
    story, places = Story(), dict[int, int]()
    for size in [*sizes, *([1] * len(told))]:
        part, told = told[:size], told[size:]
        places |= {event.n: place for place, event in enumerate(part, start=story.fold.head().n + 2)}
        if part:
            story.commit(*(_moved(event.body, places) for event in part if event.body is not None))
    return story


def _moved(body: Body, places: dict[int, int]) -> Body:
    return replace(body, brought_by=places[body.brought_by]) if isinstance(body, Withdrawn) else body


histories = st.builds(history, moves, st.lists(st.integers(1, 6), max_size=6))
