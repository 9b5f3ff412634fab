"""Parsing of whole turns: find the steps of the turn with a given text.

Turn text omits what a reader sees on the board, so parsing needs the position: all turns that use only the squares of
the text are tried, shortest first. A text is valid if all turns that have it lead to the same position; the first of
them is returned.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator

from msgspec.structs import replace

from boardwire.errors import Illegal, Malformed, Refused
from boardwire.games.santorini.actions import Action, Build, Force, Move
from boardwire.games.santorini.position import Position
from boardwire.games.santorini.rules import apply
from boardwire.games.santorini.squares import parse_square
from boardwire.games.santorini.turntext import Done, text_of


def parse_turn(start: Position, text: str) -> tuple[Action, ...]:
    """Return the steps of the turn with this text.

    Raise `Malformed` if the text is not a turn or is ambiguous, `Illegal` if no turn of this position has it, `Refused`
    if the position is not at the start of a turn.
    """
    if start.decision is None or start.setup is not None or start.turn.stage:
        raise Refused("the position is not at the start of a turn")
    text = " ".join(text.split())
    if not re.fullmatch(r"[A-EHTXSw0-9<>^~x+*&#?.=,()a-z -]{1,400}", text):
        raise Malformed(f"{text!r} is not a turn")
    turns: dict[Position, tuple[Action, ...]] = {}
    for end, steps in _matching_turns(start, Mentioned(text)):
        if text_of(start, steps) == text:
            turns.setdefault(end, tuple(action for action, _ in steps))
    if not turns:
        raise Illegal(f"no turn of this position is {text!r}")
    if len(turns) > 1:
        raise Malformed(f"{text!r} is ambiguous: turns to {len(turns)} different positions have this text")
    return next(iter(turns.values()))


class Mentioned:
    """The squares of a text, and the squares built on in order, which limit the steps to try."""

    def __init__(self, text: str) -> None:
        self._squares = {parse_square(name) for name in re.findall(r"[A-E][1-5]", text)}
        self._built: list[int] = []
        for signs, name in re.findall(r"(\^+| X)([A-E][1-5])", text):
            self._built += [parse_square(name)] * max(signs.count("^"), 1)

    def allows(self, p: Position, builds: int, action: Action) -> bool:
        """Return whether a step can come next, after `builds` builds."""
        if isinstance(action, Build):
            # The text of a cancelled build mentions its square, but not as a square built on.
            return self._built[builds : builds + 1] == [action.at] or (
                builds == len(self._built) and action.at in self._squares
            )
        if isinstance(action, Force):
            return action.frm in self._squares and action.to in self._squares
        if isinstance(action, Move):
            first = not p.turn.walked >> _worker_number(p, action.frm) & 1
            last = p.lineup.rules[p.seat].more_moves is None
            return (not first or action.frm in self._squares) and (not last or action.to in self._squares)
        return True


def _worker_number(p: Position, square: int) -> int:
    return next(workers.index(square) for workers in p.workers if square in workers)


def _matching_turns(start: Position, mentioned: Mentioned) -> Iterator[tuple[Position, tuple[Done, ...]]]:
    """Yield the turns that agree with the squares of a text, with the position after each."""
    endless = start.lineup.rules[start.seat].endless
    seen: set[tuple[Position, str]] = set()
    paths: deque[tuple[Position, tuple[Done, ...]]] = deque([(start, ())])
    while paths:
        p, steps = paths.popleft()
        assert p.decision is not None
        builds = sum(isinstance(action, Build) for action, _ in steps)
        for action in p.decision.choices:
            if not mentioned.allows(p, builds, action):
                continue
            after, events = apply(p, p.decision.seats[0], action)
            taken = (*steps, (action, events))
            if after.outcome is not None or after.ply != start.ply:
                yield after, taken
                continue
            if endless:
                here = replace(after, turn=replace(after.turn, moves=0, came=-1), decision=None), text_of(start, taken)
                if here in seen:
                    continue
                seen.add(here)
            paths.append((after, taken))
