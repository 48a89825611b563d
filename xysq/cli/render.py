"""Render: values of everyday commands as lines for people, and as cells for programs."""

from collections.abc import Iterator, Sequence

from xysq.cli.line import (
    INDENT,
    Line,
    Piece,
    Tone,
    counted,
    faint,
    flat,
    ident,
    line,
    moment,
    strong,
    tabbed,
    warning,
)
from xysq.model.report import Finding, Grade, Happening, Health, Mended, Status, Tried, Verdict
from xysq.model.run import Refusal
from xysq.model.settings import Budgets
from xysq.model.spending import Spending
from xysq.text import differing, first_difference, spelled_out

_SIDE = 60  # characters shown on each side of a difference
_LISTED = 10
_REASONS = 3


# Status


def status(now: Status) -> Iterator[Line]:
    """Yield where the vault stands, what waits for whom, and what to type next."""
    yield _row("vault", now.root, faint(f"  commit {now.commit[:12] or 'none'}, {counted(now.events, 'event')}"))
    logs = f"{counted(now.sources, 'source')}, {counted(now.passages, 'passage')}"
    facts = f"{counted(now.open_facts, 'open fact')} of {now.facts:,} ever"
    yield _row("memory", f"{logs}, {counted(now.pages, 'page')}, {facts}")
    yield _row("drafter", f"{now.drafter}{' (no model)' if now.drafter == 'rules' else ''}")
    if now.drafter_trouble:
        yield _row("", warning(now.drafter_trouble))
    yield from _spent(now)
    yield from _waiting(now)
    yield from _troubles(now)


def _spent(now: Status) -> Iterator[Line]:
    """Yield what drafting cost, today and in the last month, and what may be spent on a day."""
    if now.spent_today.calls or now.budgets != Budgets():
        told = [spending_words(now.spent_today), *_budget_words(now.budgets)]
        yield _row("spent", f"today {'; '.join(told)}")
    if now.spent_lately.calls > now.spent_today.calls:
        yield _row("", f"in 30 days {spending_words(now.spent_lately)}")


def spending_words(spent: Spending) -> str:
    """Say what was spent and, where it brought facts, what one cost."""
    told = f"{counted(spent.calls, 'call')}, {counted(spent.tokens, 'token')}, {spent.seconds:,.0f} s"
    a_fact = spent.tokens_a_fact
    return told if a_fact is None else f"{told}: {counted(spent.facts, 'fact')}, {counted(a_fact, 'token')} each"


def _budget_words(budgets: Budgets) -> Iterator[str]:
    caps = ((budgets.calls, "call"), (budgets.tokens, "token"), (budgets.seconds, "second"))
    told = ", ".join(counted(cap, word) for cap, word in caps if cap is not None)
    if told:
        yield f"budget {told} a day"


def _waiting(now: Status) -> Iterator[Line]:
    if now.landed:
        yield _row("landed", f"{counted(len(now.landed), 'push', 'pushes')} not searchable yet")
    if now.pending:
        size = sum(row.end - row.start for row in now.pending)
        yield _row("pending", f"{counted(len(now.pending), 'row')}, {counted(size, 'byte')}. Next: xysq distill")
        yield from _named(str(row) for row in now.pending)
    else:
        yield _row("pending", "nothing")
    if now.tried:
        yield _row("tried", f"{counted(len(now.tried), 'pending row')} refused before. Next: xysq distill tries again")
        yield from _tried(now.tried)
    if now.staged:
        yield _row("staged", f"{counted(len(now.staged), 'run')}. Next: xysq show RUN, xysq verify, then xysq apply")
        yield from _named(now.staged)


