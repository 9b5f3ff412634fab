"""What a game must tell so that a match of ours can be held to a view of somebody else's.

A foreign view has what a dialect's client knows: a board, perhaps gods or hands, never all of a position.  A `Comparison`
says how far a position of ours is from such a view, and which of its choices may lead there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import Any, Final, Protocol, cast

import msgspec

from boardwire.dialects.dialect import Ask, Dialect, Players
from boardwire.games.game import AnyGame, Decision, Seat


class Observation(msgspec.Struct, frozen=True):
    """What is known of a foreign match at one moment: a view, the question that is open, and who sits where."""

    game: AnyGame
    dialect: Dialect
    """The foreign one."""
    view: Any
    players: Players
    ask: Ask | None = None

    @property
    def seat(self) -> Seat | None:
        """Where our client sits."""
        if self.ask is not None:
            return self.ask.decision.seats[0]
        return self.players.seat


class Comparison(Protocol):
    """See the module; a game's own is the module of its name."""

    def seat_count(self, observation: Observation, /) -> int:
        """How many play; 0: that is not known yet."""

    def options(self, observation: Observation, wish: Any, /) -> Sequence[Any]:
        """What the match may be played by, what is likeliest first; none: that is not known yet.  `wish` is what our
        client wants."""

    def distance(self, position: Any, observation: Observation, /) -> int:
        """By how much the position differs from what is seen; 0: by nothing."""

    def chance_actions(self, position: Any, decision: Decision[Any], observation: Observation, /) -> Iterable[Any]:
        """What may have been dealt."""

    def candidate_actions(
        self, position: Any, decision: Decision[Any], seat: Seat, observation: Observation, /, *, wide: bool
    ) -> Iterable[Any]:
        """The choices of a seat that may have been made; `wide`: also those that show nothing of it by themselves."""

    def eliminated(self, position: Any, observation: Observation, /) -> Iterable[Seat]:
        """The seats that are out by what is seen, and not in the position."""

    def matches_question(self, position: Any, decision: Decision[Any], ask: Ask, /) -> bool:
        """Whether a decision of ours is what the foreign server asks."""

    def translate(self, position: Any, actions: Sequence[Any], ask: Ask, /) -> Any:
        """The first of our client's actions as the answer to the foreign question; None: it cannot be said.  It may be
        the answer to a question that has to be answered before."""

    def needs_next_action(self, position: Any, action: Any, ask: Ask, /) -> bool:
        """Whether the foreign question can be answered only when it is known what our client does after this."""

    def is_proposing(self, position: Any, /) -> bool:
        """Whether our client chooses one by one what some servers are told at once, unless another is faster."""

    def default_actions(self, position: Any, seat: Seat, near: Dialect, wish: Any, /) -> Sequence[Any]:
        """What our client would choose that is not asked, because its protocol leaves it to whoever can be; none: it
        may be asked, or need not choose."""

    def undocumented(self, observation: Observation, wish: Any, /) -> str:
        """What of the foreign match is not in the page of our client's protocol, and what its client learns of it;
        empty: nothing."""

    def unplayable(self, observation: Observation, near: Dialect, wish: Any, /) -> str:
        """What of the foreign match the programs of our client's protocol fail on; empty: nothing."""

    def after_declining(self, observation: Observation, /) -> Observation:
        """The observation of the same board after our client has declined what it is asked."""

    def shows_every_step(self, position: Any, /) -> bool:
        """Whether every step of others is shown at once, so that a board that no step leads to is a contradiction."""

    def retries_after_refusal(self, near: Dialect, /) -> bool:
        """Whether programs of our client's protocol choose again after a refusal."""

    def alternatives(self, action: Any, /) -> Sequence[Any]:
        """What comes nearest to an action that the foreign server refuses."""

    def describe(self, position: Any, seat: Seat, action: Any, /) -> str:
        """What a seat has done, in words for whoever runs the adapter; empty: the notation says it."""

    def extra_wait_seconds(self, ask: Ask, /) -> float:
        """How many seconds to wait for more before a question is answered that leaves open what happened before it; 0:
        as long as usual."""

    def is_setup(self, position: Any, /) -> bool:
        """Whether the match has not got further than a set-up in which other players can still change places."""

    def swap_seats(self, view: Any, one: Seat, other: Seat, /) -> Any:
        """The view with the seats of two players exchanged."""

    def implausibility(self, position: Any, seat: Seat, /) -> int:
        """Which of several positions that look alike is believed: the lowest, for our client's seat."""

    def agrees(self, position: Any, observation: Observation, /) -> bool:
        """Whether a position at distance 0 also has what follows from the board by our rules only."""

    def corrected(self, position: Any, observation: Observation, /) -> Any:
        """Return the position that the server shows while it asks our client, where no action of ours leads there.

        None if the view does not tell enough, or our engine cannot hold it."""

    def winners(self, view: Any, /) -> Sequence[Seat]:
        """Who has won by the foreign server's last view; none: it does not tell."""

    def local_wish(self, wish: Any, /) -> Any:
        """What our client brings along to a table where the foreign server has chosen what is played."""


_MODULES: Final = {"tris": "cell_games", "forza": "cell_games", "santorini": "santorini", "eriantys": "eriantys"}


def comparison_for(game: str) -> Comparison:
    """That of a game."""
    module = import_module(f"boardwire.bridge.{_MODULES[game]}")
    return cast("Comparison", module)
