"""Positions outside a match: read from notation or options, and continued step by step.

The notation of a game is checked by its parser, but it can describe positions that no match reaches, and some rules
rely on those that do. `read_position` and `follow` turn whatever such a position raises into `Refused`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import msgspec

from boardwire.errors import BoardwireError, Illegal, Refused
from boardwire.games.game import CHANCE, AnyGame, Below, Decision, Draw, Seat


class PlayedStep(msgspec.Struct, frozen=True, omit_defaults=True):
    """An action in notation, of `seat` (None: of chance, or of the first seat that must decide), or that the seat was
    absent."""

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
    """Return the position after some steps, the steps with their seats and with chance's draws, and the last events.

    A step that is not an outcome of an open draw leaves that draw to chance (`below(number of steps)`); so does the
    end. Raise `BoardwireError` with the number of a step that cannot be played.
    """
    done: list[PlayedStep] = []
    happened: tuple[Any, ...] = ()

    def draw(wanted: str | None) -> bool:
        """Let chance decide if it must; return whether `wanted` was its outcome."""
        nonlocal position, happened
        decision = game.pending(position)
        while decision is not None and CHANCE in decision.seats:
            action = _outcome(game, decision, wanted)
            is_wanted = action is not None
            if action is None:
                action = _drawn(decision, below(len(done)))
            position, events = game.apply(position, CHANCE, action)
            done.append(PlayedStep(game.format_action(action)))
            happened = (*happened, *events)
            if is_wanted:
                return True
            decision = game.pending(position)
        return False

    for number, step in enumerate(steps, 1):
        with _refusals(f"step {number} ({step.do or 'absent'}): "):
            happened = ()
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
            happened = (*happened, *events)
            done.append(PlayedStep(step.do, seat, step.absent))
    with _refusals():
        draw(None)
    return position, done, happened


def _outcome(game: AnyGame, decision: Decision[Any], wanted: str | None) -> Any:
    """Return the action that a text means, if it is an outcome of a draw."""
    if wanted is None:
        return None
    try:
        action = game.parse_action(wanted)
    except BoardwireError:
        return None
    return action if action in decision.choices else None


def _drawn(decision: Decision[Any], below: Below) -> Any:
    if isinstance(decision.choices, Draw):
        return decision.choices.draw(below)
    choices = tuple(decision.choices)
    return choices[below(len(choices))]


@contextmanager
def _refusals(before: str = "") -> Iterator[None]:
    try:
        yield
    except BoardwireError as error:
        raise (type(error) if not before else Illegal)(f"{before}{error}") from None
    except (ValueError, IndexError, KeyError, AssertionError, TypeError, RecursionError) as error:
        reason = f": {error}" if str(error) else ""
        raise Refused(f"{before}this position cannot be played{reason}") from error
