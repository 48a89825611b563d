"""Whose commits git would make: the owner's name, as the user's own configuration of git has it."""

import subprocess
from collections.abc import Mapping

_TIMEOUT_S = 10


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
