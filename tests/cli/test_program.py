"""The program as a whole, run in this process."""

import fcntl
import json
import os
import re
import subprocess
from pathlib import Path

import pytest

from tests.cli.conftest import Xysq
from tests.cli.hostile import HOSTILE, is_fit_for_a_terminal
from xysq import __version__
from xysq.cli.commands import ENTRIES, TASKS, load
from xysq.cli.main import Interrupted, _named
from xysq.errors import BadDraft, Bug, Busy, SystemRefused

VERSION = re.compile(r"\d{8}-[0-9a-z]{6}@\d+\n")


def fact_id(filled: Xysq) -> str:
    return filled("ls", "facts").out.split("\t")[0]


# Help


def test_bare_xysq_shows_every_command_by_task(xysq: Xysq) -> None:
    ran = xysq()
    assert ran.status == 0
    for task, entries in TASKS:
        assert f"{task}:" in ran.out
        for entry in entries:
            assert entry.summary in ran.out
    for same in (("--help",), ("-h",), ("help",), ("--quiet", "--help")):
        assert xysq(*same).out.rstrip() == ran.out.rstrip()
    assert xysq("--version").out == xysq("--quiet", "--version").out == f"xysq {__version__}\n"


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
def test_every_command_explains_itself_and_takes_the_general_options(xysq: Xysq, entry: object) -> None:
    name = entry.name  # type: ignore[attr-defined]
    ran = xysq(name, "-h")
    assert ran.status == 0
    assert f"Usage: xysq {name}" in ran.out
    for option in ("--vault", "--json", "--jsonl", "--timeout", "--quiet"):
        assert option in ran.out
    assert xysq("help", name).out.rstrip() == ran.out.rstrip()


def test_commands_are_the_modules_there_are() -> None:
    folder = Path(load(ENTRIES[0]).__code__.co_filename).parent
    modules = {path.stem.removesuffix("_") for path in folder.glob("[a-z]*.py")}
    assert modules == {entry.name for entry in ENTRIES}


def test_the_tree_of_commands_is_json(xysq: Xysq) -> None:
    tree = json.loads(xysq("help", "--json").out)
    push = next(command for command in tree["commands"] if command["name"] == "push")
    assert push["aliases"] == ["add"]
    assert {"--append", "--wait", "--vault"} <= {name for one in push["parameters"] for name in one["names"]}


def test_the_format_and_the_draft_are_printed(xysq: Xysq) -> None:
    assert xysq("help", "format").out.startswith("# The xysq vault format")
    draft = xysq("help", "draft").out
    assert [row for row in draft.splitlines() if row.startswith("#")] == ["## The request", "## The draft"]
    assert "| instructions |" in draft
    assert '"facts"' in draft
    assert draft.endswith("a fact that none claims is kept as prose.\n")


def test_a_topic_that_is_none_is_told(xysq: Xysq) -> None:
    ran = xysq("help", "zebras")
    assert (ran.status, ran.out) == (1, "")
    assert ran.err == "xysq: no command or topic named 'zebras'\nhint: topics: draft, format, query\n"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_shells_get_their_script(xysq: Xysq, shell: str) -> None:
    ran = xysq("completion", shell)
    assert (ran.status, f"_XYSQ_COMPLETE=complete_{shell}" in ran.out) == (0, True)


# Errors


def test_an_error_is_a_sentence_and_a_hint(xysq: Xysq, tmp_path: Path) -> None:
    ran = xysq("status")
    assert (ran.status, ran.out) == (10, "")
    assert ran.err == f"xysq: no vault at or above {tmp_path}\nhint: try: xysq init ~/memory\n"


@pytest.mark.parametrize("arguments", [("--json", "status"), ("status", "--json"), ("status", "--jsonl")])
def test_an_error_under_json_is_one_document(xysq: Xysq, arguments: tuple[str, ...]) -> None:
    ran = xysq(*arguments)
    error = json.loads(ran.out)["error"]
    assert (ran.status, ran.err) == (10, "")
    assert (error["code"], set(error)) == ("no-vault", {"code", "message", "hint"})


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("bogus",), "there is no command 'bogus'"),
        (("push",), "missing argument"),
        (("ls", "--bogus"), "no such option: --bogus"),
        (("ls", "zebras"), "invalid value for"),
        (("--timeout", "-1", "ls"), "invalid value for '--timeout'"),
        (("--json",), "missing command"),
    ],
)
def test_wrong_usage_ends_with_2(xysq: Xysq, arguments: tuple[str, ...], sentence: str) -> None:
    ran = xysq(*arguments)
    assert ran.status == 2
    assert sentence in (ran.out if "--json" in arguments else ran.err).lower()


