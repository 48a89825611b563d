"""All good runs: of recipes, of worlds that lived a little, and of the public transcripts where they are there."""

from collections.abc import Mapping, Sequence

from tests.mutants.base import Base
from tests.mutants.lived import lived_bases
from tests.mutants.recipe import recipe_bases
from tests.mutants.shared import shared_bases

_WORLDS = 80
_TRANSCRIPTS = 40


def every_base() -> Mapping[str, Sequence[Base]]:
    """Return the good runs by where they come from."""
    return {
        "of recipes": tuple(recipe_bases()),
        "of seeded worlds": tuple(lived_bases(_WORLDS)),
        "of public transcripts": tuple(shared_bases(_TRANSCRIPTS)),
    }
