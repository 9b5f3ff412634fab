"""`boardwire proxy`: record and judge the conversations between clients and a server."""

from __future__ import annotations

from pathlib import Path

from boardwire.commands.arguments import check_wait, find_dialect, parse_address, parse_listen_address
from boardwire.commands.reports import Reports, reporting


def proxy(
    dialect: str,
    *,
    listen: str,
    connect: str,
    record: Path | None = None,
    json: bool = False,
    quiet: bool = False,
    wait: float = 3.0,
    think: float = 0.0,
    http: str = "",
    faults: str = "",
    seed: int = 0,
    rulings: bool = False,
    report: Reports = None,
    language: str = "en",
) -> None:
    """Relay clients to a server; show the messages, and which side breaks the protocol's specification.

    Bytes are forwarded unchanged and examined afterwards.

    Parameters
    ----------
    dialect
        The protocol.
    listen
        PORT or HOST:PORT for clients to connect to [host 127.0.0.1]; 0 picks a free port.
    connect
        HOST:PORT of the server.
    record
        File for the whole conversation, to be read by `boardwire transcript`.
    json
        Print one JSON object a line: messages, and findings with name, section, verdict and detail.
    quiet
        Print only findings.
    wait
        Seconds that the server has for an answer it owes, and the client to close when the server has.
    think
        Seconds that a client has for an answer, if it is a program, which may not leave its match either. [0: the
        client is a person, who may think and leave]
    http
        PORT or HOST:PORT of a web page that shows the conversation live [host 127.0.0.1].
    faults
        Faults to inject, separated by commas: latency=SECONDS, jitter=SECONDS, throttle=BYTES, split, merge=SECONDS,
        duplicate=PROBABILITY, reset=PIECES, halfopen=PIECES.
    seed
        Seed of the faults, to repeat them.
    rulings
        Also report breaches of our own rulings, which the published document does not have.
    report
        FORMAT FILE: write the findings as html, junit, json or md at the end; may be repeated.
    language
        Language of the findings and the reports: en or it.
    """
    from boardwire import logs
    from boardwire.conformance.report import Reporter
    from boardwire.proxy import console
    from boardwire.proxy.faults import parse as parse_faults

    find_dialect(dialect)
    check_wait(wait)
    logs.configure("warning")
    command = ("proxy", dialect, "--listen", listen, "--connect", connect, *(("--rulings",) if rulings else ()))
    with reporting("proxy", dialect, connect, command, report, language) as findings:
        reporter = Reporter()
        console.run(
            dialect,
            parse_listen_address(listen),
            parse_address(connect),
            record=record,
            json=json,
            quiet=quiet,
            wait=wait,
            think=think,
            faults=parse_faults(faults) if faults else None,
            seed=seed,
            http=parse_listen_address(http) if http else None,
            rulings=rulings,
            reporter=reporter if report else None,
        )
        findings += reporter.findings
