from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.builders import evidence
from tests.modelled import modelled, passages_of
from tests.store.logs_of import OTHER, SOURCE, meta_of, view_of
from tests.store.scratch import scratch
from xysq.errors import Damaged
from xysq.model.fact import Evidence
from xysq.model.kept import follow
from xysq.model.source import Encoding, Meta, SourceId, Version, VersionKind
from xysq.store import layout
from xysq.store.archive import VaultArchive
from xysq.store.files import Files
from xysq.store.landing import land

ONE = Version(SOURCE, 1)
TURNS = ("Alice: I live in Boston.", "Bob: Hier ist's schön.")
LOG = "".join(f"{turn}\n" for turn in TURNS).encode()


@contextmanager
def shelved(path: Path, *versions: tuple[Meta, bytes], **said: object) -> Iterator[VaultArchive]:
    """Land versions, each with its turns read, and look at them."""
    root = path / "vault"
    root.mkdir()
    files = Files(root)
    with modelled(path) as model:
        for meta, part in versions:
            land(files, meta, part)
            turns = part.decode("utf-8", "replace").splitlines()
            with model.writing() as writer:
                number = writer.state.logs.count(Version(meta.source, meta.version - 1)) + 1
                first = number if meta.kind is VersionKind.APPEND else 1
                writer.put_version(meta, passages_of(turns, meta, first, **said))
        with model.reading() as state:
            yield VaultArchive(files, state)


def quote(words: str, log: bytes = LOG, **changes: object) -> Evidence:
    start = log.index(words.encode())
    return evidence(words, **{"start": start, "end": start + len(words.encode()), "at": None} | changes)


def later(data: bytes, kind: VersionKind, *kept: tuple[int, int, int], version: int = 2) -> tuple[Meta, bytes]:
    return meta_of(data, version=version, kind=kind, kept=kept, pushed_at="2026-12-01T00:00:00Z"), data


FIRST = (meta_of(LOG), LOG)


def test_words_are_the_logs_own(quick_path: Path) -> None:
    with shelved(quick_path, FIRST) as archive:
        assert archive.words(quote("ist's schön")) == "ist's schön"
        assert archive.raw(ONE, Encoding.PLAIN, 0, 5) == b"Alice"
        assert archive.meta(ONE) == FIRST[0]


@pytest.mark.parametrize(
    "changes",
    [
        {"version": 2},
        {"version": 0},
        {"version": 1 << 70},
        {"source": OTHER},
        {"source": SourceId("../../etc/passwd")},
        {"start": len(LOG), "end": len(LOG) + 1},
        {"start": 9, "end": 3},
        {"start": -3, "end": 3},
        {"start": 0, "end": 1 << 70},
        {"start": 0, "end": 5, "enc": Encoding.TEXT},
    ],
)
def test_what_is_not_in_the_log_has_no_words_and_no_standing(quick_path: Path, changes: dict[str, object]) -> None:
    with shelved(quick_path, FIRST) as archive:
        piece = replace(quote("Boston"), **changes)  # type: ignore[arg-type]
        assert archive.words(piece) is None
        assert not archive.stands(piece)
        assert archive.passage_at(piece.cited, piece.start, piece.end, piece.enc) is None


def test_half_a_character_is_no_words(quick_path: Path) -> None:
    place = LOG.index("ö".encode())
    with shelved(quick_path, FIRST) as archive:
        assert archive.words(evidence("ö", start=place, end=place + 2)) == "ö"
        assert archive.words(evidence("ö", start=place, end=place + 1)) is None


def test_json_is_unescaped_and_views_are_read_from_the_view(quick_path: Path) -> None:
    root = quick_path / "vault"
    root.mkdir()
    files = Files(root)
    raw, view = b"caf\xe9 \\u00e9\n", "café\n".encode()
    land(files, meta_of(raw, text=view_of(view)), raw, view)
    with modelled(quick_path) as model, model.writing() as writer:
        writer.put_version(meta_of(raw, text=view_of(view)), ())
        archive = VaultArchive(files, writer.state)
        assert archive.words(evidence("é", start=5, end=11, enc=Encoding.JSON)) == "é"
        assert archive.words(evidence("café", start=0, end=5, enc=Encoding.TEXT)) == "café"
        assert archive.words(evidence("caf", start=0, end=4, enc=Encoding.PLAIN)) is None


def test_damage_is_never_taken_for_missing(quick_path: Path) -> None:
    with shelved(quick_path, FIRST) as archive:
        path = quick_path / "vault" / layout.part_path(ONE, VersionKind.PUSH, "txt")
        path.chmod(0o600)
        path.write_bytes(LOG[:10])
        with pytest.raises(Damaged):
            archive.words(quote("Boston"))


def test_a_version_that_has_only_landed_is_known(quick_path: Path) -> None:
    with shelved(quick_path) as archive:
        land(Files(quick_path / "vault"), *FIRST)
        assert archive.meta(ONE) == FIRST[0]
        assert archive.stands(quote("Boston"))


def test_a_quote_stands_while_corrections_keep_it(quick_path: Path) -> None:
    corrected = LOG.replace(b"Boston", b"Berlin")
    place = LOG.index(b"Boston")
    kept = ((0, place, 0), (place + 6, len(LOG), place + 6))
    with shelved(quick_path, FIRST, later(corrected, VersionKind.CORRECT, *kept)) as archive:
        assert not archive.stands(quote("live in Boston"))
        assert archive.stands(quote("live in"))
        assert archive.stands(quote("ist's schön"))
        assert archive.stands(quote("live in Berlin", corrected, version=2))


