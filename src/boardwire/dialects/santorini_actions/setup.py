"""The set-up: cards and workers (creation 2 to 4), asked and answered.

A table may have the set-up of another dialect.  Then a card that is dealt, not chosen, is put to the client as a choice
of one, which it answers as always and which goes no further; and what the protocol has no words for is answered at once
with a default.
"""

from __future__ import annotations

from itertools import islice

from boardwire.dialects.santorini_actions import replies, requests
from boardwire.dialects.santorini_actions.cards import card_name, deck, god_of
from boardwire.dialects.santorini_actions.edition import DOCUMENT
from boardwire.dialects.santorini_actions.sitting import Phase, Sitting, workers_of
from boardwire.errors import Refused
from boardwire.games.game import Decision, Seat
from boardwire.games.santorini import Action, God, Kind
from boardwire.games.santorini.actions import DONE, ChooseStart, PickGod, PlaceWorker, ProposeGod
from boardwire.games.santorini.position import free

# --- ASK ------------------------------------------------------------------------------------------------------------


def name_god(sitting: Sitting) -> None:
    """Name the god player: that unlocks every client's next stage (creation 2).

    Where nobody proposes, each client is told that somebody else does, so that it waits for its card."""
    pending = sitting.match.pending
    if pending is not None and pending.kind is Kind.PROPOSE_GOD:
        god = proposer(sitting, pending)
    elif sitting.god is not None:
        return
    else:
        god = (sitting.seat + 1) % len(sitting.names)
    if god != sitting.god:
        sitting.god = god
        sitting.caller.say(replies.write(replies.SetPickedCards(replies.Nickname(sitting.names[god]))))


def proposer(sitting: Sitting, pending: Decision[Action]) -> Seat:
    """Who is to propose, where several may.  This protocol asks one god player, and the answer could cross somebody
    else's proposal; so whoever can propose unasked goes first, then the first seat of this protocol.  A bot leaves it
    to people."""

    def rank(seat: Seat) -> int:
        player = sitting.match.players[seat]
        if player is None or player.bot:
            return 3
        return {DOCUMENT.name: 1, "santorini-objects": 2}.get(player.dialect.partition("/")[0], 0)

    return min(pending.seats, key=rank)


def ask_cards(sitting: Sitting, pending: Decision[Action]) -> None:
    """The god player has been named; the others wait."""
    sitting.phase = Phase.GOD if proposer(sitting, pending) == sitting.seat else Phase.WATCHING


def ask_card(sitting: Sitting, pending: Decision[Action]) -> None:
    """One player after the other, also where the table would take them as they come."""
    if pending.seats[0] != sitting.seat:
        sitting.phase = Phase.WATCHING
        return
    offer_cards(sitting, tuple(card_name(pick.god) for pick in pending.choices if isinstance(pick, PickGod)))


def offer_cards(sitting: Sitting, cards: tuple[str, ...]) -> None:
    """Put these cards to the client.  An offer that somebody of another dialect made smaller is not put again: the
    answer to the first question may be on its way, and a second answer would be one too many."""
    if sitting.phase is Phase.CARD and set(cards) <= set(sitting.asked_cards):
        return
    sitting.phase, sitting.asked_cards = Phase.CARD, cards
    sitting.caller.say(replies.write(replies.SetPlayerCard(replies.Names(list(cards)))))


def ask_workers(sitting: Sitting, pending: Decision[Action]) -> None:
    """Both workers at once; a third one, of a god that is not ours, goes where it can."""
    if len(sitting.position.workers[sitting.seat]) >= 2:
        take_default(sitting, pending)
        return
    sitting.phase = Phase.PLACING
    mine = replies.Workers(list(workers_of(sitting.seat)))
    sitting.caller.say(replies.write(replies.SetWorkersPosition(mine)))


def take_default(sitting: Sitting, pending: Decision[Action]) -> None:
    """What the protocol has no words for: nothing more, if that is a choice; to begin oneself; else the first."""
    mine = ChooseStart(sitting.seat)
    choices = pending.choices
    sitting.phase = Phase.WATCHING
    sitting.act(DONE if DONE in choices else mine if mine in choices else next(iter(choices)))


# --- HEAR -----------------------------------------------------------------------------------------------------------


def pick_cards(sitting: Sitting, request: requests.SetPickedCards) -> None:
    """The god player's cards, as many as there are players (creation 2)."""
    position, names = sitting.position, request.data.cards
    offer = () if position.setup is None else position.setup.offer
    wanted = len(sitting.names) - len(offer)
    if len(names) != wanted:
        raise Refused(f"pick {wanted} cards, not {len(names)}")
    sitting.act(*(ProposeGod(god) for god in _gods(sitting, names)))


def _gods(sitting: Sitting, names: list[str]) -> list[God]:
    if len(set(names)) < len(names):
        raise Refused("pick different cards")
    on_offer = deck(sitting.match.setting.options.pool, len(sitting.names))
    gods = []
    for name in names:
        god = god_of(name)
        if god is None or god not in on_offer:
            raise Refused(f"{name[:40]} is not in the deck")
        gods.append(god)
    return gods


def choose_card(sitting: Sitting, request: requests.SetPlayerCard) -> None:
    """A player's own card (creation 3)."""
    check_sender(sitting, request.data.playerNickname)
    god = god_of(request.data.card)
    if god is None or request.data.card not in sitting.asked_cards:
        raise Refused(f"{request.data.card[:40]} is not on offer")
    pending = sitting.match.pending
    if sitting.gods[sitting.seat] is None and pending is not None and PickGod(god) not in pending.choices:
        sitting.phase = Phase.WATCHING
        ask_card(sitting, pending)  # somebody of another dialect was quicker: what is left
        return
    sitting.carded = True
    if sitting.gods[sitting.seat] is None:
        sitting.act(PickGod(god))
    else:
        sitting.asked = None  # it had the card before it was asked


def place_workers(sitting: Sitting, request: requests.SetWorkersPosition) -> None:
    """Both workers, on different free cells (creation 4)."""
    check_sender(sitting, request.data.playerNickname)
    squares = [5 * one.x + one.y for one in request.data.workersPosition]
    if len(squares) != 2 or squares[0] == squares[1]:
        raise Refused("place your two workers on two cells")
    pending = sitting.match.pending
    assert pending is not None, "a client that places is one that is asked to"
    places: list[Action] = [PlaceWorker(square) for square in squares]
    if any(place not in pending.choices for place in places):
        if not all(free(sitting.position) >> square & 1 for square in squares):
            raise Refused("a worker cannot be placed there")
        places = list(islice(pending.choices, 2))  # a god of another dialect minds where, and no word can say so
    sitting.act(*places)


def check_sender(sitting: Sitting, name: str) -> None:
    """A request must name its own sender [8.12]."""
    if not sitting.is_me(name):
        raise Refused(f"you are {sitting.name}, not {name[:40]}")
