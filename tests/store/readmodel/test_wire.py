import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.builders import Story, fact
from tests.strategies import histories, texts
from xysq.errors import BadWire
from xysq.model.fact import Closed, CloseReason
from xysq.model.page import PageState
from xysq.model.source import Encoding, Span
from xysq.store.readmodel.wire import (
    dumps,
    fact_from_wire,
    fact_to_wire,
    page_from_wire,
    page_to_wire,
    spans_from_wire,
    spans_to_text,
)

spans = st.lists(
    st.builds(Span, start=st.integers(0, 999), end=st.integers(0, 999), enc=st.sampled_from(Encoding), text=texts),
    max_size=4,
).map(tuple)


@given(histories)
def test_facts_and_pages_come_back_as_they_were(story: Story) -> None:
    for known in story.fold.every_fact():
        assert fact_from_wire("fact", json.loads(dumps(fact_to_wire(known)))) == known
    for page in story.fold.every_page():
        assert page_from_wire("page", json.loads(dumps(page_to_wire(page)))) == page


def test_a_closed_fact_comes_back_with_its_cause() -> None:
    life = Closed(reason=CloseReason.FORGOTTEN, cause="x", by="user", evidence=(), at="t", run=fact().run, n=9)
    assert fact_from_wire("fact", fact_to_wire(fact(life=life))).life == life


@given(spans)
def test_spans_come_back_with_their_words(spans: tuple[Span, ...]) -> None:
    text = "\n".join(span.text for span in spans)
    assert spans_from_wire("spans", json.loads(spans_to_text(spans)), text) == spans


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("x", ""),
        ([1], "x"),
        ([[0, 1, "plain"]], "x"),
        ([[0, 1, "odd", 1]], "x"),
        ([[0, -1, "plain", 1]], "x"),
        ([[0, 1, "plain", 5]], "x"),
    ],
)
def test_spans_that_do_not_cut_their_text_are_refused(value: object, text: str) -> None:
    with pytest.raises(BadWire):
        spans_from_wire("spans", value, text)


def test_an_unknown_life_is_refused() -> None:
    with pytest.raises(BadWire, match="is no life"):
        fact_from_wire("fact", fact_to_wire(fact()) | {"life": {"is": "asleep"}})


def test_an_unknown_field_is_refused() -> None:
    page = page_to_wire(PageState(slug=fact().page, title="Alice", kind="", aliases=()))
    assert page_from_wire("page", page).title == "Alice"
    with pytest.raises(BadWire, match="unknown fields"):
        page_from_wire("page", page | {"more": 1})
