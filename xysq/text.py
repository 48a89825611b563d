"""Text rules shared by everything: folding, and making untrusted words safe for a terminal.

`fold` is the one notion of "the same words": compatibility forms, case, white space, quotation marks and dashes
do not count.
"""

import re
import unicodedata

_MARKS = str.maketrans(
    dict.fromkeys("‘’‚‛`´ʼ′", "'") | dict.fromkeys("“”„‟«»″", '"') | dict.fromkeys("‐‑‒–—―−⁃﹘﹣－", "-")
)
_SPACE = re.compile(r"\s+")
_UNSAFE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f\ud800-\udfff]"
)


def fold(text: str) -> str:
    """Return the text by which words are compared: NFKC, case-folded, marks unified, white space as one space."""
    marked = unicodedata.normalize("NFKC", text).translate(_MARKS)
    return _SPACE.sub(" ", unicodedata.normalize("NFKC", marked.casefold()).translate(_MARKS)).strip()


def safe_text(text: str) -> str:
    """Show control, bidi and invisible characters as escapes, so that text cannot drive a terminal."""
    return _UNSAFE.sub(_escape, text)


def safe_line(text: str) -> str:
    """Like `safe_text`, on one line: line ends and tabs become single spaces."""
    return safe_text(_SPACE.sub(" ", text).strip())


def _escape(match: re.Match[str]) -> str:
    code = ord(match.group())
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
