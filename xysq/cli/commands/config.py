"""`xysq config`: read and change settings."""

from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from xysq.cli.desk import Desk
from xysq.cli.line import faint, line, strong
from xysq.cli.settings import of_user, of_vault
from xysq.errors import BadInput
from xysq.store.layout import SETTINGS
from xysq.store.settings import parse_settings
from xysq.vault import place
from xysq.vault.api import Vault
from xysq.vault.own import set_own


class Act(StrEnum):
    """What to do."""

    GET = "get"
    SET = "set"
    LIST = "list"
    PATH = "path"


_ARGUMENTS = {Act.GET: 1, Act.SET: 2, Act.LIST: 0, Act.PATH: 0}
_USAGE = {Act.GET: "get KEY", Act.SET: "set KEY VALUE", Act.LIST: "list", Act.PATH: "path"}


def run(
    ctx: typer.Context,
    act: Annotated[Act, typer.Argument(help="What to do.")] = Act.LIST,
    words: Annotated[list[str] | None, typer.Argument(metavar="[KEY [VALUE]]")] = None,
    user: Annotated[bool, typer.Option("--user", help="Your own configuration, not the vault's.")] = False,
) -> None:
    """Read and change settings: the vault's, or with --user your own.

    Programs, hosts and the default vault are settings of yours; a vault's may come from somebody else.
    """
    desk = Desk(ctx)
    given = words or []
    if len(given) != _ARGUMENTS[act]:
        raise BadInput(f"config {act.value} takes {_ARGUMENTS[act]} arguments", f"xysq config {_USAGE[act]}")
    match act:
        case Act.PATH:
            path = str(_path(desk, user=user))
            desk.answer({"path": path}, [line(path)])
        case Act.SET:
            _set(desk, given[0], given[1], user=user)
        case Act.GET:
            value = _values(desk, user=user).get(given[0])
            if value is None:
                raise BadInput(f"there is no setting {given[0]!r}", "xysq config list shows all")
            desk.answer({"key": given[0], "value": value}, [line(value)])
        case Act.LIST:
            values = _values(desk, user=user)
            desk.answer(values, (line(strong(key), faint(" = "), value) for key, value in values.items()))


def _path(desk: Desk, *, user: bool) -> Path:
    if user:
        return place.config_path()
    with desk.vault(Vault) as vault:
        return vault.root / SETTINGS


def _values(desk: Desk, *, user: bool) -> Mapping[str, str]:
    if user:
        return of_user(place.user_config())
    with desk.vault(Vault) as vault:
        return of_vault(parse_settings(vault.settings_text().encode()))


def _set(desk: Desk, key: str, value: str, *, user: bool) -> None:
    if user and key == "vault":
        value = str(place.find_root(value))
    if user:
        where = set_own(key, value)
    else:
        with desk.vault(Vault) as vault:
            vault.set_setting(key, value)
            where = vault.root / SETTINGS
    desk.answer({"key": key, "value": value}, ())
    desk.output.say(f"set in {where}")
