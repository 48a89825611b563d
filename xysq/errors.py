"""The one hierarchy of errors: each class has a stable code, an exit status, a sentence and often a hint.

Nothing in xysq recognises an error by its sentence. A surface turns an error into one line, `xysq: sentence`,
then `hint: …`, and ends with its exit status; over JSON it is `{"error": {"code", "message", "hint"}}`.
The statuses are the table of the README.
"""

from typing import ClassVar

_NAMED = 10


class XysqError(Exception):
    """What went wrong, in one lower-case sentence, with the status a process ends with."""

    code: ClassVar[str] = "failed"
    exit_status: ClassVar[int] = 1

    def __init__(self, sentence: str, hint: str = "") -> None:
        """Keep the sentence and what to type next, where that is known; `lines` follow the hint, one for each."""
        super().__init__(sentence)
        self.sentence = sentence
        self.hint = hint
        self.lines: tuple[str, ...] = ()

    @property
    def advice(self) -> str:
        """Return the hint and, one to a line, what follows it."""
        return "\n".join((self.hint, *self.lines))

    def told(self) -> dict[str, str]:
        """Return what a program is told: the stable code, the sentence, and what to type next where that is known."""
        return {"code": self.code, "message": self.sentence, "hint": self.advice}


class BadInput(XysqError):
    """Something handed to xysq cannot be used: an argument, a file, a setting."""

    code = "bad-input"
    exit_status = 2


class NotFound(XysqError):
    """The id, page, file or rev that was named does not exist."""

    code = "not-found"
    exit_status = 1

    def __init__(self, what: str, name: str, hint: str = "") -> None:
        """Name what was looked for and under which name."""
        super().__init__(f"no {what} named {name!r}", hint)


class Ambiguous(XysqError):
    """A name or an id prefix fits several things.

    `told` says of each candidate what it is, where ids alone would not help; then a line for each follows the hint.
    """

    code = "ambiguous"
    exit_status = 2

    def __init__(self, name: str, candidates: tuple[str, ...], told: tuple[str, ...] = ()) -> None:
        """List what the name could mean."""
        if told:
            which = "these" if len(candidates) <= _NAMED else f"more than {_NAMED}, such as these"
            super().__init__(f"{name!r} could be any of {which}", "name one by its id")
            self.lines = tuple(f"{one} {words}" for one, words in zip(candidates, told, strict=True))[:_NAMED]
        else:
            super().__init__(f"{name!r} could be any of: {', '.join(candidates[:_NAMED])}", "type more of the id")
        self.candidates = candidates


class BadJson(XysqError):
    """Bytes that should be strict JSON are not."""

    code = "bad-json"
    exit_status = 1


class BadWire(XysqError):
    """A value read from disk or from a drafter does not have the shape its format demands."""

    code = "bad-wire"
    exit_status = 1

    def __init__(self, where: str, sentence: str) -> None:
        """Name the field or value, then what is wrong with it."""
        super().__init__(f"{where}: {sentence}")
        self.where = where


class BadDraft(XysqError):
    """What a drafter answered is no draft."""

    code = "bad-draft"
    exit_status = 5


class Busy(XysqError):
    """Another process holds the vault; nothing was changed."""

    code = "busy"
    exit_status = 3

    def __init__(self, what: str, waited_s: float) -> None:
        """Say what is held and how long was waited."""
        super().__init__(f"{what} is in use by another xysq; waited {waited_s:g} s", "try again, or give --timeout")


class DrafterUnreachable(XysqError):
    """The drafter cannot be reached now: no attempt is counted and nothing is lost."""

    code = "drafter-unreachable"
    exit_status = 3


class BudgetSpent(XysqError):
    """A cap on calls, tokens or seconds is reached: what is pending stays so."""

    code = "budget-spent"
    exit_status = 3


class Refused(XysqError):
    """The gates refused a run; nothing of it landed."""

    code = "refused"
    exit_status = 5


class NoVault(XysqError):
    """There is no vault here."""

    code = "no-vault"
    exit_status = 10

    def __init__(self, where: str) -> None:
        """Name the directory the search began in."""
        super().__init__(f"no vault at or above {where}", "try: xysq init ~/memory")


class Damaged(XysqError):
    """Bytes of the vault are not what their digest says, with file and offset (P12)."""

    code = "damaged"
    exit_status = 12

    def __init__(self, path: str, where: str, sentence: str) -> None:
        """Name the file, the line or offset in it, and the damage."""
        super().__init__(f"{path}:{where}: {sentence}", "run: xysq fsck")
        self.path = path
        self.where = where


class NewerFormat(XysqError):
    """The vault was written by a newer xysq."""

    code = "newer-format"
    exit_status = 12


class Diverged(XysqError):
    """Two histories of one vault met; neither is a continuation of the other."""

    code = "diverged"
    exit_status = 12


class SystemRefused(XysqError):
    """The operating system refused something outside the vault."""

    code = "system"
    exit_status = 1


class Bug(XysqError):
    """Something happened that xysq has no error for."""

    code = "bug"
    exit_status = 70


def named(error: Exception) -> XysqError:
    """Return the error of ours that an exception is."""
    match error:
        case XysqError():
            return error
        case OSError():
            name = "" if error.filename is None else f"{error.filename}: "
            return SystemRefused(f"{name}{error.strerror or error}")
        case _:
            hint = "XYSQ_DEBUG=1 in the environment shows where it happened; please report it"
            return Bug(f"this is a bug in xysq: {type(error).__name__}: {error}", hint)
