"""The vault's repository with a real git: commits, crash leftovers, a user at work beside it, hostile surroundings."""

import errno
import os
import resource
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.store.git_vault import ALICE, AT, FILES, LEDGER, RUN, land, new_vault, put, sound, user
from xysq.errors import BadInput, Damaged, NotFound
from xysq.store.disk_error import NotSynced, NotWritten, UnsafePath
from xysq.store.git import LOCAL_ATTRIBUTES, PINS, Repository
from xysq.store.git_object import commit_message
from xysq.store.git_object_file import object_path
from xysq.store.git_process import GitMissing
from xysq.store.step import Op, Step

CHANGES: dict[str, bytes | None] = {
    LEDGER: b'{"n":1}\n{"n":2}\n',
    ALICE: b"# Alice Chen\n\n- Alice leads the team.\n",
    "runs/2026/11/30/r-1.json": b"{}\n",
}
MESSAGE = commit_message("distill", run=RUN, kind="distill")


def loosely_named(root: Path) -> list[str]:
    return sorted(
        str(path.relative_to(root))
        for path in (root / ".git").rglob("*")
        if "tmp_obj" in path.name or path.suffix == ".lock"
    )


# Making a vault


def test_a_new_repository_is_on_main_without_a_commit_and_private(tmp_path: Path) -> None:
    repository = Repository(tmp_path)
    repository.init()
    assert (repository.tip(), repository.head_is_main(), repository.missing_pins()) == (None, True, ())
    assert (tmp_path / ".git" / "info" / "attributes").read_bytes() == LOCAL_ATTRIBUTES
    assert {(tmp_path / ".git" / name).stat().st_mode & 0o077 for name in ("", "config", "objects", "refs")} == {0}
    assert not (tmp_path / ".git" / "hooks").exists()


def test_making_it_again_changes_nothing(tmp_path: Path) -> None:
    repository, commit = new_vault(tmp_path)
    config = (tmp_path / ".git" / "config").read_bytes()
    repository.init()
    assert (repository.tip(), (tmp_path / ".git" / "config").read_bytes()) == (commit, config)


def test_pins_that_went_missing_are_named_and_come_back(tmp_path: Path) -> None:
    repository, _ = new_vault(tmp_path)
    user(tmp_path, "config", "core.autocrlf", "true")
    user(tmp_path, "config", "--unset", "gc.auto")
    (tmp_path / ".git" / "info" / "attributes").unlink()
    assert repository.missing_pins() == ("core.autocrlf", "gc.auto", ".git/info/attributes")
    repository.pin()
    assert repository.missing_pins() == ()
    assert user(tmp_path, "config", "core.autocrlf") == "false"
    assert user(tmp_path, "config", "core.fsync") == PINS["core.fsync"] == "all"


