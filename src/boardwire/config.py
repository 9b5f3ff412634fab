"""Server settings, from flags, the environment, a TOML file or defaults, in this order of precedence.

- `Settings` declares each setting once: name, type, help and default. The flag (`--per-address 10`), the environment
  variable (`BOARDWIRE_PER_ADDRESS=10`), the TOML key (`per_address = 10`) and the table in docs/operate.md are derived
  from it.
- In the environment, several values are separated by spaces or commas, and an empty variable counts as unset.
- A variable with the suffix `_FILE` (`BOARDWIRE_STORE_FILE`) names a file that contains the value, for secrets.
- Unknown settings are errors.
"""

from __future__ import annotations

import os
import string
import sys
import tomllib
from collections.abc import Callable, Collection, Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, Final, NamedTuple, TypeAlias, get_type_hints

import msgspec

from boardwire.bots.levels import SEARCH, parse_bot
from boardwire.bots.server_bots import BOTS, DEFAULT_BOT
from boardwire.cluster.transport.bus import is_bus
from boardwire.engines.listing import is_bot_name
from boardwire.errors import ConfigError, Malformed
from boardwire.lobby.quotas import Quotas
from boardwire.mail.addresses import checked_address
from boardwire.mail.server import PORTS, MailServer, MailTls
from boardwire.net.connections import ConnectionLimits
from boardwire.records.backends import ADDRESS_EXAMPLES, is_address
from boardwire.records.database import DatabaseBackend
from boardwire.table.policy import Leaving, Policy
from boardwire.tournaments.setup import TournamentCreators
from boardwire.wire.forwarded import ProxyHeader, parse_network

PREFIX: Final = "BOARDWIRE_"
NOT_SETTINGS: Final = (PREFIX + "INTERPRETED", PREFIX + "PURE", PREFIX + "ADMIN_TOKEN", PREFIX + "ADMIN_URL")
"""Variables that are not server settings: they control the build of search cores, or belong to `boardwire admin`."""
CONFIG_VARIABLE: Final = PREFIX + "CONFIG"
"""Variable that names the TOML file."""
FILE_SUFFIX: Final = "_FILE"
"""Suffix of a variable that names a file containing the value."""
IN_MEMORY: Final = ":memory:"
MAX_NODE_NAME_LENGTH: Final = 64
_NODE_NAME_CHARACTERS: Final = frozenset(string.ascii_letters + string.digits + "-_")

MIN_INSPECT_TOKEN_LENGTH: Final = 16
"""Shortest inspect token: 16 random characters carry at least 80 bits."""

_LIMITS: Final = ConnectionLimits()
_QUOTAS: Final = Quotas()


def data_directory() -> Path:
    """Return the default data directory."""
    home = os.environ.get("XDG_DATA_HOME")
    if home is None and sys.platform == "win32":
        home = os.environ.get("LOCALAPPDATA")
    home = home or str(Path.home() / ".local" / "share")
    return Path(home) / "boardwire"


# --- types of settings ------------------------------------------------------------------------------------------------


class SettingType(NamedTuple):
    """How the values of a setting are described and validated."""

    shape: str
    """Placeholder in the help."""
    expected: str
    """Description of valid values, for error messages."""
    check: Callable[[Any], object] | None = None
    """Raises `Malformed` for an invalid value of the right type."""


def parse_port(text: str) -> int:
    """Parse a port number; 0 means any free port."""
    if not text.isascii() or not text.isdigit() or len(text) > 5 or int(text) > 65535:
        raise Malformed(f"{text!r} is not a port from 0 to 65535")
    return int(text)


def parse_listen(text: str) -> tuple[str, int]:
    """Parse `DIALECT=PORT`."""
    name, equals, port = text.partition("=")
    if not equals:
        raise Malformed(f"{text!r} is not DIALECT=PORT")
    return name, parse_port(port)


def _check_address(text: str) -> None:
    if not text.strip():
        raise Malformed("is empty; 0.0.0.0 means every address of this machine")


def _check_store(text: str) -> None:
    if text and not is_address(text):  # the error does not quote the text, which may contain a password
        raise Malformed(f"is not an address like {ADDRESS_EXAMPLES}")


