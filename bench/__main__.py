"""Command line of the benchmarks: `make bench` runs all of them, `python -m bench tris` only the named ones."""

from __future__ import annotations

import argparse
import resource
from importlib import import_module

from bench.conditions import conditions
from bench.config import RunConfig

BENCHMARKS = (
    "tris", "java", "pythons", "sockets", "santorini", "eriantys", "javastream", "santorini_engine", "eriantys_engine",
    "bots", "ladder", "ratings", "arena", "thinking", "nats", "sqlite_layout", "cluster",
)  # fmt: skip


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(number) for number in text.split(","))


def main() -> None:
    """Parse the command line and run the selected benchmarks."""
    defaults = RunConfig()
    parser = argparse.ArgumentParser(prog="bench", description="Run benchmarks side by side.")
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help=f"benchmarks to run (default: all): {', '.join(BENCHMARKS)}"
    )
    parser.add_argument("--games", type=_numbers, default=defaults.games, help="concurrent games, such as 50,200,1000")
    parser.add_argument("--rounds", type=int, default=defaults.rounds, help="measured rounds")
    parser.add_argument("--moves", type=int, default=defaults.moves, help="moves per round")
    parser.add_argument("--rivals", action="store_true", help="install and measure other projects' servers too")
    parser.add_argument("--base", default="", metavar="SERVER", help="server that ratios refer to")
    original = parser.add_argument_group("java", "compare an original server with ours")
    original.add_argument("--jar", default="", metavar="PATH", help="jar of the original server")
    original.add_argument("--dialect", default=defaults.dialect, help="protocol of the server")
    original.add_argument(
        "--port", type=int, default=0, help="its port; 0: a free one, inserted for {port} in --arguments"
    )
    original.add_argument("--arguments", default="", help="its command-line arguments, quoted as one word")
    arguments = parser.parse_intermixed_args()
    if unknown := set(arguments.names) - set(BENCHMARKS):
        parser.error(f"unknown benchmark: {', '.join(sorted(unknown))}; choose from {', '.join(BENCHMARKS)}")
    config = RunConfig(
        arguments.games, arguments.rounds, arguments.moves, arguments.rivals, arguments.base, arguments.jar,
        arguments.dialect, arguments.port, arguments.arguments,
    )  # fmt: skip
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))  # 1,000 games need 2,000 sockets on each side
    print(conditions(), end="\n\n", flush=True)
    for name in arguments.names or BENCHMARKS:
        import_module(f"bench.{name}").run(config)


if __name__ == "__main__":
    main()
