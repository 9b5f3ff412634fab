"""Santorini over its three protocols, durable, beside tris-lines and the bare echo."""

from __future__ import annotations

import tempfile
from functools import partial
from typing import Final

from bench import servers, tris
from bench.config import RunConfig
from bench.contenders import Contender, measure, print_table
from boardwire.dialects import PROTOCOLS, of_game

DIALECTS: Final = tuple(name for name in of_game("santorini") if name in PROTOCOLS and name != "native")


def contenders(data: str) -> dict[str, Contender]:
    """All dialects, durable in this directory."""
    return {
        dialect: Contender(
            partial(servers.boardwire, dialect, f"{data}/{dialect}"), ("bench.santorini_driver", dialect)
        )
        for dialect in DIALECTS
    }


def run(config: RunConfig) -> None:
    """Print a table for each number of games."""
    for games in config.games:
        print(
            f"Santorini, durable, games at once: {games}, rounds: {config.rounds}; a move is a playStep (with every "
            "second one come a\nsetStartTurn and a selectWorker), an EXECUTE_ACTION, a ConsolidateMove or "
            "ConsolidateBuild\n"
        )
        with tempfile.TemporaryDirectory() as data:
            ours = tris.contenders(data)
            yardsticks = {name: ours[name] for name in (tris.ECHO, tris.DURABLE)}
            all_of_them = {**yardsticks, **contenders(data)}
            base = config.base if config.base in all_of_them else tris.DURABLE
            print_table(measure(all_of_them, games, config.moves_of(games), config.rounds), base)
