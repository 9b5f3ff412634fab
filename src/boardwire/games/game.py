"""What a game is to everything above it.

A game is a Python module that has the names of the `Game` protocol below.  Its rules:

- **Positions are immutable values.**  Equal histories give equal positions.  No generator, clock or cache that
  changes an answer lives in one.
- **`pending` is the keystone.**  It names who must choose, what kind of choice it is and exactly the legal choices.
  `apply` accepts just those, from just those seats.  Nothing pending means the match is over, and the reverse.
- **Chance is a seat.**  When a decision names `CHANCE`, somebody outside deals and passes the result to `apply` as an
  ordinary action.  So luck can be stored, scripted and replayed.
- **A view never changes with what its seat may not know**, `show` hides from a seat the part of an event that it may
  not learn, and `conceals` says which actions are themselves a secret.
- **Three errors, nowhere else**: `Malformed`, `Illegal`, `Refused` (`boardwire.errors`).
- **A game speaks for itself**: its notation, its rules in short and its cards are its own, so that nothing above has to
  know it by name.

This module knows no particular game, and nothing of tables, wires or people.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from enum import StrEnum
from typing import Any, Final, Generic, Protocol, TypeAlias, TypeVar, runtime_checkable

import msgspec

from boardwire.errors import Illegal, Objection

Seat: TypeAlias = int
"""A place at a table, 0-based, in the order of play that the game's rules start from."""

CHANCE: Final[Seat] = -1
"""The seat of luck: whoever runs the match deals for it."""

Below: TypeAlias = Callable[[int], int]
"""A source of luck: `below(n)` is a whole number from 0 to n - 1, each equally likely."""


A_co = TypeVar("A_co", covariant=True)


class Decision(msgspec.Struct, Generic[A_co], frozen=True, gc=False):
    """Who must choose what.

    `seats` are those that may answer; the first answer settles it.  `choices` are exactly the legal actions; for luck
    they may be a `Draw`.  Iterating gives a fixed order, so the same position always lists them the same way.
    """

    kind: StrEnum
    seats: tuple[Seat, ...]
    choices: Collection[A_co]


@runtime_checkable
class Draw(Protocol[A_co]):
    """Chance outcomes that are too many to list or not equally likely.

    `in` is exact; `draw` makes one outcome from a source of luck.  Iteration, where a game offers it, is exhaustive.
    """

    def __contains__(self, action: object, /) -> bool: ...
    def __iter__(self) -> Iterator[A_co]: ...
    def __len__(self) -> int: ...
    def draw(self, below: Below, /) -> A_co: ...


def _nobody() -> tuple[Seat, ...]:
    return ()


