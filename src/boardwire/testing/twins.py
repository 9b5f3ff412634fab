"""Twin matches: two matches that differ only in information hidden from an observer.

- An observer is a seat, or None for a spectator. It must not be able to tell the twins apart.
- Actions of the observer, and actions that a spectator is shown, are the same in both matches. For a concealed action
  the twin plays any action that shows the observer the same events.
- While both show the same events, everything else that the observer can query must be equal, to the byte::

    for one, other in twins.pairs(santorini, options, options, 2, None, Random(seed).randrange):
        twins.check(santorini, one, other, 2, None)

The pairs end where the rules reveal the difference, for example by a collision with a hidden worker.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from boardwire.errors import BoardwireError
from boardwire.games.game import AnyGame, Below, Decision, Draw, Seat
from boardwire.testing.laws import Ply


def pairs(
    game: AnyGame, options: Any, other: Any, seats: int, observer: Seat | None, below: Below, most: int = 1_000
) -> Iterator[tuple[Ply, Ply]]:
    """Play two matches with the options `options` and `other`, and yield pairs of actions, at most `most`.

    They end when the matches no longer look the same to `observer`.
    """
    p, q = game.new(options, seats), game.new(other, seats)
    for _ in range(most):
        ply = _step(game, p, below)
        twin = None if ply is None else _twin(game, ply, q, observer, below)
        if ply is None or twin is None:
            return
        yield ply, twin
        p, q = ply.after, twin.after


def _step(game: AnyGame, position: Any, below: Below) -> Ply | None:
    decision = game.pending(position)
    if decision is None:
        return None
    choices = decision.choices
    if isinstance(choices, Draw):
        action = choices.draw(below)
    else:
        all_choices = tuple(choices)
        action = all_choices[below(len(all_choices))]
    seat = decision.seats[below(len(decision.seats))]
    return Ply(position, decision, seat, action, *game.apply(position, seat, action))


def _twin(game: AnyGame, ply: Ply, position: Any, observer: Seat | None, below: Below) -> Ply | None:
    """Return an action from `position` that looks like `ply` to `observer`, or None if there is none."""
    decision = game.pending(position)
    assert decision is not None, "one match is over and the other is not, which no event has shown to the observer"
    is_disclosed = ply.seat == observer or (observer is None and not game.conceals(ply.position, ply.seat, ply.action))
    if is_disclosed:
        assert ply.action in decision.choices, (
            f"{ply.action} is disclosed, but is legal in one match only: it reveals hidden information"
        )
    visible_parts = _visible_parts(game, ply.events, observer)
    for action in (
        (ply.action,) if is_disclosed or isinstance(decision.choices, Draw) else _shuffled(decision.choices, below)
    ):
        after, events = game.apply(position, ply.seat, action)
        if _visible_parts(game, events, observer) == visible_parts:
            is_concealed = observer is None and game.conceals(position, ply.seat, action)
            if observer is None and is_concealed == is_disclosed:
                raise AssertionError(f"{action} is concealed in one match only, which reveals hidden information")
            return Ply(position, decision, ply.seat, action, after, events)
    return None


def _shuffled(choices: Collection[Any], below: Below) -> Iterator[Any]:
    remaining = list(choices)
    while remaining:
        yield remaining.pop(below(len(remaining)))


def _visible_parts(game: AnyGame, events: Sequence[Any], observer: Seat | None) -> list[Any]:
    return [part for event in events if (part := game.show(event, observer)) is not None]


def check(game: AnyGame, first: Ply, second: Ply, observer: Seat | None, actions: Sequence[Any] = ()) -> None:
    """Check that views, decisions and refusals of `observer` are equal after twin actions.

    `actions` are those whose refusals are compared.
    """
    p, q = first.after, second.after
    assert game.view(p, observer) == game.view(q, observer), f"the view of seat {observer} reveals hidden information"
    assert _visible_decision(game.pending(p), observer) == _visible_decision(game.pending(q), observer), (
        "the decision reveals hidden information"
    )
    assert game.outcome(p) == game.outcome(q), "the outcome reveals hidden information"
    if observer is not None:
        for action in actions:
            assert _refusal(game, p, observer, action) == _refusal(game, q, observer, action), (
                f"the refusal of {action} reveals hidden information"
            )


def check_disclosure(game: AnyGame, ply: Ply) -> None:
    """Check that no two choices disclosed to a spectator show the same events.

    Otherwise the action would reveal more than its events.
    """
    if isinstance(ply.decision.choices, Draw):
        return
    seen: list[tuple[list[Any], Any]] = []
    for action in ply.decision.choices:
        if not game.conceals(ply.position, ply.seat, action):
            visible_parts = _visible_parts(game, game.apply(ply.position, ply.seat, action)[1], None)
            twins = [other for parts, other in seen if parts == visible_parts]
            assert not twins, f"{action} and {twins[0]} show the same events, but a spectator learns which was chosen"
            seen.append((visible_parts, action))


def _visible_decision(decision: Decision[Any] | None, observer: Seat | None) -> Any:
    if decision is None:
        return None
    choices = tuple(decision.choices) if observer in decision.seats else None
    return decision.kind, decision.seats, choices


def _refusal(game: AnyGame, position: Any, seat: Seat, action: Any) -> tuple[type, str] | None:
    try:
        game.apply(position, seat, action)
    except BoardwireError as reason:
        return type(reason), str(reason)
    return None