def test_a_repository_is_made_only_where_there_is_room_for_one(tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        Repository(tmp_path / "nowhere").init()
    put(tmp_path, {".git": b"something else"})
    with pytest.raises(UnsafePath):
        Repository(tmp_path).init()


def test_without_git_the_error_says_what_to_install(tmp_path: Path) -> None:
    with pytest.raises(GitMissing):
        Repository(tmp_path, {"PATH": str(tmp_path)}).init()


# Committing


def test_git_finds_nothing_wrong_with_our_commits(tmp_path: Path) -> None:
    repository, first = new_vault(tmp_path)
    second = land(repository, first, CHANGES | {"pages/bi/billing.md": None}).commit
    assert sound(tmp_path)
    assert user(tmp_path, "rev-list", "HEAD") == f"{second}\n{first}"
    assert repository.tip() == second
    assert user(tmp_path, "ls-tree", "-r", "--name-only", "HEAD").split("\n") == [".gitattributes", *sorted(CHANGES)]
    assert user(tmp_path, "log", "-1", "--format=%an <%ae> %cn <%ce> %aI") == (
        "xysq <xysq@localhost> xysq <xysq@localhost> 2026-11-30T18:02:11+00:00"
    )
    assert user(tmp_path, "log", "-1", "--format=%(trailers)").strip() == f"Xysq-Run: {RUN}\nXysq-Kind: distill"


def test_the_commit_is_the_one_that_git_commit_makes_of_the_same_files(tmp_path: Path) -> None:
    repository, first = new_vault(tmp_path / "ours")
    prepared = repository.prepare(first, CHANGES, MESSAGE, AT)
    new_vault(tmp_path / "theirs")
    put(tmp_path / "theirs", CHANGES)
    person = {"NAME": "xysq", "EMAIL": "xysq@localhost", "DATE": AT}
    env = {f"GIT_{who}_{what}": value for who in ("AUTHOR", "COMMITTER") for what, value in person.items()}
    user(tmp_path / "theirs", "add", "--all")
    user(tmp_path / "theirs", "commit", "--quiet", "-F", "-", data=MESSAGE.encode(), env=env)
    assert user(tmp_path / "theirs", "rev-parse", "HEAD") == prepared.commit
    assert user(tmp_path / "theirs", "rev-parse", "HEAD^{tree}") == prepared.tree


def test_the_id_is_known_before_anything_is_written(tmp_path: Path) -> None:
    repository, first = new_vault(tmp_path)
    before = sorted((tmp_path / ".git").rglob("*"))
    prepared = repository.prepare(first, CHANGES, MESSAGE, AT)
    assert sorted((tmp_path / ".git").rglob("*")) == before
    assert prepared.parent == first
    assert land(repository, first, CHANGES).commit == prepared.commit
    assert [item.kind for item in prepared.objects] == ["blob"] * 3 + ["tree"] * 9 + ["commit"]


def test_a_replay_makes_the_same_commit_and_another_time_another_one(tmp_path: Path) -> None:
    repository, first = new_vault(tmp_path)
    once = repository.prepare(first, CHANGES, MESSAGE, AT)
    repository.write_objects(once)
    again = repository.prepare(first, dict(reversed(list(CHANGES.items()))), MESSAGE, AT)
    assert (again.commit, again.tree) == (once.commit, once.tree)
    assert repository.prepare(first, CHANGES, MESSAGE, "2026-11-30T18:02:12Z").commit != once.commit


def test_every_step_may_be_done_twice(tmp_path: Path) -> None:
    repository, first = new_vault(tmp_path)
    prepared = repository.prepare(first, CHANGES, MESSAGE, AT)
    put(tmp_path, CHANGES)
    for _ in range(2):
        repository.write_objects(prepared)
    repository.move_ref(prepared.commit, first, RUN)
    for _ in range(2):
        assert repository.update_index(prepared.blobs)
    assert sound(tmp_path)


@pytest.mark.parametrize(
    "path", ["-rf", "--", "a b/c d", "ü/例.md", ":(top)x", "*", "a\nb", "a\tb", '"q"', "#x", "@{0}"]
)
def test_paths_are_taken_as_they_are(tmp_path: Path, path: str) -> None:
    repository, first = new_vault(tmp_path)
    added = land(repository, first, {path: b"here"}).commit
    assert sound(tmp_path)
    assert repository.read_blob(added, path) == b"here"
    assert [file.path for file in repository.ls_tree(added, path)] == [path]
    removed = land(repository, added, {path: None}).commit
    assert repository.blob_ids_of(removed, [path]) == {path: None}
    assert sound(tmp_path)


@pytest.mark.parametrize("path", ["../x", "/etc/passwd", ".git/hooks/pre-commit", "a/.GIT/config", ""])
def test_paths_that_lead_out_are_refused(tmp_path: Path, path: str) -> None:
    repository, first = new_vault(tmp_path)
    with pytest.raises(BadInput):
        repository.prepare(first, {path: b"x"}, MESSAGE, AT)


@pytest.mark.parametrize("parent", ["HEAD", "main", "--all", "a" * 39, ""])
def test_only_a_full_id_is_a_parent(tmp_path: Path, parent: str) -> None:
    repository, _ = new_vault(tmp_path)
    with pytest.raises(BadInput):
        repository.prepare(parent, CHANGES, MESSAGE, AT)


@settings(max_examples=8)
@given(
    steps=st.lists(
        st.dictionaries(
            st.sampled_from(["a/x", "a/y", "b", "c d/e", "-f", "ledger/000/000001.jsonl"]),
            st.one_of(st.none(), st.binary(max_size=40)),
            max_size=4,
        ),
        min_size=1,
        max_size=4,
    )
)
def test_any_story_of_changes_ends_in_the_files_it_says(
    tmp_path_factory: pytest.TempPathFactory, steps: list[dict[str, bytes | None]]
) -> None:
    root = tmp_path_factory.mktemp("vault")
    repository, tip = new_vault(root)
    files: dict[str, bytes] = dict(FILES)
    for step in steps:
        changes = {path: data for path, data in step.items() if data is not None or path in files}
        tip = land(repository, tip, changes).commit
        files = {path: data for path, data in (files | changes).items() if data is not None}
    with repository.reader() as reader:
        assert {file.path: reader.payload(file.blob, "blob") for file in repository.ls_tree(tip)} == files
    assert sound(root)


# A user at work in the same repository


def test_dirty_and_staged_files_never_come_along(tmp_path: Path) -> None:
    repository, first = new_vault(tmp_path)
    put(tmp_path, {"pages/bi/billing.md": b"staged", "own.md": b"staged too"})
    user(tmp_path, "add", "pages/bi/billing.md", "own.md")
    put(tmp_path, {"pages/bi/billing.md": b"and then edited", "untracked.md": b"x"})
    second = land(repository, first, CHANGES).commit
    assert {file.path for file in repository.ls_tree(second)} == {*FILES, *CHANGES}
    assert repository.read_blob(second, "pages/bi/billing.md") == FILES["pages/bi/billing.md"]
    assert user(tmp_path, "status", "--porcelain").split("\n") == [
        "A  own.md",
        "MM pages/bi/billing.md",
        "?? untracked.md",
    ]


def test_a_commit_of_the_users_after_ours_does_not_undo_ours(tmp_path: Path) -> None:
    repository, first = new_vault(tmp_path)
    put(tmp_path, {"own.md": b"mine"})
    user(tmp_path, "add", "own.md")
    second = land(repository, first, CHANGES | {"pages/bi/billing.md": None}).commit
    user(tmp_path, "commit", "--quiet", "-m", "by hand")
    third = repository.tip() or ""
    assert repository.commit(third).parents == (second,)
    assert user(tmp_path, "diff", "--name-status", second, third) == "A\town.md"
    assert repository.trees_equal(second, third, ["ledger", "pages", "runs"])


def test_a_stale_index_is_what_would_undo_it(tmp_path: Path) -> None:
    repository, first = new_vault(tmp_path)
    prepared = repository.prepare(first, CHANGES, MESSAGE, AT)
    put(tmp_path, CHANGES)
    repository.write_objects(prepared)
    repository.move_ref(prepared.commit, first, RUN)
    user(tmp_path, "commit", "--quiet", "--allow-empty", "-m", "by hand")
    assert not repository.trees_equal(prepared.commit, repository.tip() or "", ["ledger"])


def test_we_go_on_after_the_users_own_commit(tmp_path: Path) -> None:
    repository, _ = new_vault(tmp_path)
    put(tmp_path, {"own.md": b"mine", "tool.sh": b"#!/bin/sh\n"})
    (tmp_path / "tool.sh").chmod(0o755)
    (tmp_path / "link").symlink_to("own.md")
    user(tmp_path, "add", "--all")
    user(tmp_path, "commit", "--quiet", "-m", "by hand")
    third = land(repository, repository.tip(), CHANGES).commit
    assert {(file.path, file.mode) for file in repository.ls_tree(third)} >= {("tool.sh", "100755"), ("link", "120000")}
    assert repository.blob_ids_of(third, ["link", "tool.sh"])["link"] is None
    assert sound(tmp_path)


# What a crash leaves


def test_an_empty_object_under_our_name_is_written_anew(tmp_path: Path) -> None:
    repository, first = new_vault(tmp_path)
    prepared = repository.prepare(first, CHANGES, MESSAGE, AT)
    repository.write_objects(prepared)
    for item in prepared.objects:
        path = tmp_path / object_path(item.id)
        path.unlink()
        path.write_bytes(b"")
    assert land(repository, first, CHANGES).commit == prepared.commit
    assert sound(tmp_path)


def test_temps_of_a_cut_write_are_overwritten_and_none_stay(tmp_path: Path) -> None:
    repository, first = new_vault(tmp_path)

    class Cut(Exception):
        pass

    for number in range(0, 400, 7):
        seen: list[Step] = []

        def cut(step: Step, seen: list[Step] = seen, number: int = number) -> None:
            seen.append(step)
            if len(seen) > number:
                raise Cut

        cutting = Repository(tmp_path, watch=cut)
        prepared = cutting.prepare(first, CHANGES, MESSAGE, AT)
        try:
            cutting.write_objects(prepared)
        except Cut:
            continue
        break
    else:
        pytest.fail("the write never ended")
    assert number > 40
    assert loosely_named(tmp_path) == []
    repository.move_ref(prepared.commit, first, RUN)
    put(tmp_path, CHANGES)
    assert repository.update_index(prepared.blobs)
    assert sound(tmp_path)


def test_objects_are_synced_before_they_are_named_and_directories_after(tmp_path: Path) -> None:
    steps: list[Step] = []
    repository = Repository(tmp_path, watch=steps.append)
    repository.init()
    prepared = repository.prepare(None, FILES, MESSAGE, AT)
    steps.clear()
    repository.write_objects(prepared)
    synced: set[str] = set()
    named: set[str] = set()
    for step in steps:
        if step.op is Op.SYNC:
            synced.add(step.path)
        elif step.op is Op.RENAME:
            assert step.path in synced
            named.add(step.to)
    assert named == {object_path(item.id) for item in prepared.objects}
    last_rename = max(place for place, step in enumerate(steps) if step.op is Op.RENAME)
    after = {step.path for step in steps[last_rename + 1 :] if step.op is Op.SYNC_DIR}
    assert after == {path.rpartition("/")[0] for path in named} | {".git/objects"}


def test_a_failed_sync_is_final_names_nothing_and_a_new_try_starts_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository, first = new_vault(tmp_path)
    prepared = repository.prepare(first, CHANGES, MESSAGE, AT)
    before = sorted((tmp_path / ".git/objects").rglob("*"))
    synced: list[tuple[int, int]] = []
    real = os.fsync

    def fail(fd: int) -> None:
        status = os.fstat(fd)
        synced.append((status.st_dev, status.st_ino))
        if len(synced) == 3:
            raise OSError(errno.EIO, "injected")
        real(fd)

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(NotSynced):
        repository.write_objects(prepared)
    assert len(synced) == len(set(synced))
    assert [path for path in (tmp_path / ".git/objects").rglob("*") if path not in before and path.is_file()] == []
    monkeypatch.setattr(os, "fsync", real)
    assert land(repository, first, CHANGES).commit == prepared.commit
    assert sound(tmp_path)


def test_a_write_that_finds_no_room_leaves_no_temp(tmp_path: Path) -> None:
    repository, first = new_vault(tmp_path)
    prepared = repository.prepare(first, CHANGES | {"big": os.urandom(200_000)}, MESSAGE, AT)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, hard))
    try:
        with pytest.raises(NotWritten):
            repository.write_objects(prepared)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert loosely_named(tmp_path) == []
    assert repository.tip() == first
    repository.write_objects(prepared)
    assert repository.read_blob(prepared.commit, "big") == prepared.objects[3].payload


