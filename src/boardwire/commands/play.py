"""`boardwire play`: play in the terminal, with the full-screen client or line by line."""

from __future__ import annotations

import os
import sys

from boardwire.commands.arguments import (
    DialectSettings,
    check_game,
    find_dialect,
    find_dialect_for,
    parse_address,
    seating,
)
from boardwire.errors import Malformed

DEFAULT_NAME = "player"


def play(
    game: str | None = None,
    *,
    dialect: str = "native",
    connect: str | None = None,
    name: str | None = None,
    players: int = 2,
    plain: bool = False,
    settings: DialectSettings = None,
) -> None:
    """Play in this terminal.

    Without arguments, the full-screen client opens with the tables of the server on this machine: join, watch or open
    a table, play against bots, replay stored matches. With GAME it goes to a table of that game at once.
    `--plain`, a pipe or a terminal without full-screen support give the line client, which suits screen readers.

    Parameters
    ----------
    game
        A game that `boardwire rules` lists.
    dialect
        The protocol of the server; native has every game.
    connect
        HOST:PORT of the server; for native, its HTTP port. Default: this machine, at the default port of DIALECT.
    name
        Your name, if the protocol has names. Default: your login name.
    players
        Number of players, if the protocol asks for it.
    plain
        Use the line client: questions and answers, line by line.
    settings
        KEY=VALUE, a setting of the protocol; may be repeated. eriantys-messages and eriantys-objects have mode
        (simplified or expert) and tower (white, black or grey). native has match, code and seat to join a given table;
        bots (names by seat, separated by commas, empty for a free seat), private and options (JSON) to open a table;
        token to return to a match; game, which GAME sets. The other protocols have no settings.
    """
    protocol = find_dialect(dialect)
    game = game or protocol.game or None
    host, port = parse_address(connect or f"127.0.0.1:{protocol.port}")
    name = name or os.environ.get("USER") or os.environ.get("USERNAME") or DEFAULT_NAME
    full_screen = not plain and _is_terminal()
    if game is None and not full_screen:
        game = _ask_game()
    if game is not None:
        find_dialect_for(game, dialect)
    if full_screen:
        from boardwire.terminal import app

        if app.is_available():
            _play_full_screen(game, dialect, (host, port), name, players, settings)
            return
        print("For the full-screen client: pip install 'boardwire[tui]'", file=sys.stderr)
        game = game or _ask_game()
    assert game is not None
    seat = seating(game, protocol, name, players, settings)
    from boardwire.terminal import play as terminal

    terminal.run(game, protocol, host, port, seat)


def _play_full_screen(
    game: str | None, dialect: str, address: tuple[str, int], name: str, players: int, settings: list[str] | None
) -> None:
    """Run the full-screen client; without a game, settings can name a match or a token."""
    from boardwire import games
    from boardwire.terminal.app.app import TerminalApp
    from boardwire.terminal.app.servers import Server

    seat = None
    token = ""
    if game is not None or settings:
        seat = seating(game or games.NAMES[0], find_dialect(dialect), name, players, settings)
    if game is None and seat is not None and "match" not in seat.settings:
        token = seat.settings.pop("token", "")
        if set(seat.settings) > {"game"}:
            setting_names = ", ".join(sorted(set(seat.settings) - {"game"}))
            raise Malformed(f"--set {setting_names} needs a game; give it as the first argument")
        seat = None
    client = TerminalApp(Server(*address), name=name, dialect=dialect, seating=seat, token=token)
    client.run()
    if client.resume_command:
        print(f"To return to the match: {client.resume_command}")


def _is_terminal() -> bool:
    """Return whether the full-screen client can be shown."""
    streams = (sys.stdin, sys.stdout, sys.stderr)
    return all(stream is not None and stream.isatty() for stream in streams) and os.environ.get("TERM") != "dumb"


def _ask_game() -> str:
    """Ask for the game; without a terminal, it must be an argument, because the line client reads all of the input."""
    from boardwire import games

    game = ""
    if sys.stdin is not None and sys.stdin.isatty():
        print(f"Which game: {', '.join(games.NAMES)}? ", end="", flush=True)
        game = sys.stdin.readline().strip().lower()
    if not game:
        raise Malformed(f"no game was given; the games are {', '.join(games.NAMES)}")
    check_game(game)
    return game
