"""Queries nobody would think of, and a vault's index to ask them of.

    python -m tests.bench.queries 10000

asks so many: those Hypothesis makes up, out of syntax, words and anything, and the naughty strings of the shared
transcripts as they are and in the midst of syntax. None may raise anything, whatever it finds.
"""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.modelled import modelled, put_turns
from tests.search.test_find import told
from tests.store.logs_of import OTHER, SOURCE
from tests.store.scratch import scratch
from xysq.search.block import Searched, pack
from xysq.search.explain import explain
from xysq.search.find import find
from xysq.search.recall import choose
from xysq.search.syntax import FIELDS, Setting, moment, read, suggest
from xysq.store.readmodel.writer import Writer

NAUGHTY = Path(__file__).resolve().parents[3] / "shared" / "transcripts" / "nasty" / "naughty"
NOW = datetime(2026, 12, 1, 10, 30, tzinfo=UTC)
_SYNTAX = (
    *(f"{field}:" for field in FIELDS),
    *(
        '"',
        "*",
        "~",
        "~2",
        "~9/3",
        "(",
        ")",
        " ",
        " ",
        " ",
        "AND",
        " OR ",
        " NOT ",
        " AND NOT ",
        "'",
        ":",
        "^",
        "-",
        "+",
        "\\",
    ),
    *("NEAR(", "last week", "3 days ago", "2026-11", "june", "tomorrow", "0000", "TO", "[", "]", "?", "\x00", "\n"),
    *("Boston", "pottery", "class", "alice", "北京", "กรุงเทพ", "é", "e\u0301", "🙂", "\ud800", "src/a-b.py", "don't"),
)
QUERIES = (
    st.text(st.characters(), max_size=60)
    | st.lists(st.sampled_from(_SYNTAX), max_size=12).map("".join)
    | st.lists(st.sampled_from(_SYNTAX) | st.text(st.characters(), max_size=6), max_size=9).map(" ".join)
)


@contextmanager
def asked() -> Iterator[Writer]:
    """Yield a little read model that knows a talk, notes, a fact and prose."""
    with scratch() as path, modelled(path) as model, model.writing() as writer:
        told(writer)
        put_turns(writer, "王: 我住在北京，喜欢喝茶。", "Dev: parseRunHeader in src/a-b.py fails: E42!", source=OTHER)
        yield writer


def ask(writer: Writer, words: str) -> None:
    """Ask a query in every way there is."""
    index, ledger = writer.state.index, writer.state.ledger
    query = read(words, Setting(index=index, now=NOW, pages=ledger.named, sources=lambda _: (SOURCE, OTHER)))
    hits = find(index, query, context=True)
    assert all(hit.score > 0 for hit in hits)
    assert {hit.beside for hit in hits} <= {"", *(hit.id for hit in hits)}
    assert [hit.id for hit in explain(index, query, context=True).hits] == [hit.id for hit in hits]
    block = pack(words, choose(index, query, pages=ledger.named, title=str), Searched(sources=2, passages=9, facts=1))
    assert block.text.count("</xysq-recall>") == 1
    assert suggest(words, index) != words or not words
    moment(words, NOW)


def naughty() -> tuple[str, ...]:
    """Return the naughty strings, where they are there."""
    found: dict[str, None] = {}
    for file in sorted(NAUGHTY.glob("*")) if NAUGHTY.is_dir() else ():
        data = file.read_bytes().decode("utf-8", "surrogateescape")
        lines = json.loads(data) if file.suffix == ".json" else data.splitlines()
        found.update((line, None) for line in lines if isinstance(line, str))
    return tuple(found)


def wrapped(words: str) -> tuple[str, ...]:
    """Return a string as it is and in the midst of syntax."""
    return words, f'"{words}"', f"speaker:{words} OR {words}*", f"({words}) AND NOT on:{words}", f"{words}~2"


def main(count: int) -> int:
    """Ask so many queries."""
    fixed = [query for words in naughty() for query in wrapped(words)][:count]
    with asked() as writer:
        for query in fixed:
            ask(writer, query)

        @given(QUERIES)
        @settings(max_examples=max(1, count - len(fixed)), deadline=None, suppress_health_check=list(HealthCheck))
        def made_up(words: str) -> None:
            ask(writer, words)

        made_up()
    print(f"{len(fixed)} naughty strings and {max(1, count - len(fixed))} made-up queries: nothing was raised")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000))
