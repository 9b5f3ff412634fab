"""The legal steps: those offers after which the turn can still be finished as it must.

A turn must be completable (rules page, 1.2), foes' powers may bind how it ends (`lawful`), and some things must be done
if they can be (`wish`).  In the base game none of this can fail, since the square just left is always open to a build;
so nothing is looked ahead unless a power in play says that a step is doubtful.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from msgspec.structs import replace

from boardwire.games.santorini.actions import Action, Actions
from boardwire.games.santorini.lineup import Rules
from boardwire.games.santorini.offers import offers
from boardwire.games.santorini.position import END, Position
from boardwire.games.santorini.step import advance

Goal: TypeAlias = Callable[[Position], bool]


def choices(p: Position) -> Actions:
    """Exactly the legal steps."""
    rules = p.lineup.rules[p.seat]
    if rules.veils:
        p = veiled(p, rules)
    found = offers(p)
    if not (rules.doubters or rules.laws or rules.wishes) or p.turn.asks:
        return found
    if rules.laws or rules.wishes:
        return _bound(p, rules, found)
    doubters = rules.doubters
    return tuple(
        action
        for action in found
        if not any(doubts(p, action) for doubts in doubters) or finishable(p, action, None, rules.endless)
    )


def veiled(p: Position, rules: Rules) -> Position:
    """The position as far as the acting seat may know it: it chooses by that."""
    for conceal in rules.veils:
        p = conceal(p, rules.side)
    return p


def _bound(p: Position, rules: Rules, found: Actions) -> Actions:
    laws = rules.laws

    def law(end: Position) -> bool:
        return all(lawful(end) for lawful in laws)

    left = tuple(action for action in found if finishable(p, action, law, rules.endless))
    for wish in rules.wishes:
        better = tuple(action for action in left if finishable(p, action, _both(law, wish), rules.endless))
        left = better or left
    return left


def _both(one: Goal, other: Goal) -> Goal:
    return lambda end: one(end) and other(end)


def finishable(p: Position, action: Action, goal: Goal | None, endless: bool) -> bool:
    """Whether the turn can be finished, reaching the goal, if it goes on with this step."""
    seen: set[object] | None = set() if endless else None
    return _finishes(advance(p, action, []), goal, seen)


def _finishes(p: Position, goal: Goal | None, seen: set[object] | None) -> bool:
    if p.outcome is not None or p.turn.stage >= END:
        return goal is None or goal(p)
    if seen is not None:
        key = p.workers, p.b1, p.b2, p.b3, p.domes, p.memos, replace(p.turn, moves=0, came=-1)
        if key in seen:
            return False
        seen.add(key)
    # the last offers first: builds, which end a turn, stand behind moves
    return any(_finishes(advance(p, action, []), goal, seen) for action in reversed(offers(p)))
