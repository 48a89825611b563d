"""The schema knows attributes by name and alias, folded; what it does not know is many-valued."""

import pytest

from xysq.model.schema import DEFAULT_ATTRIBUTES, Attribute, Schema


@pytest.mark.parametrize(
    ("name", "known", "single", "section"),
    [
        ("role", "role", True, ""),
        ("Job", "role", True, ""),
        ("  lives   IN ", "location", True, ""),
        ("preference", "preference", False, "Preferences"),
        ("setting:Editor Font", "setting:editor font", True, "Setup"),
        ("Setting : editor", "setting:editor", True, "Setup"),
        ("setting", "setting", True, "Setup"),
        ("setting:", "setting:", False, ""),
        ("role:x", "role:x", False, ""),
        ("Favourite Tea", "favourite tea", False, ""),
    ],
)
def test_an_attribute_is_found_by_its_names(name: str, known: str, single: bool, section: str) -> None:
    found = Schema().attribute(name)
    assert (found.name, found.single, found.section) == (known, single, section)


def test_an_attribute_s_own_name_wins_over_another_s_alias() -> None:
    schema = Schema(
        attributes=(
            Attribute(name="role", single=True, aliases=("team",)),
            Attribute(name="team", single=False, section="People"),
        )
    )
    assert schema.attribute("team").section == "People"
    assert schema.attribute("role").single


def test_no_name_of_the_first_schema_is_given_twice() -> None:
    names = [name for attribute in DEFAULT_ATTRIBUTES for name in (attribute.name, *attribute.aliases)]
    assert len(names) == len(set(names))
