"""What else the model spells: versions, rows, meta, edits, records and decisions are read back as they were."""

from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.builders import passage
from tests.strategies import fact_ids, hexes, numbers, rows, run_ids, slugs, source_ids, texts, times
from xysq.canonical import canonical_json, parse_json
from xysq.errors import BadInput, BadWire
from xysq.model.event import PageOp, ProseOp, RunKind
from xysq.model.page import BlockId
from xysq.model.plan import (
    Drop,
    DropCode,
    Edit,
    FrontEdit,
    InsertFact,
    ProseEdit,
    RemoveFact,
    ReplaceFact,
    edit_from_wire,
    edit_to_wire,
    row_item,
)
from xysq.model.run import Decision, Drafting, FileChange, Record, Refusal
from xysq.model.source import (
    Certainty,
    Channel,
    Digested,
    Encoding,
    Meta,
    Role,
    Row,
    Span,
    TextView,
    Version,
    VersionKind,
    decode_span,
)
from xysq.model.spending import Spending

positive = st.integers(min_value=1, max_value=999)
digested = st.builds(Digested, size=numbers, sha256=hexes)
metas = st.builds(
    Meta,
    source=source_ids,
    version=positive,
    kind=st.sampled_from(VersionKind),
    name=texts,
    format=texts,
    extension=texts,
    title=texts,
    origin=texts,
    project=texts,
    session=texts,
    key=texts,
    channel=st.sampled_from(Channel),
    pushed_at=times,
    observed_from=st.none() | times,
    observed_to=st.none() | times,
    certainty=st.sampled_from(Certainty),
    part=digested,
    whole=digested,
    pushed=digested,
    offset=numbers,
    parsed_to=numbers,
    raw=st.none() | digested,
    text=st.none() | st.builds(TextView, encoding=texts, offset=numbers, digest=digested),
    kept=st.lists(st.tuples(numbers, numbers, numbers), max_size=3).map(tuple),
    said_as=st.none() | st.tuples(st.sampled_from(Role), texts),
    sequence=st.none() | numbers,
)
edits: st.SearchStrategy[Edit] = st.one_of(
    st.builds(InsertFact, page=slugs, fact=fact_ids, section=texts, text=texts),
    st.builds(ReplaceFact, page=slugs, fact=fact_ids, old=fact_ids, text=texts),
    st.builds(RemoveFact, page=slugs, fact=fact_ids),
    st.builds(ProseEdit, page=slugs, op=st.sampled_from(ProseOp), block=texts.map(BlockId), text=texts, after=texts),
    st.builds(
        FrontEdit,
        page=slugs,
        op=st.sampled_from(PageOp),
        title=texts,
        kind=texts,
        aliases=st.lists(texts, max_size=3).map(tuple),
        into=st.none() | slugs,
    ),
)
some_rows = st.lists(rows, max_size=3).map(tuple)
drops = st.builds(
    Drop,
    code=st.sampled_from(DropCode),
    subject=texts,
    text=texts,
    reason=texts,
    kept_on=texts,
    fact=texts,
    rows=some_rows,
)
refusals = st.builds(Refusal, gate=texts, page=texts, anchor=texts, sentence=texts, expected=texts, found=texts)
draftings = st.builds(
    Drafting,
    drafter=texts,
    model=texts,
    parameters=st.dictionaries(texts, numbers, max_size=3),
    prompt_sha256=hexes,
    tokens_in=numbers,
    tokens_out=numbers,
    milliseconds=numbers,
)
full_draftings = st.builds(
    Drafting,
    drafter=texts,
    parameters=st.just({}),
    answers=st.lists(texts, max_size=2).map(tuple),
    drops=st.lists(drops, max_size=2).map(tuple),
)
spendings = st.builds(
    Spending, calls=numbers, tokens_in=numbers, tokens_out=numbers, milliseconds=numbers, facts=numbers
)
records = st.builds(
    Record,
    run=run_ids,
    kind=st.sampled_from(RunKind),
    at=times,
    rows=some_rows,
    drafting=draftings,
    reply=texts,
    drops=st.lists(drops, max_size=2).map(tuple),
    refusals=st.lists(refusals, max_size=2).map(tuple),
)
decisions = st.builds(
    Decision,
    run=run_ids,
    parent=hexes,
    commit=hexes,
    files=st.lists(st.builds(FileChange, path=texts, before=hexes, after=hexes), max_size=3).map(tuple),
    locks_taken=st.lists(texts, max_size=2).map(tuple),
)
spelled = st.one_of(metas, drops, refusals, draftings, full_draftings, spendings, records, decisions)


@given(spelled)
def test_a_value_is_read_back_from_its_spelling(value: Any) -> None:  # noqa: ANN401 - any class with the pair
    wire = parse_json(canonical_json(value.to_wire()))

    assert type(value).from_wire("value", wire) == value


@given(spelled)
def test_a_spelling_with_a_field_too_many_is_refused(value: Any) -> None:  # noqa: ANN401 - the same
    with pytest.raises(BadWire, match="unknown fields: surplus"):
        type(value).from_wire("value", value.to_wire() | {"surplus": 1})


@given(st.one_of(drops, refusals, draftings, spendings, records, decisions), st.data())
def test_a_spelling_with_a_field_missing_is_refused(value: Any, data: st.DataObject) -> None:  # noqa: ANN401 - the same
    wire = value.to_wire()
    name = data.draw(st.sampled_from(sorted(wire)))
    del wire[name]
    with pytest.raises(BadWire, match=f"value.{name}: is missing"):
        type(value).from_wire("value", wire)


