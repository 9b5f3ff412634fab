"""What the composition root brings along itself: the clock."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator

import pytest

from boardwire.node import LoopClock
from boardwire.store.memory import MemoryJournal
from boardwire.table.commands import Act, Join, TimeOut
from boardwire.table.errands import Seek
from boardwire.table.events import Leaving, Player, Policy
from boardwire.table.guest import Guest, News, Refusal
from boardwire.table.lobby import Lobby
from boardwire.table.match import Status
from boardwire.testing.luck import CountedNames, ScriptedDealer

HOUR = 3600.0


@pytest.fixture
def loop() -> Iterator[asyncio.AbstractEventLoop]:
    loop = asyncio.new_event_loop()
    yield loop
    loop.close()


def set_wall_clock(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    """Somebody sets the machine's clock forward, or back."""
    wall = time.time
    monkeypatch.setattr("time.time", lambda: wall() + seconds)


@pytest.mark.parametrize("jump", [HOUR, -HOUR])
def test_setting_the_machines_clock_costs_nobody_a_second(
    jump: float, loop: asyncio.AbstractEventLoop, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: list[News] = []
    lobby = Lobby(MemoryJournal(), LoopClock(loop), ScriptedDealer(seed=0), CountedNames())
    ann, bob = Guest(heard.append), Guest(heard.append)
    lobby.do(ann, Seek("tris", 2, Player("ann", key="A"), policy=Policy(Leaving.HOLDS, 60.0, bank=300.0)))
    table = ann.table
    assert table is not None
    bob.table = table
    table.do(bob, Join(Player("bob", key="B")))
    lobby.goodbye(bob)
    set_wall_clock(monkeypatch, jump)
    for seat in (0, 1):  # neither a bank nor the grace of a held seat is over
        table.do(ann, TimeOut(seat))
        assert isinstance(heard[-1], Refusal)
    table.do(ann, Act(0, (4,)))
    assert table.match.status is Status.PLAYING
    assert 299.0 < table.match.banks[0] <= 300.0
