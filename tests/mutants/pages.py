"""Damage to pages: bytes that no edit declares, edits that were not done, blocks that moved, changelogs that lie."""

import re
from collections.abc import Callable, Sequence
from random import Random

from tests.mutants.base import Base, Mutant
from tests.mutants.operator import Family, pick
from xysq.model.fact import Slug
from xysq.pages.spelling import fact_line

PAGES = Family("pages")
_ANCHOR = re.compile(rb"\^([fb]-[0-9a-z]{10})$")
_LOOKALIKES = {"a": "а", "e": "е", "o": "о", "c": "с", "p": "р", "i": "і", "x": "х", "A": "А", "B": "В"}
_ADDED = (b"x", b" ", b"\n", b"\xff", b"<", b"`", b"*", b"\\", b"\t", b"\r", b"\0", "\u200b".encode(), "é".encode())


def _page(base: Base, luck: Random) -> tuple[Slug, bytes] | None:
    return pick(luck, [(slug, data) for slug, data in base.run.after.items() if data])


def _lines(base: Base, luck: Random, change: Callable[[list[bytes], Random], list[bytes] | None]) -> Mutant | None:
    """Change the lines of one page."""
    found = _page(base, luck)
    if found is None:
        return None
    lines = change(found[1].split(b"\n"), luck)
    return None if lines is None else base.with_page(found[0], b"\n".join(lines))


def _numbers(lines: Sequence[bytes], wanted: Callable[[bytes], object]) -> list[int]:
    return [number for number, line in enumerate(lines) if wanted(line)]


def _log_start(lines: Sequence[bytes]) -> int:
    return lines.index(b"## Changelog") if b"## Changelog" in lines else len(lines)


def _blocks(lines: Sequence[bytes]) -> list[int]:
    return _numbers(lines, _ANCHOR.search)


@PAGES
def a_byte_changed(base: Base, luck: Random) -> Mutant | None:
    """Put another byte in the place of one."""
    found = _page(base, luck)
    if found is None:
        return None
    place = luck.randrange(len(found[1]))
    return base.with_page(found[0], found[1][:place] + bytes([luck.randrange(256)]) + found[1][place + 1 :])


@PAGES
def a_byte_added(base: Base, luck: Random) -> Mutant | None:
    """Put a byte, or a character, somewhere."""
    found = _page(base, luck)
    if found is None:
        return None
    place = luck.randrange(len(found[1]) + 1)
    return base.with_page(found[0], found[1][:place] + luck.choice(_ADDED) + found[1][place:])


@PAGES
def a_byte_gone(base: Base, luck: Random) -> Mutant | None:
    """Take some bytes away."""
    found = _page(base, luck)
    if found is None:
        return None
    place = luck.randrange(len(found[1]))
    return base.with_page(found[0], found[1][:place] + found[1][place + luck.randint(1, 3) :])


@PAGES
def a_letter_that_looks_alike(base: Base, luck: Random) -> Mutant | None:
    """Spell a word with a letter of another script."""

    def change(lines: list[bytes], luck: Random) -> list[bytes] | None:
        number = luck.randrange(len(lines))
        text = lines[number].decode("utf-8", "replace")
        places = [place for place, letter in enumerate(text) if letter in _LOOKALIKES]
        place = pick(luck, places)
        if place is None:
            return None
        lines[number] = f"{text[:place]}{_LOOKALIKES[text[place]]}{text[place + 1 :]}".encode()
        return lines

    return _lines(base, luck, change)


@PAGES
def a_block_gone(base: Base, luck: Random) -> Mutant | None:
    """Leave out a block: an old one, or one that an edit declares."""

    def change(lines: list[bytes], luck: Random) -> list[bytes] | None:
        number = pick(luck, _blocks(lines))
        if number is None:
            return None
        end = number + 1 + (luck.random() < 0.5 and lines[number + 1 : number + 2] == [b""])
        return lines[:number] + lines[end:]

    return _lines(base, luck, change)


@PAGES
def a_block_doubled(base: Base, luck: Random) -> Mutant | None:
    """Show a block twice, under its own anchor."""

    def change(lines: list[bytes], luck: Random) -> list[bytes] | None:
        number = pick(luck, _blocks(lines))
        if number is None:
            return None
        to = luck.randint(0, len(lines))
        return [*lines[:to], lines[number], *([b""] if luck.random() < 0.5 else []), *lines[to:]]

    return _lines(base, luck, change)


