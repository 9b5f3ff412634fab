"""The cards: the fourteen gods of this protocol, in the order of its deck [2].

A card's name on the wire is the god's in upper case.  The effects are told in our own words.  `MORTAL` stands for no
god at tables of other dialects that are played without.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec

from boardwire.games.santorini import CATALOGUE, God, Wish
from boardwire.games.santorini.powers.registry import POWERS


class DivinityCard(msgspec.Struct, frozen=True, kw_only=True):
    """A card as it is sent; `cardType` is absent on three of them [2]."""

    cardName: str  # noqa: N815 - the wire's own spelling, here and below
    cardType: str | msgspec.UnsetType = msgspec.UNSET  # noqa: N815
    chooseBasic: bool = False  # noqa: N815 - absent in the program of the document's own date [10]
    numberOfPlayersAllowed: int = 3  # noqa: N815
    cardEffect: str = ""  # noqa: N815


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
"""The gods of the deck, in its order, and the types of their cards."""

CHOOSE_BASIC: Final = frozenset({God.ATLAS, God.PROMETHEUS})
"""The gods whose players are asked whether they use the power, before the turn [2]."""

KNOWN: Final = tuple(god for god in TYPES if god in POWERS)
WISH: Final = Wish(KNOWN)
"""What a client of this protocol can express."""

_GODS: Final = {god.name: god for god in God}


def card_name(god: God) -> str:
    """A god's name on the wire."""
    return god.name


def god_of(name: str) -> God | None:
    """The god of a card; None if there is no such card."""
    return _GODS.get(name)


def card(god: God) -> DivinityCard:
    """A god's card."""
    entry = CATALOGUE.get(god)
    return DivinityCard(
        cardName=card_name(god),
        cardType=TYPES.get(god) or msgspec.UNSET,
        chooseBasic=god in CHOOSE_BASIC,
        numberOfPlayersAllowed=3 if entry is None else min(3, max(entry.players)),
        cardEffect="You have no power." if entry is None else entry.text,
    )


def deck(pool: tuple[God, ...], seats: int) -> tuple[God, ...]:
    """The gods that can be proposed at a table: skimmed according to the lobby's size (creation 2).  A pool may have
    gods that the page does not have; whoever is told one later looks it up here."""
    gods = KNOWN if not pool else dict.fromkeys((*(god for god in KNOWN if god in pool), *pool))
    return tuple(god for god in gods if god in CATALOGUE and seats in CATALOGUE[god].players)


def with_named(deck: tuple[God, ...], named: Iterable[God | None]) -> tuple[God, ...]:
    """The deck with all cards that a table names, MORTAL too: real clients look their card up and fail without [8]."""
    return tuple(dict.fromkeys((*deck, *(god for god in named if god is not None))))
