"""Games whose view is a list of cells: Tris and Forza Quattro."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from boardwire.bridge.comparison import Sight
from boardwire.dialects.dialect import Ask, Dialect
from boardwire.games.game import Decision, Seat


def seats(sight: Sight) -> int:
    return 2


def options(sight: Sight, wish: Any) -> Sequence[Any]:
    return (sight.game.Options(),)


def distance(position: Any, sight: Sight) -> int:
    ours = sight.game.view(position, None).cells
    return sum(1 for one, other in zip(ours, sight.view.cells, strict=True) if one != other)


def luck(position: Any, decision: Decision[Any], sight: Sight) -> Iterable[Any]:
    return ()


def steps(position: Any, decision: Decision[Any], seat: Seat, sight: Sight, *, wide: bool) -> Iterable[Any]:
    return decision.choices


def lost(position: Any, sight: Sight) -> Iterable[Seat]:
    return ()


def fits(position: Any, decision: Decision[Any], ask: Ask) -> bool:
    return True


def there(position: Any, actions: Sequence[Any], ask: Ask) -> Any:
    return actions[0] if actions[0] in ask.decision.choices else None


def tells_too_little(position: Any, action: Any, ask: Ask) -> bool:
    return False


def is_gathering(position: Any) -> bool:
    return False


def unasked(position: Any, seat: Seat, near: Dialect, wish: Any) -> Sequence[Any]:
    return ()


def strange(sight: Sight, wish: Any) -> str:
    return ""


def bring(wish: Any) -> Any:
    return wish


def unplayable(sight: Sight, near: Dialect, wish: Any) -> str:
    return ""


def declined(sight: Sight) -> Sight:
    return sight


def is_complete(position: Any) -> bool:
    return False


def may_refuse(near: Dialect) -> bool:
    return True


def nearest(action: Any) -> Sequence[Any]:
    return ()


def winners(view: Any) -> Sequence[Seat]:
    return () if view is None or view.outcome is None else tuple(view.outcome.winners)


def agrees(position: Any, sight: Sight) -> bool:
    return True


def corrected(position: Any, sight: Sight) -> None:
    return None


def in_words(position: Any, seat: Seat, action: Any) -> str:
    return ""


def patience(ask: Ask) -> float:
    return 0.0


def is_setup(position: Any) -> bool:
    return False


def exchanged(view: Any, one: Seat, other: Seat) -> Any:
    return view


def oddity(position: Any, seat: Seat) -> int:
    return 0
