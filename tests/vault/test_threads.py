"""One open vault, used by several threads at once: nothing is lost, nothing is mixed up."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.store.scratch import scratch
from xysq import Vault

NAMES = ("Ada", "Bob", "Cleo", "Dana")


def live(vault: Vault, name: str) -> str:
    """Push, look and propose as one of several; return the version of the last words."""
    pushed = vault.push_text(f"{name}: I live in {name}stadt.\n\nIda: I see.\n", source=name)
    (hit,) = (one for one in vault.search(f"{name}stadt", limit=3) if f"{name}stadt" in one.text)
    fact = {
        "subject": name,
        "attribute": "location",
        "value": f"{name}stadt",
        "text": f"{name} lives in {name}stadt.",
        "quotes": [{"passage": hit.id}],
    }
    report = vault.propose({"facts": [fact]})
    (stated,) = report.asserted
    assert f"I live in {name}stadt." in vault.why(stated.fact).contexts[0].quote
    grown = vault.push_text(f"{name}: I like tea.\n", source=name, append=True)
    vault.facts(is_open=True)
    return str(grown.version if grown.source == pushed.source else "")


def test_a_vault_can_be_used_from_several_threads() -> None:
    with scratch() as folder, Vault.init(Path(folder, "vault"), me="Nora") as vault:
        with ThreadPoolExecutor(len(NAMES)) as pool:
            versions = list(pool.map(lambda name: live(vault, name), NAMES))
        assert len(set(versions)) == len(NAMES)
        assert all(version.endswith("@2") for version in versions)
        assert {fact.text for fact in vault.facts(is_open=True)} == {f"{name} lives in {name}stadt." for name in NAMES}
        assert vault.fsck() == ()
