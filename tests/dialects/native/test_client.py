"""Client script and caller of the native dialect."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
import pytest

from boardwire.bots.server_bots import ServerBots
from boardwire.dialects import dialect
from boardwire.dialects.dialect import Answer, Ask, ClientOptions, Note, Over, Players, Result
from boardwire.dialects.native import messages as wire
from boardwire.dialects.native.caller import Caller, ConnectionLost
from boardwire.errors import Reason, Refused
from boardwire.games.tris.rules import Kind
from boardwire.simulation.server import SimulatedClient, SimulatedServer, play_together
from boardwire.talk import Talk
from boardwire.wire.websocket import FrameDecoder, encode_close, encode_ping, encode_pong, encode_text

from .visitor import Visitor


class Player:
    """Record notifications; answer with the first choice on demand."""

    def __init__(self, *, answers: bool = False) -> None:
        self.notification: list[Any] = []
        self._answers = answers

    def __call__(self, client: SimulatedClient, notification: Any) -> None:
        self.notification.append(notification)
        if self._answers and isinstance(notification, Ask):
            client.talk.tell(Answer(next(iter(notification.decision.choices))))

    @property
    def last(self) -> Any:
        return self.notification[-1]


def client(player: Player, **settings: str) -> SimulatedClient:
    return SimulatedClient("native", player, ClientOptions("ann", 2, settings))


def told(one: SimulatedClient, *replies: wire.Reply) -> list[Any]:
    """Return the client's replies to these messages from a server."""
    one.receive(b"".join(encode_text(wire.encode(reply)) for reply in replies))
    return said(one)


def said(one: SimulatedClient) -> list[Any]:
    return [msgspec.json.decode(frame) for frame in FrameDecoder().feed(one.take()) if isinstance(frame, str)]


def stands(
    seq: int = 4, moved: int = 4, cells: tuple[int | None, ...] = (None,) * 9, **changes: Any
) -> wire.MatchState:
    fields: dict[str, Any] = {
        "match": "m", "game": "tris", "seq": seq, "moved": moved, "status": "playing", "players": (None, None),
        "options": {}, "view": {"cells": cells, "turn": 0}, "asked": {"seats": [0], "kind": "mark", "choices": [0, 1]},
    }  # fmt: skip
    return msgspec.convert({**fields, **changes}, wire.MatchState)


def seated(player: Player) -> SimulatedClient:
    """Return a client that has been asked for its first move."""
    one = client(player)
    told(one, wire.Welcome(token="t", name="ann"), wire.Seated(seat=0, state=stands()))
    return one


# --- getting to a table ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "request_"),
    [
        ({"game": "tris"}, {"type": "find", "game": "tris"}),
        ({}, {"type": "find", "game": "tris"}),
        ({"match": "m", "code": "c", "seat": "1"}, {"type": "join", "match": "m", "code": "c", "seat": 1}),
        ({"match": "m"}, {"type": "join", "match": "m"}),
        ({"game": "tris", "bots": ", random"}, {"type": "open", "game": "tris", "bots": ["", "random"]}),
        ({"private": "yes"}, {"type": "open", "game": "tris", "bots": [""], "private": True}),
        (
            {"game": "eriantys", "options": '{"mode":"expert"}'},
            {"type": "find", "game": "eriantys", "options": {"mode": "expert"}},
        ),
        (
            {"game": "santorini", "private": "", "options": '{"draft":"random"}'},
            {"type": "open", "game": "santorini", "bots": [""], "private": True, "options": {"draft": "random"}},
        ),
    ],
)
def test_the_settings_select_the_table(settings: dict[str, str], request_: dict[str, Any]) -> None:
    one = client(Player(), **settings)
    assert said(one) == [{"type": "hello", "name": "ann"}]
    assert told(one, wire.Welcome(token="t", name="ann")) == [request_]


def test_options_that_are_not_json_are_refused_in_a_sentence() -> None:
    player = Player()
    one = client(player, options="expert")
    told(one, wire.Welcome(token="t", name="ann"))
    assert "the options 'expert' are not valid JSON" in player.last.text
    assert one.closed


def test_a_kept_seat_is_taken_up_again() -> None:
    kept = (wire.Kept("a", 0), wire.Kept("b", 1))
    one = client(Player(), token="t", match="b")
    assert said(one)[0]["token"] == "t"
    assert told(one, wire.Welcome(token="t", name="ann", kept=kept)) == [{"type": "resume", "match": "b", "seat": 1}]
    other = client(Player(), token="t")
    said(other)
    assert told(other, wire.Welcome(token="t", name="ann", kept=kept)) == [{"type": "resume", "match": "a", "seat": 0}]


