"""Terms: how words are spelled for the search index, so that every script and every identifier can be found.

The index cuts text where letters and digits end. That is enough for scripts that put spaces between words. Where a
script does not (Chinese, Japanese, Thai, Lao, Khmer, Burmese, and Korean with its particles), `spelled` writes each
run as its overlapping pairs of characters and the last one alone: a query of two or more characters is then a phrase
of pairs, a query of one is a prefix. Names such as `parseRunHeader` are one word to the index; `parts` gives their
pieces.

What changes here changes what stands in every index: raise `SPELLING` with it.
"""

import re
import unicodedata

from xysq.pattern import late
from xysq.text import encodable

SPELLING = 3
TOKENIZER = "porter unicode61 remove_diacritics 2 categories 'L* N* Co Mn Mc'"
MAX_PARTS = 400
MAX_WORD = 120
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3041-\u3096\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff"
)
UNSPACED_RUN = late(f"[{_UNSPACED}]+")
_JOINT = late(r"[A-Z](?<=[a-z0-9].)", re.DOTALL)
_ESCAPES = late(r"\x1b\[[0-9;:?]{0,40}[A-Za-z]")  # of colours and cursors, which would stick to the word behind
_WORD = late(r"[A-Za-z0-9]+")
_PIECE = late(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")


# What the tokenizer leaves as it is and people write both ways; Greek loses its accents, Russian the dots of a letter.
_PLAIN = {
    ord(letter): plain
    for letters, plain in (
        ("ß", "ss"), ("ẞ", "SS"), ("æ", "ae"), ("Æ", "AE"), ("œ", "oe"), ("Œ", "OE"), ("ø", "o"), ("Ø", "O"),
        ("þ", "th"), ("Þ", "Th"), ("đð", "d"), ("ĐÐ", "D"), ("ł", "l"), ("Ł", "L"), ("ı", "i"), ("ё", "е"), ("Ё", "Е"),
        ("άἀἁ", "α"), ("Ά", "Α"), ("έ", "ε"), ("Έ", "Ε"), ("ή", "η"), ("Ή", "Η"), ("ίϊΐ", "ι"), ("ΊΪ", "Ι"),
        ("ό", "ο"), ("Ό", "Ο"), ("ύϋΰ", "υ"), ("ΎΫ", "Υ"), ("ώ", "ω"), ("Ώ", "Ω"), ("ς", "σ"),
    )
    for letter in letters
}  # fmt: skip


class _Bare(dict[int, int]):
    """One character for one: without accent, narrow, lower case. Filled as characters are met."""

    def __missing__(self, code: int) -> int:
        first = unicodedata.normalize("NFKD", chr(code))[:1] or chr(code)
        lowered = first.lower()
        self[code] = ord(lowered) if len(lowered) == 1 else ord(first)
        return self[code]


_BARE = _Bare()


def bare(text: str) -> str:
    """Return the text in lower case and without accents, each character in its place."""
    return text.lower() if text.isascii() else text.translate(_BARE)


def is_unspaced(text: str) -> bool:
    """Tell whether a run of characters that no spaces part is in a text; its pattern is dear, and seldom due."""
    return not text.isascii() and UNSPACED_RUN().search(text) is not None


def spelled(text: str) -> str:
    """Return the text as the index takes it."""
    text = _ESCAPES().sub(" ", text) if "\x1b" in text else text
    return text.replace("\x00", " ") if text.isascii() else UNSPACED_RUN().sub(_pairs, _normal(text))


def findable(text: str) -> str:
    """Return the text as the index takes it and the pieces of its identifiers: all that can be found in it."""
    pieces = parts(text)
    return f"{spelled(text)} {pieces}" if pieces else spelled(text)


def parts(text: str) -> str:
    """Return the pieces of the identifiers in a text: `parseRunHeader` gives `parse Run Header`."""
    found: dict[str, None] = {}
    joint = _JOINT().search(text)
    while joint and len(found) < MAX_PARTS:
        start, end = joint.start() - 1, joint.end()
        while start and _WORD().match(text, start - 1, start):
            start -= 1
        word = _WORD().match(text, start)
        end = word.end() if word else end
        if end - start <= MAX_WORD:
            found.update(dict.fromkeys(_PIECE().findall(text, start, end)))
        joint = _JOINT().search(text, end)
    return " ".join(found)


def quoted(text: str) -> str:
    """Return the FTS5 expression for a text as one phrase, whatever it holds; "" where it has no word.

    Inside quotes nothing is syntax, and what stands there is cut into words exactly as the index cuts.
    """
    text = _normal(text).rstrip()
    start = len(text)
    while start and not text[start - 1].isascii() and UNSPACED_RUN().match(text, start - 1):
        start -= 1
    rest = text[start:]
    last = " ".join(pairs(rest)) if rest else ""
    words = f"{spelled(text[:start])} {last}".replace('"', " ").strip()
    if not any(letter.isalnum() for letter in words):
        return ""
    return f'"{words}" *' if len(rest) == 1 else f'"{words}"'


def pairs(run: str) -> tuple[str, ...]:
    """Return the overlapping pairs of a run of characters that no spaces part; one character stays alone."""
    return tuple(run[place : place + 2] for place in range(len(run) - 1)) or (run,)


def _normal(text: str) -> str:
    """Return the text with narrow forms for wide ones, plain letters, and nothing that SQLite could not take."""
    if text.isascii():
        return text.replace("\x00", " ")
    narrow = unicodedata.normalize("NFKC", text).translate(_PLAIN)
    return encodable(narrow).replace("\x00", " ")


def _pairs(match: re.Match[str]) -> str:
    run = match.group()
    return f" {' '.join(pairs(run))} {run[-1] if len(run) > 1 else ''} "
