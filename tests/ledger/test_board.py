"""Blocks find their place on a page, and sections come and go with them."""

from xysq.ledger.board import END, TOP, Board, block_id
from xysq.model.fact import FactId, Slug
from xysq.model.page import BlockId, FactBlock, Origin, PageState, ProseBlock


def _fact(name: str) -> FactBlock:
    return FactBlock(fact=FactId(name), text=f"Fact {name}.")


def _prose(name: str) -> ProseBlock:
    return ProseBlock(block=BlockId(name), text=f"Prose {name}.", origin=Origin.DRAFTED)


def _board(*facts: tuple[str, str]) -> Board:
    board = Board(slug=Slug("alice"), title="Alice", kind="person", aliases=())
    for section, name in facts:
        board.insert_fact(section, _fact(name))
    return board


def _shown(board: Board) -> dict[str, list[str]]:
    page = board.freeze()
    sections = {section.name: [block_id(block) for block in section.blocks] for section in page.sections}
    return {"head": [*map(block_id, page.head)], **sections, "tail": [*map(block_id, page.tail)]}


def test_sections_stand_in_the_order_of_their_first_block() -> None:
    board = _board(("Rules", "f-1"), ("", "f-2"), ("Setup", "f-3"), ("Rules", "f-4"))

    assert _shown(board) == {"head": ["f-2"], "Rules": ["f-1", "f-4"], "Setup": ["f-3"], "tail": []}
    assert list(_shown(board)) == ["head", "Rules", "Setup", "tail"]


def test_a_fact_stands_behind_the_last_fact_of_its_section() -> None:
    board = _board(("Rules", "f-1"))
    board.insert_prose("f-1", _prose("b-1"))
    board.insert_fact("Rules", _fact("f-2"))

    assert _shown(board)["Rules"] == ["f-1", "f-2", "b-1"]


def test_a_fact_of_a_section_that_has_only_prose_stands_behind_it() -> None:
    board = _board(("Rules", "f-1"))
    board.insert_prose("f-1", _prose("b-1"))
    board.exchange_fact(FactId("f-1"), None)
    board.insert_fact("Rules", _fact("f-2"))

    assert _shown(board)["Rules"] == ["b-1", "f-2"]


def test_prose_stands_at_the_top_at_the_end_or_behind_a_block() -> None:
    board = _board(("", "f-1"), ("Rules", "f-2"))
    for after, name in ((TOP, "b-1"), (TOP, "b-2"), (END, "b-3"), (END, "b-4"), ("f-2", "b-5"), ("b-3", "b-6")):
        assert board.insert_prose(after, _prose(name))

    assert _shown(board) == {
        "head": ["b-2", "b-1", "f-1"],
        "Rules": ["f-2", "b-5"],
        "tail": ["b-3", "b-6", "b-4"],
    }
    assert not board.insert_prose("f-9", _prose("b-9"))


def test_a_section_goes_with_its_last_block_and_comes_back_at_the_end() -> None:
    board = _board(("Rules", "f-1"), ("Setup", "f-2"))
    assert board.exchange_fact(FactId("f-1"), None)
    assert list(_shown(board)) == ["head", "Setup", "tail"]

    board.insert_fact("Rules", _fact("f-3"))
    assert list(_shown(board)) == ["head", "Setup", "Rules", "tail"]


def test_a_successor_takes_the_very_place_of_the_fact_before() -> None:
    board = _board(("Rules", "f-1"), ("Rules", "f-2"), ("Rules", "f-3"))
    assert board.exchange_fact(FactId("f-2"), _fact("f-4"))

    assert _shown(board)["Rules"] == ["f-1", "f-4", "f-3"]
    assert not board.exchange_fact(FactId("f-2"), None)


def test_facts_and_prose_are_not_mistaken_for_each_other() -> None:
    board = _board(("", "f-1"))
    board.insert_prose(END, _prose("b-1"))

    assert not board.exchange_prose(BlockId("f-1"), None)
    assert not board.exchange_fact(FactId("b-1"), None)
    assert board.exchange_prose(BlockId("b-1"), None)
    assert board.exchange_fact(FactId("f-1"), None)
    assert _shown(board) == {"head": [], "tail": []}


def test_a_thawed_page_freezes_to_itself_and_shares_nothing() -> None:
    board = _board(("", "f-1"), ("Rules", "f-2"))
    board.insert_prose(END, _prose("b-1"))
    page = board.freeze()
    again = Board.thaw(page)

    assert again.freeze() == page
    again.insert_fact("Rules", _fact("f-3"))
    again.title = "Other"
    assert board.freeze() == page != again.freeze()
    assert again.is_living


def test_a_page_that_was_removed_or_merged_lives_no_more() -> None:
    page = PageState(slug=Slug("a"), title="A", kind="", aliases=())
    assert page.is_living
    assert Board.thaw(page).is_living
    for ended in (
        PageState(slug=Slug("a"), title="A", kind="", aliases=(), removed=True),
        PageState(slug=Slug("a"), title="B", kind="", aliases=(), merged_into=Slug("b")),
    ):
        assert not ended.is_living
        assert not Board.thaw(ended).is_living
