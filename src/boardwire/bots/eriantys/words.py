"""Turns and forecasts of Eriantys in English.

As in the notation, an island has the number of its first tile, from 0.
"""

from __future__ import annotations

from collections.abc import Iterator

from boardwire.bots.eriantys.forecast import Forecast
from boardwire.games.eriantys import (
    Action,
    Colour,
    MoveMotherNature,
    PlayAssistant,
    Swap,
    TakeCloud,
    ToHall,
    ToIsland,
    UseCharacter,
    View,
)

_LIKELY = 0.05
"""Minimum probability of a change that is mentioned."""


def describe_step(action: Action, view: View | None = None) -> str:
    """Describe a step; with the view before it, include the island where mother nature stops."""
    match action:
        case PlayAssistant(card):
            return f"play assistant {card}"
        case ToHall(colour):
            return f"{_colour_name(colour)} to the dining room"
        case ToIsland(colour, island):
            return f"{_colour_name(colour)} to island {island}"
        case MoveMotherNature(steps):
            walk = f"mother nature {steps} step{'s' * (steps != 1)}"
            return walk if view is None else f"{walk}, to island {_stop_island(view, steps)}"
        case TakeCloud(cloud):
            return f"take cloud {cloud}"
        case UseCharacter(character, colour, island, give):
            return f"use the {character.value}{_character_choices(colour, island, give)}"
        case Swap(colour, give):
            return f"{_colour_name(colour)} for {_colour_name(give)}"
        case _:
            return "end the turn"


def _character_choices(colour: Colour | None, island: int | None, give: Colour | None) -> str:
    """Describe the choices made with a character: students and an island, or ''."""
    what = "" if colour is None else f": {_colour_name(colour)}"
    if give is not None:
        return f"{what} for {_colour_name(give)}"
    if island is None:
        return what
    return f"{what} to island {island}" if what else f" on island {island}"


def _colour_name(colour: Colour) -> str:
    return colour.name.lower()


def _stop_island(view: View, steps: int) -> int:
    """Return the first tile of the island where mother nature stops after these steps."""
    start = next(at for at, island in enumerate(view.islands) if island.mother_nature)
    return view.islands[(start + steps) % len(view.islands)].tiles[0]


def describe_forecast(view: View, forecast: Forecast) -> Iterator[str]:
    """Describe a forecast: a line for each side, then a line for each island that may change hands in this round."""
    names = [side.tower.value for side in view.sides]
    for name, chance, now, later in zip(names, forecast.chances, forecast.towers, forecast.expected, strict=True):
        yield f"{name}: {chance:.0%} to win; towers on islands {now} now, {later:.1f} at the end of the round"
    for island, seen in zip(view.islands, forecast.islands, strict=True):
        changes = [
            f"{name} {owner:.0%}"
            for side, (name, owner) in enumerate(zip(names, seen.owner, strict=True))
            if owner >= _LIKELY and side != island.side
        ]
        if changes:
            influence = ", ".join(f"{name} {mean:.1f}" for name, mean in zip(names, seen.influence, strict=True))
            yield f"island {seen.island}: goes to {', '.join(changes)}; influence then {influence}"
