"""A game with given options as arrays: fixed action indices, masks, observations and returns.

`Space` has everything that does not change during a match. `Episode` is a match that resolves chance by itself, so that
a player is always the next to move. Environments and self-play are built on these two.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import chain
from math import prod
from typing import Any, Final, TypeAlias

import msgspec
import numpy as np

from boardwire import games
from boardwire.bots.arena import draw_choice
from boardwire.bots.bot import decision_for
from boardwire.errors import Illegal, Malformed, Reason, Refused, either
from boardwire.games.game import CHANCE, AnyGame, Below, Decision, Outcome, Seat
from boardwire.research.encodings import Shape, encoding

Array: TypeAlias = Any
"""A numpy array; `Any`, because types are also checked where numpy is not installed."""


class Layout:
    """The named parts of an observation, in order."""

    def __init__(self, shapes: dict[str, Shape]) -> None:
        self.shapes: Final = shapes
        self.size: Final = sum(map(prod, shapes.values()))

    def split(self, observations: Array) -> dict[str, Array]:
        """Return views of the parts by name, in their shapes; leading axes, as of a batch, are kept."""
        if observations.shape[-1:] != (self.size,):
            raise Malformed(
                f"the shape is {observations.shape}; the last axis of an observation has {self.size} numbers"
            )
        parts, start = {}, 0
        for name, shape in self.shapes.items():
            stop = start + prod(shape)
            parts[name] = observations[..., start:stop].reshape(*observations.shape[:-1], *shape)
            start = stop
        return parts


class Space:
    """A game with options and a number of seats."""

    def __init__(self, game: AnyGame, options: Any, seats: int) -> None:
        first = game.new(options, seats)  # raises `Illegal` for options that cannot be played
        self.game: Final = game
        self.options: Final = options
        self.seats: Final = seats
        self._encoding: Final = encoding(game.name)
        self.actions: Final = tuple(self._encoding.actions(options))
        """All actions that a player can be offered, in the order of their indices."""
        self.max_length: Final = self._encoding.max_length(options, seats)
        """An upper bound of the number of players' actions in a match."""
        self._indices: Final = {action: index for index, action in enumerate(self.actions)}
        parts = self._encoding.parts(game.view(first, 0), 0, options)
        self.layout: Final = Layout({part.name: part.shape for part in parts})

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuilt, (self.game.name, self.options, self.seats)

    def __deepcopy__(self, memo: object) -> Space:
        return self  # immutable

    def index(self, action: Any) -> int:
        """Return the index of an action; raise `Malformed` if it has none."""
        try:
            return self._indices[action]
        except (KeyError, TypeError):
            raise Malformed(f"{action!r} is not an action of a player in {self.game.name}") from None

    def indices(self, decision: Decision[Any] | None) -> list[int]:
        """Return the indices of the choices, in the order of the decision."""
        return [] if decision is None else [self._indices[choice] for choice in decision.choices]

    def mask(self, decision: Decision[Any] | None) -> Array:
        """Return ones for the legal choices and zeros elsewhere."""
        mask: Array = np.zeros(len(self.actions), np.int8)
        mask[self.indices(decision)] = 1
        return mask

    def observe(self, position: Any, seat: Seat) -> Array:
        """Return the observation of a seat, from its perspective."""
        parts = self._encoding.parts(self.game.view(position, seat), seat, self.options)
        return np.fromiter(chain.from_iterable(part.values for part in parts), np.float32, self.layout.size)

    def returns(self, outcome: Outcome | None) -> list[float]:
        """Return 1 for each winner and -1 for each loser, or zeros for a draw, a shared win and before the end."""
        shared = outcome is not None and len(set(outcome.winners)) == self.seats > 1
        if outcome is None or not outcome.winners or shared:
            return [0.0] * self.seats
        return [1.0 if seat in outcome.winners else -1.0 for seat in range(self.seats)]


