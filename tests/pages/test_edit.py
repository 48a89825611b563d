"""Edits change the base bytes of one page and nothing around them; what cannot be done is refused."""

import pytest

from tests.pages.pagelife import SLUG
from tests.pages.test_render import BILLING, BILLING_FILE
from xysq.model.event import PageOp, ProseOp
from xysq.model.fact import FactId, Slug
from xysq.model.page import BlockId
from xysq.model.plan import Edit, FrontEdit, InsertFact, ProseEdit, RemoveFact, ReplaceFact
from xysq.pages.edit import CannotEdit, rebuild, tail_of

A, B, C = FactId("f-7k2m9qx4aa"), FactId("f-2mm3k1d0bc"), FactId("f-2mm3k1d0bd")
TAIL = BlockId("b-k3mq8zt1pv")
NEW, PROSE = FactId("f-0000000001"), BlockId("b-0000000001")
LOG = ("- 2026-11-30 18:04Z r-20261130T180400Z-ab12: +3 facts from 20261130-k3f9x2@1",)


def rebuilt(*edits: Edit) -> str:
    return rebuild(BILLING_FILE, edits, LOG, tail_of(BILLING)).decode()


def front(op: PageOp, title: str = "Billing", **changes: object) -> FrontEdit:
    return FrontEdit(page=SLUG, op=op, title=title, kind="", aliases=(), **changes)  # type: ignore[arg-type]


def inserted(section: str) -> InsertFact:
    return InsertFact(page=SLUG, fact=NEW, section=section, text="New.")


def prose(op: ProseOp, block: BlockId, text: str = "Words.", after: str = "") -> ProseEdit:
    return ProseEdit(page=SLUG, op=op, block=block, text=text, after=after)


def test_no_edit_leaves_the_bytes() -> None:
    assert rebuilt() == BILLING_FILE.decode()


def test_a_fact_comes_behind_the_last_of_its_section() -> None:
    assert "Friday. ^f-2mm3k1d0bd\n- New. ^f-0000000001\n\nIt was" in rebuilt(inserted("Rules"))
    assert "]]. ^f-7k2m9qx4aa\n- New. ^f-0000000001\n\n## Rules" in rebuilt(inserted(""))


def test_a_new_section_comes_behind_the_others_and_before_the_tail() -> None:
    assert "f-2mm3k1d0bd\n\n## Setup\n\n- New. ^f-0000000001\n\nIt was split" in rebuilt(inserted("Setup"))


def test_a_heading_goes_with_its_last_block() -> None:
    emptied = rebuilt(RemoveFact(page=SLUG, fact=B), RemoveFact(page=SLUG, fact=C))
    assert "## Rules" not in emptied
    assert "## Rules" in rebuilt(RemoveFact(page=SLUG, fact=B))


def test_a_successor_stands_where_the_old_fact_stood() -> None:
    text = rebuilt(ReplaceFact(page=SLUG, fact=NEW, old=B, text="New."))
    assert "## Rules\n\n- New. ^f-0000000001\n- Nobody" in text


@pytest.mark.parametrize(
    ("after", "found"),
    [
        ("top", "# Billing service\n\nWords. ^b-0000000001\n\n- The billing"),
        ("end", "monolith. ^b-k3mq8zt1pv\n\nWords. ^b-0000000001\n\n## Changelog"),
        (B, "deploy. ^f-2mm3k1d0bc\n\nWords. ^b-0000000001\n\n- Nobody"),
        (TAIL, "monolith. ^b-k3mq8zt1pv\n\nWords. ^b-0000000001\n\n## Changelog"),
    ],
)
def test_prose_comes_behind_its_block(after: str, found: str) -> None:
    assert found in rebuilt(prose(ProseOp.INSERT, PROSE, after=after))


def test_prose_is_replaced_and_removed_where_it_stands() -> None:
    assert "\n\nWords. ^b-k3mq8zt1pv\n\n## Changelog" in rebuilt(prose(ProseOp.REPLACE, TAIL))
    assert "b-k3mq8zt1pv" not in rebuilt(prose(ProseOp.REMOVE, TAIL))
    assert "\n\n```\nx\n```\n^b-k3mq8zt1pv\n\n" in rebuilt(prose(ProseOp.REPLACE, TAIL, "```\nx\n```"))


def test_names_change_and_the_body_stays() -> None:
    text = rebuilt(front(PageOp.META))
    assert text.startswith("---\ntitle: Billing\n---\n\n# Billing\n\n- The billing")


def test_a_page_begins_and_ends_with_front_edits() -> None:
    made = rebuild(b"", (front(PageOp.CREATE), inserted("")), LOG, ())
    assert made.decode().startswith("---\ntitle: Billing\n---\n\n# Billing\n\n- New. ^f-0000000001\n\n## Changelog\n\n")
    assert rebuilt(front(PageOp.REMOVE)) == ""
    assert rebuilt(front(PageOp.MERGE, into=Slug("b"))) == "Merged into [[b|Billing]].\n"


@pytest.mark.parametrize(
    "edits",
    [
        (RemoveFact(page=SLUG, fact=NEW),),
        (ReplaceFact(page=SLUG, fact=A, old=NEW, text="x"),),
        (prose(ProseOp.REPLACE, PROSE),),
        (prose(ProseOp.REMOVE, PROSE),),
        (prose(ProseOp.INSERT, PROSE, after="b-nowhere"),),
        (front(PageOp.CREATE),),
        (front(PageOp.REMOVE), inserted("")),
        (front(PageOp.MERGE, into=Slug("b")), front(PageOp.META)),
    ],
)
def test_an_edit_of_what_is_not_there_is_refused(edits: tuple[Edit, ...]) -> None:
    with pytest.raises(CannotEdit):
        rebuilt(*edits)


@pytest.mark.parametrize("edit", [inserted(""), front(PageOp.META), RemoveFact(page=SLUG, fact=A)])
def test_a_page_that_is_not_there_is_only_created(edit: Edit) -> None:
    with pytest.raises(CannotEdit):
        rebuild(b"", (edit,), LOG, ())