def test_a_client_without_a_seat_ends() -> None:
    player = Player()
    one = client(player, match="m")
    told(one, wire.Welcome(token="t", name="ann"), wire.Refused(code="refused", reason="the table is full"))
    assert player.notification == [Over(None, "the table is full", Result.BROKEN_OFF)]
    assert one.closed


def test_the_code_of_a_private_table_is_shown() -> None:
    player = Player()
    one = client(player, private="yes")
    told(one, wire.Welcome(token="t", name="ann"), wire.Seated(seat=0, state=stands(status="waiting"), code="ABC"))
    assert player.notification[0] == Note("This table is private: match m, code ABC.")


# --- playing --------------------------------------------------------------------------------------------------------


def test_a_question_is_asked_once_whatever_arrives_meanwhile() -> None:
    player = Player()
    one = seated(player)
    told(one, wire.Step(events=(), state=stands(seq=5)))
    told(one, wire.Step(events=(), state=stands(seq=7, moved=7)))
    assert [type(notification) for notification in player.notification] == [Players, Ask, Ask]


def test_an_answer_names_the_newest_state() -> None:
    one = seated(Player())
    told(one, wire.Step(events=(), state=stands(seq=5)))
    one.talk.tell(Answer(1))
    assert said(one)[-1] == {"type": "act", "seq": 5, "action": 1}


def test_a_refused_answer_is_asked_for_again_with_the_reason() -> None:
    player = Player()
    one = seated(player)
    told(one, wire.Refused(code="illegal", reason="cell 1 is taken"))
    assert player.last.again == "cell 1 is taken"
    assert player.last.decision.kind is Kind.MARK


def test_after_a_stale_answer_the_state_asks_again_once() -> None:
    player = Player()
    one = seated(player)
    told(one, wire.Refused(code="stale", reason="the match has moved on"), wire.State(state=stands(seq=9, moved=9)))
    assert [type(notification) for notification in player.notification] == [Players, Ask, Ask]
    assert player.last.again == "the match has moved on"
    told(one, wire.Refused(code="stale", reason="the match has moved on"), wire.State(state=stands(seq=9, moved=9)))
    assert [type(notification) for notification in player.notification] == [Players, Ask, Ask, Ask]
    told(one, wire.Step(events=(), state=stands(seq=10, moved=10)))
    assert player.last.again == "", "that answer was taken"


def test_an_unrelated_refusal_is_shown_as_a_note() -> None:
    player = Player()
    one = seated(player)
    told(
        one, wire.Step(events=(), state=stands(seq=5, moved=5, asked=None)), wire.Refused(code="limit", reason="slowly")
    )
    assert player.last == Note("slowly")


@pytest.mark.parametrize(
    ("outcome", "text", "result"),
    [
        ({"termination": "line", "winners": [0]}, "You win (line).", Result.WON),
        ({"termination": "line", "winners": [1]}, "You lose (line).", Result.LOST),
        ({"termination": "full board"}, "A draw (full board).", Result.DRAWN),
        ({"termination": "interrupted"}, "The match was broken off.", Result.BROKEN_OFF),
        ({"termination": "connection lost", "by": 1}, "The match was broken off.", Result.BROKEN_OFF),
        (None, "The match was broken off.", Result.BROKEN_OFF),
    ],
)
def test_the_end_is_reported(outcome: dict[str, Any] | None, text: str, result: Result) -> None:
    player = Player()
    one = seated(player)
    told(one, wire.Step(events=(), state=stands(status="over", asked=None, outcome=outcome)))
    assert (player.last.text, player.last.result) == (text, result)
    assert one.closed


@pytest.mark.parametrize(
    ("frame", "words"),
    [
        (encode_close(1001), "closed the connection"),
        (encode_close(1008, "too many messages"), "too many messages"),
        (encode_text(b"nonsense"), "cannot be decoded"),
        (encode_text(b'{"type":"step","events":7}'), "cannot be decoded"),
        (encode_text(wire.encode(wire.Gone(why="you came back"))), "you came back"),
    ],
)
def test_the_end_of_the_connection_ends_the_match(frame: bytes, words: str) -> None:
    player = Player()
    one = seated(player)
    one.receive(frame)
    assert words in player.last.text
    assert player.last.result is Result.BROKEN_OFF
    assert one.closed


