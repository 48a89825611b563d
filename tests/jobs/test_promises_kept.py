"""Each promise tried on a real vault: by crashes at single steps, damage, other processes."""

import os
import random
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from tests.builders import evidence, statement
from xysq.drafters import choose
from xysq.errors import Damaged
from xysq.jobs.distill import DistillOrder, distill
from xysq.jobs.fsck import fsck
from xysq.jobs.hold import hold
from xysq.jobs.opened import Opened
from xysq.jobs.push import PushOrder, push
from xysq.jobs.readable import present_model, readable
from xysq.jobs.show import raw
from xysq.ledger.line import chain, to_line
from xysq.model.event import Asserted, PageChanged, PageOp, RunBegun, RunKind
from xysq.model.fact import FactId, RunId, Slug
from xysq.search.find import find
from xysq.store import layout, segments
from xysq.store.files import Files
from xysq.store.git import Repository
from xysq.store.readmodel import FactFilter, ReadModel
from xysq.store.step import Op, Step

TALK = b"Maya: I live in Berlin.\n\nTom: I moved to Lisbon.\n\nMaya: I like tea.\n\n"
NEWS = b"Maya: I like Rome.\n\nTom: I like jazz.\n\nMaya: Me too.\n\n"
RULES = DistillOrder(drafter=choose("rules", {}))
ROOT = Path(__file__).resolve().parents[2]


class Cut(BaseException):
    """The process ends here."""


class Watch:
    """Remembers the steps; ends the process before step `at`."""

    def __init__(self, at: int = -1) -> None:
        self.at = at
        self.steps: list[Step] = []

    def __call__(self, step: Step) -> None:
        if len(self.steps) == self.at:
            raise Cut
        self.steps.append(step)


def watched(opened: Opened, watch: Callable[[Step], None]) -> Opened:
    return replace(opened, files=Files(opened.root, watch), repository=Repository(opened.root, watch=watch))


def keep(opened: Opened, data: bytes, name: str = "talk.txt") -> str:
    return str(push(opened, PushOrder(data=data, filename=name, origin=f"/home/maya/{name}")).version)


def open_texts(opened: Opened) -> frozenset[str]:
    with readable(opened).reading() as snapshot:
        return frozenset(fact.text for fact in snapshot.lists.facts(FactFilter(is_open=True)))


def faults(opened: Opened) -> list[tuple[str, str]]:
    return [(finding.file, finding.code) for finding in fsck(opened) if not finding.note]


def test_what_was_pushed_comes_back_for_every_version(opened: Opened) -> None:  # P1
    chance = random.Random(1)
    kept: dict[str, bytes] = {}
    data = b""
    for step in range(8):
        data = data + chance.randbytes(200) if step % 3 else chance.randbytes(300)
        kept[keep(opened, data, "odd.bin")] = data
    assert len(kept) == 8
    for version, bytes_then in kept.items():
        assert raw(opened, version) == bytes_then


def test_a_push_answers_when_bytes_and_names_are_synced(opened: Opened) -> None:  # P2
    watch = Watch()
    keep(watched(opened, watch), TALK)
    unsynced: set[str] = set()
    unnamed: set[str] = set()
    for step in watch.steps:
        match step.op:
            case Op.WRITE:
                unsynced.add(step.path)
            case Op.SYNC:
                unsynced.discard(step.path)
            case Op.RENAME | Op.LINK:
                assert step.path not in unsynced
                unnamed.add(step.to.rpartition("/")[0])
            case Op.MKDIR:
                unnamed.add(step.path.rpartition("/")[0])
            case Op.SYNC_DIR:
                unnamed.discard(step.path)
            case _:
                pass
    assert len(watch.steps) > 10
    assert not unsynced
    assert not unnamed


def steps_of_a_run(opened: Opened) -> int:
    watch = Watch()
    keep(opened, NEWS, "count.txt")
    list(distill(watched(opened, watch), RULES))
    return len(watch.steps)