def test_hostile_arguments_come_back_as_escapes(fresh: Xysq) -> None:
    for words in HOSTILE:
        for arguments in (("show", words), (words,), ("ls", words), ("why", words), ("diff", words), ("--json", words)):
            ran = fresh(*arguments)
            assert ran.status in (1, 2)
            assert is_fit_for_a_terminal(ran.out + ran.err)


def test_what_no_error_stands_for_has_one_all_the_same() -> None:
    assert _named(ValueError("odd")).exit_status == Bug.exit_status == 70
    assert _named(FileNotFoundError(2, "No such file", "x")).exit_status == SystemRefused.exit_status == 1
    assert _named(BadDraft("x")).exit_status == 5
    assert Interrupted("interrupted").exit_status == 130


def test_a_busy_vault_is_to_be_tried_again(fresh: Xysq, tmp_path: Path) -> None:
    with (tmp_path / ".git" / "xysq" / "lock").open("rb") as somebody:
        fcntl.flock(somebody, fcntl.LOCK_EX)
        ran = fresh("--timeout", "0", "recover")
    assert (ran.status, "try again" in ran.err) == (Busy.exit_status, True)
    assert fresh("--timeout", "0", "recover").status == 0


def test_a_file_cannot_become_a_vault_and_a_folder_can(xysq: Xysq, tmp_path: Path) -> None:
    (tmp_path / "memory").write_text("words")
    ran = xysq("init", "memory")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith(f"xysq: {tmp_path / 'memory'} is a file, not a directory\n")
    (tmp_path / "folder").mkdir()
    assert xysq("init", "folder", "--me", "Nora").status == 0


# Bringing in


def test_pushes_print_their_versions_in_the_order_of_the_arguments(fresh: Xysq, tmp_path: Path) -> None:
    for name in ("b.txt", "a.txt"):
        (tmp_path / name).write_text(f"file {name}\n")
    ran = fresh("add", "b.txt", "a.txt")
    first, second = ran.out.split()
    assert fresh("show", first, "--raw").raw == b"file b.txt\n"
    assert fresh("show", second, "--raw").raw == b"file a.txt\n"


def test_many_pushes_are_one_commit_and_may_be_distilled_at_once(fresh: Xysq, tmp_path: Path) -> None:
    for name in ("one.txt", "two.txt", "three.txt"):
        (tmp_path / name).write_text(f"Nora: I like {name[:-4]}.\n\nNora: It is so.\n")
    ran = fresh("push", "--format", "turns", "--wait", "distilled", "one.txt", "two.txt", "three.txt")
    assert (ran.status, ran.out.count("\n")) == (0, 3)
    assert "of 3 sources as 6 passages, searchable" in ran.err
    assert fresh("distill").err == "nothing pending\n"
    count = subprocess.run(["git", "rev-list", "--count", "main"], cwd=tmp_path, capture_output=True, check=True)
    assert int(count.stdout) == 3  # init, the logs, the run


def test_what_goes_wrong_behind_a_push_leaves_its_version_told(fresh: Xysq) -> None:
    fresh("config", "set", "--user", "drafters.gone.command", "/nowhere/drafter")
    fresh("config", "set", "--user", "drafter", "gone")
    ran = fresh("push", "-", "--wait", "distilled", stdin=b"I like tea.\n")
    assert (ran.status, bool(VERSION.fullmatch(ran.out))) == (3, True)
    told = json.loads(fresh("push", "-", "--wait", "distilled", "--json", stdin=b"I like tea.\n").out)
    assert (len(told["pushed"]), told["error"]["code"]) == (1, "drafter-unreachable")


