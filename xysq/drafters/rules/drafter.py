"""The rules drafter: reads passages with patterns and drafts what they plainly state. No model, no network.

It is deterministic: the same request gives the same bytes. It prefers silence: an assistant's, a tool's and a
system's words draft nothing, a person's only what is stated in the mood of a statement, a text without turns only
what it says of something it names.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from xysq.canonical import canonical_json
from xysq.drafters.port import Answer, KnownFact, KnownPage, Request
from xysq.drafters.rules.ending import Corrected, corrected, ended
from xysq.drafters.rules.language import WORD, Language, load
from xysq.drafters.rules.mood import Mood, sentence_mood
from xysq.drafters.rules.phrase import Phrases, load_phrases
from xysq.drafters.rules.plain import MAX_PASTE, is_code, plain_sentences
from xysq.drafters.rules.statement import Speaking, Statement, statements
from xysq.drafters.rules.tongue import ENGLISH, language_of
from xysq.model.draft import DraftClose, DraftFact, DraftQuote, close_to_wire, fact_to_wire
from xysq.model.fact import FactId, Label, Slug
from xysq.model.plan import Drop, DropCode
from xysq.model.run import Drafting
from xysq.model.source import Passage, Role, Row
from xysq.text import fold

NAME = "rules"
MAX_QUOTES = 5


@dataclass(slots=True)
class _Gathered:
    facts: dict[tuple[str, str, str], DraftFact] = field(default_factory=dict)
    closes: dict[str, DraftClose] = field(default_factory=dict)
    stated: int = 0

    def state(self, fact: DraftFact, owner: str) -> None:
        key = (owner, fact.attribute, fold(fact.value))
        known = self.facts.get(key)
        if known is None:
            self.stated += 1
            self.facts[key] = replace(fact, ref=str(self.stated))
        elif len(known.quotes) < MAX_QUOTES and fact.quotes[0] not in known.quotes:
            self.facts[key] = replace(known, quotes=known.quotes + fact.quotes)

    def take_back(self, words: str, tokens: set[str], speaking: Speaking, language: Language) -> None:
        """Drop what was stated before and a sentence ends: nobody is to read it as true."""
        pages = tuple(_page(owner or speaking.project, owner, self.facts) for owner in {key[0] for key in self.facts})
        over = set(ended(words, tokens, speaking, pages, language))
        if over:
            self.facts = {key: fact for key, fact in self.facts.items() if fact.ref not in over}

    def close(self, fact: str, quote: DraftQuote) -> None:
        self.closes.setdefault(fact, DraftClose(fact=fact, quotes=(quote,)))


class RulesDrafter:
    """Drafts with the patterns of the languages it knows, each passage in its own."""

    @property
    def name(self) -> str:
        """The name it has in settings and records."""
        return NAME

    def draft(self, request: Request) -> Answer:
        """Answer a request; a passage nothing is found in adds nothing."""
        gathered = _Gathered()
        digests: dict[str, str] = {}
        unknown: list[Passage] = []
        for number, passage in enumerate(request.passages, start=1):
            if not _may_state(passage):
                continue
            spoken = language_of(passage.text)
            if spoken == "":
                unknown.append(passage)
            elif spoken is None or spoken == ENGLISH:
                language = load(ENGLISH)
                digests[ENGLISH] = language.digest
                _read(number, passage, request, language, gathered)
            else:
                phrases = load_phrases(spoken)
                digests[spoken] = phrases.digest
                _read_phrases(number, passage, request, phrases, gathered)
        reply = canonical_json(
            {
                "facts": [fact_to_wire(fact) for fact in gathered.facts.values()],
                "closes": [close_to_wire(close) for close in gathered.closes.values()],
            }
        )
        parameters = {
            "language": ",".join(sorted(digests)),
            "patterns": ",".join(digests[name][:16] for name in sorted(digests)),
        }
        drafting = Drafting(drafter=NAME, parameters=parameters, drops=_unread(unknown))
        return Answer(reply=reply, drafting=drafting)


def _unread(passages: Sequence[Passage]) -> tuple[Drop, ...]:
    """Say once which passages were in a language that no patterns are there for."""
    if not passages:
        return ()
    return (
        Drop(
            code=DropCode.NO_PATTERNS,
            subject="",
            text="",
            reason=f"{len(passages)} in a language that the rules have no patterns for, beginning with {passages[0]}",
            rows=tuple(Row(one.source, one.version, one.start, one.end) for one in passages),
        ),
    )


def _read(number: int, passage: Passage, request: Request, language: Language, gathered: _Gathered) -> None:
    speaking = _speaking(passage, request)
    for place, words, tokens in _stated(passage.text, language):
        quote = DraftQuote(passage=number, sentence=place)
        for closed in ended(words, tokens, speaking, request.pages, language):
            gathered.close(closed, quote)
        if not tokens.isdisjoint(language.ending_triggers):
            gathered.take_back(words, tokens, speaking, language)
        change = corrected(words, request.pages, language)
        if change is not None:
            gathered.state(_replacing(change, quote), fold(change.page.title))
        for statement in statements(words, tokens, speaking, language):
            owner = speaking.speaker if statement.subject == "I" else statement.subject
            if change is None or fold(statement.value) != fold(change.value):
                gathered.state(_fact(statement, quote), fold(owner))


def _read_phrases(number: int, passage: Passage, request: Request, phrases: Phrases, gathered: _Gathered) -> None:
    speaking = _speaking(passage, request)
    for place, words in plain_sentences(passage.text):
        if not is_code(words):
            for statement in phrases.statements(words, speaking):
                owner = speaking.speaker if statement.subject == "I" else statement.subject
                gathered.state(_fact(statement, DraftQuote(passage=number, sentence=place)), fold(owner))


def _speaking(passage: Passage, request: Request) -> Speaking:
    return Speaking(
        session_kind=passage.session_kind,
        speaker=_speaker(passage, request),
        project=_last_part(request.project),
    )


def _page(title: str, owner: str, facts: dict[tuple[str, str, str], DraftFact]) -> KnownPage:
    return KnownPage(
        slug=Slug(""),
        title=title,
        kind="",
        aliases=(),
        facts=tuple(
            KnownFact(id=FactId(fact.ref), attribute=key[1], value=fact.value, text=fact.text, label=fact.label)
            for key, fact in facts.items()
            if key[0] == owner
        ),
    )


def _replacing(change: Corrected, quote: DraftQuote) -> DraftFact:
    statement = Statement(
        subject=change.page.title,
        page_kind=change.page.kind,
        attribute=change.fact.attribute,
        value=change.value,
        text=_changed_text(change.fact.text, change.fact.value, change.value, change.page.title),
    )
    return replace(_fact(statement, quote), replaces=change.fact.id)


def _changed_text(text: str, old: str, new: str, title: str) -> str:
    return text.replace(old, new) if text.count(old) == 1 and "[[" not in text else f"{title}: {new}."


def _may_state(passage: Passage) -> bool:
    if passage.own:
        return False
    match passage.role:
        case Role.USER | Role.PERSON:
            return passage.session_kind != "work" or len(passage.text) <= MAX_PASTE
        case Role.OTHER:
            return passage.session_kind != "work"
        case _:
            return False


def _stated(text: str, language: Language) -> Iterator[tuple[int, str, set[str]]]:
    plain = list(plain_sentences(text))
    for (place, words), (_, following) in pairwise([*plain, (0, "")]):
        listed = WORD.findall(words.lower())
        tokens = set(listed)
        if tokens.isdisjoint(language.triggers) or not language.spoken_in(listed):
            continue
        if language.words["lapses"].match(following):
            continue
        if sentence_mood(words, language) is Mood.STATED and not is_code(words):
            yield place, words, tokens


def _speaker(passage: Passage, request: Request) -> str:
    """Return the name behind "I", or "" where nobody can tell who that is."""
    if passage.role is Role.OTHER:
        return ""
    name = passage.speaker.strip()
    is_nameless = not name or load(ENGLISH).words["nameless"].fullmatch(name) is not None
    if is_nameless and passage.role is Role.USER:
        return request.me.name  # "User:" in a log of work is its owner
    return "" if is_nameless else name


def _fact(statement: Statement, quote: DraftQuote) -> DraftFact:
    return DraftFact(
        ref="",
        subject=statement.subject,
        kind=statement.page_kind,
        attribute=statement.attribute,
        value=statement.value,
        text=statement.text,
        label=Label.STATED,
        quotes=(quote,),
    )


def _last_part(project: str) -> str:
    return project.replace("\\", "/").rstrip("/").rpartition("/")[2]
