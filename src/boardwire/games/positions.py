"""Positions outside a match: parsed from notation, and continued step by step.

A parser checks the syntax, but notation can describe positions that no match reaches, and for these the rules may raise
any exception. `read_position` and `follow` turn such exceptions into `Refused`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import msgspec

from boardwire.errors import BoardwireError, Illegal, Refused
from boardwire.games.game import CHANCE, AnyGame, Below, Decision, Draw, Seat


class PlayedStep(msgspec.Struct, frozen=True, omit_defaults=True):
    """An action in notation, or the absence of a seat.

    `seat` None is chance or, in the input of `follow`, the first seat that must decide.
    """

    do: str = ""
    seat: Seat | None = None
    absent: bool = False


def read_position(game: AnyGame, text: str) -> Any:
    """Parse a position in notation; raise `BoardwireError` if it cannot be played."""
    with _refusals():
        position = game.parse_position(text)
        game.pending(position)
        game.view(position, None)
        return position


def follow(
    game: AnyGame, position: Any, steps: Iterable[PlayedStep], below: Callable[[int], Below]
) -> tuple[Any, list[PlayedStep], tuple[Any, ...]]:
    """Return the position after some steps, the steps completed with seats and draws, and the events of the last one.

    If the next step is not an outcome of an open draw, or there is none, the outcome is drawn at random with
    `below(number of steps so far)`. Raise `BoardwireError` with the number of the step that cannot be played.
    """
    done: list[PlayedStep] = []
    last_events: tuple[Any, ...] = ()

    def draw(wanted: str | None) -> bool:
        """Resolve decisions of chance, with the outcome `wanted` if possible; return whether it was used."""
        nonlocal position, last_events
        decision = game.pending(position)
        while decision is not None and CHANCE in decision.seats:
            action = _outcome(game, decision, wanted)
            is_wanted = action is not None
            if action is None:
                action = _random_outcome(decision, below(len(done)))
            position, events = game.apply(position, CHANCE, action)
            done.append(PlayedStep(game.format_action(action)))
            last_events = (*last_events, *events)
            if is_wanted:
                return True
            decision = game.pending(position)
        return False

    for number, step in enumerate(steps, 1):
        with _refusals(f"step {number} ({step.do or 'absent'}): "):
            last_events = ()
            if draw(step.do or None):
                continue
            decision = game.pending(position)
            if decision is None:
                raise Refused("the match is over")
            seat = decision.seats[0] if step.seat is None else step.seat
            if step.absent:
                position, events = game.skip(position, seat)
            else:
                position, events = game.apply(position, seat, game.parse_action(step.do))
            last_events = (*last_events, *events)
            done.append(PlayedStep(step.do, seat, step.absent))
    with _refusals():
        draw(None)
    return position, done, last_events


def _outcome(game: AnyGame, decision: Decision[Any], wanted: str | None) -> Any:
    """Return the action with this notation if it is an outcome of a decision of chance, else None."""
    if wanted is None:
        return None
    try:
        action = game.parse_action(wanted)
    except BoardwireError:
        return None
    return action if action in decision.choices else None


def _random_outcome(decision: Decision[Any], below: Below) -> Any:
    if isinstance(decision.choices, Draw):
        return decision.choices.draw(below)
    choices = tuple(decision.choices)
    return choices[below(len(choices))]


@contextmanager
def _refusals(prefix: str = "") -> Iterator[None]:
    """Raise errors with a prefix (as `Illegal`, because a step failed), and other exceptions as `Refused`."""
    try:
        yield
    except BoardwireError as error:
        raise (type(error) if not prefix else Illegal)(f"{prefix}{error}") from None
    except (ValueError, IndexError, KeyError, AssertionError, TypeError, RecursionError) as error:
        reason = f": {error}" if str(error) else ""
        raise Refused(f"{prefix}this position cannot be played{reason}") from error
