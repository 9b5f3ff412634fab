"""OpenSpiel games: `boardwire_tris`, `boardwire_forza`, `boardwire_santorini` and `boardwire_eriantys`.

- Parameters are `seats` and the options of the game as text, a list with `+` between its items:
  `boardwire_santorini(gods=apollo+atlas)`, `boardwire_eriantys(seats=3,mode=expert)`.
- Action indices are those of `Space`.
- A chance node is one call of the game's source of randomness, with equally likely outcomes below a bound. A draw that
  needs several numbers, such as a refill of the clouds, is a chain of chance nodes. So probabilities are exact, and no
  node has more outcomes than the bag has students or than there are sets of characters.
- The observation tensor is that of `Space`. The information state as text is everything that a seat was shown, in
  order; as a tensor it is the observation and the last `HISTORY` actions of players. An action is encoded as its index
  plus one, divided by the number of actions; a concealed one is 0. For Tris and Forza Quattro this is the whole match.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec
import numpy as np
import pyspiel

from boardwire import games
from boardwire.bots.arena import draw_choice
from boardwire.games.game import CHANCE, AnyGame, Decision, Seat
from boardwire.research.encodings import encoding
from boardwire.research.space import Array, Space, space

PREFIX: Final = "boardwire_"
HISTORY: Final = 64
"""Number of actions in the information state tensor."""
SEPARATOR: Final = "+"


class _NumberNeeded(Exception):
    """A draw needs a number from 0 to `bound` - 1."""

    def __init__(self, bound: int) -> None:
        self.bound: Final = bound


class _Numbers:
    """A source of randomness that returns known numbers, then raises `_NumberNeeded`."""

    def __init__(self, known: Sequence[int]) -> None:
        self._known: Final = iter(known)

    def below(self, bound: int) -> int:
        """Return the next known number, or raise `_NumberNeeded`."""
        number = next(self._known, None)
        if number is None:
            raise _NumberNeeded(bound)
        return number


class _Progress:
    """The immutable part of a state; OpenSpiel copies the attributes of a state deeply, which this class prevents."""

    def __init__(
        self, position: Any, decision: Decision[Any] | None, numbers: tuple[int, ...] = (), bound: int = 0
    ) -> None:
        self.position: Final = position
        self.decision: Final = decision
        self.numbers: Final = numbers
        """Numbers drawn so far for the current draw."""
        self.bound: Final = bound
        """Number of outcomes of the chance node, or 0 if a player is to move."""

    def __deepcopy__(self, memo: object) -> _Progress:
        return self


def _begun(game: AnyGame, position: Any) -> _Progress:
    decision = game.pending(position)
    if decision is None or decision.seats[0] != CHANCE:
        return _Progress(position, decision)
    return _Progress(position, decision, (), _bound(decision))


def _bound(decision: Decision[Any]) -> int:
    try:
        draw_choice(decision, _Numbers(()).below)
    except _NumberNeeded as needed:
        return needed.bound
    return 1  # a draw with a single outcome needs no number


def _show_events(game: AnyGame, events: Sequence[Any], seat: Seat) -> str:
    shown = [game.show(event, seat) for event in events]
    return msgspec.json.encode([event for event in shown if event is not None]).decode()


class GameState(pyspiel.State):
    """A state of a match."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.space: Final = game.space
        rules = game.space.game
        self._progress = _begun(rules, rules.new(game.space.options, game.space.seats))
        self._known: tuple[tuple[str, ...], ...] = ((),) * game.space.seats
        """Events shown to each seat, one line for each step of a player or of chance."""
        self._actions: tuple[tuple[int, ...], ...] = ((),) * game.space.seats

    @property
    def position(self) -> Any:
        """The position of the game's rules."""
        return self._progress.position

    def current_player(self) -> int:
        """Return the seat to move, or OpenSpiel's id of chance or of a terminal state."""
        progress = self._progress
        if progress.decision is None:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if progress.bound else progress.decision.seats[0]

    def _legal_actions(self, player: int) -> list[int]:
        if self._progress.bound or player != self.current_player():
            return []
        return sorted(self.space.indices(self._progress.decision))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the equally likely outcomes of a chance node with their probability."""
        bound = self._progress.bound
        return [(outcome, 1 / bound) for outcome in range(bound)]

    def _apply_action(self, action: int) -> None:
        progress = self._progress
        if progress.decision is None:
            return
        if not progress.bound:
            self._play(progress.decision.seats[0], self.space.actions[action])
            return
        numbers = (*progress.numbers, action)
        try:
            outcome = draw_choice(progress.decision, _Numbers(numbers).below)
        except _NumberNeeded as needed:
            self._progress = _Progress(progress.position, progress.decision, numbers, needed.bound)
        else:
            self._play(CHANCE, outcome)

    def _play(self, seat: Seat, action: Any) -> None:
        rules, seats = self.space.game, range(self.space.seats)
        before = self._progress.position
        if seat != CHANCE:
            index = self.space.index(action) + 1
            shown = 0 if rules.conceals(before, seat, action) else index
            self._actions = tuple((*self._actions[each], index if each == seat else shown) for each in seats)
        position, events = rules.apply(before, seat, action)
        self._known = tuple((*self._known[each], _show_events(rules, events, each)) for each in seats)
        self._progress = _begun(rules, position)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"draw {action}"
        return self.space.game.format_action(self.space.actions[action])

    def is_terminal(self) -> bool:
        """Return whether the match is over."""
        return self._progress.decision is None

    def returns(self) -> list[float]:
        """Return 1 for winners and -1 for losers, or zeros for a draw and before the end."""
        return self.space.returns(self.space.game.outcome(self.position))

    def __str__(self) -> str:
        drawn_so_far = ",".join(map(str, self._progress.numbers))
        return f"{msgspec.json.encode(self.space.game.view(self.position, None)).decode()}{drawn_so_far}"

    def known(self, seat: Seat) -> str:
        """Return everything that a seat was shown, one line per step."""
        return "\n".join(self._known[seat])

    def actions_known(self, seat: Seat) -> tuple[int, ...]:
        """Return the actions of players so far as index plus one, with 0 for those concealed from the seat."""
        return self._actions[seat]


class Observer:
    """Observations and information states, with OpenSpiel's observer interface."""

    def __init__(self, space: Space, perfect_recall: bool) -> None:
        self._perfect_recall: Final = perfect_recall
        self._size: Final = space.layout.size
        history = _history_length(space) if perfect_recall else 0
        self.tensor: Array = np.zeros(self._size + history, np.float32)
        self.dict: Final[dict[str, Array]] = space.layout.split(self.tensor[: self._size])
        if perfect_recall:
            self.dict["history"] = self.tensor[self._size :]

    def set_from(self, state: GameState, player: int) -> None:
        """Set the tensor to a player's knowledge in a state."""
        self.tensor[: self._size] = state.space.observe(state.position, player)
        if self._perfect_recall:
            history = self.dict["history"]
            recent = state.actions_known(player)[-len(history) :]
            history.fill(0)
            history[: len(recent)] = recent
            history /= len(state.space.actions)

    def string_from(self, state: GameState, player: int) -> str:
        """Return a player's view or, with perfect recall, everything that it was shown."""
        if self._perfect_recall:
            return state.known(player)
        return msgspec.json.encode(state.space.game.view(state.position, player)).decode()


