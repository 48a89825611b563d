"""Objects, trees and commits as bytes."""

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xysq.errors import BadInput, Damaged
from xysq.store.git_object import (
    EMPTY_TREE,
    GitObject,
    PathTaken,
    checked_id,
    checked_path,
    commit_message,
    edit_tree,
    git_object,
    object_id,
    parse_commit,
    parse_tree,
    render_commit,
    render_tree,
)

AT = "2026-11-30T18:02:11Z"
RUN = "r-20261130T180211Z-ab12"
BLOB = object_id("blob", b"x\n")
NAMES = st.sampled_from(["a", "a-", "a.", "a0", "b", "ab", "-rf", "a b", "ü", "例", "~"])
PATHS = st.lists(NAMES, min_size=1, max_size=4).map("/".join)
BLOBS = st.integers(min_value=0, max_value=5).map(lambda number: object_id("blob", b"%d" % number))


class Shelf:
    """Trees by id, with a count of the reads."""

    def __init__(self) -> None:
        self.trees: dict[str, bytes] = {}
        self.reads: list[str] = []

    def keep(self, objects: tuple[GitObject, ...]) -> None:
        for item in objects:
            assert item.id == object_id(item.kind, item.payload)
            self.trees[item.id] = item.payload

    def read(self, id_: str) -> bytes:
        self.reads.append(id_)
        return self.trees[id_]

    def edit(self, tree: str | None, blobs: Mapping[str, str | None]) -> str:
        root, made = edit_tree(tree, blobs, self.read)
        self.keep(made)
        return root

    def files(self, tree: str, where: str = "") -> dict[str, str]:
        found = {}
        for name, entry in parse_tree(tree, self.trees[tree]).items():
            path = f"{where}{name.decode()}"
            found.update(self.files(entry.id, f"{path}/") if entry.is_tree else {path: entry.id})
        return found


def without_conflicts(files: Mapping[str, str]) -> dict[str, str]:
    folders = {path[:place] for path in files for place, sign in enumerate(path) if sign == "/"}
    return {path: blob for path, blob in files.items() if path not in folders}


def test_ids_are_those_of_git() -> None:
    assert object_id("blob", b"") == "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"
    assert object_id("blob", b"hello\n") == "ce013625030ba8dba906f756967f9e9ca394464a"
    assert object_id("tree", b"") == EMPTY_TREE


def test_a_directory_sorts_as_if_its_name_ended_in_a_slash() -> None:
    shelf = Shelf()
    root = shelf.edit(None, {"a/x": BLOB, "a.": BLOB, "a0": BLOB})
    assert list(parse_tree(root, shelf.trees[root])) == [b"a.", b"a", b"a0"]


@given(before=st.dictionaries(PATHS, BLOBS, max_size=8), after=st.dictionaries(PATHS, BLOBS, max_size=8))
def test_editing_a_tree_is_the_same_as_building_it_anew(before: dict[str, str], after: dict[str, str]) -> None:
    old, new = without_conflicts(before), without_conflicts(after)
    shelf = Shelf()
    base = shelf.edit(None, old)
    assert shelf.files(base) == old
    changes: dict[str, str | None] = dict.fromkeys(old.keys() - new.keys()) | new
    try:
        edited = shelf.edit(base, changes)
    except PathTaken:
        assert {path.split("/")[0] for path in old} & {path.split("/")[0] for path in new}
        return
    assert shelf.files(edited) == new
    assert edited == Shelf().edit(None, new)


@given(files=st.dictionaries(PATHS, BLOBS, min_size=1, max_size=8))
def test_a_tree_is_parsed_into_what_was_rendered(files: dict[str, str]) -> None:
    shelf = Shelf()
    shelf.edit(None, without_conflicts(files))
    for id_, payload in shelf.trees.items():
        assert render_tree(parse_tree(id_, payload)) == payload


