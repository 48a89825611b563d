"""Conversations of the LoCoMo kind: a file of them, read, and laid down in vaults, one passage a turn.

A turn is `Speaker: words`, with the caption of a picture in brackets; a session is a source. Evidence is written in
several ways in the data (`D8:6; D9:17`, `D:11:26`): each place it names is one turn.
"""

import json
import os
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from xysq import Vault

DEFAULT = Path(__file__).resolve().parents[3] / "shared" / "bench" / "locomo_dev.json"
_PLACE = re.compile(r"D:?(\d+):(\d+)")
_SESSION = re.compile(r"session_(\d+)")


@dataclass(frozen=True, kw_only=True)
class Turn:
    """What somebody said; `place` is session and number as evidence names them."""

    place: tuple[int, int]
    speaker: str
    words: str


@dataclass(frozen=True, kw_only=True)
class Question:
    """A question with the turns that answer it. Those of category 5 have no answer in the conversation."""

    text: str
    category: int
    evidence: frozenset[tuple[int, int]]


@dataclass(frozen=True, kw_only=True)
class Conversation:
    """A conversation: its sessions with when they were, and the questions about it."""

    name: str
    sessions: tuple[tuple[datetime, tuple[Turn, ...]], ...]
    questions: tuple[Question, ...]


def read(path: Path) -> tuple[Conversation, ...]:
    """Read a file of conversations."""
    return tuple(_conversation(value, number) for number, value in enumerate(json.loads(path.read_text("utf-8")), 1))


def _conversation(value: Mapping[str, Any], number: int) -> Conversation:
    told = value["conversation"]
    numbers = sorted(int(match[1]) for key in told if (match := _SESSION.fullmatch(key)))
    sessions = tuple(
        (
            datetime.strptime(told[f"session_{one}_date_time"], "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC),
            tuple(map(_turn, told[f"session_{one}"])),
        )
        for one in numbers
    )
    places = {turn.place for _, turns in sessions for turn in turns}
    questions = tuple(
        Question(
            text=asked["question"],
            category=asked["category"],
            evidence=frozenset(_places(" ".join(asked["evidence"]))) & places,
        )
        for asked in value["qa"]
    )
    return Conversation(name=str(value.get("sample_id", number)), sessions=sessions, questions=questions)


def _turn(value: Mapping[str, Any]) -> Turn:
    caption = f" [{value['blip_caption']}]" if value.get("blip_caption") else ""
    (place,) = _places(value["dia_id"])
    return Turn(place=place, speaker=value["speaker"], words=" ".join(f"{value['text']}{caption}".split()))


def _places(text: str) -> list[tuple[int, int]]:
    return [(int(match[1]), int(match[2])) for match in _PLACE.finditer(text)]


Turns = Mapping[str, tuple[str, tuple[int, int]]]


@contextmanager
def laid_down(conversations: Sequence[Conversation], *, distilled: bool) -> Iterator[tuple[Vault, Turns]]:
    """Lay conversations down in one vault; yield it, and whose turn each passage is: conversation and place."""
    with tempfile.TemporaryDirectory(prefix="xysq-locomo-") as home:
        os.environ.update({"HOME": home, "XDG_CACHE_HOME": f"{home}/cache", "XDG_CONFIG_HOME": f"{home}/config"})
        with Vault.init(f"{home}/vault", me="Owner") as vault:
            turns: dict[str, tuple[str, tuple[int, int]]] = {}
            for conversation in conversations:
                turns |= _pushed(vault, conversation)
            if distilled:
                vault.distill()
            yield vault, turns


def _pushed(vault: Vault, conversation: Conversation) -> Turns:
    found: dict[str, tuple[str, tuple[int, int]]] = {}
    for number, (at, turns) in enumerate(conversation.sessions, start=1):
        text = "".join(f"{turn.speaker}: {turn.words}\n\n" for turn in turns)
        name = f"{conversation.name} {number}"
        pushed = vault.push_text(text, source=name, at=at, format="turns", wait="indexed")
        if pushed.passages != len(turns):
            raise SystemExit(f"{name}: {len(turns)} turns became {pushed.passages} passages")
        for place, turn in enumerate(turns, start=1):
            found[f"{pushed.version}#{place}"] = (conversation.name, turn.place)
    return found
