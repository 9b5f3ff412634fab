"""Matches that their players make as long as they like, and what it costs to work on them, in calls."""

from __future__ import annotations

import sys
from collections.abc import Callable
from itertools import count
from typing import Any

from boardwire import games
from boardwire.games.game import CHANCE
from boardwire.simulation.luck import ScriptedDealer
from boardwire.table import events as ev
from boardwire.table.events import Event, Player
from boardwire.table.match import evolve, split_opening
from boardwire.table.policy import Leaving, Policy

LOOPS = ("undo", "declined", "away", "chat")


def endless(
    game: str, length: int, loop: str = "undo", name: str = "endless", *, seat: int | None = None
) -> list[Event]:
    """A match of this many events that is not over.  The player to move, or `seat`, does the same again and again."""
    rules = games.game(game)
    times = map(float, count(1))
    opening = ev.Opened(0.0, name, f"{game}@{rules.rules}", 2, rules.Options(), Policy(Leaving.HOLDS, 60.0, undo=True))
    events: list[Event] = [
        opening,
        ev.Joined(next(times), 0, Player("ann", "native")),
        ev.Joined(next(times), 1, Player("bob", "native")),
        ev.Started(next(times), rules.Options()),
    ]
    match, rest = split_opening(events)
    for event in rest:
        match = evolve(match, event).match
    dealer = ScriptedDealer(seed=1)
    while match.pending is not None and match.pending.seats == (CHANCE,):
        dealt = ev.Dealt(next(times), dealer.deal(match.pending))
        events.append(dealt)
        match = evolve(match, dealt).match
    assert match.pending is not None
    mover = match.pending.seats[0]
    actor = mover if seat is None else seat
    choice = next(iter(match.pending.choices))
    rounds: dict[str, Callable[[], tuple[Event, ...]]] = {
        "undo": lambda: (
            ev.Acted(next(times), mover, choice),
            ev.UndoOffered(next(times), mover),
            ev.UndoAgreed(next(times), 1 - mover),
            ev.Undone(next(times), mover),
        ),
        "declined": lambda: (
            ev.Acted(next(times), mover, choice),
            ev.UndoOffered(next(times), mover),
            ev.UndoDeclined(next(times), 1 - mover),
            ev.UndoOffered(next(times), mover),
            ev.UndoAgreed(next(times), 1 - mover),
            ev.Undone(next(times), mover),
        ),
        "away": lambda: (ev.Left(next(times), actor), ev.Returned(next(times), actor)),
        "chat": lambda: (ev.Chatted(next(times), actor, "hello"),),
    }
    while len(events) < length:
        events += rounds[loop]()
    return events[:length]


def calls(work: Callable[[], Any]) -> int:
    """How many calls a piece of work makes: a measure of its cost that no other process changes."""
    counted = 0

    def profile(frame: object, event: str, argument: object) -> None:
        nonlocal counted
        counted += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(profile)
    try:
        work()
    finally:
        sys.setprofile(before)
    return counted