def test_only_trees_on_the_way_to_a_change_are_read_and_made() -> None:
    shelf = Shelf()
    base = shelf.edit(None, {f"pages/{a}{b}/{a}{b}.md": BLOB for a in "abc" for b in "xyz"} | {"logs/1/2/3": BLOB})
    shelf.reads.clear()
    other = object_id("blob", b"other")
    _, made = edit_tree(base, {"pages/ax/ax.md": other}, shelf.read)
    assert len(shelf.reads) == len(made) == len({"", "pages", "pages/ax"})


def test_a_directory_goes_with_its_last_file() -> None:
    shelf = Shelf()
    base = shelf.edit(None, {"pages/al/alice.md": BLOB, "xysq.yaml": BLOB})
    assert shelf.files(shelf.edit(base, {"pages/al/alice.md": None})) == {"xysq.yaml": BLOB}
    assert shelf.edit(base, {"pages/al/alice.md": None, "xysq.yaml": None}) == EMPTY_TREE


def test_removing_what_is_not_there_changes_nothing() -> None:
    shelf = Shelf()
    base = shelf.edit(None, {"xysq.yaml": BLOB})
    assert edit_tree(base, {"pages/al/x.md": None, "xysq.yaml/below": None, "y": None}, shelf.read) == (base, ())


@pytest.mark.parametrize("changes", [{"pages": BLOB}, {"pages": None}, {"xysq.yaml/x": BLOB}])
def test_a_file_does_not_silently_replace_a_directory_or_become_one(changes: dict[str, str | None]) -> None:
    shelf = Shelf()
    base = shelf.edit(None, {"pages/al/alice.md": BLOB, "xysq.yaml": BLOB})
    with pytest.raises(PathTaken):
        shelf.edit(base, changes)


def test_a_file_becomes_a_directory_when_it_is_removed_in_the_same_change() -> None:
    shelf = Shelf()
    base = shelf.edit(None, {"xysq.yaml": BLOB})
    assert shelf.files(shelf.edit(base, {"xysq.yaml": None, "xysq.yaml/x": BLOB})) == {"xysq.yaml/x": BLOB}


def test_modes_that_a_person_committed_stay_where_nothing_changes() -> None:
    shelf = Shelf()
    payload = b"".join(
        b"%s %s\0%s" % (mode, name, bytes.fromhex(BLOB)) for mode, name in [(b"120000", b"l"), (b"100755", b"x")]
    )
    tree = git_object("tree", payload)
    shelf.keep((tree,))
    entries = parse_tree("", shelf.trees[shelf.edit(tree.id, {"new": BLOB, "x": BLOB})])
    assert {name: entry.mode for name, entry in entries.items()} == {
        b"l": b"120000",
        b"new": b"100644",
        b"x": b"100644",
    }


@pytest.mark.parametrize(
    "path",
    [
        "", "/", "/etc/passwd",
        "a//b", "a/", ".", "..", "a/../b", "./a", "a\0b", ".git/config", "a/.GIT/x", ".git ", ".git.",
        ".git::$INDEX_ALLOCATION", "git~1", "GIT~2/x", ".g\u200cit/config", "a\\b", "\ud800", "a/" * 40 + "b",
    ],
)  # fmt: skip
def test_a_path_that_leads_out_or_into_git_is_refused(path: str) -> None:
    with pytest.raises(BadInput):
        checked_path(path)


@pytest.mark.parametrize(
    "path", ["a", "-rf", "--", "a b/c", "ü/例.md", ".gitattributes", "a/.gitignore", ":(top)x", "git", "a\nb"]
)
def test_any_other_path_is_taken_as_it_is(path: str) -> None:
    assert b"/".join(checked_path(path)) == path.encode()


@pytest.mark.parametrize("text", ["", "HEAD", "main", "a" * 39, "a" * 41, "A" * 40, "a" * 40 + "\n", "-" + "a" * 39])
def test_only_a_full_id_is_an_id(text: str) -> None:
    with pytest.raises(BadInput):
        checked_id(text)
    assert checked_id("0a" * 20) == "0a" * 20


