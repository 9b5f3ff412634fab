"""Checks of santorini-actions."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, TypeAlias

from boardwire.conformance.display import show
from boardwire.conformance.server.actions_player import (
    SHIPPED,
    Player,
    begin,
    cells,
    climb,
    deploy,
    draft,
    expect_placed_workers,
    gather,
    is_accepted,
    play_step,
    view_cells,
    visit,
    whole_turn,
    worker_ids,
)
from boardwire.conformance.server.check import Answering, Check, Failed, Probe, unexpected
from boardwire.conformance.server.climb import FIRST, HIGH, SECOND, TOO_HIGH, TURNS, around
from boardwire.conformance.server.json_lines import Message, answers

EditionCheck: TypeAlias = Callable[[str, Probe], Awaitable[None]]


def _response(data: dict[str, Any]) -> Message:
    return {"action": "addPlayerResponse", "data": data}


async def pinged_at_once(edition: str, probe: Probe) -> None:
    await visit(probe, edition)


async def pinged_again(edition: str, probe: Probe) -> None:
    player = await visit(probe, edition)
    await player.wire.expect_heartbeat("another ping", 8.0)


async def joining(edition: str, probe: Probe) -> None:
    player = await visit(probe, edition)
    received = await player.join_first()
    expected = {
        "playerNickname": player.name,
        "lobbySize": 2,
        "lobbyState": True,
        "validNick": True,
        "fullLobby": False,
    }
    if received != expected:
        raise unexpected(_response(received), expected)


async def bad_size(edition: str, probe: Probe) -> None:
    player = await visit(probe, edition)
    received = await player.join(4)
    if is_accepted(received) or (edition == SHIPPED and (received.get("lobbyState") or received.get("validNick"))):
        raise unexpected(_response(received), "a refusal of size 4")
    await player.enter_first()


async def other_size(edition: str, probe: Probe) -> None:
    waiting, player = await visit(probe, edition), await visit(probe, edition)
    await waiting.join_first(2)
    received = await player.join(3)
    if received.get("lobbyState") is not False:
        raise unexpected(_response(received), "lobbyState false, because a lobby of 2 is open")


async def taken_name(edition: str, probe: Probe) -> None:
    first, second = await visit(probe, edition), await visit(probe, edition)
    await first.enter_first()
    received = await second.join(2, first.name)
    if received.get("validNick") is not False:
        raise unexpected(_response(received), "validNick false")
    await second.enter()
    await second.expect("setPickedCards")


async def bad_name(edition: str, probe: Probe) -> None:
    player = await visit(probe, edition)
    for name in ("two words", "sixteen-letters-", ""):
        received = await player.ask("addPlayer", "addPlayerResponse", playerNickname=name, lobbySize=2)
        if received.get("validNick") is not False:
            raise unexpected(_response(received), "validNick false")


async def lower_case(edition: str, probe: Probe) -> None:
    first, second = await visit(probe, edition), await visit(probe, edition)
    probe.enter_queue()
    for player in (first, second):
        received = await player.join(2, player.name.upper())
        if player is first:
            await first.wire.expect_no_opponent()
        if not is_accepted(received) or received.get("playerNickname") != player.name.upper():
            raise unexpected(_response(received), f"{player.name.upper()} to be admitted")
    god_player = (await first.expect("setPickedCards")).get("playerNickname")
    if god_player not in (first.name, second.name):
        raise Failed(f"setPickedCards named {show(god_player)}; expected the name in lower case")


async def waiting_frees(edition: str, probe: Probe) -> None:
    leaver = await visit(probe, edition)
    await leaver.enter_first()
    leaver.wire.close()
    first = await visit(probe, edition)
    await first.wire.expect_silence()  # gives the server time to notice the close
    await first.enter()
    await first.wire.expect_silence()
    second = await visit(probe, edition)
    received = await second.join(2, leaver.name)
    if not is_accepted(received):
        raise unexpected(_response(received), "the name of a player who left to be free")


async def full_lobby(edition: str, probe: Probe) -> None:
    await gather(probe, edition, 2)


async def three_players(edition: str, probe: Probe) -> None:
    await gather(probe, edition, 3)


async def the_deck(edition: str, probe: Probe) -> None:
    for player in await gather(probe, edition):
        deck = (await player.ask("getDeck", "getDeckResponse")).get("deck")
        cards = deck.get("listOfCards") if edition == SHIPPED and isinstance(deck, dict) else deck
        names = [card.get("cardName") for card in cards] if isinstance(cards, list) else []
        if not {"ATHENA", "APOLLO"} <= set(names):
            raise unexpected({"deck": deck}, "cards, ATHENA and APOLLO among them")


async def cards(edition: str, probe: Probe) -> None:
    god, _ = await draft(probe, edition)
    await god.expect("setWorkersPosition")


async def wrong_cards(edition: str, probe: Probe) -> None:
    god, other = await gather(probe, edition)
    await god.say("setPickedCards", cards=["PAN"])
    await _not_offered(other)


async def equal_cards(edition: str, probe: Probe) -> None:
    god, other = await gather(probe, edition)
    await god.say("setPickedCards", cards=["PAN", "PAN"])
    await _not_offered(other)


async def _not_offered(player: Player) -> None:
    """Check that no cards are offered; a server may also end the match because of the invalid request."""
    try:
        message = await player.receive("no setPlayerCard", 0.3)
    except Failed:
        return
    if message.get("action") != "serverError":
        raise unexpected(message, "no setPlayerCard, because two different cards are required")


async def taken_cell(edition: str, probe: Probe) -> None:
    god, other = await draft(probe, edition)
    await god.place(FIRST, await worker_ids(god))
    await expect_placed_workers((god, other))
    ids = await worker_ids(other)
    before = await god.board()
    for where in ((FIRST[0], SECOND[0]), (SECOND[0], SECOND[0]), (SECOND[0], (0, 5))):
        await other.place(where, ids)
        if not await _unharmed(other, (god,), before):
            return
    await other.place(SECOND, ids)
    await expect_placed_workers((god, other))


async def placing(edition: str, probe: Probe) -> None:
    god, other = await deploy(probe, edition)
    board = await other.board()
    for name, where in ((god.name, FIRST), (other.name, SECOND)):
        if {at for at, cell in board.items() if cell.get("player") == name} != set(where):
            shown = [{"x": x, "y": y} | cell for (x, y), cell in board.items() if cell.get("player")]
            raise unexpected(shown, f"workers of {name} on {show(where)}, x the row and y the column")


async def queries(edition: str, probe: Probe) -> None:
    god, other = await deploy(probe, edition)
    for player in (god, other):
        data = await player.ask("getPlayers", "getPlayersResponse")
        cards = {(entry.get("playerNickname"), entry.get("card")) for entry in data.get("players", ())}
        if cards != {(god.name, "PAN"), (other.name, "APOLLO")}:
            raise unexpected(data, f"{god.name} with PAN and {other.name} with APOLLO")
        await player.board()


async def starting(edition: str, probe: Probe) -> None:
    god, _ = await deploy(probe, edition)
    for basic in (True, False):
        received = await god.start(basic)
        if received != {"playerNickname": god.name, "basicTurn": basic, "currentStep": "MOVE"}:
            raise unexpected(received, f"currentStep MOVE for {god.name}, basicTurn {show(basic)}")


async def selecting(edition: str, probe: Probe) -> None:
    god, other = await deploy(probe, edition)
    await god.start()
    for worker in FIRST:
        view = await god.select(worker)
        if view != around(worker):
            raise Failed(f"got a workerView of {show(view)}; expected {show(around(worker))}")
    await god.board()  # its response is the next message, so each selection had exactly one view
    await other.board()


async def stepping(edition: str, probe: Probe) -> None:
    """Check a turn of one move and one build: board, view and response to each step."""
    god, other = await deploy(probe, edition)
    turn = TURNS[0]
    await begin(god, turn)
    received = await play_step(god, (other,), turn.to, "BUILD")
    board, view = cells(received["battlefieldUpdate"]), view_cells(received["workerViewUpdate"])
    if board[turn.to].get("player") != god.name or board != cells(received[other.name]):
        raise unexpected(
            received["battlefieldUpdate"], f"{god.name} on {show(turn.to)}, and the same board for all players"
        )
    if view != around(turn.to):
        raise Failed(f"got a workerView of {show(view)}; expected {show(around(turn.to))}")
    received = await play_step(god, (other,), turn.build or turn.to, "END")
    where = turn.to if edition == SHIPPED else turn.build
    response = received["playStepResponse"]
    if (response.get("x"), response.get("y")) != where:
        raise unexpected({"action": "playStepResponse", "data": response}, f"the cell {show(where)}")
    built = cells(received["battlefieldUpdate"])[turn.build or turn.to]
    if (built.get("height"), built.get("lastBlock")) != (1, "LEVEL_1"):
        raise Failed(f"got the cell {show(built)}; expected height 1 and LEVEL_1")


async def next_turn(edition: str, probe: Probe) -> None:
    god, other = await deploy(probe, edition)
    await whole_turn(god, other, TURNS[0])
    await whole_turn(other, god, TURNS[1])


async def skipping(edition: str, probe: Probe) -> None:
    god, other = await deploy(probe, edition, ("DEMETER", "PAN"))
    turn = TURNS[0]
    await begin(god, turn)
    await play_step(god, (other,), turn.to, "BUILD")
    await play_step(god, (other,), turn.build or turn.to, "BUILD_SPECIAL")
    await god.say("skipStep")
    await god.expect("skipStepResponse", currentStep="END")
    await other.receive("actualPlayer")


async def _unharmed(offender: Player, others: tuple[Player, ...], before: object) -> bool:
    """Return whether the match continues after an illegal request; raise `Failed` if the board has changed.

    A server may refuse the request, or end the match with serverError.
    """
    await offender.say("getBattlefield")
    message = await offender.receive("serverError, or the battlefield unchanged")
    if message.get("action") in ("serverError", "invalidRequest"):
        try:
            message = await offender.receive("the battlefield unchanged, or the end")
        except Failed:
            return False
    if message.get("action") != "getBattlefieldResponse" or cells(message.get("data", {})) != before:
        raise unexpected(message, "the battlefield unchanged")
    for other in others:
        await other.board()
    return True


async def cheating(edition: str, probe: Probe) -> None:
    god, other = await deploy(probe, edition)
    await begin(god, TURNS[0])
    before = await god.board()
    await god.say("playStep", x=3, y=3)
    await _unharmed(god, (other,), before)


async def too_high(edition: str, probe: Probe) -> None:
    god, other = mover, waiter = await deploy(probe, edition)
    for turn in TURNS[:HIGH]:
        await whole_turn(mover, waiter, turn)
        mover, waiter = waiter, mover
    await god.start()
    view = await god.select(TURNS[HIGH].frm)
    if TOO_HIGH in view:
        raise Failed(f"got a workerView with {show(TOO_HIGH)}; expected it without this cell, which is two levels up")
    before = await god.board()
    await god.say("playStep", x=TOO_HIGH[0], y=TOO_HIGH[1])
    await _unharmed(god, (other,), before)


async def out_of_turn(edition: str, probe: Probe) -> None:
    god, other = await deploy(probe, edition)
    before = await god.board()
    await other.say("playStep", x=3, y=3)
    await _unharmed(other, (god,), before)


async def for_another(edition: str, probe: Probe) -> None:
    god, other = await deploy(probe, edition)
    await begin(god, TURNS[0])
    before = await god.board()
    x, y = TURNS[0].to
    await other.say("playStep", x=x, y=y)
    if await _unharmed(other, (god,), before):
        await play_step(god, (other,), TURNS[0].to, "BUILD")


async def skipping_the_move(edition: str, probe: Probe) -> None:
    god, other = await deploy(probe, edition)
    await begin(god, TURNS[0])
    before = await god.board()
    await god.say("skipStep")
    if await _unharmed(god, (other,), before):
        await play_step(god, (other,), TURNS[0].to, "BUILD")


async def skipping_the_build(edition: str, probe: Probe) -> None:
    god, other = await deploy(probe, edition)
    turn = TURNS[0]
    await begin(god, turn)
    await play_step(god, (other,), turn.to, "BUILD")
    before = await god.board()
    await god.say("skipStep")
    if await _unharmed(god, (other,), before):
        await play_step(god, (other,), turn.build or turn.to, "END")


async def winning(edition: str, probe: Probe) -> None:
    await _won(probe, edition)


async def playing_again(edition: str, probe: Probe) -> None:
    god = await _won(probe, edition)
    probe.ours = False
    await god.say("addPlayer", playerNickname=god.name, lobbySize=2)
    received = await god.receive("addPlayerResponse")
    while received.get("action") in (
        "youWin",
        "playStepResponse",
        "actualPlayer",
    ):  # the original program sends them too
        received = await god.receive("addPlayerResponse")
    if received.get("action") != "addPlayerResponse" or not is_accepted(received.get("data", {})):
        raise unexpected(received, "the winner to be admitted to a new match")


async def _won(probe: Probe, edition: str) -> Player:
    """Play a match to its end and check the results; return the winner.

    The document does not say whether the last step has a response, so one is accepted.
    """
    god, other = await climb(probe, edition)
    for player, word in ((god, "youWin"), (other, "youLose")):
        await player.expect("battlefieldUpdate")
        message = await player.receive(word)
        if player is god and message.get("action") == "playStepResponse":
            message = await player.receive(word)
        if message.get("action") != word:
            raise unexpected(message, {"action": word})
    return god


async def leaving(edition: str, probe: Probe) -> None:
    god, other = await deploy(probe, edition)
    god.wire.close()
    await other.expect("serverError")
    await other.wire.expect_close()


async def leaving_in_the_set_up(edition: str, probe: Probe) -> None:
    god, other = await gather(probe, edition)
    other.wire.close(reset=True)
    await god.expect("serverError")
    await god.wire.expect_close()


_BOTH: tuple[tuple[str, str, EditionCheck], ...] = (
    ("addPlayer gets a response with all five fields", "4.1", joining),
    ("a lobby of four is refused, and one may ask again", "4.1", bad_size),
    ("a name that is in use is refused, and one may ask again", "4.1", taken_name),
    ("a player who leaves while waiting frees place and name", "4.1", waiting_frees),
    ("a full lobby of two: setPickedCards with the god player's name to all", "4.1", full_lobby),
    ("a full lobby of three: setPickedCards with the god player's name to all", "4.1", three_players),
    ("all players may ask for the deck", "3", the_deck),
    ("too few cards are not taken", "4.2", wrong_cards),
    ("equal cards are not taken", "4.2", equal_cards),
    ("cards go to the others first, the last one to the god player", "4.2", cards),
    ("workers are placed in turn, and all see the battlefield", "4.3", placing),
    ("workers stand on different free cells of the board", "4.3", taken_cell),
    ("getPlayers and getBattlefield are answered in and out of turn", "4", queries),
    ("setStartTurn is answered with the kind of turn and its first step", "4.4.2", starting),
    ("selectWorker is answered with the view of that worker, once", "4.4.3", selecting),
    ("playStep: the battlefield to all, view and response to the player", "4.4.4", stepping),
    ("after a turn actualPlayer names the next player", "4.4.1", next_turn),
    ("skipStep passes over an optional step", "4.4.4", skipping),
    ("skipStep does not pass over the move", "4.4.4", skipping_the_move),
    ("skipStep does not pass over the build", "4.4.4", skipping_the_build),
    ("a step to a cell that is not in the view is not played", "5", cheating),
    ("a step two levels up is not played", "5", too_high),
    ("a step out of turn is not played", "5", out_of_turn),
    ("a step with the worker that another player has selected is not played", "5", for_another),
    ("the winner gets youWin, the other youLose", "4.5", winning),
    ("after the end a new match may be asked for", "4.5", playing_again),
    ("a player who leaves a match ends it: serverError, then a close", "4.5", leaving),
    ("so does a reset during the set-up", "4.5", leaving_in_the_set_up),
)
_DOCUMENT: tuple[tuple[str, str, EditionCheck], ...] = (
    ("a size without a waiting lobby, while another lobby is open, gets lobbyState false", "4.1", other_size),
)
_PINGED: tuple[tuple[str, str, EditionCheck], ...] = (("a client is pinged at once", "4.6", pinged_at_once),)
_SHIPPED: tuple[tuple[str, str, EditionCheck], ...] = (
    ("a name is 1 to 15 letters, digits, dots and dashes", "4.1", bad_name),
    ("names are in lower case but in addPlayerResponse", "4.1", lower_case),
    ("the next ping follows 5 seconds after the pong", "4.6", pinged_again),
)


def checks(edition: str) -> tuple[Check, ...]:
    """Return the checks of an edition: the document's, or `shipped`."""
    selected = (*_PINGED, *_BOTH, *_SHIPPED) if edition == SHIPPED else _BOTH + _DOCUMENT
    return tuple(Check(name, section, partial(conversation, edition)) for name, section, conversation in selected)


def answering(edition: str) -> Answering:
    """Return the function that answers pings."""
    return answers(lambda message: message == {"action": "ping"}, {"action": "pong"})
