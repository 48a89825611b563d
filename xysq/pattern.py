"""Patterns: regular expressions that are compiled when they are first used.

Compiling one costs up to a millisecond, much of it where it holds ranges of rare characters, and a command that lives
for a tenth of a second uses few of those its modules know.
"""

import re
from collections.abc import Callable
from functools import cache
from typing import AnyStr


def late(source: AnyStr, flags: int = 0) -> Callable[[], re.Pattern[AnyStr]]:
    """Return a function that returns the pattern, the same at every call."""

    @cache
    def pattern() -> re.Pattern[AnyStr]:
        return re.compile(source, flags)

    return pattern
