"""CommonMark sees in a page what the page's grammar says, or the difference is named."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.pages.pagelife import PageLife
from tests.pages.test_render import BILLING_FILE
from xysq.model.page import Origin, ProseBlock
from xysq.pages.outline import outline
from xysq.pages.render import render


@settings(max_examples=30)
@given(seed=st.integers(0, 2**32))
def test_every_rendered_page_has_its_outline(seed: int) -> None:
    life = PageLife(random.Random(seed))
    for _ in range(3):
        life.run(8)
    page = life.page()
    assert page is not None
    typed = {block.block for block in page.blocks if isinstance(block, ProseBlock) and block.origin is Origin.YOURS}
    assert outline(render(page), typed) == ()


def test_a_merged_page_has_its_outline() -> None:
    assert outline(b"Merged into [[a-b|A *b*]].\n") != ()
    assert outline(b"Merged into [[a-b|A \\*b\\*]].\n") == ()


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        (b"Migrations run", b"<b>Migrations</b> run", 13),
        (b"Migrations run", b"*Migrations* run", 13),
        (b"Migrations run", b"![x](http://e.org/x) run", 13),
        (b"Migrations run", b"[x](http://e.org/x) run", 13),
        (b"Migrations run", b"<http://e.org/> run", 13),
        (b"Migrations run", b"`Migrations` run", 13),
        (b"Migrations run", b"- Migrations run", 13),
        (b"Migrations run", b"# Migrations run", 13),
        (b"Migrations run", b"&lt; run", 13),
        (b"It was split", b"> It was split", 16),
        (b"It was split", b"<!-- It was split", 16),
        (b"It was split", b"```\nIt was split", 16),
        (b"It was split", b"It was\nsplit", 16),
        (b"It was split", b"    It was split", 16),
        (b"It was split", b"  It was split", 16),
        (b" ^b-k3mq8zt1pv", b"", 16),
        (b"## Rules", b"## Rules *x*", 11),
        (b"# Billing service", b"# Billing *service*", 7),
        (b"- Nobody deploys", b"* Nobody deploys", 14),
    ],
)
def test_structure_that_the_grammar_does_not_have_is_named_with_its_line(old: bytes, new: bytes, line: int) -> None:
    assert outline(BILLING_FILE) == ()
    data = BILLING_FILE.replace(old, new, 1)
    assert data != BILLING_FILE
    assert line in {fault.line for fault in outline(data)}


def test_a_typed_block_may_not_reach_past_its_lines() -> None:
    typed = b"<div>\nIt was split from the monolith.\n</div>\n^b-k3mq8zt1pv"
    fine = BILLING_FILE.replace(b"It was split from the monolith. ^b-k3mq8zt1pv", typed)
    assert outline(fine, {"b-k3mq8zt1pv"}) == ()
    open_end = fine.replace(b"<div>", b"<!-- ")
    faults = outline(open_end, {"b-k3mq8zt1pv"})
    assert {fault.line for fault in faults} >= {16}
    assert outline(fine) != ()


def test_what_is_no_page_is_one_fault() -> None:
    assert [fault.line for fault in outline(b"\xff")] == [1]
    assert [fault.line for fault in outline(b"")] == [1]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"Nobody deploys", b"*Nobody* deploys"),
        (b"It was split from the monolith.", b"<!-- It was split from the monolith."),
        (b"- Nobody deploys on Friday. ^f-2mm3k1d0bd\n", b""),
        (b"# Billing service", b"# Billing"),
    ],
)
def test_reading_only_what_changed_finds_what_reading_everything_finds(old: bytes, new: bytes) -> None:
    data = BILLING_FILE.replace(old, new, 1)
    assert outline(data, proven=BILLING_FILE) == outline(data)
    assert outline(data, proven=b"no page") == outline(data)


@settings(max_examples=30)
@given(seed=st.integers(0, 2**32), luck=st.randoms(use_true_random=False))
def test_a_fault_next_to_proven_blocks_is_found(seed: int, luck: random.Random) -> None:
    life = PageLife(random.Random(seed))
    life.run(10)
    page = life.page()
    assert page is not None
    before = render(page)
    lines = before.split(b"\n")
    lines.insert(
        luck.randrange(4, len(lines)), luck.choice((b"<!--", b"```", b"    code", b"- x", b"> x", b"## X *y*"))
    )
    typed = {block.block for block in page.blocks if isinstance(block, ProseBlock) and block.origin is Origin.YOURS}
    data = b"\n".join(lines)
    assert bool(outline(data, typed, before)) == bool(outline(data, typed))
