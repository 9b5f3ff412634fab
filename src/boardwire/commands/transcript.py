"""`boardwire transcript`: show, draw, compare and replay conversations that a proxy recorded."""

from __future__ import annotations

import sys
from pathlib import Path

from cyclopts import App

from boardwire.commands.arguments import find_dialect, parse_address, parse_listen_address
from boardwire.errors import Malformed
from boardwire.wire.text import escaped

app = App(name="transcript", help="Show, draw, replay and compare conversations that a proxy recorded.")


@app.command
def show(file: Path, *, json: bool = False, rulings: bool = False, language: str = "en") -> None:
    """Print a conversation and its findings.

    Parameters
    ----------
    file
        A file that `boardwire proxy --record` wrote, perhaps edited by hand.
    json
        Print one JSON object a line.
    rulings
        Also report breaches of our own rulings, which the published document does not have.
    language
        Language of the findings: en or it.
    """
    from boardwire.conformance import language as findings_language
    from boardwire.proxy import console, replay, transcript

    findings_language.set_language(language)
    recorded = transcript.read(file)
    printer = console.Printer(json=json)
    for record in replay.judge(recorded, rulings=rulings):
        printer(record)
    printer.finish()
    if not json:
        print(printer.summary())
    _warn_if_cut(recorded.cut)


@app.command
def diagram(file: Path) -> None:
    """Draw a conversation as a Mermaid sequence diagram.

    Parameters
    ----------
    file
        A file that `boardwire proxy --record` wrote.
    """
    from boardwire.proxy import replay, transcript

    recorded = transcript.read(file)
    for line in replay.mermaid(replay.judge(recorded)):
        print(line)
    _warn_if_cut(recorded.cut)


@app.command
def diff(one: Path, other: Path) -> None:
    """Print the first difference between two conversations; exit code 1 if there is one.

    Parameters
    ----------
    one
        A transcript.
    other
        Another transcript.
    """
    from boardwire.proxy import replay, transcript

    difference = replay.difference(transcript.read(one), transcript.read(other))
    print(difference or "the two conversations are the same")
    if difference:
        sys.exit(1)


@app.command(name="replay")
def replay_transcript(
    file: Path,
    *,
    connect: str = "",
    listen: str = "",
    wait: float = 3.0,
    shrink: bool = False,
    json: bool = False,
    rulings: bool = False,
    language: str = "en",
) -> None:
    """Replay one side of a conversation: the clients' to a server, or the server's to clients.

    Exit code 1 if there are findings.

    Parameters
    ----------
    file
        A file that `boardwire proxy --record` wrote.
    connect
        HOST:PORT of a server, which gets the messages of the clients.
    listen
        PORT or HOST:PORT: clients that connect get the messages from the server.
    wait
        Seconds to wait for each message that the other side sends in the transcript.
    shrink
        Print the shortest transcript that still has the first finding. It is judged as recorded or, with --connect,
        with the server's answers; then every player of the match must have been recorded.
    json
        Print one JSON object a line.
    rulings
        Also report breaches of our own rulings, which the published document does not have.
    language
        Language of the findings: en or it.
    """
    import asyncio

    from boardwire.conformance import language as findings_language
    from boardwire.proxy import console, replay, transcript

    findings_language.set_language(language)
    recorded = transcript.read(file)
    find_dialect(recorded.dialect)
    _warn_if_cut(recorded.cut)
    if bool(connect) == bool(listen) and not (shrink and not listen):
        raise Malformed("give --connect HOST:PORT to replay the clients' side, or --listen PORT to replay the server's")
    if shrink:
        address = parse_address(connect) if connect else None
        print(*asyncio.run(console.shrink(recorded, address, wait, rulings=rulings)), sep="\n")
        return
    printer = console.Printer(json=json)
    if connect:
        asyncio.run(replay.play_clients(recorded, *parse_address(connect), printer, wait, rulings=rulings))
    else:
        address = parse_listen_address(listen)
        announcer = console.Announcer(json=json)

        def ready(host: str, port: int) -> None:
            announcer.listening(recorded.dialect, f"{host}:{port}")
            announcer.ready()

        asyncio.run(replay.play_server(recorded, *address, printer, wait, ready, rulings=rulings))
    printer.finish()
    if not json:
        print(printer.summary())
    if any(printer.findings.values()):
        sys.exit(1)


def _warn_if_cut(cut: str) -> None:
    if cut:
        print(f"boardwire: {escaped(cut)}", file=sys.stderr)
