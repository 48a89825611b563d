"""Health: everything a doctor looks at, around the vault and in it; also where there is none.

What is around it comes from this process's own surroundings: versions, the user's configuration, how the vault was
found, the drafter.
"""

import os
import platform
import sys
from collections.abc import Iterator
from pathlib import Path

from xysq.drafters import UnknownDrafter, spec_of, trouble
from xysq.errors import XysqError
from xysq.jobs.doctor import doctor
from xysq.jobs.opened import Opened
from xysq.model.report import Grade, Health
from xysq.model.settings import CommandSpec, OllamaSpec, OpenAISpec, UserConfig
from xysq.model.source import Channel
from xysq.store.git_owner import git_version
from xysq.vault import place

_OLDEST_PYTHON, _OLDEST_GIT = (3, 11), (2, 36)
_RULES = "rules"


def health(path: str | os.PathLike[str] | None = None) -> tuple[Health, ...]:
    """Look at everything there is: programs, the user's configuration, the vault that would be used."""
    config, told = _config()
    found = [*_programs(), *told]
    try:
        root, how = place.find_root_and_how(path)
    except XysqError as error:
        return (*found, _line("vault", Grade.FAULT, error.sentence, error.hint.removeprefix("try: ")))
    found.append(_line("vault", Grade.OK, f"{root}, {how}"))
    opened = place.examined(root, 0.0, Channel.CLI)
    found += doctor(opened)
    return (*found, _drafter(opened, config))


def _line(what: str, grade: Grade, sentence: str, hint: str = "") -> Health:
    return Health(what=what, grade=grade, sentence=sentence, hint=hint)


def _programs() -> Iterator[Health]:
    version = platform.python_version()
    if sys.version_info[:2] >= _OLDEST_PYTHON:
        yield _line("python", Grade.OK, version)
    else:
        yield _line("python", Grade.FAULT, f"{version} is too old", "install Python 3.11 or newer")
    numbers = git_version(os.environ)
    told = ".".join(map(str, numbers))
    if not numbers:
        yield _line("git", Grade.FAULT, "is not installed or not in PATH", "install git 2.36 or newer")
    elif numbers < _OLDEST_GIT:
        yield _line("git", Grade.FAULT, f"{told} is too old to sync what it writes", "install git 2.36 or newer")
    else:
        yield _line("git", Grade.OK, told)


def _config() -> tuple[UserConfig, list[Health]]:
    path = place.config_path()
    try:
        config = place.user_config()
    except (XysqError, OSError) as error:
        return UserConfig(), [_line("configuration", Grade.FAULT, f"{path}: {error}", f"$EDITOR {path}")]
    default = config.default_vault
    if default is not None and not (Path(default).expanduser() / ".git").exists():
        sentence = f"{default}, the default vault, is not there"
        return config, [_line("configuration", Grade.WARNING, sentence, "xysq config set --user vault DIR")]
    return config, [_line("configuration", Grade.OK, str(path) if path.exists() else "none")]


def _drafter(opened: Opened, config: UserConfig) -> Health:
    try:
        name = config.drafter or opened.settings().drafter
    except (XysqError, OSError):
        return _line("drafter", Grade.WARNING, "the settings that name it cannot be read", "xysq repair")
    spec = config.drafters.get(name) if config.drafter is None else spec_of(name, config.drafters)
    match spec:
        case CommandSpec(argv=argv):
            if not argv or not _can_be_started(argv[0]):
                hint = f"xysq config set --user drafters.{name}.command PROGRAM"
                return _line("drafter", Grade.WARNING, f"{name}: its program cannot be found", hint)
        case OllamaSpec() | OpenAISpec():
            sentence, hint = trouble(spec, os.environ)
            if sentence:
                return _line("drafter", Grade.WARNING, f"{name}: {sentence}", hint)
        case None if name != _RULES:
            error = UnknownDrafter(name, (_RULES, *sorted(config.drafters)))
            return _line("drafter", Grade.WARNING, error.sentence, "xysq config set --user drafter rules")
        case None:
            return _line("drafter", Grade.OK, "rules (no model)")
    return _line("drafter", Grade.OK, name)


def _can_be_started(program: str) -> bool:
    folders = [""] if os.sep in program else os.environ.get("PATH", os.defpath).split(os.pathsep)
    return any(os.access(Path(folder, program), os.X_OK) for folder in folders)
