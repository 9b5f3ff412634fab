"""ASK: decisions as messages of santorini-actions.

- The set-up asks for cards and workers (creation 2 to 4). At a table with another dialect's set-up, the client is
  offered its assigned card alone; its answer is not forwarded.
- A turn asks for its kind, the worker and the steps (turn 2 to 7). Exactly one view answers each `selectWorker`, and
  each step that another one follows: an extra view confuses the shipped client [3].
- Decisions that the protocol cannot express are answered with a default.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Final

from boardwire.dialects.dispatch import exhaustive
from boardwire.dialects.santorini_actions.editions import DOCUMENT
from boardwire.dialects.santorini_actions.messages import replies, requests
from boardwire.dialects.santorini_actions.messages.battlefield import worker_view
from boardwire.dialects.santorini_actions.messages.cards import TYPES, card_name
from boardwire.dialects.santorini_actions.participant import (
    FIRST,
    OUT,
    SELECTING,
    STARTING,
    STEPPING,
    WATCHING,
    Participant,
    Phase,
    workers_of,
)
from boardwire.dialects.santorini_actions.steps import END, LAST, acting_square, find_due_step, find_opening
from boardwire.games.game import Decision, Seat
from boardwire.games.santorini import Action, God, Kind
from boardwire.games.santorini.actions import DONE, ChooseStart, PickGod


def ask_pending(client: Participant) -> None:
    """Ask the client the pending decision, unless it was asked before."""
    pending = client.match.pending
    if pending is None or pending is client.last_decision or client.phase is OUT:
        return
    if client.match.position.setup is not None:
        announce_god_player(client)
    if not client.has_named_card and (god := client.gods[client.seat]) is not None:
        offer_cards(client, (card_name(god),))  # the card was assigned: a choice of one
        return
    client.last_decision = pending
    if client.seat in pending.seats:
        ASK[pending.kind](client, pending)
    else:
        client.phase = WATCHING
        if client.pending_response is not None:
            client.answer(LAST)


# --- the set-up -----------------------------------------------------------------------------------------------------


def announce_god_player(client: Participant) -> None:
    """Announce the god player, which unlocks every client's next stage (creation 2).

    If no player proposes, each client gets the name of another player, so that it waits for its card.
    """
    pending = client.match.pending
    if pending is not None and pending.kind is Kind.PROPOSE_GOD:
        seat = proposer(client, pending)
    elif client.god_player is not None:
        return
    else:
        seat = (client.seat + 1) % len(client.names)
    if seat != client.god_player:
        client.god_player = seat
        client.session.say(replies.write(replies.SetPickedCards(client.names[seat])))


def proposer(client: Participant, pending: Decision[Action]) -> Seat:
    """Return the seat that proposes if several may.

    The protocol asks a single god player, whose answer could conflict with another proposal. So players of dialects
    that propose without a question have precedence, then the first seat of this protocol, then bots.
    """

    def rank(seat: Seat) -> int:
        player = client.match.players[seat]
        if player is None or player.bot:
            return 3
        return {DOCUMENT.name: 1, "santorini-objects": 2}.get(player.dialect.partition("/")[0], 0)

    return min(pending.seats, key=rank)


def picks_first(client: Participant, seat: Seat) -> bool:
    """Return whether the seat belongs to a person with another protocol, who picks before players of this one.

    Bots leave open decisions to people. A player without a dialect is a stand-in of an adapter.
    """
    player = client.match.players[seat]
    if player is None or player.bot or not player.dialect:
        return False
    return player.dialect.partition("/")[0] != DOCUMENT.name


def ask_cards(client: Participant, pending: Decision[Action]) -> None:
    """Let the god player pick cards; the others wait."""
    client.phase = Phase.GOD if proposer(client, pending) == client.seat else WATCHING


def ask_card(client: Participant, pending: Decision[Action]) -> None:
    """Ask players for their cards one at a time, even at a table that accepts any order.

    There, people with other dialects pick first: the original client expects one question and then waits for its
    workers, so it would wait for ever if its card were taken while the answer is in flight [8].
    """
    if min(pending.seats, key=lambda seat: (not picks_first(client, seat), seat)) != client.seat:
        client.phase = WATCHING
        return
    offer_cards(client, tuple(card_name(pick.god) for pick in pending.choices if isinstance(pick, PickGod)))


def offer_cards(client: Participant, cards: tuple[str, ...]) -> None:
    """Offer cards to the client.

    An offer is not repeated when a player of another dialect has taken one of the cards: the answer may be in flight,
    and the client would send a second one.
    """
    if client.phase is Phase.CARD and set(cards) <= set(client.offered_cards):
        return
    client.phase, client.offered_cards = Phase.CARD, cards
    client.session.say(replies.write(replies.SetPlayerCard(list(cards))))


def ask_workers(client: Participant, pending: Decision[Action]) -> None:
    """Ask for both workers at once. A third worker, of a god outside this protocol, is placed by default."""
    if len(client.position.workers[client.seat]) >= 2:
        take_default(client, pending)
        return
    client.phase = Phase.PLACING
    client.session.say(replies.write(replies.SetWorkersPosition(list(workers_of(client.seat)))))


def go_through_setup(client: Participant) -> None:
    """Ask for card and workers although the match starts from a position that has both.

    The original client reaches its first turn only after answering both questions [8]. The answers are ignored, and the
    match does not wait for them.
    """
    god = client.gods[client.seat] or God.MORTAL
    client.formal_requests = {requests.SetPlayerCard, requests.SetWorkersPosition}
    client.session.say(replies.write(replies.SetPlayerCard([card_name(god)])))
    client.session.say(replies.write(replies.SetWorkersPosition(list(workers_of(client.seat)))))


def take_default(client: Participant, pending: Decision[Action]) -> None:
    """Take the default: decline, or be the starting player, or else the first choice."""
    own_start = ChooseStart(client.seat)
    choices = pending.choices
    client.phase = WATCHING
    client.act(DONE if DONE in choices else own_start if own_start in choices else next(iter(choices)))


# --- a turn ---------------------------------------------------------------------------------------------------------


def ask_open(client: Participant, pending: Decision[Action]) -> None:
    """Begin a turn that `actualPlayer` has announced, or continue after a build before the move."""
    position = client.match.position
    if acting_square(position) >= 0:
        ask_step(client, pending)
        return
    client.opening = find_opening(position, pending.choices)
    if not (client.opening.power or client.opening.plain):
        take_default(client, pending)  # a god of another dialect, whose actions this protocol cannot express
        return
    if client.started_ply == position.ply and client.phase in (SELECTING, FIRST):
        if client.phase is FIRST:  # an elimination may have given the worker more choices since
            client.due_step = find_due_step(position, pending, client.due_step.by, client.is_plain)
        return
    if client.pending_response is not None:
        client.answer(LAST)
    client.phase, client.due_step = STARTING, END
    client.is_plain = client.has_skipped = False


def can_start(client: Participant) -> bool:
    """Return whether this protocol can express the turn that begins; always true for its fourteen gods."""
    position, pending = client.match.position, client.match.pending
    if position.lineup.gods[client.seat] in TYPES or pending is None or pending.kind is not Kind.OPEN:
        return True
    opening = find_opening(position, pending.choices)
    return client.seat not in pending.seats or opening.power or opening.plain


def ask_step(client: Participant, pending: Decision[Action]) -> None:
    """Send the view of the next step, then the response to the previous one (turn 7)."""
    if client.phase is WATCHING and client.pending_response is None:
        take_default(client, pending)  # end a turn that a default began, or that the client has finished
        return
    position = client.match.position
    next_step = find_due_step(position, pending, acting_square(position), client.is_plain, client.has_skipped)
    if not next_step.targets:
        take_default(client, pending)  # [4.4] a step without targets is skipped, as is the rest of a plain turn
        return
    has_view = client.phase is STEPPING and client.pending_response is None  # the event was an elimination
    client.phase, client.due_step = STEPPING, next_step
    if not has_view:
        client.session.say(worker_view(next_step.targets))
    client.answer(next_step.step)


ASK: Final[dict[StrEnum, Callable[[Participant, Decision[Action]], None]]] = exhaustive(
    {
        Kind.PROPOSE_GOD: ask_cards,
        Kind.PICK_GOD: ask_card,
        Kind.PLACE_WORKER: ask_workers,
        Kind.OPEN: ask_open,
        Kind.GO_ON: ask_step,
        Kind.BUILD_MORE: ask_step,
        Kind.CLOSE: ask_step,
    },
    Kind, take_default,
    Kind.NAME_START, Kind.CHOOSE_START, Kind.PLACE_RAM, Kind.PREPARE, Kind.REPLY, Kind.CHANCE,
)  # fmt: skip
"""Function that asks each kind of decision, or takes its default; chance is never asked of a seat."""