def test_a_linked_object_folder_is_refused(tmp_path: Path) -> None:
    repository, first = new_vault(tmp_path / "vault")
    prepared = repository.prepare(first, CHANGES, MESSAGE, AT)
    (tmp_path / "elsewhere").mkdir()
    folder = (tmp_path / "vault" / object_path(prepared.commit)).parent
    if folder.exists():
        folder.rename(folder.with_name("aside"))
    folder.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(Exception, match="is not a directory"):
        repository.write_objects(prepared)
    assert list((tmp_path / "elsewhere").iterdir()) == []


# Reading


def test_packed_objects_and_refs_are_read_and_committed_upon(tmp_path: Path) -> None:
    repository, first = new_vault(tmp_path)
    second = land(repository, first, CHANGES).commit
    user(tmp_path, "pack-refs", "--all")
    user(tmp_path, "gc", "--quiet", "--prune=now")
    assert not (tmp_path / ".git/refs/heads/main").exists()
    assert not (tmp_path / object_path(second)).exists()
    assert repository.tip() == second
    assert repository.read_blob(second, ALICE) == CHANGES[ALICE]
    third = land(repository, second, {ALICE: b"# Alice\n"}).commit
    assert repository.tip() == third
    assert sound(tmp_path)


def test_what_a_commit_does_not_have_is_not_found(tmp_path: Path) -> None:
    repository, first = new_vault(tmp_path)
    for path in ("pages/no/nobody.md", "pages", f"{ALICE}/below"):
        with pytest.raises(NotFound):
            repository.read_blob(first, path)
    assert repository.read_blob(first, "pages/bi/billing.md") == FILES["pages/bi/billing.md"]
    assert repository.blob_ids_of(first, ["pages", ALICE])["pages"] is None


