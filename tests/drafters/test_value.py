import json
from importlib import resources

import pytest

from xysq.drafters.rules.language import Shape, load
from xysq.drafters.rules.value import cut_value

ENGLISH = load("en")
SHAPES = {pattern.name: pattern.shape for pattern in ENGLISH.patterns}
LIKING, PLACE, NAME, CHOICE = (SHAPES[name] for name in ("love", "live in", "kin named", "let us"))
DEED, DOING, PET = (SHAPES[name] for name in ("did event", "been doing", "adopted a pet"))


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
        ("games that need quick thinking, it calms me", LIKING, "games that need quick thinking"),
        ("stories by Chekhov", LIKING, "stories by Chekhov"),
        ("board games like Catan", LIKING, "board games like Catan"),
        ("yoga, running and climbing", LIKING, "yoga, running and climbing"),
        ("strategy games, especially Catan, which I own", LIKING, "strategy games, especially Catan"),
        ("also cheese pizza", LIKING, "cheese pizza"),
        ("chess to kids who lost their parents", DEED, "chess to kids who lost their parents"),
        ("a samba class, a mix of dance and cardio", DEED, "a samba class, a mix of dance and cardio"),
        ("a pottery class", DEED, "a pottery class"),
        ("an apartment not far from Mill Lane.", DEED, "an apartment not far from Mill Lane"),
        ("Rome and the old port", DEED, "Rome"),
        ("the trails near Zermatt", DEED, "the trails near Zermatt"),
        ("working on a game about bees", DOING, "working on a game about bees"),
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
        ("games that test my patience", LIKING),
        ("hiking when it rains", LIKING),
        ("thrillers more than comedies", LIKING),
        ("dogs, cats", LIKING),
        ("letters to my friends", LIKING),
        ("an application", DEED),
        ("a tool that changed their work", DEED),
        ("a kiosk - fresh juice", DEED),
        ("Max, Daisy and the new one", DEED),
        ("playing mostly online", DOING),
        ("some rounds", DEED),
        ("a new platform", DEED),
        ("the trails", DEED),
        ("the younger players on my team", DEED),
        ("focusing more on my health", DOING),
        ("introducing them to chess", DOING),
        ("working on a new project", DOING),
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


def test_a_value_whose_sentence_goes_on_about_it_is_none() -> None:
    assert cut_value("a dog", PET, ENGLISH, " last week.") == "a dog"
    assert cut_value("a dog", PET, ENGLISH, " with three legs.") is None
    assert cut_value("Anna", NAME, ENGLISH, " and we talked") == "Anna"
    assert cut_value("Anna", NAME, ENGLISH, ", Bob and Carl") is None


def test_a_window_that_ends_inside_a_word_is_read_on() -> None:
    assert cut_value("stories by Che", LIKING, ENGLISH, "khov.") == "stories by Chekhov"


def test_every_shape_is_used() -> None:
    wire = json.loads(resources.files("xysq.drafters.rules").joinpath("patterns/en.json").read_text("utf-8"))
    assert {pattern["shape"] for pattern in wire["patterns"]} == set(wire["shapes"])
