"""Plain text: one passage a paragraph.

Nobody is known to speak in it: the role is `other`, unless the push said whose words they are.
"""

from xysq.model.source import Certainty, Role
from xysq.readers.material import Collector, Material
from xysq.readers.paragraph import finished, paragraphs
from xysq.readers.request import Reading, ReadRequest

_TITLE_LENGTH = 80


def read_text(request: ReadRequest) -> Reading:
    """Read paragraphs."""
    material = Material.of(request.data, request.start, request.enc_view)
    collector = Collector(request, material)
    role, speaker = request.said_as or (Role.OTHER, "")
    for paragraph in paragraphs(material, request.previous):
        collector.add_words(
            start=paragraph.start,
            end=paragraph.lines[-1].next,
            words=material.trimmed(paragraph.start, paragraph.end),
            role=role,
            speaker=speaker,
            own=paragraph.own,
        )
    title = title_of(collector.passages[0].text) if collector.passages and material.begins_log else ""
    return collector.reading(parsed_to=finished(material), certainty=Certainty.UNKNOWN, title=title)


def title_of(words: str) -> str:
    """Return the first line of some words as a title: white space unified, at most 80 characters."""
    line = " ".join(words.strip().split("\n", 1)[0].split())
    return line if len(line) <= _TITLE_LENGTH else line[: _TITLE_LENGTH - 1].rstrip() + "…"
