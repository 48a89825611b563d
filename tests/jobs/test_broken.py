"""Every broken vault gives exactly its findings, stops an ordinary search only where it must, and is mended or told."""

import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.broken import CASES, Case, Good, make
from tests.store.scratch import scratch
from xysq.cli.main import run
from xysq.errors import NewerFormat
from xysq.model.report import Finding, Grade
from xysq.model.source import Channel
from xysq.vault import place
from xysq.vault.health import health
from xysq.vault.sound import Sound


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Return the directory of the good vault, with its cache beside it."""
    with scratch() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(folder / "made"))
        patch.setenv("XDG_CONFIG_HOME", str(folder / "config"))
        make(folder / "vault")
        place.examined(folder / "vault", 0.0, Channel.CLI).cache.rename(folder / "cache")
        yield folder


@pytest.fixture
def quick_path() -> Iterator[Path]:
    """Return an empty directory, in memory where the system has such a place."""
    with scratch() as path:
        yield path


@pytest.fixture
def fresh(good: Path, quick_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], Good]:
    """Return what makes a copy of the good vault, in the place of the one before."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(quick_path / "caches"))

    def copy() -> Good:
        shutil.rmtree(quick_path, ignore_errors=True)
        shutil.copytree(good / "vault", quick_path / "vault", symlinks=True)
        shutil.copytree(good / "cache", place.examined(quick_path / "vault", 0.0, Channel.CLI).cache)
        return Good(quick_path / "vault")

    return copy


class Names:
    """Files as the table names them; they are looked up while the vault is whole."""

    def __init__(self, good: Good) -> None:
        self._named = good.named

    def __call__(self, found: Finding) -> str:
        return f"{self.of(found.file)}:{found.line} {found.code}"

    def of(self, file: str) -> str:
        if file.startswith(".git/objects/"):
            return "OBJECT"
        for name, path in sorted(self._named.items(), key=lambda item: -len(item[1])):
            if file == path or file.startswith(f"{path}/"):
                return name + file[len(path) :]
        return re.sub(r"r-\d{8}T\d{6}Z-\w{4}", "RUN", file)


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_a_broken_vault_gives_its_findings_and_is_mended_or_told(case: Case, fresh: Callable[[], Good]) -> None:
    good = fresh()
    named = Names(good)
    case.breaks(good)
    with Sound.examine(good.root) as vault:
        found = vault.fsck()
        assert tuple(named(one) for one in found if not one.note) == case.found
        assert tuple(named(one) for one in found if one.note) == case.notes
        if case.mends == ("!NewerFormat",):
            with pytest.raises(NewerFormat):
                vault.repair()
            return
        before = _files(good.root)
        done = vault.repair()
    assert tuple(dict.fromkeys(named.of(one.file) for one in done.mended)) == case.mends
    assert tuple(named(one) for one in done.left if not one.note) == case.left
    assert tuple(named(one) for one in done.left if one.note) == case.still
    _nothing_is_gone(before, good.root)


def _files(root: Path) -> dict[Path, bytes]:
    """Return the bytes of every file, where they are not git's index or a reflog, which change with each step."""
    found = (path for path in root.rglob("*") if path.is_file() and not path.is_symlink())
    return {path: path.read_bytes() for path in found if not {"logs", "xysq"} & {path.parent.parent.name}}


def _nothing_is_gone(before: dict[Path, bytes], root: Path) -> None:
    """Assert that whatever a file held is still somewhere in the vault."""
    now = {path.read_bytes() for path in root.rglob("*") if path.is_file() and not path.is_symlink()}
    gone = [path for path, data in before.items() if data not in now]
    assert [path for path in gone if path.name not in {"index", "main", "HEAD", "fuse"} and path.exists()] == []


@pytest.mark.parametrize("case", [case for case in CASES.values() if case.search != (0, "")])
def test_an_ordinary_search_on_a_broken_vault(
    case: Case, fresh: Callable[[], Good], capsys: pytest.CaptureFixture[str]
) -> None:
    good = fresh()
    case.breaks(good)
    status = run(["--vault", str(good.root), "search", "Lisbon"])
    printed = capsys.readouterr()
    assert status == case.search[0]
    assert printed.err.startswith(case.search[1])
    assert ("Lisbon" in printed.out) is (status == 0)


@pytest.mark.parametrize("name", ["segment flipped", "ref empty", "HEAD detached", "log missing", "config garbage"])
def test_a_doctor_tells_what_to_type_and_changes_nothing(name: str, fresh: Callable[[], Good]) -> None:
    good = fresh()
    CASES[name].breaks(good)
    before = {path: path.read_bytes() for path in good.root.rglob("*") if path.is_file()}
    found = health(good.root)
    assert {path: path.read_bytes() for path in good.root.rglob("*") if path.is_file()} == before
    faults = [one for one in found if one.grade is Grade.FAULT]
    assert faults
    assert all(one.hint for one in faults)


def test_a_doctor_is_content_with_a_good_vault(fresh: Callable[[], Good]) -> None:
    assert {one.grade for one in health(fresh().root)} <= {Grade.OK, Grade.WARNING}


def test_a_dry_repair_tells_the_same_and_does_nothing(fresh: Callable[[], Good]) -> None:
    good = fresh()
    CASES["log flipped"].breaks(good)
    before = {path: path.read_bytes() for path in good.root.rglob("*") if path.is_file()}
    with Sound.examine(good.root) as vault:
        dry = vault.repair(dry_run=True)
        assert {path: path.read_bytes() for path in good.root.rglob("*") if path.is_file()} == before
        assert [one.file for one in dry.mended] == [one.file for one in vault.repair().mended]
        assert vault.repair().mended == ()
