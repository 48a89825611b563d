"""Files of the user's own, outside any vault: their configuration, the settings of other programs.

They are changed as one durable step; a link is followed, since people keep such files elsewhere and link to them.
"""

from pathlib import Path

from xysq.errors import BadInput
from xysq.store.files import Files
from xysq.store.user_config import set_user_setting
from xysq.vault import place


def set_own(key: str, value: str) -> Path:
    """Change one of the user's own settings, its comments kept; return the file it stands in.

    Raises `BadInput` for a key or a value that cannot be.
    """
    path = place.config_path()
    return replace_own_file(path, set_user_setting(read_own_file(path), key, value))


def read_own_file(path: Path) -> str:
    """Return the text of a file, "" where there is none; `BadInput` where it is no text."""
    try:
        return path.read_bytes().decode("utf-8")
    except FileNotFoundError:
        return ""
    except UnicodeDecodeError:
        raise BadInput(f"{path} is not UTF-8", "it was left as it is") from None


def replace_own_file(path: Path, text: str) -> Path:
    """Write a file as one step; return where it really lies."""
    target = path.resolve()
    root = next(folder for folder in target.parents if folder.is_dir())
    files, name = Files(root), target.relative_to(root)
    if len(name.parts) > 1:
        files.make_dirs(str(name.parent))
    files.replace(str(name), text.encode("utf-8"))
    return target


def remove_own_file(path: Path) -> None:
    """Remove a file; nothing is wrong where there is none."""
    Files(path.parent).remove(path.name, sync=False)
