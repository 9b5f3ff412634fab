"""What passes at a server's own tables is kept, and no more of it than is said."""

from __future__ import annotations

import asyncio

import pytest

from boardwire.clinic import tap as tapping
from boardwire.clinic.tap import Tap
from boardwire.table.guest import Guest

from ..net.harbour import run  # noqa: TID252 - tests are no installed package


def test_of_very_much_the_oldest_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tapping, "MOST", 100)

    async def scenario() -> None:
        tap = Tap("", lambda text: None)
        ears = [tap.open("tris-lines", "127.0.0.1", Guest(lambda news: None)) for _ in range(3)]
        for ear in ears:
            ear.places["m"] = 0
        ears[0].server(b"WAIT\n")
        ears[0].client_left(reset=False)
        for _ in range(60):
            for ear in ears[1:]:
                ear.client(b"4\n")
        tap.stop()
        live = tap.after("m", 0, 10_000)
        assert 50 <= len(live.entries) <= 100
        assert [one.connection for one in live.seats] == [2, 3]

    run(scenario, asyncio.new_event_loop)
