"""Rules and counts for people and researchers: `boardwire rules` and `boardwire perft`."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches
from typing import Final

import msgspec

from boardwire import games
from boardwire.errors import Malformed
from boardwire.games.santorini import CATALOGUE
from boardwire.games.santorini.notation import format_position, parse_position
from boardwire.games.santorini.perft import divide, perft
from boardwire.games.santorini.powers.catalogue import Entry, Family, banned

_SUMMARY: Final = {
    "tris": (
        "Tris, for 2 players.",
        "The board has nine cells, numbered 0 to 8 from left to right and top to bottom.",
        "The players mark a free cell in turn; the first player begins.",
        "Three own marks in a row, column or diagonal win; a full board without such a line is a draw.",
    ),
    "santorini": (
        "Santorini, for 2 to 4 players (1 to practise).",
        "Each turn: move one of your workers to a neighbouring space, at most one level up, then build with it next to "
        "where it stands: a block, or on level 3 a dome.",
        "Who moves up to level 3 wins; who cannot move and build loses.",
        "Gods bend these rules.  `boardwire rules santorini GOD`, or `help GOD` in a match, tells what one does; "
        "there are:",
    ),
    "eriantys": (
        "Eriantys, for 2 to 4 players (4 in two teams).",
        "Each round everybody plays an assistant, which sets the order and how far mother nature may go.",
        "Each turn: move students from your entrance to your hall or to islands, move mother nature, whose island "
        "goes to the side with the most influence, and refill your entrance from a cloud.",
        "Students seated win professors; professors make students on islands count.",
        "All towers placed wins at once; otherwise the game ends with three groups of islands, an empty bag or a last "
        "assistant: most towers win.",
    ),
}


def rules(game: str, power: str = "") -> Iterator[str]:
    """A game in a few sentences, or what one god does."""
    games.game(game)
    if not power:
        yield from _SUMMARY[game]
        if game == "santorini":
            yield from _families()
        return
    if game != "santorini":
        raise Malformed(f"{game} has no gods; try `boardwire rules {game}`")
    yield from _god(power)


def _families() -> Iterator[str]:
    for family in Family:
        names = [entry.name for entry in CATALOGUE.values() if entry.family is family]
        yield f"  {family.value}: {', '.join(names)}"


def _god(text: str) -> Iterator[str]:
    entry = _find(text)
    yield f"{entry.name} ({entry.family.value}; for {', '.join(map(str, entry.players))} players)"
    yield entry.text
    if entry.printed:
        yield f"Printed wording: {entry.printed}"
    if entry.fleece:
        yield "Can lie beside the Ram in the Golden Fleece variant."
    others = [other.name for other in CATALOGUE.values() if banned(entry.god, other.god)]
    if others:
        yield f"May not meet: {', '.join(others)}."


def _find(text: str) -> Entry:
    """The god of that name, or of one of its names: Pollux is Castor & Pollux."""
    wanted = text.strip().lower()
    names = {name: entry for entry in CATALOGUE.values() for name in _names(entry.name.lower())}
    if wanted in names:
        return names[wanted]
    near = {names[name].name: None for name in get_close_matches(wanted, names)}  # the same god only once
    raise Malformed(f"there is no god called {text!r}" + (f"; did you mean {' or '.join(near)}?" if near else ""))


def _names(name: str) -> tuple[str, ...]:
    return (name, *(part.strip() for part in name.split("&")))


def count(position: str, depth: int, *, by_turn: bool, json: bool) -> Iterator[str]:
    """How many lines of `depth` turns start from a position; by first turn if `by_turn`."""
    if depth < 1:
        raise Malformed("a depth is 1 or more")
    start = parse_position(position)
    if by_turn:
        for after, states in divide(start, depth).items():
            text = format_position(after)
            yield msgspec.json.encode({"position": text, "states": states}).decode() if json else f"{text}  {states}"
        return
    found = perft(start, depth)
    if json:
        yield msgspec.json.encode(found).decode()
        return
    for name, value in msgspec.to_builtins(found).items():
        yield f"{name:<14} {value}"
