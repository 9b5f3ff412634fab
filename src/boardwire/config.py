"""The settings of a server: from flags, the environment, a TOML file or defaults; the first of these that speaks wins.

`Settings` declares each of them once: its name, kind, words and default.  From there come the flag (`--per-address 10`)
with its help, the environment variable (`BOARDWIRE_PER_ADDRESS=10`), the TOML key (`per_address = 10`) and the table in
docs/operate.md.  Several values of one setting are separated by blanks or commas in the environment, where an empty
variable is as good as none.  A variable with `_FILE` behind its name (`BOARDWIRE_STORE_FILE`) names a file that has the
value: what is secret then stands in no environment.  What looks like a setting and is none was mistyped: the server
does not start.
"""

from __future__ import annotations

import os
import string
import tomllib
from collections.abc import Callable, Collection, Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, Final, NamedTuple, TypeAlias, get_type_hints

import msgspec

from boardwire.bots.levels import parse_bot
from boardwire.bots.server_bots import BOTS, USUAL
from boardwire.cluster.transport.bus import is_bus
from boardwire.errors import Malformed
from boardwire.lobby.quotas import Quotas
from boardwire.net.connections import Limits
from boardwire.store.postgres import is_address
from boardwire.table.policy import Leaving, Policy
from boardwire.wire.forwarded import ProxyHeader, parse_network

PREFIX: Final = "BOARDWIRE_"
OTHERS: Final = (PREFIX + "INTERPRETED", PREFIX + "PURE")
"""Variables that are no settings of a server: they say how the search cores run, and are built."""
FILE: Final = PREFIX + "CONFIG"
"""The variable that names the TOML file."""
IN_FILE: Final = "_FILE"
"""Behind the name of a variable: the file that has its value."""
IN_MEMORY: Final = ":memory:"
LONGEST_NODE: Final = 64
_IN_NAMES: Final = frozenset(string.ascii_letters + string.digits + "-_")

SHORTEST_TOKEN: Final = 16
"""Characters of a token that nobody guesses."""

_LIMITS: Final = Limits()
_QUOTAS: Final = Quotas()


def data_directory() -> Path:
    """Where matches are kept if nobody says otherwise."""
    home = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(home) / "boardwire"


# --- the kinds --------------------------------------------------------------------------------------------------------


class Kind(NamedTuple):
    """What the values of a setting are."""

    shape: str
    """In a word, for the help."""
    wants: str
    """What a value has to be; told to whoever gave another one."""
    check: Callable[[Any], object] | None = None
    """Raises `Malformed` for what has the type and is not such a value."""


def parse_port(text: str) -> int:
    """A port number; 0 means any free one."""
    if not text.isascii() or not text.isdigit() or len(text) > 5 or int(text) > 65535:
        raise Malformed(f"{text!r} is not a port from 0 to 65535")
    return int(text)


def parse_listen(text: str) -> tuple[str, int]:
    """`DIALECT=PORT` as a pair."""
    name, equals, port = text.partition("=")
    if not equals:
        raise Malformed(f"{text!r} is not DIALECT=PORT")
    return name, parse_port(port)


def _check_address(text: str) -> None:
    if not text.strip():
        raise Malformed("is empty; 0.0.0.0 means every address of this machine")


def _check_store(text: str) -> None:
    if text and not is_address(text):  # which is not said again: it may hold a password
        raise Malformed("is not an address like postgresql://USER@HOST/NAME")


def _check_bus(text: str) -> None:
    if text and not is_bus(text):
        raise Malformed("is not an address like nats://HOST:4222")


def _check_node(text: str) -> None:
    if not set(text) <= _IN_NAMES or len(text) > LONGEST_NODE:
        raise Malformed(f"{text!r} is not a name of at most {LONGEST_NODE} letters, digits, hyphens and underscores")


def _check_http(text: str) -> None:
    if text != "off":
        parse_port(text)


def _check_listeners(texts: tuple[str, ...]) -> None:
    for text in texts:
        parse_listen(text)


def _check_bot(text: str) -> None:
    parse_bot(text, tuple(BOTS))


def _check_names(names: tuple[str, ...]) -> None:
    for name in names:
        if not name or not set(name).isdisjoint("/:@ "):
            raise Malformed(f"{name!r} is not a name like games.example, without a scheme or a port")


def _check_networks(texts: tuple[str, ...]) -> None:
    for text in texts:
        try:
            parse_network(text)
        except ValueError as error:
            raise Malformed(f"{text!r} is not an address or a network like 10.0.0.0/8: {error}") from None


