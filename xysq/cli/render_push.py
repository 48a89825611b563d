"""Render, pushes: what they came to, and what to type next."""

from collections.abc import Sequence

from xysq.cli.line import counted
from xysq.model.report import Pushed


def stored(pushed: Sequence[Pushed], *, is_searchable: bool) -> str:
    """Say what pushes came to, and what to type next."""
    new = [one for one in pushed if one.kind is not None]
    if not new:
        return f"unchanged: {'these bytes are' if len(pushed) == 1 else 'all these bytes are'} kept already"
    size = counted(sum(one.gained for one in new), "byte")
    files = "" if len(pushed) == 1 else f" of {counted(len(new), 'source')}"
    passages = sum(one.passages or 0 for one in new)
    known = is_searchable and all(one.passages is not None for one in new)
    unreadable = sum(one.unreadable for one in new)
    if known and not passages and not unreadable:
        return f"stored {size}{files}, with no words in {'it' if len(new) == 1 else 'them'} to search"
    told = f" as {counted(passages, 'passage')}, searchable" if known else ", durable and not searchable yet"
    left = f"; {counted(unreadable, 'record')} could not be read, the bytes are kept" if unreadable else ""
    return f"stored {size}{files}{told}{left}. Next: xysq distill"
