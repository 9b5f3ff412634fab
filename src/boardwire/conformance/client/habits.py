"""Prediction of a client's moves from its earlier moves.

- `Habits` stores the client's reply to every position, over all cases of one examination.
- A client is steady if it never gave two replies to one position. Its reply to a known position is predicted.
- A steady client that always took the lowest, or always the highest, choice is predicted everywhere.
- A steady client whose replies fit an order of preference is not expected to take a choice that it has passed over.
- `drawing_choice` searches for a line of play that ends in a draw against a predictable client.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from boardwire.games.game import AnyGame, Seat

MIN_EVIDENCE: Final = 4
"""Replies that must fit before a client counts as always taking the first or the last choice."""

MAX_SEARCH_NODES: Final = 20_000
"""Limit of the positions visited by a search for a draw."""

_PATTERNS: Final[tuple[Callable[[Sequence[Any]], Any], ...]] = (min, max)
"""Patterns of choice that do not depend on the position."""

Predict = Callable[[Any, Sequence[Any]], Any]
"""Function that returns the client's reply to a position with these choices, or None if it is unknown."""


class Habits:
    """The replies of one client so far, and predictions from them."""

    def __init__(self) -> None:
        self._replies: dict[Any, Any] = {}
        self._evidence = 0
        self._patterns = list(_PATTERNS)
        self._passed_over: dict[Any, set[Any]] | None = {}
        """Choices over which each reply was preferred. None: the replies fit no order of preference."""
        self.is_steady = True
        """Whether no position has had two different replies."""

    def note(self, position: Any, choices: Sequence[Any], reply: Any) -> None:
        """Store the reply of the client to a position."""
        if len(choices) < 2:
            return
        if position in self._replies:
            self.is_steady = self.is_steady and self._replies[position] == reply
        self._replies[position] = reply
        self._evidence += 1
        self._patterns = [pattern for pattern in self._patterns if pattern(choices) == reply]
        if self._passed_over is not None:
            others = {choice for choice in choices if choice != reply}
            self._passed_over.setdefault(reply, set()).update(others)
            if any(reply in self._passed_over.get(other, ()) for other in others):
                self._passed_over = None

    @property
    def has_pattern(self) -> bool:
        """Whether every reply can be predicted."""
        return self.is_steady and bool(self._patterns) and self._evidence >= MIN_EVIDENCE

    @property
    def is_known(self) -> bool:
        """Whether there are replies to predict from, and none contradicts another."""
        return self.is_steady and bool(self._replies)

    def likely(self, position: Any, choices: Sequence[Any]) -> Sequence[Any]:
        """Return the choices that the client may take, judged by its earlier replies."""
        if not self.is_known:
            return choices
        if position in self._replies:
            return (self._replies[position],)
        if self.has_pattern:
            return (self._patterns[0](choices),)
        if self._passed_over is None:
            return choices
        passed = {other for choice in choices for other in self._passed_over.get(choice, ())}
        return tuple(choice for choice in choices if choice not in passed) or choices

    def predict(self, position: Any, choices: Sequence[Any]) -> Any:
        """Return the reply that the client will give, or None if it is unknown."""
        replies = self.likely(position, choices)
        return replies[0] if len(replies) == 1 else None


def drawing_choice(
    rules: AnyGame,
    position: Any,
    seat: Seat,
    predict: Predict,
    worth: Callable[[Any], float],
) -> Any | None:
    """Return a choice of `seat` that leads to a draw against predicted replies, or None if none was found.

    Positions of higher `worth` are visited first. The search is bounded by `MAX_SEARCH_NODES`.
    """
    failed: set[Any] = set()
    left = MAX_SEARCH_NODES

    def draws(at: Any) -> bool:
        """Return whether a draw can be reached from a position; the recursion is as deep as a match is long."""
        nonlocal left
        while (decision := rules.pending(at)) is not None and decision.seats[0] != seat:
            reply = predict(at, tuple(decision.choices))
            if reply is None:
                return False
            at = rules.apply(at, decision.seats[0], reply)[0]
        ended = rules.outcome(at)
        if ended is not None or decision is None:
            return ended is not None and not ended.winners
        if at in failed or left <= 0:
            return False
        left -= 1
        positions_after = sorted(
            (rules.apply(at, seat, choice)[0] for choice in decision.choices), key=worth, reverse=True
        )
        if any(draws(next_position) for next_position in positions_after):
            return True
        failed.add(at)
        return False

    decision = rules.pending(position)
    if decision is None or decision.seats[0] != seat:
        return None
    after = [(choice, rules.apply(position, seat, choice)[0]) for choice in decision.choices]
    after.sort(key=lambda pair: worth(pair[1]), reverse=True)
    return next((choice for choice, next_position in after if draws(next_position)), None)
