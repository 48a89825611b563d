"""A flipped bit anywhere in a vault is found, named, or changes nothing (P12): a sample; `tests.crash.flip` has all."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.crash.flip import Bed, flip, flip_some, lay, targets
from tests.store.scratch import scratch
from xysq.jobs.fsck import Depth, looked_at

SAMPLE, WHOLE = 300, 12


@pytest.fixture(scope="module")
def bed() -> Iterator[Bed]:
    """Return a small vault to flip bytes in."""
    with scratch() as folder, pytest.MonkeyPatch.context() as patch:
        for name in ("XDG_CACHE_HOME", "XDG_CONFIG_HOME"):
            patch.setenv(name, str(folder / name))
        yield lay(folder / "vault")


def chosen(bed: Bed, count: int) -> list[tuple[str, int]]:
    return random.Random(count).sample(list(targets(bed)), count)


def test_a_flipped_byte_is_never_missed(bed: Bed) -> None:
    outcomes = flip_some(bed, chosen(bed, SAMPLE))
    assert {outcome for _, outcome in outcomes} <= {"found", "noted", "same"}
    assert sum(count for (_, outcome), count in outcomes.items() if outcome == "found") > SAMPLE / 2


def test_what_a_section_finds_the_whole_of_fsck_finds_too(bed: Bed) -> None:
    for path, at in chosen(bed, WHOLE):
        outcome = flip(bed, path, at)
        file = bed.opened.root / path
        data = file.read_bytes()
        _write(file, data[:at] + bytes([data[at] ^ (1 << (at * 5 + 2) % 8)]) + data[at + 1 :])
        named = {(one.file, one.note) for one in looked_at(bed.opened, Depth.FULL) if one not in bed.quiet}
        _write(file, data)
        expected = {"found": (path, False), "noted": (path, True)}.get(outcome)
        assert (expected in named) if expected else not named
    assert frozenset(looked_at(bed.opened, Depth.FULL)) == bed.quiet


def _write(file: Path, data: bytes) -> None:
    file.chmod(0o600)
    file.write_bytes(data)
