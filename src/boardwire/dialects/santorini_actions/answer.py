"""ANSWER: handlers of requests by phase (HANDLERS) and of queries (QUERIES) [4].

The choices of the kind of turn and of the worker stay in this dialect; the table receives only the steps. A rejected
request raises `Refused` and changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import Any, Final

import msgspec

from boardwire.dialects.santorini_actions.ask import ask_card
from boardwire.dialects.santorini_actions.messages import battlefield, replies, requests
from boardwire.dialects.santorini_actions.messages.battlefield import worker_view
from boardwire.dialects.santorini_actions.messages.cards import card, card_name, deck, god_of, with_named
from boardwire.dialects.santorini_actions.participant import FIRST, SELECTING, Participant, Phase, workers_of
from boardwire.dialects.santorini_actions.steps import END, find_due_step
from boardwire.errors import Refused
from boardwire.games.santorini import Action, God
from boardwire.games.santorini.actions import DONE, PickGod, PlaceWorker, ProposeGod
from boardwire.games.santorini.edits import free

# --- the set-up -----------------------------------------------------------------------------------------------------


def pick_cards(client: Participant, request: requests.SetPickedCards) -> None:
    """Propose the god player's cards, one per player (creation 2).

    If an earlier god player has picked some cards and left, only the missing number counts.
    """
    position, names = client.position, request.cards
    offer = () if position.setup is None else position.setup.offer
    missing = len(client.names) - len(offer)
    if len(names) not in (missing, len(client.names)):
        raise Refused(f"pick {missing} {'card' if missing == 1 else 'cards'}, not {len(names)}")
    gods = [god for god in _gods_named(client, names) if god not in offer]
    client.act(*(ProposeGod(god) for god in gods[:missing]))


def _gods_named(client: Participant, names: list[str]) -> list[God]:
    """Return the gods of these cards; raise `Refused` for a repeated card or one that is not in the deck."""
    if len(set(names)) < len(names):
        raise Refused("pick different cards: one card is named twice")
    on_offer = deck(client.match.setting.options.pool, len(client.names))
    gods = []
    for name in names:
        god = god_of(name)
        if god is None or god not in on_offer:
            raise Refused(f"{name[:40]} is not in the deck")
        gods.append(god)
    return gods


def choose_card(client: Participant, request: requests.SetPlayerCard) -> None:
    """Choose the player's own card (creation 3)."""
    check_sender(client, request.playerNickname)
    god = god_of(request.card)
    if god is None or request.card not in client.offered_cards:
        raise Refused(f"the card {request.card[:40]} was not offered to you")
    pending = client.match.pending
    if client.gods[client.seat] is None and pending is not None and PickGod(god) not in pending.choices:
        client.phase = Phase.WATCHING
        ask_card(client, pending)  # a player of another dialect took it: offer the rest
        return
    client.has_named_card = True
    if client.gods[client.seat] is None:
        client.act(PickGod(god))
    else:
        client.last_decision = None  # the card was assigned before the question


def place_workers(client: Participant, request: requests.SetWorkersPosition) -> None:
    """Place both workers on different free cells (creation 4)."""
    check_sender(client, request.playerNickname)
    squares = [5 * cell.x + cell.y for cell in request.workersPosition]
    if len(squares) != 2 or squares[0] == squares[1]:
        raise Refused(f"expected two different cells for your two workers, got {len(set(squares))}")
    pending = client.match.pending
    assert pending is not None, "the client is in the phase PLACING"
    places: list[Action] = [PlaceWorker(square) for square in squares]
    if any(place not in pending.choices for place in places):
        if not all(free(client.position) >> square & 1 for square in squares):
            raise Refused("a cell has a worker, a dome or a token: place your workers on free cells")
        # a god of another dialect restricts the cells, which this protocol cannot express
        places = list(islice(pending.choices, 2))
    client.act(*places)


def check_sender(client: Participant, name: str) -> None:
    """Raise `Refused` if a request names another player than its sender [5]."""
    if not client.is_me(name):
        raise Refused(f"you are {client.name}, not {name[:40]}")


# --- a turn ---------------------------------------------------------------------------------------------------------


def start_turn(client: Participant, request: requests.SetStartTurn) -> None:
    """Start a turn of the requested kind (turn 2).

    If no such turn can begin, the response announces the other kind: a player is eliminated only if neither can
    [4.4.2].
    """
    check_sender(client, request.playerNickname)
    is_plain = request.basicTurn
    if not client.opening.has(is_plain):
        is_plain = not is_plain
    client.is_plain, client.due_step, client.phase = is_plain, END, SELECTING
    client.started_ply = client.match.position.ply
    client.session.say(replies.start_response(client.names[client.seat], is_plain, client.opening.first(is_plain)))


def select_worker(client: Participant, request: requests.SelectWorker) -> None:
    """Select a worker by its cell; the choice may change until the first step (turn 3)."""
    check_sender(client, request.playerNickname)
    square = 5 * request.x + request.y
    position, pending = client.match.position, client.match.pending
    if square not in position.workers[client.seat]:
        raise Refused(f"you have no worker on the cell {request.x},{request.y}")
    assert pending is not None, "the client is in a phase of its turn"
    client.due_step, client.phase = find_due_step(position, pending, square, client.is_plain), FIRST
    client.session.say(worker_view(client.due_step.targets))


