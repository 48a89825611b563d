"""Random histories of a vault, as a state machine: after each step the promises hold.

What happens: push, grow, update, correct, distil, crash.

After every step it is proved, from what was done and not from what the code says of it, that

- every version ever acknowledged is there byte for byte (P1);
- pages are the ledger and every stated fact is quoted, value and all: fsck finds nothing (P4, P5);
- no event that was there is another now, and no text of a fact (P7);
- no page has two open values of an attribute that has one (P8);
- what was corrected is not asserted from words that were there before (P11).
"""

from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack, suppress

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from tests.builders import Clock, Entropy
from tests.jobs.made import made_vault
from tests.jobs.test_promises_kept import Cut, Watch, watched
from tests.store.scratch import scratch
from tests.stories.told import Tale
from xysq.jobs.fsck import Depth, fsck
from xysq.jobs.hold import hold
from xysq.jobs.show import raw
from xysq.ledger.line import to_line
from xysq.model.event import Event
from xysq.model.fact import Closed, CloseReason, Fact, FactId
from xysq.model.source import Version
from xysq.pages.escape import plain
from xysq.store import logs, segments, wal
from xysq.text import fold

PEOPLE = ("Maya", "Tom", "Nora")
CITIES, ORGS, LIKED = ("Berlin", "Lisbon", "Lima", "Oslo"), ("Acme", "Apex", "Umbra"), ("jazz", "tea", "chess")
_SAID = (
    *(f"I live in {city}." for city in CITIES),
    *(f"I moved to {city}." for city in CITIES),
    *(f"I work at {org}." for org in ORGS),
    *(f"I like {thing}." for thing in LIKED),
    "It rained all day.",
    "Who knows?",
)
_DENIED = frozenset({CloseReason.CORRECTED, CloseReason.RETRACTED})

turns = st.builds(lambda who, said: f"{who}: {said}\n\n", st.sampled_from(PEOPLE), st.sampled_from(_SAID))
talks = st.lists(turns, min_size=2, max_size=5).map("".join)
places = st.sampled_from((*CITIES, *ORGS, *LIKED))


