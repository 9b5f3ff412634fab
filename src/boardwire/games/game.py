"""The interface of a game.

A game is a Python module with the names of the `Game` protocol below. Requirements:

- **Positions are immutable values.** Equal histories give equal positions. A position contains no random generator, no
  clock and no cache that changes a result.
- **`pending` defines the match.** It names the seats that must choose, the kind of choice and exactly the legal
  choices. `apply` accepts only those choices from only those seats. The match is over if and only if nothing is
  pending.
- **Chance is a seat.** If a decision names `CHANCE`, the caller draws and passes the result to `apply` as an ordinary
  action, so that draws can be stored, scripted and replayed.
- **Views are independent of hidden information.** A view does not depend on facts that its seat may not know, `show`
  removes the hidden part of an event, and `conceals` tells which actions are secret.
- **Three errors only**: `Malformed`, `Illegal`, `Refused` (`boardwire.errors`).
- **A game describes itself**: its module includes its notation, a summary of its rules and its cards, so that no layer
  above has code for a particular game.

This module depends on no particular game, and on nothing about tables or connections.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from enum import StrEnum
from typing import Any, Final, Generic, Protocol, TypeAlias, TypeVar, runtime_checkable

import msgspec

from boardwire.errors import Illegal, Objection

Seat: TypeAlias = int
"""A place at a table, 0-based, in the initial order of play."""

CHANCE: Final[Seat] = -1
"""The seat of chance: the caller draws for it."""

Below: TypeAlias = Callable[[int], int]
"""A source of randomness: `below(n)` returns an integer from 0 to n - 1, uniformly distributed."""


A_co = TypeVar("A_co", covariant=True)


class Decision(msgspec.Struct, Generic[A_co], frozen=True, gc=False):
    """A choice that one of `seats` must make; the first answer counts.

    `choices` are exactly the legal actions; for chance they may be a `Draw`. They are iterated in a fixed order, the
    same for equal positions.
    """

    kind: StrEnum
    seats: tuple[Seat, ...]
    choices: Collection[A_co]


@runtime_checkable
class Draw(Protocol[A_co]):
    """Chance outcomes that are too many to list or not equally likely.

    `in` is exact; `draw` returns a random outcome. Iteration, if a game supports it, is exhaustive.
    """

    def __contains__(self, action: object, /) -> bool: ...
    def __iter__(self) -> Iterator[A_co]: ...
    def __len__(self) -> int: ...
    def draw(self, below: Below, /) -> A_co: ...


def _no_winners() -> tuple[Seat, ...]:
    return ()


class Outcome(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """How a match ended, and its winners (none: a draw; several: a team or a shared win).

    `termination` is a value of the game's or the table's enum; `by` is the seat that caused the end, if any.
    """

    termination: str
    # A default factory, because `omit_defaults` would leave out a plain default, and readers expect the field.
    winners: tuple[Seat, ...] = msgspec.field(default_factory=_no_winners)
    by: Seat | None = None


class Idle(StrEnum):
    """Step of a seat without an action: it gives up, or is skipped because it is absent."""

    RESIGNS = "resigns"
    ABSENT = "absent"


class Card(msgspec.Struct, frozen=True):
    """A component with a rule of its own, such as a god or a character.

    `card` is its name in options and actions, `name` its display name, `text` its rule in our own words. Games add
    further fields.
    """

    card: str
    name: str
    text: str


Opt = TypeVar("Opt", bound=msgspec.Struct)
W = TypeVar("W", bound=msgspec.Struct)
P = TypeVar("P")
A = TypeVar("A")
V_co = TypeVar("V_co", bound=msgspec.Struct, covariant=True)
E = TypeVar("E", bound=msgspec.Struct)


class Game(Protocol[Opt, W, P, A, V_co, E]):
    """The names that a game's module must have.

    `Options`, `Wish`, `Action`, `View` and `Event` are types (or unions of tagged structs) that msgspec encodes and
    decodes; the journal, the native dialect and the page use only these to store or send them.
    """

    @property
    def name(self) -> str: ...
    @property
    def rules(self) -> int:
        """The version of the rules. A match pins `name@rules`, so that an old journal can always be replayed."""

    @property
    def seat_counts(self) -> Sequence[int]: ...
    @property
    def views_differ(self) -> bool:
        """Whether the game has hidden information, so that seats and spectators may see different views and events."""

    @property
    def draws(self) -> bool:
        """Whether a match can end in a draw; then two players may also agree to one."""

    @property
    def Options(self) -> type[Opt]: ...
    @property
    def Wish(self) -> type[W]: ...
    @property
    def Action(self) -> Any: ...
    @property
    def View(self) -> type[V_co]: ...
    @property
    def Event(self) -> Any: ...
    @property
    def Termination(self) -> type[StrEnum]:
        """The ways in which a match can end by the game's rules."""

    @property
    def Rule(self) -> type[StrEnum]:
        """The rules by which an action can be illegal."""

    def is_standard(self, options: Opt, /) -> bool:
        """Return whether the options are a published set-up, without an arranged position or hand.

        A guest must consent before it is seated at a table with other options.
        """

    def settle(self, options: Opt, wishes: Sequence[W | None], /) -> Opt:
        """Return the options merged with the wishes of the seats, such as a colour or the powers a program supports.

        `wishes` are by seat, None for an empty seat or one without a wish. Raise `Refused` if they conflict.
        """

    def new(self, options: Opt, seats: int, /) -> P:
        """Return the first position. Raise `Illegal` if the options or the number of seats cannot be played."""

    def pending(self, position: P, /) -> Decision[A] | None:
        """Return the open decision, or None if the match is over."""

    def apply(self, position: P, seat: Seat, action: A, /) -> tuple[P, tuple[E, ...]]:
        """Return the position after `action` of `seat`, and the events.

        Raise `Refused` if the decision is not open to that seat, `Illegal` if the action is not among the choices.
        """

    def objection(self, position: P, seat: Seat, action: A, /) -> Objection | None:
        """Return the rule that makes `action` illegal for `seat`, or None if the action is legal.

        The result depends only on what the seat may know. Raise `Refused` as in `apply`.
        """

    def forfeit(self, position: P, seat: Seat, /) -> tuple[P, tuple[E, ...]]:
        """Let `seat` give up, at any time. Raise `Refused` if the match is over or the seat is already out."""

    def skip(self, position: P, seat: Seat, /) -> tuple[P, tuple[E, ...]]:
        """Pass the open decision of `seat`, which is absent and may return, and cancel what it has begun.

        If play cannot continue without an answer, the game defines one. Raise `Refused` if the seat has no decision.
        """

    def sides(self, position: P, /) -> Sequence[Sequence[Seat]]:
        """Return the sides still in the match, each with its remaining seats."""

    def view(self, position: P, seat: Seat | None, /) -> V_co:
        """Return what `seat` may see; None is a spectator.

        Unless `views_differ`, the view is the same for all. If a view names the seat to move, its field is `turn`.
        """

    def show(self, event: E, seat: Seat | None, /) -> E | None:
        """Return the part of an event that `seat` (None: a spectator) may see, or None."""

    def conceals(self, position: P, seat: Seat, action: A, /) -> bool:
        """Return whether `action`, a choice of `seat` (or chance) in `position`, reveals more than spectators may see.

        The result itself must depend only on what spectators see.
        """

    def outcome(self, position: P, /) -> Outcome | None:
        """Return how the match ended, or None while a decision is pending."""

    def format_action(self, action: A, /) -> str:
        """Return an action in the game's notation: one short printable line, unique among the choices."""

    def parse_action(self, text: str, /) -> A:
        """Parse an action in the game's notation; raise `Malformed` for any other text."""

    def format_position(self, position: P, /) -> str:
        """Return a position in the game's notation; raise `Refused` if the notation cannot express it."""

    def parse_position(self, text: str, /) -> P:
        """Parse a position in the game's notation; raise `BoardwireError` for any other text."""

    def format_match(
        self, players: Sequence[str], options: Opt, steps: Iterable[tuple[Seat, A | Idle]], /
    ) -> str | None:
        """Return a match in the game's record format, or None if it has none."""

    @property
    def cards(self) -> Sequence[Card]:
        """The cards of the game, which users can look up; empty if it has none."""

    def explain(self, card: Card | None = None, /) -> Sequence[str]:
        """Return the rules as sentences, or the rule of a card.

        There are at least four; the first states the name of the game and the numbers of players.
        """


AnyGame: TypeAlias = Game[Any, Any, Any, Any, Any, Any]


def objection_of_apply(apply: Callable[[P, Seat, A], object], position: P, seat: Seat, action: A) -> Objection | None:
    """Return the objection to an action, found by trying it: an `objection` for games with a cheap `apply`."""
    try:
        apply(position, seat, action)
    except Illegal as error:
        if error.objection is None:
            raise
        return error.objection
    return None