@pytest.mark.parametrize("cut", range(1, 20))
def test_a_cut_tree_is_damaged(cut: int) -> None:
    payload = render_tree(parse_tree("", b"100644 a\0" + bytes(20) + b"40000 b\0" + bytes(20)))
    with pytest.raises(Damaged):
        parse_tree("f" * 40, payload[:-cut])
    assert len(parse_tree("f" * 40, payload)) == 2


def test_a_commit_is_read_back_as_it_was_made() -> None:
    message = commit_message("distill: 3 facts", run=RUN, kind="distill", body="from 20261130-k3f9x2@1")
    payload = render_commit(tree=EMPTY_TREE, parent="ab" * 20, at=AT, message=message)
    commit = parse_commit("cd" * 20, payload)
    assert (commit.tree, commit.parents, commit.at) == (EMPTY_TREE, ("ab" * 20,), AT)
    assert (commit.subject, commit.run, commit.kind) == ("distill: 3 facts", RUN, "distill")
    assert payload.endswith(b"\n\nXysq-Run: r-20261130T180211Z-ab12\nXysq-Kind: distill\n")


def test_a_commit_without_a_run_has_only_its_kind() -> None:
    message = commit_message("push", kind="push")
    assert message == "push\n\nXysq-Kind: push\n"
    assert parse_commit("", render_commit(tree=EMPTY_TREE, parent=None, at=AT, message=message)).run == ""


@pytest.mark.parametrize(
    "at", ["", "now", "2026-11-30", "2026-11-30T18:02:11", "2026-11-30T18:02:11+01:00", "2026-13-30T18:02:11Z"]
)
def test_a_time_that_is_not_utc_with_seconds_is_refused(at: str) -> None:
    with pytest.raises(BadInput):
        render_commit(tree=EMPTY_TREE, parent=None, at=at, message="x\n")


@pytest.mark.parametrize(
    ("run", "kind"), [("r 1", "x"), ("r\nXysq-Kind: forged", "x"), ("", ""), ("", "x\n"), ("é", "x")]
)
def test_a_trailer_cannot_be_forged(run: str, kind: str) -> None:
    with pytest.raises(BadInput):
        commit_message("x", run=run, kind=kind)


def test_a_subject_is_one_line_and_shows_what_would_drive_a_terminal() -> None:
    message = commit_message("a\nXysq-Run: forged\x1b[31m\0", kind="push", body="b\u202e\n\nXysq-Kind: forged")
    assert message.split("\n\n")[0] == "a Xysq-Run: forged\\x1b[31m\\x00"
    commit = parse_commit("", render_commit(tree=EMPTY_TREE, parent=None, at=AT, message=message))
    assert (commit.run, commit.kind) == ("", "push")


def test_commits_of_other_tools_are_read() -> None:
    head = f"tree {EMPTY_TREE}\nparent {'ab' * 20}\nparent {'cd' * 20}\nauthor A <a> 1 +0000\n"
    signed = f"{head}committer Ä <x> y> 1796061731 +0530\ngpgsig -----BEGIN\n \n tree x\n\nMerge\xff\nmore\n".encode(
        "latin-1"
    )
    commit = parse_commit("", signed)
    assert (commit.parents, commit.at, commit.subject) == (
        ("ab" * 20, "cd" * 20),
        "2026-11-30T18:02:11Z",
        "Merge\ufffd",
    )
    assert (commit.run, commit.kind) == ("", "")
    endless = f"tree {EMPTY_TREE}\ncommitter A <a> 999999999999 +0000\n\nx".encode()
    assert parse_commit("", endless).at == "9999-12-31T23:59:59Z"


@pytest.mark.parametrize("payload", [b"", b"tree x\n\n", b"parent " + b"a" * 40 + b"\n\n", b"\0" * 100])
def test_what_is_no_commit_is_damaged(payload: bytes) -> None:
    with pytest.raises(Damaged):
        parse_commit("ab" * 20, payload)
