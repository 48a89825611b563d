"""Settings of a vault, its schema, and the user's own configuration."""

import re

import pytest

from xysq.errors import BadInput
from xysq.model.schema import DEFAULT_ATTRIBUTES, Attribute, Schema
from xysq.model.settings import Budgets, CommandSpec, Limits, Me, OllamaSpec, OpenAISpec, Settings, UserConfig
from xysq.store.schema_file import parse_schema, schema_text
from xysq.store.settings import parse_settings, set_setting, setting_names, settings_text
from xysq.store.user_config import parse_user_config, set_user_setting
from xysq.store.yaml import BadSettings

TEXT = settings_text(Me(name="Alice", aliases=("Al",)))


# xysq.yaml


def test_a_new_vault_has_the_defaults_and_its_owner() -> None:
    assert parse_settings(TEXT.encode()) == Settings(me=Me(name="Alice", aliases=("Al",)))
    assert parse_settings(settings_text(Me()).encode()) == Settings()


def test_an_empty_file_is_the_defaults() -> None:
    assert parse_settings(b"") == Settings()


@pytest.mark.parametrize("name", ['A "b" \\ c', "O'Brien: #1", "Zoë 中", "*x", "no"])
def test_any_name_of_an_owner_survives(name: str) -> None:
    me = Me(name=name, aliases=(name, "x, y"))
    assert parse_settings(settings_text(me).encode()).me == me


def test_every_setting_is_read() -> None:
    text = "me: {name: A, aliases: [B]}\ndrafter: mine\nrun: {passages: 1, characters: 2}\nidle_s: 0\nmax_attempts: 4\n"
    limits = "limits: {events: 11, edits: 12, page_bytes: 13, text_bytes: 14, value_bytes: 15, quotes: 16,\n"
    limits += "  quote_bytes: 17, name_bytes: 18, aliases: 19}\n"
    assert parse_settings((text + limits).encode()) == Settings(
        me=Me(name="A", aliases=("B",)),
        drafter="mine",
        run_passages=1,
        run_characters=2,
        idle_s=0,
        max_attempts=4,
        limits=Limits(
            events=11,
            edits=12,
            page_bytes=13,
            text_bytes=14,
            value_bytes=15,
            quotes=16,
            quote_bytes=17,
            name_bytes=18,
            aliases=19,
        ),
    )


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("idle: 3\n", 1, "idle: is no setting; there are"),
        ("# c\n\nrun:\n  passage: 3\n", 4, "run.passage: is no setting"),
        ("limits:\n  page_bytes: many\n", 2, "limits.page_bytes: is not a whole number"),
        ("drafter: ../evil\n", 1, "is no name of a drafter"),
        ("me: Alice\n", 1, "me: is not a table"),
        ("drafter:\n  command: [x]\n", 2, "drafter: is not a word"),
    ],
)
def test_what_is_no_setting_is_refused_with_key_and_line(text: str, line: int, reason: str) -> None:
    with pytest.raises(BadSettings, match=re.escape(reason)) as caught:
        parse_settings(text.encode())
    assert (caught.value.file, caught.value.line) == ("xysq.yaml", line)


@pytest.mark.parametrize(
    "text",
    [
        "drafters: {mine: {command: [sh]}}\n",
        "command: [sh]\n",
        "me: {name: A, api-key: x}\n",
        "run: {program: x}\n",
        "Hosts: [x]\n",
        "limits: {token: 3}\n",
        "OLLAMA: x\n",
        "hooks: {}\n",
    ],
)
def test_programs_hosts_and_keys_belong_elsewhere(text: str) -> None:
    with pytest.raises(BadSettings, match="belongs to your own configuration, never to a vault"):
        parse_settings(text.encode())


def test_a_setting_is_changed_and_nothing_else() -> None:
    changed = set_setting(TEXT, "run.passages", "50")
    assert changed == TEXT.replace("passages: 200", "passages: 50")
    assert parse_settings(changed.encode()) == Settings(me=Me(name="Alice", aliases=("Al",)), run_passages=50)