class Histories(RuleBasedStateMachine):
    """One vault and everything that was done to it."""

    def __init__(self) -> None:
        """Nothing was done yet."""
        super().__init__()
        self.stack = ExitStack()
        self.pushed: dict[str, str] = {}
        self.landed: dict[Version, bytes] = {}
        self.events: list[bytes] = []
        self.texts: dict[FactId, str] = {}
        self.ended: set[FactId] = set()
        self.denied: dict[tuple[str, str], bytes] = {}

    @initialize(talk=talks)
    def begin(self, talk: str) -> None:
        """Make the vault, and tell it something."""
        clock = Clock()
        root = self.stack.enter_context(scratch())
        self.tale = Tale(made_vault(root, clock, Entropy()), clock)
        self._push("talk0.txt", talk)
        self.tale.distilled()

    def teardown(self) -> None:
        """Prove the whole of the vault, and remove it."""
        try:
            assert [finding for finding in fsck(self.tale.opened) if not finding.note] == []
            for version, data in self.landed.items():
                assert raw(self.tale.opened, str(version), None) == data
        finally:
            self.stack.close()

    # What is done

    @rule(talk=talks)
    def push(self, talk: str) -> None:
        """A new talk."""
        self._push(f"talk{len(self.pushed)}.txt", talk)

    @rule(talk=talks, data=st.data())
    def grow(self, talk: str, data: st.DataObject) -> None:
        """A talk goes on."""
        name = data.draw(st.sampled_from(sorted(self.pushed)))
        self._push(name, self.pushed[name] + talk)

    @rule(data=st.data(), turn=turns)
    def update(self, data: st.DataObject, turn: str) -> None:
        """A turn of a talk is another now."""
        name = data.draw(st.sampled_from(sorted(self.pushed)))
        said = self.pushed[name].split("\n\n")[:-1]
        said[data.draw(st.integers(0, len(said) - 1))] = turn.strip()
        self._push(name, "".join(f"{one}\n\n" for one in said))

    @rule()
    def distil(self) -> None:
        """Everything pending is distilled."""
        self.tale.distilled()

    @rule(data=st.data(), old=places, new=places)
    def correct_source(self, data: st.DataObject, old: str, new: str) -> None:
        """A word of a log is set right."""
        version = data.draw(st.sampled_from(sorted(self.newest(), key=str)))
        if old != new and old.encode() in self.landed[version]:
            self.tale.corrected(version, old, new, everywhere=True)
            corrected = Version(version.source, version.number + 1)
            self.landed[corrected] = self.landed[version].replace(*_bytes(old, new))

    @precondition(lambda self: self.open_facts())
    @rule(data=st.data(), new=places | st.none())
    def correct_fact(self, data: st.DataObject, new: str | None) -> None:
        """A fact is set right, or denied."""
        fact = data.draw(st.sampled_from(sorted(self.open_facts(), key=lambda fact: fact.id)))
        if new is None or new == fact.value:
            self.tale.set_right(plain(fact.text), None)
        else:
            self._allow(fact.page, new)
            self.tale.set_right(plain(fact.text), plain(fact.text).replace(fact.value, new))
            self._find_landed()

    @rule(data=st.data(), talk=talks, at=st.integers(0, 150), old=places, new=places)
    def crash(self, data: st.DataObject, talk: str, at: int, old: str, new: str) -> None:
        """A command is ended before one of its steps, and the next one recovers."""
        tale = Tale(watched(self.tale.opened, Watch(at)), self.tale.clock)
        version = data.draw(st.sampled_from(sorted(self.newest(), key=str)))
        name = f"talk{len(self.pushed)}.txt"
        kinds: dict[str, Callable[[], object]] = {
            "push": lambda: tale.pushed(talk, name),
            "distil": tale.distilled,
            "correct source": lambda: tale.corrected(version, old, new, everywhere=True),
        }
        if old == new or old.encode() not in self.landed[version]:
            del kinds["correct source"]
        kind = data.draw(st.sampled_from(sorted(kinds)))
        with suppress(Cut):
            kinds[kind]()
        with hold(self.tale.opened):
            pass
        assert not any(wal.is_decided(self.tale.opened.files, run) for run in wal.list_runs(self.tale.opened.files))
        for found in self._find_landed():
            wanted = talk.encode()
            if found.number > 1:
                wanted = self.landed[Version(found.source, found.number - 1)].replace(*_bytes(old, new))
            assert self.landed[found] == wanted
            if kind == "push":
                self.pushed[name] = talk

    # What holds

    @invariant()
    def every_version_is_there_byte_for_byte(self) -> None:
        """P1."""
        for version, data in self.landed.items():
            assert logs.read_bytes(self.tale.opened.files, version) == data

    @invariant()
    def the_vault_is_sound(self) -> None:
        """P4 and P5; the whole of it is proved at the end."""
        assert [finding for finding in fsck(self.tale.opened, Depth.FAST) if not finding.note] == []

    @invariant()
    def what_was_committed_stays(self) -> None:
        """P7."""
        events = [to_line(event) for event in self._events()]
        assert events[: len(self.events)] == self.events
        self.events = events
        for fact in self.tale.facts():
            assert self.texts.setdefault(fact.id, fact.text) == fact.text

    @invariant()
    def an_attribute_has_one_value(self) -> None:
        """P8."""
        held = Counter((fact.page, fact.attribute) for fact in self.open_facts() if fact.single)
        assert not [place for place, count in held.items() if count > 1]

    @invariant()
    def what_was_corrected_stays_corrected(self) -> None:
        """P11; only this step's closings are new."""
        facts = self.tale.facts()
        for fact in facts:
            known = self.denied.get((str(fact.page), fold(fact.value)))
            if fact.is_open and known is not None:
                assert any(piece.quote.encode() not in known for piece in fact.evidence), fact
        before = b"\n".join(self.landed.values())
        for fact in facts:
            if isinstance(fact.life, Closed) and fact.id not in self.ended:
                self.ended.add(fact.id)
                if fact.life.reason in _DENIED:
                    self.denied[str(fact.page), fold(fact.value)] = before

    # What is known

    def newest(self) -> list[Version]:
        """Return the newest version of every talk."""
        sources = {version.source for version in self.landed}
        return [
            max((one for one in self.landed if one.source == source), key=lambda one: one.number) for source in sources
        ]

    def open_facts(self) -> list[Fact]:
        """Return the open facts."""
        return [fact for fact in self.tale.facts() if fact.is_open]

    def _events(self) -> list[Event]:
        return list(segments.read_all(self.tale.opened.files))

    def _push(self, name: str, text: str) -> None:
        """Push a talk; a corrected one that grew stays corrected, and has its new end behind it."""
        before = self.pushed.get(name, "")
        version = self.tale.pushed(text, name)
        self.pushed[name] = text
        if version not in self.landed:
            self.landed[version] = raw(self.tale.opened, str(version), None)
            known = self.landed.get(Version(version.source, version.number - 1), b"")
            grown = known + text[len(before) :].encode() if text.startswith(before) else text.encode()
            assert self.landed[version] == grown

    def _find_landed(self) -> list[Version]:
        """Take in versions that nobody was told of yet."""
        files = self.tale.opened.files
        metas = (meta for source in logs.all_sources(files) for meta in logs.versions(files, source))
        found = [meta.id for meta in metas if meta.id not in self.landed]
        for version in found:
            self.landed[version] = logs.read_bytes(files, version)
        return found

    def _allow(self, page: str, value: str) -> None:
        self.denied.pop((page, fold(value)), None)


def _bytes(old: str, new: str) -> tuple[bytes, bytes]:
    return old.encode(), new.encode()
