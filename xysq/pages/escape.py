r"""Escape: words from outside as one line of inline Markdown, and back.

A line that `escape` spells renders as exactly the words it was given, under CommonMark with HTML switched on, and
opens nothing in Obsidian: no link, tag, comment, highlight, formula, footnote or anchor. A backslash is put only
before a sign that would open or close something where it stands, so ordinary sentences stay as they are.
`plain` is the inverse. `compose` lets `[[links]]` through where they resolve; `respell` brings a line of Markdown
into the one spelling `compose` would have given it, so `respell(text) == text` proves that a text makes nothing
but words and links.
"""

import re
from collections.abc import Callable, Iterable, Iterator

from xysq.frozen import frozen
from xysq.model.fact import Slug
from xysq.pages.character import character_fault, is_unspaced
from xysq.pages.slug import is_slug
from xysq.text import fold

Resolve = Callable[[str], tuple[Slug, str] | None]

_SPACE = re.compile(r"\s+")
_PUNCTUATION = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
_ESCAPED = r"\\([!-/:-@\[-`{-~])"
_MAX_LABEL = 300
_LINK = r"\[\[([^\[\]|\n]{1,300})(?:\|([^\[\]|\n]{1,300}))?\]\]"
_DRAFTED = re.compile(_LINK)
_MARKDOWN = re.compile(f"{_ESCAPED}|{_LINK}")
_UNESCAPE = re.compile(_ESCAPED)
_SIGNS = re.compile(r"_+|\*+|=+|~+|%+|#+|[\\`\[\]<>&$^+\-.()!|]")
_NUMBERED = re.compile(r"[0-9]{1,9}[.)](?= |$)")
_OPENS_HTML = re.compile(r"<(?:[A-Za-z/!?]|[^\s<>]*@)")
_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{0,31});")
_ISSUE = re.compile(r"""#[0-9]+(?=[\s.,;:!?)'"]|$)""")
_LAST_ANCHOR = re.compile(r"\^[A-Za-z0-9-]+$")
_OWN_ANCHOR = re.compile(r"(?:^|\s)\^(?:[fb]-[0-9a-z]|[A-Za-z0-9-]+\s*$)")
_CONFLICT = re.compile(r"[ \t>*+-]*(?:[0-9]{1,9}[.)][ \t]+)?(?:<{7}|\|{7}|>{7})(?:\s|$)")
_BASIC_PLANE = 0x10000


@frozen(kw_only=False)
class _Link:
    slug: Slug
    label: str  # as it is spelled inside the link


def fold_space(text: str) -> str:
    """Return the text with each run of white space as one space, and none at its ends."""
    return _SPACE.sub(" ", text).strip()


def escape(text: str) -> str:
    """Spell words as one line of inline Markdown; `plain` gives the words back, white space folded."""
    return _escaped(fold_space(text), before="", after="")


def plain(markdown: str) -> str:
    """Return the words a reader sees: escapes undone, links as their labels."""
    return _MARKDOWN.sub(_words, markdown)


def compose(text: str, resolve: Resolve) -> str:
    """Spell a drafter's text: `[[Name]]` and `[[Name|label]]` become links where `resolve` knows the name.

    `resolve` returns slug and title. The reader sees the words as they were typed, the title where a slug was.
    A name nobody knows stays as plain words, and so does a label that no link can hold.
    """
    return _spell(_drafted_pieces(fold_space(text), resolve))


def respell(markdown: str, resolve: Resolve | None = None) -> str:
    """Bring a line of Markdown into the spelling of `compose`; without `resolve`, links to slugs stay links."""
    return _spell(_markdown_pieces(fold_space(markdown), resolve or _as_it_is))


def text_fault(text: str) -> str | None:
    """Say why a text from outside may not become a block; None where it may."""
    if not text.strip():
        return "is empty"
    fault = character_fault(text)
    if fault is not None:
        return fault
    if _OWN_ANCHOR.search(text):
        return "holds an anchor of its own"
    return "holds a merge-conflict marker" if is_conflict_marker(text) else None


def is_conflict_marker(line: str) -> bool:
    """Tell whether a line is one of git's conflict markers, behind whatever indentation, list or quote mark."""
    return _CONFLICT.match(line) is not None


def is_shown(value: str, markdown: str) -> bool:
    """Tell whether the value stands in the words of a block."""
    return stands_in(value, plain(markdown))


def stands_in(value: str, words: str) -> bool:
    """Tell whether the value stands in plain words: folded, at word bounds where the script has them."""
    needle, hay = fold(value), fold(words)
    place = hay.find(needle) if needle else -1
    while place >= 0:
        if _is_bound(hay, place) and _is_bound(hay, place + len(needle)):
            return True
        place = hay.find(needle, place + 1)
    return False


# Words from Markdown


def _words(match: re.Match[str]) -> str:
    sign, name, label = match.groups()
    return sign if sign is not None else _UNESCAPE.sub(r"\1", name if label is None else label)


