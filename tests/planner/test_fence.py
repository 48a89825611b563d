"""Words between the fence lines of a recall block are told from new words."""

from tests.builders import SOURCE, passage
from xysq.model.source import SourceId
from xysq.planner.fence import fence_ranges, fences

BLOCK = '<xysq-recall query="tea">\n- Mia likes tea.\n</xysq-recall>'


def test_a_fenced_block_is_fenced_and_what_stands_around_it_is_not() -> None:
    text = f"before\n{BLOCK}\nafter"
    (only,), stays_open = fence_ranges(text)
    assert text[slice(*only)] == BLOCK
    assert not stays_open


def test_a_fence_that_is_never_closed_runs_to_the_end() -> None:
    (only,), stays_open = fence_ranges("x\n<xysq-recall>\nMia likes tea")
    assert only == (2, 29)
    assert stays_open


def test_a_quoted_fence_is_a_fence() -> None:
    assert fence_ranges("> <xysq-recall>\n> Mia likes tea.\n> </xysq-recall>\nmine")[0]


def test_a_fence_named_within_a_line_is_only_words() -> None:
    assert fence_ranges("recall prints <xysq-recall> first")[0] == ()


def test_a_fence_may_run_over_passages_until_it_is_closed() -> None:
    inside = fences(
        [passage("<xysq-recall>\nMia likes tea."), passage("Mia has a cat."), passage("x\n</xysq-recall>\nmine")]
    )
    assert inside[1] == ((0, 14),)
    assert inside[2] == ((0, 16),)


def test_a_fence_left_open_ends_with_its_passage() -> None:
    assert fences([passage("<xysq-recall>\nMia likes tea."), passage("I have a cat.")])[1] == ()


def test_a_fence_does_not_run_into_another_source() -> None:
    other = passage("x\n</xysq-recall>", source=SourceId(SOURCE[:-1] + "9"))
    assert fences([passage("<xysq-recall>\nMia"), other])[1] == ()
