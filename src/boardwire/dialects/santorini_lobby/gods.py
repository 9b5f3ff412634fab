"""The sixteen gods this protocol's program has, in the order it sends them [5], and gods by name.

The descriptions are our own words, from the game's catalogue.  Names are open-ended in this protocol, so a god of
another table is told by its name too; but only these are on offer at a table that this dialect opens, and only these
where one of its players sits [10].
"""

from __future__ import annotations

from typing import Final

from boardwire.dialects.santorini_lobby.messages import GodName
from boardwire.games.santorini.powers.catalogue import CATALOGUE, God
from boardwire.games.santorini.powers.registry import POWERS

SIXTEEN: Final = (
    God.APOLLO, God.MINOTAUR, God.ATLAS, God.ATHENA, God.HEPHAESTUS, God.DEMETER, God.PAN, God.ARTEMIS, God.PROMETHEUS,
    God.ZEUS, God.CHARON, God.HESTIA, God.URANIA, God.CHRONUS, God.LIMUS, God.HADES,
)  # fmt: skip

OFFERED: Final = tuple(god for god in SIXTEEN if god in POWERS)
"""Those of the sixteen that the game has."""

IDENTIFIERS: Final = {god: GodName(entry.name, entry.text) for god, entry in CATALOGUE.items()} | {
    God.MORTAL: GodName("Mortal", "No power.")
}

_BY_NAME: Final = {identifier.name.casefold(): god for god, identifier in IDENTIFIERS.items()}


def god_called(name: str) -> God | None:
    """The god of that name, in any case; the description does not matter [8.1]."""
    return _BY_NAME.get(name.casefold())
