import subprocess
import sys

import pytest

from xysq.drafters import CommandDrafter, CommandSpec, UnknownDrafter, choose, spec_of, trouble
from xysq.drafters.model.drafter import ModelDrafter
from xysq.model.settings import OllamaSpec

SPECS = {"mine": CommandSpec(argv=("my-drafter", "--fast"), timeout_s=5.0)}


def test_rules_is_always_there() -> None:
    assert choose("rules", {}).name == "rules"


def test_a_configured_program_is_a_drafter() -> None:
    drafter = choose("mine", SPECS, {"PATH": "/bin"})
    assert isinstance(drafter, CommandDrafter)
    assert (drafter.name, drafter.argv, drafter.timeout_s) == ("mine", ("my-drafter", "--fast"), 5.0)


def test_rules_cannot_be_replaced_by_a_program() -> None:
    assert not isinstance(choose("rules", {"rules": SPECS["mine"]}), CommandDrafter)


def test_an_unknown_name_says_what_there_is_and_where_to_define_it() -> None:
    with pytest.raises(UnknownDrafter) as caught:
        choose("other", SPECS)
    assert "rules, mine" in caught.value.sentence
    assert "drafters.other.command or .ollama" in caught.value.hint
    assert caught.value.exit_status == 2


def test_ollama_colon_a_model_needs_no_definition_and_may_have_one() -> None:
    drafter = choose("ollama:qwen3:8b", {})
    assert isinstance(drafter, ModelDrafter)
    assert drafter.name == "ollama:qwen3:8b"
    assert spec_of("ollama:qwen3:8b", {}) == OllamaSpec(model="qwen3:8b")
    assert spec_of("ollama:m", {"ollama:m": SPECS["mine"]}) == SPECS["mine"]
    for name in ("ollama:", "ollama", "openai:m"):
        with pytest.raises(UnknownDrafter):
            choose(name, {})


def test_what_no_server_answers_is_in_no_ones_way() -> None:
    assert trouble(None, {}) == trouble(SPECS["mine"], {}) == ("", "")


def test_a_model_is_a_drafter_before_anything_that_talks_to_it_is_loaded() -> None:
    """The clients are slow to load, and every command would pay for them."""
    code = (
        "import sys\n"
        "from xysq.drafters import choose\n"
        "from xysq.model.settings import OllamaSpec, OpenAISpec\n"
        "import xysq.vault.api\n"
        "choose('a', {'a': OllamaSpec(model='m')}), choose('b', {'b': OpenAISpec(model='m')})\n"
        "print(sorted({'ollama', 'pydantic', 'httpx', 'http.client', 'ssl'} & set(sys.modules)))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