def test_every_setting_can_be_changed() -> None:
    for name in setting_names():
        value = {"me.name": "Bob", "me.aliases": "B, Bobby", "drafter": "mine"}.get(name, "7")
        before, after = parse_settings(TEXT.encode()), parse_settings(set_setting(TEXT, name, value).encode())
        assert before != after
    assert parse_settings(set_setting(TEXT, "me.aliases", " B ,, Bobby").encode()).me.aliases == ("B", "Bobby")
    assert parse_settings(set_setting(TEXT, "me.name", "007").encode()).me.name == "007"


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("idle", "3"),
        ("me", "x"),
        ("drafters.x.command", "sh"),
        ("idle_s", "soon"),
        ("idle_s", "-1"),
        ("idle_s", "٧"),
        ("me.name", "a\nb"),
        ("me.name", "a\x1b[31m"),
        ("me.name", "a\ud800"),
    ],
)
def test_a_change_that_is_none_is_refused(key: str, value: str) -> None:
    with pytest.raises(BadInput):
        set_setting(TEXT, key, value)


@pytest.mark.parametrize(("key", "value"), [("drafter", "rm -rf"), ("max_attempts", "0"), ("me.name", "x" * 2000)])
def test_a_change_to_an_unlawful_value_is_refused(key: str, value: str) -> None:
    with pytest.raises(BadSettings):
        set_setting(TEXT, key, value)


def test_a_file_that_cannot_be_read_is_not_changed() -> None:
    with pytest.raises(BadSettings):
        set_setting("a: &x 1\n", "idle_s", "3")


# schema.yaml


def test_the_schema_of_a_new_vault_is_the_default() -> None:
    assert parse_schema(schema_text().encode()) == Schema()
    assert len(Schema().attributes) == len(DEFAULT_ATTRIBUTES)
    assert parse_schema(b"") == Schema()


def test_the_file_is_the_whole_schema() -> None:
    text = "attributes:\n  Favourite Colour:\n    values: one\n    section: Taste & style\n    aliases: [hue]\n  pet:\n"
    schema = parse_schema(text.encode())
    assert schema.attributes == (
        Attribute(name="favourite colour", single=True, section="Taste & style", aliases=("hue",)),
        Attribute(name="pet", single=False),
    )
    assert schema.attribute("HUE").name == "favourite colour"
    assert schema.attribute("role") == Attribute(name="role", single=False)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("attribute: {}\n", "is no setting"),
        ("attributes: {role: {value: one}}\n", "attributes.role.value: is no setting"),
        ("attributes: {role: {values: 1}}\n", "not one of one, many"),
        ("attributes: {'a:b': {}}\n", "no name of an attribute"),
        ("attributes: {'': {}}\n", "no name of an attribute"),
        ("attributes: {'_x_': {}}\n", "no name of an attribute"),
        (f"attributes: {{{'x' * 81}: {{}}}}\n", "no name of an attribute"),
        ("attributes: {a: {aliases: [b]}, b: {}}\n", "'b' is a name of 'a' already"),
        ("attributes: {a: {aliases: [c]}, b: {aliases: [C]}}\n", "'c' is a name of 'a' already"),
        ("attributes: {Role: {}, role: {values: one}}\n", "'role' is a name of 'Role' already"),
        ("attributes: {a: {section: '# x'}}\n", "cannot be a heading"),
        ("attributes: {a: {section: 'x <b>'}}\n", "cannot be a heading"),
        ("attributes: {a: {section: '[[x]]'}}\n", "cannot be a heading"),
        ("attributes: {a: {section: '_x_'}}\n", "cannot be a heading"),
        ("attributes: {a: {section: ChangeLog}}\n", "cannot be a heading"),
        ('attributes: {a: {section: "x\\ny"}}\n', "one plain line"),
    ],
)
def test_what_is_no_schema_is_refused(text: str, reason: str) -> None:
    with pytest.raises(BadSettings, match=re.escape(reason)):
        parse_schema(text.encode())


@pytest.mark.parametrize("section", ["Setup", "People (work)", "Ideas & plans", "目录", "Don't", "Q1/Q2, etc. - more"])
def test_plain_words_are_a_section(section: str) -> None:
    schema = parse_schema(f'attributes: {{a: {{section: "{section}"}}}}\n'.encode())
    assert schema.attribute("a").section == section


# config.yaml


