"""`boardwire check-client`: check a client against a protocol's specification."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from boardwire.commands.arguments import check_wait, find_dialect, find_dialect_for, parse_listen_address
from boardwire.commands.reports import Reports, reporting
from boardwire.errors import Malformed

PERSON_THINKING_SECONDS = 60.0
"""Default of `--think` for a client that a person operates."""


def check_client(
    dialect: str,
    *,
    listen: str = "0",
    run: str = "",
    typed: Annotated[Path | None, Parameter(name="--type")] = None,
    json: bool = False,
    wait: float = 3.0,
    think: float | None = None,
    only: str = "",
    game: str = "",
    report: Reports = None,
    language: str = "en",
) -> None:
    """Check a client against a protocol's specification; exit code 0 if every case was judged and passed, else 1.

    Simulates a server and the other players; each connection takes the next pending case.

    Parameters
    ----------
    dialect
        The protocol.
    listen
        PORT or HOST:PORT for the client to connect to [host 127.0.0.1]; 0 picks a free port, which is printed.
    run
        Command that starts the client, once for each case. Placeholders: {host} and {port} of this server; {players},
        {mode} (simplified or expert) and {name} that the client should request; {{ and }} are braces.
    typed
        File that the command reads as its standard input.
    json
        Print one JSON object a line: name, section, verdict (pass, fail, not examined), detail.
    wait
        Seconds that the client has to close a connection.
    think
        Seconds that the client has for an answer [60; with --run, as --wait].
    only
        Run only the cases whose name contains this.
    game
        The game to play, if the protocol has several. [tris]
    report
        FORMAT FILE: write the findings as html, junit, json or md; may be repeated.
    language
        Language of the reports: en or it.
    """
    from boardwire.conformance.client import examiner
    from boardwire.conformance.server import runner

    check_wait(wait)
    if game:
        find_dialect_for(game, dialect)
    else:
        find_dialect(dialect)
    if think is None:
        think = wait if run else PERSON_THINKING_SECONDS
    if not think > 0:
        raise Malformed(f"--think {think:g}: must be more than 0 seconds")
    host, port = parse_listen_address(listen)
    flags = (*(("--run", run) if run else ()), *(("--type", str(typed)) if typed else ()), "--wait", f"{wait:g}")
    flags += ("--game", game) if game else ()
    command = ("check-client", dialect, "--listen", listen, *flags, "--think", f"{think:g}")
    with reporting("client", dialect, run or f"{host}:{port}", command, report, language) as findings:
        findings += examiner.check(
            dialect, host, port, run=run, typed=typed, json=json, wait=wait, think=think, only=only, game=game
        )
    if not runner.all_passed(findings):
        sys.exit(1)
