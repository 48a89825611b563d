"""Words that try to drive a terminal."""

import unicodedata

HOSTILE = (
    "\x1b[2J\x1b[31mred",
    "\x1b]8;;https://example.org\x07click\x1b]8;;\x07",
    "\x9b31m",
    "a\rb",
    "abc\x08\x08\x08x",
    "\u202eevil\u202c",
    "\u2066isolated\u2069",
    "zero\u200bwidth",
    "\U000e0041tag",
    "nul\x00bel\x07del\x7f",
    "[bold red]markup[/] :bomb:",
    "line\u2028separator",
)
_TOLERATED = {"\n", "\t"}


def is_fit_for_a_terminal(text: str) -> bool:
    """Tell whether a terminal would show the text and do nothing else."""
    return all(
        letter in _TOLERATED or unicodedata.category(letter) not in {"Cc", "Cs", "Zl", "Zp"} for letter in text
    ) and not (set(text) & set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200b\u200e\u200f\ufeff"))
