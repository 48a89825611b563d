"""Render, one thing: a page, a block, a fact, a source, a version, a passage or a run."""

from collections.abc import Iterator
from typing import assert_never

from xysq.cli.line import INDENT, Line, counted, faint, flat, ident, line, moment, rows, strong, warning
from xysq.cli.render_fact import fact
from xysq.cli.render_run import run_report
from xysq.model.report import (
    Shown,
    ShownBlock,
    ShownFact,
    ShownPage,
    ShownPassage,
    ShownRun,
    ShownSource,
    ShownVersion,
)
from xysq.model.source import Meta, Passage


def shown(thing: Shown) -> Iterator[Line]:
    """Yield a thing for people."""
    match thing:
        case ShownPage():
            yield from rows(thing.data.decode("utf-8", "backslashreplace"))
        case ShownFact():
            yield from fact(thing.fact, thing.title)
        case ShownBlock():
            yield from _block(thing)
        case ShownVersion():
            yield from _meta(thing.meta)
            for passage in thing.passages:
                yield line()
                yield from _passage(passage)
        case ShownSource():
            yield line(ident(thing.source), f"  {counted(thing.facts, 'open fact')} quote it")
            for meta in thing.versions:
                yield line()
                yield from _meta(meta)
        case ShownPassage():
            yield line(faint(f"in {flat(thing.title)}")) if thing.title else line(faint("in a source without a title"))
            yield from _passage(thing.passage)
        case ShownRun():
            yield from run_report(thing.report)
        case _:
            assert_never(thing)


def _block(block: ShownBlock) -> Iterator[Line]:
    mark = warning("  [unproven]") if block.unproven else ""
    yield line(ident(block.block), faint("  on "), block.page, mark)
    if block.text is None:
        yield line(faint("it stands there no more"))
    else:
        yield from rows(block.text)


def _meta(meta: Meta) -> Iterator[Line]:
    size = f"{counted(meta.whole.size, 'byte')}"
    brought = f", {meta.part.size:,} of them new" if meta.part.size != meta.whole.size else ""
    yield line(ident(str(meta.id)), f"  {meta.kind.value}, {meta.format}, {size}{brought}")
    for name, value in (
        ("title", meta.title),
        ("name", meta.name),
        ("from", meta.origin),
        ("project", meta.project),
        ("session", meta.session),
        ("pushed", f"{moment(meta.pushed_at)} over {meta.channel.value}"),
        ("said", _said(meta)),
        ("as", "" if meta.said_as is None else f"{meta.said_as[1] or 'me'} ({meta.said_as[0].value})"),
        ("sha256", meta.whole.sha256),
    ):
        if value:
            yield line(INDENT, faint(f"{name:<8}"), flat(value))


def _said(meta: Meta) -> str:
    if meta.observed_from is None:
        return ""
    until = f" to {moment(meta.observed_to)}" if meta.observed_to not in (None, meta.observed_from) else ""
    return f"{moment(meta.observed_from)}{until}, {meta.certainty.value}"


def _passage(passage: Passage) -> Iterator[Line]:
    speaker = passage.speaker or passage.role.value
    role = f" ({passage.role.value})" if passage.speaker else ""
    own = warning("  [recall of this vault, no evidence]") if passage.own else ""
    at = f"  {moment(passage.at)}" if passage.at else ""
    yield line(ident(str(passage)), "  ", strong(speaker), faint(f"{role}{at}"), own)
    yield from rows(passage.text, INDENT)