def _check_token(text: str) -> None:
    if text and (len(text) < SHORTEST_TOKEN or not text.isascii() or not text.isprintable() or " " in text):
        raise Malformed(f"a token has {SHORTEST_TOKEN} letters, digits and signs or more, and no blanks")


Address: TypeAlias = Annotated[str, Kind("ADDRESS", "an address", _check_address)]
Directory: TypeAlias = Annotated[str, Kind("DIR", "a directory")]
Store: TypeAlias = Annotated[str, Kind("URL", "an address like postgresql://USER@HOST/NAME", _check_store)]
Bus: TypeAlias = Annotated[str, Kind("URL", "an address like nats://HOST:4222", _check_bus)]
FileName: TypeAlias = Annotated[str, Kind("FILE", "the path of a file")]
NodeName: TypeAlias = Annotated[str, Kind("NAME", "a name of letters, digits, hyphens and underscores", _check_node)]
HttpPort: TypeAlias = Annotated[str, Kind("PORT|off", "a port from 0 to 65535, or off", _check_http)]
Listeners: TypeAlias = Annotated[tuple[str, ...], Kind("DIALECT=PORT", "a list of DIALECT=PORT", _check_listeners)]
Names: TypeAlias = Annotated[tuple[str, ...], Kind("NAME", "a list of names like games.example", _check_names)]
Networks: TypeAlias = Annotated[
    tuple[str, ...], Kind("CIDR", "a list of addresses or networks like 10.0.0.0/8", _check_networks)
]
Switch: TypeAlias = Annotated[bool, Kind("", "true or false")]
HeaderName: TypeAlias = Annotated[ProxyHeader, Kind("HEADER", f"one of {', '.join(ProxyHeader)}")]
Departure: TypeAlias = Annotated[Leaving, Kind("HOW", f"one of {', '.join(Leaving)}")]
BotKind: TypeAlias = Annotated[str, Kind("BOT", "greedy, random or search:LEVEL", _check_bot)]
Token: TypeAlias = Annotated[str, Kind("TOKEN", "a word that nobody guesses", _check_token)]
Level: TypeAlias = Annotated[str, Kind("LEVEL", "a log level")]
Count: TypeAlias = Annotated[int, msgspec.Meta(ge=0), Kind("NUMBER", "a whole number, 0 or more")]
Seconds: TypeAlias = Annotated[
    float,
    msgspec.Meta(ge=0, le=1e9),  # no timer takes infinity
    Kind("SECONDS", "a number of seconds from 0 to 1,000,000,000"),
]


