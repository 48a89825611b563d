"""The start of a session: what is known about the work at hand, for the model to read before anybody speaks.

Asked for is what the repository, its branch and its last subject name. Told are the owner's rules, then what was said
in this project alone; where nothing of that reaches the floor, nothing. The block is fenced, so that the transcript it
goes into does not take it for new words.
"""

import re

from xysq.hook.turn import Moment, project_of
from xysq.jobs.opened import Opened
from xysq.jobs.readable import present_model
from xysq.store.readmodel import ReadModel
from xysq.vault import place
from xysq.vault.recalling import Recalling

_MOST_TOKENS = 1_500
_CONTINUED = "resume"
_WORD = re.compile(r"[^\W_]+")
_SAYS_NOTHING = frozenset({"main", "master", "develop", "head"})


def greeting(opened: Opened, moment: Moment) -> str:
    """Return what to print at a session's start; "" where there is nothing to say.

    A session that is resumed was told when it began. Nobody waits for an index that has to be made anew.
    """
    project = project_of(moment)
    if project is None or moment.get("source") == _CONTINUED:
        return ""
    if not isinstance(present_model(opened), ReadModel):
        return ""
    words = " ".join(_words(project.name, *place.work_at(project)))
    with Recalling(opened) as vault:
        recalled = vault.greet(words, project, budget=_MOST_TOKENS)
    return "" if recalled.is_empty else recalled.text


def _words(*texts: str) -> tuple[str, ...]:
    """Return the words of some texts, each once; in lower case, since none is meant as an operator."""
    words = (word.lower() for text in texts for word in _WORD.findall(text))
    return tuple(dict.fromkeys(word for word in words if word not in _SAYS_NOTHING))
