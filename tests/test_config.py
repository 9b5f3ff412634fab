"""Settings: a flag beats the environment, the environment beats the file, the file beats the default."""

from pathlib import Path

import pytest

from boardwire import config
from boardwire.config import SETTINGS, Settings, data_directory, load, parse_listen, parse_port
from boardwire.errors import ConfigError, Malformed
from boardwire.lobby.quotas import Quotas
from boardwire.net.connections import ConnectionLimits
from boardwire.table.policy import Leaving, Policy


def toml(path: Path, text: str) -> Path:
    file = path / "boardwire.toml"
    file.write_text(text)
    return file


def test_the_first_that_speaks_wins(tmp_path: Path) -> None:
    file = toml(tmp_path, 'host = "file"\nmessages = 1\nidle = 1.5\n')
    environment = {"BOARDWIRE_HOST": "environment", "BOARDWIRE_MESSAGES": "2"}
    settings = load({"host": "flag", "messages": None}, environment, file)
    assert (settings.host, settings.messages, settings.idle, settings.linger) == (
        "flag",
        2,
        1.5,
        ConnectionLimits().linger,
    )


def test_without_a_word_the_defaults_hold() -> None:
    assert load({}, {}) == Settings()
    assert Settings().limits == ConnectionLimits()


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
        "BOARDWIRE_PER_MOVE": "12",
        "BOARDWIRE_HELD": "8",
        "BOARDWIRE_BOT_MATCHES": "9",
    }
    settings = load({}, environment)
    assert settings.listen == ("tris-lines=3000", "tris-lines=3001", "tris-lines=3002")
    assert (settings.host, settings.data, settings.http, settings.log) == ("0.0.0.0", "/somewhere", "off", "error")
    assert settings.public_host == ("a.example", "b.example")
    assert settings.own_tables is True
    assert settings.matches == 7
    assert settings.policy == Policy(Leaving.SKIPS, 45.0, per_move=12.0)
    assert load({}, {}).policy == Policy()
    assert settings.quotas == Quotas(held=8, bot_matches=9)
    assert settings.limits == ConnectionLimits(per_address=1, messages=2, unsent=3, idle=4.5, linger=6.0)


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
    assert settings.limits == ConnectionLimits(per_address=1, messages=2, unsent=3, idle=4.0, linger=5.5)


def test_an_empty_variable_is_as_good_as_none() -> None:
    assert load({}, {"BOARDWIRE_HOST": "", "BOARDWIRE_LISTEN": " ", "BOARDWIRE_MESSAGES": ""}) == Settings()


def test_a_variable_may_name_a_file_that_has_the_value(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("postgresql://ann:word@host/games\n")
    assert load({}, {"BOARDWIRE_STORE_FILE": str(secret)}).store == "postgresql://ann:word@host/games"
    assert load({}, {"BOARDWIRE_STORE_FILE": str(secret), "BOARDWIRE_STORE": " "}).store
    assert load({"store": "postgresql://flag"}, {"BOARDWIRE_STORE_FILE": str(secret)}).store == "postgresql://flag"
    assert load({}, {"BOARDWIRE_STORE_FILE": ""}).store == ""


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("mysql://ann:word@host/games", "BOARDWIRE_STORE_FILE is not an address like postgresql://USER@HOST/NAME"),
        ("", "BOARDWIRE_STORE_FILE: {} must contain only the value, on one line"),
        ("postgresql://ann:word@host\nand more", "BOARDWIRE_STORE_FILE: {} must contain only the value, on one line"),
        ("\udcff", "BOARDWIRE_STORE_FILE: {} is not UTF-8 text"),
    ],
)
def test_errors_in_a_secret_file_do_not_quote_its_value(tmp_path: Path, text: str, words: str) -> None:
    secret = tmp_path / "secret"
    secret.write_text(text, errors="surrogateescape")
    with pytest.raises(Malformed) as malformed:
        load({}, {"BOARDWIRE_STORE_FILE": str(secret)})
    assert str(malformed.value) == words.format(secret)


def test_a_value_and_a_file_for_it_are_an_error(tmp_path: Path) -> None:
    both = {"BOARDWIRE_STORE": "postgresql://host", "BOARDWIRE_STORE_FILE": "secret"}
    with pytest.raises(Malformed, match="both BOARDWIRE_STORE and BOARDWIRE_STORE_FILE are set; set only one"):
        load({}, both)
    with pytest.raises(Malformed, match=r"BOARDWIRE_STORE_FILE: cannot read .*secret: No such file") as malformed:
        load({}, {"BOARDWIRE_STORE_FILE": str(tmp_path / "secret")})
    assert "word" not in str(malformed.value)


