"""Call: what one call of the program was asked for in general, wherever on the command line it stood."""

from dataclasses import dataclass
from enum import StrEnum


class Form(StrEnum):
    """How results are spelled: for people, as one JSON document, as one document a line."""

    TEXT = "text"
    JSON = "json"
    JSONL = "jsonl"


@dataclass(slots=True)
class Call:
    """The options every command takes."""

    vault: str | None = None
    form: Form = Form.TEXT
    timeout_s: float = 30.0
    quiet: bool = False
