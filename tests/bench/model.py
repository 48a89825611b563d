"""What a small real model brings through the whole write path, and what code drops of it.

    XYSQ_TEST_MODEL=FILE python -m tests.bench.model [passages]
    OLLAMA_HOST=… python -m tests.bench.model --model NAME [passages]

The first form puts the model behind the server of ours that the tests use, the second asks a server that runs. The
passages are the first ones that a model is shown of files under `../shared/transcripts`, as many of each. Printed are
the proposals, the drops by code and the facts that were committed. Whatever the model says, these hold, and the status
is 1 where one does not: every stated fact is quoted with its value in the quote, every row is done or told, fsck finds
nothing.
"""

import json
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.drafters.llama import NAME, Llama, why_absent
from tests.drafters.stand_in import StandIn, standing_in
from xysq import Vault
from xysq.drafters.model.window import is_read
from xysq.model.fact import Label
from xysq.model.report import RunReport, ShownRun, ShownVersion
from xysq.model.run import Record
from xysq.pages.escape import stands_in

SHARED = Path(__file__).parents[2] / "../shared/transcripts"
FILES = (
    "irc/ubuntu/2008-12-11_11.ascii.txt",
    "minutes/nodejs_TSC/2024-07-24.md",
    "otter_like/graphiti/podcast_transcript.txt",
)
PASSAGES, LEAST_FACTS = 60, 20


@contextmanager
def _surroundings() -> Iterator[Path]:
    """Give a home of its own, so that no configuration and no cache of anybody's takes part."""
    with tempfile.TemporaryDirectory() as home:
        for name in ("HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"):
            os.environ[name] = home
        yield Path(home)


@contextmanager
def _server(name: str) -> Iterator[StandIn | None]:
    if name:
        yield None
        return
    with standing_in(Llama()) as stand_in:
        os.environ["OLLAMA_HOST"] = stand_in.host
        yield stand_in


def _cut(home: Path, file: Path, count: int) -> bytes:
    """Return the beginning of a file with so many passages that a model is shown."""
    data = file.read_bytes()
    with Vault.init(home / f"look-{file.stem}", me="Mia Voss") as look:
        version = look.show(str(look.push(file).version))
        assert isinstance(version, ShownVersion)
        read = [passage for passage in version.passages if is_read(passage)]
    return data[: read[count - 1].end] if count < len(read) else data


def distilled(home: Path, name: str, passages: int) -> tuple[Vault, list[RunReport], float]:
    """Push the passages and distil them."""
    vault = Vault.init(home / "vault", me="Mia Voss")
    for file in FILES:
        path = home / Path(file).name
        path.write_bytes(_cut(home, SHARED / file, passages // len(FILES)))
        vault.push(path)
    began = time.monotonic()
    reports = []
    for report in vault.distill_iter(f"ollama:{name}"):
        reports.append(report)
        print(".", end="", flush=True, file=sys.stderr)
    print(file=sys.stderr)
    return vault, reports, time.monotonic() - began


def _records(vault: Vault, reports: list[RunReport]) -> Iterator[Record]:
    for report in reports:
        if report.outcome == "applied":
            shown = vault.show(report.run)
            assert isinstance(shown, ShownRun)
            yield Record.from_wire("record", json.loads(shown.record))


def _proposed(record: Record) -> int:
    count = 0
    for answer in record.drafting.answers:
        try:
            count += len(json.loads(answer)["facts"])
        except (ValueError, KeyError, TypeError):
            continue
    return count


def table(vault: Vault, reports: list[RunReport], seconds: float) -> list[str]:
    """Print what became of everything; return what does not hold."""
    records = list(_records(vault, reports))
    drops = Counter(drop.code.value for record in records for drop in (*record.drafting.drops, *record.drops))
    facts = vault.facts()
    stated = [fact for fact in facts if fact.label is Label.STATED]
    unquoted = [f for f in stated if not any(stands_in(f.value, piece.quote) for piece in f.evidence)]
    now = vault.status()
    moved = sum(int((record.drafting.parameters or {}).get("moved_quotes", 0)) for record in records)
    proposed, mismatched = sum(map(_proposed, records)), drops["quote-mismatch"]
    astray = mismatched + moved
    rows = [
        ("passages", sum(vault_source.passages for vault_source in vault.sources())),
        ("runs applied, refused", f"{len(records)}, {sum(bool(report.refusals) for report in reports)}"),
        ("calls", now.spent_today.calls),
        ("tokens read, written", f"{now.spent_today.tokens_in:,}, {now.spent_today.tokens_out:,}"),
        ("seconds", f"{seconds:.0f}"),
        ("facts proposed", proposed),
        (
            "  pointed at a line without the value",
            f"{astray} ({100 * astray / max(1, proposed):.0f} %)",
        ),
        ("  of these, in exactly one other line", moved),
        *((f"  dropped: {code}", count) for code, count in sorted(drops.items())),
        ("facts committed", len(facts)),
        ("  stated", len(stated)),
        ("  stated, quoted with the value", len(stated) - len(unquoted)),
        ("  inferred", len(facts) - len(stated)),
        ("tokens a fact", now.spent_today.tokens_a_fact or "-"),
    ]
    for name, value in rows:
        print(f"{name:<42} {value}")
    findings = [finding for finding in vault.fsck() if not finding.note]
    broken = [f"not quoted: {fact.id} {fact.text}" for fact in unquoted]
    broken += [f"fsck: {finding.file}: {finding.sentence}" for finding in findings]
    waiting = {*now.pending, *(one.row for one in now.given_up)}
    told = {one.row for one in (*now.tried, *now.given_up)}
    return broken + [f"lost sight of: {row}" for row in waiting - told]


def main(arguments: list[str]) -> int:
    """Measure, and say what does not hold."""
    name = arguments[arguments.index("--model") + 1] if "--model" in arguments else ""
    counts = [int(word) for word in arguments if word.isdigit()]
    absent = "" if name else why_absent()
    if absent or not SHARED.is_dir():
        print(f"skipped: {absent or 'there are no shared transcripts'}")
        return 0
    with _surroundings() as home, _server(name) as stand_in:
        vault, reports, seconds = distilled(home, name or NAME, counts[0] if counts else PASSAGES)
        with vault:
            broken = table(vault, reports, seconds)
            if "--facts" in arguments:
                for fact in vault.facts():
                    print(f"  {fact.page}: {fact.attribute}: {fact.value}   <- {fact.evidence[0].quote[:100]!r}")
            if not counts and len(vault.facts()) < LEAST_FACTS:
                broken.append(f"fewer than {LEAST_FACTS} facts")
        broken += stand_in.faults if stand_in else []
    print("\n".join(broken) or "all holds")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
