"""Any edit of a page's file: what is adopted passes every gate and loses no word; what is not is told with a line."""

import re
from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.archive import user
from tests.world import World
from xysq.gates import judge
from xysq.jobs.typed_front import front_of
from xysq.model.draft import DraftQuote
from xysq.model.event import RunKind
from xysq.model.fact import Evidence, RunId, Slug
from xysq.model.plan import Plan
from xysq.model.source import Channel
from xysq.pages.declare import edit_of
from xysq.pages.escape import plain
from xysq.pages.front import Front
from xysq.pages.render import render
from xysq.pages.typed import TypedFault, TypedPage, read_typed
from xysq.planner.adopting import Adoption, Said, TypedLog, adoption, typed_log
from xysq.planner.quote import Quoting
from xysq.planner.retyped import Retyped, Reworded, base_of, compare

TOM = Slug("tom")
RUN = RunId("r-20261130T181000Z-0000")
NOW = "2026-11-30T18:10:00Z"
SAID = "2026-11-01T00:00:00Z"


def world_of() -> World:
    """Return a world with a page of two sections, facts that say the same, and prose in every place."""
    world = World()
    world.tell(user("Tom lives in Lisbon, likes jazz, maps and tea, and never deploys.", at=SAID))
    (quote,) = (quoted(world, 1),)
    tom = world.story.page("tom", "Tom")
    with world.story.run():
        for number, (value, section, text) in enumerate(
            (
                ("Lisbon", "", "Tom lives in Lisbon."),
                ("jazz", "Likes", "Tom likes jazz."),
                ("maps", "Likes", "Tom likes maps."),
                ("Maps", "Likes", "Tom likes maps."),
                ("never", "Rules", "Tom never deploys."),
            )
        ):
            single = {"attribute": "location", "single": True} if number == 0 else {"attribute": f"a{number}"}
            tom.assert_(f"f-000000000{number}", value, section=section, text=text, evidence=(quote,), **single)
        tom.prose("b-0000000000", "He is kind.", "f-0000000001")
        tom.prose("b-0000000001", "He is loud.")
    return world


def quoted(world: World, number: int) -> Evidence:
    found = Quoting(world.passages, world.state, world.archive.raw).cite(DraftQuote(passage=number))
    assert isinstance(found, Evidence)
    return found


def retyped(world: World, data: bytes) -> Retyped | tuple[TypedFault, ...]:
    page = world.story.fold.page(TOM)
    assert page is not None
    typed = read_typed(data)
    if not isinstance(typed, TypedPage):
        return typed
    front = front_of(typed)
    if isinstance(front, TypedFault):
        return (front,)
    assert front is None or isinstance(front, Front)
    return compare(typed, front, base_of(render(page)), page, world.state, yes=True)


def adopted(world: World, edit: Retyped) -> Adoption:
    """Keep what was typed as a log, one turn a text, and return the events."""
    log = typed_log(edit)
    if log is None:
        return adoption(edit, None, RUN, NOW, world.state)
    texts = [plain(step.text) if isinstance(step, Reworded) else step.text for step in edit.typed]
    world.tell(*(user(text, at=NOW) for text in texts), source="page", channel=Channel.ADOPT, pushed_at=NOW)
    (row,) = world.rows
    places = tuple((row.start + number, row.end) for number in range(len(texts)))
    kept = TypedLog(data=log.data, places=places)
    said = Said(version=quoted(world, 1).cited, log=kept, cite=lambda start, _: quoted(world, start - row.start + 1))
    return adoption(edit, said, RUN, NOW, world.state)


def after(world: World, edit: Retyped) -> str:
    """Return the page behind an adoption, which every gate lets pass."""
    made = adopted(world, edit)
    edits = [found for body in made.events if (found := edit_of(body, lambda _: TOM)) is not None]
    run = world.candidate(Plan(edits=tuple(edits), events=made.events), kind=RunKind.ADOPT)
    assert judge(run, world.state) == ()
    return run.after.get(TOM, page_of(world)).decode()


def page_of(world: World) -> bytes:
    page = world.story.fold.page(TOM)
    assert page is not None
    return render(page)


NEW = (
    "New {}.",
    "- New {}.",
    "  - New {}.",
    "New {}.\nand more",
    "```\nNew {}.\n\n# x\n```",
    "| New {}. |\n|---|",
    "# New {}.",
)
edits = st.lists(
    st.tuples(st.sampled_from(("delete", "insert", "reword", "swap", "say")), st.integers(6, 24), st.integers(0, 6)),
    min_size=1,
    max_size=6,
)


def edited(lines: list[str], acts: Sequence[tuple[str, int, int]]) -> list[str]:
    """Return the new words of an edit, which is done to the lines."""
    new: list[str] = []
    for number, (act, at, kind) in enumerate(acts):
        place = min(at, len(lines) - 1)
        match act:
            case "delete":
                gone = lines.pop(place)
                new = [word for word in new if word not in gone]
            case "insert":
                lines[place:place] = [*([""] if kind % 2 else []), *NEW[kind].format(number).split("\n"), ""]
                new.append(f"New {number}.")
            case "reword" if "Tom li" in lines[place] or "Tom never" in lines[place]:
                lines[place] = re.sub(r"(\w+)\. ", rf"value{number}. ", lines[place])
                new.append(f"value{number}.")
            case "say" if "^" in lines[place] and lines[place].startswith("- "):
                lines[place] = re.sub(r"- .* ", f"- Something else {number}. ", lines[place])
                new.append(f"Something else {number}.")
            case "swap" if place + 1 < len(lines):
                lines[place], lines[place + 1] = lines[place + 1], lines[place]
            case _:
                pass
    return [word for word in new if any(word in line for line in lines)]


@settings(max_examples=60)
@given(edits)
def test_what_is_adopted_passes_every_gate_and_keeps_every_word(acts: Sequence[tuple[str, int, int]]) -> None:
    world = world_of()
    lines = page_of(world).decode().split("\n")
    new = edited(lines, acts)
    found = retyped(world, "\n".join(lines).encode())
    if not isinstance(found, Retyped):
        assert all(fault.line > 0 and fault.code and fault.sentence for fault in found)
        return
    page = after(world, found)
    assert [word for word in new if word not in page] == []


@given(st.binary(max_size=60), st.integers(0, 500))
def test_any_bytes_in_a_file_are_an_edit_or_told(data: bytes, at: int) -> None:
    world = world_of()
    page = page_of(world)
    found = retyped(world, page[:at] + data + page[at:])
    assert isinstance(found, Retyped) or found
