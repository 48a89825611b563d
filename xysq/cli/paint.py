"""Paint: the tones of a line as colours of a terminal. Loaded only where there is one."""

from rich.color import ColorSystem
from rich.style import Style

from xysq.cli.line import Line, Tone

_STYLES = {
    Tone.ID: Style(color="cyan"),
    Tone.FAINT: Style(dim=True),
    Tone.STRONG: Style(bold=True),
    Tone.QUOTE: Style(color="yellow"),
    Tone.COME: Style(color="green"),
    Tone.GONE: Style(color="red"),
    Tone.WARN: Style(color="magenta"),
}
_PLAIN = Style()


def paint(line: Line) -> str:
    """Return the line with the colours of its tones; what is between them is as it was."""
    return "".join(
        _STYLES.get(piece.tone, _PLAIN).render(piece.text, color_system=ColorSystem.STANDARD) for piece in line.pieces
    )
