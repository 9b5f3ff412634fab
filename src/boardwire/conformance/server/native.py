"""Checks of the native dialect, mostly at private tables of Tris."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Final

from boardwire.conformance.display import show
from boardwire.conformance.server.check import Answering, Check, Failed, Probe, unexpected
from boardwire.conformance.server.json_lines import Message
from boardwire.conformance.server.native_player import Player, connect, gather, mark, open_table, visit
from boardwire.conformance.server.native_player import answering as pong
from boardwire.net.client_upgrade import mask
from boardwire.wire.websocket import Close, Pong, encode_ping, encode_text, zero_mask

MAX_STEPS: Final = 30
"""Choices to make at a table of each game."""

SQUARES: Final = list(range(9))


# --- the connection ---------------------------------------------------------------------------------------------------


async def hello(probe: Probe) -> None:
    player = await visit(probe)
    if not player.token:
        raise Failed("got welcome without a token; expected a token")


async def hello_first(probe: Probe) -> None:
    player = await connect(probe)
    await player.expect_refusal("refused", "list")
    await player.ask("hello", "welcome", name="check")


async def names(probe: Probe) -> None:
    player = await visit(probe)
    for name, shown in (("", "guest"), ("x" * 40, "x" * 32)):
        await player.say("hello", name=name)
        await player.expect("welcome", name=shown)


async def same_player(probe: Probe) -> None:
    player, again = await visit(probe), await connect(probe)
    await again.say("hello", name="check", token=player.token)
    await again.expect("welcome", token=player.token)


async def unreadable(probe: Probe) -> None:
    player = await visit(probe)
    for text in ("{", "[]", '{"type":"dance"}', '{"type":"open"}', '{"type":"open","game":4}'):
        await player.write(text)
        await player.expect("refused", code="malformed")
    await player.ask("list", "tables")


async def pings(probe: Probe) -> None:
    player = await visit(probe)
    await player.wire.send(encode_ping(b"there?", mask()), "(a ping: there?)")
    received = await player.wire.receive("a pong")
    if received != Pong(b"there?"):
        raise unexpected(received, "a pong with the same payload")


def closed(frame: bytes, shown: str, code: int) -> Callable[[Probe], Awaitable[None]]:
    """Return the check that a frame is answered with a close of this code."""

    async def tried(probe: Probe) -> None:
        player = await visit(probe)
        await player.wire.send(frame, shown)
        received = await player.wire.receive(f"a close with {code}")
        if not isinstance(received, Close) or received.code != code:
            raise unexpected(received, f"a close with {code}")
        await player.wire.expect_close()

    return tried


# --- tables -----------------------------------------------------------------------------------------------------------


async def expect_empty_queue(player: Player) -> None:
    """Raise `Probe.other_player` if a player waits at a public table: the check would be matched with that player."""
    if player.probe.alone:
        return
    for table in (await player.ask("list", "tables", game="tris"))["tables"]:
        if table["status"] == "waiting":
            raise player.probe.other_player(f"the waiting table {show(table['match'])} is listed", harmless=True)


async def opening(probe: Probe) -> None:
    player = await visit(probe)
    await expect_empty_queue(player)
    await player.say("open", game="tris")
    message = await player.expect_seat()
    if (player.seat, player.state.get("status"), len(player.state["players"])) != (0, "waiting", 2):
        raise unexpected(message, "seat 0 of a waiting table for two")
    await player.expect_step("joined")
    await player.ask("leave", "gone")
    await player.ask("list", "tables")


async def wrong_tables(probe: Probe) -> None:
    player = await visit(probe)
    await expect_empty_queue(player)
    for fields in (
        {"game": "chess"},
        {"game": "tris", "seats": 3},
        {"game": "tris", "seat": 2},
        {"game": "tris", "grace": 0},
    ):
        await player.say("open", **fields)
        await player.expect("refused")
    await player.say("open", game="tris", options={"board": 4})
    message = await player.receive("seated, or refused")
    if message.get("type") not in ("seated", "refused"):
        raise unexpected(message, "seated, or refused")


async def listed(probe: Probe) -> None:
    host, guest = await visit(probe), await visit(probe)
    await expect_empty_queue(host)
    await host.say("open", game="tris", leaving="ends")
    await host.expect_seat()
    match = host.state["match"]
    tables = (await guest.ask("list", "tables", game="tris"))["tables"]
    matching = [table for table in tables if table["match"] == match]
    if [(table["game"], table["status"], table["players"][1]) for table in matching] != [("tris", "waiting", None)]:
        raise unexpected({"tables": tables}, f"a waiting table {match} with a free seat")
    others = (await guest.ask("list", "tables", game="santorini"))["tables"]
    if any(table["game"] != "santorini" for table in others):
        raise unexpected({"tables": others}, "tables of santorini only")
    await guest.say("join", match=match)
    await guest.expect_seat()


async def finding(probe: Probe) -> None:
    first, second = await visit(probe), await visit(probe)
    await expect_empty_queue(first)
    for player in (first, second):
        await player.say("find", game="tris")
        await player.expect_seat()
    if first.state["match"] != second.state["match"]:
        raise Failed("two players who requested the same game are at two tables; expected one table")
    await first.say("resign")  # otherwise the server holds their seats


async def private(probe: Probe) -> None:
    host, guest = await open_table(probe), await visit(probe)
    match = host.state["match"]
    if not host.code or any(table["match"] == match for table in (await guest.ask("list", "tables"))["tables"]):
        raise Failed(f"the private table {match} has no code or is listed; expected a code, and no table in the list")
    for code in ("", "wrong"):
        await guest.expect_refusal("private", "join", match=match, code=code)
        await guest.expect_refusal("private", "watch", match=match, code=code)
    await guest.say("join", match=match, code=host.code)
    await guest.expect_seat()


async def starting(probe: Probe) -> None:
    first, second = await gather(probe)
    for player in (first, second):
        if player.state["status"] != "playing" or player.asked.get("seats") != [0]:
            raise unexpected(player.state, "a match in which seat 0 is asked")
    if sorted(first.asked.get("choices", ())) != SQUARES or "choices" in second.asked:
        raise unexpected(first.asked, "the nine cells as choices of seat 0, and no choices for seat 1")


async def bots(probe: Probe) -> None:
    player = await visit(probe)
    await player.say("open", game="tris", private=True, leaving="ends", bots=["", "random"])
    await player.expect_seat()
    await player.expect("step")
    await player.act(4)
    while player.state.get("moves", 0) < 2:
        await player.expect("step")


# --- play -------------------------------------------------------------------------------------------------------------


async def acting(probe: Probe) -> None:
    first, second = await gather(probe)
    await first.act(4)
    for player in (first, second):
        (event,) = await player.expect_step("acted")
        if event.get("seat", 0) != 0 or player.state["view"]["cells"] != [None] * 4 + [0] + [None] * 4:
            raise unexpected(player.state, "the mark of seat 0 on cell 4")
    if sorted(second.asked.get("choices", ())) != [0, 1, 2, 3, 5, 6, 7, 8]:
        raise unexpected(second.asked, "the eight remaining cells")


async def not_acting(probe: Probe) -> None:
    first, second = await gather(probe)
    await mark(first, second, 4)
    await second.expect_refusal("illegal", "act", seq=second.state["seq"], action=4)
    await second.expect_refusal("malformed", "act", seq=second.state["seq"], action="x")
    await first.expect_refusal("not-your-turn", "act", seq=first.state["seq"], action=0)
    await mark(second, first, 0)


async def stale(probe: Probe) -> None:
    first, second = await gather(probe)
    old = first.state["seq"]
    await mark(first, second, 4)
    await second.expect_refusal("stale", "act", seq=old - 1, action=0)
    await second.expect("state")
    await mark(second, first, 0)


async def talk(probe: Probe) -> None:
    first, second = await gather(probe)
    before = first.state["seq"]
    await second.say("say", text="good luck")
    for player in (second, first):
        (event,) = await player.expect_step("chatted")
        if event.get("text") != "good luck":
            raise unexpected(event, "the text that was sent")
    await second.expect_refusal("refused", "say", text="  ")
    await first.say("act", seq=before, action=4)  # talk makes nothing stale
    await first.expect_step("acted")


async def undo(probe: Probe) -> None:
    first, second = await gather(probe)
    await mark(first, second, 4)
    for agree, events in ((False, ["undodeclined"]), (True, ["undoagreed", "undone"])):
        await first.say("undo")
        for player in (first, second):
            await player.expect_step("undooffered")
        await second.say("agree", agree=agree)
        for player in (second, first):
            await player.expect_step(*events)
        if not agree:
            await first.expect_refusal("undo-declined", "undo")  # not before the next step
            await mark(second, first, 0)
    if first.state["view"]["cells"] != [None] * 9 or sorted(first.asked.get("choices", ())) != SQUARES:
        raise unexpected(first.state, "an empty board, and seat 0 to move")


async def winning(probe: Probe) -> None:
    first, second = await gather(probe)
    for player, other, cell in ((first, second, 0), (second, first, 3), (first, second, 1), (second, first, 4)):
        await mark(player, other, cell)
    await first.act(2)
    for player in (first, second):
        await player.expect_step("acted", "ended")
        if player.state["status"] != "over" or player.state["outcome"].get("winners") != [0] or player.asked:
            raise unexpected(player.state, "a match that seat 0 has won")


async def resigning(probe: Probe) -> None:
    first, second = await gather(probe)
    await second.say("resign")
    for player in (second, first):
        await player.expect_step("resigned", "ended")
        if player.state["outcome"].get("winners") != [0]:
            raise unexpected(player.state, "a match that seat 0 has won")
    await first.expect_refusal("over", "resign")


async def once_more(probe: Probe) -> None:
    """Check that a rematch begins when both players have asked for it."""
    first, second = await gather(probe)
    match = first.state["match"]
    await second.say("resign")
    for player in (second, first):
        await player.expect("step")
    await first.say("rematch")
    for player in (first, second):
        await player.expect("wanted", seats=[0])
    await second.say("rematch")
    for player in (first, second):
        message = await player.receive("seated")
        if message.get("type") == "wanted":
            message = await player.receive("seated")
        if message.get("type") != "seated" or player.state["match"] == match:
            raise unexpected(message, "a seat at a new table")
        player.seat = message["seat"]
    seats, expected = [first.seat, second.seat], [1, 0]
    if seats != expected:
        raise Failed(
            f"got the seats {show(seats)}; expected {show(expected)}: in a rematch each player takes the next seat"
        )


async def out_of_time(probe: Probe) -> None:
    first, second = await gather(probe, per_move=1)
    for player in (first, second):
        await player.expect_step("timedout", "ended", wait=probe.wait + 1.0)
        if player.state["outcome"].get("winners") != [1]:
            raise unexpected(player.state, "a match that seat 1 has won")


def choosing(game: str) -> Callable[[Probe], Awaitable[None]]:
    """Return the check that a game can be played by the choices alone."""

    async def played(probe: Probe) -> None:
        players = await gather(probe, game)
        for number in range(MAX_STEPS):
            if players[0].state["status"] == "over":
                return
            movers = [player for player in players if player.asked.get("choices")]
            if not movers or any(player.seat not in player.asked["seats"] for player in movers):
                raise unexpected(players[0].state, "choices for the players who must decide, and for no others")
            choices: list[Any] = movers[0].asked["choices"]
            await movers[0].act(choices[number % len(choices)])
            for player in players:
                await player.expect("step")

    return played


# --- watching, leaving, coming back -----------------------------------------------------------------------------------


async def watching(probe: Probe) -> None:
    first, second = await gather(probe)
    spectator = await visit(probe)
    await spectator.ask("watch", "watching", match=first.state["match"], code=first.code)
    if "choices" in spectator.asked:
        raise unexpected(spectator.asked, "no choices for a spectator")
    await mark(first, second, 4)
    await spectator.expect_step("acted")
    await spectator.expect_refusal("no-seat", "act", seq=spectator.state["seq"], action=0)
    await spectator.ask("leave", "gone")


async def syncing(probe: Probe) -> None:
    first, second = await gather(probe)
    await mark(first, second, 4)
    before = dict(second.state)
    await second.ask("sync", "state")
    if second.state != before:
        raise unexpected(second.state, before)


async def leaving_before(probe: Probe) -> None:
    host = await open_table(probe)
    guest = await visit(probe)
    await host.ask("leave", "gone")
    await guest.expect_refusal("no-such-table", "join", match=host.state["match"], code=host.code)
    await host.expect_refusal("no-seat", "act", seq=1, action=0)


async def held(probe: Probe) -> None:
    """Check that the seat of a player who is away is held, and that its token resumes it."""
    first, second = await gather(probe, grace=60)
    await mark(first, second, 4)
    first.wire.close(reset=True)
    await second.expect_step("left")
    if not _player(second.state, 0).get("away"):
        raise unexpected(second.state, "a state in which the player of seat 0 is away")
    await mark_alone(second, 0)
    again = await connect(probe)
    await again.say("hello", name="check", token=first.token)
    held_seats = (await again.expect("welcome")).get("kept", [])
    if [(entry.get("match"), entry.get("seat")) for entry in held_seats] != [(second.state["match"], 0)]:
        raise unexpected({"kept": held_seats}, "the held seat")
    await again.say("resume", match=second.state["match"], seat=0)
    await again.expect_seat()
    for player in (again, second):
        await player.expect_step("returned")
    if _player(second.state, 0).get("away") or sorted(again.asked.get("choices", ())) != [1, 2, 3, 5, 6, 7, 8]:
        raise unexpected(again.state, "a state in which the player of seat 0 is back and has the decision")


async def mark_alone(player: Player, cell: int) -> None:
    """Play a move of Tris while the other player is away."""
    await player.act(cell)
    await player.expect_step("acted")


def _player(state: Message, seat: int) -> Message:
    player: Message = state["players"][seat]
    return player


async def forfeits(probe: Probe) -> None:
    first, second = await gather(probe, grace=1)
    first.wire.close()
    await second.expect_step("left")
    message = await second.receive("a step with timedout", second.probe.wait + 1.0)
    if second.state.get("status") != "over" or second.state["outcome"].get("winners") != [1]:
        raise unexpected(message, "a match that seat 1 has won")


async def ends(probe: Probe) -> None:
    first, second = await gather(probe, leaving="ends")
    first.wire.close()
    message = await second.expect("step")
    if second.state["outcome"].get("termination") != "abandoned":
        raise unexpected(message, "a match that ended as abandoned")


async def bot_plays_on(probe: Probe) -> None:
    first, second = await gather(probe, leaving="bot")
    first.wire.close()
    while second.state.get("moves", 0) < 1:
        await second.expect("step")


async def one_seat(probe: Probe) -> None:
    first, second = await gather(probe)
    again = await connect(probe)
    await again.say("hello", name="check", token=first.token)
    await again.expect("welcome")
    await again.say("resume", match=first.state["match"], seat=0)
    await again.expect_seat()
    await first.expect("gone")
    await second.wire.expect_silence()


CHECKS: Final = (
    Check("hello gets welcome, with a token", "3.1", hello),
    Check("before hello everything is refused", "8", hello_first),
    Check("a name is cut after 32 characters, and is guest if it is empty", "3.1", names),
    Check("a token identifies its player", "3.1", same_player),
    Check("what cannot be read is refused as malformed", "7", unreadable),
    Check("a ping gets a pong", "1", pings),
    Check("an unmasked frame is closed with 1002", "1",
          closed(encode_text(b'{"type":"list"}'), '(unmasked) {"type":"list"}', 1002)),
    Check("a binary message is closed with 1003", "1",
          closed(b"\x82\x81" + zero_mask() + b"x", "(binary) x", 1003)),
    Check("open gets seated, then step", "3.3", opening),
    Check("a table that the game does not allow is refused", "3.3", wrong_tables),
    Check("a public table is in the list, and can be joined", "3.2", listed),
    Check("two players who seek the same game meet", "3.4", finding),
    Check("a private table is in no list, and needs its code", "13", private),
    Check("when all seats are taken the match begins, and only the player who is asked has choices", "10", starting),
    Check("a bot takes a seat and plays", "3.3", bots),
    Check("act: a step to all, and what is left to choose", "3.8", acting),
    Check("an act that is illegal, unreadable or out of turn is refused", "7", not_acting),
    Check("an act by an old state is stale, and gets the state", "10", stale),
    Check("talk is told to all, and makes nothing stale", "3.9", talk),
    Check("an undo is offered, declined, agreed to", "3.10", undo),
    Check("a match that is won is over for all, with its winner", "5.6", winning),
    Check("a player who resigns loses", "3.12", resigning),
    Check("a rematch seats all at the next seats of a new table", "14", once_more),
    Check("a player whose time is up forfeits", "11", out_of_time),
    Check("Santorini can be played by the choices alone", "10", choosing("santorini")),
    Check("Eriantys can be played by the choices alone", "10", choosing("eriantys")),
    Check("a spectator is told every step and has no choices", "3.6", watching),
    Check("sync gets the state as it is", "3.15", syncing),
    Check("a player who leaves before the start frees the seat", "12", leaving_before),
    Check("a seat that is held is kept for its player, who comes back", "12", held),
    Check("a player who stays away too long forfeits", "12", forfeits),
    Check("at a table that ends with a player who leaves, the match is abandoned", "12", ends),
    Check("at a table that lets a bot play on, it does", "12", bot_plays_on),
    Check("a second connection that resumes a seat takes it from the first", "12", one_seat),
)  # fmt: skip


def answering(edition: str) -> Answering:
    """Return the function that answers pings."""
    return pong
