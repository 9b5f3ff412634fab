"""The greedy bot for Eriantys: looks one step ahead and values towers, then professors, then the lead in influence.

- A student's move is evaluated by the board after it and after mother nature's best walk.
- The bot plays the assistant that lets mother nature go furthest, and among these the one that acts earliest.
- Characters are considered when mother nature is about to walk, because few steps of the turn follow; one is used if
  its gain is worth more than its coins.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, TypeVar

from msgspec.structs import replace

from boardwire.bots.greedy.eriantys_board import (
    NOBODY,
    Land,
    SimpleBoard,
    after,
    influence,
    resolve,
    simple_board,
    taker_of,
)
from boardwire.games.eriantys import Action, Character, Done, Kind, PlayAssistant, TakeCloud, UseCharacter, View
from boardwire.games.eriantys.planning import assistant_steps
from boardwire.games.game import Below, Decision, Seat

WON: Final = 100_000
_TOWER: Final = 120
_PROFESSOR: Final = 40
_STUDENT: Final = 3
_LEAD: Final = 6
_COIN: Final = 8
_JOINED: Final = 20
"""Value of two adjacent islands of one's own side."""
_RIVALS_JOINED: Final = 10
"""Cost of two adjacent islands of another side."""
_SPREAD: Final = 6
"""Positions evaluated for one student's move, including mother nature's walks after it."""

T = TypeVar("T")


def choose(view: View, decision: Decision[Action], below: Below, budget: int) -> Action:
    """Return the best step; ties are broken at random."""
    seat = decision.seats[0]
    if decision.kind == Kind.ASSISTANT:
        return _choose_best(decision.choices, lambda action: _assistant_value(view, seat, action), below)
    table = simple_board(view, seat)
    steps = [action for action in decision.choices if type(action) is not UseCharacter]
    judge = Judge(table, walks=_walks_later(view) and len(decision.choices) * _SPREAD <= budget)
    if decision.kind == Kind.STEPS or not steps:
        use = _character(view, table, decision.choices, judge, below)
        if use is not None:
            return use
    if decision.kind == Kind.STEPS:
        judge = Judge(table, walks=False)
    return _choose_best(steps or decision.choices, lambda action: _step_value(view, table, action, judge), below)


def _choose_best(actions: Iterable[T], worth: Callable[[T], int], below: Below) -> T:
    """Return one of the actions of the highest value, at random."""
    values = [(worth(action), action) for action in actions]
    best_value = max(value for value, _ in values)
    best = [action for value, action in values if value == best_value]
    return best[below(len(best))]


def _walks_later(view: View) -> bool:
    """Return whether mother nature still has to move in this turn."""
    return view.asked in (Kind.STUDENT, Kind.STEPS) or view.moved < view.moves


def _assistant_value(view: View, seat: Seat, action: Action) -> int:
    """Return the value of an assistant: many steps, and a low card, which plays early."""
    if not isinstance(action, PlayAssistant):
        return 0
    return 10 * assistant_steps(action.card) - action.card


def _step_value(view: View, table: SimpleBoard, action: Action, judge: Judge) -> int:
    """Return the value of a step in a turn."""
    if isinstance(action, TakeCloud):
        return sum(count * _usefulness(table, colour) for colour, count in enumerate(view.clouds[action.cloud]))
    if isinstance(action, Done) and view.asked != Kind.SWAP:
        return -WON  # never end the turn while there is another choice
    return judge(after(table, action))


def _usefulness(table: SimpleBoard, colour: int) -> int:
    """Return the value of a student by colour: highest if the side holds the professor, lowest if it is far behind."""
    holder = table.holders[colour]
    if holder == NOBODY:
        return 5
    if table.sides[holder] == table.side:
        return 6
    behind = table.halls[holder][colour] - table.halls[table.seat][colour]
    return 5 if behind < 2 else 3 if behind < 4 else 2


def _character(
    view: View, table: SimpleBoard, choices: Iterable[Action], judge: Judge, below: Below
) -> UseCharacter | None:
    """Return the best use of a character if it is worth the coins, else None."""
    uses = [action for action in choices if isinstance(action, UseCharacter)]
    if not uses:
        return None
    prices = {card.character: card.price for card in view.characters}
    now = judge(table)

    def gain(use: UseCharacter) -> int:
        return judge(after(table, use)) - now - _COIN * prices.get(use.character, 1)

    best = _choose_best(uses, gain, below)
    return best if gain(best) > 0 else None


