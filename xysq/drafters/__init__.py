"""Drafters: whoever proposes facts. `rules` is built in; programs are named in the user's own configuration.

`port` is the contract. Nothing a drafter answers is believed; planner, quarantine and gates judge every draft.
"""

from collections.abc import Mapping

from xysq.drafters.command import CommandDrafter
from xysq.drafters.port import Drafter
from xysq.drafters.rules.drafter import NAME as RULES
from xysq.drafters.rules.drafter import RulesDrafter
from xysq.errors import XysqError
from xysq.model.settings import CommandSpec

__all__ = ["CommandDrafter", "CommandSpec", "Drafter", "RulesDrafter", "UnknownDrafter", "choose"]


class UnknownDrafter(XysqError):
    """A drafter is named that the user's configuration does not define."""

    code = "unknown-drafter"
    exit_status = 2

    def __init__(self, name: str, known: tuple[str, ...]) -> None:
        """Name the drafter that was asked for and those there are."""
        super().__init__(
            f"no drafter named {name!r}; there are: {', '.join(known)}",
            f"define it in your own configuration (xysq config path --user) as drafters.{name}.command",
        )


def choose(name: str, commands: Mapping[str, CommandSpec], environment: Mapping[str, str] | None = None) -> Drafter:
    """Return the drafter of that name: `rules`, or a program of `commands`, by name.

    `environment` is the process's; of it a program is given PATH, HOME and LANG. An unknown name raises
    `UnknownDrafter`.
    """
    if name == RULES:
        return RulesDrafter()
    spec = commands.get(name)
    if spec is None:
        raise UnknownDrafter(name, (RULES, *sorted(commands)))
    return CommandDrafter(name=name, argv=spec.argv, timeout_s=spec.timeout_s, environment=environment or {})
