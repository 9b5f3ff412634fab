"""Round trip of a WebSocket message: our implementation beside two libraries."""

from __future__ import annotations

from functools import partial
from importlib.util import find_spec
from typing import Final

from bench import servers
from bench.config import RunConfig
from bench.contenders import Contender, measure, print_table

GAMES: Final = 100
"""Pairs of connections."""
LIBRARIES: Final = {"ours": ("boardwire",), "picows": ("picows",), "uvicorn": ("uvicorn", "websockets")}
"""The echo servers of `bench.socket_echo` and the packages that each needs."""


def run(config: RunConfig) -> None:
    """Print the table."""
    print(f"Echo of a move's frame over {2 * GAMES} WebSockets\n")
    found: dict[str, Contender] = {}
    for name, packages in LIBRARIES.items():
        missing = [package for package in packages if find_spec(package) is None]
        if missing:
            print(f"{name} skipped: not installed: {', '.join(missing)}")
        else:
            start = partial(servers.module, "bench.socket_echo", name)
            found[name] = Contender(start, ("bench.driver", "frame-echo"))
    print_table(measure(found, GAMES, config.moves, config.rounds), "ours")