def _check_bus(text: str) -> None:
    if text and not is_bus(text):
        raise Malformed("is not an address like nats://HOST:4222")


def _check_node(text: str) -> None:
    if not set(text) <= _NODE_NAME_CHARACTERS or len(text) > MAX_NODE_NAME_LENGTH:
        raise Malformed(
            f"{text!r} is not a node name; use at most {MAX_NODE_NAME_LENGTH} letters, digits, hyphens and underscores"
        )


def _check_http(text: str) -> None:
    if text != "off":
        parse_port(text)


def _check_listeners(texts: tuple[str, ...]) -> None:
    for text in texts:
        parse_listen(text)


def _check_bot(text: str) -> None:
    """Accept a built-in bot, or any name of a listed bot; the node checks whether the file of `bots` has it."""
    if ":" in text or text in (*BOTS, SEARCH) or not is_bot_name(text):
        parse_bot(text, tuple(BOTS))


def _check_names(names: tuple[str, ...]) -> None:
    for name in names:
        if not name or not set(name).isdisjoint("/:@ "):
            raise Malformed(f"{name!r} is not a host name like games.example; remove scheme and port")


def _check_networks(texts: tuple[str, ...]) -> None:
    for text in texts:
        try:
            parse_network(text)
        except ValueError as error:
            raise Malformed(f"{text!r} is not an address or a network like 10.0.0.0/8: {error}") from None


def _check_port_range(text: str) -> None:
    if text:
        parse_port_range(text)


def parse_port_range(text: str) -> range:
    """Parse FIRST-LAST as a range of ports; raise `Malformed` if it is invalid."""
    first, _, last = text.partition("-")
    try:
        ports = range(parse_port(first), parse_port(last) + 1)
    except Malformed:
        ports = range(0)
    if not ports or not ports[0]:
        raise Malformed(f"{text!r} is not a range of ports like 20000-20063")
    return ports


def parse_mail_server(text: str) -> tuple[str, int]:
    """Parse HOST or HOST:PORT, with an IPv6 address in brackets; port 0 stands for the default one."""
    host, colon, port = ("", "", "") if text.endswith("]") else text.rpartition(":")
    if not colon:
        host, port = text, "0"
    host = host.removeprefix("[").removesuffix("]")
    if not host or not set(host).isdisjoint("/@ []"):
        raise Malformed(f"{text!r} is not a mail server like mail.example:587")
    return host, parse_port(port)


def _check_mail_server(text: str) -> None:
    if text:
        parse_mail_server(text)


def _check_mail_from(text: str) -> None:
    if text:
        checked_address(text)


def _check_site(text: str) -> None:
    if text and (not text.startswith(("https://", "http://")) or not text.isascii() or set(text) & set(' <>?#"')):
        raise Malformed(f"{text!r} is not the address of a page like https://games.example")


def _check_token(text: str) -> None:
    if text and (len(text) < MIN_INSPECT_TOKEN_LENGTH or not text.isascii() or not text.isprintable() or " " in text):
        raise Malformed(f"must have at least {MIN_INSPECT_TOKEN_LENGTH} printable ASCII characters and no spaces")


