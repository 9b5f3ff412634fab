"""Santorini: two to four players, or one to practise; 67 powers."""

from boardwire.games.santorini.actions import Action
from boardwire.games.santorini.events import Event, show
from boardwire.games.santorini.kinds import Kind
from boardwire.games.santorini.options import Draft, Options, Wording, ordinary
from boardwire.games.santorini.position import Position
from boardwire.games.santorini.powers.catalogue import CATALOGUE, God
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
)
from boardwire.games.santorini.view import View, conceals, view
from boardwire.games.santorini.wish import Wish, settle

__all__ = [
    "CATALOGUE",
    "Action",
    "Draft",
    "Event",
    "God",
    "Kind",
    "Options",
    "Position",
    "View",
    "Wish",
    "Wording",
    "apply",
    "conceals",
    "forfeit",
    "name",
    "new",
    "ordinary",
    "outcome",
    "pending",
    "rules",
    "seat_counts",
    "settle",
    "show",
    "sides",
    "skip",
    "view",
]
