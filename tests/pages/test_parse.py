"""A page is cut into blocks whose ranges are the file; what a person typed is loose, what is no page is a fault."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.pages.test_render import BILLING_FILE
from xysq.pages.parse import PageFault, ParsedFact, ParsedMerged, ParsedProse, parse, render_parsed

HEAD = b"---\ntitle: A\n---\n\n# A\n\n"
LOG = b"## Changelog\n\n- 2026-11-30 18:04Z r-20261130T180400Z-ab12: +1 fact\n"
TABLE = "| a |\n|---|\n| 1 |"
FENCE = "```\n## Rules\n\n- x ^f-7k2m9qx4aa\n```"


def kinds(data: bytes) -> str:
    """Return what the blocks of a page are, in a row."""
    return " ".join(type(block).__name__.removeprefix("Parsed").lower() for block in parse(data).blocks)


def test_each_block_has_its_place_and_words() -> None:
    blocks = parse(BILLING_FILE).blocks
    assert kinds(BILLING_FILE) == "front title fact heading fact fact prose changelog"
    assert [block.line for block in blocks] == [1, 7, 9, 11, 13, 14, 16, 18]
    fact = blocks[4]
    assert isinstance(fact, ParsedFact)
    assert (fact.anchor, fact.text) == ("f-2mm3k1d0bc", "Migrations run before the deploy.")
    assert BILLING_FILE[fact.start : fact.end] == b"- Migrations run before the deploy. ^f-2mm3k1d0bc\n"


@pytest.mark.parametrize(
    "text", ["One line.", "Two\nlines.", TABLE, FENCE, "- a\n- b", "~~~ x\n```\n~~~", "- x ^f-short"]
)
def test_prose_of_several_lines_goes_to_its_anchor(text: str) -> None:
    gap = "\n" if text in (TABLE, FENCE, "~~~ x\n```\n~~~") else " "
    data = HEAD + f"{text}{gap}^b-k3mq8zt1pv\n\n".encode() + LOG
    block = parse(data).blocks[2]
    assert isinstance(block, ParsedProse)
    assert (block.text, block.anchor) == (text, "b-k3mq8zt1pv")
    assert render_parsed(parse(data)) == data


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (b"typed words\n\n", "loose"),
        (b"typed\nwords\n\n\nmore\n", "loose loose"),
        (b"- typed item\n- Fact. ^f-7k2m9qx4aa\n", "loose fact"),
        (b"typed\n## Rules\n", "loose heading"),
        (b"^b-k3mq8zt1pv\n\n", "loose"),
        (b"- Fact. ^f-7k2m9qx4ai\n", "loose"),
        (b"* Fact. ^f-7k2m9qx4aa\n", "loose"),
        (b"- Fact. ^f-7k2m9qx4aa \n", "loose"),
        (b"- Fact.^f-7k2m9qx4aa\n", "loose"),
        (b"### Smaller\n", "loose"),
        (b"# Second\n", "loose"),
    ],
)
def test_what_has_no_anchor_of_ours_is_loose(body: bytes, expected: str) -> None:
    assert kinds(HEAD + body + LOG) == f"front title {expected} changelog"


def test_an_open_fence_takes_the_rest_of_the_page() -> None:
    assert kinds(HEAD + b"```\nopen\n\n" + LOG) == "front title loose"


def test_a_changelog_with_other_lines_is_a_section() -> None:
    data = HEAD + b"## Changelog\n\n- Fact. ^f-7k2m9qx4aa\n\n" + LOG
    assert kinds(data) == "front title heading fact changelog"


def test_a_merged_page_says_where_it_went() -> None:
    block = parse(b"Merged into [[a-b|A \\*b\\*]].\n").blocks[0]
    assert isinstance(block, ParsedMerged)
    assert (block.into, block.title) == ("a-b", "A *b*")
    assert render_parsed(parse(b"Merged into [[a-b]].\n")) == b"Merged into [[a-b]].\n"


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (b"", 1),
        (b"\n", 1),
        (b"# A\n", 1),
        (b"---\ntitle: A\n", 1),
        (b"---\ntitle: 'A'\n---\n\n# A\n", 1),
        (b"---\ntitle: A\n---\n", 4),
        (b"---\ntitle: A\n---\n\nwords\n", 5),
        (b"---\ntitle: A\n---\n\n# A\n\xff\n", 6),
        (b"Merged into [[a]].\nmore\n", 1),
    ],
)
def test_what_is_no_page_is_a_fault_with_its_line(data: bytes, line: int) -> None:
    with pytest.raises(PageFault) as caught:
        parse(data)
    assert caught.value.line == line


@pytest.mark.parametrize(
    "data", [HEAD + LOG, HEAD.replace(b"\n\n# A\n\n", b"\n# A\n"), HEAD + b"x", HEAD + b"\r\nx\r\n"]
)
def test_ranges_are_the_file_also_where_the_layout_is_not_ours(data: bytes) -> None:
    assert b"".join(data[block.start : block.end] for block in parse(data).blocks) == data


BODY = st.lists(
    st.sampled_from(
        (
            *("\n", "\n\n", "- ", "a", " ", "```", "~~~", "## ", "# ", "## Changelog", "---", "|", "    "),
            *("^f-7k2m9qx4aa", "^b-k3mq8zt1pv", " ^f-7k2m9qx4aa\n", " ^b-k3mq8zt1pv\n", "\t", "\r", "é", "<!--"),
        )
    ),
    max_size=14,
).map("".join)


@given(body=BODY)
def test_any_body_is_cut_without_loss(body: str) -> None:
    data = HEAD + body.encode() + b"\n\n" + LOG
    parsed = parse(data)
    assert b"".join(data[block.start : block.end] for block in parsed.blocks) == data
