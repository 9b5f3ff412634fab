"""ASK: each decision in this protocol's words.

The set-up is cards and workers (creation 2 to 4).  A table may have the set-up of another dialect: then a card that is
dealt, not chosen, is put to the client as a choice of one, which it answers as always and which goes no further.  A
turn is its kind, the worker, the steps (turn 2 to 7); exactly one view answers each `selectWorker` and each step that
another one follows, since one more would confuse the shipped client [3].  What the protocol has no words for is
answered at once with a default.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Final

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
from boardwire.dialects.santorini_actions.steps import END, LAST, acting, due, opening
from boardwire.dialects.tables import total
from boardwire.games.game import Decision, Seat
from boardwire.games.santorini import Action, God, Kind
from boardwire.games.santorini.actions import DONE, ChooseStart, PickGod


def put(client: Participant) -> None:
    """Ask the client what is to be asked of it now, unless it has been."""
    pending = client.match.pending
    if pending is None or pending is client.asked or client.phase is OUT:
        return
    if client.match.position.setup is not None:
        name_god(client)
    if not client.carded and (god := client.gods[client.seat]) is not None:
        offer_cards(client, (card_name(god),))  # it was given its card: a choice of one
        return
    client.asked = pending
    if client.seat in pending.seats:
        ASK[pending.kind](client, pending)
    else:
        client.phase = WATCHING
        if client.owed is not None:
            client.answer(LAST)


# --- the set-up -----------------------------------------------------------------------------------------------------


def name_god(client: Participant) -> None:
    """Name the god player: that unlocks every client's next stage (creation 2).

    Where nobody proposes, each client is told that somebody else does, so that it waits for its card."""
    pending = client.match.pending
    if pending is not None and pending.kind is Kind.PROPOSE_GOD:
        god = proposer(client, pending)
    elif client.god is not None:
        return
    else:
        god = (client.seat + 1) % len(client.names)
    if god != client.god:
        client.god = god
        client.peer.say(replies.write(replies.SetPickedCards(client.names[god])))


def proposer(client: Participant, pending: Decision[Action]) -> Seat:
    """Who is to propose, where several may.  This protocol asks one god player, and the answer could cross somebody
    else's proposal; so whoever can propose unasked goes first, then the first seat of this protocol.  A bot leaves it
    to people."""

    def rank(seat: Seat) -> int:
        player = client.match.players[seat]
        if player is None or player.bot:
            return 3
        return {DOCUMENT.name: 1, "santorini-objects": 2}.get(player.dialect.partition("/")[0], 0)

    return min(pending.seats, key=rank)


def picks_first(client: Participant, seat: Seat) -> bool:
    """Whether a person with another protocol sits there.

    Bots leave what is open to several to people, and a player without a protocol is elsewhere, behind an adapter.
    """
    player = client.match.players[seat]
    if player is None or player.bot or not player.dialect:
        return False
    return player.dialect.partition("/")[0] != DOCUMENT.name


def ask_cards(client: Participant, pending: Decision[Action]) -> None:
    """The god player has been named; the others wait."""
    client.phase = Phase.GOD if proposer(client, pending) == client.seat else WATCHING


def ask_card(client: Participant, pending: Decision[Action]) -> None:
    """One player after the other, also where the table would take them as they come.

    There, people with other dialects go first: the original client is asked for its card once and waits for its workers
    then, so a card that somebody takes while its answer is under way would leave it waiting for ever [8]."""
    if min(pending.seats, key=lambda seat: (not picks_first(client, seat), seat)) != client.seat:
        client.phase = WATCHING
        return
    offer_cards(client, tuple(card_name(pick.god) for pick in pending.choices if isinstance(pick, PickGod)))


def offer_cards(client: Participant, cards: tuple[str, ...]) -> None:
    """Put these cards to the client.  An offer that somebody of another dialect made smaller is not put again: the
    answer to the first question may be on its way, and a second answer would be one too many."""
    if client.phase is Phase.CARD and set(cards) <= set(client.asked_cards):
        return
    client.phase, client.asked_cards = Phase.CARD, cards
    client.peer.say(replies.write(replies.SetPlayerCard(list(cards))))


def ask_workers(client: Participant, pending: Decision[Action]) -> None:
    """Both workers at once; a third one, of a god that is not ours, goes where it can."""
    if len(client.position.workers[client.seat]) >= 2:
        take_default(client, pending)
        return
    client.phase = Phase.PLACING
    client.peer.say(replies.write(replies.SetWorkersPosition(list(workers_of(client.seat)))))


def go_through_setup(client: Participant) -> None:
    """Ask for card and workers where a match starts from a position: the original client comes to its first turn only
    after it has answered both [8].  The answers go no further, and nothing waits for them."""
    god = client.gods[client.seat] or God.MORTAL
    client.formal = {requests.SetPlayerCard, requests.SetWorkersPosition}
    client.peer.say(replies.write(replies.SetPlayerCard([card_name(god)])))
    client.peer.say(replies.write(replies.SetWorkersPosition(list(workers_of(client.seat)))))


def take_default(client: Participant, pending: Decision[Action]) -> None:
    """What the protocol has no words for: nothing more, if that is a choice; to begin oneself; else the first."""
    mine = ChooseStart(client.seat)
    choices = pending.choices
    client.phase = WATCHING
    client.act(DONE if DONE in choices else mine if mine in choices else next(iter(choices)))


# --- a turn ---------------------------------------------------------------------------------------------------------


def ask_open(client: Participant, pending: Decision[Action]) -> None:
    """A new turn, which `actualPlayer` has announced; or, after a build before the move, the next step."""
    position = client.match.position
    if acting(position) >= 0:
        ask_step(client, pending)
        return
    client.opening = opening(position, pending.choices)
    if not (client.opening.power or client.opening.plain):
        take_default(client, pending)  # a god of another dialect, who can do nothing that has a name here
        return
    if client.started == position.ply and client.phase in (SELECTING, FIRST):
        if client.phase is FIRST:  # another player is out meanwhile, so the worker may have more to choose from
            client.due = due(position, pending, client.due.by, client.plain)
        return
    if client.owed is not None:
        client.answer(LAST)
    client.phase, client.due = STARTING, END
    client.plain = client.skipped = False


def can_start(client: Participant) -> bool:
    """Whether a turn of the client's that begins now can be put into this protocol's words.  The fourteen gods' can."""
    position, pending = client.match.position, client.match.pending
    if position.lineup.gods[client.seat] in TYPES or pending is None or pending.kind is not Kind.OPEN:
        return True
    how = opening(position, pending.choices)
    return client.seat not in pending.seats or how.power or how.plain


def ask_step(client: Participant, pending: Decision[Action]) -> None:
    """The next step of the worker in use: its view, and then the answer to the step before (turn 7)."""
    if client.phase is WATCHING and client.owed is None:
        take_default(client, pending)  # a turn that was begun for the client, or is over for it, is ended for it
        return
    position = client.match.position
    following = due(position, pending, acting(position), client.plain, client.skipped)
    if not following.targets:
        take_default(client, pending)  # [4.4] a step that can go nowhere is skipped; so is a plain turn's rest
        return
    waits = client.phase is STEPPING and client.owed is None  # it has the view, and another player is out meanwhile
    client.phase, client.due = STEPPING, following
    if not waits:
        client.peer.say(worker_view(following.targets))
    client.answer(following.step)


ASK: Final[dict[StrEnum, Callable[[Participant, Decision[Action]], None]]] = total(
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
"""How each kind of decision is put to the client, or which default is taken.  Luck is never asked of a seat."""
