"""Own: how another program calls this one, with nothing that depends on where it is called from."""

import os
import sys
from pathlib import Path


def own_argv(root: Path, *arguments: str) -> list[str]:
    """Return the program and arguments that call us for the vault in a directory."""
    program = Path(sys.argv[0]).absolute()
    is_program = program.is_file() and os.access(program, os.X_OK)
    argv = [str(program)] if is_program else [sys.executable, "-m", "xysq.cli"]
    return [*argv, "--vault", str(root), *arguments]
