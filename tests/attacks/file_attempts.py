"""Attempts on everything else: the record, the files beside run.json, the draft, the decision.

Those in `ATTEMPTS` are expected to be refused by a gate; those in `DECIDED` write the decision themselves.
"""

import json
import os
import shutil
from typing import Any

from tests.attacks.attempts import TOOLS, Attempt, refused_by
from tests.attacks.staging import Staging
from xysq.canonical import sha256_hex

DECIDED: list[Attempt] = []
MAYA, RECORD = "pages/ma/maya.md", "runs/2026/11/30/{}.json"


def decided(attempt: Attempt) -> Attempt:
    """Enter an attempt that plants DECIDED."""
    DECIDED.append(attempt)
    return attempt


def _record(at: Staging, /, **changes: Any) -> None:  # noqa: ANN401 - any field of a record
    at.run["record"] |= changes
    at.seal()


# The record


@refused_by("staged-files")
def a_run_of_a_kind_that_needs_no_words(at: Staging) -> None:
    at.bodies("close")[0].update(reason="corrected", evidence=[])
    _record(at, kind="correct")


@refused_by("staged-files")
def a_revert_that_nobody_asked_for(at: Staging) -> None:
    _record(at, kind="revert", reverts="r-20261130T180600Z-0001")


@refused_by("staged-files")
def a_run_from_before_its_words(at: Staging) -> None:
    _record(at, at="2020-01-01T00:00:00Z")


@refused_by("staged-files")
def a_run_from_the_future(at: Staging) -> None:
    _record(at, at="2999-01-01T00:00:00Z")


@refused_by("staged-files")
def a_moment_that_is_a_line_of_the_changelog(at: Staging) -> None:
    _record(at, at="2026-11-30 18:04Z\n- 2026")


@refused_by("staged-files")
def rows_of_a_version_that_is_still_to_come(at: Staging) -> None:
    (row,) = at.run["record"]["rows"]
    _record(at, rows=[row, f"{row[: row.index('@')]}@2:0-999999999999"])


@refused_by("staged-files")
def rows_behind_the_end_of_a_log(at: Staging) -> None:
    (row,) = at.run["record"]["rows"]
    _record(at, rows=[row + "0"])


@refused_by("staged-files")
def rows_left_out(at: Staging) -> None:
    _record(at, rows=[])


@refused_by("staged-files")
def a_drop_kept_quiet(at: Staging) -> None:
    _record(at, drops=[])


@refused_by("staged-files")
def a_drafter_called_user(at: Staging) -> None:
    at.bodies("close")[0]["by"] = "user"
    at.run["record"]["drafting"]["drafter"] = "user"
    at.seal()


@refused_by("staged-files")
def a_draft_made_up_to_go_with_the_plan(at: Staging) -> None:
    at.fact("Rome")["text"] = "Maya despises Rome."
    reply = '{"facts":[]}'
    (at.directory / "draft.json").write_text(reply)
    _record(at, reply=reply)


@refused_by("fresh-base")
def a_base_that_never_was(at: Staging) -> None:
    at.run["base"]["hash"] = "0" * 64
    at.seal()


# run.json as JSON


@refused_by("staged-files")
def too_few_salts(at: Staging) -> None:
    at.run["salts"].pop()
    at.write()


@refused_by("staged-files")
def a_key_nobody_knows(at: Staging) -> None:
    at.run["trusted"] = True
    at.write()


@refused_by("staged-files")
def one_key_twice(at: Staging) -> None:
    data = (at.directory / "run.json").read_text()
    (at.directory / "run.json").write_text(data.replace('"base":', '"base":{},"base":', 1))


@refused_by("staged-files")
def json_without_an_end(at: Staging) -> None:
    (at.directory / "run.json").write_text("[" * 100_000)


@refused_by("staged-files")
def the_name_of_another_run(at: Staging) -> None:
    at.run["record"]["run"] = "r-20261130T000000Z-zzzz"
    at.write()


# The files a run leaves


def _edit(at: Staging, path: str, old: bytes, new: bytes) -> None:
    data = at.after(path).read_bytes()
    assert old in data
    at.after(path).write_bytes(data.replace(old, new, 1))


