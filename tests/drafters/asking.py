"""Requests to a drafter, built for a test: what is said, by whom, in which kind of session."""

from tests.builders import passage
from xysq.drafters.port import KnownFact, KnownPage, Request
from xysq.drafters.rules.drafter import RulesDrafter
from xysq.model.draft import Draft, DraftFact
from xysq.model.fact import FactId, Label, RunId, Slug
from xysq.model.schema import Schema
from xysq.model.settings import Me
from xysq.model.source import Passage, Role

ROLES = {"talk": Role.PERSON, "work": Role.USER, "text": Role.OTHER}


def said(text: str, kind: str = "talk", speaker: str = "Nora") -> Passage:
    return passage(text, speaker=speaker if kind == "talk" else "", role=ROLES[kind], session_kind=kind)


def asked(*passages: Passage, pages: tuple[KnownPage, ...] = (), project: str = "/home/dana/shop") -> Request:
    return Request(
        run=RunId("r-20261130T180400Z-ab12"),
        passages=passages,
        pages=pages,
        schema=Schema(),
        me=Me(name="Dana"),
        project=project,
    )


def drafted(*passages: Passage, pages: tuple[KnownPage, ...] = (), project: str = "/home/dana/shop") -> Draft:
    return Draft.parse(RulesDrafter().draft(asked(*passages, pages=pages, project=project)).reply)


def facts(text: str, kind: str = "talk", speaker: str = "Nora") -> tuple[DraftFact, ...]:
    return drafted(said(text, kind, speaker)).facts


def only(text: str, kind: str = "talk", speaker: str = "Nora") -> DraftFact:
    (fact,) = facts(text, kind, speaker)
    return fact


def page(title: str, *known: tuple[str, str, str, str], kind: str = "person") -> KnownPage:
    """Return a page with open facts, each as (id, attribute, value, text)."""
    return KnownPage(
        slug=Slug(title.lower()),
        title=title,
        kind=kind,
        aliases=(),
        facts=tuple(
            KnownFact(id=FactId(name), attribute=attribute, value=value, text=text, label=Label.STATED)
            for name, attribute, value, text in known
        ),
    )
