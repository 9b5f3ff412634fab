"""`Comparison` for games whose view is a list of cells: Tris and Forza Quattro."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from boardwire.bridge.comparison import Observation
from boardwire.dialects.dialect import Ask, Dialect
from boardwire.games.game import Decision, Seat


def seat_count(observation: Observation) -> int:
    return 2


def options(observation: Observation, wish: Any) -> Sequence[Any]:
    return (observation.game.Options(),)


def distance(position: Any, observation: Observation) -> int:
    ours = observation.game.view(position, None).cells
    return sum(1 for own_cell, cell in zip(ours, observation.view.cells, strict=True) if own_cell != cell)


def chance_actions(position: Any, decision: Decision[Any], observation: Observation) -> Iterable[Any]:
    return ()


def candidate_actions(
    position: Any, decision: Decision[Any], seat: Seat, observation: Observation, *, wide: bool
) -> Iterable[Any]:
    return decision.choices


def eliminated(position: Any, observation: Observation) -> Iterable[Seat]:
    return ()


def matches_question(position: Any, decision: Decision[Any], ask: Ask) -> bool:
    return True


def translate(position: Any, actions: Sequence[Any], ask: Ask) -> Any:
    return actions[0] if actions[0] in ask.decision.choices else None


def needs_next_action(position: Any, action: Any, ask: Ask) -> bool:
    return False


def is_proposing(position: Any) -> bool:
    return False


def default_actions(position: Any, seat: Seat, client_dialect: Dialect, wish: Any) -> Sequence[Any]:
    return ()


def undocumented(observation: Observation, wish: Any) -> str:
    return ""


def local_wish(wish: Any) -> Any:
    return wish


def unplayable(observation: Observation, client_dialect: Dialect, wish: Any) -> str:
    return ""


def after_declining(observation: Observation) -> Observation:
    return observation


def shows_every_step(position: Any) -> bool:
    return False


def retries_after_refusal(client_dialect: Dialect) -> bool:
    return True


def alternatives(action: Any) -> Sequence[Any]:
    return ()


def winners(view: Any) -> Sequence[Seat]:
    return () if view is None or view.outcome is None else tuple(view.outcome.winners)


def agrees(position: Any, observation: Observation) -> bool:
    return True


def corrected(position: Any, observation: Observation) -> None:
    return None


def describe(position: Any, seat: Seat, action: Any) -> str:
    return ""


def extra_wait_seconds(ask: Ask) -> float:
    return 0.0


def is_setup(position: Any) -> bool:
    return False


def swap_seats(view: Any, first: Seat, second: Seat) -> Any:
    return view


def implausibility(position: Any, seat: Seat) -> int:
    return 0
