"""Random matches of every game and mode in which the engines are asked at every step: whether what they choose is
legal, and whether what they claim to be won is won by the rules.

`python -m tests.bots.legality 100000` asks in this many positions of every mode and prints how many there were, how
many wins were claimed and proved, and every fault; `python -m tests.bots.legality 100000 eriantys` does it for modes of
that name.  `python -m tests.bots.legality 1000 santorini --seconds 0.05` limits thoughts by processor time instead of
nodes, and also prints how many took over 20 % more, and the longest.  Positions come in chunks of a thousand, each with
luck of its own; with `--keep FILE` a chunk is kept as soon as it is over, so that a run goes on where it was stopped.
The exit code is 1 if there was a fault.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec
from training.puzzles import is_proved

from boardwire.bots.bot import decision_for
from boardwire.bots.engine import Past, SearchLimits, SearchResult
from boardwire.bots.engines import engine
from boardwire.bots.memory import Memory
from boardwire.bots.santorini.views import POWERS, is_pair_supported, is_supported
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
CHUNK = 1_000
"""Positions that are kept together."""
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
    """What was looked at, what was claimed and proved, and what was wrong."""

    positions: int = 0
    claims: int = 0
    proved: int = 0
    late: int = 0
    longest: float = 0.0
    faults: list[str] = []


class Chunk(msgspec.Struct, frozen=True):
    """Positions of a mode that were asked in together."""

    mode: str
    number: int
    seconds: float
    tally: Tally


def _gods(seats: int) -> Made:
    gods = [god for god in God if god is not God.MORTAL and allowed(god, seats, False)]
    return lambda luck: (santorini.Options(Draft.GIVEN, tuple(luck.sample(gods, seats)), bans=False), seats)


def _hidden(luck: Random) -> tuple[Any, int]:
    gods = [god for god in God if god not in (God.MORTAL, God.HECATE) and allowed(god, 2, False)]
    return santorini.Options(Draft.GIVEN, (luck.choice(gods), God.HECATE), bans=False), 2


def _demanding(luck: Random) -> tuple[Any, int]:
    pair = [luck.choice((God.APHRODITE, God.PERSEPHONE))]
    pair.append(
        luck.choice([god for god in POWERS if is_pair_supported(god, pair[0]) and god not in (God.MORTAL, pair[0])])
    )
    luck.shuffle(pair)
    return santorini.Options(Draft.GIVEN, tuple(pair), bans=False), 2


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
    Mode("santorini, 2 players, against Aphrodite or Persephone", santorini, _demanding),
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


def walk(mode: Mode, positions: int, seed: int | str, seconds: float = 0.0) -> Tally:
    """Ask in this many positions."""
    luck, tally, thinker = Random(seed), Tally(), engine(mode.game.name)
    for position, seat, decision, past in asked_in(mode, luck):
        if tally.positions >= positions:
            break
        tally.positions += 1
        nodes = NO_LIMIT if seconds else FEW if tally.positions % 10 else MORE
        start = time.process_time()
        stop = _deadline(start + seconds) if seconds else bool
        view, limits = mode.game.view(position, seat), SearchLimits(nodes)
        try:
            thought = thinker.think(view, decision, luck.randrange, limits, stop, past)
            spent = time.process_time() - start
            tally.longest = max(tally.longest, spent)
            tally.late += spent > MAX_OVERRUN * seconds > 0
            _check(mode.game, position, seat, thought, tally)
        except Exception as fault:  # noqa: BLE001 - the other positions are asked in all the same
            tally.faults.append(f"{mode.name}, seed {seed}, position {tally.positions}: {fault!r}")
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
    return len(view.powers) == 2 and is_supported(view)


def _played(game: AnyGame, position: Any, seat: Seat, thought: SearchResult) -> Any:
    """The position after a turn, each step of which must be legal; None if luck or another seat comes between."""
    for action in thought.turn:
        decision = game.pending(position)
        if decision is None or seat not in decision.seats:
            return None
        assert action in decision.choices, f"{game.format_action(action)} is no choice in {position}"
        position, _ = game.apply(position, seat, action)
    return position


def row(name: str, found: list[Tally], seconds: float) -> str:
    """What was found in a mode."""
    positions, claims, proved, late, faults = (
        sum(counts)
        for counts in zip(
            *((one.positions, one.claims, one.proved, one.late, len(one.faults)) for one in found), strict=True
        )
    )
    times = f", {late:,} late, the longest {max(one.longest for one in found):.3f} s" if seconds else ""
    return f"{name}: {positions:,} positions, {faults} faults, {proved:,} of {claims:,} claims of a win proved{times}"


def read(file: Path | None) -> list[Chunk]:
    """Return the chunks of runs before."""
    if file is None or not file.exists():
        return []
    return [msgspec.json.decode(line, type=Chunk) for line in file.read_bytes().splitlines()]


def main() -> None:
    """Ask, and print."""
    parser = argparse.ArgumentParser(prog="tests.bots.legality", description="Engines in random positions.")
    parser.add_argument("positions", type=int, help="of every mode")
    parser.add_argument("names", nargs="*", metavar="WORDS", help="of the names of modes; none: all of them")
    parser.add_argument("--seconds", type=float, default=0.0, help="of processor time for a thought, instead of nodes")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="the file of what was found")
    words = parser.parse_args()
    modes = [mode for mode in MODES if not words.names or any(name in mode.name for name in words.names)]
    kept = {(one.mode, one.number): one for one in read(words.keep) if one.seconds == words.seconds}
    for number in range(-(-words.positions // CHUNK)):
        for mode in modes:
            if (mode.name, number) in kept:
                continue
            count = min(CHUNK, words.positions - number * CHUNK)
            tally = walk(mode, count, f"{words.seed} {mode.name} {number}", words.seconds)
            for fault in tally.faults:
                print(fault, flush=True)
            chunk = kept[mode.name, number] = Chunk(mode.name, number, words.seconds, tally)
            if words.keep:
                words.keep.parent.mkdir(parents=True, exist_ok=True)
                with words.keep.open("ab") as file:
                    file.write(msgspec.json.encode(chunk) + b"\n")
    for mode in modes:
        print(row(mode.name, [one.tally for one in kept.values() if one.mode == mode.name], words.seconds))
    sys.exit(any(one.tally.faults for one in kept.values()))


if __name__ == "__main__":
    main()