@refused_by("declared-bytes")
def a_byte_of_a_page(at: Staging) -> None:
    _edit(at, MAYA, b"Maya lives in Rome", b"Maya lives in Rom3")


@refused_by("declared-bytes")
def a_sentence_nobody_declared(at: Staging) -> None:
    _edit(at, MAYA, b"\n## Changelog", b"\nShe sold the company. ^b-zzzzzzzzz1\n\n## Changelog")


@refused_by("fact-behind-block")
def a_fact_nobody_stated(at: Staging) -> None:
    _edit(at, MAYA, b"- Maya lives", b"- Maya sold the company. ^f-zzzzzzzzz1\n- Maya lives")


@refused_by("changelog")
def a_line_of_the_changelog_in_other_words(at: Staging) -> None:
    _edit(at, MAYA, b"1 closed", b"0 closed")


@refused_by("changelog")
def a_line_of_the_changelog_taken_out(at: Staging) -> None:
    data = at.after(MAYA).read_bytes()
    at.after(MAYA).write_bytes(data[: data.rindex(b"- 2026")])


@refused_by("changelog")
def a_line_of_the_changelog_put_in(at: Staging) -> None:
    with at.after(MAYA).open("ab") as page:
        page.write(b"- 2026-11-01 10:00Z r-20261101T100000Z-aaaa: +1 fact from 20261101-aaaaaa@1\n")


@refused_by("closed-shown")
def a_closed_fact_left_on_its_page(at: Staging) -> None:
    _edit(at, MAYA, b"\n## Changelog", f"\n- Maya likes tea. ^{at.known('tea')}\n\n## Changelog".encode())


@refused_by("structure")
def a_front_matter_of_ones_own(at: Staging) -> None:
    _edit(at, MAYA, b"---\n", b"---\npublish: true\n")


@refused_by("shrinkage")
def a_page_that_loses_its_body(at: Staging) -> None:
    at.add("assert", dict(at.fact("force")) | {"fact": "f-zzzzzzzzz2", "page": "tom"})
    at.seal()
    data = at.after("pages/to/tom.md").read_bytes()
    at.after("pages/to/tom.md").write_bytes(data[: data.index(b"- Tom lives")] + data[data.index(b"## Notes") :])


@refused_by("bijection")
def a_page_nobody_touched(at: Staging) -> None:
    shutil.copy(at.opened.root / "pages/to/tom.md", at.after("pages/to/tom.md"))


@refused_by("bijection")
def a_page_left_out(at: Staging) -> None:
    at.after(MAYA).unlink()


@refused_by("bijection")
def a_page_said_to_be_gone(at: Staging) -> None:
    at.after(MAYA).unlink()
    at.run["gone"] = [MAYA]
    at.write()


@refused_by("staged-files")
def the_ledger_said_to_be_gone(at: Staging) -> None:
    at.after("ledger/000/000001.jsonl").unlink()
    at.run["gone"] = ["ledger/000/000001.jsonl"]
    at.write()


@refused_by("staged-files")
def the_ledger_without_its_past(at: Staging) -> None:
    path = at.after("ledger/000/000001.jsonl")
    path.write_bytes(path.read_bytes().split(b"\n", 1)[1])


@refused_by("staged-files")
def a_segment_that_is_not_next(at: Staging) -> None:
    at.after("ledger/000/000001.jsonl").rename(at.after("ledger/000/000002.jsonl"))


@refused_by("staged-files")
def another_record_than_the_runs(at: Staging) -> None:
    _edit(at, RECORD.format(at.name), b"I love sailing", b"I love singing")


@refused_by("staged-files")
def a_log_in_the_luggage(at: Staging) -> None:
    at.after("logs/2026/11/30/aa/aaaaaa/v1.txt").write_bytes(b"Maya: I sold the company.\n\n")


@refused_by("staged-files")
def settings_in_the_luggage(at: Staging) -> None:
    at.after("xysq.yaml").write_bytes(b"me: {name: Mallory}\n")


@refused_by("staged-files")
def a_name_that_climbs(at: Staging) -> None:
    at.after("pages/../../../evil.md").write_bytes(b"x")


