"""Voice: whose words a preference or a rule needs.

What a tool answered, a page that was fetched and a file that was read may be full of orders. They are kept as words
somebody said, but they become nobody's preference and nobody's rule: those are stated in a voice. The owner's need
the words of a human; everybody else's need more than the words of tools and of the system.
"""

from collections.abc import Iterable

from xysq.model.fact import Evidence
from xysq.model.settings import Me
from xysq.model.source import Role
from xysq.planner.authority import Authority, strongest
from xysq.text import fold

NEEDS_A_VOICE = ("preference", "rule")
_VOICELESS = (Role.TOOL, Role.SYSTEM)


def voice_fault(attribute: str, evidence: Iterable[Evidence], names: frozenset[str], me: Me) -> str | None:
    """Say why words become no preference and no rule of a page of these folded names; None where they may."""
    if attribute not in NEEDS_A_VOICE:
        return None
    pieces = tuple(evidence)
    if any(fold(name) in names for name in me.names) and strongest(pieces, names) < Authority.SECOND_HAND:
        return f"a {attribute} of the owner's needs a human's words"
    if all(piece.role in _VOICELESS for piece in pieces):
        return f"a {attribute} needs the words of somebody who speaks"
    return None