def test_a_missing_parent_is_damage_that_names_the_object(tmp_path: Path) -> None:
    repository, _ = new_vault(tmp_path)
    with pytest.raises(Damaged, match=r"\.git/objects/ab/"):
        repository.prepare("ab" * 20, CHANGES, MESSAGE, AT)


def test_an_object_whose_bytes_are_others_is_damage(tmp_path: Path) -> None:
    repository, first = new_vault(tmp_path)
    tree = repository.commit(first).tree
    blob = repository.blob_ids_of(first, [ALICE])[ALICE] or ""
    target = tmp_path / object_path(tree)
    target.unlink()
    target.write_bytes((tmp_path / object_path(blob)).read_bytes())
    with pytest.raises(Damaged):
        repository.read_blob(first, ALICE)
    target.write_bytes(b"")
    with pytest.raises(Damaged):
        repository.prepare(first, CHANGES, MESSAGE, AT)
    with repository.reader() as reader:
        assert reader.payload(blob, "blob") == FILES[ALICE]
        for _ in range(2):  # the second time git has given up already
            with pytest.raises(Damaged):
                reader.tree(tree)
        with pytest.raises(Damaged, match="a blob stands where a tree belongs"):
            reader.tree(blob)


def test_trees_are_compared_below_the_paths_that_are_asked_for(tmp_path: Path) -> None:
    repository, first = new_vault(tmp_path)
    second = land(repository, first, {"own.md": b"x"}).commit
    assert repository.trees_equal(first, second, ["logs", "ledger", "runs", "pages"])
    assert not repository.trees_equal(first, second, ["pages", "own.md"])
    assert not repository.trees_equal(first, land(repository, second, CHANGES).commit, ["ledger"])


