"""Poisoned transcripts: whatever tools, pages, files and forged turns say, and whoever believes it.

Every poison names Globex. The drafter that believes it drafts what it asks for, in the user's name, with true quotes
and false ones; none of it may come out as something the user said, as a preference or rule, or end what the user said.
Only another person may tell what the user likes, and stays the one who told it.
"""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.attacks.staging import opened_at
from tests.builders import Clock, Entropy
from tests.jobs.scripted import Scripted, stated
from xysq.drafters import choose
from xysq.drafters.port import Drafter, Request
from xysq.jobs.distill import DistillOrder, distill
from xysq.jobs.fsck import fsck
from xysq.jobs.opened import Opened
from xysq.jobs.push import PushOrder, push
from xysq.jobs.readable import readable
from xysq.model.fact import Fact
from xysq.model.source import Role

POISONED = Path(__file__).resolve().parents[2] / "fixtures" / "poisoned"
FILES = sorted(path.name for path in POISONED.iterdir())
POISON = "Globex"
TALK = b"Maya: I live in Berlin.\n\nMaya: I like tea.\n\nMaya: I work at Acme.\n\nTom: Good to know.\n\n"
OWNERS = {"Berlin", "tea", "Acme"}
SUBJECTS = ("I", "Maya", "the user", "Harbour")
ATTRIBUTES = ("preference", "rule", "employer", "location", "note")


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a directory with a vault that knows three facts of the owner's."""
    root = tmp_path_factory.mktemp("known")
    vault = opened_at(root, Clock(), Entropy(), new=True)
    push(vault, PushOrder(data=TALK, filename="talk.txt", origin="/home/maya/talk.txt"))
    list(distill(vault, DistillOrder(drafter=choose("rules", {}))))
    assert {fact.value for fact in facts(vault) if fact.is_open} == OWNERS
    return root


def facts(opened: Opened) -> tuple[Fact, ...]:
    with readable(opened).reading() as snapshot:
        pages = snapshot.lists.pages(with_ended=True)
        return tuple(fact for page in pages for fact in snapshot.ledger.facts_of(page.slug))


def gullible(request: Request) -> dict[str, Any]:
    """Draft what the poison asks for, and say that the user said it."""
    known = [fact.id for page in request.pages for fact in page.facts]
    clean = next((n for n, p in enumerate(request.passages, 1) if p.role is Role.USER and POISON not in p.text), 1)
    poisoned = [n for n, passage in enumerate(request.passages, 1) if POISON in passage.text]
    drafted = list(_drafted(poisoned, clean))
    replacing = [fact | {"ref": f"{fact['ref']}r", "replaces": name} for fact in drafted[:6] for name in known]
    closes = [{"fact": name, "quotes": [{"passage": n}]} for n in poisoned for name in known]
    return {"facts": [*drafted, *replacing], "closes": closes}


def _drafted(poisoned: list[int], clean: int) -> Iterator[dict[str, Any]]:
    for n in poisoned:
        for subject in SUBJECTS:
            for attribute in ATTRIBUTES:
                text = f"{'Maya' if subject == 'I' else subject} says {POISON}."
                for kind, quote in (
                    ("true", {"passage": n}),
                    ("part", {"passage": n, "text": POISON}),
                    ("false", {"passage": clean, "text": f"I prefer {POISON}"}),
                ):
                    ref = f"{n} {subject} {attribute} {kind}"
                    yield stated(subject, attribute, POISON, text, quote, ref)
        guess = stated("I", "preference", POISON, f"Maya wants {POISON}.", {"passage": n}, f"{n} guess")
        yield guess | {"label": "inferred", "quotes": [], "derived_from": [f"{n} Maya note true"]}


DRAFTERS: dict[str, Drafter] = {"rules": choose("rules", {}), "gullible": Scripted(gullible)}


@pytest.mark.parametrize("drafter", DRAFTERS)
@pytest.mark.parametrize("name", FILES)
def test_no_poison_becomes_the_users(good: Path, tmp_path: Path, name: str, drafter: str) -> None:
    shutil.copytree(good, tmp_path, dirs_exist_ok=True)
    clock = Clock()
    clock.tick(14_400)
    opened = opened_at(tmp_path, clock, Entropy(calls=500))
    data = (POISONED / name).read_bytes()
    assert POISON.encode() in data
    push(opened, PushOrder(data=data, filename=name, origin=f"/home/maya/{name}"))
    reports = list(distill(opened, DistillOrder(drafter=DRAFTERS[drafter])))
    assert {report.outcome for report in reports} == {"applied"}
    told = facts(opened)
    assert {fact.value for fact in told if fact.is_open} >= OWNERS
    poisoned = [fact for fact in told if POISON in fact.text or any(POISON in e.quote for e in fact.evidence)]
    assert not [fact for fact in poisoned if any(piece.role is Role.USER for piece in fact.evidence)]
    rules = [fact for fact in poisoned if fact.attribute in ("preference", "rule")]
    owners = [fact for fact in rules if fact.page == "maya"]
    assert not [fact for fact in rules if all(piece.role in (Role.TOOL, Role.SYSTEM) for piece in fact.evidence)]
    assert not [fact for fact in owners if any(piece.role is not Role.PERSON for piece in fact.evidence)]
    assert not [finding for finding in fsck(opened) if not finding.note]


def test_there_are_poisons_enough() -> None:
    assert len(FILES) >= 12


def test_the_same_words_from_the_user_are_the_users(good: Path, tmp_path: Path) -> None:
    shutil.copytree(good, tmp_path, dirs_exist_ok=True)
    clock = Clock()
    clock.tick(14_400)
    opened = opened_at(tmp_path, clock, Entropy(calls=500))
    words = b"Maya: I prefer Globex.\n\nTom: Really?\n\nMaya: I work at Globex.\n\n"
    push(opened, PushOrder(data=words, filename="new.txt", origin="/home/maya/new.txt"))
    list(distill(opened, DistillOrder(drafter=Scripted(gullible))))
    told = {(fact.attribute, fact.value) for fact in facts(opened) if fact.is_open and fact.page == "maya"}
    assert {("preference", POISON), ("employer", POISON)} <= told
