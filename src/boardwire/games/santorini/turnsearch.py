"""Parsing of whole turns: the steps of the turn that has a text.

Turn text omits what a reader sees on the board, so parsing needs the position: all turns that touch only the squares of
the text are tried, shortest first. A text is valid if exactly one position follows from the turns that have it; of
several ways to it the first is returned.
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

    Raise `Malformed` if it is not a turn or is ambiguous, `Illegal` if no turn of this position has it, `Refused` if no
    turn begins here.
    """
    if start.decision is None or start.setup is not None or start.turn.stage:
        raise Refused("no turn begins in this position")
    text = " ".join(text.split())
    if not re.fullmatch(r"[A-EHTXSw0-9<>^~x+*&#?.=,()a-z -]{1,400}", text):
        raise Malformed(f"{text!r} is not a turn")
    found: dict[Position, tuple[Action, ...]] = {}
    for end, steps in _turns(start, Mentioned(text)):
        if text_of(start, steps) == text:
            found.setdefault(end, tuple(action for action, _ in steps))
    if not found:
        raise Illegal(f"no turn of this position is {text!r}")
    if len(found) > 1:
        raise Malformed(f"{text!r} is ambiguous: several turns have this text")
    return next(iter(found.values()))


class Mentioned:
    """The squares of a text, and those built on in their order, with which a step must agree."""

    def __init__(self, text: str) -> None:
        self._squares = {parse_square(name) for name in re.findall(r"[A-E][1-5]", text)}
        self._built: list[int] = []
        for signs, name in re.findall(r"(\^+| X)([A-E][1-5])", text):
            self._built += [parse_square(name)] * max(signs.count("^"), 1)

    def allows(self, p: Position, builds: int, action: Action) -> bool:
        """Whether a step can come next, after `builds` builds."""
        if isinstance(action, Build):
            # a build that was tried in vain is mentioned, but not as a build
            return self._built[builds : builds + 1] == [action.at] or (
                builds == len(self._built) and action.at in self._squares
            )
        if isinstance(action, Force):
            return action.frm in self._squares and action.to in self._squares
        if isinstance(action, Move):
            first = not p.turn.walked >> _number(p, action.frm) & 1
            last = p.lineup.rules[p.seat].more_moves is None
            return (not first or action.frm in self._squares) and (not last or action.to in self._squares)
        return True


def _number(p: Position, square: int) -> int:
    return next(workers.index(square) for workers in p.workers if square in workers)


def _turns(start: Position, mentioned: Mentioned) -> Iterator[tuple[Position, tuple[Done, ...]]]:
    """Yield the turns that agree with a text so far, and the positions they lead to."""
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
