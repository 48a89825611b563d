"""Tools that look: what is remembered of something, searches, one thing, what a fact rests on, what changed."""

from collections.abc import Iterable
from typing import Any, assert_never
from urllib.parse import quote

from xysq.jobs.changes import Ended, FactRef, Replaced
from xysq.mcp.desk import Desk
from xysq.mcp.facts import day, evidence_data, fact_data, fact_line, run_lines
from xysq.mcp.reply import MOST_TOKENS, Reply, answered, as_json, cut, fitting, listed, shortened
from xysq.model.report import (
    Context,
    Shown,
    ShownBlock,
    ShownFact,
    ShownPage,
    ShownPassage,
    ShownRun,
    ShownSource,
    ShownVersion,
    Status,
)
from xysq.model.source import Passage
from xysq.model.wire import Fields, number_item
from xysq.search.block import BUDGET, fenced, without_fences
from xysq.search.hit import Hit
from xysq.text import safe_line, tokens
from xysq.vault.api import Vault
from xysq.vault.options import SearchOptions

_MOST = MOST_TOKENS - 500  # what a reply says besides the words
_HITS = 10
_MOST_HITS = 50
_SHOWN_ROWS = 20


# pull_context


def pull_context(desk: Desk, given: Fields) -> Reply:
    """Recall what is known; the words stand inside the fence, by which they are known again and prove nothing."""
    query, limit = given.text("query"), given.optional("limit", number_item)
    budget = given.optional("budget", number_item)
    narrow = SearchOptions(as_of=given.optional_text("as_of"), project=given.optional_text("project"))
    given.done()
    wanted = BUDGET if budget is None else min(budget, _MOST)
    with desk.vault(Vault) as vault:
        recalled = vault.recall(query, budget=wanted, limit=limit, **narrow)
        notices = tuple(vault.notices)
    facts = [{"id": one.id, "at": one.at, "who": one.who, "page": one.page} for one in recalled.facts]
    passages = [
        {"id": one.id, "at": one.at, "who": one.who, "marks": [*map(str, one.marks)], "beside": one.beside or None}
        for group in recalled.groups
        for one in group
    ]
    shown = shortened({"facts": facts, "passages": passages})
    data = {"context": recalled.text, "is_empty": recalled.is_empty, **shown}
    return answered(data, [recalled.text.rstrip("\n")], notices)


# search and fetch, in the shapes that connectors look for


def search(desk: Desk, given: Fields) -> Reply:
    """Find passages, facts and prose; what no longer holds is marked."""
    query, limit = given.text("query"), given.optional("limit", number_item)
    given.done()
    with desk.vault(Vault) as vault:
        hits = vault.search(query, limit=max(1, min(limit or _HITS, _MOST_HITS)))
        notices = list(vault.notices)
    results, more = fitting(map(_result, hits))
    data: dict[str, Any] = {"results": results}
    if more:
        data["left_out"] = more
    if notices:
        data["notices"] = notices
    return as_json(data)


def _result(hit: Hit) -> dict[str, Any]:
    marks = [*map(str, hit.marks), *(["unproven"] if hit.unproven else [])]
    result: dict[str, Any] = {
        "id": hit.id,
        "title": f"{hit.who}, {day(hit.at)}" if hit.page is None else hit.page,
        "url": _url(hit.id),
        "text": hit.text,
        "kind": hit.kind.value,
        "who": hit.who,
        "at": hit.at,
    }
    return result | ({"marks": marks} if marks else {}) | ({"beside": hit.beside} if hit.beside else {})


def fetch(desk: Desk, given: Fields) -> Reply:
    """Show one thing by its id."""
    name = given.text("id")
    given.done()
    with desk.vault(Vault) as vault:
        shown = vault.show(name)
        if isinstance(shown, ShownSource):
            shown = vault.show(str(shown.versions[-1].id))
        notices = list(vault.notices)
    title, text = _shown(shown)
    metadata: dict[str, Any] = {"is_whole": tokens(text) <= _MOST}
    if notices:
        metadata["notices"] = notices
    words = fenced(without_fences(cut(text, _MOST)))
    return as_json({"id": name, "title": title, "text": words, "url": _url(name), "metadata": metadata})


def _shown(shown: Shown) -> tuple[str, str]:
    """Return what a thing is called, and its words."""
    match shown:
        case ShownPage(slug=slug, data=data):
            return slug, data.decode("utf-8", "replace")
        case ShownFact(fact=fact, title=title):
            return title, fact_line(fact)
        case ShownBlock(page=page, text=text, unproven=unproven):
            return page, f"{'(unproven) ' if unproven else ''}{text or '(gone)'}"
        case ShownPassage(passage=passage, title=title):
            return title or str(passage), _passage_line(passage, passage.text)
        case ShownVersion(meta=meta, passages=passages):
            lines = (_passage_line(passage, safe_line(passage.text)) for passage in passages)
            return meta.title or str(meta.id), "\n".join(lines)
        case ShownSource(source=source):
            return source, ""
        case ShownRun(report=report):
            return report.run, "\n".join(run_lines(report))
        case _:
            assert_never(shown)


def _passage_line(passage: Passage, words: str) -> str:
    at = f" ({day(passage.at)})" if passage.at else ""
    return f"{passage}{at} {safe_line(passage.speaker or passage.role.value)}: {words}"


def _url(name: str) -> str:
    return f"xysq:{quote(name, safe='')}"


# why


