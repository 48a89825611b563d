"""A little read model: turns as versions of a source, stories as runs.

with modelled(path) as model, model.writing() as writer:
    put_turns(writer, "Alice: I live in Boston.", "Bob: Good.")
    put_story(writer, story)
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from tests.builders import VAULT, Story, evidence
from tests.store.logs_of import SOURCE, meta_of
from xysq.model.fact import Evidence
from xysq.model.source import Encoding, Meta, Passage, Role, SourceId, Span, VersionKind
from xysq.store.readmodel import ReadModel, Unusable
from xysq.store.readmodel.writer import Writer

PUSHED = "2026-11-30T18:02:11Z"


@contextmanager
def modelled(path: Path) -> Iterator[ReadModel]:
    """Open a new read model in a directory below `path`."""
    model = ReadModel.open(path / "model", VAULT, create=True)
    assert not isinstance(model, Unusable), model.reason
    try:
        yield model
    finally:
        model.close()


def text_of(turns: Sequence[str]) -> str:
    """Return the log that holds the turns, one a line."""
    return "".join(f"{turn}\n" for turn in turns)


def passages_of(turns: Sequence[str], meta: Meta, first: int = 1, **changes: object) -> tuple[Passage, ...]:
    """Read turns, each `Speaker: words`, as the passages of a version, counted from `first`."""
    found: list[Passage] = []
    place = meta.offset
    for number, line in enumerate(turns, start=first):
        speaker, _, words = line.partition(": ")
        end = place + len(line.encode())
        span = Span(start=end - len(words.encode()), end=end, enc=Encoding.PLAIN, text=words)
        base = Passage(
            source=meta.source,
            version=meta.version,
            number=number,
            start=place,
            end=end + 1,
            speaker=speaker,
            role=Role.PERSON,
            at=None,
            spans=(span,),
            session_kind="talk",
        )
        found.append(replace(base, **changes))  # type: ignore[arg-type]
        place = end + 1
    return tuple(found)


def put_turns(
    writer: Writer,
    *turns: str,
    source: SourceId = SOURCE,
    said: dict[str, object] | None = None,
    **changes: object,
) -> Meta:
    """Put turns as the next version of a source; `said` changes every passage, `changes` the meta."""
    metas = writer.state.logs.metas(source)
    is_append = changes.get("kind") is VersionKind.APPEND
    before = metas[-1].whole.size if metas and is_append else 0
    number = writer.state.logs.count(metas[-1].id) + 1 if metas and is_append else 1
    data = text_of(turns).encode()
    base = meta_of(data, b"-" * before, source=source, version=len(metas) + 1, pushed_at=PUSHED, format="turns")
    meta = replace(base, **changes)  # type: ignore[arg-type]
    writer.put_version(meta, passages_of(turns, meta, number, **(said or {})))
    return meta


def put_story(writer: Writer, story: Story, commit: str = "") -> None:
    """Put everything a story tells, as one."""
    writer.put_run(story.fold, story.events, commit)


def quote_of(turns: Sequence[str], words: str, **changes: object) -> Evidence:
    """Return evidence that quotes the first place of the words in the log of the turns."""
    start = text_of(turns).encode().index(words.encode())
    return evidence(words, **{"start": start, "end": start + len(words.encode())} | changes)