def play_step(client: Participant, request: requests.PlayStep) -> None:
    """Play the due step on a cell (turn 4)."""
    square = 5 * request.x + request.y
    action = client.due_step.targets.get(square)
    if action is None:
        raise Refused(f"the cell {request.x},{request.y} is not a legal target of the step {client.due_step.step}")
    client.pending_response, client.has_skipped = (square,), False
    client.act(action)


def skip_step(client: Participant, request: requests.SkipStep) -> None:
    """Skip an optional step (turn 5)."""
    if not client.due_step.optional:
        raise Refused(f"the step {client.due_step.step} is not optional")
    client.pending_response = ()
    pending = client.match.pending
    if pending is not None and DONE in pending.choices:
        client.act(DONE)
    else:
        # A skipped move is no action of the game; the build follows.
        client.has_skipped, client.last_decision = True, None


# --- HANDLERS: requests by phase ------------------------------------------------------------------------------------


class RequestHandler(msgspec.Struct, frozen=True):
    """Handler of a request in a phase, with its messages and the phases that may follow, for the diagram."""

    handle: Callable[[Participant, Any], None]
    sends: str
    next_phases: tuple[Phase, ...]


_START: Final = RequestHandler(start_turn, "setStartTurnResponse", (Phase.SELECTING,))
_SELECT: Final = RequestHandler(select_worker, "workerViewUpdate", (Phase.FIRST,))
_PLAYED: Final = "battlefieldUpdate, workerViewUpdate unless END, playStepResponse unless the match ends"
_SKIPPED: Final = "workerViewUpdate unless END, skipStepResponse unless the match ends"
_AFTER_A_STEP: Final = (Phase.STEPPING, Phase.WATCHING, Phase.OUT)

HANDLERS: Final[dict[Phase, dict[type, RequestHandler]]] = {
    Phase.WAITING: {},
    Phase.WATCHING: {},
    Phase.GOD: {requests.SetPickedCards: RequestHandler(pick_cards, "", (Phase.WATCHING,))},
    Phase.CARD: {
        requests.SetPlayerCard: RequestHandler(choose_card, "", (Phase.WATCHING, Phase.PLACING, Phase.CARD)),
    },
    Phase.PLACING: {
        requests.SetWorkersPosition: RequestHandler(place_workers, "battlefieldUpdate twice", (Phase.WATCHING,)),
    },
    Phase.STARTING: {requests.SetStartTurn: _START},
    Phase.SELECTING: {requests.SetStartTurn: _START, requests.SelectWorker: _SELECT},
    Phase.FIRST: {
        requests.SetStartTurn: _START,
        requests.SelectWorker: _SELECT,
        requests.PlayStep: RequestHandler(play_step, _PLAYED, (Phase.STEPPING, Phase.OUT)),
    },
    Phase.STEPPING: {
        requests.PlayStep: RequestHandler(play_step, _PLAYED, _AFTER_A_STEP),
        requests.SkipStep: RequestHandler(skip_step, _SKIPPED, _AFTER_A_STEP),
    },
}

# --- QUERIES: what a client may ask at any time of a match, in turn or out of it ------------------------------------


def _deck_response(client: Participant, request: requests.GetDeck) -> bytes:
    """Quirk: the shipped program's deck is an object with a list in it, the document's is the list [6]."""
    setup = client.match.position.setup
    gods_in_use = (*client.gods, *(setup.offer if setup is not None else ()))
    gods = with_named(deck(client.match.setting.options.pool, len(client.names)), gods_in_use)
    cards = [card(god) for god in gods]
    pile = cards if client.edition.bare_deck else replies.Pile(cards)
    return replies.write(replies.GetDeckResponse(pile))


def _players_response(client: Participant, request: requests.GetPlayers) -> bytes:
    """Return the players in the order of choosing, the god player last; none until the first has chosen [3]."""
    players = [
        replies.PlayerInterface(
            client.names[seat], battlefield.COLORS[seat], card_name(client.gods[seat] or God.MORTAL)
        )
        for seat in client.pick_order
    ]
    return replies.write(replies.GetPlayersResponse(players))


def _battlefield_response(client: Participant, request: requests.GetBattlefield) -> bytes:
    return battlefield.response(client.board())


def _workers_response(client: Participant, request: requests.GetWorkersID) -> bytes:
    """Return the numbers of the client's own workers; a request for another player gets no answer [7.4]."""
    if not client.is_me(request.playerNickname):
        return b""
    return replies.write(replies.GetWorkersIDResponse(client.name, list(workers_of(client.seat))))


def _cards_response(client: Participant, request: requests.GetCardsInGame) -> bytes:
    """Return the cards that the god player picked, including those chosen since [3]."""
    setup = client.position.setup
    gods = [god for god in client.gods if god is not None]
    gods += [] if setup is None else setup.offer
    if len(gods) < len(client.names):
        # Quirk: the shipped program's answer before the cards are picked has no envelope [7.3]
        return b"" if client.edition.bare_deck else replies.NO_CARDS_YET
    return replies.write(replies.GetCardsInGameResponse([card(god) for god in gods]))


QUERIES: Final[dict[type, Callable[[Participant, Any], bytes]]] = {
    requests.GetDeck: _deck_response,
    requests.GetPlayers: _players_response,
    requests.GetBattlefield: _battlefield_response,
    requests.GetWorkersID: _workers_response,
    requests.GetCardsInGame: _cards_response,
}
