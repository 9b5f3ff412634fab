"""The composition root: its clock, recovery at start, and the file limit."""

from __future__ import annotations

import asyncio
import resource
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from structlog.testing import capture_logs
from tests.mail.sink import mail_server

from boardwire import node as node_module
from boardwire.config import Settings
from boardwire.lobby.lobby import Lobby
from boardwire.lobby.requests import Enter, Seek
from boardwire.mail.addresses import CODE_VALID_SECONDS, Addresses
from boardwire.mail.mailer import Delays, Mailer
from boardwire.mail.server import MailTls
from boardwire.moderation.acts import ActKind
from boardwire.node import LoopClock, Node
from boardwire.simulation.luck import CountedNames, ScriptedDealer
from boardwire.store.memory import MemoryJournal
from boardwire.table.commands import Act, Close, Join, TimeOut
from boardwire.table.events import Joined, Left, Opened, Player, Started
from boardwire.table.guest import Guest, Notification, Refusal
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
    """Set the system clock forward or back."""
    wall = time.time
    monkeypatch.setattr("time.time", lambda: wall() + seconds)


@pytest.mark.parametrize("jump", [HOUR, -HOUR])
def test_setting_the_system_clock_changes_no_remaining_time(
    jump: float, loop: asyncio.AbstractEventLoop, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: list[Notification] = []
    lobby = Lobby(MemoryJournal(), LoopClock(loop), ScriptedDealer(seed=0), CountedNames())
    ann, bob = Guest(heard.append), Guest(heard.append)
    lobby.do(ann, Seek("tris", 2, Player("ann", key="A"), policy=Policy(Leaving.HOLDS, 60.0, bank=300.0)))
    table = ann.table
    assert table is not None
    bob.table = table
    table.do(bob, Join(Player("bob", key="B")))
    lobby.disconnected(bob)
    set_wall_clock(monkeypatch, jump)
    for seat in (0, 1):  # neither a bank nor the grace of a held seat is over
        table.do(ann, TimeOut(seat))
        assert isinstance(heard[-1], Refusal)
    table.do(ann, Act(0, (4,)))
    assert table.match.status is Status.PLAYING
    assert 299.0 < table.match.banks[0] <= 300.0


@pytest.fixture
def left(monkeypatch: pytest.MonkeyPatch) -> MemoryJournal:
    """A journal with unfinished matches of an earlier process."""
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


def test_ports_open_before_matches_are_recovered(
    left: MemoryJournal, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("boardwire.node.RECOVERY_SLICE_SECONDS", 0.0)  # a slice is one match
    seen: list[tuple[int, int]] = []
    taken_up = Lobby.recover_next

    def recover_next(self: Lobby) -> bool:
        seen.append(self.recovery_counts)
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
        while node.lobby.recovery_counts != (MATCHES, 0):
            await asyncio.sleep(0)
        assert len(node.connections.connections) == 1, "a client connected meanwhile"
        writer.close()
        await node.stop()

    asyncio.run(scenario())
    assert len(seen) == MATCHES


def test_matches_that_were_not_recovered_before_the_stop_stay_unfinished(left: MemoryJournal, tmp_path: Path) -> None:
    async def scenario() -> None:
        node = Node(Settings(data=":memory:", http="off", listen=("tris-lines=0",)), asyncio.get_running_loop())
        await node.start()
        await node.stop()
        await asyncio.sleep(0)

    asyncio.run(scenario())
    assert len(list(left.unfinished())) == MATCHES


def test_a_superseded_match_is_logged_and_the_node_continues(left: MemoryJournal) -> None:
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
    assert wrong == [("closed a table: another process has written to its match", "m0")]


@pytest.mark.parametrize(("hard", "warned"), [(256, True), (4095, True), (4096, False), (65536, False)])
def test_a_low_file_limit_is_logged_at_start(hard: int, warned: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    limits = [(min(hard, 1024), hard)]
    monkeypatch.setattr(resource, "getrlimit", lambda kind: limits[-1])
    monkeypatch.setattr(resource, "setrlimit", lambda kind, pair: limits.append(pair))
    with capture_logs() as logs:
        node_module._raise_file_limit()
    assert limits[-1][0] == hard
    expected = [("the limit on open files (RLIMIT_NOFILE) is low", hard, hard - 64)] if warned else []
    assert [(log["event"], log["limit"], log["connections"]) for log in logs] == expected
    assert all("ulimit -n" in log["hint"] for log in logs)


def test_some_file_descriptors_are_reserved_for_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    for files, most in ((65536, 65472), (100, 50), (1, 1)):
        monkeypatch.setattr(resource, "getrlimit", lambda kind, files=files: (files, files))
        assert node_module._max_connections() == most


def test_a_draining_node_waits_for_matches_in_play_and_then_stops(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boardwire.node.DRAIN_CHECK_SECONDS", 0.01)

    async def scenario() -> None:
        node = Node(Settings(data=":memory:", http="off", listen=("tris-lines=0",)), asyncio.get_running_loop())
        await node.start()
        drained = asyncio.Event()
        node.on_drained = drained.set
        port = node.ports["tris-lines"]
        players = [await asyncio.open_connection("127.0.0.1", port) for _ in range(2)]
        for reader, _ in players:
            await reader.readuntil(b"READY\n")
        await node.moderation.act("console", ActKind.DRAIN, "another node", seconds=60)
        assert node._why_not_ready() == ""
        await node.moderation.act("console", ActKind.DRAIN, seconds=60)
        assert "is about to stop" in node._why_not_ready()
        await asyncio.sleep(0.05)
        assert not drained.is_set(), "a match is in play"
        late, writer = await asyncio.open_connection("127.0.0.1", port)
        assert await late.read() == b"", "no new player gets a seat"
        writer.close()
        for _, one in players:
            one.close()
        await asyncio.wait_for(drained.wait(), 5.0)
        await node.stop()

    asyncio.run(scenario())


def test_a_turn_by_correspondence_is_told_by_e_mail_also_for_a_seat_of_the_guest_time(
    loop: asyncio.AbstractEventLoop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(node_module, "Mailer", partial(Mailer, delays=Delays(0.0, 0.0, 0.0, 0.0)))
    with mail_server() as sink:
        settings = Settings(
            data=":memory:", http="off", mail_server=f"127.0.0.1:{sink.port}", mail_tls=MailTls.NONE,
            mail_from="games@b.example", mail_site="https://games.example/",
        )  # fmt: skip
        node = Node(settings, loop)

        async def play() -> None:
            bob = (await node.accounts.claim("Bob", "KEY-of-the-guest")).account
            addresses, now = Addresses(node.records), node.moderation.now()
            await addresses.confirm(bob.id, await addresses.begin(bob.id, "bob@b.example", "en", now), now)
            ann, guest = Guest(lambda told: None), Guest(lambda told: None)
            policy = Policy(Leaving.HOLDS, per_move=86_400.0)
            node.lobby.do(ann, Seek("tris", 2, Player("ann", "native", key="A"), policy=policy, fresh=True))
            assert ann.table is not None
            match = ann.table.match.id
            node.lobby.do(guest, Enter(match, Player("bob", "native", key="KEY-of-the-guest")))
            node.lobby.disconnected(guest)
            node.lobby.do(ann, Act(0, (4,)))
            message = await asyncio.to_thread(sink.one)
            assert f"https://games.example/#/table/{match}" in message.get_content()
            await node.stop()

        loop.run_until_complete(play())


def test_a_node_removes_addresses_that_were_not_confirmed_in_time(loop: asyncio.AbstractEventLoop) -> None:
    node = Node(Settings(data=":memory:", http="off"), loop)

    async def begin_and_wait() -> None:
        long_ago = node.moderation.now() - 2 * CODE_VALID_SECONDS
        await Addresses(node.records).begin(1, "ann@example.org", "en", long_ago)
        await node.moderation.follow()
        assert node.records.read(lambda db: db.all("SELECT address FROM mail_addresses")) == []
        await node.stop()

    loop.run_until_complete(begin_and_wait())