# --- the settings -----------------------------------------------------------------------------------------------------


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """What `boardwire serve` can be told.  The words of each setting are those of the help and of docs/operate.md."""

    host: Annotated[
        Address,
        "The address to listen on; `0.0.0.0` is every address of the machine.",
    ] = "127.0.0.1"

    data: Annotated[
        Directory,
        "The directory of the journal, or `:memory:` to keep nothing; empty is `boardwire` in the user's data "
        "directory: `$XDG_DATA_HOME/boardwire`, or `~/.local/share/boardwire`.",
    ] = ""

    store: Annotated[
        Store,
        "The address of a PostgreSQL database that keeps the matches instead of a directory, like "
        "`postgresql://USER@HOST/NAME`.",
    ] = ""

    bus: Annotated[
        Bus,
        "The address of a NATS server, like `nats://HOST:4222`, by which all servers with the same `store` become one: "
        "any client plays with any other, whatever server each has reached.",
    ] = ""

    bus_ca: Annotated[
        FileName,
        "A file with the certificate authorities that the certificate of a `tls://` bus is checked against; empty is "
        "the system's.",
    ] = ""

    node: Annotated[
        NodeName,
        "The name of this server among those of its `bus`; empty is the machine's name and a number.",
    ] = ""

    http: Annotated[
        HttpPort,
        "The port of the page, the HTTP interface and the native WebSocket, or `off`; 0 is any free one.",
    ] = "7070"

    listen: Annotated[
        Listeners,
        "A dialect and its port; 0 is any free one; may be given several times, and replaces the default set: every "
        "dialect on its own port.",
    ] = ()

    public_host: Annotated[
        Names,
        "A name under which browsers reach the server, if it is neither the machine's own nor an address; may be "
        "given several times.",
    ] = ()

    trusted_proxy: Annotated[
        Networks,
        "The address or network of a reverse proxy, like `127.0.0.1` or `10.0.0.0/8`; may be given several times. Only "
        "from there `Forwarded` and `X-Forwarded-For` say who the client is, for limits and in the log.",
    ] = ()

    proxy_header: Annotated[
        HeaderName,
        "The header that the trusted proxies write, `forwarded` or `x-forwarded-for`; the other one is ignored. With "
        "`either`, a request with both must name the same client in both, or the proxy counts as the client.",
    ] = ProxyHeader.EITHER

    own_tables: Annotated[
        Switch,
        "Keep the dialects of a game apart: only guests of one dialect meet.",
    ] = False

    fill: Annotated[
        Seconds,
        "Seconds a public table waits before bots take its free seats; 0 is for ever.",
    ] = 0.0

    bot: Annotated[
        BotKind,
        "Who takes free seats and plays on for those who left: `greedy`, `random`, or `search:LEVEL` with a level from "
        "1 to 10.",
    ] = USUAL

    thinkers: Annotated[
        Count,
        "Processes in which bots that search think; 0 is one for each core of the machine but one, and at least one.",
    ] = 0

    leaving: Annotated[
        Departure,
        "What it means that a player leaves in mid-play, at tables opened by a protocol that cannot say it: `ends` "
        "(the match is over for all, as the documents say), `holds` (the seat is held, then it forfeits), `bot` (a "
        "bot plays on) or `skips` (its turns pass, and it may come back).",
    ] = Leaving.ENDS

    grace: Annotated[
        Seconds,
        "Seconds such a seat is held, or whoever is left alone waits for others, before that player has lost; 0 is "
        "for ever with `holds`, and a minute with `skips`.",
    ] = 60.0

    matches: Annotated[
        Count,
        "Matches that may be played at once before newcomers are told that the server is full; 0 is any number.",
    ] = 0

    held: Annotated[
        Count,
        "Seats that are held for players from one address who are away; beyond that, whoever leaves forfeits; 0 is "
        "any number.",
    ] = _QUOTAS.held

    bot_matches: Annotated[
        Count,
        "Matches against bots from one address; 0 is any number.",
    ] = _QUOTAS.bot_matches

    inspect: Annotated[
        Switch,
        "Show every message at every table to those who have the inspect token, on the page and at `/api/wire`.",
    ] = False

    inspect_token: Annotated[
        Token,
        "The inspect token; empty is a random one, which is in the log. Better given as a variable than as a flag.",
    ] = ""

    log: Annotated[
        Level,
        "The least serious lines to log: `debug`, `info`, `warning` or `error`.",
    ] = "info"

    per_address: Annotated[
        Count,
        "Connections from one address, of all kinds together; 0 is any number, and then HTTP requests are not limited "
        "by address either.",
    ] = _LIMITS.per_address

    messages: Annotated[
        Count,
        "Messages a second from one connection; what comes faster waits; 0 is any number.",
    ] = _LIMITS.messages

    unsent: Annotated[
        Count,
        "Bytes a peer may leave unread before it is dropped; 0 is any number.",
    ] = _LIMITS.unsent

    idle: Annotated[
        Seconds,
        "Seconds of silence before a peer is dropped; 0 is for ever.",
    ] = _LIMITS.idle

    linger: Annotated[
        Seconds,
        "Seconds a peer has to read our last words.",
    ] = _LIMITS.linger

    @property
    def limits(self) -> Limits:
        return Limits(self.per_address, self.messages, _LIMITS.waiting, self.unsent, self.idle, self.linger)

    @property
    def policy(self) -> Policy:
        """How tables are run that no client said it of."""
        return Policy(self.leaving, self.grace if self.leaving is not Leaving.ENDS else 0.0)

    @property
    def quotas(self) -> Quotas:
        return msgspec.structs.replace(_QUOTAS, held=self.held, bot_matches=self.bot_matches)

    @property
    def directory(self) -> Path | None:
        """Where the journal is; None: in memory."""
        if self.data == IN_MEMORY:
            return None
        return Path(self.data).expanduser() if self.data else data_directory()


