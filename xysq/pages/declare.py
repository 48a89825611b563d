"""Declared edits: which change of a page belongs to which event."""

from collections.abc import Callable
from typing import assert_never

from xysq.model.event import (
    Asserted,
    Body,
    Confirmed,
    FactClosed,
    Forgotten,
    LearnedLate,
    PageChanged,
    ProseChanged,
    RunBegun,
    SupersededBy,
    Withdrawn,
)
from xysq.model.fact import FactId, Slug
from xysq.model.plan import Edit, FrontEdit, InsertFact, ProseEdit, RemoveFact, ReplaceFact


def edit_of(body: Body, page_of: Callable[[FactId], Slug | None]) -> Edit | None:
    """Return the edit an event declares; None for events that change no block.

    `page_of` tells on which page a fact stands, for closings; a fact it does not know is on the page "".
    """
    match body:
        case Asserted(statement=fact):
            return InsertFact(page=fact.page, fact=fact.fact, section=fact.section, text=fact.text, before=fact.before)
        case SupersededBy(statement=fact):
            return ReplaceFact(page=fact.page, fact=fact.fact, old=body.supersedes, text=fact.text)
        case FactClosed():
            return RemoveFact(page=page_of(body.fact) or Slug(""), fact=body.fact)
        case ProseChanged():
            return ProseEdit(page=body.page, op=body.op, block=body.block, text=body.text, after=body.after)
        case PageChanged():
            aliases = tuple(alias.name for alias in body.aliases)
            return FrontEdit(
                page=body.page, op=body.op, title=body.title, kind=body.kind, aliases=aliases, into=body.into
            )
        case RunBegun() | LearnedLate() | Confirmed() | Withdrawn() | Forgotten():
            return None
        case _:
            assert_never(body)