@PAGES
def a_block_moved(base: Base, luck: Random) -> Mutant | None:
    """Move a block to another place of its page."""

    def change(lines: list[bytes], luck: Random) -> list[bytes] | None:
        number = pick(luck, _blocks(lines))
        if number is None:
            return None
        line, rest = lines[number], [*lines[:number], *lines[number + 1 :]]
        to = luck.randint(0, _log_start(rest))
        return [*rest[:to], line, *rest[to:]]

    return _lines(base, luck, change)


@PAGES
def blocks_exchanged(base: Base, luck: Random) -> Mutant | None:
    """Put two blocks in each other's place, or give them each other's anchor."""

    def change(lines: list[bytes], luck: Random) -> list[bytes] | None:
        numbers = _blocks(lines)
        if len(numbers) < 2:
            return None
        one, other = luck.sample(numbers, 2)
        if luck.random() < 0.5:
            lines[one], lines[other] = lines[other], lines[one]
        else:
            (head, anchor), (other_head, other_anchor) = (lines[at].rsplit(b"^", 1) for at in (one, other))
            lines[one], lines[other] = head + b"^" + other_anchor, other_head + b"^" + anchor
        return lines

    return _lines(base, luck, change)


@PAGES
def a_block_on_another_page(base: Base, luck: Random) -> Mutant | None:
    """Show a block of one page on another."""
    found = _page(base, luck)
    other = pick(luck, [page for page in base.slugs if found is not None and page != found[0]])
    if found is None or other is None:
        return None
    lines = found[1].split(b"\n")
    number = pick(luck, _blocks(lines))
    data = base.run.after.get(other, b"")
    if number is None:
        return None
    if not data:
        return base.with_page(other, lines[number] + b"\n")
    theirs = data.split(b"\n")
    to = luck.randint(1, _log_start(theirs))
    return base.with_page(other, b"\n".join([*theirs[:to], lines[number], *theirs[to:]]))


@PAGES
def a_block_reworded(base: Base, luck: Random) -> Mutant | None:
    """Change a word of a block."""

    def change(lines: list[bytes], luck: Random) -> list[bytes] | None:
        number = pick(luck, _blocks(lines))
        if number is None:
            return None
        words = lines[number].split(b" ")
        place = pick(luck, range(1 if words[0] == b"-" else 0, len(words) - 1))
        if place is None:
            return None
        words[place] = luck.choice((b"not", words[place].upper(), words[place] + b"s", b"\\" + words[place], b""))
        lines[number] = b" ".join(words)
        return lines

    return _lines(base, luck, change)


@PAGES
def an_anchor_changed(base: Base, luck: Random) -> Mutant | None:
    """Give a block another anchor, one of the other kind, or none."""

    def change(lines: list[bytes], luck: Random) -> list[bytes] | None:
        number = pick(luck, _blocks(lines))
        if number is None:
            return None
        head, anchor = lines[number].rsplit(b"^", 1)
        new = luck.choice((anchor[:-1] + b"0", b"b" + anchor[1:], b"f" + anchor[1:], anchor.upper(), anchor[:-1], b""))
        lines[number] = head + b"^" + new if new else head.rstrip()
        return lines

    return _lines(base, luck, change)


@PAGES
def a_fact_merged_into_prose(base: Base, luck: Random) -> Mutant | None:
    """Make a fact's words part of a paragraph."""

    def change(lines: list[bytes], luck: Random) -> list[bytes] | None:
        facts = [number for number in _blocks(lines) if lines[number].startswith(b"- ")]
        prose = [number for number in _blocks(lines) if not lines[number].startswith(b"- ")]
        number, other = pick(luck, facts), pick(luck, prose)
        if number is None:
            return None
        words = lines[number][2:].rsplit(b" ^", 1)[0]
        if other is None:
            lines[number] = words + b" ^b-" + lines[number][-10:]
            return lines
        lines[other] = words + b" " + lines[other]
        return [*lines[:number], *lines[number + 1 :]]

    return _lines(base, luck, change)


@PAGES
def an_ended_fact_shown(base: Base, luck: Random) -> Mutant | None:
    """Leave the block of a fact that has ended, or put it back, under its anchor or under a new one."""
    ended = base.ended_later()
    facts = [fact for fact in base.facts if fact.page in base.run.after and (not fact.is_open or fact.id in ended)]
    fact = pick(luck, facts)
    if fact is None or not base.run.after[fact.page]:
        return None
    lines = base.run.after[fact.page].split(b"\n")
    to = luck.randint(min(5, len(lines)), _log_start(lines))
    anchor = fact.id if luck.random() < 0.6 else f"f-{luck.randrange(10**10):010d}"
    shown = fact_line(fact.text, anchor).encode()
    return base.with_page(fact.page, b"\n".join([*lines[:to], shown, *lines[to:]]))


