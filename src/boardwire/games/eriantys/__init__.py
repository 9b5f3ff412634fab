"""Eriantys: two to four players seat students, win professors and raise towers on twelve islands.

`prefer_compiled` selects the rules compiled with mypyc, if there are any, before a module of them is imported.
"""

from typing import Final

from boardwire.compiled import prefer_compiled

COMPILED: Final = prefer_compiled("games/eriantys", __path__)
"""Whether the rules run compiled in this process."""

from boardwire.games.eriantys.actions import (
    Action,
    Choices,
    DealEntrances,
    Done,
    DrawCharacters,
    DrawFirst,
    MoveMotherNature,
    PlaceMotherNature,
    PlayAssistant,
    Refill,
    Restock,
    StockCharacters,
    StockIslands,
    Swap,
    TakeCloud,
    ToHall,
    ToIsland,
    UseCharacter,
)
from boardwire.games.eriantys.colours import Colour
from boardwire.games.eriantys.diagram import format_position, parse_position
from boardwire.games.eriantys.events import Event, Termination
from boardwire.games.eriantys.notation import format_action, format_match, parse_action
from boardwire.games.eriantys.options import Character, CloudTime, Mode, Options, Tower, is_standard
from boardwire.games.eriantys.position import Position
from boardwire.games.eriantys.rulebook import cards, explain
from boardwire.games.eriantys.rules import (
    apply,
    conceals,
    forfeit,
    name,
    new,
    objection,
    outcome,
    pending,
    rules,
    seat_counts,
    show,
    sides,
    skip,
    views_differ,
)
from boardwire.games.eriantys.stages import Kind, Rule
from boardwire.games.eriantys.view import View
from boardwire.games.eriantys.views import view
from boardwire.games.eriantys.wish import Wish, settle

draws: Final = False
"""Players cannot agree to a draw: a match has at most ten rounds, professors decide between equal numbers of towers,
and an agreement of some players could harm others."""

__all__ = [
    "Action",
    "Character",
    "Choices",
    "CloudTime",
    "Colour",
    "DealEntrances",
    "Done",
    "DrawCharacters",
    "DrawFirst",
    "Event",
    "Kind",
    "Mode",
    "MoveMotherNature",
    "Options",
    "PlaceMotherNature",
    "PlayAssistant",
    "Position",
    "Refill",
    "Restock",
    "Rule",
    "StockCharacters",
    "StockIslands",
    "Swap",
    "TakeCloud",
    "Termination",
    "ToHall",
    "ToIsland",
    "Tower",
    "UseCharacter",
    "View",
    "Wish",
    "apply",
    "cards",
    "conceals",
    "draws",
    "explain",
    "forfeit",
    "format_action",
    "format_match",
    "format_position",
    "is_standard",
    "name",
    "new",
    "objection",
    "outcome",
    "parse_action",
    "parse_position",
    "pending",
    "rules",
    "seat_counts",
    "settle",
    "show",
    "sides",
    "skip",
    "view",
    "views_differ",
]
