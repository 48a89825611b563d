"""Weakenings that change nothing, each with the reason why."""

from collections.abc import Mapping

EQUIVALENTS: Mapping[str, str] = {}
