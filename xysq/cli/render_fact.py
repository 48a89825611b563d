"""Render, facts: one fact with its quotes, and everything it rests on."""

from collections.abc import Iterable, Iterator

from xysq.cli.line import INDENT, Line, Piece, Tone, faint, flat, ident, line, moment, strong, warning
from xysq.model.fact import Closed, Evidence, Fact
from xysq.model.report import Context, Why
from xysq.pages.escape import plain


def fact(stated: Fact, title: str) -> Iterator[Line]:
    """Yield a fact: its text, what it says of which page, its life, its quotes."""
    yield line(strong(flat(plain(stated.text))))
    yield line(ident(stated.id), f"  {stated.label.value}, {stated.state}", faint("  on "), title_of(stated, title))
    yield line(faint(f"{stated.attribute} = "), stated.value)
    observed = f", said {moment(stated.observed)}" if stated.observed else ""
    yield line(faint(f"committed {moment(stated.at)} in {stated.run}{observed}"))
    for evidence in stated.evidence:
        yield line(INDENT, Piece(f"«{flat(evidence.quote)}»", Tone.QUOTE))
        yield line(INDENT, INDENT, said(evidence))


def title_of(stated: Fact, title: str) -> str:
    """Name the page of a fact."""
    return title if title == stated.page else f"{title} ({stated.page})"


def said(evidence: Evidence) -> Piece:
    """Say who said a quote, when, and where it stands."""
    speaker = evidence.speaker or evidence.role.value
    role = f" ({evidence.role.value})" if evidence.speaker else ""
    at = f", {moment(evidence.at)}" if evidence.at else ", time unknown"
    return faint(f"{evidence.cited}#{evidence.passage}  {speaker}{role}{at}, {evidence.channel.value}")


def why(told: Why) -> Iterator[Line]:
    """Yield everything a fact rests on and what rests on it, down to the words."""
    stated = told.fact
    yield line(strong(flat(told.text)))
    state = f"  {stated.label.value}, {stated.state}"
    yield line(ident(stated.id), state, faint("  on "), title_of(stated, told.title))
    yield line(faint(f"{stated.attribute} = "), stated.value)
    model = f" with {told.model}" if told.model else ""
    drafter = f" by {told.drafter}{model}" if told.drafter else ""
    yield line(faint(f"committed {moment(stated.at)} in {told.run}{drafter}"))
    yield from _contexts("said", told.contexts)
    yield from _facts("concluded from", told.premises)
    yield from _facts("took the place of", told.predecessors)
    if told.successor is not None:
        yield from _facts("gave way to", (told.successor,))
    if isinstance(stated.life, Closed):
        life = stated.life
        by = f" by {life.by}" if life.by else ""
        yield line()
        yield line(strong("ended "), f"{moment(life.at)}{by}: {life.reason.value}, cause ", ident(life.cause))
        yield from _contexts("because of the words", told.ending)
    yield from _facts("concluded from it", told.conclusions)


def _contexts(heading: str, contexts: Iterable[Context]) -> Iterator[Line]:
    for place, context in enumerate(contexts):
        if not place:
            yield line()
            yield line(strong(heading))
        quote = Piece(f"«{flat(context.quote)}»", Tone.QUOTE)
        yield line(INDENT, _joined(context.before, is_before=True), quote, _joined(context.after, is_before=False))
        title = faint(f"  in {flat(context.title)}") if context.title else ""
        yield line(INDENT, INDENT, said(context.evidence), title)
        if context.is_damaged:
            yield line(INDENT, INDENT, warning("its log is damaged, so nothing can be said of it. Next: xysq doctor"))
        elif not context.stands:
            yield line(INDENT, INDENT, warning("no longer stands: a later correction of the source took these words"))


def _joined(words: str, *, is_before: bool) -> str:
    """Return words on one line, keeping whether white space is between them and the quote."""
    edge = words[-1:] if is_before else words[:1]
    space = " " if edge.isspace() else ""
    return f"{flat(words)}{space}" if is_before else f"{space}{flat(words)}"


def _facts(heading: str, facts: Iterable[Fact]) -> Iterator[Line]:
    for place, one in enumerate(facts):
        if not place:
            yield line()
            yield line(strong(heading))
        yield line(INDENT, ident(one.id), f"  {flat(plain(one.text))}", faint(f"  {one.state}, {moment(one.at)}"))
