"""Checks of santorini-lobby.

Every new connection joins the lobby that is being filled, so other users of the server often interfere.
"""

from __future__ import annotations

from typing import Final

from boardwire.conformance.display import show
from boardwire.conformance.server.check import Answering, Check, DeadLobby, Failed, Probe, baseline, stage, unexpected
from boardwire.conformance.server.climb import FIRST, HIGH, SECOND, TOO_HIGH, TURNS
from boardwire.conformance.server.json_lines import answers
from boardwire.conformance.server.lobby_player import (
    PING,
    Player,
    at,
    challenge,
    choose,
    climb,
    deploy,
    expect_ready,
    gather,
    log_in,
    move,
    pick,
    place,
    size,
    start,
    visit,
    whole_turn,
)

PACE: Final = 0.3
"""Seconds between two closes: if two connections close together, the original server keeps a dead lobby for ever."""


async def look(probe: Probe) -> str:
    """Return evidence that the lobby is not empty, or ''; raise `DeadLobby` if it seems dead.

    This disturbs no user: the server ignores a connection that leaves before it logs in. A dead lobby greets a
    connection and closes it after its next line.
    """
    player = await visit(probe)
    try:
        await player.say("SELECT_PLAYER_NUMBER", size=99)
        greeting = await player.receive_refusal()
    except Failed:
        return ""  # the attempt reports it
    if not greeting:
        return ""
    try:
        await player.say("SELECT_PLAYER_NUMBER", size=99)
        await player.receive_refusal()
    except Failed as error:
        raise DeadLobby(
            f"the lobby that accepts connections is dead: got {show(greeting[0])}, and then: {error}\n"
            "Restart the server, or run the check with --restart COMMAND."
        ) from None
    return f"a new connection got {show(greeting[0])}"


async def size_comes_first(probe: Probe) -> None:
    player = await visit(probe)
    await player.expect_refusal("ADD_USER", user=player.user)


async def size_once(probe: Probe) -> None:
    player = await size(probe)
    await player.expect_refusal("SELECT_PLAYER_NUMBER", size=3)
    await log_in(player)


@stage
async def _refuse_sizes(probe: Probe) -> Player:
    """Return a player whose requests for invalid sizes were refused."""
    player = await visit(probe)
    for number in (0, 4, -1):
        await player.say("SELECT_PLAYER_NUMBER", size=number)
        await player.receive_refusal()
    return player


async def bad_size(probe: Probe) -> None:
    await _refuse_sizes(probe)


async def login(probe: Probe) -> None:
    first, second = await size(probe), await visit(probe)
    await second.expect("SIZE_SELECTED", size=2)
    await log_in(first, second)
    await first.expect_result()
    await second.expect_nothing()


async def replay(probe: Probe) -> None:
    first = await size(probe)
    await log_in(first)
    late = await visit(probe)
    await late.expect("SIZE_SELECTED", size=2)
    await late.expect("USER_JOINED", user=first.user)


async def same_name(probe: Probe) -> None:
    first, second = await size(probe), await visit(probe)
    await log_in(first)
    await second.expect("SIZE_SELECTED", size=2)
    await second.expect("USER_JOINED", user=first.user)
    await second.expect_refusal("ADD_USER", user=first.user)


async def bad_names(probe: Probe) -> None:
    player = await size(probe)
    for name in ("", "sixteen letters!"):
        await player.expect_refusal("ADD_USER", user={"username": name})


async def full(probe: Probe) -> None:
    _, gods = await gather(probe, 2)
    pick(gods)


async def three(probe: Probe) -> None:
    _, gods = await gather(probe, 3)
    if len(gods) < 3 or any(not god.get("name") or "description" not in god for god in gods):
        raise unexpected({"gods": gods}, "at least three gods with names and descriptions")


async def next_lobby(probe: Probe) -> None:
    await gather(probe)
    probe.ours = False  # other players may join the new lobby
    other = await size(probe, 3)
    await log_in(other)


async def selecting(probe: Probe) -> None:
    (first, second), gods = await gather(probe)
    two = pick(gods)
    await first.expect_refusal("SELECT_GODS", user=first.user, gods=two[:1])
    await first.expect_refusal("SELECT_GODS", user=first.user, gods=[two[0], {"name": "Nobody", "description": ""}])
    await second.expect_nothing()
    await first.say("SELECT_GODS", user=first.user, gods=two)
    for player in (first, second):
        await player.expect("GODS_AVAILABLE")
    await first.expect_result()
    await second.expect_refusal("SELECT_GODS", user=second.user, gods=two)


