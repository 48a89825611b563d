import pytest

from tests.drafters.asking import drafted, page, said

ALICE = page(
    "Alice",
    ("f-1", "employer", "Acme", "Alice works at Acme."),
    ("f-2", "location", "Boston", "Alice lives in Boston."),
    ("f-3", "activity", "the cello", "Alice plays the cello."),
)
BOB = page("Bob", ("f-7", "employer", "Acme", "Bob works at Acme."))
SHOP = page(
    "shop",
    ("f-4", "uses", "Redis", "shop uses Redis."),
    ("f-5", "setting:port", "8080", "The port is 8080."),
    ("f-6", "deadline", "3 March", "The release is due on 3 March."),
    kind="project",
)
PAGES = (ALICE, BOB, SHOP)


def _closed(text: str, kind: str) -> list[str]:
    return [close.fact for close in drafted(said(text, kind, "Alice"), pages=PAGES).closes]


@pytest.mark.parametrize(
    ("text", "kind", "ended"),
    [
        ("I no longer work at Acme.", "talk", ["f-1"]),
        ("I don't live in Boston anymore.", "talk", ["f-2"]),
        ("I stopped playing the cello.", "talk", ["f-3"]),
        ("I used to play the cello when I was younger, but haven't in a while.", "talk", ["f-3"]),
        ("Bob no longer works at Acme.", "talk", ["f-7"]),
        ("Bob left Acme last week.", "talk", ["f-7"]),
        ("We dropped Redis.", "work", ["f-4"]),
        ("forget the Redis plan", "work", ["f-4"]),
        ("The app no longer uses Redis.", "work", ["f-4"]),
    ],
)
def test_what_a_sentence_ends_is_closed_on_the_page_it_is_about(text: str, kind: str, ended: list[str]) -> None:
    assert _closed(text, kind) == ended


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Maybe I no longer work at Acme.", "talk"),
        ("If I no longer work at Acme, call me.", "talk"),
        ("Should we drop Redis?", "work"),
        ("I left Acme in a taxi.", "talk"),
        ("I quit.", "talk"),
        ("My friend no longer works at Acme.", "talk"),
        ("Their team no longer uses Redis.", "work"),
        ("She told me I no longer work at Acme.", "talk"),
        ('He typed "we dropped Redis" there.', "work"),
        ("I no longer like how Acme treats people.", "talk"),
        ("I no longer work at Initech.", "talk"),
        ("I used to play the cello every day.", "talk"),
        ("Maybe I used to play the cello.", "talk"),
        ("She used to play the cello.", "talk"),
    ],
)
def test_what_is_not_plainly_over_stays_open(text: str, kind: str) -> None:
    assert _closed(text, kind) == []


def test_a_close_quotes_its_sentence() -> None:
    (close,) = drafted(said("Hello there. We dropped Redis.", "work"), pages=PAGES).closes
    assert (close.quotes[0].passage, close.quotes[0].sentence) == (1, 2)


@pytest.mark.parametrize(
    ("text", "value", "replaced", "shown"),
    [
        ("Actually it's 9090, not 8080.", "9090", "f-5", "The port is 9090."),
        ("The port is 9090, not 8080.", "9090", "f-5", "The port is 9090."),
        ("It's not 3 March but 10 March.", "10 March", "f-6", "The release is due on 10 March."),
        ("I meant Boulder, not Boston.", "Boulder", "f-2", "Alice lives in Boulder."),
    ],
)
def test_a_correction_puts_a_value_in_the_place_of_another(text: str, value: str, replaced: str, shown: str) -> None:
    (fact,) = drafted(said(text, "work"), pages=PAGES).facts
    assert (fact.value, fact.replaces, fact.text) == (value, replaced, shown)


@pytest.mark.parametrize(
    "text",
    [
        "It's 9090, not 7070.",  # no such value is open
        "It's Initech, not Acme.",  # two pages have it
        "It's fine, not 8080.",  # no number for a number
        "Maybe it's 9090, not 8080.",
        "It's yours, not 8080.",
    ],
)
def test_a_correction_that_could_mean_anything_else_changes_nothing(text: str) -> None:
    assert drafted(said(text, "work"), pages=PAGES).facts == ()
