import pytest
from hypothesis import given
from hypothesis import strategies as st

from xysq.model.kept import KeptMap, follow, follow_all, stands

KEPT = ((0, 10, 0), (14, 20, 11))


@pytest.mark.parametrize(
    ("start", "end", "place"),
    [
        (0, 10, (0, 10)),
        (3, 5, (3, 5)),
        (14, 20, (11, 17)),
        (15, 16, (12, 13)),
        (9, 11, None),
        (10, 14, None),
        (0, 20, None),
        (19, 21, None),
        (13, 15, None),
    ],
)
def test_a_range_goes_along_only_inside_one_piece(start: int, end: int, place: tuple[int, int] | None) -> None:
    assert follow(KEPT, start, end) == place


def test_pieces_that_continue_each_other_in_both_versions_are_one() -> None:
    assert follow(((5, 9, 7), (0, 5, 2)), 1, 8) == (3, 10)


def test_words_put_in_between_cut_a_range() -> None:
    assert follow(((0, 5, 0), (5, 9, 8)), 1, 8) is None


def test_nothing_kept_nothing_stands() -> None:
    assert follow((), 0, 1) is None
    assert not stands([(True, ())], 0, 1)


def test_a_range_is_followed_through_several_versions() -> None:
    assert follow_all([((0, 10, 5),), ((5, 15, 0),)], 2, 4) == (2, 4)
    assert follow_all([((0, 10, 5),), ((8, 15, 0),)], 2, 4) is None
    assert follow_all([], 2, 4) == (2, 4)


def test_a_correction_that_kept_the_words_ends_no_standing() -> None:
    assert stands([(True, ((0, 10, 3),)), (True, ((0, 20, 0),))], 2, 8)


def test_a_correction_that_cut_into_the_words_does() -> None:
    assert not stands([(True, ((0, 5, 0), (6, 10, 5)))], 2, 8)


def test_an_update_ends_no_standing_and_takes_its_words_out_of_reach() -> None:
    assert stands([(False, ())], 2, 8)
    assert stands([(False, ()), (True, ())], 2, 8)


def test_what_an_update_still_shows_a_later_correction_reaches() -> None:
    update = (False, ((0, 5, 0),))
    assert not stands([update, (True, ((4, 9, 0),))], 2, 8)
    assert stands([update, (True, ((0, 5, 7),))], 2, 8)


@given(st.lists(st.tuples(st.integers(1, 6), st.booleans()), max_size=8), st.integers(0, 40), st.integers(1, 10))
def test_what_was_followed_is_the_same_bytes(pieces: list[tuple[int, bool]], start: int, size: int) -> None:
    old, new, kept = b"", b"", []
    for place, (length, is_kept) in enumerate(pieces):
        part = bytes(range(20 * place, 20 * place + length))
        if is_kept:
            kept.append((len(old), len(old) + length, len(new)))
            new += part
        else:
            new += b"\xff"
        old += part
    end = start + size
    place_now = KeptMap(kept).follow(start, end)
    if end <= len(old):
        cut = old[start:end]
        if place_now is not None:
            assert new[place_now[0] : place_now[1]] == cut
        else:
            assert cut not in new
    for low, high in KeptMap(kept).parts(start, end):
        assert new[low:high] in old[start:end]