def _history_length(space: Space) -> int:
    return min(HISTORY, space.max_length)


def _defaults(game: AnyGame) -> dict[str, Any]:
    """Return the options that can be parameters, with defaults of OpenSpiel's types; lists are given as text."""
    defaults = {}
    for field in msgspec.structs.fields(game.Options):
        default = msgspec.to_builtins(field.default)
        if field.name != "start":
            defaults[field.name] = default if isinstance(default, bool | int) else ""
    return defaults


def _parse_space(game: AnyGame, params: Mapping[str, Any]) -> Space:
    options: dict[str, Any] = {}
    for field in msgspec.structs.fields(game.Options):
        value = params.get(field.name, "")
        if value != "":
            is_list = not isinstance(msgspec.to_builtins(field.default), bool | int | str)
            options[field.name] = value.split(SEPARATOR) if is_list else value
    return space(game.name, seats=params.get("seats", 0) or None, **options)


def _game_type(game: AnyGame, seats: int) -> Any:
    """Return OpenSpiel's description of a game; it is zero-sum only with two seats."""
    kinds = pyspiel.GameType
    known = kinds.Information
    has_chance = encoding(game.name).MAX_CHANCE_OUTCOMES > 0
    return kinds(
        short_name=f"{PREFIX}{game.name}",
        long_name=f"boardwire {game.name}",
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC if has_chance else kinds.ChanceMode.DETERMINISTIC,
        information=known.IMPERFECT_INFORMATION if game.views_differ else known.PERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM if seats == 2 else kinds.Utility.GENERAL_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=max(game.seat_counts),
        min_num_players=min(game.seat_counts),
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"seats": 0, **_defaults(game)},
    )


class SpielGame(pyspiel.Game):
    """A game with its parameters."""

    rules: AnyGame
    """The game's module; each subclass has its own."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        space = _parse_space(self.rules, params or {})
        self.space: Final = space
        info = pyspiel.GameInfo(
            num_distinct_actions=len(space.actions),
            max_chance_outcomes=encoding(self.rules.name).MAX_CHANCE_OUTCOMES,
            num_players=space.seats,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0 if space.seats == 2 else None,
            max_game_length=space.max_length,
        )
        super().__init__(_game_type(self.rules, space.seats), info, params or {})

    def new_initial_state(self, *arguments: Any) -> GameState:
        """Return the initial state."""
        return GameState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        """Return an observer of observations or, with perfect recall, of information states."""
        return Observer(self.space, iig_obs_type is not None and iig_obs_type.perfect_recall)


def register() -> tuple[str, ...]:
    """Register the games with OpenSpiel, once, and return their names."""
    known = set(pyspiel.registered_names())
    names = []
    for name in games.NAMES:
        game = games.game(name)
        kind = _game_type(game, max(game.seat_counts))
        names.append(kind.short_name)
        if kind.short_name not in known:
            pyspiel.register_game(kind, type(f"{name.title()}Game", (SpielGame,), {"rules": game}))
    return tuple(names)
