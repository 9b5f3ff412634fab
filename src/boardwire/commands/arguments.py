"""Parsing and checks of arguments that several commands share; an invalid one raises `Malformed` (exit code 2)."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

from cyclopts import Parameter

from boardwire.errors import Malformed, Refused, either

if TYPE_CHECKING:
    from boardwire.dialects.dialect import ClientOptions, Dialect

DialectSettings = Annotated[list[str] | None, Parameter(name="--set", negative="")]
"""Type of the repeatable flag `--set KEY=VALUE`."""

MAX_THINKING_SECONDS: Final = 3600


def parse_address(text: str) -> tuple[str, int]:
    """Parse HOST:PORT. An IPv6 host may be in brackets; an empty host is 127.0.0.1."""
    from boardwire.config import parse_port

    host, colon, port = text.rpartition(":")
    if not colon:
        raise Malformed(f"{text!r} is not HOST:PORT")
    return host.removeprefix("[").removesuffix("]") or "127.0.0.1", parse_port(port)


def parse_listen_address(text: str) -> tuple[str, int]:
    """Parse HOST:PORT, or PORT on 127.0.0.1."""
    return parse_address(text if ":" in text else f"127.0.0.1:{text}")


def find_dialect(name: str) -> Dialect:
    """Return the dialect with this name; raise `Malformed` if there is none."""
    from boardwire import dialects

    try:
        return dialects.dialect(name)
    except Refused as error:
        raise Malformed(str(error)) from None


def find_dialect_for(game: str, name: str) -> Dialect:
    """Return the dialect with this name; raise `Malformed` unless it is a protocol for `game`."""
    dialect = find_dialect(name)
    check_game(game)
    if dialect.game not in ("", game):
        raise Malformed(f"{name} is a protocol for {dialect.game}, not for {game}")
    return dialect


def check_game(game: str) -> None:
    """Raise `Malformed` unless `game` is the name of a game."""
    from boardwire import games

    if game not in games.NAMES:
        raise Malformed(f"there is no game called {game!r}; the games are {', '.join(games.NAMES)}")


def check_wait(wait: float) -> None:
    """Raise `Malformed` unless the seconds of `--wait` are valid."""
    if not wait > 0:  # also refuses nan
        raise Malformed(f"--wait {wait:g}: must be more than 0 seconds")


def check_thinking_limits(seconds: float | None, nodes: int | None) -> None:
    """Raise `Malformed` unless the limits of a search, `--seconds` and `--nodes`, are valid."""
    if seconds is not None and not 0 <= seconds <= MAX_THINKING_SECONDS:
        raise Malformed(f"--seconds {seconds:g}: must be from 0 to {MAX_THINKING_SECONDS:,}")
    if nodes is not None and nodes < 1:
        raise Malformed(f"--nodes {nodes}: must be at least 1")


def seating(game: str, dialect: Dialect, name: str, players: int, settings: list[str] | None) -> ClientOptions:
    """Return the options of a client that requests a seat, from the flags `--players` and `--set`."""
    from boardwire import games
    from boardwire.dialects.dialect import ClientOptions

    allowed = dialect.players or games.game(game).seat_counts
    if players not in allowed:
        raise Malformed(f"--players {players}: {game} over {dialect.name} is for {either(allowed)} players")
    parsed = _parse_settings(dialect, settings or ())
    return ClientOptions(name, players, parsed if dialect.game else {"game": game, **parsed})


def _parse_settings(dialect: Dialect, texts: Iterable[str]) -> dict[str, str]:
    values = dict(map(_parse_setting, texts))
    for key, value in values.items():
        if key not in dialect.settings:
            settings_phrase = (
                f"its settings are {', '.join(dialect.settings)}" if dialect.settings else "it has no settings"
            )
            raise Malformed(f"--set {key}: {dialect.name} has no setting {key!r}; {settings_phrase}")
        if dialect.settings[key] and value.lower() not in dialect.settings[key]:
            raise Malformed(f"--set {key}={value}: {key} must be {either(dialect.settings[key])}")
    return {key: value.lower() if dialect.settings[key] else value for key, value in values.items()}


def _parse_setting(text: str) -> tuple[str, str]:
    """Return the key and the value of a setting `KEY=VALUE`."""
    key, equals, value = text.partition("=")
    if not key or not equals:
        raise Malformed(f"{text!r} is not KEY=VALUE")
    return key, value


def find_store(data: str | None, store: str | None) -> Path | str:
    """Return the data directory or database address with the matches; flags take precedence over settings."""
    from boardwire import config

    settings = config.load({"data": data, "store": store}, os.environ)
    if settings.store and (store is not None or data is None):
        return settings.store
    if settings.directory is None:
        raise Malformed("an in-memory server stores no matches; give the --data directory of another server")
    return settings.directory
