"""A session that is pushed at every turn is the session that is pushed at its end: each byte once, the same facts."""

import json
from pathlib import Path

from tests.store.scratch import scratch
from xysq import Vault
from xysq.hook.turn import moment_of, take
from xysq.model.source import Channel, VersionKind
from xysq.store import logs
from xysq.vault import place

STEPS = 40
PUBLIC = (
    Path(__file__).resolve().parents[2] / ".." / "shared" / "transcripts" / "claude_code" / "spotter" / "short.jsonl"
)
CITIES = ("Vienna", "Rome", "Oslo", "Lima", "Bonn", "Graz")


def session() -> bytes:
    """Return a session in which a person says things of all sorts, between noise, tools and an assistant."""
    long = {"trackedFileBackups": {f"/home/nora/harbour/{number}": number for number in range(30)}}  # more than a step
    records: list[dict[str, object]] = [{"type": "file-history-snapshot", "messageId": "m", "snapshot": long}]
    for number, city in enumerate(CITIES * 3):
        at = {"sessionId": "s", "cwd": "/home/nora/harbour", "timestamp": f"2026-11-30T18:{number:02d}:00Z"}
        uses = {"type": "tool_use", "id": f"t{number}", "name": "Bash", "input": {"command": f"echo {city}"}}
        result = {"type": "tool_result", "tool_use_id": f"t{number}", "content": f"I live in {city} \u2028 {number}"}
        said = (
            f"I live in {city}.",
            f"Person{number} likes tea.",
            f"Never deploy on day {number}.",
            "Thanks \U0001f418",
        )
        records += [
            {**at, "type": "user", "uuid": f"u{number}", "message": {"role": "user", "content": said[number % 4]}},
            {**at, "type": "progress", "uuid": f"p{number}", "data": {"n": number}},
            {**at, "type": "assistant", "uuid": f"a{number}", "message": {"role": "assistant", "content": [uses]}},
            {**at, "type": "user", "uuid": f"r{number}", "message": {"role": "user", "content": [result]}},
        ]
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)


def told(path: Path) -> bytes:
    return json.dumps({"hook_event_name": "Stop", "transcript_path": str(path), "cwd": "/home/nora/harbour"}).encode()


def known(vault: Vault) -> tuple[set[tuple[str, str, str]], set[str]]:
    """Return the open facts, and the texts of all there ever were."""
    facts = vault.facts()
    return {(fact.page, fact.attribute, fact.value) for fact in facts if fact.is_open}, {fact.text for fact in facts}


def test_growing_by_forty_turns_is_the_same_as_one_push() -> None:
    data = session()
    assert data.index(b"\n") > len(data) // STEPS
    with scratch() as folder:
        transcript = folder / "s.jsonl"
        with Vault.init(folder / "grown", me="Nora") as vault:
            opened = place.opened(vault.root, 2.0, Channel.HOOK)
            for step in range(1, STEPS + 1):
                transcript.write_bytes(data[: len(data) * step // STEPS])
                pushed = take(opened, moment_of(told(transcript)))
                assert pushed is not None
                if step == STEPS // 2:
                    vault.distill("rules")
            vault.distill("rules")
            grown = known(vault)
            (source,) = vault.sources()
            assert source.project == "/home/nora/harbour"
            metas = logs.versions(opened.files, source.source)
            assert [meta.kind for meta in metas] == [VersionKind.PUSH, *[VersionKind.APPEND] * (len(metas) - 1)]
            assert sum(meta.part.size for meta in metas) == len(data)
            assert vault.raw(source.source) == data
            assert vault.fsck() == ()
        with Vault.init(folder / "whole", me="Nora") as vault:
            take(place.opened(vault.root, 2.0, Channel.HOOK), moment_of(told(transcript)))
            vault.distill("rules")
            assert known(vault) == grown