def _is_bound(hay: str, place: int) -> bool:
    """Tell whether no word runs across a place; a point or comma between digits is inside a number."""
    if place in (0, len(hay)):
        return True
    left, right = hay[place - 1], hay[place]
    if left in ".," and right.isdigit():
        return not hay[place - 2 : place - 1].isdigit()
    if right in ".," and left.isdigit():
        return not hay[place + 1 : place + 2].isdigit()
    return not (_is_word(left) and _is_word(right)) or is_unspaced(left) or is_unspaced(right)


def _is_word(char: str) -> bool:
    return char.isalnum() or char == "_"


# Markdown from words


def _as_it_is(name: str) -> tuple[Slug, str] | None:
    return (Slug(name), name) if is_slug(name) else None


def _drafted_pieces(text: str, resolve: Resolve) -> Iterator[str | _Link]:
    done = 0
    for match in _DRAFTED.finditer(text):
        yield text[done : match.start()]
        yield _linked(match[1], match[2], resolve)
        done = match.end()
    yield text[done:]


def _markdown_pieces(markdown: str, resolve: Resolve) -> Iterator[str | _Link]:
    done = 0
    for match in _MARKDOWN.finditer(markdown):
        yield markdown[done : match.start()]
        if match[1] is not None:
            yield match[1]
        else:
            label = None if match[3] is None else _UNESCAPE.sub(r"\1", match[3])
            yield _linked(_UNESCAPE.sub(r"\1", match[2]), label, resolve)
        done = match.end()
    yield markdown[done:]


def _linked(name: str, label: str | None, resolve: Resolve) -> str | _Link:
    """Return the link a name resolves to, or the words it would have shown."""
    typed = name.strip()
    shown = (label or "").strip() or typed
    found = resolve(typed) if typed else None
    if found is None or not is_slug(found[0]):
        return shown or name
    slug, title = found
    shown = fold_space(title) if shown == slug else shown
    label = _escaped(shown, before="|", after="]")
    fits = 0 < len(label) <= _MAX_LABEL and not any(sign in shown for sign in "[]|")
    return _Link(slug, label) if fits else shown


def _spell(pieces: Iterable[str | _Link]) -> str:
    """Spell pieces in a row; each run of words is escaped as a whole, in sight of the links around it."""
    row: list[str | _Link] = [""]
    for piece in pieces:
        if isinstance(piece, _Link):
            row += [piece, ""]
        else:
            row[-1] = f"{row[-1]}{piece}"
    last = len(row) - 1
    return "".join(
        _link(piece)
        if isinstance(piece, _Link)
        else _escaped(piece, before="]" if place else "", after="[" if place < last else "")
        for place, piece in enumerate(row)
    )


def _link(link: _Link) -> str:
    return f"[[{link.slug}]]" if link.label == link.slug else f"[[{link.slug}|{link.label}]]"


def _escaped(text: str, *, before: str, after: str) -> str:
    """Escape words that stand between two signs; "" is the start or the end of the line."""
    spelled: list[str] = []
    done = 0
    number = _NUMBERED.match(text) if before == "" else None
    for match in _SIGNS.finditer(text):
        start, end = match.span()
        previous = text[start - 1] if start else before
        following = text[end] if end < len(text) else after
        if (number and end == number.end()) or _opens(text, start, match.group(), previous, following):
            spelled += [text[done:start], "".join(f"\\{sign}" for sign in match.group())]
            done = end
    return "".join((*spelled, text[done:]))


def _opens(text: str, start: int, run: str, previous: str, following: str) -> bool:  # noqa: C901, PLR0911, PLR0912 - one arm a sign
    """Tell whether a run of one sign could open, close or be taken for something where it stands."""
    is_apart = previous == " " and following == " "
    match run[0]:
        case "`" | "[":
            return True
        case "\\":
            return following == "" or following in _PUNCTUATION
        case "*":
            return not is_apart
        case "_":
            return not (is_apart or (_is_plain_letter(previous) and _is_plain_letter(following)))
        case "=":
            return len(run) > 1 and not is_apart
        case "~" | "%":
            return len(run) > 1
        case "#":
            is_issue = len(run) == 1 and _ISSUE.match(text, start) is not None
            return not (is_apart or _is_plain_letter(previous) or is_issue)
        case "<":
            return _OPENS_HTML.match(text, start) is not None
        case "&":
            return _ENTITY.match(text, start) is not None
        case "$":
            return previous not in ("", " ")
        case "^":
            return previous in ("", " ") and following != "" and _LAST_ANCHOR.match(text, start) is not None
        case ">" | "|":
            return previous == ""
        case "-" | "+":
            return previous == "" and following in ("", " ")
        case "(" | "]":
            return previous == "]" and start == 0
        case "!":
            return following == "[" and start + 1 == len(text)
        case _:
            return False


def _is_plain_letter(char: str) -> bool:
    return char != "" and char.isalnum() and ord(char) < _BASIC_PLANE
