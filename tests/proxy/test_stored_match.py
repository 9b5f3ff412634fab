"""What a client would have seen: it equals what clients on real sockets did see.

Not the same, because a journal does not know it: when signs of life come, the key and the masks of a WebSocket, tokens,
and which of two ends that speak or close at once is the first: so what each of them says is compared by itself.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from random import Random
from typing import Any

import msgspec
import pytest

from boardwire import dialects
from boardwire.api.conversations import Stop
from boardwire.bots.bot import BUDGET
from boardwire.bots.server_bots import BOTS
from boardwire.config import Settings
from boardwire.conformance.finding import Finding, Side
from boardwire.conformance.monitor import Closed, MessageRecord, Opened, Record
from boardwire.dialects import dialect as dialect_of
from boardwire.dialects.dialect import Ask, ClientOptions, Over, PlayerMessage
from boardwire.errors import Refused
from boardwire.games.eriantys import PlayAssistant, ToHall, ToIsland
from boardwire.games.santorini.actions import DONE, USE, Build, Move, PlaceWorker
from boardwire.lobby.requests import Enter, Seek
from boardwire.net.client import ClientConnection, connect
from boardwire.node import Node
from boardwire.proxy.proxy import MonitorQueue, Proxy
from boardwire.proxy.stored_match import SECRET, StoredConversation, reconstruct
from boardwire.simulation.server import SimulatedServer
from boardwire.table import events as ev
from boardwire.table.commands import Act, AnswerUndo, Chat, OfferUndo, Resign
from boardwire.table.events import Event, Player
from boardwire.table.guest import Guest
from boardwire.table.policy import Leaving, Policy

from ..conformance.watched import Table
from ..net.harbour import run

NAMES = ("ann", "bob", "cid", "dan")
TOWERS = ("white", "black", "grey")
QUIET = 40
"""Turns of the event loop without a message after which everything has been answered."""

SEATS = tuple((name, name) for name in dialects.DIALECT_PACKAGES)
MIXED = (
    ("santorini-lobby", "santorini-actions"),
    ("santorini-objects", "santorini-lobby", "santorini-actions/shipped"),
    ("eriantys-objects", "eriantys-messages", "eriantys-objects"),
    ("eriantys-messages",) * 4,
)


class Sitter:
    """A player that answers when it is told to."""

    def __init__(self) -> None:
        self.asked: Ask | None = None
        self.connection: ClientConnection | None = None

    def receive(self, connection: ClientConnection, notification: PlayerMessage) -> None:
        self.connection = connection
        if isinstance(notification, Ask):
            self.asked = notification
        elif isinstance(notification, Over):
            self.asked = None

    def answer(self, luck: Random) -> None:
        assert self.asked is not None, "it is asked"
        assert self.connection is not None, "it is connected"
        asked, self.asked = self.asked, None
        choices = asked.decision.choices
        plain = tuple(choices) == (USE, DONE)
        self.connection.answer(
            DONE if plain else BOTS["random"].choose(asked.view, asked.decision, luck.randrange, BUDGET)
        )


class Played:
    """A match on real sockets, with a proxy before each seat's port: the journal's events and what was said."""

    def __init__(self, seats: Sequence[str], seed: int, answers: int) -> None:
        self.seats = seats
        self.events: list[Event] = []
        self.records: list[Record] = []
        run(partial(self._play, Random(seed), answers), asyncio.new_event_loop)

    def said(self, seat: int, side: Side) -> list[Any]:
        return messages(self.records, seat + 1, side)

    async def _play(self, luck: Random, answers: int) -> None:
        listen = tuple(f"{name}=0" for name in dict.fromkeys(self.seats) if name != "native")
        node = Node(Settings(data=":memory:", http="0", listen=listen or ("tris-lines=0",)), asyncio.get_running_loop())
        await node.start(lambda line: None)
        monitor_queue = MonitorQueue(self.records.append, lambda text: None)
        proxies = {}
        for name in dict.fromkeys(self.seats):
            proxies[name] = Proxy(name, "127.0.0.1", node.ports[name], monitor_queue, lambda text: None)
        ports = {name: (await proxy.listen("127.0.0.1", 0))[1] for name, proxy in proxies.items()}
        try:
            await self._meet(luck, answers, node, ports)
        finally:
            for proxy in proxies.values():
                await proxy.stop()
            await node.stop()

    async def _meet(self, luck: Random, answers: int, node: Node, ports: dict[str, int]) -> None:
        sitters = []
        for seat, name in enumerate(self.seats):
            sitters.append(Sitter())
            seating = ClientOptions(NAMES[seat], len(self.seats), settings_of(name, seat, len(self.seats)))
            await connect(dialect_of(name), "127.0.0.1", ports[name], seating, sitters[-1])
            while len(node.lobby) < 1 or sum(map(bool, next(iter(node.lobby)).match.players)) <= seat:
                await asyncio.sleep(0.002)
            await self._quiet()
        match = next(iter(node.lobby)).match.id
        self.events = list(node.journal.read(match))
        told = True  # an answer that is no event, as that no character is used, is conversation with what follows it
        while answers > 0 or not told:
            sitter = next((one for one in sitters if one.asked is not None), None)
            if sitter is None:
                break
            sitter.answer(luck)
            answers -= 1
            await self._quiet()
            before, self.events = len(self.events), list(node.journal.read(match))
            told = len(self.events) > before
        self.records = list(self.records)  # what comes now is the end of the server

    async def _quiet(self) -> None:
        count, turns = -1, 0
        while turns < QUIET:
            turns = turns + 1 if count == len(self.records) else 0
            count = len(self.records)
            await asyncio.sleep(0)


def settings_of(name: str, seat: int, seats: int) -> dict[str, str]:
    if name == "native":
        return {"game": "tris"}
    return {"mode": "expert", "tower": TOWERS[seat % (2 if seats == 4 else 3)]} if name.startswith("eriantys") else {}


def messages(records: Sequence[Record], connection: int, side: Side) -> list[Any]:
    """What a side said, without what the module names; frames of a WebSocket by their text."""
    found: list[Any] = []
    for one in records:
        if isinstance(one, MessageRecord) and (one.connection, one.side) == (connection, side):
            if one.name.lower() in ("ping", "pong", "pingmessage", "head"):
                continue
            is_frame = one.text.startswith("{") and not one.data.startswith(b"{")
            found.append(_without_token(one.text) if is_frame else one.data)
    return found


def _without_token(text: str) -> str:
    fields = msgspec.json.decode(text)
    if "token" in fields:
        fields["token"] = SECRET * 4
    return msgspec.json.encode(fields).decode()


def assert_same(played: Played) -> None:
    for seat, name in enumerate(played.seats):
        conversation = reconstruct(played.events, name, seat)
        assert conversation.stopped == ""
        assert [one for one in conversation.records if isinstance(one, Finding)] == []
        for side in Side:
            seen, made = played.said(seat, side), messages(conversation.records, 1, side)
            for index, (one, other) in enumerate(zip(seen, made, strict=False)):
                assert one == other, f"seat {seat}, message {index} of the {side}"
            assert len(seen) == len(made)
            assert len(seen) > 3


@pytest.mark.parametrize("seats", SEATS, ids="+".join)
def test_the_start_of_a_match_on_sockets_is_reconstructed(seats: tuple[str, ...]) -> None:
    assert_same(Played(seats, seed=1, answers=9))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("seats", SEATS + MIXED, ids="+".join)
def test_a_whole_match_on_sockets_is_what_is_retold(seats: tuple[str, ...], seed: int) -> None:
    assert_same(Played(seats, seed=seed, answers=100_000))


# --- what is told, by rule ------------------------------------------------------------------------------------------


def stored(*dialects: str, seed: int = 0, game: str = "") -> list[Event]:
    """A whole match between our own clients."""
    table = Table(seed)
    now = iter(range(1000, 10_000_000))
    table.server.clock.now = lambda: float(next(now))  # type: ignore[method-assign]  # every event at its own time
    for seat, name in enumerate(dialects):
        settings = {"game": game} if name == "native" else settings_of(name, seat, len(dialects))
        table.join(name, NAMES[seat], len(dialects), settings)
    table.carry()
    return table.server.events()


def texts(conversation: StoredConversation) -> list[str]:
    return [one.text for one in conversation.records if isinstance(one, MessageRecord)]


@pytest.mark.parametrize("as_dialect", ["santorini-objects", "santorini-actions", "native"])
def test_a_match_is_converted_to_other_dialects_of_its_game(as_dialect: str) -> None:
    events = stored("santorini-lobby", "santorini-lobby", seed=2)
    conversation = reconstruct(events, as_dialect, 0)
    assert conversation.stopped == ""
    assert [one for one in conversation.records if isinstance(one, Finding)] == []
    assert len(texts(conversation)) > 50
    assert isinstance(conversation.records[-1], Closed)


def students(order: Sequence[int]) -> list[Event]:
    """The first turn of a match of Eriantys: one student goes to an island, two to the hall, in this order."""
    server = SimulatedServer(seed=1)
    now = iter(range(1000, 10_000))
    server.clock.now = lambda: float(next(now))  # type: ignore[method-assign]  # every event at its own time
    for seat in range(2):
        server.lobby.do(Guest(lambda notification: None), Seek("eriantys", 2, Player(NAMES[seat], "native")))
    table = next(iter(server.lobby))
    for seat in range(2):
        table.do(None, Act(seat, (PlayAssistant(seat + 1),)))
    assert table.match.pending is not None
    first, second, third = [one.colour for one in table.match.pending.choices if isinstance(one, ToHall)][:3]
    places = ToIsland(first, 3), ToHall(second), ToHall(third)
    for index in order:
        table.do(None, Act(0, (places[index],)))
    assert table.match.moves == 5
    return server.events()


def test_choices_of_a_turn_come_in_the_order_of_the_wire_if_that_leads_to_the_same() -> None:
    told_as = [reconstruct(students(order), "eriantys-objects", 0) for order in ((0, 1, 2), (1, 0, 2), (1, 2, 0))]
    assert [conversation.stopped for conversation in told_as] == [""] * 3
    assert texts(told_as[0]) == texts(told_as[1]) == texts(told_as[2])
    assert any("StudentToHall" in text and "students: [" in text for text in texts(told_as[0]))


@pytest.mark.parametrize("as_dialect", ["santorini-objects", "santorini-actions", "santorini-lobby"])
def test_a_match_without_gods_is_converted_for_protocols_that_need_one(as_dialect: str) -> None:
    placed = [Act(number // 2, (PlaceWorker(at),)) for number, at in enumerate((0, 1, 23, 24))]
    events = friendly(*placed, Act(0, (Move(0, 5),)), Act(0, (Build(5, 0),)), game="santorini")
    conversation = reconstruct(events, as_dialect, 0)
    assert conversation.stopped == ""
    assert conversation.lines[-1].seq == len(events)


def test_an_event_that_a_dialect_cannot_express_ends_the_conversation_with_a_sentence() -> None:
    events = stored("santorini-actions", "santorini-actions")
    conversation = reconstruct(events, "santorini-objects", 0)
    assert conversation.stop is Stop.UNSPOKEN
    assert conversation.stopped.startswith('at event 6 seat 0 chose {"type":"propose_god"')
    assert "santorini-objects cannot express it" in conversation.stopped
    assert texts(conversation) != []


def test_a_dialect_of_another_game_and_a_seat_that_is_none_are_refused() -> None:
    events = stored("tris-lines", "tris-lines")
    with pytest.raises(Refused, match="santorini-lobby is not a dialect of tris; the dialects are tris-lines, "):
        reconstruct(events, "santorini-lobby", 0)
    with pytest.raises(Refused, match="there is no seat 2 in this match; its seats are 0 to 1"):
        reconstruct(events, "tris-lines", 2)
    with pytest.raises(Refused, match="no dialect called 'morse'"):
        reconstruct(events, "morse", 0)


def test_a_conversation_up_to_an_event_is_the_beginning_of_the_whole_one() -> None:
    events = stored("eriantys-objects", "eriantys-objects")
    whole = reconstruct(events, "eriantys-objects", 1)
    for last in (0, 4, 20, 31):
        part = reconstruct(events, "eriantys-objects", 1, last)
        assert part.lines == tuple(line for line in whole.lines if line.seq <= last)


def friendly(*commands: Any, game: str = "forza") -> list[Event]:
    """A match of two people that undo is allowed in: what they ask of their table."""
    server = SimulatedServer()
    now = iter(range(1000, 10_000))
    server.clock.now = lambda: float(next(now))  # type: ignore[method-assign]  # every event at its own time
    guests = [Guest(lambda notification: None) for _ in range(2)]
    policy = Policy(Leaving.HOLDS, 60.0, undo=True)
    seek = Seek(game, 2, Player("ann", "native", key="secret"), policy=policy, private=True)
    server.lobby.do(guests[0], seek)
    table = guests[0].table
    assert table is not None
    server.lobby.do(guests[1], Enter(table.match.id, Player("bob", "native"), table.match.setting.code))
    for command in commands:
        if command is LEAVES:
            server.lobby.leave(guests[1])
        else:
            table.do(None, command)
    return server.events()


LEAVES = object()


def test_secrets_are_stars() -> None:
    events = friendly(Act(0, (3,)))
    code = events[0].code if isinstance(events[0], ev.Opened) else ""
    assert code
    said = "\n".join(texts(reconstruct(events, "native", 0)))
    assert SECRET in said
    assert code not in said
    assert "secret" not in said


def test_talk_and_giving_up_are_said_where_there_are_words_for_them() -> None:
    events = friendly(Act(0, (3,)), Chat(0, "well"), Chat(1, "played"), Resign(0))
    spoken_lines = texts(reconstruct(events, "forza-lines", 0))
    assert [line for line in spoken_lines if line.startswith(("SAY", "SAID", "RESIGN"))] == [
        "SAY well", "SAID RED well", "SAID YELLOW played", "RESIGN",
    ]  # fmt: skip
    assert '{"type":"say","text":"well"}' in texts(reconstruct(events, "native", 0))


def test_an_undo_is_converted_only_for_a_dialect_that_can_agree_to_it() -> None:
    events = friendly(Act(0, (3,)), OfferUndo(0), AnswerUndo(1, agree=True), Act(0, (2,)))
    assert reconstruct(events, "native", 1).stopped == ""
    assert '{"type":"agree","agree":true}' in texts(reconstruct(events, "native", 1))
    assert "cannot express" in reconstruct(events, "forza-lines", 1).stopped
    assert "cannot express" in reconstruct(events, "forza-lines", 0).stopped


def test_a_returning_player_has_a_second_connection() -> None:
    events = [*friendly(Act(0, (3,)), LEAVES), ev.Returned(9999.0, 1), ev.Acted(9999.5, 1, 4)]
    conversation = reconstruct(events, "native", 1)
    assert conversation.stopped == ""
    assert [one.connection for one in conversation.records if isinstance(one, Opened)] == [1, 2]
    assert '{"type":"resume"' in "".join(texts(conversation))
    assert reconstruct(events, "forza-lines", 1).stop is Stop.BARRED
    assert "cannot return to a seat" in reconstruct(events, "forza-lines", 1).stopped


def test_the_conversation_of_one_who_left_ends_there() -> None:
    events = [*friendly(Act(0, (3,)), LEAVES), ev.TimedOut(9999.0, 1)]
    conversation = reconstruct(events, "forza-lines", 1)
    closed = [one for one in conversation.records if isinstance(one, Closed)]
    assert [one.side for one in closed] == [Side.CLIENT, Side.SERVER]
    assert conversation.records[-1] == closed[-1]