def test_ancestors_are_told_from_strangers(tmp_path: Path) -> None:
    repository, first = new_vault(tmp_path)
    second = land(repository, first, CHANGES).commit
    assert repository.is_ancestor(first, second)
    assert repository.is_ancestor(second, second)
    assert not repository.is_ancestor(second, first)


# Hostile surroundings


def test_variables_of_another_repository_lead_nowhere(tmp_path: Path) -> None:
    other, stranger = new_vault(tmp_path / "other", {"secret.md": b"s"})
    put(tmp_path, {"evil": b"[core]\n\tautocrlf = true\n\thooksPath = /nowhere\n"})
    names = {
        "GIT_DIR": tmp_path / "other" / ".git",
        "GIT_WORK_TREE": tmp_path / "other",
        "GIT_INDEX_FILE": tmp_path / "other" / ".git" / "index",
        "GIT_OBJECT_DIRECTORY": tmp_path / "other" / ".git" / "objects",
        "GIT_CONFIG_GLOBAL": tmp_path / "evil",
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "core.bare",
        "GIT_CONFIG_VALUE_0": "true",
        "GIT_NAMESPACE": "elsewhere",
        "GIT_AUTHOR_NAME": "Mallory",
        "GIT_TRACE": tmp_path / "trace",
    }
    environment = os.environ | {name: str(value) for name, value in names.items()}
    root = tmp_path / "vault"
    root.mkdir()
    repository = Repository(root, environment)
    repository.init()
    first = land(repository, None, FILES).commit
    second = land(repository, first, CHANGES).commit
    assert repository.is_ancestor(first, second)
    assert sound(root)
    assert other.tip() == stranger
    assert sound(tmp_path / "other")
    assert not (tmp_path / "trace").exists()


