"""`boardwire adapt`: translate between two protocols of one game."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from boardwire.commands.arguments import find_dialect, parse_address, parse_listen_address


def adapt(connect: str, *, client_dialect: Annotated[str, Parameter("--from")], listen: str, to: str) -> None:
    """Let clients of one protocol play on a server of another protocol for the same game.

    Each client gets its own connection to the server. A message that the other protocol cannot express gets its
    declared default answer, which is printed.

    Parameters
    ----------
    connect
        HOST:PORT of the server.
    client_dialect
        The protocol of the clients.
    listen
        PORT or HOST:PORT for clients to connect to [host 127.0.0.1]; 0 picks a free port.
    to
        The protocol of the server.
    """
    from boardwire import logs
    from boardwire.bridge import server

    find_dialect(client_dialect)
    find_dialect(to)
    logs.configure("warning")
    server.run(client_dialect, parse_listen_address(listen), to, parse_address(connect))