Address: TypeAlias = Annotated[str, SettingType("ADDRESS", "an address", _check_address)]
Directory: TypeAlias = Annotated[str, SettingType("DIR", "a directory")]
Store: TypeAlias = Annotated[str, SettingType("URL", f"an address like {ADDRESS_EXAMPLES}", _check_store)]
Bus: TypeAlias = Annotated[str, SettingType("URL", "an address like nats://HOST:4222", _check_bus)]
FileName: TypeAlias = Annotated[str, SettingType("FILE", "the path of a file")]
NodeName: TypeAlias = Annotated[
    str, SettingType("NAME", "a name of letters, digits, hyphens and underscores", _check_node)
]
HttpPort: TypeAlias = Annotated[str, SettingType("PORT|off", "a port from 0 to 65535, or off", _check_http)]
Listeners: TypeAlias = Annotated[
    tuple[str, ...], SettingType("DIALECT=PORT", "a list of DIALECT=PORT", _check_listeners)
]
Names: TypeAlias = Annotated[tuple[str, ...], SettingType("NAME", "a list of names like games.example", _check_names)]
Networks: TypeAlias = Annotated[
    tuple[str, ...], SettingType("CIDR", "a list of addresses or networks like 10.0.0.0/8", _check_networks)
]
PortRange: TypeAlias = Annotated[str, SettingType("FIRST-LAST", "a range of ports like 20000-20063", _check_port_range)]
Switch: TypeAlias = Annotated[bool, SettingType("", "true or false")]
HeaderName: TypeAlias = Annotated[ProxyHeader, SettingType("HEADER", f"one of {', '.join(ProxyHeader)}")]
Departure: TypeAlias = Annotated[Leaving, SettingType("HOW", f"one of {', '.join(Leaving)}")]
Creators: TypeAlias = Annotated[TournamentCreators, SettingType("WHO", f"one of {', '.join(TournamentCreators)}")]
BotKind: TypeAlias = Annotated[str, SettingType("BOT", "greedy, random, search:LEVEL or a listed bot", _check_bot)]
MailHost: TypeAlias = Annotated[
    str, SettingType("HOST[:PORT]", "a mail server like mail.example:587", _check_mail_server)
]
MailSecurity: TypeAlias = Annotated[MailTls, SettingType("HOW", f"one of {', '.join(MailTls)}")]
MailFrom: TypeAlias = Annotated[str, SettingType("ADDRESS", "an e-mail address", _check_mail_from)]
SiteUrl: TypeAlias = Annotated[str, SettingType("URL", "an address like https://games.example", _check_site)]
Text: TypeAlias = Annotated[str, SettingType("TEXT", "a text")]
Token: TypeAlias = Annotated[str, SettingType("TOKEN", "a secret token", _check_token)]
Level: TypeAlias = Annotated[str, SettingType("LEVEL", "a log level")]
Count: TypeAlias = Annotated[int, msgspec.Meta(ge=0), SettingType("NUMBER", "a whole number, 0 or more")]
Seconds: TypeAlias = Annotated[
    float,
    msgspec.Meta(ge=0, le=1e9),  # timers do not accept infinity
    SettingType("SECONDS", "a number of seconds from 0 to 1,000,000,000"),
]


