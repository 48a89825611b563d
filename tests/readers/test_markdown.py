"""Blocks of Markdown, and that markdown-it sees the same ones where the two must agree."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from tests.builders import SOURCE
from xysq.model.source import Role
from xysq.readers.reading import Reading, ReadRequest, read

FIXTURE = Path(__file__).parents[2] / "fixtures/transcripts/notes.md"
BLOCKS = st.sampled_from(
    [
        "# Title", "## More of it ##", "A paragraph\nof two lines.", "- one\n- two\n  goes on\n- three", "1. a\n2. b",
        "- outer\n  - inner\n  - more\n- next", "```\ncode\n\n- no item\n```",
        "~~~~ py\n```\nx\n~~~~", "> said\n> twice",
        "| a | b |\n|---|---|\n| 1 | 2 |", "---", "Title\n=====", "***", "* star\n* more", "+ plus", "2) two\n3) three",
        "text\n# heading right behind\nand text", "text\n- item right behind", "text\n> quote right behind",
        "1986\\. no list", "text\n5. no list\n", "- ```\n  code\n  ```\n- x", "#no heading",
    ]
)  # fmt: skip


def reading(words: str | bytes) -> Reading:
    data = words if isinstance(words, bytes) else words.encode("utf-8")
    return read(ReadRequest(source=SOURCE, version=1, data=data, format="markdown", said_as=(Role.USER, "")))


def texts(words: str) -> list[str]:
    return [passage.text for passage in reading(words).passages]


def first_lines(words: str) -> set[int]:
    """Return the lines on which markdown-it begins blocks that are passages here."""
    found = set()
    depth = 0
    for token in MarkdownIt("commonmark").enable("table").parse(words):
        is_list = token.type in {"bullet_list_open", "ordered_list_open"}
        if token.nesting == -1:
            depth -= 0 if token.type in {"bullet_list_close", "ordered_list_close"} and depth == 0 else 1
        outer = depth == 0
        if outer and token.map and not is_list and token.type != "hr":
            found.add(token.map[0])
        if token.nesting == 1:
            depth += 0 if is_list and depth == 0 else 1
    return found


@given(st.lists(BLOCKS, min_size=1, max_size=6))
def test_blocks_begin_where_markdown_it_begins_them(blocks: list[str]) -> None:
    words = "\n\n".join(blocks) + "\n"
    if words.startswith("---\n"):
        words = "\n" + words
    expected = first_lines(words)
    passages = reading(words).passages
    assert {words.encode("utf-8")[: passage.start].count(b"\n") for passage in passages} == expected


def test_the_fixture_notes_read_as_they_are() -> None:
    found = reading(FIXTURE.read_bytes())
    assert [(passage.role, passage.text) for passage in found.passages] == [
        (Role.OTHER, "---\ntitle: Billing\ntags: [infra]\n---"),
        (Role.USER, "Billing service"),
        (Role.USER, "The service keeps its data in PostgreSQL.\nIt is deployed from *main*."),
        (Role.USER, "Migrations run before the deploy.\n  Never during it."),
        (Role.USER, "Backups are taken at night."),
        (Role.USER, "make deploy\n\nmake check"),
        (Role.USER, "Ask before touching the ledger table."),
    ]
    assert found.title == "Billing service"


def test_signs_of_structure_are_no_words() -> None:
    assert texts("# About C#\n## Next ##\n###\n") == ["About C#", "Next"]
    assert texts("```py\n```\n\n---\n\n***\n") == []
    assert texts("- a\n-\n- b\n") == ["a", "b"]


def test_front_matter_is_only_at_the_beginning_and_only_if_it_is_closed() -> None:
    assert texts("---\na: b\n---\nText\n") == ["---\na: b\n---", "Text"]
    assert texts("---\na: b\n\nText\n") == ["a: b", "Text"]
    assert texts("---\n\ntext\n---\n") == ["text\n---"]
    assert texts("Text\n\n---\na: b\n---\n") == ["Text", "a: b\n---"]


def test_front_matter_that_may_still_be_closed_is_not_finished() -> None:
    assert reading("---\na: b\n\nText\n\n").parsed_to == 0
    assert reading("---\na: b\n---\n\nText\n\n").parsed_to == 20
    assert reading("--").parsed_to == 0
    assert reading("---\n\n").parsed_to == 5


def test_a_fence_is_finished_by_its_end_only() -> None:
    assert reading("```\ncode\n\nmore\n\n").parsed_to == 0
    assert reading("```\ncode\n\nmore\n```\n\n").parsed_to == 20
    assert texts("````\n```\n````\n") == ["```"]
    assert texts("```\nnever\n\nclosed") == ["never\n\nclosed"]


def test_a_fence_in_an_item_belongs_to_it_and_ends_with_it() -> None:
    assert texts("- look:\n  ```\n  a\n\n  b\n  ```\n- next\n") == ["look:\n  ```\n  a\n\n  b\n  ```", "next"]
    assert texts("- look:\n  ```\n  a\noutside\n") == ["look:\n  ```\n  a\noutside"]
    assert texts("- look:\n  ```\n  a\n# outside\n") == ["look:\n  ```\n  a", "outside"]


def test_lines_may_end_in_cr_lf() -> None:
    found = reading("# Title\r\n\r\n- a\r\n- b\r\n\r\n```\r\ncode\r\n```\r\n")
    assert [passage.text for passage in found.passages] == ["Title", "a", "b", "code"]