@given(metas)
@settings(max_examples=20)
def test_meta_may_leave_out_only_what_it_may_not_have(meta: Meta) -> None:
    wire = meta.to_wire()
    for name in wire:
        short = {key: value for key, value in wire.items() if key != name}
        if name in {"raw", "text", "kept", "said_as", "sequence"}:
            assert Meta.from_wire("meta", short).id == meta.id
        else:
            with pytest.raises(BadWire, match=f"meta.{name}: is missing"):
                Meta.from_wire("meta", short)


@given(edits)
def test_an_edit_is_read_back_from_its_spelling(edit: Edit) -> None:
    wire = parse_json(canonical_json(edit_to_wire(edit)))

    assert edit_from_wire("edit", wire) == edit
    with pytest.raises(BadWire, match="unknown fields: surplus"):
        edit_from_wire("edit", wire | {"surplus": 1})


def test_every_edit_has_a_word_and_no_other_word_is_an_edit() -> None:
    assert len(get_args(Edit)) == 5
    with pytest.raises(BadWire, match="which is no edit"):
        edit_from_wire("edit", {"edit": "move-fact"})


@pytest.mark.parametrize("kept", [[1, 2], [1, 2, 3, 4], [1, 2, -3], "abc", [1, 2, True], None])
def test_a_kept_piece_is_three_whole_numbers(kept: object) -> None:
    wire = _meta().to_wire()
    assert Meta.from_wire("meta", wire | {"kept": [[1, 2, 3]]}).kept == ((1, 2, 3),)
    with pytest.raises(BadWire, match=r"meta\.kept\[0\]"):
        Meta.from_wire("meta", wire | {"kept": [kept]})


def _meta() -> Meta:
    whole = Digested(size=3, sha256="0" * 64)
    version = Version.parse("20261130-k3f9x2@1")
    return Meta(
        source=version.source,
        version=version.number,
        kind=VersionKind.PUSH,
        name="standup",
        format="text",
        extension="txt",
        title="",
        origin="",
        project="",
        session="",
        key="",
        channel=Channel.CLI,
        pushed_at="2026-11-30T18:02:11Z",
        observed_from=None,
        observed_to=None,
        certainty=Certainty.UNKNOWN,
        part=whole,
        whole=whole,
        pushed=whole,
        offset=0,
        parsed_to=3,
    )


@given(source_ids, positive)
def test_a_version_is_read_back_from_its_spelling(source: str, number: int) -> None:
    version = Version.parse(f"{source}@{number}")

    assert str(version) == f"{source}@{number}"
    assert (version.source, version.number) == (source, number)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "20261130-k3f9x2",
        "20261130-k3f9x2@",
        "20261130-k3f9x2@0",
        "20261130-k3f9x2@01",
        "20261130-k3f9x2@-1",
        "20261130-k3f9x2@1 ",
        "20261130-k3f9x2@1\n",
        "20261130-K3F9X2@1",
        "20261130-k3f9xu@1",
        "2026113-k3f9x2@1",
        "٢٠٢٦١١٣٠-k3f9x2@1",
        "20261130-k3f9x2@١",
        "20261130-k3f9x2@" + "9" * 5000,
        "../../etc/passwd@1",
    ],
)
def test_what_is_no_version_is_refused(text: str) -> None:
    with pytest.raises(BadInput, match="is not a version"):
        Version.parse(text)


@given(rows)
def test_a_row_is_read_back_from_its_spelling(row: Row) -> None:
    assert row_item("row", str(row)) == row


@pytest.mark.parametrize(
    "value",
    [
        "20261130-k3f9x2@1",
        "20261130-k3f9x2@1:5",
        "20261130-k3f9x2@1:6-5",
        "20261130-k3f9x2@1:06-7",
        "20261130-k3f9x2@0:5-6",
        "20261130-k3f9x2@1:٥-6",
        "20261130-k3f9x2@1:5-6\n",
        "20261130-k3f9x2@1:5-" + "9" * 5000,
        7,
        None,
    ],
)
def test_what_is_no_row_is_refused(value: object) -> None:
    assert row_item("row", "20261130-k3f9x2@1:5-5").end == 5
    with pytest.raises(BadWire):
        row_item("row", value)


def test_a_passage_s_words_are_its_spans_one_a_line() -> None:
    spans = tuple(Span(start=at, end=at + 3, enc=Encoding.PLAIN, text=text) for at, text in ((0, "one"), (8, "two")))
    turn = passage("one", number=7, spans=spans)

    assert turn.text == "one\ntwo"
    assert str(turn) == f"{turn.source}@1#7"


@pytest.mark.parametrize(
    ("data", "enc", "words"),
    [
        (b"caf\xc3\xa9", Encoding.PLAIN, "café"),
        (b"caf\xc3", Encoding.PLAIN, None),
        (b"\xa9", Encoding.TEXT, None),
        (rb"a\nb\u00e9", Encoding.PLAIN, r"a\nb\u00e9"),
        (rb"a\nb\u00e9", Encoding.JSON, "a\nbé"),
        (rb"\ud83d\ude00", Encoding.JSON, "😀"),
        (rb"\ud83d", Encoding.JSON, None),
        (rb"a\u00", Encoding.JSON, None),
        (b"a\\", Encoding.JSON, None),
        (b'a","b', Encoding.JSON, None),
        (b'a"', Encoding.JSON, None),
        (b'a\\"', Encoding.JSON, 'a"'),
        (b"", Encoding.JSON, ""),
    ],
)
def test_bytes_are_whole_words_of_their_encoding_or_none(data: bytes, enc: Encoding, words: str | None) -> None:
    assert decode_span(data, enc) == words


def test_a_drafting_without_answers_of_a_models_is_spelled_as_it_always_was() -> None:
    assert {"answers", "drops"}.isdisjoint(Drafting(drafter="rules").to_wire())
    assert Drafting(drafter="m", answers=("{}",)).to_wire()["answers"] == ["{}"]
