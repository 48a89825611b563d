"""Where a vault is, and everything that comes in from outside: environment, clock, chance, the user's configuration."""

import getpass
import os
import secrets
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

from xysq.errors import BadInput, NotFound, NoVault, XysqError
from xysq.jobs import init as init_job
from xysq.jobs.opened import Opened
from xysq.model.settings import UserConfig
from xysq.model.source import Channel
from xysq.store.files import Files
from xysq.store.git import Repository
from xysq.store.git_outer import outer_repository, work_in
from xysq.store.git_owner import owner_of_commits
from xysq.store.user_config import FILE, parse_user_config

OWN_REPOSITORY = "a vault is a git repository of its own; try: xysq init ~/memory"


def make(path: str | os.PathLike[str], me: str | None, timeout_s: float) -> tuple[Path, bool]:
    """Make a vault in a directory; return where it is and whether it was made just now."""
    root = Path(path).expanduser().absolute()
    if root.is_file():
        raise BadInput(f"{root} is a file, not a directory", "name a directory; try: xysq init ~/memory")
    make_room(root)
    order = init_job.InitOrder(
        me=me if me is not None else owner(), clock=now, entropy=secrets.token_bytes, timeout_s=timeout_s
    )
    return root, init_job.init(Files(root), Repository(root, os.environ), order)


def make_room(root: Path) -> None:
    """Make a directory that a vault may lie in; `BadInput` inside another repository that does not ignore it."""
    outer = outer_repository(root, os.environ)
    if outer is not None:
        raise BadInput(f"{root} lies in the git repository {outer}", OWN_REPOSITORY)
    if not root.is_dir():
        above = next(place for place in root.parents if place.is_dir())
        Files(above).make_dirs(root.relative_to(above).as_posix())


def find_root(path: str | os.PathLike[str] | None = None) -> Path:
    """Return the directory of the vault that is meant; `NoVault` where there is none."""
    return find_root_and_how(path)[0]


def find_root_and_how(path: str | os.PathLike[str] | None = None) -> tuple[Path, str]:
    """Return the directory of the vault that is meant, and by what it was found."""
    named = path or os.environ.get("XYSQ_VAULT")
    if named:
        root = Path(named).expanduser().absolute()
        if not init_job.is_vault(Files(root)):
            raise NoVault(str(root))
        return root, "as named" if path else "by XYSQ_VAULT"
    here = Path.cwd()
    for place in (here, *here.parents):
        if init_job.is_vault(Files(place)):
            return place, "at or above this directory"
    default = user_config().default_vault
    if default is not None:
        root = Path(default).expanduser().absolute()
        if init_job.is_vault(Files(root)):
            return root, "the default of your configuration"
        raise NoVault(f"{root}, the default vault of your configuration")
    raise NoVault(str(here))


def project_here() -> Path:
    """Return the project that the working directory belongs to."""
    return project_of(Path.cwd())


def project_of(directory: Path) -> Path:
    """Return the nearest directory with a repository at or above a directory; where none is, that."""
    return next((place for place in (directory, *directory.parents) if (place / ".git").exists()), directory)


def work_at(project: Path) -> tuple[str, str]:
    """Return the branch and the last subject of the repository in a directory; "" where there is none."""
    return work_in(project, os.environ)


def config_path() -> Path:
    """Return the file of the user's own configuration."""
    base = os.environ.get("XDG_CONFIG_HOME") or "~/.config"
    return Path(base).expanduser() / "xysq" / FILE


def user_config() -> UserConfig:
    """Read the user's own configuration; all defaults where there is none."""
    try:
        data = config_path().read_bytes()
    except FileNotFoundError:
        return UserConfig()
    return parse_user_config(data)


def opened(root: Path, timeout_s: float, channel: Channel) -> Opened:
    """Open the vault in a directory."""
    return _opened(Files(root), init_job.vault_id(Files(root)), root, timeout_s, channel)


def examined(root: Path, timeout_s: float, channel: Channel) -> Opened:
    """Open a vault that is to be examined: also one that is damaged where its id stands, which is then ""."""
    files = Files(root)
    try:
        vault_id = init_job.vault_id(files)
    except XysqError:
        vault_id = ""
    return _opened(files, vault_id, root, timeout_s, channel)


def _opened(files: Files, vault_id: str, root: Path, timeout_s: float, channel: Channel) -> Opened:
    return Opened(
        root=root,
        vault_id=vault_id,
        files=files,
        repository=Repository(root, os.environ),
        cache=_cache(root),
        clock=now,
        entropy=secrets.token_bytes,
        timeout_s=timeout_s,
        channel=channel,
    )


def _cache(root: Path) -> Path:
    """Return the private directory of a vault's read model, named by the real path of its git directory."""
    base = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    key = sha256(os.fsencode(os.path.realpath(root / ".git"))).hexdigest()[:32]
    return Path(base).expanduser().absolute() / "xysq" / key


def now() -> datetime:
    """Return the present moment."""
    return datetime.now(UTC)


def moment(seconds: float) -> datetime:
    """Return the moment that a system's clock counts so many seconds to."""
    return datetime.fromtimestamp(seconds, UTC)


def claude_folder() -> Path:
    """Return where Claude Code keeps its settings and its sessions."""
    return Path(os.environ.get("CLAUDE_CONFIG_DIR") or "~/.claude").expanduser()


def owner() -> str:
    """Return the owner's name: git's, or the name of the account."""
    return owner_of_commits(os.environ) or getpass.getuser()


def path_of(name: str) -> Path:
    """Return the file that a person named."""
    return Path(name).expanduser().absolute()


def read_file(file: Path) -> bytes:
    """Return the bytes of a regular file."""
    if file.is_dir():
        raise BadInput(f"{file} is a folder", "give its files, or --recursive")
    try:
        if not file.is_file():
            raise NotFound("file", str(file)) if not file.exists() else BadInput(f"{file} is no regular file")
        with file.open("rb") as opened:
            return opened.read()
    except OSError as error:
        raise BadInput(f"{file} cannot be read: {error.strerror}") from None
