"""`boardwire check`: runs the checks of a dialect against any server."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence

from boardwire.conformance import verdicts
from boardwire.conformance.server import checks, probe
from boardwire.conformance.server.check import Check, CheckResult, Probe, run
from boardwire.conformance.verdicts import all_passed
from boardwire.output import sequence
from boardwire.terminal.colours import for_terminal

__all__ = ["all_passed", "check", "run_checks"]


def check(
    dialect: str,
    host: str,
    port: int,
    *,
    json: bool,
    wait: float,
    restart: str = "",
    only: str = "",
    alone: bool = False,
) -> list[CheckResult]:
    """Run the checks of `dialect` with `only` in their names; print and return the results."""
    selected = verdicts.select(checks(dialect), only)
    return asyncio.run(run_checks(selected, probe(dialect, host, port, wait, restart, alone=alone), json))


async def run_checks(selected: Sequence[Check], probe: Probe, json: bool) -> list[CheckResult]:
    """Run checks; print and return the results."""
    results: list[CheckResult] = []
    async for result in run(selected, probe):
        results.append(result)
        if json:
            print(verdicts.as_json(result), flush=True)
        elif sys.stderr.isatty():
            line_start = sequence("\r", sys.stderr)
            print(f"{line_start}{len(results)} of {len(selected)} checks", end="", file=sys.stderr, flush=True)
    if not json:
        if sys.stderr.isatty():
            print(sequence("\r", sys.stderr) + sequence("[K", sys.stderr), end="", file=sys.stderr, flush=True)
        for line in verdicts.lines(results, for_terminal()):
            print(line)
    return results