# --- the settings -----------------------------------------------------------------------------------------------------


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """Settings of `boardwire serve`. The description of each is used in the help and in docs/operate.md."""

    host: Annotated[
        Address,
        "Address to listen on; `0.0.0.0`: all addresses of the machine.",
    ] = "127.0.0.1"

    data: Annotated[
        Directory,
        "Directory of the journal, or `:memory:` to store nothing; empty: `$XDG_DATA_HOME/boardwire`, or "
        "`~/.local/share/boardwire` (Windows: `%LOCALAPPDATA%\\boardwire`).",
    ] = ""

    store: Annotated[
        Store,
        "URL of a PostgreSQL database that stores the matches instead of a directory, like "
        "`postgresql://USER@HOST/NAME`.",
    ] = ""

    bus: Annotated[
        Bus,
        "URL of a NATS server, like `nats://HOST:4222`, that joins all servers with the same `store` to one cluster: "
        "clients of any server play with each other.",
    ] = ""

    bus_ca: Annotated[
        FileName,
        "File with the certificate authorities for a `tls://` bus; empty: those of the system.",
    ] = ""

    node: Annotated[
        NodeName,
        "Name of this server in its cluster; empty: the host name with a random suffix.",
    ] = ""

    http: Annotated[
        HttpPort,
        "Port of the web page, the HTTP API and the native WebSocket, or `off`; 0: any free port.",
    ] = "7070"

    listen: Annotated[
        Listeners,
        "A dialect and its port; 0: any free port. May be repeated; replaces the default, every dialect on its "
        "default port.",
    ] = ()

    public_host: Annotated[
        Names,
        "A name under which browsers reach the server, other than the host name or an IP address. May be repeated.",
    ] = ()

    trusted_proxy: Annotated[
        Networks,
        "Address or network of a reverse proxy, like `127.0.0.1` or `10.0.0.0/8`. May be repeated. `Forwarded` and "
        "`X-Forwarded-For` are accepted only from there, for limits and in the log.",
    ] = ()

    proxy_header: Annotated[
        HeaderName,
        "Header that the trusted proxies set, `forwarded` or `x-forwarded-for`; the other one is ignored. With "
        "`either`, a request with both must name the same client in both, or the proxy counts as the client.",
    ] = ProxyHeader.EITHER

    own_tables: Annotated[
        Switch,
        "Do not mix dialects at a table.",
    ] = False

    fill: Annotated[
        Seconds,
        "Seconds that a public table waits before bots take its free seats; 0: never.",
    ] = 0.0

    bot: Annotated[
        BotKind,
        "Bot that takes free and abandoned seats: `greedy`, `random`, `search:LEVEL` with a level from 1 to 10, or one "
        "that `bots` lists.",
    ] = DEFAULT_BOT

    bots: Annotated[
        FileName,
        "TOML file that lists engines and Python bots, which can then be requested by name.",
    ] = ""

    programs: Annotated[
        FileName,
        "TOML file that ties programs of protocols without passwords to players, by port, address or secret name.",
    ] = ""

    thinkers: Annotated[
        Count,
        "Worker processes for search bots, and engines of `bots` that may think at the same time; 0: one fewer than "
        "the machine has cores, and at least one.",
    ] = 0

    tournaments: Annotated[
        Creators,
        "Who may create tournaments: `anyone`, `players` (those with a claimed name) or `organisers` (those with that "
        "role).",
    ] = TournamentCreators.ANYONE

    leaving: Annotated[
        Departure,
        "What happens when a player leaves during a match, at tables opened by a protocol that cannot choose: `ends` "
        "(the match ends for all, as the specifications say), `holds` (the seat is held, then it forfeits), `bot` (a "
        "bot takes over) or `skips` (its turns are skipped, and it may come back).",
    ] = Leaving.ENDS

    grace: Annotated[
        Seconds,
        "Seconds that such a seat is held, or that the last player waits for the others, before the absent players "
        "lose; 0: no limit with `holds`, one minute with `skips`.",
    ] = 60.0

    per_move: Annotated[
        Seconds,
        "Seconds for each decision at tables opened by a protocol that cannot choose; a player who overruns them loses "
        "by forfeit; 0: no limit.",
    ] = 0.0

    seat_ports: Annotated[
        PortRange,
        "First and last port that organiser's tables may open for single seats, like `20000-20063`; empty: any free "
        "port.",
    ] = ""

    webhook_network: Annotated[
        Networks,
        "Private address or network to which organisers' webhooks may be sent, like `10.0.0.0/8`. May be repeated; "
        "without it, only public addresses are contacted.",
    ] = ()

    mail_server: Annotated[
        MailHost,
        "Mail server through which players who want it get an e-mail when it is their turn in a match by "
        "correspondence; empty: no e-mail. Needs `mail_from`, `mail_site` and `pip install 'boardwire[mail]'`.",
    ] = ""

    mail_tls: Annotated[
        MailSecurity,
        "How the connection to the mail server is encrypted: `starttls` (port 587 unless given), `tls` (465) or `none` "
        "(25). The certificate is always verified.",
    ] = MailTls.STARTTLS

    mail_ca: Annotated[
        FileName,
        "File with the certificate authorities of the mail server; empty: those of the system.",
    ] = ""

    mail_user: Annotated[
        Text,
        "User name at the mail server; empty: it needs none.",
    ] = ""

    mail_password: Annotated[
        Text,
        "Password at the mail server. Set it by variable or file (`BOARDWIRE_MAIL_PASSWORD_FILE`), not by flag.",
    ] = ""

    mail_from: Annotated[
        MailFrom,
        "Sender of the e-mails, like `games@example.org`.",
    ] = ""

    mail_site: Annotated[
        SiteUrl,
        "Address of the page for the links in e-mails, like `https://games.example`.",
    ] = ""

    matches: Annotated[
        Count,
        "Matches that may be played at once before the server is full; 0: no limit.",
    ] = 0

    held: Annotated[
        Count,
        "Seats held for absent players of one address; beyond that, a player who leaves forfeits; 0: no limit.",
    ] = _QUOTAS.held

    bot_matches: Annotated[
        Count,
        "Matches against bots from one address; 0: no limit.",
    ] = _QUOTAS.bot_matches

    inspect: Annotated[
        Switch,
        "Show every message at every table to clients with the inspect token, on the page and at `/api/wire`.",
    ] = False

    inspect_token: Annotated[
        Token,
        "Token required to open the inspector; empty: a random one, which is logged. Set it by variable, not by flag.",
    ] = ""

    log: Annotated[
        Level,
        "Lowest level to log: `debug`, `info`, `warning` or `error`.",
    ] = "info"

    per_address: Annotated[
        Count,
        "Connections from one address, of all kinds together, and never more than the server has left; 0: no limit, "
        "for HTTP requests either.",
    ] = _LIMITS.per_address

    messages: Annotated[
        Count,
        "Messages a second from one connection; further messages wait; 0: no limit.",
    ] = _LIMITS.messages

    unsent: Annotated[
        Count,
        "Unread bytes at which a client is dropped; 0: no limit.",
    ] = _LIMITS.unsent

    idle: Annotated[
        Seconds,
        "Seconds of silence after which a client is dropped; 0: never.",
    ] = _LIMITS.idle

    linger: Annotated[
        Seconds,
        "Seconds that a client has to read the last messages of a closed connection.",
    ] = _LIMITS.linger

    @property
    def limits(self) -> ConnectionLimits:
        return ConnectionLimits(self.per_address, self.messages, _LIMITS.waiting, self.unsent, self.idle, self.linger)

    @property
    def policy(self) -> Policy:
        """Default policy of tables."""
        grace = self.grace if self.leaving is not Leaving.ENDS else 0.0
        return Policy(self.leaving, grace, per_move=self.per_move)

    @property
    def quotas(self) -> Quotas:
        return msgspec.structs.replace(_QUOTAS, held=self.held, bot_matches=self.bot_matches)

    @property
    def mail(self) -> MailServer | None:
        """The mail server, or None if no e-mail is sent."""
        if not self.mail_server:
            return None
        host, port = parse_mail_server(self.mail_server)
        return MailServer(
            host, port or PORTS[self.mail_tls], self.mail_from, self.mail_site.rstrip("/"), self.mail_tls,
            self.mail_user, self.mail_password, self.mail_ca,
        )  # fmt: skip

    @property
    def directory(self) -> Path | None:
        """Data directory, or None if everything is kept in memory."""
        if self.data == IN_MEMORY:
            return None
        return Path(self.data).expanduser() if self.data else data_directory()


