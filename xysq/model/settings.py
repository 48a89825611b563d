"""What the vault's `xysq.yaml` says: the owner, the drafter's name, bounds. It names no program, host or key."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Me:
    """The vault's owner: user turns without a speaker are theirs, and so are turns under any of their names."""

    name: str = ""
    aliases: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """Every name of the owner."""
        return (self.name, *self.aliases) if self.name else self.aliases


@dataclass(frozen=True, slots=True, kw_only=True)
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All settings of a vault, with their defaults."""

    me: Me = Me()
    drafter: str = "rules"
    run_passages: int = 200
    run_characters: int = 60_000
    idle_s: int = 600
    max_attempts: int = 5
    limits: Limits = Limits()
