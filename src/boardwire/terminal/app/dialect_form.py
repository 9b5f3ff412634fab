"""Dialogs for connections: another dialect, another server, another name, an invitation."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from textual.widget import Widget
from textual.widgets import Input, Select

from boardwire import dialects, games
from boardwire.dialects.dialect import ClientOptions
from boardwire.errors import Malformed
from boardwire.terminal.app.form import Form
from boardwire.terminal.app.servers import DEFAULT_HOST, DEFAULT_HTTP_PORT, Server

MAX_LOGIN_NAME_LENGTH = 32


class DialectForm(Form[ClientOptions]):
    """Name, number of players and settings of a dialect."""

    accept = "Play"

    def __init__(self, dialect: str, name: str) -> None:
        super().__init__()
        self._dialect = dialects.dialect(dialect)
        self._player = name
        self.heading = f"{self._dialect.game.capitalize()} over {dialect}"

    def fields(self) -> Iterable[tuple[str, Widget]]:
        """Yield the name, the number of players and the settings of the protocol."""
        yield "Your name", Input(self._player, id="name", compact=True, max_length=MAX_LOGIN_NAME_LENGTH)
        counts = self._dialect.players or tuple(games.game(self._dialect.game).seat_counts)
        default = 2 if 2 in counts else counts[0]
        yield (
            "Players",
            Select(
                [(str(count), count) for count in counts], value=default, allow_blank=False, id="players", compact=True
            ),
        )
        for key, values in self._dialect.settings.items():
            if values:
                choices = [("any", ""), *((value, value) for value in values)]
                yield key.capitalize(), Select(choices, value="", allow_blank=False, id=f"set-{key}", compact=True)
            else:
                yield key.capitalize(), Input(id=f"set-{key}", compact=True)

    def result(self) -> ClientOptions:
        """Return the options of the client."""
        settings = {}
        for key, values in self._dialect.settings.items():
            field = self.query_one(f"#set-{key}", Select) if values else self.query_one(f"#set-{key}", Input)
            if field.value:
                settings[key] = str(field.value)
        players = self.query_one("#players", Select).value
        assert isinstance(players, int)
        return ClientOptions(self.query_one("#name", Input).value.strip() or "player", players, settings)


class ServerForm(Form[Server]):
    """The address of another server."""

    heading = "Another server"
    accept = "Connect"

    def fields(self) -> Iterable[tuple[str, Widget]]:
        """Yield the address field."""
        yield "HOST:HTTP-PORT", Input(placeholder=f"{DEFAULT_HOST}:{DEFAULT_HTTP_PORT}", id="address", compact=True)

    def result(self) -> Server:
        """Return the server; a port alone means this machine."""
        text = self.query_one("#address", Input).value.strip()
        host, colon, port = text.rpartition(":")
        if not colon and not text.isdecimal():
            host, port = text, str(DEFAULT_HTTP_PORT)
        if not port.isdecimal() or not 0 < int(port) < 65_536 or " " in text:
            raise Malformed(f"{text!r} is not HOST:PORT; the port is a number up to 65535")
        return Server(host.removeprefix("[").removesuffix("]") or DEFAULT_HOST, int(port))


class Name(msgspec.Struct, frozen=True):
    """A player's name."""

    name: str


class NameForm(Form[Name]):
    """The player's name."""

    heading = "Your name"

    def __init__(self, name: str) -> None:
        super().__init__()
        self._player = name

    def fields(self) -> Iterable[tuple[str, Widget]]:
        """Yield the name field."""
        yield "Name", Input(self._player, id="name", compact=True, max_length=MAX_LOGIN_NAME_LENGTH)

    def result(self) -> Name:
        """Return the name."""
        name = self.query_one("#name", Input).value.strip()
        if not name:
            raise Malformed("the name is empty; type one")
        return Name(name)


class Invitation(msgspec.Struct, frozen=True):
    """A match and the code of its table."""

    match: str
    code: str = ""


class InvitationForm(Form[Invitation]):
    """Match and code of a table that is not listed."""

    heading = "Join by match and code"
    accept = "Join"

    def fields(self) -> Iterable[tuple[str, Widget]]:
        """Yield the fields of the match and its code."""
        yield "Match", Input(id="match", compact=True, max_length=64)
        yield "Code, if private", Input(id="code", compact=True, max_length=64)

    def result(self) -> Invitation:
        """Return the invitation."""
        match = self.query_one("#match", Input).value.strip()
        if not match:
            raise Malformed("the match is empty; F5 shows it to the player who opened the table")
        return Invitation(match, self.query_one("#code", Input).value.strip())