async def choosing(probe: Probe) -> None:
    first, second, chosen = await challenge(probe)
    await first.expect_refusal("CHOOSE_GOD", user=first.user, god=chosen[0])
    await second.expect_refusal("CHOOSE_GOD", user=second.user, god={"name": "Atlas", "description": ""})
    await first.expect_nothing()


async def all_chosen(probe: Probe) -> None:
    await choose(probe)


async def first_player(probe: Probe) -> None:
    challenger, other = await choose(probe)
    await other.expect_refusal("CHOOSE_FIRST_PLAYER", self=other.user, firstPlayer=other.user)
    await challenger.expect_refusal("CHOOSE_FIRST_PLAYER", self=challenger.user, firstPlayer={"username": "nobody"})
    await other.expect_nothing()


async def placing(probe: Probe) -> None:
    first, second = await start(probe)
    await second.expect_refusal("PLACE_PAWNS", user=second.user, c1=at(SECOND[0]), c2=at(SECOND[1]))
    await first.expect_refusal("PLACE_PAWNS", user=first.user, c1=at((0, 5)), c2=at((0, 0)))
    await first.expect_refusal("PLACE_PAWNS", user=first.user, c1=at((0, 0)), c2=at((0, 0)))
    await second.expect_nothing()
    await place(first, second, FIRST)
    for player in (first, second):
        await player.expect("REQUEST_PLACE_PAWNS", user=second.user)
    await second.expect_refusal("PLACE_PAWNS", user=second.user, c1=at(FIRST[0]), c2=at((3, 3)))


async def first_turn(probe: Probe) -> None:
    await deploy(probe)


async def checking(probe: Probe) -> None:
    first, second = await deploy(probe)
    turn = TURNS[0]
    for kind, cell, legal in (("Move", turn.to, True), ("Move", (3, 3), False), ("Build_Block", turn.to, False)):
        await first.act(turn, kind, cell, "CHECK_ACTION")
        await first.expect_result(legal)
    await second.act(turn, "Move", (3, 3), "CHECK_ACTION")
    await second.expect_result(False)
    await move(first, second, turn)


async def two_turns(probe: Probe) -> None:
    first, second = await deploy(probe)
    await whole_turn(first, second, TURNS[0], 0)
    await whole_turn(second, first, TURNS[1], 1)


async def illegal(probe: Probe) -> None:
    first, second = await deploy(probe)
    turn = TURNS[0]
    for kind, cell in (("Move", (3, 3)), ("Move", (5, 5)), ("Build_Dome", turn.to), ("Fly", turn.to)):
        await first.act(turn, kind, cell)
        await first.expect_result(False)
    await second.act(turn, "Move", (3, 3))
    await second.expect_result(False)
    await move(first, second, turn)


async def too_high(probe: Probe) -> None:
    first, second = mover, waiter = await deploy(probe)
    for number, turn in enumerate(TURNS[:HIGH]):
        await whole_turn(mover, waiter, turn, number)
        mover, waiter = waiter, mover
    for request in ("CHECK_ACTION", "EXECUTE_ACTION"):
        await first.act(TURNS[HIGH], "Move", TOO_HIGH, request)
        await first.expect_result(False)
    await second.expect_nothing()
    await move(first, second, TURNS[HIGH])


async def other_pawn(probe: Probe) -> None:
    first, second = await deploy(probe)
    await move(first, second, TURNS[0])
    for player in (first, second):
        await expect_ready(player, first, "Build_Block")
    await first.expect_result()
    build = {"description": "Build_Block"}
    await first.expect_refusal("EXECUTE_ACTION", user=first.user, id=1, actionIdentifier=build, coordinate=at((1, 4)))
    await second.expect_nothing()


async def winning(probe: Probe) -> None:
    first, second = await climb(probe)
    for player in (first, second):
        await player.expect("WIN", user=first.user)


async def leaving_before_login(probe: Probe) -> None:
    first, idle = await size(probe), await visit(probe)
    await idle.expect("SIZE_SELECTED", size=2)
    await log_in(first, idle)
    await first.expect_result()
    idle.wire.close()
    await first.wire.expect_silence()
    await first.expect_nothing()