def test_a_run_cut_at_any_step_is_wholly_there_or_wholly_absent(opened: Opened) -> None:  # P3
    keep(opened, TALK)
    list(distill(opened, RULES))
    total = steps_of_a_run(opened)
    assert total > 40
    outcomes = set()
    for at in range(3, total, 7):
        fresh = NEWS.replace(b"Rome", f"City{at}".encode()).replace(b"jazz", f"band {at}".encode())
        keep(opened, fresh, f"news{at}.txt")
        before = open_texts(opened)
        watch = Watch(at)
        with suppress(Cut):
            list(distill(watched(opened, watch), RULES))
        if len(watch.steps) < at:
            break  # runs of a vault that has its folders already take fewer steps than the first
        after = open_texts(opened)
        outcomes.add(after == before)
        assert after in (before, before | after)
        assert (f"Maya likes City{at}." in after) == (after != before)
        assert not faults(opened)
        list(distill(opened, RULES))
        assert f"Maya likes City{at}." in open_texts(opened)
    assert outcomes == {True, False}


def test_recovery_cut_short_ends_in_the_same_commit(opened: Opened) -> None:  # P3
    keep(opened, TALK)
    list(distill(opened, RULES))
    total = steps_of_a_run(opened)
    keep(opened, NEWS.replace(b"Rome", b"Oslo").replace(b"jazz", b"soul"), "more.txt")
    readable(opened)
    with pytest.raises(Cut):
        list(distill(watched(opened, Watch(total // 2)), RULES))
    for at in range(0, 40, 6):
        with pytest.raises(Cut), hold(watched(opened, Watch(at))):
            raise Cut
    with hold(opened):
        pass
    tip = opened.repository.tip()
    with hold(opened):
        assert opened.repository.tip() == tip
    assert not faults(opened)


def test_a_page_changed_in_the_history_by_hand_is_found(opened: Opened) -> None:  # P4
    keep(opened, TALK)
    list(distill(opened, RULES))
    page = opened.root / "pages/ma/maya.md"
    page.write_bytes(page.read_bytes().replace(b"Berlin", b"Bonn"))
    assert [finding.code for finding in fsck(opened) if finding.note] == ["unsaved"]
    commit_by_hand(opened.root, "pages/ma/maya.md")
    assert ("pages/ma/maya.md", "page") in faults(opened)


def commit_by_hand(root: Path, path: str) -> None:
    who = ["-c", "user.name=M", "-c", "user.email=m@example.org"]
    subprocess.run(["git", "-C", str(root), *who, "commit", "-q", "-m", "by hand", "--", path], check=True)


def lay_down(opened: Opened, *bodies: Asserted | PageChanged) -> None:
    """Write a run into the ledger behind everybody's back, and commit it."""
    end = segments.tail(opened.files)
    run = RunId("r-20261130T190000Z-aaaa")
    begun = RunBegun(run=run, kind=RunKind.DISTILL, rows=(), drafter="", render=1, events=len(bodies), record="")
    events = chain(end.head, "2026-11-30T19:00:00Z", run, (begun, *bodies), ["s"] * (len(bodies) + 1))
    number, data = segments.next_segment(end, b"".join(map(to_line, events)))
    path = layout.segment_path(number)
    opened.files.replace(path, data)
    prepared = opened.repository.prepare(opened.tip(), {path: data}, "by hand\n", "2026-11-30T19:00:00Z")
    opened.repository.write_objects(prepared)
    opened.repository.move_ref(prepared.commit, opened.tip(), "by hand")


def page(slug: str) -> PageChanged:
    return PageChanged(page=Slug(slug), op=PageOp.CREATE, title=slug, kind="", aliases=())


def test_a_claim_without_a_standing_quote_is_found(opened: Opened) -> None:  # P5
    version = keep(opened, TALK)
    readable(opened)
    source = version.partition("@")[0]
    quote = evidence(source=source, start=6, end=22, quote="I live in Bremen")
    fact = statement(fact=FactId("f-aaaaaaaaaa"), page=Slug("maya"), value="Bremen", evidence=(quote,))
    lay_down(opened, page("maya"), Asserted(statement=fact))
    assert ("pages/ma/maya.md", "quote") in faults(opened)


def test_a_second_open_value_is_found(opened: Opened) -> None:  # P8
    one = statement(fact=FactId("f-aaaaaaaaaa"), page=Slug("maya"), attribute="location", single=True)
    other = statement(fact=FactId("f-bbbbbbbbbb"), page=Slug("maya"), attribute="location", single=True)
    lay_down(opened, page("maya"), Asserted(statement=one), Asserted(statement=other))
    assert ("pages/ma/maya.md", "one-value") in faults(opened)


def test_a_reader_sees_the_state_before_or_after_at_every_step(opened: Opened) -> None:  # P9
    keep(opened, TALK)
    list(distill(opened, RULES))
    before = open_texts(opened)
    keep(opened, NEWS, "news.txt")
    seen: set[frozenset[str]] = set()

    def look(_: Step) -> None:
        model = present_model(opened)
        if isinstance(model, ReadModel):
            with model.reading() as snapshot:
                seen.add(frozenset(fact.text for fact in snapshot.lists.facts(FactFilter(is_open=True))))
            model.close()

    list(distill(watched(opened, look), RULES))
    after = open_texts(opened)
    assert before != after
    assert seen <= {before, after}
    assert before in seen


def test_processes_that_push_and_distil_at_once_lose_nothing(opened: Opened, tmp_path: Path) -> None:  # P10
    script = (
        "import sys; from xysq import Vault\n"
        "v = Vault.open(sys.argv[1], timeout_s=60)\n"
        "for n in range(4):\n"
        "    words = f'Tom: I like dish {sys.argv[2]}{n}.\\n\\nMaya: Good to hear that.\\n\\n'\n"
        "    v.push_text(words, 'a.txt', format='turns')\n"
        "v.distill('rules')\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    children = [
        subprocess.Popen([sys.executable, "-c", script, str(opened.root), letter], env=environment) for letter in "ab"
    ]
    assert [child.wait(timeout=120) for child in children] == [0, 0]
    list(distill(opened, RULES))
    values = {text for text in open_texts(opened) if "dish" in text}
    assert len(values) == 8
    assert not faults(opened)


@pytest.mark.parametrize("kept", ["logs", "ledger", "runs"])
def test_a_damaged_byte_is_reported_with_its_file(opened: Opened, kept: str) -> None:  # P12
    keep(opened, TALK)
    list(distill(opened, RULES))
    assert not faults(opened)
    chance = random.Random(3)
    for path in sorted((opened.root / kept).rglob("*")):
        if not path.is_file():
            continue
        good = path.read_bytes()
        for at in {0, len(good) - 1, *(chance.randrange(len(good)) for _ in range(4))}:
            path.write_bytes(good[:at] + bytes([good[at] ^ 1]) + good[at + 1 :])
            name = path.relative_to(opened.root).as_posix()
            assert name in {file for file, _ in faults(opened)}, (name, at)
        path.write_bytes(good)
    assert not faults(opened)


def test_bytes_that_are_not_as_pushed_are_not_given_out(opened: Opened) -> None:  # P1, P12
    version = keep(opened, TALK)
    readable(opened)
    (log,) = (opened.root / "logs").rglob("v1.txt")
    log.write_bytes(TALK.replace(b"Berlin", b"Bremen"))
    with pytest.raises(Damaged, match=r"v1\.txt"):
        raw(opened, version)


def test_a_word_behind_a_colour_is_found(opened: Opened) -> None:
    keep(opened, b"the colour is \x1b[31mViolet\x1b[0m here\n\n", "tool.txt")
    with readable(opened).reading() as snapshot:
        assert len(find(snapshot.index, "violet")) == 1
