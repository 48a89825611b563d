"""The drafter that asks a model: window by window, each answer checked, cut answers asked for again in halves.

An answer that ended for another reason than that the model was done, or that filled the context, may lack its end or
rest on a prompt that was cut; so does one that is no JSON. Its window is halved and asked again, a few times; what
still gives no answer is dropped with a reason, and where that is everything the whole draft is bad. Every call is
announced to the meter before it is made.
"""

import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from xysq.canonical import canonical_json
from xysq.drafters.model.profile import Profile, profile_for
from xysq.drafters.model.prompt import Known, Prompt, load_prompt, messages
from xysq.drafters.model.reply import Read, Scene, read_reply
from xysq.drafters.model.schema import answer_schema
from xysq.drafters.model.server import STOP, Ask, Model, Said, Server
from xysq.drafters.model.window import Window, is_read, windows
from xysq.drafters.port import Answer, Appetite, KnownPage, Meter, Price, Request
from xysq.errors import BadDraft
from xysq.model.draft import close_to_wire, fact_to_wire
from xysq.model.plan import Drop, DropCode
from xysq.model.run import Drafting
from xysq.model.schema import SETTING, Schema
from xysq.model.source import Passage
from xysq.text import tokens

_HALVINGS = 2
_SPARE = 16  # so few tokens left of a context, and it may have been full
_FACT_TOKENS = 40  # what an answer comes to, a passage, in an estimate
_PLAIN = re.compile(r"[^\W\d_][\w-]{0,23}")
_MOST_ATTRIBUTES = 40


class ModelDrafter:
    """Drafts by asking one model of a server; `server` is made when it is first needed."""

    def __init__(self, name: str, model: str, connect: Callable[[], Server]) -> None:
        """Remember whom to ask; nothing is asked yet."""
        self._name = name
        self._model_name = model
        self._connect = connect

    @property
    def name(self) -> str:
        """The name it has in settings and records."""
        return self._name

    @property
    def appetite(self) -> Appetite:
        """One window at a time: what was drafted is in the vault before the next question is asked."""
        return Appetite(passages=self._profile.passages, characters=self._profile.characters)

    def reads(self, passage: Passage) -> bool:
        """Tell whether a passage is shown to the model."""
        return is_read(passage)

    def price(self, passages: Sequence[Passage]) -> Price:
        """Estimate what drafting from these passages costs."""
        cut = tuple(windows(passages, self._profile))
        constant = tokens(self._prompt.system) + tokens(self._prompt.user) + tokens(self._prompt.assistant)
        shown = sum(tokens(line.text) + 2 for window in cut for line in window.lines)
        answers = _FACT_TOKENS * sum(map(is_read, passages))
        return Price(calls=len(cut), tokens=constant * len(cut) + shown + answers)

    def draft(self, request: Request) -> Answer:
        """Answer a request with what the model proposes and the passages bear out."""
        talk = _Talk(self._server, request, self._model, self._profile, self._prompt)
        for window in windows(request.passages, self._profile):
            talk.through(window)
        talk.finish()
        return Answer(reply=talk.reply(), drafting=replace(talk.drafting(), drafter=self.name))

    @cached_property
    def _server(self) -> Server:
        return self._connect()

    @cached_property
    def _model(self) -> Model:
        return self._server.describe(self._model_name)

    @cached_property
    def _profile(self) -> Profile:
        found = profile_for(self._model.parameters)
        if not self._model.context or self._model.context >= found.context:
            return found
        share = self._model.context / found.context
        return replace(
            found,
            context=self._model.context,
            predict=int(found.predict * share),
            characters=max(200, int(found.characters * share)),
        )

    @cached_property
    def _prompt(self) -> Prompt:
        return load_prompt(self._profile.prompt)