@refused_by("staged-files")
def a_link_for_a_page(at: Staging) -> None:
    at.after(MAYA).unlink()
    at.after(MAYA).symlink_to("/etc/hostname")


@refused_by("staged-files")
def a_link_for_the_run(at: Staging) -> None:
    (at.directory / "run.json").rename(at.opened.root / "elsewhere.json")
    (at.directory / "run.json").symlink_to(at.opened.root / "elsewhere.json")


@refused_by("staged-files")
def a_pipe_for_a_page(at: Staging) -> None:
    at.after(MAYA).unlink()
    os.mkfifo(at.after(MAYA))


@refused_by("bad-draft")
def a_draft_that_is_none(at: Staging) -> None:
    (at.directory / "draft.json").write_bytes(b"\xff")


@refused_by("verbatim")
def a_refused_run_put_back(at: Staging) -> None:
    at.fact("Rome")["evidence"][0]["quote"] = "I moved to Rome!"
    at.seal()
    (at.directory / "refusals.json").write_text("[]")


# The decision


@decided
def decided_with_words_nobody_said(at: Staging) -> None:
    at.fact("Rome")["evidence"][0]["quote"] = "I moved to Rome!"
    at.seal()
    at.plant()


@decided
def decided_in_a_false_voice(at: Staging) -> None:
    piece = at.quote(TOOLS) | {"role": "user", "speaker": "Maya"}
    at.fact("Rome").update(value="Minsk", text="Maya lives in Minsk.", evidence=[piece])
    at.seal()
    at.plant()


@decided
def decided_without_a_cache_to_ask(at: Staging) -> None:
    at.fact("Rome")["evidence"] = []
    at.seal()
    at.plant()
    shutil.rmtree(at.opened.cache)


@decided
def decided_with_a_page_of_ones_own(at: Staging) -> None:
    at.after(MAYA).write_bytes(b"# Maya\n\nShe sold the company.\n")
    at.plant()


@decided
def decided_on_a_ledger_of_ones_own(at: Staging) -> None:
    path = at.after("ledger/000/000001.jsonl")
    path.write_bytes(path.read_bytes().split(b"\n", 1)[1])
    at.plant()


@decided
def decided_as_a_correction(at: Staging) -> None:
    at.bodies("close")[0].update(reason="corrected", evidence=[])
    at.run["record"]["kind"] = "correct"
    at.seal()
    at.plant()


@decided
def decided_to_withdraw(at: Staging) -> None:
    at.remove("supersede")
    at.add("withdraw", {"fact": at.known("Berlin"), "n": 4, "cause": "nothing"})
    at.seal()
    at.plant()


@decided
def decided_as_another_commit(at: Staging) -> None:
    at.plant(commit="0" * 40)


@decided
def decided_on_no_commit(at: Staging) -> None:
    at.plant(parent="HEAD")


@decided
def decided_on_a_commit_that_is_not_there(at: Staging) -> None:
    at.plant(parent="1" * 40)


@decided
def decided_to_remove_the_settings(at: Staging) -> None:
    gone = {"path": "xysq.yaml", "before": "", "after": ""}
    at.plant(files=[gone])


@decided
def decided_over_an_unsaved_edit(at: Staging) -> None:
    page = at.opened.root / MAYA
    page.write_bytes(page.read_bytes() + b"\nA thought of mine.\n")
    at.plant()
    body = json.loads((at.directory / "DECIDED").read_bytes().split(b"\n", 1)[1])
    for file in body["files"]:
        file["before"] = sha256_hex(page.read_bytes()) if file["path"] == MAYA else file["before"]
    at.plant(files=body["files"])


@decided
def decided_in_a_broken_frame(at: Staging) -> None:
    at.plant()
    data = (at.directory / "DECIDED").read_bytes()
    (at.directory / "DECIDED").write_bytes(data.replace(b"maya", b"tom", 1))


@decided
def decided_on_an_older_ledger(at: Staging) -> None:
    first = json.loads((at.opened.root / "ledger/000/000001.jsonl").read_bytes().split(b"\n", 1)[0])
    at.run["base"] = {"n": 1, "hash": first["hash"]}
    at.seal()
    at.plant()
