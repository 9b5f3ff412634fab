"""What the composition root brings along itself: the clock, and the order in which it starts."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from boardwire.config import Settings
from boardwire.lobby.lobby import Lobby
from boardwire.lobby.requests import Seek
from boardwire.node import LoopClock, Node
from boardwire.simulation.luck import CountedNames, ScriptedDealer
from boardwire.store.memory import MemoryJournal
from boardwire.table.commands import Act, Close, Join, TimeOut
from boardwire.table.events import Joined, Left, Opened, Player, Started
from boardwire.table.guest import Guest, News, Refusal
from boardwire.table.match import Status
from boardwire.table.policy import Leaving, Policy
from boardwire.table.termination import Termination

HOUR = 3600.0
MATCHES = 20


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


@pytest.fixture
def left(monkeypatch: pytest.MonkeyPatch) -> MemoryJournal:
    """What a former process left: matches that can be resumed."""
    journal = MemoryJournal()
    policy = Policy(Leaving.HOLDS, 60.0)
    for number in range(MATCHES):
        name = f"m{number}"
        players = [Joined(1.0, seat, Player(f"p{seat}", "native", key=f"k{number}{seat}")) for seat in (0, 1)]
        journal.append(
            name, 1, [Opened(1.0, name, "tris@1", 2, {}, policy), *players, Started(1.0, {})], lambda ok: None
        )
    monkeypatch.setattr(Node, "_open_journal", lambda self, directory: journal)
    return journal


def test_the_ports_are_open_before_anything_is_taken_up(
    left: MemoryJournal, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("boardwire.node.RECOVERY_SLICE_SECONDS", 0.0)  # a slice is one match
    seen: list[tuple[int, int]] = []
    taken_up = Lobby.recover_next

    def recover_next(self: Lobby) -> bool:
        seen.append(self.recovered)
        return taken_up(self)

    monkeypatch.setattr(Lobby, "recover_next", recover_next)

    async def scenario() -> None:
        loop = asyncio.get_running_loop()
        node = Node(Settings(data=":memory:", http="off", listen=("tris-lines=0",)), loop)
        await node.start()
        lines = capsys.readouterr().out.splitlines()
        assert [line.split()[0] for line in lines] == ["listening", "ready"]
        assert seen == [], "ready comes first"
        _, writer = await asyncio.open_connection("127.0.0.1", int(lines[0].rpartition(":")[2]))
        while node.lobby.recovered != (MATCHES, 0):
            await asyncio.sleep(0)
        assert len(node.crowd.connections) == 1, "somebody was let in meanwhile"
        writer.close()
        await node.stop()

    asyncio.run(scenario())
    assert len(seen) == MATCHES


def test_what_was_not_taken_up_when_the_node_stops_is_left_to_the_next(left: MemoryJournal, tmp_path: Path) -> None:
    async def scenario() -> None:
        node = Node(Settings(data=":memory:", http="off", listen=("tris-lines=0",)), asyncio.get_running_loop())
        await node.start()
        await node.stop()
        await asyncio.sleep(0)

    asyncio.run(scenario())
    assert len(list(left.unfinished())) == MATCHES


def test_a_match_that_somebody_else_has_is_a_log_line_and_the_node_goes_on(left: MemoryJournal) -> None:
    async def scenario() -> None:
        node = Node(Settings(data=":memory:", http="off", listen=("tris-lines=0",)), asyncio.get_running_loop())
        node.lobby.find_unfinished()
        table = node.lobby.table("m0")
        left.append("m0", table.match.seq + 1, [Left(2.0, 0)], lambda result: None)
        table.do(None, Close(Termination.INTERRUPTED))
        assert table.superseded
        await node.stop()

    with capture_logs() as logs:
        asyncio.run(scenario())
    wrong = [(line["event"], line["match"]) for line in logs if line["log_level"] == "error"]
    assert wrong == [("another process has written to this match; it is closed here", "m0")]
