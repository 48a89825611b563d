"""The prompt: constant instructions and one example from a versioned file, then the window as data.

What a log says can close no fence and open none. The fences are lines in angle brackets, and no shown text has an
angle bracket: they are shown as ‹ and ›. That also takes the sting out of the marks by which models tell roles apart
(`<|im_start|>`, `</s>`); those in square brackets (`[INST]`) are shown with others. Every line begins with our number,
and no line of ours holds a line end of theirs. `unshown` undoes it, for values that are copied out of a line.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from importlib.resources import files

from xysq.canonical import sha256_hex
from xysq.drafters.model.server import Message
from xysq.drafters.model.window import Window
from xysq.drafters.port import KnownFact, KnownPage
from xysq.frozen import frozen
from xysq.model.run import Refusal
from xysq.model.source import Role
from xysq.text import safe_line

_PARTS = ("system", "user", "assistant")
_HEADING = re.compile(r"^=== (\w+)\n", re.MULTILINE)
_SHOWN = str.maketrans("<>", "‹›")
_UNSHOWN = str.maketrans("‹›⟦⟧", "<>[]")
_ROLE_MARK = re.compile(r"\[(/?[A-Z][A-Z_]+)\]")
_REMINDER = "Answer with the JSON of the facts. Each value is copied from its line."
_NAME_SHOWN, _TEXT_SHOWN, _REFUSALS_SHOWN = 80, 300, 5


@frozen
class Prompt:
    """A version of the prompt: its name, its digest, and its three constant parts."""

    name: str
    sha256: str
    system: str
    user: str
    assistant: str


@frozen
class Known:
    """The open facts beside a window, numbered from 1, under the titles of their pages."""

    pages: tuple[KnownPage, ...] = ()

    @property
    def facts(self) -> tuple[KnownFact, ...]:
        """The facts; number k is item k - 1."""
        return tuple(fact for page in self.pages for fact in page.facts)


@lru_cache(maxsize=4)
def load_prompt(name: str) -> Prompt:
    """Read a version of the prompt."""
    data = (files("xysq") / "drafters" / "model" / "prompts" / f"{name}.txt").read_bytes()
    parts = _HEADING.split(data.decode("utf-8"))
    if tuple(parts[1::2]) != _PARTS:
        raise RuntimeError(f"the prompt {name} has not the parts {', '.join(_PARTS)}")
    system, user, assistant = (part.strip() for part in parts[2::2])
    return Prompt(name=name, sha256=sha256_hex(data), system=system, user=user, assistant=assistant)


def messages(
    prompt: Prompt, window: Window, known: Known, attributes: Sequence[str], refusals: Sequence[Refusal] = ()
) -> tuple[Message, ...]:
    """Return the whole conversation for a window; only its last message holds anything that is not constant.

    The names of the attributes are in the instructions: they are the user's own, from the vault's schema, one plain
    word each.
    """
    plain = ", ".join(shown(name, _NAME_SHOWN) for name in attributes)
    return (
        Message(role="system", content=prompt.system.replace("{attributes}", plain)),
        Message(role="user", content=prompt.user),
        Message(role="assistant", content=prompt.assistant),
        Message(role="user", content="\n".join(_data(window, known, refusals))),
    )


def shown(text: str, longest: int = 0) -> str:
    """Return a text as it is shown: one line without angle brackets, marks of roles, control or invisible signs."""
    safe = _ROLE_MARK.sub(r"⟦\1⟧", safe_line(text).translate(_SHOWN))
    return f"{safe[: longest - 1]}…" if longest and len(safe) > longest else safe


def unshown(text: str) -> str:
    """Return what a text that was copied from a shown line reads in the log."""
    return text.translate(_UNSHOWN)


def _data(window: Window, known: Known, refusals: Sequence[Refusal]) -> Iterator[str]:
    if known.pages:
        yield "<known>"
        yield from _known(known)
        yield "</known>"
    if refusals:
        yield "<refused>"
        for refusal in refusals[:_REFUSALS_SHOWN]:
            yield f"* {shown(f'{refusal.gate}: {refusal.sentence}', _TEXT_SHOWN)}"
        yield "</refused>"
    yield "<passages>"
    yield from _passages(window)
    yield "</passages>"
    yield _REMINDER


def _known(known: Known) -> Iterator[str]:
    number = 0
    for page in known.pages:
        yield f"{shown(page.title, _NAME_SHOWN)} ({shown(page.kind, _NAME_SHOWN)})"
        for fact in page.facts:
            number += 1
            yield f" ({number}) {shown(fact.attribute, _NAME_SHOWN)}: {shown(fact.value, _TEXT_SHOWN)}"


def _passages(window: Window) -> Iterator[str]:
    last = 0
    for number, line in enumerate(window.lines, start=1):
        if line.passage != last:
            yield f"-- {_who(line.speaker, line.role)}"
            last = line.passage
        yield f"[{number}] {shown(line.text)}"


def _who(speaker: str, role: Role) -> str:
    name = shown(speaker, _NAME_SHOWN)
    if role is Role.ASSISTANT:
        return f"{name} (assistant)" if name else "(assistant)"
    return name or ("(text)" if role is Role.OTHER else "I")
