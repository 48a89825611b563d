"""Characters: which may stand in a page, and which scripts put spaces between words.

A text from outside may hold every character a reader can see. What cannot be seen, or what reorders what is seen,
could hide words from a person that a model still reads; it is refused. Joiners and variation selectors are needed
to spell some scripts and emoji, so they are legal exactly where they join or vary something.
"""

from xysq.pattern import late

JOINERS = "\u200c\u200d"
_VARIATION = late("[\ufe00-\ufe0f\U000e0100-\U000e01ef]")
_BASE_OF_KEYCAP = frozenset("0123456789#*")
_LINE_BREAK = late("[\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_CONTROL = late("[\x00-\x08\x0e-\x1f\x7f-\x9f]")
_SURROGATE = late("[\ud800-\udfff]")
_BIDI = late("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_INVISIBLE = late(
    "[\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u2060-\u2065\u206a-\u206f\u2800\u3164\ufeff\uffa0"
    "\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e00ff\U000e01f0-\U000e0fff]"
)
_NONCHARACTER = late(
    "[\ufdd0-\ufdef"
    + "".join(f"{chr(plane * 0x10000 + 0xFFFE)}{chr(plane * 0x10000 + 0xFFFF)}" for plane in range(17))
    + "]"
)
_UNSPACED = late(
    "[\u0e00-\u0eff\u0f00-\u0fff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u1950-\u19df\u1a20-\u1aaf\u2e80-\u2fdf"
    "\u3005-\u3007\u3021-\u3029\u3031-\u3035\u3038-\u303c\u3040-\u318f\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf"
    "\u4e00-\u9fff\ua9e0-\ua9fe\uaa60-\uaa7f\uac00-\ud7ff\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff]"
)
_KINDS = (
    (_SURROGATE, "a lone surrogate"),
    (_LINE_BREAK, "a line break"),
    (_CONTROL, "a control character"),
    (_BIDI, "a bidirectional control"),
    (_INVISIBLE, "an invisible character"),
    (_NONCHARACTER, "a code point that is no character"),
)


def character_fault(text: str) -> str | None:
    """Name the first kind of character in the text that no block may hold; None where all are legal.

    A tab is white space and legal; every other control is not.
    """
    if text.isascii() and text.isprintable():
        return None
    for kind, name in _KINDS:
        found = kind().search(text)
        if found:
            return f"holds {name} (U+{ord(found.group()):04X})"
    for place, char in enumerate(text):
        if char in JOINERS and not _joins(text, place):
            return f"holds a joiner that joins nothing (U+{ord(char):04X})"
        if _VARIATION().match(char) and not _varies(text, place):
            return f"holds a variation selector that varies nothing (U+{ord(char):04X})"
    return None


def is_invisible(char: str) -> bool:
    """Tell whether a character leaves no mark of its own on a page."""
    return bool(_INVISIBLE().match(char) or _VARIATION().match(char)) or char in JOINERS


def is_unspaced(char: str) -> bool:
    """Tell whether the character's script writes words, or words and their endings, without spaces between."""
    return bool(_UNSPACED().match(char))


def _joins(text: str, place: int) -> bool:
    """Both neighbours are there, are no white space, and lie outside ASCII, where no joiner is ever needed."""
    around = text[place - 1 : place] + text[place + 1 : place + 2]
    return place > 0 and len(around) == 2 and not any(c.isascii() or c.isspace() or c in JOINERS for c in around)


def _varies(text: str, place: int) -> bool:
    before = text[place - 1 : place] if place else ""
    if not before or before.isspace() or _VARIATION().match(before) or before in JOINERS:
        return False
    return not before.isascii() or (text[place] == "\ufe0f" and before in _BASE_OF_KEYCAP)
