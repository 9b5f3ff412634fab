"""Santorini with its three protocols, durable, beside tris-lines and the bare echo."""

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
    """Return a durable server for each dialect, with its journal in this directory."""
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
            f"Santorini, durable, concurrent games: {games}, rounds: {config.rounds}\n"
            "A move is a playStep (every second one with a setStartTurn and a selectWorker), an EXECUTE_ACTION, a\n"
            "ConsolidateMove or a ConsolidateBuild.\n"
        )
        with tempfile.TemporaryDirectory() as data:
            ours = tris.contenders(data)
            references = {name: ours[name] for name in (tris.ECHO, tris.DURABLE)}
            compared = {**references, **contenders(data)}
            base = config.base if config.base in compared else tris.DURABLE
            print_table(measure(compared, games, config.moves_of(games), config.rounds), base)
