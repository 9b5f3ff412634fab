"""`boardwire check-engine`: check an engine against the specification of engines."""

from __future__ import annotations

import sys

from boardwire.commands.reports import Reports, reporting
from boardwire.errors import Malformed

ANY_GAME = "any"
"""Value of `--schema` for the messages without a game's types."""


def check_engine(
    command: str = "",
    *,
    game: str = "",
    text: bool = False,
    json: bool = False,
    seconds: float = 0.5,
    only: str = "",
    report: Reports = None,
    language: str = "en",
    schema: str = "",
) -> None:
    """Check an engine against docs/engines.md; exit code 0 if every check was judged and passed, else 1.

    The engine runs in a cage: with limits, without network, and with access only to its own files.

    Parameters
    ----------
    command
        The command line of the engine, as one word: 'python3 engine.py'.
    game
        The game to examine it in [every game that it plays].
    text
        The engine speaks the text mode, not JSON lines.
    json
        Print one JSON object a line: name, section, verdict (pass, fail, not examined), detail.
    seconds
        Time limit of one decision.
    only
        Run only the checks whose name contains this.
    report
        FORMAT FILE: write the results as html, junit, json or md; may be repeated.
    language
        Language of the reports: en or it.
    schema
        Print the JSON Schema of the messages with the types of this game, or of any, and examine nothing.
    """
    if schema:
        import msgspec

        from boardwire.engines import protocol

        definition = protocol.schema(None if schema == ANY_GAME else schema)
        print(msgspec.json.format(msgspec.json.encode(definition)).decode())
        return
    if not command.strip():
        raise Malformed("give the engine's command as one argument: boardwire check-engine 'python3 engine.py'")
    if not 0 < seconds <= 600:
        raise Malformed(f"--seconds {seconds:g}: must be more than 0 and at most 600")
    from boardwire.conformance import engine, verdicts
    from boardwire.engines.process import Mode

    flags = (*(("--game", game) if game else ()), *(("--text",) if text else ()), "--seconds", f"{seconds:g}")
    with reporting("engine", "engines", command, ("check-engine", command, *flags), report, language) as findings:
        findings += engine.check(
            command, Mode.TEXT if text else Mode.JSON, game, json=json, seconds=seconds, only=only
        )  # fmt: skip
    if not verdicts.all_passed(findings):
        sys.exit(1)
