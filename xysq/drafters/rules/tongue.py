"""In which language a text is, as far as the rules drafter must know: one it has patterns for, another, or unclear.

Told by its script, and for Latin script by the words that no sentence of a language does without. Short texts and
code are unclear; English is then tried, which asks for its own words again.
"""

import functools
import json
import re
import unicodedata
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

ENGLISH = "en"
_COMMON = Path(__file__).parent / "patterns" / "common-words.json"
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_SCRIPTS = {"HIRAGANA": "ja", "KATAKANA": "ja", "CJK": "zh", "LATIN": "latin"}
_MOST_LETTERS, _SIGNS_A_WORD = 2_000, 6
_LEAST_WORDS, _LEAST_SHARE, _STRAY_SHARE, _LEAST_PLAIN = 8, 0.12, 0.05, 0.97


@functools.cache
def common_words() -> Mapping[str, frozenset[str]]:
    """Return the words that no sentence of a language does without, by language."""
    wire = json.loads(_COMMON.read_bytes())
    return {name: frozenset(words.split()) for name, words in wire.items()}


_ELIDED = {"j": "je", "l": "le", "d": "de", "n": "ne", "s": "se", "c": "ce", "m": "me", "qu": "que"}


def language_of(text: str) -> str | None:
    """Return `en`, `de`, `es`, `fr`, `zh` or `ja`; "" for a language without patterns; None where it is unclear."""
    scripts = _scripts(text[:_MOST_LETTERS])
    if not scripts:
        return None
    script, _ = scripts.most_common(1)[0]
    if (scripts["ja"] + scripts["zh"]) * _SIGNS_A_WORD >= scripts.total():  # a sign says more than a letter
        return "ja" if scripts["ja"] else "zh"
    if script == "latin":
        return _of_words(text.replace("’", "'")[:_MOST_LETTERS])
    return ""


def _scripts(text: str) -> Counter[str]:
    """Count letters by script; those of scripts without patterns under ""."""
    found: Counter[str] = Counter()
    if text.isascii():
        found["latin"] = sum(map(str.isalpha, text))
        return +found
    for sign in text:
        if sign.isalpha():
            found[_SCRIPTS.get(unicodedata.name(sign, "").partition(" ")[0], "")] += 1
    return found


def _of_words(text: str) -> str | None:
    words = [word.lower() for word in _WORD.findall(text)]
    counts = {
        name: sum(word in common or _elided(word) in common for word in words)
        for name, common in common_words().items()
    }
    best = max(counts, key=lambda name: counts[name])  # English first where two have as many
    if counts[best] and counts[best] >= _LEAST_SHARE * len(words):
        return best
    return "" if _is_prose(text, len(words)) and counts[best] < _STRAY_SHARE * len(words) else None


def _is_prose(text: str, words: int) -> bool:
    """Tell whether this is somebody's sentences rather than code, a log or a table."""
    plain = sum(sign.isalpha() or sign in " ,.!?'\n" for sign in text)
    return words >= _LEAST_WORDS and plain >= _LEAST_PLAIN * len(text) and text.rstrip()[-1:] in ".!?…"


def _elided(word: str) -> str:
    """Return what French leaves before an apostrophe as the word it was: "j'habite" has a "je"."""
    head, mark, _ = word.partition("'")
    return _ELIDED.get(head, "") if mark else ""
