"""The user's editor: a text goes in, what was saved comes out."""

import os
import secrets
import shlex
import subprocess
from pathlib import Path

from xysq.errors import BadInput
from xysq.vault.own import read_own_file, remove_own_file, replace_own_file


def edited(text: str, extension: str = "txt") -> str:
    """Open a text in the user's editor and return it as it was saved.

    Raises `BadInput` where there is no editor, or it ended with a failure.
    """
    command = os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi"
    file = Path(os.environ.get("TMPDIR") or "/tmp") / f"xysq-{secrets.token_hex(8)}.{extension}"  # noqa: S108 - private, by a name nobody guesses
    replace_own_file(file, text)
    try:
        status = subprocess.run([*shlex.split(command), str(file)], check=False).returncode  # noqa: S603 - the user's own
        if status != 0:
            raise BadInput(f"the editor {command!r} ended with {status}; nothing was changed")
        return read_own_file(file)
    except (OSError, ValueError) as error:
        raise BadInput(f"the editor {command!r} cannot be started: {error}", "set EDITOR") from None
    finally:
        remove_own_file(file)