class Setting(NamedTuple):
    """Declaration of a setting; its name is its TOML key."""

    name: str
    type: Any
    kind: SettingType
    description: str
    default: Any

    @property
    def flag(self) -> str:
        return f"--{self.name.replace('_', '-')}"

    @property
    def variable(self) -> str:
        return PREFIX + self.name.upper()

    @property
    def is_list(self) -> bool:
        """Whether the setting takes several values."""
        return isinstance(self.default, tuple)

    @property
    def default_text(self) -> str:
        """The default as text, or '' if there is none."""
        return " ".join(self.default) if self.is_list else str(self.default).lower().removesuffix(".0")

    def read(self, source: str, value: Any) -> Any:
        """Parse a value; `source` names its origin in errors."""
        try:
            parsed = msgspec.convert(value, self.type, strict=False)
            if self.kind.check is not None:
                self.kind.check(parsed)
        except msgspec.ValidationError:
            raise Malformed(f"{source} {value!r} is not {self.kind.expected}") from None
        except Malformed as reason:
            raise Malformed(f"{source} {reason}") from None
        return parsed


def _declarations() -> Iterator[Setting]:
    types = get_type_hints(Settings, include_extras=True)
    for field in msgspec.structs.fields(Settings):
        *_, kind, description = types[field.name].__metadata__
        yield Setting(field.name, types[field.name], kind, description, field.default)


SETTINGS: Final = {setting.name: setting for setting in _declarations()}
"""All settings by name."""


# --- sources ----------------------------------------------------------------------------------------------------------


