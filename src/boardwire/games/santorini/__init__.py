"""Santorini: two to four players, or one for practice.

`prefer_compiled` selects the rules compiled with mypyc, if there are any, before a module of them is imported.
"""

from typing import Final

from boardwire.compiled import prefer_compiled

COMPILED: Final = prefer_compiled("games/santorini", __path__)
"""Whether the rules run compiled in this process."""

from boardwire.games.santorini.actions import Action
from boardwire.games.santorini.events import Event, Termination, show
from boardwire.games.santorini.kinds import Kind
from boardwire.games.santorini.notation import begin_at, format_position, parse_position
from boardwire.games.santorini.objections import Rule, objection
from boardwire.games.santorini.options import Draft, Options, Wording, is_standard
from boardwire.games.santorini.position import Position
from boardwire.games.santorini.powers.catalogue import CATALOGUE, God
from boardwire.games.santorini.record import format_match
from boardwire.games.santorini.rulebook import cards, explain
from boardwire.games.santorini.rules import (
    apply,
    forfeit,
    name,
    new,
    outcome,
    pending,
    rules,
    seat_counts,
    sides,
    skip,
    views_differ,
)
from boardwire.games.santorini.steps import format_action, parse_action
from boardwire.games.santorini.view import View, conceals, view
from boardwire.games.santorini.wish import Wish, settle

draws: Final = False
"""A match cannot end in a draw: a player who cannot move loses."""

__all__ = [
    "CATALOGUE",
    "Action",
    "Draft",
    "Event",
    "God",
    "Kind",
    "Options",
    "Position",
    "Rule",
    "Termination",
    "View",
    "Wish",
    "Wording",
    "apply",
    "begin_at",
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
