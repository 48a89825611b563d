"""Settings: what the vault's `xysq.yaml` says, and what the user's own configuration says.

The first names no program, host or key, since a vault may come from somebody else; the second may.
"""

from collections.abc import Mapping
from dataclasses import field

from xysq.frozen import frozen


@frozen
class Me:
    """The vault's owner: user turns without a speaker are theirs, and so are turns under any of their names."""

    name: str = ""
    aliases: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """Every name of the owner."""
        return (self.name, *self.aliases) if self.name else self.aliases


@frozen
class Limits:
    """Bounds of one run and of what it may leave; sizes in bytes of UTF-8."""

    events: int = 5_000
    edits: int = 5_000
    page_bytes: int = 4 * 1024 * 1024
    text_bytes: int = 4_096
    value_bytes: int = 1_024
    quotes: int = 20
    quote_bytes: int = 16_384
    name_bytes: int = 240
    aliases: int = 100


@frozen
class Settings:
    """All settings of a vault, with their defaults."""

    me: Me = field(default_factory=Me)
    drafter: str = "rules"
    run_passages: int = 200
    run_characters: int = 60_000
    idle_s: int = 600
    max_attempts: int = 5
    limits: Limits = field(default_factory=Limits)


OPENAI_HOST = "http://127.0.0.1:8080/v1"  # where llama.cpp's server listens by itself


@frozen
class CommandSpec:
    """How a drafting program is started: the words of its command line, and how long it may take, in seconds."""

    argv: tuple[str, ...]
    timeout_s: float = 600.0


@frozen
class OllamaSpec:
    """A model that drafts, the server it runs on ("" for the usual one), and how long it may take, in seconds."""

    model: str
    host: str = ""
    timeout_s: float = 600.0


@frozen
class OpenAISpec:
    """A model that drafts on a server with OpenAI's protocol, whose address ends in `/v1`.

    `key_from` tells where the key is: `env:NAME` or `keyring:SERVICE`; "" where none is needed.
    """

    model: str
    host: str = OPENAI_HOST
    key_from: str = ""
    timeout_s: float = 600.0


DrafterSpec = CommandSpec | OllamaSpec | OpenAISpec


@frozen
class Budgets:
    """What drafting may cost in one day; None where it is not bounded."""

    calls: int | None = None
    tokens: int | None = None
    seconds: int | None = None


@frozen
class UserConfig:
    """The user's own configuration: the vault used where none is found, the drafter preferred, those defined."""

    default_vault: str | None = None
    drafter: str | None = None
    drafters: Mapping[str, DrafterSpec] = field(default_factory=dict)
    budgets: Budgets = field(default_factory=Budgets)