class Outcome(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """How a match ended, and who won (nobody: a draw; several: a team or a shared win).  `termination` is one of the
    game's own, or one of the table's; `by` is the seat that caused it, if one did."""

    termination: str
    winners: tuple[Seat, ...] = msgspec.field(default_factory=_nobody)  # a made default is told, unlike that of `by`
    by: Seat | None = None


class Idle(StrEnum):
    """What a seat does that does not act: it gives up, or it is not there and is skipped."""

    RESIGNS = "resigns"
    ABSENT = "absent"


class Card(msgspec.Struct, frozen=True):
    """What has a rule of its own and a name to look it up by: a god, a character.  `card` is how options and actions
    name it, `name` how people do, `text` what it does, in our own words.  A game adds what else its cards have."""

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
    """The names a game's module must have.

    `Options`, `Wish`, `Action`, `View` and `Event` are the types (or unions of tagged structs) that msgspec encodes and
    decodes; the journal, the native dialect and the page use nothing else to store or send them.
    """

    @property
    def name(self) -> str: ...
    @property
    def rules(self) -> int:
        """The version of the rules.  A match pins `name@rules`, so that an old journal replays for ever."""

    @property
    def seat_counts(self) -> Sequence[int]: ...
    @property
    def Options(self) -> type[Opt]: ...  # noqa: N802 - the protocol names types, so they are spelled like types
    @property
    def Wish(self) -> type[W]: ...  # noqa: N802
    @property
    def Action(self) -> Any: ...  # noqa: N802
    @property
    def View(self) -> type[V_co]: ...  # noqa: N802
    @property
    def Event(self) -> Any: ...  # noqa: N802
    @property
    def Termination(self) -> type[StrEnum]:  # noqa: N802
        """How a match of it can end by its own rules."""

    @property
    def Rule(self) -> type[StrEnum]:  # noqa: N802
        """The rules by which something that a player tries can be illegal."""

    def ordinary(self, options: Opt, /) -> bool:
        """Whether whoever merely looks for a table of this game may be brought to one with these options: the game as
        it is published, with nothing in it that was arranged by hand for one seat."""

    def settle(self, options: Opt, wishes: Sequence[W | None], /) -> Opt:
        """The options with what the seats brought along (a colour, the powers their program knows): `wishes` by seat,
        None where a seat is empty or has none.  `Refused` if they cannot all be met."""

    def new(self, options: Opt, seats: int, /) -> P:
        """The first position.  `Illegal` if the options or the number of seats cannot be played."""

    def pending(self, position: P, /) -> Decision[A] | None:
        """Who must choose what; None when the match is over."""

    def apply(self, position: P, seat: Seat, action: A, /) -> tuple[P, tuple[E, ...]]:
        """The position after `seat` did `action`, and what happened.  `Refused` if it is not that seat's decision,
        `Illegal` if the action is not among the choices."""

    def objection(self, position: P, seat: Seat, action: A, /) -> Objection | None:
        """By which rule `seat`, which is asked, may not do `action`; None: it may.  It tells nothing that the seat may
        not know.  `Refused` as in `apply`."""

    def forfeit(self, position: P, seat: Seat, /) -> tuple[P, tuple[E, ...]]:
        """`seat` gives up, whoever's turn it is.  `Refused` if the match is over or the seat is already out."""

    def skip(self, position: P, seat: Seat, /) -> tuple[P, tuple[E, ...]]:
        """`seat` is absent, and may return: its pending decision passes, and with it what it had begun.  Where nobody
        could play on without an answer, it gets one that the game declares.  `Refused` if the seat is not asked."""

    def sides(self, position: P, /) -> Sequence[Sequence[Seat]]:
        """Who plays with whom: the sides that are still in the match, each with those of its seats that are."""

    def view(self, position: P, seat: Seat | None, /) -> V_co:
        """What `seat` may see; None is a spectator.  Where a game hides anything, its views have a field `seat` that
        says for whom they are; without it, everybody sees the same, and is shown every event as it is."""

    def show(self, event: E, seat: Seat | None, /) -> E | None:
        """What `seat` (None: a spectator) learns of an event: all of it, a part, or nothing."""

    def conceals(self, position: P, seat: Seat, action: A, /) -> bool:
        """Whether `action`, a choice of `seat` (or luck) in `position`, tells more than a spectator is shown of it.  It
        must follow from what spectators are shown, like everything that they get."""

    def outcome(self, position: P, /) -> Outcome | None:
        """How it ended; None while something is pending."""

    def format_action(self, action: A, /) -> str:
        """An action in the game's notation: one short line of printable signs, another for each choice."""

    def parse_action(self, text: str, /) -> A:
        """The action that a text in the notation stands for; `Malformed` if it is none."""

    def format_match(
        self, players: Sequence[str], options: Opt, steps: Iterable[tuple[Seat, A | Idle]], /
    ) -> str | None:
        """A match as a text for reading, in a form of the game's own; None where a line for each step says as much."""

    @property
    def cards(self) -> Sequence[Card]:
        """What can be looked up; empty if the game has no cards."""

    def explain(self, card: Card | None = None, /) -> Sequence[str]:
        """The rules in a few sentences, of which the first has the game's name and for how many it is; or what one of
        the cards does."""


AnyGame: TypeAlias = Game[Any, Any, Any, Any, Any, Any]


def tried(apply: Callable[[P, Seat, A], object], position: P, seat: Seat, action: A) -> Objection | None:
    """The objection to an action, where `apply` tells it by what it raises."""
    objection = None
    try:
        apply(position, seat, action)
    except Illegal as error:
        objection = error.objection
        if objection is None:
            raise
    return objection
