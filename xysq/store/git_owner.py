"""What git says of itself outside of any vault: its version, and whose commits it would make."""

import re
import subprocess
from collections.abc import Mapping

_TIMEOUT_S = 10
_VERSION = re.compile(rb"([0-9]+(?:\.[0-9]+){1,3})")


def owner_of_commits(environment: Mapping[str, str]) -> str:
    """Return `user.name` of the user's git configuration; "" where there is none."""
    try:
        done = subprocess.run(
            ("git", "config", "--global", "--get", "user.name"),
            env=dict(environment),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            timeout=_TIMEOUT_S,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.decode("utf-8", "replace").strip() if done.returncode == 0 else ""


def git_version(environment: Mapping[str, str]) -> tuple[int, ...]:
    """Return the numbers of git's version; () where there is no git."""
    try:
        done = subprocess.run(
            ("git", "--version"),
            env=dict(environment),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            timeout=_TIMEOUT_S,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ()
    match = _VERSION.search(done.stdout)
    return tuple(int(number) for number in match[1].split(b".")) if match else ()
