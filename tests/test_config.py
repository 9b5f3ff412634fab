"""Settings: a flag beats the environment, the environment beats the file, the file beats the default."""

from pathlib import Path

import pytest

from boardwire.config import Settings, data_directory, load, parse_listen, parse_port
from boardwire.errors import Malformed
from boardwire.net.limits import Limits
from boardwire.table.events import Leaving, Policy
from boardwire.table.quotas import Quotas


def toml(path: Path, text: str) -> Path:
    file = path / "boardwire.toml"
    file.write_text(text)
    return file


def test_the_first_that_speaks_wins(tmp_path: Path) -> None:
    file = toml(tmp_path, 'host = "file"\nmessages = 1\nidle = 1.5\n')
    environment = {"BOARDWIRE_HOST": "environment", "BOARDWIRE_MESSAGES": "2"}
    settings = load({"host": "flag", "messages": None}, environment, file)
    assert (settings.host, settings.messages, settings.idle, settings.linger) == ("flag", 2, 1.5, Limits().linger)


def test_without_a_word_the_defaults_hold() -> None:
    assert load({}, {}) == Settings()
    assert Settings().limits == Limits()


def test_every_setting_can_come_from_the_environment() -> None:
    environment = {
        "BOARDWIRE_HOST": "0.0.0.0",
        "BOARDWIRE_DATA": "/somewhere",
        "BOARDWIRE_HTTP": "off",
        "BOARDWIRE_LISTEN": "tris-lines=3000, tris-lines=3001  tris-lines=3002",
        "BOARDWIRE_PUBLIC_HOST": "a.example,b.example",
        "BOARDWIRE_OWN_TABLES": "true",
        "BOARDWIRE_LOG": "error",
        "BOARDWIRE_PER_ADDRESS": "1",
        "BOARDWIRE_MESSAGES": "2",
        "BOARDWIRE_UNSENT": "3",
        "BOARDWIRE_IDLE": "4.5",
        "BOARDWIRE_LINGER": "6",
        "BOARDWIRE_MATCHES": "7",
        "BOARDWIRE_LEAVING": "skips",
        "BOARDWIRE_GRACE": "45",
        "BOARDWIRE_HELD": "8",
        "BOARDWIRE_BOT_MATCHES": "9",
    }
    settings = load({}, environment)
    assert settings.listen == ("tris-lines=3000", "tris-lines=3001", "tris-lines=3002")
    assert (settings.host, settings.data, settings.http, settings.log) == ("0.0.0.0", "/somewhere", "off", "error")
    assert settings.public_host == ("a.example", "b.example")
    assert settings.own_tables is True
    assert settings.matches == 7
    assert settings.policy == Policy(Leaving.SKIPS, 45.0)
    assert load({}, {}).policy == Policy()
    assert settings.quotas == Quotas(held=8, bot_matches=9)
    assert settings.limits == Limits(per_address=1, messages=2, unsent=3, idle=4.5, linger=6.0)


def test_every_setting_can_come_from_a_file(tmp_path: Path) -> None:
    file = toml(
        tmp_path,
        'host = "::1"\ndata = ":memory:"\nhttp = 7071\nlisten = ["tris-lines=0"]\nown_tables = true\nlog = "debug"\n'
        'public_host = ["games.example"]\n'
        "per_address = 1\nmessages = 2\nunsent = 3\nidle = 4\nlinger = 5.5\n",
    )
    settings = load({}, {}, file)
    assert (settings.host, settings.http, settings.listen) == ("::1", "7071", ("tris-lines=0",))
    assert settings.public_host == ("games.example",)
    assert settings.directory is None
    assert settings.limits == Limits(per_address=1, messages=2, unsent=3, idle=4.0, linger=5.5)


def test_an_empty_variable_is_as_good_as_none() -> None:
    assert load({}, {"BOARDWIRE_HOST": "", "BOARDWIRE_LISTEN": " ", "BOARDWIRE_MESSAGES": ""}) == Settings()


def test_variables_of_others_are_not_ours() -> None:
    assert load({}, {"HOST": "x", "BOARDWIRE_CONFIG": "x", "MY_BOARDWIRE_HOST": "x"}) == Settings()


@pytest.mark.parametrize("name", ["BOARDWIRE_HOTS", "BOARDWIRE_", "BOARDWIRE_host"])
def test_a_variable_that_was_mistyped_is_named_with_those_there_are(name: str) -> None:
    with pytest.raises(Malformed, match=f"the environment has {name}, which is no setting; .*BOARDWIRE_HOST, "):
        load({}, {"BOARDWIRE_HOST": "x", name: "x"})


def test_a_key_that_was_mistyped_is_named_with_its_file_and_those_there_are(tmp_path: Path) -> None:
    file = toml(tmp_path, "hots = 1\n")
    with pytest.raises(Malformed) as told:
        load({}, {}, file)
    known = ", ".join(sorted(Settings.__struct_fields__))
    assert str(told.value) == f"{file} has 'hots', which is no setting; settings are {known}"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("hots = 1\n", "hots"),
        ("messages = 'many'\n", "messages"),
        ("per_address = -1\n", "per_address"),
        ("messages = -5\n", "messages"),
        ("idle = -0.5\n", "idle"),
        ("listen = 'tris-lines=0'\n", "listen"),
        ("host = \n", "not TOML"),
        ("messages = 1.5\n", "messages"),
    ],
)
def test_a_setting_that_cannot_be_read_is_named(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(Malformed, match=words):
        load({}, {}, toml(tmp_path, text))


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(Malformed, match=r"nowhere\.toml: No such file"):
        load({}, {}, tmp_path / "nowhere.toml")
    with pytest.raises(Malformed, match="cannot read"):
        load({}, {}, tmp_path)
    binary = tmp_path / "binary.toml"
    binary.write_bytes(b'host = "\xff\xfe"\n')
    with pytest.raises(Malformed, match=r"binary\.toml is not TOML"):
        load({}, {}, binary)


@pytest.mark.parametrize("value", ["maybe", "2"])
def test_a_variable_that_cannot_be_read_is_named(value: str) -> None:
    with pytest.raises(Malformed, match="own_tables"):
        load({}, {"BOARDWIRE_OWN_TABLES": value})


def test_the_directory_is_where_the_user_says_or_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    assert load({"data": "~/here"}, {}).directory == tmp_path / "here"
    assert load({}, {}).directory == tmp_path / ".local" / "share" / "boardwire"
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "xdg"))
    assert data_directory() == tmp_path / "xdg" / "boardwire"


def test_a_listener_is_a_dialect_and_a_port() -> None:
    assert parse_listen("tris-lines=0") == ("tris-lines", 0)
    assert parse_listen("santorini-actions/shipped=65535") == ("santorini-actions/shipped", 65535)


@pytest.mark.parametrize("text", ["", "tris-lines", "tris-lines:3000"])
def test_what_is_no_listener_is_refused(text: str) -> None:
    with pytest.raises(Malformed, match="is not DIALECT=PORT"):
        parse_listen(text)


@pytest.mark.parametrize("text", ["", "x", "-1", "65536", "٣", "1_0", "+1", " 1", "80=80", "1" * 5000])
def test_what_is_no_port_is_refused(text: str) -> None:
    with pytest.raises(Malformed, match="is not a port"):
        parse_port(text)


@pytest.mark.parametrize("name", ["", "https://games.example", "games.example:7070", "games.example/x", "a b"])
def test_a_public_host_is_a_bare_name(name: str) -> None:
    with pytest.raises(Malformed, match=r"is not a name like games\.example"):
        load({"public_host": [name]}, {})