@PAGES
def a_page_not_written(base: Base, luck: Random) -> Mutant | None:
    """Leave a page out of the files of the run, or empty."""
    found = _page(base, luck)
    if found is None:
        return None
    if luck.random() < 0.5:
        return base.with_page(found[0], b"")
    return base.with_pages({slug: data for slug, data in base.run.after.items() if slug != found[0]})


@PAGES
def another_page_written(base: Base, luck: Random) -> Mutant | None:
    """Write a page that no event is about: one the state knows, or one nobody knows."""
    slug = luck.choice((*base.slugs, Slug("nobody"), Slug("../x"), Slug("no slug")))
    if slug in base.run.after:
        return None
    page = base.state.ledger.page(slug)
    data = b"---\ntitle: Nobody\n---\n\n# Nobody\n" if page is None else base.file(slug)
    return base.with_page(slug, data + luck.choice((b"", b"\nWords.\n", b"- Words. ^f-0000000000\n")))


@PAGES
def a_heading_changed(base: Base, luck: Random) -> Mutant | None:
    """Rename, remove, add or double a heading."""

    def change(lines: list[bytes], luck: Random) -> list[bytes] | None:
        number = pick(luck, _numbers(lines, lambda line: line.startswith(b"## ")))
        heading = luck.choice((b"## Notes", b"## Rules", b"### Deep", b"# Title", b"Setext\n---", b"## "))
        if number is None or luck.random() < 0.3:
            to = luck.randint(0, _log_start(lines))
            return [*lines[:to], b"", heading, b"", *lines[to:]]
        if luck.random() < 0.5:
            lines[number] = luck.choice((heading, lines[number] + b" ", lines[number].upper(), b" " + lines[number]))
            return lines
        return lines[:number] + lines[number + 2 :]

    return _lines(base, luck, change)


@PAGES
def front_matter_changed(base: Base, luck: Random) -> Mutant | None:
    """Change title, kind or aliases in the file alone."""

    def change(lines: list[bytes], luck: Random) -> list[bytes] | None:
        if lines[0] != b"---":
            return None
        end = lines.index(b"---", 1)
        number = luck.randrange(1, end + 1)
        line = luck.choice((b"aliases: [Eve]", b"title: Eve", b"kind: god", b"evil: yes", b"# comment", b"", b"---"))
        if luck.random() < 0.5 and number < end:
            lines[number] = luck.choice((line, lines[number] + b"x", lines[number].replace(b": ", b":  ")))
            return lines
        return [*lines[:number], line, *lines[number:]]

    return _lines(base, luck, change)


_OPENERS = (
    b"```", b"~~~~", b"<div>", b"<!-- x", b"<script>", b"---", b"***", b"===", b"> quoted", b"* item", b"1. item",
    b"| a | b |", b"    code", b"\tcode", b"[x]: http://example.org", b"$$", b"%%", b"<details>", b"- [ ] task",
    b"![[embed]]", b"+++", b"^b-0000000000", b"- x ^f-0000000000", b"Loose words.", b"\\", b"<?php", b"<![CDATA[",
)  # fmt: skip


@PAGES
def a_line_that_opens_structure(base: Base, luck: Random) -> Mutant | None:
    """Put a line of Markdown, HTML or a comment between the lines of a page."""

    def change(lines: list[bytes], luck: Random) -> list[bytes] | None:
        to = luck.randint(0, len(lines))
        return [*lines[:to], luck.choice(_OPENERS), *([b""] if luck.random() < 0.5 else []), *lines[to:]]

    return _lines(base, luck, change)


@PAGES
def other_line_ends(base: Base, luck: Random) -> Mutant | None:
    """Change the file as a whole: line ends, its last one, a mark at its beginning, blank lines."""
    found = _page(base, luck)
    if found is None:
        return None
    slug, data = found
    changed = (
        data.replace(b"\n", b"\r\n"), data.rstrip(b"\n"), data + b"\n", b"\xef\xbb\xbf" + data, b"\n" + data,
        data.replace(b"\n\n", b"\n"), data.replace(b"\n\n", b"\n\n\n"), data.replace(b"\n", b" \n"), data + data,
        data.decode().encode("utf-16"), data + b"\0", data.replace(b" ", b"\xc2\xa0", 1),
    )  # fmt: skip
    return base.with_page(slug, luck.choice(changed))


