import json
from importlib import resources

import pytest

from xysq.drafters.rules.language import Shape, load
from xysq.drafters.rules.value import cut_value

ENGLISH = load("en")
SHAPES = {pattern.name: pattern.shape for pattern in ENGLISH.patterns}
LIKING, PLACE, NAME, CHOICE = (SHAPES[name] for name in ("love", "live in", "kin named", "let us"))


@pytest.mark.parametrize(
    ("raw", "shape", "value"),
    [
        ("hiking because it calms me.", LIKING, "hiking"),
        ("hiking and I love swimming", LIKING, "hiking"),
        ("hiking and swimming.", LIKING, "hiking and swimming"),
        ("climbing, sliding, and playing games.", LIKING, "climbing, sliding, and playing games"),
        ("hiking, it calms me", LIKING, "hiking"),
        ("live music too!", LIKING, "live music"),
        ("camping trips with my family", LIKING, "camping trips"),
        ("green tea last week", LIKING, "green tea"),
        ("films with a twist (old ones)", LIKING, "films with a twist"),
        ("Boston, Massachusetts", PLACE, "Boston, Massachusetts"),
        ("Anna's", NAME, "Anna"),
        ("SQLite until March", CHOICE, "SQLite until March"),
        ("SQLite because it is there", CHOICE, "SQLite"),
    ],
)
def test_a_value_ends_where_something_else_begins(raw: str, shape: Shape, value: str) -> None:
    assert cut_value(raw, shape, ENGLISH) == value


@pytest.mark.parametrize(
    ("raw", "shape"),
    [
        ("it so much", LIKING),
        ("your painting", LIKING),
        ("how you did that", LIKING),
        ("the one over there", LIKING),
        ("a safe, inviting place", LIKING),
        ("making sure people are heard", LIKING),
        ("coffee if I must", LIKING),
        ("a small village", PLACE),
        ("and", NAME),
        ("Monday", NAME),
        ("option B", CHOICE),
        ("the second one", CHOICE),
        ("", LIKING),
    ],
)
def test_words_that_need_their_conversation_are_no_value(raw: str, shape: Shape) -> None:
    assert cut_value(raw, shape, ENGLISH) is None


def test_every_shape_is_used() -> None:
    wire = json.loads(resources.files("xysq.drafters.rules").joinpath("patterns/en.json").read_text("utf-8"))
    assert {pattern["shape"] for pattern in wire["patterns"]} == set(wire["shapes"])