def test_the_environment_may_name_the_file(tmp_path: Path) -> None:
    file, other = toml(tmp_path, 'host = "file"\n'), tmp_path / "other.toml"
    other.write_text('host = "other"\n')
    assert load({}, {"BOARDWIRE_CONFIG": str(file)}).host == "file"
    assert load({}, {"BOARDWIRE_CONFIG": str(file)}, other).host == "other", "a flag wins"


def test_how_search_cores_run_and_are_built_is_no_setting() -> None:
    assert load({}, {"BOARDWIRE_INTERPRETED": "1", "BOARDWIRE_PURE": "1"}) == Settings()


def test_variables_of_others_are_not_ours() -> None:
    assert load({}, {"HOST": "x", "BOARDWIRE_CONFIG": " ", "MY_BOARDWIRE_HOST": "x"}) == Settings()


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("BOARDWIRE_HOTS", "BOARDWIRE_HOST"),
        ("BOARDWIRE_host", "BOARDWIRE_HOST"),
        ("BOARDWIRE_PER-ADDRESS", "BOARDWIRE_PER_ADDRESS"),
        ("BOARDWIRE_CONFIG_FILE", "BOARDWIRE_CONFIG"),
    ],
)
def test_a_mistyped_variable_gets_a_suggestion(name: str, meant: str) -> None:
    with pytest.raises(Malformed) as told:
        load({}, {"BOARDWIRE_HOST": "x", name: "x"})
    known = ", ".join(sorted(["BOARDWIRE_CONFIG", *(f"BOARDWIRE_{field.upper()}" for field in SETTINGS)]))
    words = f"unknown environment variable {name} (did you mean {meant}?); the settings are {known}"
    assert str(told.value) == words


def test_a_mistyped_key_gets_a_suggestion(tmp_path: Path) -> None:
    file = toml(tmp_path, "hots = 1\n")
    with pytest.raises(Malformed) as told:
        load({}, {}, file)
    known = ", ".join(sorted(Settings.__struct_fields__))
    assert str(told.value) == f"{file}: unknown setting 'hots' (did you mean host?); the settings are {known}"


def test_an_unknown_key_lists_all_settings(tmp_path: Path) -> None:
    with pytest.raises(Malformed, match="unknown setting 'colour'; the settings are bot, bot_matches, "):
        load({}, {}, toml(tmp_path, "colour = 1\n"))


COUNT, SECONDS = "a whole number, 0 or more", "a number of seconds from 0 to 1,000,000,000"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("messages = 'many'", f"messages 'many' is not {COUNT}"),
        ("messages = 1.5", f"messages 1.5 is not {COUNT}"),
        ("per_address = -1", f"per_address -1 is not {COUNT}"),
        ("idle = -0.5", f"idle -0.5 is not {SECONDS}"),
        ("grace = inf", f"grace inf is not {SECONDS}"),
        ("fill = nan", f"fill nan is not {SECONDS}"),
        ("leaving = 'stays'", "leaving 'stays' is not one of ends, holds, bot, skips"),
        ("own_tables = 'maybe'", "own_tables 'maybe' is not true or false"),
        ("listen = 'tris-lines=0'", "listen 'tris-lines=0' is not a list of DIALECT=PORT"),
        ("listen = ['tris-lines']", "listen 'tris-lines' is not DIALECT=PORT"),
        ("http = 65536", "http '65536' is not a port from 0 to 65535"),
        ("http = true", "http True is not a port from 0 to 65535, or off"),
        ("seat_ports = '9-2'", "seat_ports '9-2' is not a range of ports like 20000-20063"),
        ("seat_ports = 'x'", "seat_ports 'x' is not a range of ports like 20000-20063"),
        ("host = ' '", "host is empty; 0.0.0.0 means every address of this machine"),
        ("data = 1", "data 1 is not a directory"),
    ],
)
def test_a_key_that_cannot_be_read_is_named_with_what_would_be_right(tmp_path: Path, text: str, words: str) -> None:
    file = toml(tmp_path, text)
    with pytest.raises(Malformed) as told:
        load({}, {}, file)
    assert str(told.value) == f"{file}: {words}"


