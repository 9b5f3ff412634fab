"""`boardwire analyse`: evaluate positions and matches with an engine."""

from __future__ import annotations

import sys

from boardwire.commands.arguments import check_game, check_thinking_limits, find_store


def analyse(
    what: str,
    *,
    lines: bool = False,
    level: int | None = None,
    seconds: float | None = None,
    nodes: int | None = None,
    seed: int | None = None,
    data: str | None = None,
    store: str | None = None,
    json: bool = False,
) -> None:
    """Analyse a position or a finished match; with --lines, choose turns for another program.

    Parameters
    ----------
    what
        The name of a match, or a position: of Santorini as "0000000000000000000000000/1/mortal:B3,D3/mortal:C4,C2", of
        Eriantys as "hall A = red 2; professor red = A", of Tris as "x.o/.x./..o x", of Forza Quattro likewise with six
        rows of seven. With --lines the name of a game.
    lines
        Read one position a line, and answer each with one JSON object: turn, value, depth, nodes, or error.
    level
        Play like a bot of this level, from 1 to 10 [as well as the limits allow].
    seconds
        Longest thinking time for one turn; with 0, only the nodes are limited.
    nodes
        Positions to examine for one turn.
    seed
        Seed of the engine's random choices, to repeat them.
    data
        Data directory that has the match [the user's data directory].
    store
        Address of the database that has the match, instead of a directory.
    json
        Print one JSON object a line.
    """
    from boardwire.commands import analysis

    check_thinking_limits(seconds, nodes)
    if lines:
        check_game(what)
        output = analysis.lines(what, sys.stdin, analysis.limits(what, level, seconds, nodes), seed)
    elif analysis.game_of(what) is not None:
        output = analysis.analyse_position(
            what, lambda game: analysis.limits(game, level, seconds, nodes), seed, json=json
        )
    else:
        is_limited = any(limit is not None for limit in (level, seconds, nodes))
        limits = analysis.limits("", level, seconds, nodes) if is_limited else None
        output = analysis.match(what, find_store(data, store), limits, json=json)
    for line in output:
        print(line, flush=True)