# Changelogs

_LOG_LINES = (
    b"- 2026-01-01 00:00Z r-20260101T000000Z-0000: +1 fact", b"- forged", b"words", b"",
    b"- 2026-01-01 00:00Z r-x: +1 fact ^f-0000000000", b"## Changelog",
)  # fmt: skip


@PAGES
def a_changelog_line_added(base: Base, luck: Random) -> Mutant | None:
    """Write a line into a changelog: true to its form, or not."""

    def change(lines: list[bytes], luck: Random) -> list[bytes] | None:
        start = _log_start(lines) + 2
        if start >= len(lines):
            return None
        new = luck.choice((*_LOG_LINES, luck.choice(lines[start : len(lines) - 1])))
        to = luck.randint(start, len(lines) - 1)
        return [*lines[:to], new, *lines[to:]]

    return _lines(base, luck, change)


@PAGES
def a_changelog_line_changed(base: Base, luck: Random) -> Mutant | None:
    """Re-date, recount, rename or remove a line of a changelog, or put another in its place."""

    def change(lines: list[bytes], luck: Random) -> list[bytes] | None:
        number = pick(luck, range(_log_start(lines) + 2, len(lines) - 1))
        if number is None:
            return None
        line = lines[number]
        act = luck.randrange(4)
        if act == 0:
            return lines[:number] + lines[number + 1 :]
        if act == 1 and number + 2 < len(lines):
            lines[number], lines[number + 1] = lines[number + 1], lines[number]
            return lines
        lines[number] = luck.choice(
            (
                line.replace(b"2026-1", b"2025-1"),
                line.replace(b"Z ", b"Z", 1),
                re.sub(rb"\+\d+ facts?", b"+9 facts", line),
                re.sub(rb" from .*", b"", line),
                line + b" ^f-0000000000",
                line.replace(b": ", b": 9 closed, "),
                b"  " + line,
            )
        )
        return lines

    return _lines(base, luck, change)


@PAGES
def a_changelog_heading_forged(base: Base, luck: Random) -> Mutant | None:
    """Forge or break the heading of the changelog, or put blocks behind it."""

    def change(lines: list[bytes], luck: Random) -> list[bytes] | None:
        start = _log_start(lines)
        if start == len(lines):
            return None
        match luck.randrange(5):
            case 0:
                lines[start] = luck.choice(
                    (b"## changelog", b"# Changelog", b"## Changelog ", b"##  Changelog", b"## Log")
                )
            case 1:
                forged = [b"## Changelog", b"", b"- 2026-01-01 00:00Z r-20260101T000000Z-0000: +1 fact", b""]
                to = luck.randint(0, len(lines))
                lines = [*lines[:to], *forged, *lines[to:]]
            case 2:
                lines = [*lines[:-1], b"", b"Words behind. ^b-0000000000", b""]
            case 3:
                lines = [*lines[: start - 1], *lines[start + 1 :]]
            case _:
                lines = [*lines[start:-1], b"", *lines[:start]]
        return lines

    return _lines(base, luck, change)


# Conflict markers

_PREFIXES = (b"", b" ", b"   ", b"\t", b"- ", b"* ", b"> ", b"1. ", b"> - ", b"+ ", b"10) ")
_MARKERS = (b"<<<<<<< HEAD", b">>>>>>> theirs", b"||||||| base", b"<<<<<<<", b">>>>>>>")


@PAGES
def a_conflict_marker(base: Base, luck: Random) -> Mutant | None:
    """Put a conflict marker on a page: indented, in a list, in a quote, in a fence, before a block's words."""

    def change(lines: list[bytes], luck: Random) -> list[bytes] | None:
        marker = luck.choice(_PREFIXES) + luck.choice(_MARKERS)
        to = luck.randint(0, len(lines))
        match luck.randrange(3):
            case 0:
                return [*lines[:to], b"```", marker, b"```", *lines[to:]]
            case 1 if _blocks(lines):
                number = luck.choice(_blocks(lines))
                lines[number] = marker + b" " + lines[number]
                return lines
            case _:
                return [*lines[:to], marker, *lines[to:]]

    return _lines(base, luck, change)
