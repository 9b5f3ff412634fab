"""`make bench` runs every measurement; `python -m bench tris` only those named; `--rivals` measures others' servers."""

from __future__ import annotations

import argparse
import resource
from importlib import import_module

from bench.conditions import conditions
from bench.config import RunConfig

ALL = (
    "tris", "java", "pythons", "sockets", "santorini", "eriantys", "javastream", "santorini_engine", "eriantys_engine",
    "bots", "ladder", "ratings", "arena", "thinking", "nats", "sqlite_layout", "cluster",
)  # fmt: skip


def _numbers(words: str) -> tuple[int, ...]:
    return tuple(int(word) for word in words.split(","))


def main() -> None:
    """Run what is asked."""
    defaults = RunConfig()
    parser = argparse.ArgumentParser(prog="bench", description="Measurements, side by side in one run.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(ALL)}; none: all")
    parser.add_argument("--games", type=_numbers, default=defaults.games, help="at once, as 50,200,1000")
    parser.add_argument("--rounds", type=int, default=defaults.rounds)
    parser.add_argument("--moves", type=int, default=defaults.moves, help="of a round")
    parser.add_argument("--rivals", action="store_true", help="install others' servers, and measure them too")
    parser.add_argument("--base", default="", metavar="SERVER", help="the one that ratios are to")
    original = parser.add_argument_group("java", "an original server and ours, under the same driver")
    original.add_argument("--jar", default="", metavar="PATH", help="of that server")
    original.add_argument("--dialect", default=defaults.dialect, help="which it speaks")
    original.add_argument("--port", type=int, default=0, help="where it listens; 0: {port} of its arguments")
    original.add_argument("--arguments", default="", help="of its command line, in one word")
    arguments = parser.parse_intermixed_args()
    if unknown := set(arguments.names) - set(ALL):
        parser.error(f"there is no {', '.join(sorted(unknown))}; choose from {', '.join(ALL)}")
    config = RunConfig(
        arguments.games, arguments.rounds, arguments.moves, arguments.rivals, arguments.base, arguments.jar,
        arguments.dialect, arguments.port, arguments.arguments,
    )  # fmt: skip
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    print(conditions(), end="\n\n", flush=True)
    for name in arguments.names or ALL:
        import_module(f"bench.{name}").run(config)


if __name__ == "__main__":
    main()
