"""Profiles: how much a model of some size is shown and asked for at once.

A small model loses the thread over a long window and invents words where it may write freely. So it is shown a few
lines, and may only point at one and copy a value out of it; code makes the sentence. Larger ones may also word the
sentence, name the kind of page, and say what a fact takes the place of.
"""

from xysq.frozen import frozen

SMALL_BELOW, LARGE_FROM = 4_000_000_000, 14_000_000_000


@frozen
class Profile:
    """How a model is asked.

    `passages`, `characters` and `lines` bound a window, `facts` the answer; `context` and `predict` are tokens. Where
    it `writes`, it words the facts itself and may end known ones.
    """

    prompt: str
    passages: int
    characters: int
    lines: int
    facts: int
    known: int
    context: int
    predict: int
    writes: bool


SMALL = Profile(
    prompt="short-1", passages=3, characters=1_200, lines=16, facts=6, known=0, context=4_096, predict=640, writes=False
)
MIDDLE = Profile(
    prompt="full-1",
    passages=8,
    characters=6_000,
    lines=60,
    facts=16,
    known=24,
    context=12_288,
    predict=2_560,
    writes=True,
)
LARGE = Profile(
    prompt="full-1",
    passages=24,
    characters=16_000,
    lines=160,
    facts=40,
    known=48,
    context=32_768,
    predict=6_144,
    writes=True,
)


def profile_for(parameters: int) -> Profile:
    """Return how a model with so many parameters is asked; one that does not say (0) counts as neither small nor large.

    A context that is shorter than the profile's is the caller's to see.
    """
    if parameters and parameters < SMALL_BELOW:
        return SMALL
    return LARGE if parameters >= LARGE_FROM else MIDDLE