class Judge:
    """Evaluation of tables; with `walks`, after mother nature's best walk.

    Most of the compared tables differ only in one island or one dining room, so the values of these are cached.
    """

    def __init__(self, table: SimpleBoard, walks: bool) -> None:
        self._walks = walks
        self._effects = table.active, table.ignored
        self._leads: dict[tuple[tuple[int, ...], Land], int] = {}
        self._schools: dict[tuple[object, ...], int] = {}
        self._takers: dict[tuple[object, ...], int] = {}

    def __call__(self, s: SimpleBoard) -> int:
        towers = _towers(s)
        worth = towers + self._school(s) + sum([self._lead(s, land) for land in s.lands])
        if not self._walks:
            return worth
        return worth + max((self._walk(s, steps, towers) for steps in range(1, s.steps + 1)), default=0)

    def _walk(self, s: SimpleBoard, steps: int, before: int) -> int:
        """Return the gain or loss on the island where mother nature stops."""
        index = (s.mother + steps) % len(s.lands)
        land = s.lands[index]
        key = s.holders, land, s.active, s.ignored
        taker = self._takers.get(key)
        if taker is None:
            taker = self._takers[key] = taker_of(s, land)
        return 0 if taker == land.side else _towers(resolve(s, index)) - before

    def _lead(self, s: SimpleBoard, land: Land) -> int:
        """Return the lead in influence on an island, without the effect of a character used in the step."""
        key = s.holders, land
        lead = self._leads.get(key)
        if lead is None:
            table = s if (s.active, s.ignored) == self._effects else _with_effects(s, *self._effects)
            lead = self._leads[key] = _lead(table, land)
        return lead

    def _school(self, s: SimpleBoard) -> int:
        key = s.holders, s.halls
        value = self._schools.get(key)
        if value is None:
            value = self._schools[key] = _school(s)
        return value


def _with_effects(s: SimpleBoard, active: Character | None, ignored: int) -> SimpleBoard:
    return replace(s, active=active, ignored=ignored)


def _lead(s: SimpleBoard, land: Land) -> int:
    """Return the value of the lead in influence on an island, at most three, which counts for each of its towers."""
    totals = influence(s, land)
    own = totals[s.side]
    rival = max(count for side, count in enumerate(totals) if side != s.side)
    return _LEAD * max(-3, min(3, own - rival)) * max(1, land.towers)


def _towers(s: SimpleBoard) -> int:
    """Return the value of the towers: fewer towers left are better, and none left is a win."""
    own, rivals = s.towers[s.side], [count for side, count in enumerate(s.towers) if side != s.side]
    if not own:
        return WON
    if not min(rivals):
        return -WON
    return _TOWER * (sum(rivals) // len(rivals) - own) + _TOWER * (min(rivals) - own) + _adjacency_value(s)


def _adjacency_value(s: SimpleBoard) -> int:
    """Return the value of adjacent islands of one side, which are unified and then harder to take."""
    pairs = zip(s.lands, (*s.lands[1:], s.lands[0]), strict=True)
    return sum(
        [
            _JOINED if land.side == s.side else -_RIVALS_JOINED
            for land, next_land in pairs
            if land.side == next_land.side != NOBODY
        ]
    )


def _school(s: SimpleBoard) -> int:
    """Return the value of professors and students."""
    holder_sides = [s.sides[holder] for holder in s.holders if holder >= 0]
    own = sum(side == s.side for side in holder_sides)
    students = sum(min(count, 9) for count in s.halls[s.seat])
    margins = 0
    for colour, holder in enumerate(s.holders):
        if holder >= 0:
            others = [hall[colour] for seat, hall in enumerate(s.halls) if s.sides[seat] != s.sides[holder]]
            margin = min(2, s.halls[holder][colour] - max(others, default=0))
            margins += margin if s.sides[holder] == s.side else -margin
    return _PROFESSOR * (2 * own - len(holder_sides)) + _STUDENT * students + 2 * margins
