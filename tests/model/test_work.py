from dataclasses import replace

import pytest

from xysq.canonical import sha256_hex
from xysq.model.source import Certainty, Channel, Digested, Meta, Row, SourceId, VersionKind
from xysq.model.work import pending_rows

SOURCE = SourceId("20261130-abcdef")


def version(number: int, kind: VersionKind, whole: int, parsed_to: int, offset: int = 0) -> Meta:
    digest = Digested(size=whole, sha256=sha256_hex(b""))
    return Meta(
        source=SOURCE,
        version=number,
        kind=kind,
        name="",
        format="text",
        extension="txt",
        title="",
        origin="",
        project="",
        session="",
        key="",
        channel=Channel.CLI,
        pushed_at="2026-11-30T18:00:00Z",
        observed_from=None,
        observed_to=None,
        certainty=Certainty.UNKNOWN,
        part=replace(digest, size=whole - offset),
        whole=digest,
        pushed=digest,
        offset=offset,
        parsed_to=parsed_to,
    )


FIRST = version(1, VersionKind.PUSH, 100, 80)
GROWN = version(2, VersionKind.APPEND, 150, 140, offset=100)


def spelled(rows: tuple[Row, ...]) -> list[str]:
    return [str(row).removeprefix(f"{SOURCE}@") for row in rows]


@pytest.mark.parametrize(("idle", "expected"), [(False, ["1:0-80"]), (True, ["1:0-100"])])
def test_an_unfinished_tail_is_work_once_its_source_is_idle(idle: bool, expected: list[str]) -> None:
    assert spelled(pending_rows((FIRST,), (), idle=idle)) == expected


def test_a_tail_that_is_continued_is_work_of_the_version_that_continued_it() -> None:
    assert spelled(pending_rows((FIRST, GROWN), (), idle=True)) == ["1:0-80", "2:80-150"]


def test_a_tail_that_was_worked_on_is_work_again_from_its_first_byte_when_continued() -> None:
    assert spelled(pending_rows((FIRST, GROWN), (Row(SOURCE, 1, 0, 100),), idle=False)) == ["2:80-140"]


def test_what_a_row_covers_is_no_work_and_the_rest_around_it_is() -> None:
    assert spelled(pending_rows((FIRST,), (Row(SOURCE, 1, 20, 50),), idle=True)) == ["1:0-20", "1:50-100"]


def test_an_update_is_work_only_where_it_says_something_new() -> None:
    update = replace(version(2, VersionKind.UPDATE, 90, 90), kept=((0, 40, 0), (60, 100, 50)))
    covered = (Row(SOURCE, 1, 0, 100),)
    assert spelled(pending_rows((FIRST, update), covered, idle=True)) == ["2:40-50"]


def test_an_update_leaves_the_old_bytes_work_that_nobody_did() -> None:
    update = replace(version(2, VersionKind.UPDATE, 40, 40), kept=((0, 40, 0),))
    assert spelled(pending_rows((FIRST, update), (), idle=True)) == ["1:0-100"]


def test_a_correction_takes_what_it_removed_out_of_the_work() -> None:
    correction = replace(version(2, VersionKind.CORRECT, 90, 90), kept=((0, 40, 0), (60, 100, 50)))
    assert spelled(pending_rows((FIRST, correction), (), idle=True)) == ["1:0-40", "1:60-100", "2:40-50"]


def test_what_an_update_does_not_show_is_out_of_a_later_corrections_reach() -> None:
    update = replace(version(2, VersionKind.UPDATE, 40, 40), kept=((0, 40, 0),))
    correction = replace(version(3, VersionKind.CORRECT, 30, 30), kept=((0, 30, 0),))
    rows = spelled(pending_rows((FIRST, update, correction), (), idle=True))
    assert rows == ["1:0-30", "1:40-100"]
