"""Rules and cards of the games, for `boardwire rules` and the help in a match."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import get_close_matches

from boardwire import games
from boardwire.errors import Malformed
from boardwire.games.game import AnyGame, Card


def contents() -> Iterator[str]:
    """Yield a line for each game, with its first sentence."""
    for name in games.NAMES:
        yield f"{name:<12}{games.game(name).explain()[0]}"


def rules(game: str, card: str = "") -> Sequence[str]:
    """Return the rules of a game in a few sentences, or those of one of its cards."""
    rulebook = games.game(game)
    return rulebook.explain(_find(rulebook, card) if card else None)


def _find(game: AnyGame, text: str) -> Card:
    """Return the card with this name; either name of a pair suffices: Pollux is Castor & Pollux."""
    if not game.cards:
        raise Malformed(f"{game.name} has no cards; try `boardwire rules {game.name}`")
    topic = text.strip().lower()
    names = {name: card for card in game.cards for name in _names(card)}
    if topic in names:
        return names[topic]
    near = {names[name].name: None for name in get_close_matches(topic, names)}  # the same card only once
    raise Malformed(
        f"{game.name} has no card called {text!r}" + (f"; did you mean {' or '.join(near)}?" if near else "")
    )


def _names(card: Card) -> tuple[str, ...]:
    name = card.name.lower()
    return (name, *(part.strip() for part in name.split("&")))
