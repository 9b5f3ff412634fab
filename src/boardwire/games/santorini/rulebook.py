"""Summary of the rules of Santorini, and its gods as cards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from boardwire.games.game import Card
from boardwire.games.santorini.powers.catalogue import CATALOGUE, Family, God, banned


class GodCard(Card, frozen=True):
    """A god.

    - `players`: the numbers of players with which it is allowed; `fleece`: whether it can lie beside the Ram.
    - `order`: the published hint for the starting order (lower first); `printed`: the rule of the printed card if it
      differs.
    - `banned`: the gods that it may not meet.
    """

    family: Family
    players: tuple[int, ...]
    fleece: bool
    order: int
    printed: str
    banned: tuple[God, ...]


cards: Final = tuple(
    GodCard(
        facts.god,
        facts.name,
        facts.text,
        facts.family,
        facts.players,
        facts.fleece,
        facts.order,
        facts.printed,
        tuple(other for other in CATALOGUE if banned(facts.god, other)),
    )
    for facts in CATALOGUE.values()
)

_BY_NAME: Final = {card.card: card for card in cards}

_RULES: Final = (
    "Santorini, for 2 to 4 players (1 to practise).",
    "Each turn: move one of your workers to a neighbouring space, at most one level up, then build with it next to "
    "where it stands: a block, or on level 3 a dome.",
    "A player who moves up to level 3 wins; a player who cannot move and build loses.",
    "Gods bend these rules.  `boardwire rules santorini GOD`, or `help GOD` in a match, tells what one does; "
    "there are:",
    *(f"  {family}: {', '.join(card.name for card in cards if card.family is family)}" for family in Family),
)


def explain(card: Card | None = None) -> Sequence[str]:
    """Return the rules, or the rule of a god."""
    return _RULES if card is None else tuple(_describe_god(_BY_NAME[card.card]))


def _describe_god(card: GodCard) -> Iterator[str]:
    """Yield the description of a god."""
    yield f"{card.name} ({card.family}; for {', '.join(map(str, card.players))} players)"
    yield card.text
    if card.printed:
        yield f"Printed wording: {card.printed}"
    if card.fleece:
        yield "Can lie beside the Ram in the Golden Fleece variant."
    if card.banned:
        yield f"May not meet: {', '.join(CATALOGUE[other].name for other in card.banned)}."
