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


def apart(one: str, other: str, size: int) -> tuple[str, str]:
    """Return two texts cut to at most `size` characters around the first place where they differ.

    What was cut off is shown as an ellipsis, so that a difference far inside is seen.
    """
    pairs = enumerate(zip(one, other, strict=False))
    at = next((place for place, (left, right) in pairs if left != right), min(len(one), len(other)))
    start = max(0, at - size // 3) if max(len(one), len(other)) > size else 0
    return _cut(one, start, size), _cut(other, start, size)


def _cut(text: str, start: int, size: int) -> str:
    before = "…" if start else ""
    room = size - len(before)
    return f"{before}{text[start:]}" if len(text) - start <= room else f"{before}{text[start : start + room - 1]}…"


def _escape(match: re.Match[str]) -> str:
    code = ord(match.group())
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