class Setting(NamedTuple):
    """One setting as it is declared; its name is its TOML key."""

    name: str
    type: Any
    kind: Kind
    words: str
    default: Any

    @property
    def flag(self) -> str:
        return f"--{self.name.replace('_', '-')}"

    @property
    def variable(self) -> str:
        return PREFIX + self.name.upper()

    @property
    def is_list(self) -> bool:
        """Whether it has any number of values."""
        return isinstance(self.default, tuple)

    @property
    def usual(self) -> str:
        """The default as it would be written; empty: there is none."""
        return " ".join(self.default) if self.is_list else str(self.default).lower().removesuffix(".0")

    def read(self, source: str, value: Any) -> Any:
        """The value that `source` gives; `Malformed` says what it would have to be."""
        try:
            found = msgspec.convert(value, self.type, strict=False)
            if self.kind.check is not None:
                self.kind.check(found)
        except msgspec.ValidationError:
            raise Malformed(f"{source} {value!r} is not {self.kind.wants}") from None
        except Malformed as reason:
            raise Malformed(f"{source} {reason}") from None
        return found


def _declared() -> Iterator[Setting]:
    types = get_type_hints(Settings, include_extras=True)
    for field in msgspec.structs.fields(Settings):
        *_, kind, words = types[field.name].__metadata__
        yield Setting(field.name, types[field.name], kind, words, field.default)


SETTINGS: Final = {setting.name: setting for setting in _declared()}
"""Every setting, by name."""


# --- where they come from ---------------------------------------------------------------------------------------------


def load(flags: Mapping[str, Any], environment: Mapping[str, str], file: Path | None = None) -> Settings:
    """The settings that hold; a flag that is None was not given, nor was the `file` that the environment may name.
    `Malformed` says which setting cannot be read, and what would be right."""
    if file is None and environment.get(FILE, "").strip():
        file = Path(environment[FILE])
    values = dict(_from_toml(file)) if file is not None else {}
    values |= _from_environment(environment)
    values |= {name: SETTINGS[name].read(SETTINGS[name].flag, text) for name, text in flags.items() if text is not None}
    settings = Settings(**values)
    if settings.bus and not settings.store:
        raise Malformed("a bus is for servers that share a store; give its address too, with --store postgresql://...")
    if settings.inspect and settings.http == "off":
        raise Malformed(
            "--inspect needs the HTTP port, and --http off closes it; give --http PORT or leave out --inspect"
        )
    if settings.inspect and not settings.inspect_token and settings.log.lower() in ("error", "critical"):
        raise Malformed("--inspect logs its token as a warning, which --log error hides; give one with --inspect-token")
    return settings


def _from_environment(environment: Mapping[str, str]) -> Iterator[tuple[str, Any]]:
    known = {setting.variable: setting for setting in SETTINGS.values()}
    for variable, text in environment.items():
        if not variable.startswith(PREFIX) or variable in (FILE, *OTHERS):
            continue
        meant = variable if variable in known else variable.removesuffix(IN_FILE)
        if meant not in known:
            raise Malformed(f"the environment has {variable}, {_no_setting(variable, (FILE, *known))}")
        if not text.strip():
            continue
        if meant != variable:
            if environment.get(meant, "").strip():
                raise Malformed(f"the environment has both {meant} and {variable}; give one of them")
            text = _from_file(variable, Path(text))
        setting = known[meant]
        value = text.replace(",", " ").split() if setting.is_list else text
        yield setting.name, setting.read(variable, value)


def _from_file(variable: str, file: Path) -> str:
    """What the file that a variable names has in it, in one line."""
    try:
        text = file.read_text("utf-8").strip()
    except OSError as error:
        raise Malformed(f"{variable}: cannot read {file}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise Malformed(f"{variable}: {file} is not text") from None
    if not text or len(text.splitlines()) > 1:
        raise Malformed(f"{variable}: {file} has to have one line, the value alone")
    return text


def _from_toml(file: Path) -> Iterator[tuple[str, Any]]:
    try:
        values = tomllib.loads(file.read_text("utf-8"))
    except OSError as error:
        raise Malformed(f"cannot read {file}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Malformed(f"{file} is not TOML: {error}") from None
    for name, value in values.items():
        if name not in SETTINGS:
            raise Malformed(f"{file} has {name!r}, {_no_setting(name, SETTINGS)}")
        if name == "http" and type(value) is int:
            value = str(value)  # a port is a number where the language has numbers
        yield name, SETTINGS[name].read(f"{file}: {name}", value)


def _no_setting(name: str, known: Collection[str]) -> str:
    near = get_close_matches(name.lower(), [one.lower() for one in known], 1)
    hint = next((f" (perhaps {one}?)" for one in known if [one.lower()] == near), "")
    return f"which is no setting{hint}; settings are {', '.join(sorted(known))}"