def test_a_lost_connection_ends_the_match_with_the_last_view() -> None:
    player = Player()
    one = seated(player)
    one.lose()
    assert player.last.view.cells == (None,) * 9


def test_a_message_of_an_unknown_type_is_skipped() -> None:
    player = Player()
    one = seated(player)
    before = list(player.notification)
    one.receive(encode_text(b'{"type":"weather","state":{}}'))
    assert player.notification == before
    one.take()
    one.talk.tell(Answer(4))
    assert said(one) == [{"type": "act", "seq": 4, "action": 4}]


def test_pings_are_answered() -> None:
    one = seated(Player())
    one.take()
    one.receive(encode_ping(b"x") + encode_pong(b"y"))
    assert one.take() == encode_pong(b"x", b"\x00" * 4)


def test_a_client_plays_with_a_server_bot() -> None:
    calls: list[Any] = []
    server = SimulatedServer(
        seed=0, bots=ServerBots(lambda n: n - 1, calls.append, lambda seconds, call: calls.append(call))
    )
    player = Player(answers=True)
    pair = (
        SimulatedClient("native", player, ClientOptions("ann", 2, {"bots": ",random"}), server.clock),
        server.connect("native"),
    )
    play_together(server, [pair])
    while calls:
        calls.pop(0)()
        play_together(server, [pair])
    assert player.last.result in (Result.WON, Result.LOST, Result.DRAWN)


# --- calls ----------------------------------------------------------------------------------------------------------


class Line:
    """Caller connected to a separate server."""

    def __init__(self, server: SimulatedServer, script: Callable[[Caller], Awaitable[None]]) -> None:
        async def run(talk: Talk[Any]) -> None:
            await script(Caller(talk))

        speaks = msgspec.structs.replace(dialect("native"), play=lambda seating: run)
        self.pair = (
            SimulatedClient(speaks, lambda client, notification: None, None, server.clock),
            server.connect("native"),
        )
        play_together(server, [self.pair])


def test_every_request_is_a_call() -> None:
    server = SimulatedServer(seed=0)
    cyd = Visitor(server, "cyd")
    cyd.say("open", game="tris")
    heard: list[Any] = []

    async def script(caller: Caller) -> None:
        heard.append((await caller.hello("ann")).name)
        heard.append([table.match for table in await caller.tables("tris")])
        heard.append((await caller.watch("match-1")).state.seq)
        heard.append((await caller.leave()).why)
        heard.append((await caller.join("match-1")).seat)
        heard.append((await caller.sync()).seq)
        heard.append((await caller.next_input()).events[-1].event)  # the step of joining came before the answer to sync
        caller.chat("hello")
        heard.append((await caller.next_input()).events[0].text)
        caller.act(4, 0)
        heard.append((await caller.next_input()).code)
        caller.undo()
        heard.append((await caller.next_input()).reason)
        caller.agree(True)
        heard.append((await caller.next_input()).reason)
        caller.resign()
        heard.append((await caller.next_input()).state.outcome.winners)
        caller.rematch()
        heard.append((await caller.next_input()).seats)
        await caller.leave()
        seated = await caller.open("tris", private=True)
        heard.append(bool(seated.code))
        await caller.leave()
        heard.append((await caller.find("tris")).state.status)
        try:
            await caller.resume("match-1", 0)
        except Refused as error:
            heard.extend((str(error), error.reason))
        try:
            while True:
                await caller.next_input()
        except ConnectionLost as reason:
            heard.append(str(reason))

    line = Line(server, script)
    play_together(server, [line.pair])
    line.pair[1].drop()
    line.pair[0].lose()
    assert heard == [
        "ann", ["match-1"], 2, "you left", 1, 4, "started", "hello", "not-your-turn",
        "you have no action to undo",
        "no undo is offered", (0,), (1,), True, "waiting", "you are already at a table; leave it first",
        Reason.AT_TABLE,
        "The connection was lost.",
    ]  # fmt: skip


def test_an_announcement_is_shown_and_does_not_disturb_the_match() -> None:
    player = Player()
    one = client(player)
    told(one, wire.Welcome(token="t", name="ann"), wire.Seated(seat=0, state=stands()))
    told(one, wire.Announcement(number=1, text="restart at nine"), wire.Announcement(number=2))
    assert player.last == Note("The server announces: restart at nine")
    one.talk.tell(Answer(0))
    assert [message["type"] for message in said(one)] == ["act"]
