"""The draft that FORMAT.md shows: of words that it fits, every part of it lands."""

import json
import re
from pathlib import Path

from tests.builders import Clock
from tests.jobs.scripted import Scripted, facts, stated
from xysq.drafters.port import Request
from xysq.jobs.distill import DistillOrder, distill
from xysq.jobs.opened import Opened
from xysq.jobs.push import PushOrder, push
from xysq.jobs.readable import readable
from xysq.pages.escape import plain
from xysq.store.readmodel import FactFilter

FORMAT = (Path(__file__).parents[2] / "xysq" / "FORMAT.md").read_text(encoding="utf-8")
EXAMPLE = FORMAT.split("## The draft", 1)[1].split("```json\n", 1)[1].split("```", 1)[0]
BEFORE = b"Tom: The billing service keeps its queue in Redis.\n\nMaya: Good.\n\n"
TALK = b"""Tom: So how is it going?

Maya: Slowly.

Tom: The migration is through. The billing service keeps its data in PostgreSQL.

Maya: And we gave up on Redis, the billing service has no Redis any more.

"""


def redis(request: Request) -> object:
    """Draft that the service uses Redis."""
    (number,) = [place for place, passage in enumerate(request.passages, 1) if "Redis" in passage.text]
    quote = {"passage": number, "sentence": 1}
    return facts(stated("Billing service", "uses", "Redis", "The billing service uses Redis.", quote))(request)


def test_the_example_of_a_draft_lands_whole(opened: Opened, clock: Clock) -> None:
    push(opened, PushOrder(data=BEFORE, filename="before.txt", source="before"))
    list(distill(opened, DistillOrder(drafter=Scripted(redis))))
    with readable(opened).reading() as snapshot:
        (known,) = snapshot.lists.facts(FactFilter())
    assert json.loads(EXAMPLE)["facts"][0]["quotes"] == [{"passage": 3, "sentence": 2}]
    answer = re.sub(r"f-[0-9a-z]{10}", known.id, EXAMPLE).encode()
    clock.tick(3600)
    push(opened, PushOrder(data=TALK, filename="talk.txt", source="talk"))
    (report,) = distill(opened, DistillOrder(drafter=Scripted(lambda _: answer)))
    assert (report.outcome, report.drops, report.refusals) == ("applied", (), ())
    with readable(opened).reading() as snapshot:
        shown = {plain(fact.text): fact.is_open for fact in snapshot.lists.facts(FactFilter())}
        page = snapshot.ledger.page(known.page)
    assert shown == {
        "The billing service uses Redis.": False,
        "The billing service keeps its data in PostgreSQL.": True,
    }
    assert page is not None
    assert "It grew out of the monolith." in [plain(block.text) for block in page.blocks]
