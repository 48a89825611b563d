from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from xysq.model.align import align


@given(
    st.lists(st.sampled_from([b"a", b"b\n", b"c\n", b"dd\n", "é\n".encode(), b"\n"]), max_size=12).map(b"".join),
    st.lists(st.sampled_from([b"a", b"b\n", b"c\n", b"dd\n", "é\n".encode(), b"\n"]), max_size=12).map(b"".join),
)
def test_every_kept_piece_is_equal_and_none_overlaps(old: bytes, new: bytes) -> None:
    end = 0
    places: list[tuple[int, int]] = []
    for start, stop, place in align(old, new):
        assert end <= start < stop
        assert old[start:stop] == new[place : place + stop - start]
        end = stop
        places.append((place, place + stop - start))
    places.sort()
    assert all(one[1] <= other[0] for one, other in pairwise(places))


@given(st.binary(max_size=60))
def test_equal_bytes_are_kept_whole(data: bytes) -> None:
    assert align(data, data) == (((0, len(data), 0),) if data else ())


def test_a_changed_word_loses_only_itself() -> None:
    old, new = b"one\nI work at Acme now\nthree\n", b"one\nI work at Apex now\nthree\n"
    lost = set(range(len(old))) - {i for start, end, _ in align(old, new) for i in range(start, end)}
    assert bytes(old[i] for i in sorted(lost)) == b"Acme"


def test_a_moved_line_is_kept_where_it_went() -> None:
    assert (0, 4, 8) in align(b"one\ntwo\nsix\n", b"two\nsix\none\n")
