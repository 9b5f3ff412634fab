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
        listed = tuple(choices)
        action = listed[below(len(listed))]
    seat = decision.seats[below(len(decision.seats))]
    return Ply(position, decision, seat, action, *game.apply(position, seat, action))


def _twin(game: AnyGame, ply: Ply, position: Any, observer: Seat | None, below: Below) -> Ply | None:
    """Return an action from `position` that looks like `ply` to `observer`, or None if there is none."""
    decision = game.pending(position)
    assert decision is not None, "one match is over and the other is not, which no event has shown to the observer"
    disclosed = ply.seat == observer or (observer is None and not game.conceals(ply.position, ply.seat, ply.action))
    if disclosed:
        assert ply.action in decision.choices, (
            f"{ply.action} is disclosed, but is legal in one match only: it reveals hidden information"
        )
    shown = _shown(game, ply.events, observer)
    for action in (
        (ply.action,) if disclosed or isinstance(decision.choices, Draw) else _shuffled(decision.choices, below)
    ):
        after, events = game.apply(position, ply.seat, action)
        if _shown(game, events, observer) == shown:
            concealed = observer is None and game.conceals(position, ply.seat, action)
            if observer is None and concealed == disclosed:
                raise AssertionError(f"{action} is concealed in one match only, which reveals hidden information")
            return Ply(position, decision, ply.seat, action, after, events)
    return None


def _shuffled(choices: Collection[Any], below: Below) -> Iterator[Any]:
    left = list(choices)
    while left:
        yield left.pop(below(len(left)))


def _shown(game: AnyGame, events: Sequence[Any], observer: Seat | None) -> list[Any]:
    return [part for event in events if (part := game.show(event, observer)) is not None]


def check(game: AnyGame, first: Ply, second: Ply, observer: Seat | None, tried: Sequence[Any] = ()) -> None:
    """Check that views, decisions and refusals of `observer` are equal after twin actions.

    `tried` are actions whose refusals are compared.
    """
    p, q = first.after, second.after
    assert game.view(p, observer) == game.view(q, observer), f"the view of seat {observer} reveals hidden information"
    assert _asked(game.pending(p), observer) == _asked(game.pending(q), observer), (
        "the decision reveals hidden information"
    )
    assert game.outcome(p) == game.outcome(q), "the outcome reveals hidden information"
    if observer is not None:
        for action in tried:
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
            shown = _shown(game, game.apply(ply.position, ply.seat, action)[1], None)
            same = [other for others, other in seen if others == shown]
            assert not same, f"{action} and {same[0]} show the same events, but a spectator learns which was chosen"
            seen.append((shown, action))


def _asked(decision: Decision[Any] | None, observer: Seat | None) -> Any:
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
