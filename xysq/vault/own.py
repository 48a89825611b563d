"""The user's own configuration as a file: changed with its comments kept, made where there is none."""

from pathlib import Path

from xysq.store.files import Files
from xysq.store.user_config import set_user_setting
from xysq.vault import place


def set_own(key: str, value: str) -> Path:
    """Change one of the user's own settings; return the file it stands in.

    Raises `BadInput` for a key or a value that cannot be.
    """
    path = place.config_path()
    text = path.read_text("utf-8") if path.exists() else ""
    changed = set_user_setting(text, key, value)
    target = path.resolve()  # people keep such files elsewhere and link to them
    root = next(folder for folder in target.parents if folder.is_dir())
    files, name = Files(root), target.relative_to(root)
    if len(name.parts) > 1:
        files.make_dirs(str(name.parent))
    files.replace(str(name), changed.encode("utf-8"))
    return target
