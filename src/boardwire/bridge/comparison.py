"""Compare a position of ours with the view of a foreign match.

A foreign view is what a dialect's client knows: a board, perhaps gods or hands, never a whole position. A `Comparison`
measures the distance between a position and a view, and lists the actions that may lead to the view. Each game has
one: the module that `comparison_for` returns.
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

        `wish` is our client's wish.
        """

    def distance(self, position: Any, observation: Observation, /) -> int:
        """Return the number of differences between a position and the view."""

    def chance_actions(self, position: Any, decision: Decision[Any], observation: Observation, /) -> Iterable[Any]:
        """Return the chance actions that the view allows."""

    def candidate_actions(
        self, position: Any, decision: Decision[Any], seat: Seat, observation: Observation, /, *, wide: bool
    ) -> Iterable[Any]:
        """Return the actions of a seat that may lead to the view; `wide` adds actions without a visible effect."""

    def eliminated(self, position: Any, observation: Observation, /) -> Iterable[Seat]:
        """Return the seats that are out in the view but not in the position."""

    def matches_question(self, position: Any, decision: Decision[Any], ask: Ask, /) -> bool:
        """Return whether our decision is the question of the foreign server."""

    def translate(self, position: Any, actions: Sequence[Any], ask: Ask, /) -> Any:
        """Return the answer to the foreign question that our client's actions imply, or None if there is none.

        The question may precede the one that the first action answers.
        """

    def needs_next_action(self, position: Any, action: Any, ask: Ask, /) -> bool:
        """Return whether the answer to the foreign question also depends on the client's next action."""

    def is_proposing(self, position: Any, /) -> bool:
        """Return whether a proposal of gods is open; some servers take it as a whole, from the fastest player."""

    def default_actions(self, position: Any, seat: Seat, client_dialect: Dialect, wish: Any, /) -> Sequence[Any]:
        """Return the actions to take for our client if its protocol has no question for them; usually none."""

    def undocumented(self, observation: Observation, wish: Any, /) -> str:
        """Return a phrase for the parts of the match that the client's specification lacks, or an empty string."""

    def unplayable(self, observation: Observation, client_dialect: Dialect, wish: Any, /) -> str:
        """Return a phrase for the parts of the match on which programs of the client's protocol fail, or ''."""

    def after_declining(self, observation: Observation, /) -> Observation:
        """Return the observation of the same board after our client has declined the open question."""

    def shows_every_step(self, position: Any, /) -> bool:
        """Return whether every step of the others is shown separately.

        Then a board that our rules cannot reach breaks them.
        """

    def retries_after_refusal(self, client_dialect: Dialect, /) -> bool:
        """Return whether programs of our client's protocol choose again after a refusal."""

    def alternatives(self, action: Any, /) -> Sequence[Any]:
        """Return replacements for a refused action, the most similar first."""

    def describe(self, position: Any, seat: Seat, action: Any, /) -> str:
        """Return a description of an action for the operator, or an empty string if its notation suffices."""

    def extra_wait_seconds(self, ask: Ask, /) -> float:
        """Return the wait for displays after a question, if it must be longer than usual, otherwise 0."""

    def is_setup(self, position: Any, /) -> bool:
        """Return whether the match is in the part of its set-up in which two other players can still be swapped."""

    def swap_seats(self, view: Any, first: Seat, second: Seat, /) -> Any:
        """Return the view with the seats of two players swapped."""

    def implausibility(self, position: Any, seat: Seat, /) -> int:
        """Return the rank of a position among those that match the view; the position with the lowest is chosen."""

    def agrees(self, position: Any, observation: Observation, /) -> bool:
        """Return whether a position at distance 0 also agrees in the parts that our rules derive from the board."""

    def corrected(self, position: Any, observation: Observation, /) -> Any:
        """Return the position that the server shows with its question, although no legal action leads there.

        None if the view is not sufficient, or our engine cannot represent the position.
        """

    def winners(self, view: Any, /) -> Sequence[Seat]:
        """Return the winners by the last view of the foreign server, or none if it does not show them."""

    def local_wish(self, wish: Any, /) -> Any:
        """Return our client's wish for the local table, whose options the foreign server has chosen."""


_MODULES: Final = {"tris": "cell_games", "forza": "cell_games", "santorini": "santorini", "eriantys": "eriantys"}


def comparison_for(game: str) -> Comparison:
    """Return the comparison of a game."""
    module = import_module(f"boardwire.bridge.{_MODULES[game]}")
    return cast("Comparison", module)
