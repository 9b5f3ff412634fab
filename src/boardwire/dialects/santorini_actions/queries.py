"""ANSWER: what a client may ask at any time of a match, in turn or out of it [8.4]."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from boardwire.dialects.santorini_actions import battlefield, replies, requests
from boardwire.dialects.santorini_actions.cards import card, card_name, deck, with_named
from boardwire.dialects.santorini_actions.sitting import Sitting, workers_of
from boardwire.games.santorini import God


def _deck(sitting: Sitting, request: requests.GetDeck) -> bytes:
    """Quirk: the shipped program's deck is an object with a list in it, the document's is the list [1]."""
    gods = with_named(deck(sitting.match.setting.options.pool, len(sitting.names)), sitting.gods)
    cards = [card(god) for god in gods]
    pile = cards if sitting.edition.bare_deck else replies.Pile(cards)
    return replies.write(replies.GetDeckResponse(replies.Deck(pile)))


def _players(sitting: Sitting, request: requests.GetPlayers) -> bytes:
    """In the order of choosing, the god player last; nobody before the first has chosen [2]."""
    players = [
        replies.PlayerInterface(
            sitting.names[seat], battlefield.COLORS[seat], card_name(sitting.gods[seat] or God.MORTAL)
        )
        for seat in sitting.picked
    ]
    return replies.write(replies.GetPlayersResponse(replies.Players(players)))


def _battlefield(sitting: Sitting, request: requests.GetBattlefield) -> bytes:
    return battlefield.response(sitting.board())


def _workers(sitting: Sitting, request: requests.GetWorkersID) -> bytes:
    """One's own alone; about others there is no answer [2]."""
    if not sitting.is_me(request.data.playerNickname):
        return b""
    owned = replies.Owned(sitting.name, list(workers_of(sitting.seat)))
    return replies.write(replies.GetWorkersIDResponse(owned))


def _cards(sitting: Sitting, request: requests.GetCardsInGame) -> bytes:
    """The cards that the god player picked, whoever has them by now [2]."""
    setup = sitting.position.setup
    gods = [god for god in sitting.gods if god is not None]
    gods += [] if setup is None else setup.offer
    if len(gods) < len(sitting.names):
        # Quirk: the shipped program's answer before the cards are picked has no envelope [2]
        return b"" if sitting.edition.bare_deck else replies.NO_CARDS_YET
    return replies.write(replies.GetCardsInGameResponse(replies.CardList([card(god) for god in gods])))


ANSWER: Final[dict[type, Callable[[Sitting, Any], bytes]]] = {
    requests.GetDeck: _deck,
    requests.GetPlayers: _players,
    requests.GetBattlefield: _battlefield,
    requests.GetWorkersID: _workers,
    requests.GetCardsInGame: _cards,
}
