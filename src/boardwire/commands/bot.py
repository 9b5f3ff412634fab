"""`boardwire bot`: let a bot play on a server."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final

from boardwire.commands.arguments import (
    DialectSettings,
    check_thinking_limits,
    find_dialect_for,
    parse_address,
    seating,
)
from boardwire.errors import Malformed
from boardwire.wire.text import escaped

if TYPE_CHECKING:
    from boardwire.bots.bot import Bot


STDERR_LINES: Final = 10
"""Number of lines of standard error, the last ones, that are printed for an engine that does not start."""


def bot(
    game: str,
    *,
    dialect: str,
    connect: str,
    bot: str = "greedy",
    engine: str = "",
    text: bool = False,
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
        Name of the bot: greedy, random or search, which has levels; or your Python bot as MODULE:CLASS.
    engine
        Command line of an engine that chooses, instead of a bot (docs/engines.md).
    text
        The engine speaks the text mode, not JSON lines.
    level
        Strength of search, from 1 to 10 [5].
    seconds
        Longest thinking time for one choice; with 0, only the nodes are limited [the level's; 5 for an engine].
    nodes
        Positions that search or an engine examines for one choice [the level's].
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
    from boardwire.engines import text_mode
    from boardwire.engines.process import EngineFault
    from boardwire.engines.python_bots import is_python_bot
    from boardwire.terminal import bot_player

    protocol = find_dialect_for(game, dialect)
    seat = seating(game, protocol, name, players, settings)
    if games < 1:
        raise Malformed(f"--games {games}: must be at least 1")
    check_thinking_limits(seconds, nodes)
    if text and not engine:
        raise Malformed("--text is for an engine; name it with --engine COMMAND")
    player: Bot
    if engine or is_python_bot(bot):
        if level is not None:
            raise Malformed("--level is for search; engines and Python bots have no levels")
        if text and game not in text_mode.GAMES:
            raise Malformed(f"--text supports {' and '.join(text_mode.GAMES)}, not {game}; remove --text")
        try:
            player = bot_player.make_engine_bot(engine, bot, game, players, seconds, nodes, text=text)
        except EngineFault as fault:
            for line in fault.stderr.splitlines()[-STDERR_LINES:]:
                print(f"engine: {escaped(line)}", file=sys.stderr)
            raise
    else:
        player = bot_player.make_bot(bot, level, nodes, seconds)
    if not bot_player.run(protocol, *parse_address(connect), player, seat, games, seed):
        sys.exit(1)
