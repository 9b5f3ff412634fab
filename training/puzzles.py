"""Mines puzzles: `python -m training.puzzles --seconds 600 --seed 1` adds to those of the package.

The engine plays itself, with and without powers, and whenever it proves a win in one, two or three turns, every other
turn is tried: only if none of them wins as soon is the position a puzzle.  Then the rules themselves play it out: after
the solution, every answer that they allow must lose.  A puzzle is called by a hash of its position, so that it keeps
its name when others are added.
"""

from __future__ import annotations

import argparse
import hashlib
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Final

import msgspec

from boardwire.bots.engine import Limits, SearchResult
from boardwire.bots.puzzles import FILE, Puzzle
from boardwire.bots.santorini import SantoriniEngine
from boardwire.bots.santorini.core.turns import Turns
from boardwire.bots.santorini.proof import ends, winning
from boardwire.bots.santorini.views import action_of, pair_known, powers_of, state_of
from boardwire.games import santorini
from boardwire.games.game import Seat
from boardwire.games.santorini import God
from boardwire.games.santorini.actions import Action
from boardwire.games.santorini.notation import format_position
from boardwire.games.santorini.perft import Turns as RealTurns
from boardwire.games.santorini.position import FRESH, Position
from boardwire.games.santorini.turn import settle

NODES: Final = 800
LONGEST: Final = 3
PLAYABLE: Final = tuple(
    God(name)
    for name in (
        "apollo", "artemis", "athena", "atlas", "demeter", "hephaestus", "minotaur", "pan", "prometheus", "zeus",
        "charon", "hestia", "urania", "limus", "hades", "hera", "eros", "hypnus", "iris", "pegasus", "ares", "medusa",
    )
)  # fmt: skip
"""The gods that puzzles are made with: those whose turns a person can look through."""


def mined(luck: Random, engine: SantoriniEngine) -> Iterator[Puzzle]:
    """The puzzles of one match."""
    gods = (God.MORTAL, God.MORTAL) if luck.random() < 0.5 else tuple(luck.sample(PLAYABLE, 2))
    if not pair_known(gods[0], gods[1]):
        return
    p = santorini.new(santorini.Options(santorini.Draft.GIVEN, gods=gods), 2)
    while (decision := santorini.pending(p)) is not None:
        seat = decision.seats[0]
        if p.setup is not None:
            p, _ = santorini.apply(p, seat, luck.choice(tuple(decision.choices)))
            continue
        thought = engine.think(santorini.view(p, seat), decision, luck.randrange, Limits(NODES), bool)
        if p.turn == FRESH and 1 <= thought.proved <= LONGEST and thought.depth:
            made = puzzle(p, seat, thought)
            if made is not None:
                yield made
        wild = not thought.proved and p.turn == FRESH and luck.random() < 0.15
        p = played(p, seat, (luck.choice(tuple(decision.choices)),) if wild else thought.turn)


def played(p: Position, seat: Seat, actions: tuple[Action, ...]) -> Position:
    """The position after steps of a seat."""
    for action in actions:
        p, _ = santorini.apply(p, seat, action)
    return p


def puzzle(p: Position, seat: Seat, thought: SearchResult) -> Puzzle | None:
    """The puzzle that a proved position makes, if only one turn wins so soon."""
    view = santorini.view(p, seat)
    turns = Turns(*powers_of(view))
    here = state_of(view, seat)
    count = next((n for n in range(1, LONGEST + 1) if winning(turns, here, n)), 0)
    if not count or len(found := winning(turns, here, count)) != 1:
        return None
    turns.note_steps = True
    ends(turns, here)
    solution = tuple(action_of(step) for step in turns.steps[found[0]])
    if not is_proved(p, seat, solution, count):
        raise AssertionError(f"the rules do not agree: {format_position(p)}")
    steps = tuple(map(santorini.format_action, solution))
    written = format_position(p)
    return Puzzle(called(written), written, count, steps, int(thought.depth))


def called(position: str) -> str:
    """What the puzzle of a position is called."""
    return hashlib.sha256(position.encode()).hexdigest()[:8]


def is_proved(p: Position, seat: Seat, solution: tuple[Action, ...], count: int) -> bool:
    """Whether a turn wins within `count` turns by the rules themselves, which try every answer."""
    after = played(p, seat, solution)
    if after.outcome is not None:
        return seat in after.outcome.winners
    if count == 1 or after.seat == seat:
        return False
    for end, _ in RealTurns(after).ends.values():
        answer = end if end.outcome is not None else settle(end, [])
        if answer.outcome is not None:
            if seat not in answer.outcome.winners:
                return False
            continue
        view = santorini.view(answer, seat)
        turns = Turns(*powers_of(view))
        here = state_of(view, seat)
        best = next((found for n in range(1, count) if (found := winning(turns, here, n))), None)
        if best is None:
            return False
        turns.note_steps = True
        ends(turns, here)
        if not is_proved(answer, seat, tuple(map(action_of, turns.steps[best[0]])), count - 1):
            return False
    return True


def main() -> None:
    """Mine, and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--into", type=Path, default=Path(str(FILE)), help="the file that is added to")
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--each", type=int, default=120, help="how many of each number of turns, with and without gods")
    asked = parser.parse_args()
    luck, engine, until = Random(asked.seed), SantoriniEngine(), time.monotonic() + asked.seconds
    known = msgspec.json.Decoder(Puzzle).decode_lines(asked.into.read_bytes()) if asked.into.exists() else []
    kinds = Counter(_kind(one) for one in known)
    while time.monotonic() < until:
        for made in mined(luck, engine):
            if kinds[_kind(made)] < asked.each and made.position not in {one.position for one in known}:
                kinds[_kind(made)] += 1
                known.append(made)
    known.sort(key=lambda one: (one.turns, one.grade, one.position))
    asked.into.write_bytes(msgspec.json.Encoder().encode_lines(known))
    for kind, count in sorted(kinds.items()):
        print(f"{count} won in {kind[0]} {'without gods' if kind[1] else 'with gods'}")


def _kind(one: Puzzle) -> tuple[int, bool]:
    return one.turns, one.position.count("mortal") == 2


if __name__ == "__main__":
    main()
