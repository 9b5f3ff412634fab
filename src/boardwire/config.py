"""The settings of a server: from flags, the environment, a TOML file or defaults; the first of these that speaks wins.

Each setting is a flag (`--per-address 10`), an environment variable (`BOARDWIRE_PER_ADDRESS=10`) and a TOML key
(`per_address = 10`).  Several values of `listen` or `public_host` are separated by blanks or commas in the environment,
where an empty variable is as good as none.  What looks like a setting and is none was mistyped: the server does not
start.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Final, TypeAlias

import msgspec

from boardwire.errors import Malformed
from boardwire.net.limits import Limits
from boardwire.table.events import Leaving, Policy
from boardwire.table.quotas import Quotas

PREFIX: Final = "BOARDWIRE_"
FILE: Final = PREFIX + "CONFIG"
"""The variable that names the TOML file."""
IN_MEMORY: Final = ":memory:"

_DEFAULT = Limits()
_QUOTAS = Quotas()

_LISTS: Final = ("listen", "public_host")
"""Settings with any number of values."""

Count: TypeAlias = Annotated[int, msgspec.Meta(ge=0)]
Seconds: TypeAlias = Annotated[float, msgspec.Meta(ge=0)]


def data_directory() -> Path:
    """Where matches are kept if nobody says otherwise."""
    home = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(home) / "boardwire"


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What `boardwire serve` can be told."""

    host: str = "127.0.0.1"
    data: str = ""
    """A directory, or `:memory:`; empty: the user's data directory."""
    http: str = "7070"
    """A port (0: any free one), or `off`."""
    listen: tuple[str, ...] = ()
    """DIALECT=PORT, any number of them; none: every dialect on its own port."""
    public_host: tuple[str, ...] = ()
    """Names under which browsers reach this server, beside those it knows by itself."""
    own_tables: bool = False
    """Keep the dialects of a game apart."""
    fill: Seconds = 0.0
    """How long a public table waits before bots take its free seats; 0: for ever."""
    leaving: Leaving = Leaving.ENDS
    """What happens at tables of protocols that cannot say it when a player leaves: ends, holds, bot or skips."""
    grace: Seconds = 60.0
    """How long such a seat is held, or whoever is left alone waits, before that player has lost."""
    matches: Count = 0
    """How many matches may be played at once before newcomers are told that the server is full; 0: any number."""
    held: Count = _QUOTAS.held
    """Seats that are held for players from one address who are away; 0: any number."""
    bot_matches: Count = _QUOTAS.bot_matches
    """Matches against bots from one address; 0: any number."""
    log: str = "info"
    per_address: Count = _DEFAULT.per_address
    messages: Count = _DEFAULT.messages
    unsent: Count = _DEFAULT.unsent
    idle: Seconds = _DEFAULT.idle
    linger: Seconds = _DEFAULT.linger

    @property
    def limits(self) -> Limits:
        return Limits(self.per_address, self.messages, _DEFAULT.waiting, self.unsent, self.idle, self.linger)

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


SETTINGS: Final = tuple(field.name for field in msgspec.structs.fields(Settings))


def load(flags: Mapping[str, Any], environment: Mapping[str, str], file: Path | None = None) -> Settings:
    """The settings that hold; a flag that is None was not given.  `Malformed` says which one cannot be read."""
    values: dict[str, Any] = {}
    if file is not None:
        values.update(_from_toml(file))
    for key, text in environment.items():
        if not key.startswith(PREFIX) or key == FILE:
            continue
        name = key.removeprefix(PREFIX).lower()
        if key != PREFIX + name.upper() or name not in SETTINGS:
            known = ", ".join(sorted((FILE, *(PREFIX + name.upper() for name in SETTINGS))))
            raise Malformed(f"the environment has {key}, which is no setting; settings are {known}")
        if text.strip():
            values[name] = text.replace(",", " ").split() if name in _LISTS else text
    values.update({name: value for name, value in flags.items() if value is not None})
    try:
        settings = msgspec.convert(values, Settings, strict=False)
    except msgspec.ValidationError as error:
        raise Malformed(f"a setting cannot be read: {error}") from None
    if not settings.host.strip():
        raise Malformed("the host is empty; 0.0.0.0 means every address of this machine")
    for text in settings.listen:
        parse_listen(text)
    for text in settings.public_host:
        _check_host(text)
    if settings.http != "off":
        parse_port(settings.http)
    return settings


def _from_toml(file: Path) -> dict[str, Any]:
    try:
        values = tomllib.loads(file.read_text("utf-8"))
    except OSError as error:
        raise Malformed(f"cannot read {file}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Malformed(f"{file} is not TOML: {error}") from None
    for name in values:
        if name not in SETTINGS:
            raise Malformed(f"{file} has {name!r}, which is no setting; settings are {', '.join(sorted(SETTINGS))}")
    if type(values.get("http")) is int:
        values["http"] = str(values["http"])  # a port is a number where the language has numbers
    return values


def _check_host(text: str) -> None:
    if not text or not set(text).isdisjoint("/:@ "):
        raise Malformed(f"--public-host {text!r} is not a name like games.example, without a scheme or a port")


def parse_port(text: str) -> int:
    """A port number; 0 means any free one."""
    if not text.isascii() or not text.isdigit() or len(text) > 5 or int(text) > 65535:
        raise Malformed(f"{text!r} is not a port from 0 to 65535")
    return int(text)


def parse_listen(text: str) -> tuple[str, int]:
    """`DIALECT=PORT` as a pair."""
    name, equals, port = text.partition("=")
    if not equals:
        raise Malformed(f"--listen {text!r} is not DIALECT=PORT")
    return name, parse_port(port)
