"""How often search finds the turn that answers: evidence recall on the LoCoMo conversations, one passage a turn.

    python -m tests.bench.locomo [path] [--captions]

Each conversation is a vault of its own and each of its sessions a source. Of each question's evidence turns, the
share among the first 5 and 10 passages found; the mean over all questions that have evidence. `plain` is the same
index without our ranking: any of the words, ordered by SQLite's BM25. `--captions` adds the words that stand beside
a shared picture. Figures are printed, never words of the data.
"""

import json
import re
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import mean, median
from typing import Any

from xysq.canonical import instant, sha256_hex
from xysq.model.index import Index, Narrowing
from xysq.model.source import (
    Certainty,
    Channel,
    Digested,
    Encoding,
    Meta,
    Passage,
    Role,
    SourceId,
    Span,
    VersionKind,
)
from xysq.search.find import find
from xysq.search.hit import Place
from xysq.search.query import parse
from xysq.store.readmodel import ReadModel, Unusable, Writer

DEFAULT = Path(__file__).resolve().parents[3] / "shared" / "bench" / "locomo_dev.json"
CUTS = (5, 10)
_EVIDENCE = re.compile(r"D\d+:\d+")
_SESSION = re.compile(r"session_(\d+)")
_LETTERS = "0123456789abcdefghjkmnpqrstvwxyz"

Search = Callable[[Index, str, int], Sequence[str]]


@dataclass(frozen=True, kw_only=True)
class Session:
    """One sitting of a conversation: when, and its turns as (id, speaker, words)."""

    number: int
    at: datetime
    turns: tuple[tuple[str, str, str], ...]


def sessions(conversation: Mapping[str, Any], *, captions: bool) -> Iterator[Session]:
    """Read the sessions of a conversation, in order."""
    numbers = sorted(int(match[1]) for key in conversation if (match := _SESSION.fullmatch(key)))
    for number in numbers:
        at = datetime.strptime(conversation[f"session_{number}_date_time"], "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)
        turns = [
            (turn["dia_id"], turn["speaker"], turn["text"] + _caption(turn, captions=captions))
            for turn in conversation[f"session_{number}"]
        ]
        yield Session(number=number, at=at, turns=tuple(turns))


def _caption(turn: Mapping[str, Any], *, captions: bool) -> str:
    return f" [{turn['blip_caption']}]" if captions and turn.get("blip_caption") else ""


def put_session(writer: Writer, session: Session) -> Mapping[str, str]:
    """Put a session into a read model as a source; return the turn behind each passage id."""
    high, low = divmod(session.number, len(_LETTERS))
    source = SourceId(f"{session.at:%Y%m%d}-0000{_LETTERS[high]}{_LETTERS[low]}")
    passages: list[Passage] = []
    turn_of: dict[str, str] = {}
    at, text = instant(session.at), ""
    for number, (turn, speaker, words) in enumerate(session.turns, start=1):
        line = f"{speaker}: {words}\n"
        begin = len(text.encode())
        text += line
        first = begin + len(f"{speaker}: ".encode())
        span = Span(start=first, end=first + len(words.encode()), enc=Encoding.PLAIN, text=words)
        passages.append(
            Passage(
                source=source,
                version=1,
                number=number,
                start=begin,
                end=len(text.encode()),
                speaker=speaker,
                role=Role.PERSON,
                at=at,
                spans=(span,),
                session_kind="talk",
            )
        )
        turn_of[str(passages[-1])] = turn
    digest = Digested(size=len(text.encode()), sha256=sha256_hex(text.encode()))
    writer.put_version(
        Meta(
            source=source,
            version=1,
            kind=VersionKind.PUSH,
            name="",
            format="turns",
            extension="txt",
            title="",
            origin="",
            project="",
            session="",
            key="",
            channel=Channel.CLI,
            pushed_at=at,
            observed_from=at,
            observed_to=at,
            certainty=Certainty.LOG,
            part=digest,
            whole=digest,
            pushed=digest,
            offset=0,
            parsed_to=digest.size,
        ),
        passages,
    )
    return turn_of


def ours(index: Index, question: str, limit: int) -> Sequence[str]:
    """Search as xysq does."""
    return [hit.id for hit in find(index, question, where=(Place.LOGS,), limit=limit)]


def plain(index: Index, question: str, limit: int) -> Sequence[str]:
    """Search by SQLite's own ranking alone."""
    match = parse(question).match
    return [str(passage) for passage in index.passages(match, Narrowing(), limit)] if match else []


@dataclass(frozen=True, kw_only=True)
class Figures:
    """Evidence recall by cut, over all questions and by category, and the median time of one search."""

    questions: int
    recall: Mapping[int, float]
    by_category: Mapping[int, Mapping[int, float]]
    milliseconds: float


def measure(path: Path, search: Search, *, captions: bool = False) -> Figures:
    """Ask every question that has evidence, and see how much of it is found."""
    found: dict[int, dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    times: list[float] = []
    for conversation in json.loads(path.read_text("utf-8")):
        with tempfile.TemporaryDirectory() as directory:
            model = ReadModel.open(Path(directory) / "model", "bench")
            if isinstance(model, Unusable):
                raise SystemExit(model.reason)
            turn_of: dict[str, str] = {}
            with model.writing() as writer:
                for session in sessions(conversation["conversation"], captions=captions):
                    turn_of |= put_session(writer, session)
            with model.reading() as state:
                for asked in conversation["qa"]:
                    wanted = set(_EVIDENCE.findall(" ".join(asked["evidence"]))) & set(turn_of.values())
                    if not wanted:
                        continue
                    begun = time.perf_counter()
                    ids = search(state.index, asked["question"], max(CUTS))
                    times.append(time.perf_counter() - begun)
                    turns = [turn_of[name] for name in ids]
                    for cut in CUTS:
                        found[asked["category"]][cut].append(len(wanted & set(turns[:cut])) / len(wanted))
            model.close()
    return Figures(
        questions=len(times),
        recall={cut: 100 * mean(x for of in found.values() for x in of[cut]) for cut in CUTS},
        by_category={kind: {cut: 100 * mean(of[cut]) for cut in CUTS} for kind, of in sorted(found.items())},
        milliseconds=1000 * median(times),
    )


def main(arguments: Sequence[str]) -> int:
    """Print the table."""
    captions = "--captions" in arguments
    paths = [Path(argument) for argument in arguments if not argument.startswith("--")]
    path = paths[0] if paths else DEFAULT
    if not path.exists():
        print(f"skipped: {path.name} is not here")
        return 0
    print("| search | questions | recall@5 | recall@10 | by category, @5 / @10 | median ms |")
    print("|---|---|---|---|---|---|")
    for name, search in (("plain", plain), ("xysq", ours)):
        figures = measure(path, search, captions=captions)
        parts = "; ".join(f"{kind}: {of[5]:.1f} / {of[10]:.1f}" for kind, of in figures.by_category.items())
        print(
            f"| {name} | {figures.questions} | {figures.recall[5]:.1f} | {figures.recall[10]:.1f} |"
            f" {parts} | {figures.milliseconds:.1f} |"
        )
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