def load(flags: Mapping[str, Any], environment: Mapping[str, str], file: Path | None = None) -> Settings:
    """Load the settings. A flag that is None was not given; without `file`, the environment may name the file.

    Raises `Malformed` for an invalid setting, with its source and the remedy, and `ConfigError` for a bus without a
    PostgreSQL store.
    """
    if file is None and environment.get(CONFIG_VARIABLE, "").strip():
        file = Path(environment[CONFIG_VARIABLE])
    values = dict(_from_toml(file)) if file is not None else {}
    values |= _from_environment(environment)
    values |= {name: SETTINGS[name].read(SETTINGS[name].flag, text) for name, text in flags.items() if text is not None}
    settings = Settings(**values)
    if settings.bus and not DatabaseBackend.accepts(settings.store):
        # leases and the list of nodes are in PostgreSQL, whatever other stores there are
        raise ConfigError("--bus needs a shared store; add --store postgresql://...")
    if settings.inspect and settings.http == "off":
        raise Malformed("--inspect needs the HTTP port; remove --http off or --inspect")
    if settings.inspect and not settings.inspect_token and settings.log.lower() in ("error", "critical"):
        raise Malformed("--inspect logs its token as a warning, which --log error hides; set --inspect-token")
    _check_mail(settings)
    return settings


def _check_mail(settings: Settings) -> None:
    if not settings.mail_server:
        return
    for name in ("mail_from", "mail_site"):
        if not getattr(settings, name):
            raise Malformed(f"--mail-server needs --{name.replace('_', '-')}; set it, too")
    if settings.mail_password and settings.mail_tls is MailTls.NONE:
        raise Malformed("--mail-tls none would send the password unencrypted; use starttls or tls")
    if bool(settings.mail_user) != bool(settings.mail_password):
        raise Malformed("--mail-user and --mail-password belong together; set both or neither")


def _from_environment(environment: Mapping[str, str]) -> Iterator[tuple[str, Any]]:
    """Yield the name and value of each setting in the environment."""
    known = {setting.variable: setting for setting in SETTINGS.values()}
    for variable, text in environment.items():
        if not variable.startswith(PREFIX) or variable in (CONFIG_VARIABLE, *NOT_SETTINGS):
            continue
        name = variable if variable in known else variable.removesuffix(FILE_SUFFIX)
        if name not in known:
            raise Malformed(
                f"unknown environment variable {variable}{_suggestion(variable, (CONFIG_VARIABLE, *known))}"
            )
        if not text.strip():
            continue
        if name != variable:
            if environment.get(name, "").strip():
                raise Malformed(f"both {name} and {variable} are set; set only one of them")
            text = _from_file(variable, Path(text))
        setting = known[name]
        value = text.replace(",", " ").split() if setting.is_list else text
        yield setting.name, setting.read(variable, value)


def _from_file(variable: str, file: Path) -> str:
    """Read the value from the file that a variable names."""
    try:
        text = file.read_text("utf-8").strip()
    except OSError as error:
        raise Malformed(f"{variable}: cannot read {file}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise Malformed(f"{variable}: {file} is not UTF-8 text") from None
    if not text or len(text.splitlines()) > 1:
        raise Malformed(f"{variable}: {file} must contain only the value, on one line")
    return text


def _from_toml(file: Path) -> Iterator[tuple[str, Any]]:
    """Yield the name and value of each setting in a TOML file."""
    try:
        values = tomllib.loads(file.read_text("utf-8"))
    except OSError as error:
        raise Malformed(f"cannot read {file}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Malformed(f"{file} is not TOML: {error}") from None
    for name, value in values.items():
        if name not in SETTINGS:
            raise Malformed(f"{file}: unknown setting {name!r}{_suggestion(name, SETTINGS)}")
        if name == "http" and type(value) is int:
            value = str(value)  # TOML users write ports as numbers
        yield name, SETTINGS[name].read(f"{file}: {name}", value)


def _suggestion(name: str, known: Collection[str]) -> str:
    near = get_close_matches(name.lower(), [setting.lower() for setting in known], 1)
    hint = next((f" (did you mean {setting}?)" for setting in known if [setting.lower()] == near), "")
    return f"{hint}; the settings are {', '.join(sorted(known))}"
