"""Who speaks: names at the beginning of turns, and the roles they stand for.

A name is short, begins like a name and is no label: many lines read `Word: words` without anyone speaking.
Nothing here looks at other lines, so a transcript that grows is read the same way.
"""

from functools import lru_cache

from xysq.model.settings import Me
from xysq.model.source import Role
from xysq.pattern import late
from xysq.text import fold


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_ROLES = (
    {
        name: role
        for role, names in (
            (Role.USER, "user human me you"),
            (
                Role.ASSISTANT,
                "assistant ai bot llm agent chatgpt claude gemini copilot chatbot cursor codex grok",
            ),
            (Role.SYSTEM, "system"),
            (Role.TOOL, "tool function"),
        )
        for name in names.split()
    }
    | {"claude code": Role.ASSISTANT, "ai assistant": Role.ASSISTANT, "github copilot": Role.ASSISTANT}
    | {"tool result": Role.TOOL, "tool call": Role.TOOL, "tool output": Role.TOOL, "function call": Role.TOOL}
)
_MODEL = late(
    r"(?:gpt|claude|gemini|llama|mistral|qwen|deepseek|o[134])"
    r"(?:[- .](?:v?[0-9][a-z0-9.]{0,11}|pro|flash|opus|sonnet|haiku|turbo|mini|nano|max|plus|ultra|large"
    r"|instruct|code)){0,4}"
)
_SAID = late(r" (?:said|says|wrote)$")
_LABELS = _set(
    """
    a abstract accept action actions added address advantages agenda aim also an analysis and answer appendix
    apps args as assumption assumptions at attendees attention author authors background bcc because benefits
    body bug but by cache-control can caption cause caution caveat cc changed changes check class code command
    commands comment comments conclusion connection cons content-length content-type context cookie copyright
    correct cost critical data date deadline debug decision decisions default definition deleted delivered
    delivered-to dependencies depends description design details diff directions disadvantages dkim-signature
    due edit elif else email end environment error errors etag example examples except exception expected
    explanation extra fact facts fail failed fatal feature features file files final finally first fix fixed
    fixes follow for formula from ftp git given goal goals got header headers hint history host http https
    hypothesis i idea ideas if impact important in in-reply-to include info information ingredients input inputs
    insert instructions introduction issue issues it items its key keywords label lambda language last last-modified
    latest lesson level license limitations line link links list list-id location log logs mailto main
    meaning measure message message-id method methods mime-version mission mode motivation my name namely names
    next no nota note notes notice objective observation of ok on open option optional options or order origin
    our output outputs overview owner pass passed path people phone place plan plans point points port present
    price priority problem problems procedure process project proof pros purpose quantity query question
    questions quote reason reasons recap received recommendation recording ref reference references regarding
    release remark reminder removed replies reply reply-to report reproduce request requirements response
    responses result results return return-path returns risk risks root rule rules run scope score second
    section select sender sent server set-cookie setup severity shell side signature size so solution source
    sources sql ssh started status stderr stdout step steps strict subject success suggestion suggestions
    summary support symptoms sync syntax tag tags target task tasks test tests the then theorem there therefore
    they third this thus time timeline tip tips title to today todo todos tomorrow topic topics total trace
    traceback transfer-encoding translation trigger try type update updated updates url usage use user-agent
    uses value values vary verbose version versions via view visit voice vote wait warn warning warnings
    warranty we website welcome what when where which who why with workaround x-mailer yes yesterday your zip
    """
)
_LEVELS = _set("debug info warn warning error fatal critical trace notice severe")
_SMALL = _set("de da do dos du van von der den di del la le el al bin ibn ben y e af zu of the")
_NICK = late(r"[a-z][a-z0-9_.\-|]{0,31}")
_NOT_IN_NAMES = late(r"[,;!?&@$%^~]|\.\.")
_ORDINAL = late(r"(?:[0-9]{1,3}|[#+0-9][0-9 ()\-\u00a0]{5,20})")


def role_of(name: str, me: Me) -> Role:
    """Return the role that a speaker's name stands for."""
    folded = fold(name)
    if folded and folded in {fold(own) for own in me.names}:
        return Role.USER
    known = _ROLES.get(folded)
    if known is not None:
        return known
    return Role.ASSISTANT if _MODEL().fullmatch(folded) else Role.PERSON


def said_by(name: str) -> str:
    """Return a name as it is shown: without marks of emphasis around it, and without "said" behind it."""
    return _SAID().sub("", name.strip(" \t\u200e\u200f*_~@"))


def is_role_word(name: str) -> bool:
    """Tell whether a name is that of a part in a dialogue with a machine, not a person's."""
    folded = fold(name)
    return folded in _ROLES or _MODEL().fullmatch(folded) is not None


@lru_cache(maxsize=1024)
def is_nick(name: str) -> bool:
    """Tell whether a name is one lower-case word that no role goes by."""
    return _NICK().fullmatch(name) is not None and not is_role_word(name)


@lru_cache(maxsize=1024)
def is_name(name: str, *, stamped: bool) -> bool:
    """Tell whether words before a colon may be a speaker; behind a time stamp nearly everything may."""
    words = name.split()
    folded = fold(name)
    if not words or len(words) > (6 if stamped else 4) or folded in _LABELS:
        return False
    if any(fold(word).strip("[]()") in _LEVELS for word in words):
        return False
    if stamped or is_role_word(name):
        return True
    if fold(words[0]) in _LABELS or _NOT_IN_NAMES().search(name):
        return False
    return all(_begins_like_a_name(word) or word in _SMALL for word in words) and words[0] not in _SMALL


def is_number(name: str) -> bool:
    """Tell whether a name is only a number: of a speaker, or of a telephone."""
    return _ORDINAL().fullmatch(name) is not None


def _begins_like_a_name(word: str) -> bool:
    first = word[0]
    return first.isupper() or (first.isalpha() and not first.islower() and not first.isupper()) or first in "'’"