def _troubles(now: Status) -> Iterator[Line]:
    if now.given_up:
        yield _row("given up", warning(counted(len(now.given_up), "row")), ". Next: xysq retry")
        yield from _tried(now.given_up)
    if now.refused:
        yield _row("refused", f"{counted(len(now.refused), 'run')} so far, kept to look at")
        yield from _named(now.refused)
    if now.unsaved_pages:
        yield _row("unsaved", f"{counted(len(now.unsaved_pages), 'page')} with edits of yours. Next: xysq adopt")
        yield from _named(now.unsaved_pages)
    if now.outdated_facts:
        told = "whose words the newest version of their source lacks"
        yield _row("outdated", f"{counted(now.outdated_facts, 'open fact')} {told}")
    if now.by_agents:
        yield _row("agents", f"{counted(len(now.by_agents), 'correction')} by agents over MCP. Next: xysq show RUN")
        yield from _named(now.by_agents)
    if now.problems:
        yield _row("problems", warning(f"{counted(len(now.problems), 'thing')} went wrong unseen, the last ones:"))
        for problem in now.problems[-_REASONS:]:
            yield line(INDENT, faint(f"{moment(problem.at)}  {problem.who}  "), flat(problem.what))
    for sentence in now.damaged:
        yield _row("damaged", warning(sentence))


def _tried(rows: Sequence[Tried]) -> Iterator[Line]:
    for one in rows[:_LISTED]:
        yield line(INDENT, ident(str(one.row)), f"  {counted(one.attempts, 'attempt')}")
        for refusal in one.refusals[:_REASONS]:
            yield line(INDENT, INDENT, refusal_words(refusal))


def _row(name: str, *parts: str | Piece) -> Line:
    return line(strong(f"{name:<10}"), *parts)


def _named(names: Iterator[str] | Sequence[str]) -> Iterator[Line]:
    listed = list(names)
    for name in listed[:_LISTED]:
        yield line(INDENT, ident(name))
    if len(listed) > _LISTED:
        yield line(INDENT, faint(f"and {len(listed) - _LISTED:,} more"))


# History


def happening(one: Happening) -> Line:
    """Return a line of a history."""
    subject = (ident(one.subject), "  ") if one.subject else ()
    run = faint(f"  {one.run}") if one.run else ""
    return line(faint(moment(one.at)), "  ", strong(one.what), "  ", *subject, flat(one.text), run)


def happening_cells(one: Happening) -> Line:
    """Return a line of a history for programs."""
    return tabbed(one.run or one.subject, one.at, one.subject, f"{one.what}: {one.text}")


# Findings


def verdict(judged: Verdict) -> Iterator[Line]:
    """Yield one line a refusal of a staged run: `RUN: gate: page#anchor: sentence`; nothing where it may land."""
    for refusal in judged.refusals:
        yield line(ident(judged.run), ": ", refusal_words(refusal))
        yield from _difference(refusal.expected, refusal.found)


def _difference(expected: str, found: str) -> Iterator[Line]:
    """Yield two texts around the place where they differ, so that the difference can be seen."""
    if expected == found:
        return
    place = first_difference(expected, found)
    letters = [text[place : place + 1] for text in (expected, found)]
    for name, words, letter, tone in zip(
        ("expected", "found   "), differing(expected, found, _SIDE), letters, (Tone.COME, Tone.GONE), strict=True
    ):
        # Letters of two scripts may look the same, so one beyond ASCII is named.
        named = "" if letter.isascii() else faint(f"  U+{ord(letter):04X}")
        yield line(INDENT, f"{name} ", Piece(f"“{spelled_out(words)}”", tone), named)


def refusal_words(refusal: Refusal) -> str:
    """Say a refusal: `gate: page#anchor: sentence`."""
    place = f"{refusal.page}#{refusal.anchor}" if refusal.anchor else refusal.page
    return ": ".join(part for part in (refusal.gate, place, flat(refusal.sentence)) if part)


def finding(one: Finding) -> Line:
    """Return a finding: `FILE:LINE: code: sentence`."""
    return line(f"{one.file}:{one.line}: ", Piece(one.code, Tone.WARN), f": {flat(one.sentence)}")


def mended(one: Mended) -> Line:
    """Return what was mended: `FILE: sentence`, and where what was there before is kept."""
    told = f"{one.file}: {flat(one.sentence)}"
    return line(told, " ", faint(f"(before: {flat(one.kept)})")) if one.kept else line(told)


def health_lines(one: Health) -> Iterator[Line]:
    """Yield what a doctor says of one thing, and what to type."""
    grade = one.grade.value if one.grade is Grade.OK else Piece(one.grade.value, Tone.WARN)
    yield line(grade, " " * (8 - len(one.grade.value)), f"{one.what}: {flat(one.sentence)}")
    if one.hint:
        yield line(INDENT, INDENT, faint(f"hint: type {flat(one.hint)}"))
