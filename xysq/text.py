"""Text rules shared by everything: folding, and making untrusted words safe for a terminal.

`fold` is the one notion of "the same words": compatibility forms, case, white space, quotation marks and dashes
do not count.
"""

import re
import unicodedata

_MARKS = str.maketrans(
    dict.fromkeys("‘’‚‛`´ʼ′", "'") | dict.fromkeys("“”„‟«»″", '"') | dict.fromkeys("‐‑‒–—―−⁃﹘﹣－", "-")
)
# C0 but tab and line end, DEL, C1; then what is invisible, turns the direction of writing or ends a line.
_UNSAFE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
    "\ud800-\udfff]"
)
_ENDS = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def fold(text: str) -> str:
    """Return the text by which words are compared: NFKC, case-folded, marks unified, white space as one space."""
    if text.isascii():
        return " ".join(text.lower().replace("`", "'").split())
    marked = unicodedata.normalize("NFKC", text.translate(_MARKS)).translate(_MARKS)  # NFKC takes some marks apart
    return " ".join(unicodedata.normalize("NFKC", marked.casefold()).translate(_MARKS).split())


def encodable(text: str) -> str:
    """Return the text with a question mark for what UTF-8 cannot spell, as bytes of an argument that are no UTF-8."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


def safe_text(text: str) -> str:
    """Show control, bidi and invisible characters as escapes, so that text cannot drive a terminal."""
    return _UNSAFE.sub(_escape, text)


def safe_line(text: str) -> str:
    """Like `safe_text`, on one line: line ends and tabs become single spaces."""
    return safe_text(" ".join(text.split()))


def safe_json(text: str) -> str:
    """Return JSON in which what `safe_text` shows as escapes is escaped as JSON does it: the same value."""
    return _UNSAFE.sub(_json_escape, text)


def first_difference(one: str, other: str) -> int:
    """Return where two texts first differ; of a text and its beginning, that is the end of the shorter one."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((place for place, (mine, theirs) in pairs if mine != theirs), min(len(one), len(other)))


def differing(one: str, other: str, side: int) -> tuple[str, str]:
    """Return two texts, each cut to `side` characters on both sides of the place where they first differ.

    An ellipsis stands where something was cut off.
    """
    place = first_difference(one, other)
    return _around(one, place, side), _around(other, place, side)


def _around(text: str, place: int, side: int) -> str:
    start, end = max(0, min(place, len(text)) - side), min(place, len(text)) + side
    return f"{'…' if start else ''}{text[start:end]}{'…' if end < len(text) else ''}"


def spelled_out(text: str) -> str:
    """Show on one line whatever else leaves no mark of its own: line ends, tabs, odd spaces, what is invisible."""
    return "".join(char if char.isprintable() else _ENDS.get(char) or _code(char) for char in text)


def tokens(text: str) -> int:
    """Estimate the tokens of a text: 1 for 4 ASCII characters, 1 for each other.

    No usual tokenizer exceeds it by much.
    """
    wide = sum(not letter.isascii() for letter in text) if not text.isascii() else 0
    return -(-(len(text) - wide) // 4) + wide


def _escape(match: re.Match[str]) -> str:
    return _code(match.group())


def _json_escape(match: re.Match[str]) -> str:
    units = match.group().encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[place : place + 4]}" for place in range(0, len(units), 4))


def _code(char: str) -> str:
    code = ord(char)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
