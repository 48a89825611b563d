"""The second way of looking at a change: it sees what no edit declares, and what was declared and not done."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.pages.pagelife import SLUG, PageLife
from tests.pages.test_render import BILLING_FILE
from xysq.model.event import PageOp, ProseOp
from xysq.model.fact import FactId, Slug
from xysq.model.page import BlockId
from xysq.model.plan import Edit, FrontEdit, InsertFact, ProseEdit, RemoveFact, ReplaceFact
from xysq.pages.changelog import compose_changelog
from xysq.pages.compare import differences
from xysq.pages.edit import rebuild, tail_of
from xysq.pages.render import render

A, B, C = FactId("f-7k2m9qx4aa"), FactId("f-2mm3k1d0bc"), FactId("f-2mm3k1d0bd")
TAIL = BlockId("b-k3mq8zt1pv")
NEW, PROSE = FactId("f-0000000001"), BlockId("b-0000000001")


def rebuilt(*edits: Edit) -> bytes:
    return rebuild(BILLING_FILE, edits, ("- 2026-11-30 18:05Z r-20261130T180500Z-ab12: page changed",), {TAIL})


@settings(max_examples=40)
@given(seed=st.integers(0, 2**32))
def test_what_was_rebuilt_from_edits_is_accounted_for(seed: int) -> None:
    life = PageLife(random.Random(seed))
    for _ in range(5):
        base = life.page()
        before = b"" if base is None else render(base)
        edits = life.run(6)
        page = life.page()
        assert page is not None
        after = rebuild(before, edits, compose_changelog(page.changelog), tail_of(base))
        assert differences(before, after, edits) == ()


@settings(max_examples=40)
@given(seed=st.integers(0, 2**32), luck=st.randoms(use_true_random=False))
def test_any_other_byte_of_a_block_is_a_difference(seed: int, luck: random.Random) -> None:
    life = PageLife(random.Random(seed))
    life.run(8)
    base = life.page()
    edits = life.run(4)
    page = life.page()
    assert base is not None
    assert page is not None
    before, after = render(base), render(page)
    body_end = after.rindex(b"\n\n## Changelog\n")
    title_end = after.index(b"\n", after.index(b"\n# ") + 1)
    place = luck.randrange(min(title_end + 1, body_end), body_end + 1)
    mutated = luck.choice(
        (
            after[:place] + bytes([luck.randrange(32, 127)]) + after[place:],
            after[:place] + b"\n" + after[place:],
            after[:place] + after[place + 1 :],
            after[:place] + bytes([after[place] ^ 1]) + after[place + 1 :],
        )
    )
    line = after[after.rindex(b"\n", 0, place) + 1 if b"\n" in after[:place] else 0 :]
    if mutated != after and not line.startswith(b"## "):  # of names, what they say is compared, not their spelling
        assert differences(before, mutated, edits) != ()


@settings(max_examples=30)
@given(seed=st.integers(0, 2**32))
def test_an_edit_left_out_or_not_done_is_a_difference(seed: int) -> None:
    life = PageLife(random.Random(seed))
    life.run(8)
    base = life.page()
    edits = list(life.run(4))
    page = life.page()
    assert base is not None
    assert page is not None
    before, after = render(base), render(page)
    if before.rpartition(b"## Changelog")[0] == after.rpartition(b"## Changelog")[0]:
        return  # the edits undid each other
    assert differences(before, after, ()) != ()
    assert differences(before, before, edits) != ()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"title: Billing service", b"title: Billing services"),
        (b"title: Billing service", b"title:  Billing service"),
        (b"kind: service\n", b""),
        (b"kind: service\n", b"kind: service\nkind: service\n"),
        (b"kind: service\n", b"kind: service\ntags: [x]\n"),
        (b"[billing, billing-svc]", b"[billing,  billing-svc]"),
        (b"[billing, billing-svc]", b"[billing]"),
        (b"[billing, billing-svc]", b"[billing, billing-svc, x]"),
        (b"[billing, billing-svc]", b'[billing, "billing\\u002dsvc"]'),
        (b"# Billing service", b"# Billing"),
    ],
)
def test_names_say_what_they_said_or_what_the_edit_says(old: bytes, new: bytes) -> None:
    same = FrontEdit(
        page=SLUG, op=PageOp.META, title="Billing service", kind="service", aliases=("billing", "billing-svc")
    )
    assert differences(BILLING_FILE, BILLING_FILE, (same,)) == ()
    changed = BILLING_FILE.replace(old, new)
    assert changed != BILLING_FILE
    assert differences(BILLING_FILE, changed, ()) != ()
    assert differences(BILLING_FILE, changed, (same,)) != ()


def test_a_swapped_pair_of_lines_is_a_move() -> None:
    lines = BILLING_FILE.split(b"\n")
    at = next(place for place, line in enumerate(lines) if line.endswith(B.encode()))
    lines[at], lines[at + 1] = lines[at + 1], lines[at]
    assert "moved" in differences(BILLING_FILE, b"\n".join(lines), ())[0].sentence


@pytest.mark.parametrize(
    ("edit", "old", "new"),
    [
        (InsertFact(page=SLUG, fact=NEW, section="Rules", text="New."), b"- New. ^f-0000000001\n", b""),
        (InsertFact(page=SLUG, fact=NEW, section="Rules", text="New."), b"- New.", b"- Newer."),
        (InsertFact(page=SLUG, fact=NEW, section="Setup", text="New."), b"## Setup", b"## Set up"),
        (RemoveFact(page=SLUG, fact=A), b"# Billing service\n", b"# Billing service\n\n- Gone. ^f-7k2m9qx4aa\n"),
        (ReplaceFact(page=SLUG, fact=NEW, old=B, text="New."), b"f-0000000001", b"f-2mm3k1d0bc"),
        (
            ProseEdit(page=SLUG, op=ProseOp.INSERT, block=PROSE, text="Words.", after="top"),
            b"Words. ^b-0000000001\n\n",
            b"",
        ),
        (ProseEdit(page=SLUG, op=ProseOp.REPLACE, block=TAIL, text="Other.", after=""), b"Other.", b"Others."),
        (
            FrontEdit(page=SLUG, op=PageOp.META, title="Billing", kind="", aliases=("a: b",)),
            b'["a: b"]',
            b'["a: c"]',
        ),
        (FrontEdit(page=SLUG, op=PageOp.META, title="Billing", kind="", aliases=()), b"# Billing\n", b"# Billings\n"),
    ],
)
def test_an_edit_is_done_exactly(edit: Edit, old: bytes, new: bytes) -> None:
    after = rebuilt(edit)
    assert differences(BILLING_FILE, after, (edit,)) == ()
    assert old in after
    assert differences(BILLING_FILE, after.replace(old, new), (edit,)) != ()


def test_a_new_fact_stands_behind_the_last_of_its_section() -> None:
    edit = InsertFact(page=SLUG, fact=NEW, section="Rules", text="New.")
    line = b"- New. ^f-0000000001\n"
    after = rebuilt(edit)
    first = after.replace(line, b"").replace(b"- Migrations", line + b"- Migrations")
    assert [found.anchor for found in differences(BILLING_FILE, first, (edit,))] == [NEW]
    behind_tail = after.replace(line, b"").replace(b"\n## Changelog", b"\n" + line + b"\n## Changelog")
    assert [found.anchor for found in differences(BILLING_FILE, behind_tail, (edit,))] == [NEW]


def test_new_prose_stands_behind_its_block() -> None:
    edit = ProseEdit(page=SLUG, op=ProseOp.INSERT, block=PROSE, text="Words.", after=A)
    after = rebuilt(edit)
    assert differences(BILLING_FILE, after, (edit,)) == ()
    words = b"Words. ^b-0000000001\n\n"
    moved = after.replace(words, b"").replace(b"- The billing", words + b"- The billing")
    assert [found.anchor for found in differences(BILLING_FILE, moved, (edit,))] == [PROSE]


def test_what_is_lost_or_appears_is_named_with_its_words() -> None:
    lost = BILLING_FILE.replace(b"- Nobody deploys on Friday. ^f-2mm3k1d0bd\n", b"")
    found = differences(BILLING_FILE, lost, ())
    assert [(one.anchor, one.expected) for one in found] == [(C, "- Nobody deploys on Friday. ^f-2mm3k1d0bd")]
    grown = BILLING_FILE.replace(b"\n## Changelog", b"\nWords nobody declared.\n\n## Changelog")
    assert [one.found for one in differences(BILLING_FILE, grown, ())] == ["Words nobody declared."]
    heading = BILLING_FILE.replace(b"\n## Changelog", b"\n## More\n\n## Changelog")
    assert {one.found for one in differences(BILLING_FILE, heading, ())} == {"## More"}


def test_a_page_ends_only_when_nothing_is_left_on_it() -> None:
    end = FrontEdit(page=SLUG, op=PageOp.MERGE, title="Payments", kind="", aliases=(), into=Slug("payments"))
    emptied: tuple[Edit, ...] = (
        *(RemoveFact(page=SLUG, fact=fact) for fact in (A, B, C)),
        ProseEdit(page=SLUG, op=ProseOp.REMOVE, block=TAIL, text="", after=""),
        end,
    )
    after = rebuilt(*emptied)
    assert after == b"Merged into [[payments|Payments]].\n"
    assert differences(BILLING_FILE, after, emptied) == ()
    assert [one.anchor for one in differences(BILLING_FILE, after, (*emptied[:3], end))] == [TAIL]
    assert differences(BILLING_FILE, b"Merged into [[other|Payments]].\n", emptied) != ()
    gone = FrontEdit(page=SLUG, op=PageOp.REMOVE, title="", kind="", aliases=())
    assert differences(BILLING_FILE, b"", (*emptied[:4], gone)) == ()
    assert differences(BILLING_FILE, BILLING_FILE, (*emptied[:4], gone)) != ()


def test_hostile_edits_are_differences_and_never_errors() -> None:
    edits: tuple[Edit, ...] = (
        RemoveFact(page=SLUG, fact=FactId("f-nowhere")),
        ReplaceFact(page=SLUG, fact=A, old=B, text="\ud800"),
        ReplaceFact(page=SLUG, fact=B, old=A, text="x"),
        InsertFact(page=SLUG, fact=A, section="\ud800", text=""),
        ProseEdit(page=SLUG, op=ProseOp.REPLACE, block=BlockId(""), text="", after=""),
        ProseEdit(page=SLUG, op=ProseOp.INSERT, block=BlockId(""), text="", after=""),
        FrontEdit(page=SLUG, op=PageOp.CREATE, title="\ud800", kind="", aliases=()),
    )
    assert differences(BILLING_FILE, BILLING_FILE, edits) != ()
    assert differences(b"\xff\n\n", b"---\n---\n", edits) != ()
