"""xysq: memory for AI work that can be trusted. The model proposes, code disposes."""

from importlib import import_module
from typing import Any

__version__ = "0.1.0"
__all__ = ["Vault", "__version__"]


def __getattr__(name: str) -> Any:  # noqa: ANN401 - a module attribute may be anything
    """Import `Vault` when it is first asked for (PEP 562): `xysq --help` must not pay for it."""
    if name == "Vault":
        return import_module("xysq.vault.api").Vault
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
