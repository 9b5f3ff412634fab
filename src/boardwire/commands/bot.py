"""`boardwire bot`: let a bot play on a server."""

from __future__ import annotations

import sys

from boardwire.commands.arguments import (
    DialectSettings,
    check_thinking_limits,
    find_dialect_for,
    parse_address,
    seating,
)
from boardwire.errors import Malformed


def bot(
    game: str,
    *,
    dialect: str,
    connect: str,
    bot: str = "greedy",
    level: int | None = None,
    seconds: float | None = None,
    nodes: int | None = None,
    name: str = "",
    players: int = 2,
    settings: DialectSettings = None,
    games: int = 1,
    seed: int | None = None,
) -> None:
    """Let a bot play on a server that speaks DIALECT; exit code 1 if a match is broken off.

    Parameters
    ----------
    game
        A game that `boardwire rules` lists.
    dialect
        The protocol of the server.
    connect
        HOST:PORT of the server.
    bot
        Name of the bot: greedy, random or search; search has levels.
    level
        Strength of search, from 1 to 10 [5].
    seconds
        Thinking time of search for one choice at most; 0: no limit but its nodes [the level's].
    nodes
        Positions that search examines for one choice [the level's].
    name
        Name of the player, if the protocol has names [the bot's, with a number].
    players
        Number of players, if the protocol asks for it.
    settings
        KEY=VALUE, a setting of the protocol, as for `play`; may be repeated.
    games
        Number of matches to play, one after the other.
    seed
        Seed of the bot's random choices, to repeat them.
    """
    from boardwire.terminal import bot_player

    spoken = find_dialect_for(game, dialect)
    seat = seating(game, spoken, name, players, settings)
    if games < 1:
        raise Malformed(f"--games {games}: must be at least 1")
    check_thinking_limits(seconds, nodes)
    player = bot_player.find(bot, level, nodes, seconds)
    if not bot_player.run(spoken, *parse_address(connect), player, seat, games, seed):
        sys.exit(1)
