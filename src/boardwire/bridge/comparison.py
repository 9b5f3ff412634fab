"""Compare a position of ours with the view of a foreign match.

A foreign view has what a dialect's client knows: a board, perhaps gods or hands, never a whole position. A
`Comparison` measures the distance of a position from such a view, and lists the actions that may lead there. Each game
has one, the module that `comparison_for` returns.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import Any, Final, Protocol, cast

import msgspec

from boardwire.dialects.dialect import Ask, Dialect, Players
from boardwire.games.game import AnyGame, Decision, Seat


class Observation(msgspec.Struct, frozen=True):
    """State of a foreign match as its client knows it: a view, the open question, and the players by seat."""

    game: AnyGame
    dialect: Dialect
    """The dialect of the foreign server."""
    view: Any
    players: Players
    ask: Ask | None = None

    @property
    def seat(self) -> Seat | None:
        """Seat of our client, or None if it is not known yet."""
        if self.ask is not None:
            return self.ask.decision.seats[0]
        return self.players.seat


class Comparison(Protocol):
    """Comparison of positions and views of one game."""

    def seat_count(self, observation: Observation, /) -> int:
        """Return the number of players, or 0 if it is not known yet."""

    def options(self, observation: Observation, wish: Any, /) -> Sequence[Any]:
        """Return the possible options of the match, the likeliest first, or none if they are not known yet.

        `wish` is our client's wish."""

    def distance(self, position: Any, observation: Observation, /) -> int:
        """Return the number of differences between a position and the view; 0 if they look the same."""

    def chance_actions(self, position: Any, decision: Decision[Any], observation: Observation, /) -> Iterable[Any]:
        """Return the chance actions that the view allows."""

    def candidate_actions(
        self, position: Any, decision: Decision[Any], seat: Seat, observation: Observation, /, *, wide: bool
    ) -> Iterable[Any]:
        """Return the actions of a seat that may lead to the view; `wide` adds those that the view does not show."""

    def eliminated(self, position: Any, observation: Observation, /) -> Iterable[Seat]:
        """Return the seats that are out in the view and not in the position."""

    def matches_question(self, position: Any, decision: Decision[Any], ask: Ask, /) -> bool:
        """Whether our decision is the question of the foreign server."""

    def translate(self, position: Any, actions: Sequence[Any], ask: Ask, /) -> Any:
        """Return the first of our client's actions as an answer to the foreign question, or None if it has none.

        The answer may be to a question that comes before the one that the action is for."""

    def needs_next_action(self, position: Any, action: Any, ask: Ask, /) -> bool:
        """Whether the answer to the foreign question depends on the client's next action too."""

    def is_proposing(self, position: Any, /) -> bool:
        """Whether a proposal is open, which some servers take as a whole and from the fastest player only."""

    def default_actions(self, position: Any, seat: Seat, near: Dialect, wish: Any, /) -> Sequence[Any]:
        """Return the actions to take for our client if its protocol has no question for this choice; usually none."""

    def undocumented(self, observation: Observation, wish: Any, /) -> str:
        """Return what the specification of our client's protocol lacks for this match, as words, or an empty string."""

    def unplayable(self, observation: Observation, near: Dialect, wish: Any, /) -> str:
        """Return what programs of our client's protocol cannot play with, as words, or an empty string."""

    def after_declining(self, observation: Observation, /) -> Observation:
        """Return the observation of the same board after our client has declined the open question."""

    def shows_every_step(self, position: Any, /) -> bool:
        """Whether every step of the others is shown at once, so that an unreachable board is a contradiction."""

    def retries_after_refusal(self, near: Dialect, /) -> bool:
        """Whether programs of our client's protocol choose again after a refusal."""

    def alternatives(self, action: Any, /) -> Sequence[Any]:
        """Return replacements for a refused action, the most similar first."""

    def describe(self, position: Any, seat: Seat, action: Any, /) -> str:
        """Return an action in words for the operator, or an empty string if its notation is enough."""

    def extra_wait_seconds(self, ask: Ask, /) -> float:
        """Return the wait for displays after a question that leaves earlier actions open, or 0 for the usual wait."""

    def is_setup(self, position: Any, /) -> bool:
        """Whether the match is in a set-up in which two other players can still be swapped."""

    def swap_seats(self, view: Any, one: Seat, other: Seat, /) -> Any:
        """Return the view with the seats of two players swapped."""

    def implausibility(self, position: Any, seat: Seat, /) -> int:
        """Rank positions that look alike to our client's seat; the lowest is chosen."""

    def agrees(self, position: Any, observation: Observation, /) -> bool:
        """Whether a position at distance 0 also agrees in the parts that follow from the board by our rules only."""

    def corrected(self, position: Any, observation: Observation, /) -> Any:
        """Return the position that the server shows with its question, although no legal action leads there.

        None if the view has too little, or our engine cannot represent it."""

    def winners(self, view: Any, /) -> Sequence[Seat]:
        """Return the winners by the last view of the foreign server, or none if it does not show them."""

    def local_wish(self, wish: Any, /) -> Any:
        """Return our client's wish for the local table, whose options the foreign server has chosen."""


_MODULES: Final = {"tris": "cell_games", "forza": "cell_games", "santorini": "santorini", "eriantys": "eriantys"}


def comparison_for(game: str) -> Comparison:
    """Return the comparison of a game."""
    module = import_module(f"boardwire.bridge.{_MODULES[game]}")
    return cast("Comparison", module)
