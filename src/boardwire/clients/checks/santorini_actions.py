"""What the document of santorini-actions says, tried on a server.

Sections: C of match creation, T of the turn, F of the finish of a match; [n] are the notes'.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import TypeAlias

from boardwire.clients.checks.actions_player import (
    SHIPPED,
    Player,
    accepted,
    begin,
    cells,
    climb,
    deploy,
    draft,
    gather,
    step,
    viewed,
    visit,
    whole_turn,
)
from boardwire.clients.checks.check import Check, Failed, Probe
from boardwire.clients.checks.climb import FIRST, SECOND, TURNS, around

Trial: TypeAlias = Callable[[str, Probe], Awaitable[None]]


async def pinged_at_once(edition: str, probe: Probe) -> None:
    await visit(probe, edition)


async def pinged_again(edition: str, probe: Probe) -> None:
    player = await visit(probe, edition)
    message = await player.line.next("another ping", 8.0)
    if message != {"action": "ping"}:
        raise Failed(f"{message} came; expected another ping")


async def joining(edition: str, probe: Probe) -> None:
    player = await visit(probe, edition)
    came = await player.join()
    wanted = {"playerNickname": player.name, "lobbySize": 2, "lobbyState": True, "validNick": True, "fullLobby": False}
    if came != wanted:
        raise Failed(f"addPlayerResponse {came} came; expected {wanted}")


async def bad_size(edition: str, probe: Probe) -> None:
    player = await visit(probe, edition)
    came = await player.join(4)
    if accepted(came) or (edition == SHIPPED and (came.get("lobbyState") or came.get("validNick"))):
        raise Failed(f"addPlayerResponse {came} came; expected a refusal of size 4")
    await player.enter()


async def other_size(edition: str, probe: Probe) -> None:
    waiting, player = await visit(probe, edition), await visit(probe, edition)
    await waiting.enter(2)
    came = await player.join(3)
    if came.get("lobbyState") is not False:
        raise Failed(f"addPlayerResponse {came} came; expected lobbyState false, since a lobby of 2 is open")


async def taken_name(edition: str, probe: Probe) -> None:
    first, second = await visit(probe, edition), await visit(probe, edition)
    await first.enter()
    came = await second.join(2, first.name)
    if came.get("validNick") is not False:
        raise Failed(f"addPlayerResponse {came} came; expected validNick false")
    await second.enter()
    await second.expect("setPickedCards")


async def bad_name(edition: str, probe: Probe) -> None:
    player = await visit(probe, edition)
    for name in ("two words", "sixteen-letters-", ""):
        came = await player.ask("addPlayer", "addPlayerResponse", playerNickname=name, lobbySize=2)
        if came.get("validNick") is not False:
            raise Failed(f"addPlayerResponse {came} came; expected validNick false")


async def lower_case(edition: str, probe: Probe) -> None:
    first, second = await visit(probe, edition), await visit(probe, edition)
    for player in (first, second):
        came = await player.join(2, player.name.upper())
        if not accepted(came) or came.get("playerNickname") != player.name.upper():
            raise Failed(f"addPlayerResponse {came} came; expected {player.name.upper()} to be taken in")
    named = (await first.expect("setPickedCards")).get("playerNickname")
    if named not in (first.name, second.name):
        raise Failed(f"setPickedCards named {named}; expected the name in lower case")


async def waiting_frees(edition: str, probe: Probe) -> None:
    gone = await visit(probe, edition)
    await gone.enter()
    gone.line.wire.close()
    first = await visit(probe, edition)
    await first.line.wire.silent()  # the server needs a moment to notice
    await first.enter()
    await first.line.wire.silent()
    second = await visit(probe, edition)
    came = await second.join(2, gone.name)
    if not accepted(came):
        raise Failed(f"addPlayerResponse {came} came; expected the name of a player who left to be free")


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
            raise Failed(f"a deck {str(deck)[:200]} came; expected cards, ATHENA and APOLLO among them")


async def cards(edition: str, probe: Probe) -> None:
    god, _ = await draft(probe, edition)
    await god.expect("setWorkersPosition")


async def wrong_cards(edition: str, probe: Probe) -> None:
    god, other = await gather(probe, edition)
    await god.say("setPickedCards", cards=["PAN"])
    await other.line.wire.silent()


async def placing(edition: str, probe: Probe) -> None:
    god, other = await deploy(probe, edition)
    board = await other.board()
    for name, where in ((god.name, FIRST), (other.name, SECOND)):
        if {at for at, cell in board.items() if cell.get("player") == name} != set(where):
            raise Failed(f"{board} came; expected workers of {name} on {where}, x the row and y the column")


async def queries(edition: str, probe: Probe) -> None:
    god, other = await deploy(probe, edition)
    for player in (god, other):
        data = await player.ask("getPlayers", "getPlayersResponse")
        found = {(one.get("playerNickname"), one.get("card")) for one in data.get("players", ())}
        if found != {(god.name, "PAN"), (other.name, "APOLLO")}:
            raise Failed(f"getPlayersResponse {data} came; expected {god.name} with PAN and {other.name} with APOLLO")
        await player.board()


async def starting(edition: str, probe: Probe) -> None:
    god, _ = await deploy(probe, edition)
    for basic in (True, False):
        came = await god.start(basic)
        if came != {"playerNickname": god.name, "basicTurn": basic, "currentStep": "MOVE"}:
            raise Failed(f"setStartTurnResponse {came} came; expected MOVE for {god.name}, basicTurn {basic}")


async def selecting(edition: str, probe: Probe) -> None:
    god, other = await deploy(probe, edition)
    await god.start()
    for worker in FIRST:
        view = await god.select(worker)
        if view != around(worker):
            raise Failed(f"a workerView of {sorted(view)} came; expected {sorted(around(worker))}")
    await god.board()  # nothing came before its answer, so each selection had exactly one view
    await other.board()


async def stepping(edition: str, probe: Probe) -> None:
    god, other = await deploy(probe, edition)
    turn = TURNS[0]
    await begin(god, turn)
    came = await step(god, (other,), turn.to, "BUILD")
    board, view = cells(came["battlefieldUpdate"]), viewed(came["workerViewUpdate"])
    if board[turn.to].get("player") != god.name or board != cells(came[other.name]):
        raise Failed(f"battlefieldUpdate {board} came; expected {god.name} on {turn.to}, the same to all")
    if view != around(turn.to):
        raise Failed(f"a workerView of {sorted(view)} came; expected {sorted(around(turn.to))}")
    came = await step(god, (other,), turn.build or turn.to, "END")
    where = turn.to if edition == SHIPPED else turn.build
    response = came["playStepResponse"]
    if (response.get("x"), response.get("y")) != where:
        raise Failed(f"playStepResponse {response} came; expected the cell {where}")
    built = cells(came["battlefieldUpdate"])[turn.build or turn.to]
    if (built.get("height"), built.get("lastBlock")) != (1, "LEVEL_1"):
        raise Failed(f"the cell {built} came; expected height 1 and LEVEL_1")


async def next_turn(edition: str, probe: Probe) -> None:
    god, other = await deploy(probe, edition)
    await whole_turn(god, other, TURNS[0])
    await whole_turn(other, god, TURNS[1])


async def skipping(edition: str, probe: Probe) -> None:
    god, other = await deploy(probe, edition, ("DEMETER", "PAN"))
    turn = TURNS[0]
    await begin(god, turn)
    await step(god, (other,), turn.to, "BUILD")
    await step(god, (other,), turn.build or turn.to, "BUILD_SPECIAL")
    await god.say("skipStep")
    await god.expect("skipStepResponse", currentStep="END")
    await other.line.hear("actualPlayer")


async def _unharmed(offender: Player, others: tuple[Player, ...], before: object) -> None:
    """A cheat attempt may be told to its author, or end the match with serverError (F2); it is never played."""
    await offender.say("getBattlefield")
    message = await offender.line.hear("serverError, or the battlefield as it was")
    if message.get("action") in ("serverError", "invalidRequest"):
        try:
            message = await offender.line.hear("the battlefield as it was, or the end")
        except Failed:
            return
    if message.get("action") != "getBattlefieldResponse" or cells(message.get("data", {})) != before:
        raise Failed(f"{message} came; expected the battlefield as it was")
    for other in others:
        await other.board()


async def cheating(edition: str, probe: Probe) -> None:
    god, other = await deploy(probe, edition)
    await begin(god, TURNS[0])
    before = await god.board()
    await god.say("playStep", x=3, y=3)
    await _unharmed(god, (other,), before)


async def out_of_turn(edition: str, probe: Probe) -> None:
    god, other = await deploy(probe, edition)
    before = await god.board()
    await other.say("playStep", x=3, y=3)
    await _unharmed(other, (god,), before)


async def _hear_the_end(player: Player, word: str) -> None:
    """The board and the last word.  Some servers answer the step that ends the match too, and some do not [8.8]."""
    await player.expect("battlefieldUpdate")
    came = await player.line.hear(word)
    if came.get("action") == "playStepResponse":
        came = await player.line.hear(word)
    if came.get("action") != word:
        raise Failed(f"{came} came; expected {word}")


async def winning(edition: str, probe: Probe) -> None:
    god, other = await climb(probe, edition)
    for player, word in ((god, "youWin"), (other, "youLose")):
        await _hear_the_end(player, word)


async def playing_again(edition: str, probe: Probe) -> None:
    god, other = await climb(probe, edition)
    for player, word in ((god, "youWin"), (other, "youLose")):
        await _hear_the_end(player, word)
    await god.say("addPlayer", playerNickname=god.name, lobbySize=2)
    came = await god.line.hear("addPlayerResponse")
    while came.get("action") in ("youWin", "playStepResponse", "actualPlayer"):  # the original says them too [3.5.20]
        came = await god.line.hear("addPlayerResponse")
    if came.get("action") != "addPlayerResponse" or not accepted(came.get("data", {})):
        raise Failed(f"{came} came; expected that the winner may play again")


async def leaving(edition: str, probe: Probe) -> None:
    god, other = await deploy(probe, edition)
    god.line.wire.close()
    await other.expect("serverError")
    await other.line.wire.ends()


async def leaving_in_the_set_up(edition: str, probe: Probe) -> None:
    god, other = await gather(probe, edition)
    other.line.wire.close(reset=True)
    await god.expect("serverError")
    await god.line.wire.ends()


_BOTH: tuple[tuple[str, str, Trial], ...] = (
    ("addPlayer gets a response with all five fields", "C1", joining),
    ("a lobby of four is refused, and one may ask again", "C1, [3.2.5]", bad_size),
    ("a name that is in use is refused, and one may ask again", "C1", taken_name),
    ("who leaves while waiting frees place and name", "[3.2.7]", waiting_frees),
    ("a full lobby of two: setPickedCards with the god player's name to all", "C2", full_lobby),
    ("a full lobby of three: setPickedCards with the god player's name to all", "C2", three_players),
    ("all players may ask for the deck", "C2", the_deck),
    ("too few cards are not taken", "C2", wrong_cards),
    ("cards go to the others first, the last one to the god player", "C3", cards),
    ("workers are placed in turn, and all see the battlefield", "C4, C5", placing),
    ("getPlayers and getBattlefield are answered in and out of turn", "C4a, C4b", queries),
    ("setStartTurn is answered with the kind of turn and its first step", "T2", starting),
    ("selectWorker is answered with the view of that worker, once", "T3", selecting),
    ("playStep: the battlefield to all, view and response to the player", "T4, T6, T7", stepping),
    ("after a turn actualPlayer names the next player", "T1", next_turn),
    ("skipStep passes over an optional step", "T5", skipping),
    ("a step to a cell that is not in the view is not played", "F2, [8.12]", cheating),
    ("a step out of turn is not played", "F2, [8.12]", out_of_turn),
    ("the winner gets youWin, the other youLose", "F1", winning),
    ("after the end a new match may be asked for", "F1, [3.6.24]", playing_again),
    ("who leaves a match ends it: serverError, and the end", "F2, [3.7]", leaving),
    ("who leaves the set-up by a reset ends it too", "F2, [3.7]", leaving_in_the_set_up),
)
_DOCUMENT: tuple[tuple[str, str, Trial], ...] = (
    ("a size that nobody waits for, while another lobby is open, gets lobbyState false", "C1", other_size),
)
_SHIPPED: tuple[tuple[str, str, Trial], ...] = (
    ("a client is pinged at once", "[3.1.1]", pinged_at_once),
    ("a name is 1 to 15 letters, digits, dots and dashes", "[3.2.5]", bad_name),
    ("names are in lower case but in addPlayerResponse", "[3.2.6]", lower_case),
    ("the next ping follows 5 seconds after the pong", "[3.1.2]", pinged_again),
)


def checks(edition: str) -> tuple[Check, ...]:
    """The checks of an edition: the document's, or `shipped`."""
    trials = _BOTH + (_SHIPPED if edition == SHIPPED else _DOCUMENT)
    return tuple(Check(name, section, partial(trial, edition)) for name, section, trial in trials)
