"""Tris moves: our server by tris-lines and native, in memory and durable, beside a bare echo and others' servers."""

from __future__ import annotations

import tempfile
from functools import partial
from typing import Final

from training.c_library import NoCompilerError

from bench import rivals, servers
from bench.asked import Asked
from bench.contenders import Contender, Measured, drive, measure, table
from bench.hotloop import load

ECHO: Final = "echo"
DURABLE: Final = "tris-lines durable"
"""What other games are compared with."""
RIVALS: Final = ("room", "colyseus", "boardgame.io")
PACED: Final = 1000


def contenders(data: str) -> dict[str, Contender]:
    """Our servers, durable in this directory, and the echo."""
    found = {ECHO: Contender(partial(servers.module, "bench.echo"), ("bench.driver", "line-echo"))}
    for dialect in ("tris-lines", "native"):
        for name, where in (("in memory", ":memory:"), ("durable", f"{data}/{dialect}")):
            start = partial(servers.boardwire, dialect, where)
            found[f"{dialect} {name}"] = Contender(start, ("bench.driver", dialect))
    return found


def installed() -> dict[str, Contender]:
    """The rivals that could be installed; why another could not is printed."""
    found = {}
    for rival in RIVALS:
        try:
            command = rivals.command(rival)
        except rivals.NotInstalled as problem:
            print(f"{rival} is not measured: {problem}")
        else:
            found[rival] = Contender(partial(servers.started, command), ("bench.driver", rival))
            print(f"{rival}: {rivals.version(rival)}")
    return found


def run(asked: Asked) -> None:
    """Print a table for each number of games, and how a server does at a player's pace."""
    try:
        load()
    except NoCompilerError as problem:
        print(f"Tris is not measured: {problem}\n")
        return
    others = installed() if asked.rivals else {}
    if others:
        print(flush=True)
    for games in asked.games:
        with tempfile.TemporaryDirectory() as data:
            all_of_them = {**contenders(data), **others}
            base = asked.base if asked.base in all_of_them else ECHO
            print(f"Tris, games at once: {games}, rounds: {asked.rounds}\n", flush=True)
            table(measure(all_of_them, games, asked.moves_of(games), asked.rounds), base)
    if not asked.games or max(asked.games) >= PACED:
        _paced()


def _paced() -> None:
    print(f"Tris, one move a second in each of {PACED} games\n")
    found = {}
    with tempfile.TemporaryDirectory() as data:
        for name in (DURABLE, "native durable"):
            contender = contenders(data)[name]
            with contender.start() as (pid, port):
                sample = drive(contender.driver, pid, port, PACED, 1, "--pace", "1")
            found[name] = Measured([sample], sample.memory)
    table(found, next(iter(found)))
