"""The schema: which attributes there are, how many values each may have, and where a page shows them.

An attribute that is not listed is many-valued and stands in the section "" (before the first heading). A
`setting:<key>` is single-valued for every key. Events record what the schema said at their time; editing the
schema binds new events only.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from xysq.frozen import frozen
from xysq.text import fold

SETTING = "setting"


@frozen
class Attribute:
    """One attribute: its name, whether a page has at most one open value, other names, its section."""

    name: str
    single: bool
    section: str = ""
    aliases: tuple[str, ...] = ()


def _many(name: str, section: str = "", *aliases: str) -> Attribute:
    return Attribute(name=name, single=False, section=section, aliases=aliases)


def _one(name: str, section: str = "", *aliases: str) -> Attribute:
    return Attribute(name=name, single=True, section=section, aliases=aliases)


DEFAULT_ATTRIBUTES = (
    _one("name", "", "full name", "called"),
    _one("role", "", "job", "title", "job title", "position", "occupation", "profession"),
    _one("employer", "", "company", "works at", "works for", "workplace", "organisation", "organization"),
    _one("location", "", "lives in", "city", "home", "based in", "residence"),
    _one("birthday", "", "birth date", "date of birth", "born"),
    _one("email", "", "e-mail", "mail", "email address"),
    _one("timezone", "", "time zone", "tz"),
    _one("status", "Status", "state"),
    _one("deadline", "Status", "due", "due date", "ships on", "release date"),
    _one("owner", "Status", "owned by", "maintainer", "responsible", "lead"),
    _one("version", "Setup", "release", "runs version"),
    _one(SETTING, "Setup"),
    _many("preference", "Preferences", "prefers", "likes", "dislikes", "favourite", "favorite"),
    _many("rule", "Rules", "convention", "guideline", "policy"),
    _many("decision", "Decisions", "decided", "choice"),
    _many("skill", "Skills", "knows how to", "ability"),
    _many("knows", "People", "friend", "colleague", "acquaintance"),
    _many("uses", "Setup", "stack", "tool", "depends on"),
    _many("note", "Notes", "remark"),
)


@dataclass(frozen=True, kw_only=True)
class Schema:
    """All attributes that are known by name."""

    attributes: tuple[Attribute, ...] = field(default=DEFAULT_ATTRIBUTES)

    @cached_property
    def _by_name(self) -> Mapping[str, Attribute]:
        names: dict[str, Attribute] = {}
        for attribute in self.attributes:
            for alias in attribute.aliases:
                names.setdefault(fold(alias), attribute)
        return names | {fold(attribute.name): attribute for attribute in self.attributes}

    def attribute(self, name: str) -> Attribute:
        """Return the attribute of that name or alias, folded; an unknown one is many-valued."""
        folded = fold(name)
        known = self._by_name.get(folded)
        if known is not None:
            return known
        head, colon, key = folded.partition(":")
        base = self._by_name.get(head.strip())
        if colon and key.strip() and base is not None and base.name == SETTING:
            return Attribute(name=f"{SETTING}:{key.strip()}", single=base.single, section=base.section)
        return Attribute(name=folded, single=False)