@lru_cache(16)
def _rebuilt(game: str, options: Any, seats: int) -> Space:
    return Space(games.game(game), options, seats)


class Episode:
    """A match that resolves chance with `below`; `seat` is the player to move, or None when the match is over."""

    def __init__(self, space: Space, below: Below) -> None:
        self.space: Final = space
        self._below: Final = below
        self.position: Any = space.game.new(space.options, space.seats)
        self.decision: Decision[Any] | None = None
        self.seat: Seat | None = None
        self.steps = 0
        self._advance()

    def _advance(self) -> None:
        game = self.space.game
        decision = game.pending(self.position)
        while decision is not None and decision.seats[0] == CHANCE:
            self.position, _ = game.apply(self.position, CHANCE, draw_choice(decision, self._below))
            decision = game.pending(self.position)
        self.seat = None if decision is None else decision.seats[0]
        self.decision = None if decision is None else decision_for(decision, decision.seats[0])

    @property
    def outcome(self) -> Outcome | None:
        """The outcome, or None while the match is in progress."""
        return self.space.game.outcome(self.position)

    def mask(self) -> Array:
        """Return the mask of the legal choices."""
        return self.space.mask(self.decision)

    def observe(self, seat: Seat | None = None) -> Array:
        """Return the observation of a seat, by default of the one to move."""
        return self.space.observe(self.position, (self.seat or 0) if seat is None else seat)

    def step(self, index: int) -> None:
        """Apply the action with this index; raise `Illegal` if it is not among the choices."""
        if self.decision is None or self.seat is None:
            raise Refused("the match is over; start a new episode", reason=Reason.OVER)
        if not 0 <= index < len(self.space.actions):
            raise Illegal(f"action index {index} is out of range; indices are 0 to {len(self.space.actions) - 1}")
        action = self.space.actions[index]
        if action not in self.decision.choices:
            raise Illegal(f"action {index} is not legal here; use the action mask")
        self.position, _ = self.space.game.apply(self.position, self.seat, action)
        self.steps += 1
        self._advance()


def space(game: str, *, seats: int | None = None, **options: Any) -> Space:
    """Return the space of a game by name, with options by name as in `boardwire arena`.

    - `seats`: the number of players, by default the number of gods or towers given, otherwise 2.
    - Santorini: `gods` alone selects the draft `given`, `position` alone the draft `position`.
    - Tris and Forza Quattro: `start` may be a position in notation.

    Raise `Malformed` for unknown options, `Illegal` for those that cannot be played.
    """
    rules = games.game(game)
    known = [field.name for field in msgspec.structs.fields(rules.Options)]
    if unknown := [name for name in options if name not in known]:
        raise Malformed(f"{game} has no option {unknown[0]!r}; its options are {', '.join(known)}")
    values = {**_implied_draft(known, options), **options}
    if isinstance(values.get("start"), str):
        values["start"] = rules.parse_position(values["start"])
    try:
        chosen = msgspec.convert(_plain(values), rules.Options)
    except msgspec.ValidationError as error:
        raise Malformed(f"options of {game}: {error}") from None
    count = seats if seats is not None else _implied_seats(values)
    if count not in rules.seat_counts:
        raise Malformed(f"{game} is for {either(rules.seat_counts)} players, not {count}")
    return Space(rules, chosen, count)


def _implied_draft(known: Sequence[str], options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the draft that other options imply."""
    if "draft" in known:
        for name, draft in (("position", "position"), ("gods", "given")):
            if options.get(name):
                return {"draft": draft}
    return {}


def _implied_seats(options: Mapping[str, Any]) -> int:
    for name in ("gods", "towers"):
        if len(options.get(name) or ()) > 1:  # the Golden Fleece has a single god for two seats
            return len(options[name])
    return 2


def _plain(values: Mapping[str, Any]) -> Any:
    """Return options as builtins, which msgspec can convert: lists, and the stored form of enumerations and structs."""
    return msgspec.to_builtins(dict(values))
