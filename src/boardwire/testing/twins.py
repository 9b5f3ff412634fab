"""Twin matches: they differ in what is hidden from somebody, who must not be able to tell them apart.

An observer is a seat, or None for a spectator.  Two matches are played side by side.  What the observer does itself,
and what a spectator is told in so many words, is the same in both; where something is concealed, the twin does anything
that shows the observer the same.  As long as both show the same, everything else that the observer may ask for has to
be equal too, to the byte::

    for one, other in twins.pairs(santorini, options, options, 2, None, Random(seed).randrange):
        twins.check(santorini, one, other, 2, None)

They part where the rules themselves tell the difference (somebody runs into a hidden worker): there the pairs end.
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
    """The steps of two matches that look the same to `observer`, as long as they do and at most `most`."""
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
    """A step from `position` that looks like `ply`; None if there is none."""
    decision = game.pending(position)
    assert decision is not None, "one match is over, and nobody was told"
    told = ply.seat == observer or (observer is None and not game.conceals(ply.position, ply.seat, ply.action))
    if told:
        assert ply.action in decision.choices, f"{ply.action} is told, and tells what is hidden"
    shown = _shown(game, ply.events, observer)
    for action in (ply.action,) if told or isinstance(decision.choices, Draw) else _shuffled(decision.choices, below):
        after, events = game.apply(position, ply.seat, action)
        if _shown(game, events, observer) == shown:
            concealed = observer is None and game.conceals(position, ply.seat, action)
            if observer is None and concealed == told:
                raise AssertionError(f"whether {action} is concealed tells what is hidden")
            return Ply(position, decision, ply.seat, action, after, events)
    return None


def _shuffled(choices: Collection[Any], below: Below) -> Iterator[Any]:
    left = list(choices)
    while left:
        yield left.pop(below(len(left)))


def _shown(game: AnyGame, events: Sequence[Any], observer: Seat | None) -> list[Any]:
    return [part for event in events if (part := game.show(event, observer)) is not None]


def check(game: AnyGame, one: Ply, other: Ply, observer: Seat | None, tried: Sequence[Any] = ()) -> None:
    """All that a game lets `observer` see, choose and be refused is the same after twin steps; `tried` are actions
    that it may try out."""
    p, q = one.after, other.after
    assert game.view(p, observer) == game.view(q, observer), f"seat {observer} sees what is hidden"
    assert _asked(game.pending(p), observer) == _asked(game.pending(q), observer), "what is asked tells"
    assert game.outcome(p) == game.outcome(q), "how it ended tells what was hidden"
    if observer is not None:
        for action in tried:
            assert _refusal(game, p, observer, action) == _refusal(game, q, observer, action), f"{action}: words tell"


def check_disclosure(game: AnyGame, ply: Ply) -> None:
    """What a spectator is told of an action tells no more than what it is shown: of two choices that are not
    concealed, each shows something else."""
    if isinstance(ply.decision.choices, Draw):
        return
    seen: list[tuple[list[Any], Any]] = []
    for action in ply.decision.choices:
        if not game.conceals(ply.position, ply.seat, action):
            shown = _shown(game, game.apply(ply.position, ply.seat, action)[1], None)
            same = [other for others, other in seen if others == shown]
            assert not same, f"{action} and {same[0]} look the same, and a spectator is told which it was"
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
