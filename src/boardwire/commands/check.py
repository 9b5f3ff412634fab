"""`boardwire check`: check a server against a protocol's specification."""

from __future__ import annotations

import sys

from boardwire.commands.arguments import check_wait, find_dialect, parse_address
from boardwire.commands.reports import Reports, reporting


def check(
    dialect: str,
    address: str,
    *,
    json: bool = False,
    wait: float = 3.0,
    restart: str = "",
    only: str = "",
    alone: bool = False,
    report: Reports = None,
    language: str = "en",
) -> None:
    """Check a server against a protocol's specification; exit code 0 if every check was judged and passed, else 1.

    Other players may use the server meanwhile. Checks that would take the seat of a waiting player are skipped unless
    --alone is given. A trial that other players may have disturbed is repeated.

    Parameters
    ----------
    dialect
        The protocol.
    address
        HOST:PORT of the server; for native, its HTTP port.
    json
        Print one JSON object a line: name, section, verdict (pass, fail, not examined, skipped), detail.
    wait
        Seconds to wait for an answer.
    restart
        Shell command that restarts the server and returns; it is run between any two trials.
    only
        Run only the checks whose name contains this.
    alone
        The server has no other users: run every check, even if a player seems to be waiting.
    report
        FORMAT FILE: write the findings as html, junit, json or md; may be repeated.
    language
        Language of the reports: en or it.
    """
    from boardwire.conformance.server import runner

    find_dialect(dialect)
    check_wait(wait)
    flags = ("--wait", f"{wait:g}", *(("--restart", restart) if restart else ()), *(("--alone",) if alone else ()))
    with reporting("server", dialect, address, ("check", dialect, address, *flags), report, language) as findings:
        findings += runner.check(
            dialect, *parse_address(address), json=json, wait=wait, restart=restart, only=only, alone=alone
        )
    if not runner.all_passed(findings):
        sys.exit(1)
