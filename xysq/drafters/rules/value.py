"""Values: the words of a clause that a fact keeps, cut out of what follows a pattern.

A value is a literal span of the sentence. It ends where another clause, a time or an aside begins; words that
only mean something in their conversation ("it", "my", "the other one") make it worthless, so it is shortened to
before them or given up. Nothing is ever rewritten.
"""

from xysq.drafters.rules.language import Language, Shape

_EDGE = " \t,'\"-–—:;*_~"
_STRIPPED = " \t.,!?:;-–—*_~…"
_FEWEST_KEPT = 2
_LONGEST_ITEM = 4


def cut_value(raw: str, shape: Shape, language: Language) -> str | None:
    """Return the value that `raw` begins with, or None where it holds none of that shape."""
    value = _exact(raw, shape) if shape.exact else _loose(raw, shape, language)
    if not value:
        return None
    value = value.removesuffix("'s") if shape.bare else value
    count = len(value.split())
    if not shape.least_words <= count <= shape.most_words:
        return None
    if not shape.whole.fullmatch(value) or (shape.barred is not None and shape.barred.match(value)):
        return None
    return value


def _exact(raw: str, shape: Shape) -> str | None:
    if shape.commas:
        return raw.strip(" \t").rstrip(_STRIPPED)
    match = shape.whole.match(raw)
    if match is None:
        return None
    rest = raw[match.end() :]
    return match.group().rstrip(".,:") if not rest or not (rest[0].isalnum() or rest[0] in "_/-@") else None


def _loose(raw: str, shape: Shape, language: Language) -> str | None:
    if shape.clause:
        value = _before(raw, language, "hard_cut")
    else:
        value = _before(raw, language, "cut")
        if language.words["condition"].match(raw, len(value)):
            return None
        value = _before(value, language, "and_cut")
        if language.words["verb_next"].search(value):
            return None
        value = value if shape.commas else _before_comma(value, language)
    if raw[len(value) :].strip(_STRIPPED):
        value = language.words["open_end"].sub("", value)
    shortened = _shortened(value, language)
    return None if shortened is None or language.words["vague"].match(shortened) else shortened


def _before(text: str, language: Language, name: str) -> str:
    match = language.words[name].search(text)
    return text[: match.start()] if match else text


def _before_comma(text: str, language: Language) -> str:
    """Cut at the first comma, unless the commas make a list of short items with a conjunction at its end."""
    head, comma, rest = text.partition(",")
    if not comma:
        return text
    conjunction, article = language.words["conjunction"].fullmatch, language.words["article"].fullmatch
    items = [item.split() for item in text.split(",")]
    last = items[-1]
    is_list = len(items) > 2 or (last and conjunction(last[0]))
    short = all(1 <= len(item) <= _LONGEST_ITEM for item in items[1:])
    if is_list and short and any(conjunction(word) for word in last):
        return text
    words = head.split()
    ends_in_adjective = len(words) > 1 and article(words[-2]) and rest[1:2].islower()
    return "" if ends_in_adjective else head


def _shortened(text: str, language: Language) -> str | None:
    value = text
    pronoun = language.words["pronoun"].search(value)
    if pronoun is not None:
        tail = language.words["tail"].search(value, 0, pronoun.start())
        joined = value.rfind(" and ", 0, pronoun.start())
        cut = max(tail.start() if tail else -1, joined)
        if cut < 0:
            return None
        value = value[:cut]
        if len(value.split()) < _FEWEST_KEPT:
            return None
    value = value.strip(_EDGE if value.count('"') != 2 else " \t,").rstrip(_STRIPPED)
    value = language.words["filler"].sub("", value).rstrip(_STRIPPED)
    return None if language.words["dangling"].search(value) else value
