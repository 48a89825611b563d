"""The harness of two servers and a command line: a short run of it, and that it notices what it is there for."""

from dataclasses import replace

from tests.crash import servers
from tests.crash.place import at_home
from tests.store.scratch import scratch
from xysq import Vault


def test_what_two_servers_and_a_typist_acknowledged_is_there_once() -> None:
    with scratch() as folder:
        home = folder / "home"
        home.mkdir()
        with at_home(home):
            history, _ = servers.write(home, operations=2, kills=0, seed=2)
        assert servers.judge(home, history) == []
        assert history.said
        one = next(said for said in history.said if said.is_acknowledged and not said.is_note)
        never = replace(one, mark="plum9x9", wait="distilled")
        missed = servers.History(said=[never])
        assert [fault.partition(": ")[2] for fault in servers.judge(home, missed)] == [
            "kept 0 times",
            "0 facts",
            "not found",
        ]
        with Vault.open(home / "vault") as vault:
            vault.push_text(servers.talk(one.mark).encode(), "again.txt", source="again")
        assert any("kept 2 times" in fault for fault in servers.judge(home, history))