def test_the_users_configuration_names_vault_drafters_and_budgets() -> None:
    text = """\
vault: ~/memory
drafter: mine
drafters:
  mine:
    command: [python3, /home/alice/draft.py]
    timeout_s: 30
  local:
    ollama: qwen3:8b
    host: http://127.0.0.1:11434
budgets:
  calls: 100
  tokens: 5
"""
    assert parse_user_config(text.encode()) == UserConfig(
        default_vault="~/memory",
        drafter="mine",
        drafters={
            "mine": CommandSpec(argv=("python3", "/home/alice/draft.py"), timeout_s=30.0),
            "local": OllamaSpec(model="qwen3:8b", host="http://127.0.0.1:11434"),
        },
        budgets=Budgets(calls=100, tokens=5),
    )
    assert parse_user_config(b"") == UserConfig()
    assert parse_user_config(b"drafter: ollama:qwen3:8b\n").drafter == "ollama:qwen3:8b"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("vaults: x\n", "is no setting"),
        ("drafter: a b\n", "is no name of a drafter"),
        ("drafters: {rules: {command: [x]}}\n", "no name that a drafter of yours can have"),
        ("drafters: {'a b': {command: [x]}}\n", "no name that a drafter of yours can have"),
        ("drafters: {x: {}}\n", "has either a command"),
        ("drafters: {x: {command: [y], ollama: z}}\n", "has either a command"),
        ("drafters: {x: {command: [y], host: z}}\n", "has no use for host"),
        ("drafters: {x: {command: [y], key_from: 'env:K'}}\n", "has no use for key_from"),
        ("drafters: {x: {ollama: y, key_from: 'env:K'}}\n", "has no use for key_from"),
        ("drafters: {x: {ollama: y, openai: z}}\n", "has either a command"),
        ("drafters: {x: {openai: ''}}\n", "names no model"),
        ("drafters: {x: {openai: m, host: 'example.org/v1'}}\n", "needs the address"),
        ("drafters: {x: {openai: m, host: 'https://me:pw@example.org/v1'}}\n", "needs the address"),
        ("drafters: {x: {openai: m, key_from: sk-123}}\n", "a key itself is never written here"),
        ("drafters: {x: {openai: m, host: 'http://example.org/v1', key_from: 'env:K'}}\n", "over https or to this"),
        ("drafters: {x: {command: []}}\n", "empty command"),
        ("drafters: {x: {command: ['']}}\n", "empty command"),
        ("drafters: {x: {command: y}}\n", "is not a list"),
        ("drafters: {x: {ollama: ''}}\n", "names no model"),
        ("drafters: {x: {ollama: y, shell: true}}\n", "drafters.x.shell: is no setting"),
        ("drafters: {x: {ollama: y, timeout_s: 99999}}\n", "whole number from 1 to 86400"),
        ("budgets: {money: 3}\n", "budgets.money: is no setting"),
    ],
)
def test_what_is_no_configuration_is_refused(text: str, reason: str) -> None:
    with pytest.raises(BadSettings, match=re.escape(reason)):
        parse_user_config(text.encode())


def test_the_users_configuration_is_changed_with_its_comments() -> None:
    text = "# mine\nvault: ~/memory # here\n"
    for key, value in (
        ("drafters.mine.command", "python3 -c 'print(1)'"),
        ("drafters.mine.timeout_s", "5"),
        ("drafter", "mine"),
        ("budgets.calls", "9"),
        ("vault", "~/other"),
    ):
        text = set_user_setting(text, key, value)
    assert re.match(r"# mine\nvault: ~/other +# here\n", text)
    assert parse_user_config(text.encode()) == UserConfig(
        default_vault="~/other",
        drafter="mine",
        drafters={"mine": CommandSpec(argv=("python3", "-c", "print(1)"), timeout_s=5.0)},
        budgets=Budgets(calls=9),
    )
    assert parse_user_config(set_user_setting("", "drafters.l.ollama", "m").encode()).drafters["l"] == OllamaSpec(
        model="m"
    )


def test_a_server_with_openais_protocol_is_set_up_one_setting_after_the_other() -> None:
    text = ""
    for key, value in (("openai", "m"), ("host", "https://example.org/v1"), ("key_from", "env:MY_KEY")):
        text = set_user_setting(text, f"drafters.far.{key}", value)
    assert parse_user_config(text.encode()).drafters["far"] == OpenAISpec(
        model="m", host="https://example.org/v1", key_from="env:MY_KEY"
    )


@pytest.mark.parametrize(
    ("key", "value"), [("vaults", "x"), ("drafters.x", "y"), ("drafters.x.shell", "y"), ("drafters.x.command", "'")]
)
def test_a_change_of_the_configuration_that_is_none_is_refused(key: str, value: str) -> None:
    with pytest.raises(BadInput):
        set_user_setting("", key, value)
