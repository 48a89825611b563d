"""Words that came out of this vault: the fence around recall output, and the tools that print it.

Recalled words read back in a session would confirm themselves. A reader marks them as `own`; what is inside the
fence lines stays own until the closing line, also over blank lines.
"""

import re

from xysq.model.source import Passage

_OPEN = re.compile(rb"[ \t>]*<xysq-recall\b")
_CLOSE = b"</xysq-recall>"
_OPEN_IN_TEXT = re.compile(r"<xysq-recall\b")
_TOOL = re.compile(r"mcp__(?:\w{1,80}_)?xysq__\w+")
_COMMAND = re.compile(r"(?:^|[\s;&|(/\"'`])xysq\s(?:[^|;&\n]{0,200}?\s)?(?:recall|search|why)\b")


def opens(line: bytes) -> bool:
    """Tell whether a line begins recall output."""
    return _OPEN.match(line) is not None


def closes(line: bytes) -> bool:
    """Tell whether a line ends recall output."""
    return _CLOSE in line


def holds_recall(text: str) -> bool:
    """Tell whether recall output stands anywhere in a text."""
    return _OPEN_IN_TEXT.search(text) is not None


def still_open(previous: Passage | None) -> bool:
    """Tell whether a passage of recall output ended without the closing line."""
    return previous is not None and previous.own and _CLOSE.decode() not in previous.text.rsplit("\n", 1)[-1]


def is_own_tool(name: str, command: str) -> bool:
    """Tell whether a tool, or the command line a shell tool is given, prints what this vault remembers."""
    return _TOOL.fullmatch(name) is not None or _COMMAND.search(command) is not None
