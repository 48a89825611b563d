"""The changelog of a page: one line for each of the newest runs that touched it, composed by the engine.

    - 2026-11-30 18:04Z r-20261130T180400Z-ab12: +2 facts, 1 closed from 20261130-k3f9x2@1

What was added, superseded, closed and written as prose stands in this order, without what is zero; a run that only
gave the page other names says `page changed`. At most three sources are named.
"""

import re
from collections.abc import Sequence

from xysq.model.page import ChangelogEntry

HEADING = "Changelog"
NAMED_SOURCES = 3
_LINE = re.compile(r"- \d{4}-\d{2}-\d{2} \d{2}:\d{2}Z r-[0-9A-Za-z-]+: [ -~]+")


def line(entry: ChangelogEntry) -> str:
    """Compose the line of one run, list mark included."""
    moment = f"{entry.at[:10]} {entry.at[11:16]}Z"
    return f"- {moment} {entry.run}: {', '.join(_parts(entry))}{_sources(entry)}"


def compose_changelog(entries: Sequence[ChangelogEntry]) -> tuple[str, ...]:
    """Compose the lines of a page's changelog, in the order of the entries."""
    return tuple(line(entry) for entry in entries)


def is_changelog_line(text: str) -> bool:
    """Tell whether a line has the shape of a changelog line."""
    return _LINE.fullmatch(text) is not None


def _parts(entry: ChangelogEntry) -> list[str]:
    facts = "fact" if entry.asserted == 1 else "facts"
    counted = (
        (entry.asserted, f"+{entry.asserted} {facts}"),
        (entry.superseded, f"{entry.superseded} superseded"),
        (entry.closed, f"{entry.closed} closed"),
        (entry.prose, f"{entry.prose} prose"),
    )
    return [words for count, words in counted if count] or ["page changed"]


def _sources(entry: ChangelogEntry) -> str:
    if not entry.sources:
        return ""
    named = ", ".join(str(version) for version in entry.sources[:NAMED_SOURCES])
    more = len(entry.sources) - NAMED_SOURCES
    return f" from {named}" + (f" and {more} more" if more > 0 else "")
