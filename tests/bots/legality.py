"""Random matches of every game and mode in which the engines are asked at every step: whether what they choose is
legal, and whether what they claim to be won is won by the rules.

`python -m tests.bots.legality 100000` asks in this many positions of every mode and prints how many there were, and how
many wins were claimed and proved; `python -m tests.bots.legality 100000 eriantys` does it for modes of that name.
`python -m tests.bots.legality 1000 santorini 0.05` limits thoughts by seconds of processor time instead of nodes, and
also prints how many took over 20 % more, and the longest.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import msgspec
from training.puzzles import is_proved

from boardwire.bots.bot import decision_for
from boardwire.bots.engine import Past, SearchLimits, SearchResult
from boardwire.bots.engines import engine
from boardwire.bots.memory import Memory
from boardwire.bots.santorini.views import readable
from boardwire.games import eriantys, forza, santorini, tris
from boardwire.games.eriantys import CloudTime
from boardwire.games.game import CHANCE, AnyGame, Draw, Seat
from boardwire.games.santorini import Draft, God
from boardwire.games.santorini.powers.catalogue import allowed

FEW, MORE = 25, 400
"""Nodes for a thought, and for every tenth, which claims more."""
SURE = 2
"""Claims of wins within this many turns are proved by trying every answer."""
MAX_OVERRUN = 1.2
"""A thought may take this many times its seconds."""
NO_LIMIT = 10**9
MAX_STEPS = 150
"""Steps of a match after which another one begins: some never end by random play."""

Made = Callable[[Random], tuple[Any, int]]
"""Options and seats of the next match of a mode."""


class Mode(msgspec.Struct, frozen=True):
    """What is played."""

    name: str
    game: AnyGame
    made: Made


class Tally(msgspec.Struct):
    """What was looked at, and what was claimed and proved."""

    positions: int = 0
    claims: int = 0
    proved: int = 0
    late: int = 0
    longest: float = 0.0


def _gods(seats: int) -> Made:
    gods = [god for god in God if god is not God.MORTAL and allowed(god, seats, False)]
    return lambda luck: (santorini.Options(Draft.GIVEN, tuple(luck.sample(gods, seats)), bans=False), seats)


def _hidden(luck: Random) -> tuple[Any, int]:
    gods = [god for god in God if god not in (God.MORTAL, God.HECATE) and allowed(god, 2, False)]
    return santorini.Options(Draft.GIVEN, (luck.choice(gods), God.HECATE), bans=False), 2


def _fixed(options: Any, seats: int) -> Made:
    return lambda luck: (options, seats)


def _school(mode: eriantys.Mode, seats: int) -> Made:
    return lambda luck: (eriantys.Options(mode, luck.choice(tuple(CloudTime))), seats)


MODES = (
    Mode("tris", tris, _fixed(tris.Options(), 2)),
    Mode("forza", forza, _fixed(forza.Options(), 2)),
    *(Mode(f"santorini, {n} players, no gods", santorini, _fixed(santorini.Options(), n)) for n in (2, 3, 4)),
    *(Mode(f"santorini, {n} players, gods", santorini, _gods(n)) for n in (2, 3, 4)),
    Mode("santorini, 2 players, against Hecate", santorini, _hidden),
    Mode("santorini, 2 players, fleece", santorini, _fixed(santorini.Options(Draft.FLEECE, (God.ARTEMIS,)), 2)),
    *(Mode(f"eriantys, {n} players, {mode}", eriantys, _school(mode, n)) for n in (2, 3, 4) for mode in eriantys.Mode),
)


def asked_in(mode: Mode, luck: Random) -> Iterator[tuple[Any, Seat, Any, Past]]:
    """The positions of random matches in which a player is asked, for ever, with the seat, what it is asked, and its
    earlier choices.
    """
    game = mode.game
    while True:
        options, seats = mode.made(luck)
        position = game.new(options, seats)
        memories = [Memory() for _ in range(seats)]
        for _ in range(MAX_STEPS):
            decision = game.pending(position)
            if decision is None:
                break
            seat = luck.choice(decision.seats)
            if seat != CHANCE:
                yield position, seat, decision_for(decision, seat), memories[seat].past
            choices = decision.choices
            action = choices.draw(luck.randrange) if isinstance(choices, Draw) else luck.choice(tuple(choices))
            if seat != CHANCE:
                memories[seat].note(game.view(position, seat), action)
            position, _ = game.apply(position, seat, action)


def walk(mode: Mode, positions: int, seed: int, seconds: float = 0.0) -> Tally:
    """Ask in this many positions; an `AssertionError` names what was wrong."""
    luck, tally, thinker = Random(seed), Tally(), engine(mode.game.name)
    for position, seat, decision, past in asked_in(mode, luck):
        if tally.positions >= positions:
            break
        tally.positions += 1
        nodes = NO_LIMIT if seconds else FEW if tally.positions % 10 else MORE
        start = time.process_time()
        stop = _deadline(start + seconds) if seconds else bool
        view, limits = mode.game.view(position, seat), SearchLimits(nodes)
        thought = thinker.think(view, decision, luck.randrange, limits, stop, past)
        spent = time.process_time() - start
        tally.longest = max(tally.longest, spent)
        tally.late += spent > MAX_OVERRUN * seconds > 0
        _check(mode.game, position, seat, thought, tally)
    return tally


def _deadline(until: float) -> Callable[[], bool]:
    return lambda: time.process_time() > until


def _check(game: AnyGame, position: Any, seat: Seat, thought: SearchResult, tally: Tally) -> None:
    view = game.view(position, seat)
    after = _played(game, position, seat, thought)
    if thought.proved <= 0:
        return
    tally.claims += 1
    if thought.proved == 1 and after is not None:
        outcome = game.outcome(after)
        assert outcome is not None, f"no win at once: {thought} in {position}"
        assert seat in outcome.winners, f"won by others: {thought} in {position}"
        tally.proved += 1
    elif 1 < thought.proved <= SURE and isinstance(view, santorini.View) and _is_duel(view):
        assert is_proved(position, seat, thought.turn, thought.proved), f"not won: {thought} in {position}"
        tally.proved += 1


def _is_duel(view: santorini.View) -> bool:
    return len(view.powers) == 2 and readable(view)


def _played(game: AnyGame, position: Any, seat: Seat, thought: SearchResult) -> Any:
    """The position after a turn, each step of which must be legal; None if luck or another seat comes between."""
    for action in thought.turn:
        decision = game.pending(position)
        if decision is None or seat not in decision.seats:
            return None
        assert action in decision.choices, f"{game.format_action(action)} is no choice in {position}"
        position, _ = game.apply(position, seat, action)
    return position


def main(positions: int, named: str, seconds: float = 0.0, seed: int = 1) -> None:
    """Ask, and print."""
    for mode in MODES:
        if named in mode.name:
            start = time.process_time()
            tally = walk(mode, positions, seed, seconds)
            times = f", {tally.late:,} late, the longest {tally.longest:.3f} s" if seconds else ""
            print(
                f"{mode.name}: {tally.positions:,} positions, {tally.proved:,} of {tally.claims:,} claims of a win "
                f"proved, {time.process_time() - start:.0f} s{times}",
                flush=True,
            )


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2] if sys.argv[2:] else "", float(sys.argv[3]) if sys.argv[3:] else 0.0)