def test_other_words_than_the_cited_never_stand(quick_path: Path) -> None:
    with shelved(quick_path, FIRST) as archive:
        assert archive.stands(quote("Boston"))
        assert not archive.stands(replace(quote("Boston"), quote="boston"))


def test_an_update_ends_no_standing(quick_path: Path) -> None:
    with shelved(quick_path, FIRST, later(b"Eve: Hm.\n", VersionKind.UPDATE)) as archive:
        assert archive.stands(quote("Boston"))


def test_what_an_update_lacks_no_correction_reaches(quick_path: Path) -> None:
    update = later(b"Eve: Hm.\n", VersionKind.UPDATE)
    correction = later(b"Eve: Oh.\n", VersionKind.CORRECT, version=3)
    with shelved(quick_path, FIRST, update, correction) as archive:
        assert archive.stands(quote("Boston"))
        assert not archive.stands(quote("Hm", b"Eve: Hm.\n", version=2))


def test_the_passage_around_a_quote_is_found(quick_path: Path) -> None:
    with shelved(quick_path, FIRST) as archive:
        piece = quote("Boston")
        passage = archive.passage_at(ONE, piece.start, piece.end, "plain")
        assert passage is not None
        assert (passage.number, passage.speaker) == (1, "Alice")
        assert archive.passage_at(ONE, piece.start, piece.end, "odd") is None


@pytest.mark.parametrize(
    ("clause", "moment", "was_said"),
    [
        ("I LIVE  in boston", "2026-12-01", True),
        ("I live in Boston", "2026-11-30T18:02:11Z", False),
        ("live in Bosto", "2026-12-01", False),
        ("in live Boston", "2026-12-01", False),
        ("ist’s schön", "2026-12-01", True),
        ("", "2026-12-01", False),
        ('"', "2026-12-01", False),
    ],
)
def test_a_clause_was_said_before_where_an_older_log_holds_it(
    quick_path: Path, clause: str, moment: str, *, was_said: bool
) -> None:
    with shelved(quick_path, FIRST) as archive:
        assert archive.said_before(clause, moment) is was_said


def test_what_was_changed_since_was_still_said_before(quick_path: Path) -> None:
    with shelved(quick_path, FIRST, later(b"Eve: Hm.\n", VersionKind.UPDATE)) as archive:
        assert archive.said_before("I live in Boston.", "2026-11-30T20")
        assert not archive.said_before("Hm.", "2026-11-30T20")


def test_a_clause_of_another_script_is_found(quick_path: Path) -> None:
    log = "王: 我住在北京，喜欢喝茶。\n".encode()
    with shelved(quick_path, (meta_of(log), log)) as archive:
        assert archive.said_before("住在北京", "2026-12-01")
        assert not archive.said_before("住在南京", "2026-12-01")


def test_one_record_is_one_utterance(quick_path: Path) -> None:
    with shelved(quick_path, FIRST, native="u1") as archive:
        assert archive.same_utterance(quote("Boston"), quote("I live", speaker="Bob", at="2026-01-01"))


def test_without_records_an_utterance_is_speaker_time_and_words(quick_path: Path) -> None:
    with shelved(quick_path, FIRST) as archive:
        piece = quote("Boston", at="2026-11-30T18:00:00Z")
        assert archive.same_utterance(piece, replace(piece, source=OTHER, quote="BOSTON", speaker="alice"))
        assert not archive.same_utterance(piece, replace(piece, at="2026-11-30T18:00:01Z"))
        assert not archive.same_utterance(piece, replace(piece, speaker="Bob"))
        assert not archive.same_utterance(piece, replace(piece, quote="Berlin"))


@given(st.data())
@settings(max_examples=25)
def test_a_quote_that_stands_through_corrections_is_still_in_the_newest_bytes(data: st.DataObject) -> None:
    log, versions = LOG, [FIRST]
    for number in range(2, data.draw(st.integers(2, 4)) + 1):
        start = data.draw(st.integers(0, len(log)))
        end = data.draw(st.integers(start, min(len(log), start + 9)))
        new = data.draw(st.sampled_from([b"", b"Z", b"Paris"]))
        kept = tuple(piece for piece in ((0, start, 0), (end, len(log), start + len(new))) if piece[0] < piece[1])
        log = log[:start] + new + log[end:]
        versions.append(later(log, VersionKind.CORRECT, *kept, version=number))
    begin = data.draw(st.integers(0, len(LOG) - 2))
    size = data.draw(st.integers(1, 12))
    words = LOG[begin : begin + size]
    with scratch() as path, shelved(path, *versions) as archive:
        piece = evidence(words.decode("utf-8", "replace"), start=begin, end=begin + len(words), at=None)
        if archive.stands(piece):
            assert words in log
        else:
            places: list[tuple[int, int] | None] = [(begin, begin + len(words))]
            for meta, _ in versions[1:]:
                place = places[-1]
                places.append(None if place is None else follow(meta.kept, *place))
            assert places[-1] is None or archive.words(piece) is None
