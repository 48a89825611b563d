"""A drafter's answer is read strictly; what may be left out may be null; anything else is no draft."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import texts
from xysq.canonical import canonical_json
from xysq.errors import BadDraft
from xysq.model.draft import Draft, DraftClose, DraftFact, DraftQuote, close_to_wire, fact_to_wire
from xysq.model.fact import Label

FACT: dict[str, Any] = {
    "ref": "1",
    "subject": "Acme",
    "attribute": "uses",
    "value": "SQLite",
    "text": "Acme uses SQLite.",
    "label": "stated",
    "quotes": [{"passage": 1, "sentence": 2}],
}
quotes = st.builds(
    DraftQuote,
    passage=st.integers(1, 99),
    sentence=st.none() | st.integers(1, 99),
    text=st.none() | texts,
)
some_quotes = st.lists(quotes, max_size=3).map(tuple)
facts = st.builds(
    DraftFact,
    ref=texts,
    subject=texts,
    attribute=texts,
    value=texts,
    text=texts,
    label=st.sampled_from(Label),
    quotes=some_quotes,
    kind=texts,
    replaces=st.none() | texts,
    derived_from=st.lists(texts, max_size=3).map(tuple),
)
closes = st.builds(DraftClose, fact=texts, quotes=some_quotes)


def _parsed(**parts: object) -> Draft:
    return Draft.parse(json.dumps(parts).encode())


@given(st.lists(facts, max_size=3), st.lists(closes, max_size=2))
def test_a_draft_is_read_back_from_its_spelling(drafted: list[DraftFact], closed: list[DraftClose]) -> None:
    wire = {"facts": [fact_to_wire(fact) for fact in drafted], "closes": [close_to_wire(close) for close in closed]}

    assert Draft.parse(canonical_json(wire)) == Draft(facts=tuple(drafted), closes=tuple(closed))


def test_what_is_left_out_or_null_is_not_there() -> None:
    empty = Draft(facts=(), closes=(), edits=None)
    bare = _parsed(facts=[FACT]).facts[0]
    nulled = FACT | {"kind": None, "replaces": None, "derived_from": None}

    assert _parsed() == empty
    assert _parsed(facts=None, closes=None, edits=None) == empty
    assert _parsed(facts=[nulled]).facts[0] == bare
    assert (bare.kind, bare.replaces, bare.derived_from) == ("", None, ())
    assert _parsed(facts=[FACT | {"quotes": [{"passage": 1, "sentence": None, "text": None}]}]).facts[0].quotes == (
        DraftQuote(passage=1),
    )


def test_edits_that_are_there_but_none_differ_from_edits_left_out() -> None:
    assert _parsed(edits=[]).edits == ()
    edit = {"page": "Acme", "op": "insert", "text": "It is small."}
    drafted = _parsed(edits=[edit, edit | {"after": "top", "claims": ["1"]}]).edits
    assert drafted is not None
    assert [(one.after, one.claims) for one in drafted] == [("end", ()), ("top", ("1",))]


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"Sure! Here are the facts: {}",
        b"```json\n{}\n```",
        b"[]",
        b"null",
        b'{"facts":{}}',
        b'{"facts":[1]}',
        b'{"fact":[]}',
        b'{"facts":[],"facts":[]}',
        b'{"facts":[' + b"[" * 20 + b"]" * 20 + b"]}",
        b'{"facts":"' + b"x" * (4 * 1024 * 1024) + b'"}',
    ],
)
def test_an_answer_that_is_no_draft_is_refused(answer: bytes) -> None:
    with pytest.raises(BadDraft, match="the answer is no draft"):
        Draft.parse(answer)


@pytest.mark.parametrize(
    "change",
    [
        {"label": "certain"},
        {"value": 3},
        {"value": None},
        {"quotes": None},
        {"quotes": [{"passage": 0}]},
        {"quotes": [{"passage": "1"}]},
        {"quotes": [{"passage": 1, "sentence": 0}]},
        {"quotes": [{"passage": 1, "sentence": 1.5}]},
        {"quotes": [{"sentence": 1}]},
        {"quotes": [{"passage": 1, "line": 1}]},
        {"confidence": 0.9},
        {"derived_from": "1"},
    ],
)
def test_a_fact_of_another_shape_is_refused(change: dict[str, object]) -> None:
    assert len(_parsed(facts=[FACT]).facts) == 1
    with pytest.raises(BadDraft, match=r"draft\.facts\[0\]"):
        _parsed(facts=[FACT | change])