class _Talk:
    """The questions and answers of one request."""

    def __init__(self, server: Server, request: Request, model: Model, profile: Profile, prompt: Prompt) -> None:
        self._server = server
        self._request = request
        self._model = model
        self._profile = profile
        self._prompt = prompt
        self._known = _known_beside(request.pages, profile.known)
        self._attributes = _plain_attributes(request.schema)
        self._read: list[Read] = []
        self._said: list[Said] = []
        self._failed: list[tuple[Window, str]] = []
        self._milliseconds = 0

    def through(self, window: Window, halvings: int = _HALVINGS) -> None:
        """Ask about a window, and about its halves where the answer is none."""
        try:
            self._read.append(self._answered(window))
        except BadDraft as failure:
            halves = window.halves() if halvings else None
            if halves is None:
                self._failed.append((window, failure.sentence))
                return
            for half in halves:
                self.through(half, halvings - 1)

    def finish(self) -> None:
        """Raise `BadDraft` where there is no answer to anything."""
        if self._failed and not self._read:
            raise BadDraft(self._failed[0][1])

    def reply(self) -> bytes:
        """Return everything that was read as one draft."""
        facts = [fact for read in self._read for fact in read.facts]
        closes = {close.fact: close for read in self._read for close in read.closes}
        return canonical_json(
            {
                "facts": [fact_to_wire(replace(fact, ref=str(number))) for number, fact in enumerate(facts, start=1)],
                "closes": [close_to_wire(close) for close in closes.values()],
            }
        )

    def drafting(self) -> Drafting:
        """Return how the draft came to be."""
        return Drafting(
            drafter="",
            model=self._model.name,
            parameters=self._parameters(),
            prompt_sha256=self._prompt.sha256,
            tokens_in=sum(said.tokens_in for said in self._said),
            tokens_out=sum(said.tokens_out for said in self._said),
            milliseconds=self._milliseconds,
            answers=tuple(said.text for said in self._said),
            drops=(*(drop for read in self._read for drop in read.drops), *map(_cut_short, self._failed)),
        )

    def _parameters(self) -> Mapping[str, Any]:
        ask = self._ask(Window(lines=()))
        return {
            "calls": len(self._said),
            "digest": self._model.digest,
            "moved_quotes": sum(read.moved for read in self._read),
            "num_ctx": ask.context,
            "num_predict": ask.predict,
            "prompt": self._prompt.name,
            "seed": ask.seed,
            "temperature": 0,
        }

    def _answered(self, window: Window) -> Read:
        ask = self._ask(window)
        said = self._asked(ask, self._request.meter)
        if said.ended != STOP:
            raise BadDraft(f"the model's answer was cut: {said.ended or 'no reason given'}")
        if said.tokens_in + said.tokens_out + _SPARE >= ask.context:
            raise BadDraft(f"the context of {ask.context} tokens was full")
        return read_reply(said.text, self._scene(window))

    def _asked(self, ask: Ask, meter: Meter) -> Said:
        expected = tokens(ask.words)
        meter.begin(expected)
        began = time.monotonic()
        said: Said | None = None
        try:
            said = self._server.chat(ask, meter.stream)
        finally:
            took = int((time.monotonic() - began) * 1000)
            self._milliseconds += took
            cost = (expected, 0) if said is None else (said.tokens_in, said.tokens_out)
            meter.end(*cost, took)
        self._said.append(said)
        return said

    def _ask(self, window: Window) -> Ask:
        request, profile = self._request, self._profile
        return Ask(
            model=self._model.name,
            messages=messages(self._prompt, window, self._known, self._attributes, request.refusals),
            schema=answer_schema(len(window.lines), len(self._known.facts), self._attributes, profile),
            context=profile.context,
            predict=profile.predict,
        )

    def _scene(self, window: Window) -> Scene:
        request = self._request
        return Scene(
            window=window,
            known=self._known,
            schema=request.schema,
            me=request.me,
            project=request.project,
            pages=request.pages,
        )


def _known_beside(pages: Sequence[KnownPage], most: int) -> Known:
    """Return the pages with as many of their facts as there is room for, the newest of each."""
    kept: list[KnownPage] = []
    for page in pages:
        left = most - sum(len(other.facts) for other in kept)
        if left > 0 and page.facts:
            kept.append(replace(page, facts=page.facts[-left:]))
    return Known(pages=tuple(kept))


def _plain_attributes(schema: Schema) -> tuple[str, ...]:
    """Return the names of attributes that a prompt may hold: one plain word each, for the schema may be anybody's."""
    names = (attribute.name for attribute in schema.attributes if attribute.name != SETTING)
    return tuple(name for name in names if _PLAIN.fullmatch(name))[:_MOST_ATTRIBUTES]


def _cut_short(failed: tuple[Window, str]) -> Drop:
    window, reason = failed
    words = " ".join(line.text for line in window.lines)
    return Drop(code=DropCode.CUT_SHORT, subject="", text=words[:500], reason=reason)