def why(desk: Desk, given: Fields) -> Reply:
    """Explain a fact down to the words somebody said."""
    name = given.text("fact")
    given.done()
    with desk.vault(Vault) as vault:
        told = vault.why(name)
        notices = tuple(vault.notices)
    fact = told.fact
    lists = shortened(
        {
            "quotes": [_context(one) for one in told.contexts],
            "premises": [*map(fact_data, told.premises)],
            "replaced": [*map(fact_data, told.predecessors)],
            "conclusions": [*map(fact_data, told.conclusions)],
            "ended_by": [_context(one) for one in told.ending],
        }
    )
    successor = None if told.successor is None else fact_data(told.successor)
    correct = f"xysq correct {fact.id} 'NEW TEXT'"
    data = {
        "fact": fact_data(fact) | {"title": told.title},
        **lists,
        "replaced_by": successor,
        "run": told.run,
        "drafter": " ".join(filter(None, (told.drafter, told.model))),
        "correct": correct,
    }
    lines = [fact_line(fact), *listed(told.contexts, _context_line)]
    for name, facts in (
        ("concluded from", told.premises),
        ("took the place of", told.predecessors),
        ("gave way to", () if told.successor is None else (told.successor,)),
        ("concluded from it", told.conclusions),
    ):
        lines += [f"{name}: {fact_line(one)}" for one in facts]
    return answered(data, [*lines, f"to correct it, its owner types: {correct}"], notices)


def _context(one: Context) -> dict[str, Any]:
    words = {"quote": one.quote, "before": one.before, "after": one.after}
    return words | {"stands": one.stands, "title": one.title, **evidence_data(one.evidence), "passage": one.passage}


def _context_line(one: Context) -> str:
    stands = "" if one.stands else " (these words do not stand any more)"
    who = one.evidence.speaker or one.evidence.role.value
    return f"«{safe_line(one.quote)}» {safe_line(who)}, {day(one.evidence.at or 'time unknown')}, {one.passage}{stands}"


# diff


def diff(desk: Desk, given: Fields) -> Reply:
    """Tell which facts came, gave way and ended between two points."""
    rev1, rev2 = given.optional_text("rev1"), given.optional_text("rev2")
    given.done()
    with desk.vault(Vault) as vault:
        found = vault.diff(rev1, rev2)
        notices = tuple(vault.notices)
    facts = found.facts
    lists = shortened(
        {
            "asserted": [*map(_reference, facts.asserted)],
            "superseded": [_replaced(one) for one in facts.superseded],
            "closed": [_ended(one) for one in facts.closed],
            "confirmed": [*map(_reference, facts.confirmed)],
            "late": [*map(_reference, facts.late)],
            "passing": [*map(_reference, facts.passing)],
            "pages": list(found.pages),
        }
    )
    data = {"from": found.old.rev, "to": found.new.rev, "is_backwards": found.backwards, **lists}
    lines = [
        f"from {found.old.rev} to {found.new.rev}",
        *(f"+ {one.id} {safe_line(one.text)}" for one in facts.asserted),
        *(f"~ {one.new.id} {safe_line(one.new.text)} (before: {safe_line(one.old.text)})" for one in facts.superseded),
        *(f"- {one.fact.id} {safe_line(one.fact.text)} ({one.reason})" for one in facts.closed),
    ]
    return answered(data, lines if found else [*lines, "no difference"], notices)


def _reference(fact: FactRef) -> dict[str, Any]:
    quotes = [{"quote": piece.quote, **evidence_data(piece)} for piece in fact.evidence[:1]]
    return {"id": fact.id, "page": fact.page, "text": fact.text, "label": fact.label, "quotes": quotes}


def _replaced(one: Replaced) -> dict[str, Any]:
    return {"old": {"id": one.old.id, "text": one.old.text}, "new": _reference(one.new)}


def _ended(one: Ended) -> dict[str, Any]:
    return {"fact": {"id": one.fact.id, "text": one.fact.text}, "reason": one.reason, "cause": one.cause}


# status


def status(desk: Desk, given: Fields) -> Reply:
    """Tell where the vault stands."""
    given.done()
    with desk.vault(Vault) as vault:
        now = vault.status()
        notices = tuple(vault.notices)
    return answered(_status_data(now), _status_lines(now), notices)


def _status_data(now: Status) -> dict[str, Any]:
    counts = {
        "sources": now.sources,
        "passages": now.passages,
        "pages": now.pages,
        "open_facts": now.open_facts,
        "facts": now.facts,
    }
    named: dict[str, Iterable[object]] = {
        "pending": now.pending,
        "not_searchable": now.landed,
        "staged": now.staged,
        "refused": now.refused,
        "given_up": [one.row for one in now.given_up],
        "corrected_by_agents": now.by_agents,
        "unsaved_pages": now.unsaved_pages,
        "damaged": now.damaged,
    }
    lists = {name: list(map(str, items)) for name, items in named.items()}
    shown = {name: items[:_SHOWN_ROWS] for name, items in lists.items() if items}
    drafter = {"drafter": now.drafter, "drafter_trouble": now.drafter_trouble or None}
    return {**counts, **drafter, "counts": {name: len(items) for name, items in lists.items()}, **shown}


def _status_lines(now: Status) -> list[str]:
    data = _status_data(now)
    waiting = [f"{name}: {count:,}" for name, count in data["counts"].items() if count]
    memory = f"{now.sources:,} sources, {now.passages:,} passages, {now.pages:,} pages, {now.open_facts:,} open facts"
    return [memory, f"drafter: {now.drafter}", *waiting]
