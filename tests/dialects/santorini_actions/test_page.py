"""The page of santorini-actions shows what the server says."""

from __future__ import annotations

from boardwire.simulation.server import House

from ..exchange import OneSided, exchanges  # noqa: TID252 - tests are no installed package


def test_the_exchange_on_the_page_is_what_the_server_says() -> None:
    (exchange,) = exchanges("santorini-actions.md")
    OneSided(House(seed=0)).play(exchange)
