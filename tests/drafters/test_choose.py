import pytest

from xysq.drafters import CommandDrafter, CommandSpec, UnknownDrafter, choose

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
    assert "drafters.other.command" in caught.value.hint
    assert caught.value.exit_status == 2