def test_hooks_monitors_and_filters_never_run(tmp_path: Path) -> None:
    root = tmp_path / "vault"
    repository, first = new_vault(root)
    trap = tmp_path / "trap.sh"
    trap.write_text(f"#!/bin/sh\ntouch {tmp_path}/sprung\ncat\n")
    trap.chmod(0o755)
    hooks = root / ".git" / "hooks"
    hooks.mkdir()
    for name in (
        "pre-commit",
        "post-commit",
        "reference-transaction",
        "post-index-change",
        "pre-auto-gc",
        "fsmonitor-watchman",
    ):
        (hooks / name).symlink_to(trap)
    programs = (
        "core.fsmonitor core.pager core.sshCommand core.editor diff.external diff.evil.command diff.evil.textconv"
    )
    for key in (*programs.split(), "filter.evil.clean", "filter.evil.smudge"):
        user(root, "config", key, str(trap))
    (root / ".git" / "info" / "attributes").write_bytes(b"* filter=evil diff=evil text eol=crlf ident\n")
    changes: dict[str, bytes | None] = {
        **CHANGES,
        "pages/bi/billing.md": b"$Id$\r\n\n",
        ".gitattributes": b"* filter=evil text eol=crlf\n",
    }
    second = land(repository, first, changes).commit
    assert repository.read_blob(second, "pages/bi/billing.md") == b"$Id$\r\n\n"
    assert repository.ls_tree(second)
    assert not (tmp_path / "sprung").exists()


def test_a_program_named_git_inside_the_vault_is_not_started(tmp_path: Path) -> None:
    trap = tmp_path / "vault" / "git"
    put(tmp_path / "vault", {"git": f"#!/bin/sh\ntouch {tmp_path}/sprung\n".encode()})
    trap.chmod(0o755)
    repository = Repository(tmp_path / "vault", {"PATH": f".{os.pathsep}{os.pathsep}{os.defpath}"})
    repository.init()
    assert repository.head_is_main()
    assert not (tmp_path / "sprung").exists()


@pytest.mark.parametrize(
    "setting", ["core.autocrlf=true", "core.eol=crlf", "core.safecrlf=true", "i18n.commitEncoding=latin1"]
)
def test_a_users_configuration_changes_no_byte_and_no_id(tmp_path: Path, setting: str) -> None:
    plain, _ = new_vault(tmp_path / "plain")
    home = Path(os.environ["HOME"])
    subprocess.run(("git", "config", "--file", home / ".gitconfig", *setting.split("=")), check=True)
    root = tmp_path / "vault"
    repository, first = new_vault(root)
    assert first == plain.tip()
    user(root, "commit", "--quiet", "--allow-empty", "-a", "-m", "by hand")
    assert repository.read_blob(repository.tip() or "", "pages/bi/billing.md") == FILES["pages/bi/billing.md"]
    assert (root / "pages/bi/billing.md").read_bytes() == FILES["pages/bi/billing.md"]


def test_a_promised_object_is_not_fetched_by_a_program_of_the_vaults(tmp_path: Path) -> None:
    root = tmp_path / "vault"
    repository, first = new_vault(root)
    blob = repository.blob_ids_of(first, [ALICE])[ALICE] or ""
    (root / object_path(blob)).unlink()
    for key, value in {
        "core.repositoryformatversion": "1",
        "extensions.partialClone": "evil",
        "remote.evil.promisor": "true",
        "remote.evil.url": f"ext::sh -c 'touch {tmp_path}/sprung'",
        "protocol.ext.allow": "always",
    }.items():
        user(root, "config", key, value)
    with pytest.raises(Damaged):
        repository.read_blob(first, ALICE)
    assert not (tmp_path / "sprung").exists()


def test_replacements_and_another_work_tree_are_not_believed(tmp_path: Path) -> None:
    root = tmp_path / "vault"
    repository, first = new_vault(root)
    second = land(repository, first, CHANGES).commit
    user(root, "gc", "--quiet")
    user(root, "replace", second, first)
    user(root, "config", "core.worktree", str(tmp_path))
    assert repository.commit(second).parents == (first,)
    assert repository.is_ancestor(first, second)
    third = land(repository, second, {"x": b"x"})
    assert third.parent == second


def test_a_loose_file_with_another_object_in_it_is_no_object(tmp_path: Path) -> None:
    repository, first = new_vault(tmp_path)
    second = land(repository, first, CHANGES).commit
    path = tmp_path / ".git/objects" / second[:2] / second[2:]
    path.chmod(0o600)
    path.write_bytes((tmp_path / ".git/objects" / first[:2] / first[2:]).read_bytes())
    assert repository.broken_loose_objects() == (second,)
    with pytest.raises(Damaged):
        Repository(tmp_path).commit(second)


def test_the_git_that_writes_for_us_syncs_everything(tmp_path: Path) -> None:
    repository, _ = new_vault(tmp_path)
    assert repository.git.run("config", "core.fsync") == (0, b"all\n")
