"""The specification of santorini-actions matches the server."""

from __future__ import annotations

from boardwire.simulation.server import SimulatedServer

from ..exchange import OneSided, exchanges


def test_the_specified_exchange_matches_the_server() -> None:
    (exchange,) = exchanges("santorini-actions.md")
    OneSided(SimulatedServer(seed=0)).play(exchange)
