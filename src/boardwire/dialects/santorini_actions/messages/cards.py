"""Cards: the fourteen gods of this protocol, in the order of its deck [2].

A card's name on the wire is the god's in upper case. The effects are described in this project's words. `MORTAL` stands
for no god at tables of other dialects.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec

from boardwire.games.santorini import CATALOGUE, God, Wish
from boardwire.games.santorini.powers.registry import POWERS


class DivinityCard(msgspec.Struct, frozen=True, kw_only=True):
    """A card on the wire; three of them have no `cardType` [2]."""

    cardName: str
    cardType: str | msgspec.UnsetType = msgspec.UNSET
    chooseBasic: bool = False  # absent in the program of the document's date [10]
    numberOfPlayersAllowed: int = 3
    cardEffect: str = ""


TYPES: Final[dict[God, str | None]] = {
    God.APOLLO: "MOVEMENT",
    God.ARTEMIS: "MOVEMENT",
    God.ATHENA: "OTHER",
    God.ATLAS: "BUILD",
    God.DEMETER: "BUILD",
    God.HEPHAESTUS: "BUILD",
    God.MINOTAUR: "MOVEMENT",
    God.PAN: "WIN",
    God.PROMETHEUS: "OTHER",
    God.ARES: None,
    God.CHRONUS: "WIN",
    God.HESTIA: None,
    God.TRITON: "MOVEMENT",
    God.ZEUS: None,
}
"""The gods of the deck in its order, with the types of their cards."""

CHOOSE_BASIC: Final = frozenset({God.ATLAS, God.PROMETHEUS})
"""Gods whose players are asked before each turn whether they use the power [2]."""

KNOWN_GODS: Final = tuple(god for god in TYPES if god in POWERS)
WISH: Final = Wish(KNOWN_GODS)
"""Gods that a client of this protocol can play with."""

_GODS: Final = {god.name: god for god in God}


def card_name(god: God) -> str:
    """Return a god's name on the wire."""
    return god.name


def god_of(name: str) -> God | None:
    """Return the god of a card, or None if there is none."""
    return _GODS.get(name)


def card(god: God) -> DivinityCard:
    """Return a god's card; a god that the protocol does not know has no type."""
    entry = CATALOGUE.get(god)
    return DivinityCard(
        cardName=card_name(god),
        cardType=TYPES.get(god) or msgspec.UNSET,
        chooseBasic=god in CHOOSE_BASIC,
        numberOfPlayersAllowed=3 if entry is None else min(3, max(entry.players)),
        cardEffect="You have no power." if entry is None else entry.text,
    )


def deck(pool: tuple[God, ...], seats: int) -> tuple[God, ...]:
    """Return the gods that can be proposed at a table of this size (creation 2).

    A pool may contain gods outside the specification; clients look up their cards here.
    """
    gods = KNOWN_GODS if not pool else dict.fromkeys((*(god for god in KNOWN_GODS if god in pool), *pool))
    return tuple(god for god in gods if god in CATALOGUE and seats in CATALOGUE[god].players)


def with_named(deck: tuple[God, ...], named: Iterable[God | None]) -> tuple[God, ...]:
    """Return the deck extended by all cards in use, MORTAL included: real clients fail on a missing card [8]."""
    return tuple(dict.fromkeys((*deck, *(god for god in named if god is not None))))