def test_a_variable_and_a_flag_that_cannot_be_read_are_called_by_their_names() -> None:
    with pytest.raises(Malformed) as variable:
        load({}, {"BOARDWIRE_PER_ADDRESS": "-1"})
    with pytest.raises(Malformed) as flag:
        load({"per_address": "-1"}, {})
    assert str(variable.value) == f"BOARDWIRE_PER_ADDRESS '-1' is not {COUNT}"
    assert str(flag.value) == f"--per-address '-1' is not {COUNT}"


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(Malformed, match=r"nowhere\.toml: No such file"):
        load({}, {}, tmp_path / "nowhere.toml")
    with pytest.raises(Malformed, match="cannot read"):
        load({}, {}, tmp_path)
    with pytest.raises(Malformed, match="is not TOML"):
        load({}, {}, toml(tmp_path, "host = \n"))
    binary = tmp_path / "binary.toml"
    binary.write_bytes(b'host = "\xff\xfe"\n')
    with pytest.raises(Malformed, match=r"binary\.toml is not TOML"):
        load({}, {}, binary)


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
    with pytest.raises(Malformed, match=r"is not a host name like games\.example"):
        load({"public_host": [name]}, {})


@pytest.mark.parametrize("text", ["", "proxy.example", "10.0.0.1/8", "10.0.0.0/33", "10.0.0.0-10.0.0.9"])
def test_a_trusted_proxy_is_an_address_or_a_network(text: str) -> None:
    with pytest.raises(Malformed, match="is not an address or a network like 10"):
        load({"trusted_proxy": [text]}, {})


def test_trusted_proxies_come_from_flags_the_environment_and_a_file(tmp_path: Path) -> None:
    assert load({"trusted_proxy": ["10.0.0.0/8", "::1"]}, {}).trusted_proxy == ("10.0.0.0/8", "::1")
    assert load({}, {"BOARDWIRE_TRUSTED_PROXY": "127.0.0.1, fd00::/8"}).trusted_proxy == ("127.0.0.1", "fd00::/8")
    file = tmp_path / "boardwire.toml"
    file.write_text('trusted_proxy = ["127.0.0.1"]')
    assert load({}, {}, file).trusted_proxy == ("127.0.0.1",)


def test_a_token_that_the_log_would_hide_has_to_be_given() -> None:
    with pytest.raises(Malformed, match="--inspect-token"):
        load({"inspect": True, "log": "error"}, {})
    assert load({"inspect": True, "log": "error", "inspect_token": "x" * 16}, {}).inspect


def test_a_bus_needs_a_store_in_postgresql(monkeypatch: pytest.MonkeyPatch) -> None:
    bus = {"bus": "nats://127.0.0.1:4222"}
    assert load({**bus, "store": "postgresql://ann@127.0.0.1/games"}, {}).bus
    monkeypatch.setattr(config, "is_address", lambda text: text.startswith("other://"))  # another registered backend
    for store in ({}, {"data": "/somewhere"}, {"store": "other://127.0.0.1/games"}):
        with pytest.raises(ConfigError, match="--bus needs a shared store; add --store postgresql://"):
            load({**bus, **store}, {})


MAIL = {"mail_server": "mail.example", "mail_from": "games@example.org", "mail_site": "https://games.example/"}


@pytest.mark.parametrize(("text", "tls", "host", "port"), [
    ("mail.example", "starttls", "mail.example", 587), ("mail.example", "tls", "mail.example", 465),
    ("mail.example:2525", "tls", "mail.example", 2525), ("[::1]:26", "none", "::1", 26), ("[::1]", "none", "::1", 25),
])  # fmt: skip
def test_a_mail_server_has_the_usual_port_of_its_encryption(text: str, tls: str, host: str, port: int) -> None:
    mail = load({**MAIL, "mail_server": text, "mail_tls": tls}, {}).mail
    assert mail is not None
    assert (mail.host, mail.port, mail.site) == (host, port, "https://games.example")


def test_without_a_mail_server_there_is_no_e_mail() -> None:
    assert load({}, {}).mail is None


@pytest.mark.parametrize(("changes", "words"), [
    ({"mail_from": None}, "needs --mail-from"), ({"mail_site": None}, "needs --mail-site"),
    ({"mail_from": "nobody"}, "invalid e-mail address"), ({"mail_site": "games.example"}, "not the address of a page"),
    ({"mail_server": "a b"}, "not a mail server"), ({"mail_server": "a:b"}, "not a port"),
    ({"mail_tls": "none", "mail_user": "u", "mail_password": "p"}, "unencrypted"),
    ({"mail_user": "u"}, "belong together"),
])  # fmt: skip
def test_incomplete_settings_of_e_mail_are_refused(changes: dict[str, str | None], words: str) -> None:
    with pytest.raises(Malformed, match=words):
        load({**MAIL, **changes}, {})
