"""Starting git: what it sees, and whose lock it keeps."""

import fcntl
import os
from pathlib import Path

import pytest

from tests.store.git_vault import new_vault
from xysq.store.git_process import GitFailed, GitProcess


def is_free(path: Path) -> bool:
    fd = os.open(path, os.O_RDWR)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    finally:
        os.close(fd)
    return True


def test_a_child_keeps_the_vault_lock_until_it_ends(tmp_path: Path) -> None:
    repository, _ = new_vault(tmp_path)
    lock = tmp_path / ".git/xysq/lock"
    for given, free_meanwhile in ((True, False), (False, True)):
        fd = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC)
        fcntl.flock(fd, fcntl.LOCK_EX)
        child = repository.git.start("cat-file", "--batch", lock_fd=fd if given else None)
        os.close(fd)
        assert is_free(lock) is free_meanwhile
        child.communicate()
        assert is_free(lock)


def test_a_child_sees_no_git_variable_but_ours_and_no_home(tmp_path: Path) -> None:
    seen = tmp_path / "bin" / "git"
    seen.parent.mkdir()
    seen.write_text("#!/bin/sh\nenv\n")
    seen.chmod(0o755)
    given = {
        "GIT_DIR": "/x",
        "GIT_SSH_COMMAND": "evil",
        "HOME": "/x",
        "XDG_CONFIG_HOME": "/x",
        "LC_ALL": "de_DE",
        "TMPDIR": "/x/tmp",
    }
    process = GitProcess(tmp_path, given | {"PATH": f"relative{os.pathsep}{seen.parent}{os.pathsep}{os.defpath}"})
    _, out = process.run("version")
    environment = dict(line.split("=", 1) for line in out.decode().splitlines())
    assert environment["GIT_DIR"] == str(tmp_path / ".git")
    assert environment["GIT_CONFIG_GLOBAL"] == "/dev/null"
    assert environment["PATH"] == f"{seen.parent}{os.pathsep}{os.defpath}"
    assert environment["LC_ALL"] == "C"
    assert environment["TMPDIR"] == "/x/tmp"
    assert not {"HOME", "XDG_CONFIG_HOME", "GIT_SSH_COMMAND"} & environment.keys()


def test_a_failure_quotes_git_so_that_it_cannot_drive_a_terminal(tmp_path: Path) -> None:
    repository, first = new_vault(tmp_path)
    with pytest.raises(GitFailed) as failed:
        repository.git.run("cat-file", "-p", "no\x1b[31msuch\nthing")
    assert "\x1b" not in failed.value.sentence
    assert "\n" not in failed.value.sentence
    assert repository.git.run("cat-file", "-t", first) == (0, b"commit\n")


def test_a_status_that_is_allowed_is_no_failure(tmp_path: Path) -> None:
    repository, first = new_vault(tmp_path)
    assert repository.git.run("cat-file", "-e", "ab" * 20, allowed=(0, 1))[0] == 1
    assert repository.git.run("cat-file", "-e", first, allowed=(0, 1))[0] == 0
