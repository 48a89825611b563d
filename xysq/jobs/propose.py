"""Propose: whoever calls is the drafter, of passages that it names itself.

A proposal is a draft whose quotes name passages by their ids, as searches print them. The passages it quotes are the
rows of the run, numbered in their order, and from there on it is a draft like any other: the same planner, quarantine
and gates. What it does not quote it has no part in, and stays pending.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from xysq.canonical import canonical_json
from xysq.errors import BadDraft, BadInput, NotFound
from xysq.jobs.answered import take_answer
from xysq.jobs.apply import passages_of, project_of
from xysq.jobs.batch import newest_push
from xysq.jobs.compose import Drafted, Ground
from xysq.jobs.hold import hold
from xysq.jobs.intact import prove_intact
from xysq.jobs.naming import PassageName
from xysq.jobs.opened import Opened
from xysq.model.draft import Draft
from xysq.model.event import RunKind
from xysq.model.report import RunReport
from xysq.model.run import Drafting
from xysq.model.source import Meta, Passage, Row, VersionKind
from xysq.store.readmodel import Snapshot

Wire = Mapping[str, Any]
_KEYS = frozenset({"facts", "closes"})


def propose(opened: Opened, proposal: Wire, drafting: Drafting) -> RunReport:
    """Take a proposal for the draft of the passages it quotes; report what became of it.

    Raises `BadDraft` where it is none, `NotFound` where it quotes a passage that is not there.
    """
    reply_of = _reader(proposal)
    names = tuple(dict.fromkeys(map(PassageName.parse, _quoted(proposal))))
    if not names:
        raise BadDraft("a proposal quotes at least one passage", "name it by its id, as a search prints it")

    def drafted(_: Ground, snapshot: Snapshot) -> Drafted:
        rows = tuple(sorted({_row(opened, snapshot, name) for name in names}))
        passages = passages_of(snapshot, rows)
        return Drafted(
            run=opened.new_run(),
            kind=RunKind.DISTILL,
            at=max(opened.now(), newest_push(snapshot, rows)),
            rows=rows,
            drafting=drafting,
            reply=reply_of(lambda name: _number(opened, snapshot, name, passages)),
            passages=passages,
            project=project_of(snapshot, rows),
        )

    with hold(opened) as held:
        return take_answer(held, drafted)


# Passages and rows


def _row(opened: Opened, snapshot: Snapshot, name: PassageName) -> Row:
    """Return a passage, and the bytes without words behind it, as work of the version that brought them."""
    passage = snapshot.logs.passage(name.version, name.number)
    if passage is None:
        raise NotFound("passage", f"{name.version}#{name.number}", "xysq search finds passages by their words")
    prove_intact(opened, passage)
    meta = _brought_by(snapshot.logs.metas(name.version.source), passage)
    around = snapshot.logs.passages(meta.id)
    following = next((one.start for one in around if one.start > passage.start), meta.whole.size)
    return Row(passage.source, meta.version, passage.start, max(passage.end, following))


def _brought_by(metas: Sequence[Meta], passage: Passage) -> Meta:
    """Return the version that brought a passage, which a longer one of the same bytes still shows."""
    known = {meta.version: meta for meta in metas}
    meta = known[passage.version]
    while meta.kind is VersionKind.APPEND:
        before = known[meta.version - 1]
        if passage.start >= min(meta.offset, before.parsed_to):
            break
        meta = before
    return meta


def _number(opened: Opened, snapshot: Snapshot, name: str, passages: Sequence[Passage]) -> int:
    """Return by which number a drafter would name a passage."""
    row = _row(opened, snapshot, PassageName.parse(name))
    for number, passage in enumerate(passages, start=1):
        if (passage.source, passage.version, passage.start) == (row.source, row.version, row.start):
            return number
    raise BadInput(f"passage {name} cannot be quoted", "name one of the newest version of its source")


# The wire


def _reader(proposal: Wire) -> Callable[[Callable[[str], int]], bytes]:
    """Return what spells a proposal as a draft, given the numbers of its passages; `BadDraft` where it is none."""
    strange = sorted(set(proposal) - _KEYS)
    if strange:
        raise BadDraft(f"the proposal has unknown fields: {', '.join(map(str, strange))[:200]}")

    def spelled(number_of: Callable[[str], int]) -> bytes:
        facts = [_filled(fact, place) for place, fact in enumerate(_list(proposal, "facts"), start=1)]
        numbered = {
            "facts": [_numbered(fact, number_of) for fact in facts],
            "closes": [_numbered(close, number_of) for close in _list(proposal, "closes")],
        }
        try:
            return canonical_json(numbered)
        except (ValueError, TypeError, RecursionError):
            raise BadDraft("the proposal is no JSON") from None

    Draft.parse(spelled(lambda _: 1))  # what is no draft is told before anything is held
    return spelled


def _list(proposal: Wire, key: str) -> list[Any]:
    found = proposal.get(key)
    if found is None:
        return []
    if not isinstance(found, list):
        raise BadDraft(f"the proposal's {key} are no list")
    return found


def _filled(fact: object, place: int) -> object:
    """Return a fact with what goes without saying: its place is its name, and it is stated."""
    return {"ref": str(place), "label": "stated", **fact} if isinstance(fact, dict) else fact


def _numbered(item: object, number_of: Callable[[str], int]) -> object:
    if not isinstance(item, dict) or not isinstance(item.get("quotes"), list):
        return item
    return item | {"quotes": [_numbered_quote(quote, number_of) for quote in item["quotes"]]}


def _numbered_quote(quote: object, number_of: Callable[[str], int]) -> object:
    if not isinstance(quote, dict):
        return quote
    name = quote.get("passage")
    if not isinstance(name, str):
        raise BadDraft("a quote names no passage by its id", "a passage is named as in 20261130-k3f9x2@1#7")
    return quote | {"passage": number_of(name)}


def _quoted(proposal: Wire) -> Iterator[str]:
    """Yield the ids of the passages that are quoted."""
    for item in (*_list(proposal, "facts"), *_list(proposal, "closes")):
        quotes: Iterable[Any] = item.get("quotes", ()) if isinstance(item, dict) else ()
        yield from (quote["passage"] for quote in quotes)
