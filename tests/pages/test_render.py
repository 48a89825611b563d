"""A page's bytes follow from its state; parsing, rendering and editing agree about them."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.builders import Story
from tests.pages.pagelife import SLUG, PageLife
from xysq.model.fact import FactId, Slug
from xysq.model.page import Alias, BlockId, ChangelogEntry, FactBlock, Origin, PageState, ProseBlock, Section
from xysq.model.source import SourceId, Version
from xysq.pages.changelog import compose_changelog
from xysq.pages.edit import rebuild, tail_of
from xysq.pages.parse import parse, render_parsed
from xysq.pages.render import render

SEEDS = st.integers(0, 2**32)
BILLING = PageState(
    slug=Slug("billing-service"),
    title="Billing service",
    kind="service",
    aliases=(Alias(name="billing"), Alias(name="billing-svc")),
    head=(
        FactBlock(
            fact=FactId("f-7k2m9qx4aa"), text="The billing service stores its data in [[postgresql|PostgreSQL]]."
        ),
    ),
    sections=(
        Section(
            name="Rules",
            blocks=(
                FactBlock(fact=FactId("f-2mm3k1d0bc"), text="Migrations run before the deploy."),
                FactBlock(fact=FactId("f-2mm3k1d0bd"), text="Nobody deploys on Friday."),
            ),
        ),
    ),
    tail=(ProseBlock(block=BlockId("b-k3mq8zt1pv"), text="It was split from the monolith.", origin=Origin.DRAFTED),),
    changelog=(
        ChangelogEntry(
            at="2026-11-30T18:04:07Z",
            run="r-20261130T180400Z-ab12",  # type: ignore[arg-type]
            kind="distill",
            asserted=3,
            sources=(Version(SourceId("20261130-k3f9x2"), 1),),
        ),
    ),
)
BILLING_FILE = b"""---
title: Billing service
kind: service
aliases: [billing, billing-svc]
---

# Billing service

- The billing service stores its data in [[postgresql|PostgreSQL]]. ^f-7k2m9qx4aa

## Rules

- Migrations run before the deploy. ^f-2mm3k1d0bc
- Nobody deploys on Friday. ^f-2mm3k1d0bd

It was split from the monolith. ^b-k3mq8zt1pv

## Changelog

- 2026-11-30 18:04Z r-20261130T180400Z-ab12: +3 facts from 20261130-k3f9x2@1
"""


def test_a_page_is_laid_out_as_the_format_says() -> None:
    assert render(BILLING) == BILLING_FILE


def test_a_merged_page_is_one_line_and_a_removed_one_none() -> None:
    story = Story()
    story.page("a", "A [1]")
    story.page("b", "B")
    story.page("b").merge_into("a")
    story.page("c", "C")
    story.page("c").remove()
    merged, removed = story.fold.page(Slug("b")), story.fold.page(Slug("c"))
    assert merged is not None
    assert removed is not None
    assert render(merged) == b"Merged into [[a]].\n"
    assert render(removed) == b""
    story.page("d", "D *")
    story.page("e", "E")
    story.page("e").merge_into("d")
    page = story.fold.page(Slug("e"))
    assert page is not None
    assert render(page) == b"Merged into [[d|D \\*]].\n"
    story.page("d").rename("Other")
    later = story.fold.page(Slug("e"))
    assert later is not None
    assert render(later) == render(page)


@settings(max_examples=40)
@given(seed=SEEDS)
def test_rebuilding_from_bytes_equals_rendering_the_fold(seed: int) -> None:
    life = PageLife(random.Random(seed))
    for _ in range(6):
        base = life.page()
        before = b"" if base is None else render(base)
        edits = life.run(6)
        page = life.page()
        assert page is not None
        after = rebuild(before, edits, compose_changelog(page.changelog), tail_of(base))
        assert after == render(page)
        parsed = parse(after)
        assert render_parsed(parsed) == after
        assert b"".join(after[block.start : block.end] for block in parsed.blocks) == after
        assert parsed.anchors == tuple(
            block.fact if isinstance(block, FactBlock) else block.block for block in page.blocks
        )


def test_rendering_survives_whatever_stands_in_a_state() -> None:
    page = PageState(slug=SLUG, title="\ud800", kind="a\nb", aliases=(Alias(name=""), Alias(name="\x00")))
    assert isinstance(render(page), bytes)
