"""Slugs: the file names of pages, given once and for ever.

A slug is NFC and case-folded, so that two names which a file system may take for one are one: letters of any
script with their marks, decimal digits and single `-` between them, at most 80 bytes of UTF-8, and none of the
names that some systems reserve for devices.
"""

import re
import unicodedata
from collections.abc import Callable

from xysq.model.fact import Slug
from xysq.pages.character import is_invisible

MAX_SLUG_BYTES = 80
FALLBACK = "page"
_RESERVED = re.compile(r"(?:con|prn|aux|nul|(?:com|lpt)[0-9])")
_DASHES = re.compile(r"-+")


def slugify(title: str) -> Slug:
    """Return the slug that follows from a title; never empty, always legal."""
    folded = unicodedata.normalize("NFC", unicodedata.normalize("NFC", title).casefold())
    kept = "".join(char if _is_letter(char) else "-" for char in folded)
    slug = _tidy(_cut(_tidy(kept), MAX_SLUG_BYTES)) or FALLBACK
    return Slug(f"{slug}-{FALLBACK}" if _RESERVED.fullmatch(slug) else slug)


def free_slug(title: str, taken: Callable[[str], bool]) -> Slug:
    """Return the title's slug, or the first of `-2`, `-3`, … that is not taken."""
    base = slugify(title)
    candidate, number = base, 1
    while taken(candidate):
        number += 1
        suffix = f"-{number}"
        candidate = Slug(_tidy(_cut(base, MAX_SLUG_BYTES - len(suffix))) + suffix)
    return candidate


def is_slug(text: str) -> bool:
    """Tell whether a text is a slug: what a path may be made from."""
    return 0 < len(text) <= MAX_SLUG_BYTES and slugify(text) == text


def _is_letter(char: str) -> bool:
    category = unicodedata.category(char)
    return (category[0] in "LM" or category == "Nd") and category != "Me" and not is_invisible(char)


def _tidy(text: str) -> str:
    """Leave single dashes between words, none at the ends, and no mark without a letter before it."""
    words = (_lettered(word) for word in _DASHES.split(text))
    return "-".join(word for word in words if word)


def _lettered(word: str) -> str:
    place = 0
    while place < len(word) and unicodedata.category(word[place])[0] == "M":
        place += 1
    return word[place:]


def _cut(text: str, most: int) -> str:
    return text.encode("utf-8", "ignore")[:most].decode("utf-8", "ignore")
