"""Values: the words of a clause that a fact keeps, cut out of what follows a pattern.

A value is a literal span of the sentence. It ends where another clause, a time or an aside begins. Words that only
mean something in their conversation ("it", "my", "the other one") make it worthless: what merely went along ("with
my family") is left off, anything else gives the whole value up, because half of a value would claim more than was
said. For the same reason a relative clause stays with what it restricts. Nothing is ever rewritten.
"""

from xysq.drafters.rules.language import Language, Shape

_EDGE = " \t,'\"-–—:;*_~"
_STRIPPED = " \t.,!?:;-–—*_~…"
_FEWEST_KEPT = 2
_LONGEST_ITEM = 4
_MOST_BETWEEN = 2


def cut_value(raw: str, shape: Shape, language: Language, after: str = "") -> str | None:
    """Return the value that `raw` begins with, or None where it holds none; `after` is the rest of the sentence."""
    if not shape.exact and raw[-1:].isalnum() and after[:1].isalnum():
        raw, after = raw + after, ""  # the pattern's window ended inside a word
    value = _exact(raw, shape) if shape.exact else _loose(raw, shape, language)
    if not value:
        return None
    value = value.removesuffix("'s") if shape.bare else value
    if value.count("`") % 2:
        return None  # half of a code span
    count = len(value.split())
    if not shape.least_words <= count <= shape.most_words:
        return None
    if not shape.whole.fullmatch(value) or (shape.barred is not None and shape.barred.match(value)):
        return None
    whole = raw + after
    rest = whole[whole.find(value) + len(value) :]
    return None if shape.is_empty(value) or shape.goes_on(rest) or _explained(value, rest, shape, language) else value


def _explained(value: str, rest: str, shape: Shape, language: Language) -> bool:
    """Tell whether only what follows says what a bare noun is: "a startup - portable smokers"."""
    if shape.exact or not shape.open_source or language.words["bare_noun"].fullmatch(value) is None:
        return False
    return language.words["explained"].match(rest) is not None


def _exact(raw: str, shape: Shape) -> str | None:
    if shape.commas:
        return raw.strip(" \t").rstrip(_STRIPPED)
    match = shape.whole.match(raw)
    if match is None:
        return None
    rest = raw[match.end() :]
    return match.group().rstrip(".,:") if not rest or not (rest[0].isalnum() or rest[0] in "_/-@") else None


def _loose(raw: str, shape: Shape, language: Language) -> str | None:
    adverbs = language.words["adverbs"].match(raw)
    raw = raw[adverbs.end() :] if adverbs else raw
    value = _before(raw, language, "hard_cut") if shape.clause else _of_clause(raw, shape, language)
    if value is None:
        return None
    if raw[len(value) :].strip(_STRIPPED):
        value = language.words["open_end"].sub("", value)
    shortened = _shortened(value, language)
    return None if shortened is None or language.words["vague"].match(shortened) else shortened


def _of_clause(raw: str, shape: Shape, language: Language) -> str | None:
    value = _before(raw, language, "cut")
    if language.words["condition"].match(raw, len(value)):
        return None
    if shape.habit and language.words["at_times"].match(raw, len(value)):
        return None
    value = _before(value, language, "and_cut")
    if "," in value and language.words["listing"].match(raw, len(value)):
        return None
    head = value if shape.commas else _before_comma(value, language)
    if head is None:
        return None
    relative = language.words["relative"].search(head)
    if language.words["verb_next"].search(head, 0, relative.start("gap") if relative else len(head)):
        return None
    return head


def _before(text: str, language: Language, name: str) -> str:
    match = language.words[name].search(text)
    return text[: match.start()] if match else text


def _before_comma(text: str, language: Language) -> str | None:
    """Cut at the first comma where an aside follows; keep lists and appositions, give anything else up."""
    head, comma, rest = text.partition(",")
    rest = rest.strip()
    if not comma or not rest:
        return head
    spoken_of = language.words["finite_aside"].match(rest) is not None
    if _is_list(text, language) and not (spoken_of and text.count(",") == 1 and not _joins(rest, language)):
        return text
    words = head.split()
    if len(words) > 1 and language.words["article"].fullmatch(words[-2]) and rest[:1].islower() and not spoken_of:
        return None  # "a safe, inviting place"
    if language.words["apposed"].match(rest):
        return _with_apposition(text, head, language)
    return head if language.words["aside"].match(rest) else None


def _is_list(text: str, language: Language) -> bool:
    items = [item.split() for item in text.split(",") if item.strip()]
    short = all(len(item) <= _LONGEST_ITEM for item in items[1:])
    return short and any(language.words["conjunction"].fullmatch(word) for word in items[-1])


def _joins(rest: str, language: Language) -> bool:
    return language.words["conjunction"].fullmatch(rest.split(maxsplit=1)[0]) is not None


def _with_apposition(text: str, head: str, language: Language) -> str | None:
    """Keep what says more of the head, up to the comma before an aside."""
    end = text.find(",", len(head) + 1)
    while end >= 0 and not language.words["aside"].match(text[end + 1 :].lstrip()):
        end = text.find(",", end + 1)
    whole = text if end < 0 else text[:end]
    if language.words["pronoun"].search(whole, len(head)):
        return head if head[:1].isupper() else None
    return whole


def _shortened(text: str, language: Language) -> str | None:
    relative = language.words["relative"].search(text)
    pronoun = language.words["pronoun"].search(text, 0, relative.start("gap") if relative else len(text))
    value: str | None = text
    if pronoun is not None:
        value = _before_pronoun(text[: pronoun.start()], language)
    elif relative is not None:
        clause = text[relative.end("gap") :]
        if relative["word"].lower() == "who":  # "folks who lost their jobs": "their" is the folks'
            clause = language.words["bound"].sub("", clause)
        if not clause.strip() or language.words["pronoun"].search(clause):
            return None
    if value is None:
        return None
    value = value.strip(_EDGE if value.count('"') != 2 else " \t,").rstrip(_STRIPPED)
    value = language.words["filler"].sub("", value).rstrip(_STRIPPED)
    return None if language.words["dangling"].search(value) else value


def _before_pronoun(text: str, language: Language) -> str | None:
    """Return what stands before a pronoun without what led up to it, or None where that would be a half."""
    joined = text.rfind(" and ")
    leads = [match for match in language.words["preposition"].finditer(text) if match.start() > joined]
    if leads and len(text[leads[-1].end() :].split()) <= _MOST_BETWEEN:
        if not language.words["incidental"].fullmatch(leads[-1]["word"]):
            return text[:joined] if joined > 0 and len(text[:joined].split()) >= _FEWEST_KEPT else None
        value = text[: leads[-1].start()]
        if language.words["definite_end"].search(value):
            return None
        if language.words["lone_conjunct"].search(value):
            value = value[:joined]
    elif joined > 0 and not leads:
        value = text[:joined]
    else:
        return None
    return value if len(value.split()) >= _FEWEST_KEPT else None