async def leaving_the_lobby(probe: Probe) -> None:
    first, second = await size(probe, 3), await visit(probe)
    await second.expect("SIZE_SELECTED", size=3)
    await log_in(first, second)
    await first.expect_result()
    await log_in(second, first)
    second.wire.close()
    await first.expect("SERVER_ERROR")


async def leaving_the_match(probe: Probe) -> None:
    first, second = await deploy(probe)
    first.wire.close(reset=True)
    await second.expect("SERVER_ERROR")


async def wrong_way_messages(probe: Probe) -> None:
    first, second = await deploy(probe)
    await first.expect_refusal("WIN", user=first.user)
    await second.expect_nothing()
    await move(first, second, TURNS[0])


async def pinged(probe: Probe) -> None:
    player = await _refuse_sizes(probe)
    for _ in range(2):
        await player.wire.expect_heartbeat("a PING", 8.0)


_NO_SIZE: Final = b'{"type":"SELECT_PLAYER_NUMBER","content":{"size":99}}'
"""A request that every server refuses in every state."""


async def line_ends(probe: Probe) -> None:
    """Check that a request gets the same reply if it ends with LF and with CR LF."""
    player = await visit(probe)
    async with baseline("a line that ends with LF"):
        await player.wire.send(_NO_SIZE + b"\n")
        await player.receive_refusal()
    await player.wire.send(_NO_SIZE + b"\r\n")
    await player.receive_refusal()
    await player.expect_nothing()  # a server that takes the LF for an empty line would send another reply


async def any_order(probe: Probe) -> None:
    """Check that a request gets the same reply if its members are reversed, with unknown members between them."""
    player = await visit(probe)
    async with baseline("a request with its members in order"):
        await player.wire.send(_NO_SIZE + b"\n")
        await player.receive_refusal()
    await player.wire.send(b'{"more":2,"content":{"more":1,"size":99},"type":"SELECT_PLAYER_NUMBER"}\n')
    await player.receive_refusal()


CHECKS: Final = (
    Check("a size that is not valid is refused", "3", bad_size),
    Check("a login before the lobby has a size is refused", "5.2", size_comes_first),
    Check("the size is set once, and told before the result", "4", size_once),
    Check("a login is told to all, then granted", "4", login),
    Check("a late connection is told the size and the users", "5.1", replay),
    Check("a name in use is refused", "5.3", same_name),
    Check("a name has 1 to 15 characters", "2", bad_names),
    Check("a full lobby of two gets the gods", "5.3", full),
    Check("a full lobby of three gets the gods", "5.3", three),
    Check("when a lobby is full the next connection fills a new one", "5.3", next_lobby),
    Check("the first to select one listed god per player is the challenger", "5.4", selecting),
    Check("the challenger does not choose, and only gods on the list can be chosen", "5.5", choosing),
    Check("all hear who chose what; the challenger has the last god", "5.5", all_chosen),
    Check("only the challenger names the first player", "5.6", first_player),
    Check("pawns are placed in turn on free cells of the board", "5.7", placing),
    Check("when all pawns are placed the first turn begins", "5.7", first_turn),
    Check("CheckAction tells what is legal and changes nothing", "3", checking),
    Check("actions are told to all, and turns change", "5.8", two_turns),
    Check("an illegal action, or one out of turn, is refused and not played", "10", illegal),
    Check("a pawn does not move two levels up", "10", too_high),
    Check("after the first action of a turn the pawn is fixed", "5.8", other_pawn),
    Check("all hear of the win", "5.10", winning),
    Check("a client that leaves before the login is ignored", "10", leaving_before_login),
    Check("a user who leaves after the login ends the lobby", "10", leaving_the_lobby),
    Check("a user who leaves a match ends it", "10", leaving_the_match),
    Check("a message that only servers send is refused", "10", wrong_way_messages),
    Check("lines may end with CR LF", "1", line_ends),
    Check("members may be in any order, and unknown ones are ignored", "1", any_order),
    Check("a connection is pinged every 5 seconds", "9", pinged),
)


def answering(edition: str) -> Answering:
    """Return the function that answers pings."""
    return answers(lambda message: message.get("type") == "PING", PING)