def test_one_file_that_is_missing_does_not_stop_the_others(fresh: Xysq, tmp_path: Path) -> None:
    (tmp_path / "there.txt").write_text("words\n")
    ran = fresh("push", "missing.txt", "there.txt")
    assert ran.status == 1
    assert VERSION.fullmatch(ran.out)
    assert "xysq: missing.txt: no file named" in ran.err
    told = json.loads(fresh("push", "missing.txt", "there.txt", "--json").out)
    assert [len(told["pushed"]), told["failed"][0]["path"], told["failed"][0]["error"]["code"]] == [
        1,
        "missing.txt",
        "not-found",
    ]


def test_a_single_file_that_is_missing_is_an_error(fresh: Xysq) -> None:
    ran = fresh("push", "missing.txt", "--json")
    assert (ran.status, json.loads(ran.out)["error"]["code"]) == (1, "not-found")


def test_a_folder_is_pushed_only_when_asked_for(fresh: Xysq, tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    (folder / ".git").mkdir(parents=True)
    (folder / "deep").mkdir()
    (folder / "one.txt").write_text("one\n")
    (folder / "deep" / "two.txt").write_text("two\n")
    (folder / ".hidden").write_text("no\n")
    (folder / ".git" / "config").write_text("no\n")
    (folder / "link.txt").symlink_to(folder / "one.txt")
    os.mkfifo(folder / "pipe")
    refused = fresh("push", "notes")
    assert (refused.status, "--recursive" in refused.err) == (2, True)
    ran = fresh("push", "--recursive", "notes")
    assert [fresh("show", version, "--raw").raw for version in ran.out.split()] == [b"one\n", b"two\n"]
    assert "left out 3" in ran.err


def test_what_is_no_file_is_an_error_of_that_argument(fresh: Xysq, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "there.txt").write_text("words\n")
    ran = fresh("push", "pipe", "there.txt")
    assert (ran.status, bool(VERSION.fullmatch(ran.out)), "pipe" in ran.err) == (1, True, True)


def test_bytes_from_a_pipe_come_back_exactly(fresh: Xysq) -> None:
    data = bytes(range(256)) * 3
    ran = fresh("push", "-", stdin=data)
    assert fresh("show", ran.out.strip(), "--raw").raw == data


def test_a_time_that_is_none_is_wrong_usage(fresh: Xysq) -> None:
    assert fresh("push", "-", "--at", "tomorrowish", stdin=b"x\n").status == 2
    assert fresh("push", "-", "--at", "2026-11-30", stdin=b"x\n").status == 0


def test_a_note_prints_its_fact_or_says_that_there_is_none(fresh: Xysq) -> None:
    noted = fresh("note", "I", "live in Graz")
    assert re.fullmatch(r"f-\S+  Nora: Nora lives in Graz\.\n", noted.out)
    empty = fresh("note", "hello there")
    assert (empty.status, empty.out, "no fact" in empty.err) == (0, "", True)


# Looking


def test_lists_are_cells_in_a_pipe_lines_on_a_terminal_and_documents_in_json(filled: Xysq) -> None:
    piped = filled("ls", "facts").out
    assert all(row.count("\t") == 3 for row in piped.splitlines())
    assert "\t" not in filled("ls", "facts", is_terminal=True).out
    facts = json.loads(filled("ls", "facts", "--json").out)["facts"]
    assert [json.loads(row) for row in filled("ls", "facts", "--jsonl").out.splitlines()] == facts
    assert [fact["id"] for fact in facts] == [row.split("\t")[0] for row in piped.splitlines()]


def test_colours_are_for_terminals_that_want_them(filled: Xysq, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    assert "\x1b[" in filled("ls", "facts", is_terminal=True).out
    assert "\x1b[" not in filled("ls", "facts").out
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[" not in filled("ls", "facts", is_terminal=True).out


def test_every_list_has_something(filled: Xysq) -> None:
    for what in ("pages", "facts", "sources", "runs"):
        assert filled("ls", what).out.count("\n") == len(json.loads(filled("--json", "ls", what).out)[what]) >= 1


def test_options_that_narrow_facts_narrow_nothing_else(filled: Xysq) -> None:
    assert filled("ls", "pages", "--open").status == 2
    assert filled("ls", "facts", "--open", "--closed").status == 2
    assert filled("ls", "facts", "--open", "--page", "nora").out.count("\n") == 2


def test_search_with_q_only_answers_with_its_status(filled: Xysq) -> None:
    assert filled("search", "deadline", "-q") == (found := filled("search", "parser", "-q"))
    assert (found.status, found.out, found.err) == (0, "", "")
    assert filled("search", "zebra", "-q").status == 6
    assert filled("search", "zebra").status == 0


def test_search_looks_where_it_is_told(filled: Xysq) -> None:
    hits = json.loads(filled("search", "parser", "--in", "facts", "--json").out)["hits"]
    assert {hit["kind"] for hit in hits} == {"fact"}


def test_search_is_narrowed_by_times_that_are_times(filled: Xysq) -> None:
    assert filled("search", "parser", "--before", "2026", "--in", "logs").out == ""
    for since in ("2026", "2026-01", "2026-01-31", "2026-01-31T10:00", "2026-01-31T10:00:00+02:00"):
        assert "parser" in filled("search", "parser", "--since", since, "--in", "logs").out
    assert filled("search", "parser", "--since", "yesterdayish").status == 2


def test_everything_printed_can_be_shown(filled: Xysq) -> None:
    for what in ("pages", "facts", "sources", "runs"):
        for row in filled("ls", what).out.splitlines():
            if "\tinit\t" not in row:
                assert filled("show", row.split("\t")[0]).status == 0
    for hit in filled("search", "I live in Vienna").out.splitlines():
        assert filled("show", hit.split("\t")[0], "--json").status == 0


def test_why_and_history_and_show_tell_of_one_fact(filled: Xysq) -> None:
    name = fact_id(filled)
    assert "«I live in Vienna.»" in filled("why", name).out
    assert json.loads(filled("why", name, "--json").out)["fact"]["id"] == name
    assert filled("history", name).out.count("\n") == 1
    assert json.loads(filled("show", name, "--json").out)["kind"] == "fact"


def test_diff_shows_the_last_run_and_its_parts(filled: Xysq) -> None:
    both = filled("diff").out
    assert "+ asserted" in both
    assert "diff --git" in both
    assert "diff --git" not in filled("diff", "--facts").out
    assert filled("diff", "--patch").out.startswith("diff --git")
    assert filled("diff", "--facts", "--patch").status == 2
    assert filled("diff", "HEAD~1..HEAD", "--stat").out.endswith("facts: 3 asserted\n")
    assert filled("diff", "HEAD", "HEAD", "--exit-code").status == 6
    assert filled("diff", "--exit-code").status == 0


# The write path by hand


def test_staged_runs_are_judged_applied_or_dropped(fresh: Xysq) -> None:
    fresh("push", "-", "--format", "turns", stdin=b"Nora: I moved to Graz.\n")
    staged = fresh("distill", "--stage")
    assert "Next: xysq verify" in staged.err
    assert (
        staged.err.count("drafter: rules (no model). For more facts: xysq config set --user drafter ollama:MODEL\n")
        == 1
    )
    run = staged.out.split()[0]
    assert fresh("distill").err == "nothing pending\n"
    assert (fresh("verify").status, fresh("verify").out) == (0, "")
    assert "xysq show RUN" in fresh("status").out
    for name in (run, run[:-1]):
        shown = fresh("show", name)
        assert (shown.status, shown.out) == (0, staged.out)
    assert json.loads(fresh("show", run, "--raw").out)["run"] == run
    assert fresh("show", "r-1999").status == 1
    assert fresh("discard", run).status == 0
    assert fresh("show", run).status == 1
    assert fresh("discard", run).status == 1
    again = fresh("distill", "--stage").out.split()[0]
    applied = fresh("apply", again)
    assert applied.out.startswith(f"{again}  applied")
    assert "drafter: rules" not in applied.err
    assert fresh("apply").err.startswith("nothing staged")


def test_a_staged_run_that_was_touched_is_found_and_refused(fresh: Xysq, tmp_path: Path) -> None:
    fresh("push", "-", "--format", "turns", stdin=b"Nora: I moved to Graz.\n")
    run = fresh("distill", "--stage").out.split()[0]
    page = next((tmp_path / ".git" / "xysq" / "wal" / run / "after").glob("*nora.md"))
    page.write_bytes(page.read_bytes().replace(b"Graz", b"Rome"))
    found = fresh("verify")
    assert found.status == 4
    assert found.out.startswith(f"{run}: ")
    verdicts = json.loads(fresh("verify", "--json").out)["verdicts"]
    assert verdicts[0]["refusals"][0]["code"]


def test_a_staged_run_is_shown_as_its_draft_has_it(fresh: Xysq, tmp_path: Path) -> None:
    fresh("push", "-", "--format", "turns", stdin=b"Nora: I moved to Graz.\n")
    run = fresh("distill", "--stage").out.split()[0]
    draft = tmp_path / ".git" / "xysq" / "wal" / run / "draft.json"
    draft.write_text('{"facts":[]}')
    assert "no fact in it" in fresh("show", run).out
    draft.write_text("words")
    ran = fresh("show", run)
    assert (ran.status, "refused: bad-draft" in ran.out) == (0, True)


def test_words_that_could_mean_several_facts_are_told_with_their_texts(fresh: Xysq) -> None:
    talk = b"Nora: I prefer trains over planes.\n\nEmil: I prefer trains over cars.\n"
    fresh("push", "-", "--format", "turns", stdin=talk)
    fresh("distill")
    facts = sorted(row.split("\t") for row in fresh("ls", "facts").out.splitlines())
    told = [f"  {cells[0]} {cells[3]}" for cells in facts]
    assert len(told) == 2
    for arguments in (("why", "prefers", "trains"), ("show", "f-"), ("why", "f-")):
        ran = fresh(*arguments)
        sentence, hint, *rows = ran.err.splitlines()
        assert (ran.status, sentence.endswith("could be any of these"), hint) == (2, True, "hint: name one by its id")
        assert sorted(rows) == told
        hint_in_json = json.loads(fresh("--json", *arguments).out)["error"]["hint"]
        assert sorted(hint_in_json.splitlines()[1:]) == [row.strip() for row in told]
    assert fresh("why", facts[0][0]).status == fresh("why", *facts[0][3].rstrip(".").split()).status == 0


def test_a_drafter_that_is_away_is_to_be_tried_again_and_one_that_babbles_is_refused(fresh: Xysq) -> None:
    fresh("push", "-", "--format", "turns", stdin=b"Nora: I moved to Graz.\n")
    assert fresh("config", "set", "--user", "drafters.gone.command", "/nowhere/drafter").status == 0
    assert fresh("distill", "--drafter", "gone").status == 3
    assert json.loads(fresh("distill", "--drafter", "gone", "--json").out)["error"]["code"] == "drafter-unreachable"
    fresh("config", "set", "--user", "drafters.babble.command", "echo words")
    refused = fresh("distill", "--drafter", "babble")
    assert (refused.status, "bad-draft" in refused.out) == (5, True)


def test_a_dry_run_changes_nothing(fresh: Xysq) -> None:
    fresh("push", "-", "--format", "turns", stdin=b"Nora: I moved to Graz.\n")
    before = fresh("status", "--json").out
    assert "Graz" in fresh("distill", "--dry-run").out
    assert fresh("status", "--json").out == before


# Keeping sound


def test_fsck_is_content_with_a_sound_vault_and_names_a_broken_byte(filled: Xysq, tmp_path: Path) -> None:
    assert (filled("fsck").status, filled("fsck", "--fast").out) == (0, "")
    log = next(tmp_path.glob("logs/*/*/*/*/*/v1.txt"))
    log.chmod(0o600)
    log.write_bytes(log.read_bytes().replace(b"Vienna", b"Venice"))
    found = filled("fsck")
    assert (found.status, found.out.startswith(f"{log.relative_to(tmp_path)}:")) == (4, True)


def test_a_ledger_that_cannot_be_believed_ends_with_12(filled: Xysq, tmp_path: Path) -> None:
    segment = next(tmp_path.glob("ledger/*/*.jsonl"))
    segment.chmod(0o600)
    segment.write_bytes(segment.read_bytes().replace(b"Vienna", b"Venice", 1))
    ran = filled("reindex")
    assert (ran.status, "ledger/" in ran.err, "hint: run: xysq fsck" in ran.err) == (12, True, True)


def test_the_index_can_be_made_anew(filled: Xysq) -> None:
    before = filled("search", "parser").out
    assert filled("reindex").err == "indexed 3 passages\n"
    assert filled("search", "parser").out == before
    assert filled("recover").err == "nothing to finish\n"


# Settings


def test_settings_are_read_and_changed(fresh: Xysq, tmp_path: Path) -> None:
    assert fresh("config", "get", "me.name").out == "Nora\n"
    assert fresh("config", "set", "run.passages", "50").status == 0
    assert fresh("config", "get", "run.passages").out == "50\n"
    assert "run.passages = 50" in fresh("config").out
    assert fresh("config", "path").out == f"{tmp_path / 'xysq.yaml'}\n"
    assert fresh("config", "set", "run.passages").status == 2
    assert fresh("config", "get", "zebra").status == 2
    ran = fresh("config", "set", "drafters.x.command", "echo")
    assert (ran.status, "hint: use --user" in ran.err) == (2, True)
    assert "hint: there are: " in fresh("config", "set", "zebra", "echo").err


def test_settings_of_the_user_are_made_where_there_are_none(fresh: Xysq, tmp_path: Path) -> None:
    path = Path(fresh("config", "path", "--user").out.strip())
    assert fresh("config", "get", "vault", "--user").out == f"{tmp_path}\n"
    assert fresh("config", "set", "--user", "budgets.calls", "7").status == 0
    assert fresh("config", "get", "budgets.calls", "--user").out == "7\n"
    assert json.loads(fresh("config", "list", "--user", "--json").out)["budgets.calls"] == "7"
    assert "calls: 7" in path.read_text()


def test_a_configuration_that_is_a_link_stays_one(xysq: Xysq, tmp_path: Path) -> None:
    path = Path(xysq("config", "path", "--user").out.strip())
    kept = tmp_path / "dotfiles.yaml"
    kept.write_text("# mine\ndrafter: rules\n")
    path.parent.mkdir(parents=True)
    path.symlink_to(kept)
    assert xysq("config", "set", "--user", "budgets.calls", "7").status == 0
    assert path.is_symlink()
    assert kept.read_text().startswith("# mine\n")


def test_the_first_vault_becomes_the_default_and_the_second_does_not(xysq: Xysq, tmp_path: Path) -> None:
    first = xysq("init", "one", "--me", "Nora")
    second = xysq("init", "two", "--me", "Nora")
    assert "is your default vault now" in first.err
    assert "default" not in second.err
    assert xysq("config", "get", "vault", "--user").out == f"{tmp_path / 'one'}\n"
    again = xysq("init", "one")
    assert (again.status, "nothing was changed" in again.err) == (0, True)


def test_the_vault_is_found_wherever_the_option_stands(xysq: Xysq, tmp_path: Path) -> None:
    xysq("init", "gone", "--me", "Nora")
    xysq("init", "memory", "--me", "Nora")
    (tmp_path / "gone").rename(tmp_path / "elsewhere")
    for arguments in (("--vault", "memory", "status"), ("status", "--vault", "memory"), ("status", "--vault=memory")):
        assert xysq(*arguments).status == 0
    assert xysq("status").status == 10


def test_a_default_vault_that_is_none_is_not_taken_and_locks_nobody_out(xysq: Xysq, tmp_path: Path) -> None:
    xysq("init", "one", "--me", "Nora")
    refused = xysq("config", "set", "--user", "vault", "/nowhere")
    assert (refused.status, "/nowhere" in refused.err) == (10, True)
    (tmp_path / "one").rename(tmp_path / "two")
    assert xysq("config", "set", "--user", "vault", "two").status == 0
    assert xysq("config", "get", "--user", "vault").out == f"{tmp_path / 'two'}\n"
    assert xysq("status").status == 0


def test_quiet_says_only_what_is_wrong(fresh: Xysq) -> None:
    assert fresh("--quiet", "push", "-", stdin=b"x\n").err == ""
    assert fresh("--quiet", "show", "zebra").err != ""
