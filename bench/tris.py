"""Tris moves: our server with tris-lines and native, in memory and durable, beside a bare echo and other servers."""

from __future__ import annotations

import tempfile
from functools import partial
from typing import Final

from training.c_library import NoCompilerError

from bench import rivals, servers
from bench.config import RunConfig
from bench.contenders import Contender, Measurement, drive, measure, print_table
from bench.hotloop import load

ECHO: Final = "echo"
DURABLE: Final = "tris-lines durable"
"""The contender that other games are compared with."""
RIVALS: Final = ("room", "colyseus", "boardgame.io")
PACED_GAMES: Final = 1000


def contenders(data: str) -> dict[str, Contender]:
    """Return our servers, the durable ones with their journals in this directory, and the echo."""
    found = {ECHO: Contender(partial(servers.module, "bench.echo"), ("bench.driver", "line-echo"))}
    for dialect in ("tris-lines", "native"):
        for name, data_path in (("in memory", ":memory:"), ("durable", f"{data}/{dialect}")):
            start = partial(servers.boardwire, dialect, data_path)
            found[f"{dialect} {name}"] = Contender(start, ("bench.driver", dialect))
    return found


def installed() -> dict[str, Contender]:
    """Return the rivals that could be installed; print their versions, and why others are skipped."""
    found = {}
    for rival in RIVALS:
        try:
            command = rivals.command(rival)
        except rivals.NotInstalledError as problem:
            print(f"{rival} skipped: {problem}")
        else:
            found[rival] = Contender(partial(servers.program, command), ("bench.driver", rival))
            print(f"{rival}: {rivals.version(rival)}")
    return found


def run(config: RunConfig) -> None:
    """Print a table for each number of games, and one at a rate of one move per second and game."""
    try:
        load()
    except NoCompilerError as problem:
        print(f"Tris skipped: {problem}\n")
        return
    others = installed() if config.rivals else {}
    if others:
        print(flush=True)
    for games in config.games:
        with tempfile.TemporaryDirectory() as data:
            compared = {**contenders(data), **others}
            base = config.base if config.base in compared else ECHO
            print(f"Tris, concurrent games: {games}, rounds: {config.rounds}\n", flush=True)
            print_table(measure(compared, games, config.moves_of(games), config.rounds), base)
    if not config.games or max(config.games) >= PACED_GAMES:
        _paced()


def _paced() -> None:
    print(f"Tris, one move per second in each of {PACED_GAMES} games\n")
    found = {}
    with tempfile.TemporaryDirectory() as data:
        for name in (DURABLE, "native durable"):
            contender = contenders(data)[name]
            with contender.start() as (pid, port):
                sample = drive(contender.driver, pid, port, PACED_GAMES, 1, "--pace", "1")
            found[name] = Measurement([sample], sample.memory)
    print_table(found, next(iter(found)))
