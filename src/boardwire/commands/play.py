"""`boardwire play`: play a game in the terminal."""

from __future__ import annotations

from boardwire.commands.arguments import DialectSettings, find_dialect_for, parse_address, seating


def play(
    game: str,
    *,
    dialect: str,
    connect: str,
    name: str = "player",
    players: int = 2,
    settings: DialectSettings = None,
) -> None:
    """Play a game in this terminal on a server that speaks DIALECT.

    Parameters
    ----------
    game
        A game that `boardwire rules` lists.
    dialect
        The protocol of the server; native has every game.
    connect
        HOST:PORT of the server; for native, its HTTP port.
    name
        Your name, if the protocol has names.
    players
        Number of players, if the protocol asks for it.
    settings
        KEY=VALUE, a setting of the protocol; may be repeated.  eriantys-messages and eriantys-objects have mode
        (simplified or expert) and tower (white, black or grey); native has match, code and seat to join a given table,
        bots (names by seat, separated by commas, empty for a free seat) and private to open a private table.
    """
    from boardwire.terminal import play as terminal

    spoken = find_dialect_for(game, dialect)
    seat = seating(game, spoken, name, players, settings)
    terminal.run(game, spoken, *parse_address(connect), seat)
