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

from boardwire.bots.engine import SearchLimits, SearchResult
from boardwire.bots.puzzles import Puzzle, Theme
from boardwire.bots.santorini import SantoriniEngine
from boardwire.bots.santorini.core.turns import Turns
from boardwire.bots.santorini.proof import ends, winning_indices, wins_within
from boardwire.bots.santorini.views import action_of, is_pair_supported, powers_of, state_of
from boardwire.errors import BoardwireError
from boardwire.games import santorini
from boardwire.games.game import Seat
from boardwire.games.santorini import God
from boardwire.games.santorini.actions import Action
from boardwire.games.santorini.notation import format_position, parse_position
from boardwire.games.santorini.perft import Turns as RealTurns
from boardwire.games.santorini.position import FRESH, Position
from boardwire.games.santorini.turn import settle

FILE: Final = Path(__file__).parents[1] / "src/boardwire/bots/puzzles/santorini.jsonl"
NODES: Final = 800
LONGEST: Final = 3
GRADE_TURNS: Final = (25, 60, 1_000, 10_000)
"""Turns that a proof looks at from which a puzzle has grade 2, 3, 4 and 5; replies that no turn wins against at once
count tenfold."""
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
    if not is_pair_supported(gods[0], gods[1]):
        return
    p = santorini.new(santorini.Options(santorini.Draft.GIVEN, gods=gods), 2)
    while (decision := santorini.pending(p)) is not None:
        seat = decision.seats[0]
        if p.setup is not None:
            p, _ = santorini.apply(p, seat, luck.choice(tuple(decision.choices)))
            continue
        thought = engine.think(santorini.view(p, seat), decision, luck.randrange, SearchLimits(NODES), bool)
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
    count = next((n for n in range(1, LONGEST + 1) if winning_indices(turns, here, n)), 0)
    if not count or len(found := winning_indices(turns, here, count)) != 1:
        return None
    turns.note_steps = True
    ends(turns, here)
    solution = tuple(action_of(step) for step in turns.steps[found[0]])
    if not is_proved(p, seat, solution, count):
        raise AssertionError(f"the rules do not agree: {format_position(p)}")
    steps = tuple(map(santorini.format_action, solution))
    written = format_position(p)
    return graded(Puzzle(called(written), written, count, steps))


def graded(one: Puzzle) -> Puzzle:
    """Return a puzzle with its grade, by the turns that a proof looks at, and its themes."""
    p = parse_position(one.position)
    view = santorini.view(p, p.seat)
    turns, here = Turns(*powers_of(view)), state_of(view, p.seat)
    effort = len(ends(turns, here))
    after = played(p, p.seat, tuple(map(santorini.parse_action, one.solution)))
    if one.turns > 1 and after.outcome is None:
        seen = santorini.view(after, after.seat)
        replies = [reply for reply in ends(turns, state_of(seen, after.seat)) if not reply.won]
        easy = sum(wins_within(turns, reply, 1) for reply in replies)
        effort *= 1 + len(replies) + 9 * (len(replies) - easy)
    grade = 1 + sum(effort >= turns_seen for turns_seen in GRADE_TURNS)
    return msgspec.structs.replace(one, grade=grade, themes=tuple(themes_of(p, after, one)))


def themes_of(p: Position, after: Position, one: Puzzle) -> Iterator[Theme]:
    """Yield what a puzzle is about."""
    mover, foe = p.seat, 1 - p.seat
    if wins_now(p, foe):
        yield Theme.BLOCK
    if after.outcome is None:
        ways = winning_turns(after, mover)
        if ways != 1:
            yield Theme.DOUBLE_THREAT if ways else Theme.QUIET
    elif after.outcome.termination == santorini.Termination.STUCK:
        yield Theme.STUCK
    if after.domes.bit_count() > p.domes.bit_count():
        yield Theme.DOME
    if any(god is not God.MORTAL for god in p.lineup.cards):
        yield Theme.POWER


def wins_now(p: Position, seat: Seat) -> bool:
    """Whether a seat would win at once if it were its turn."""
    return winning_turns(p, seat) > 0


def winning_turns(p: Position, seat: Seat) -> int:
    """Return the number of turns by which a seat would win at once if it were its turn."""
    heights, _, rest = format_position(p).split("/", 2)
    try:
        other = parse_position(f"{heights}/{seat + 1}/{rest}")
    except BoardwireError:
        return 0
    if other.outcome is not None:
        return 0
    view = santorini.view(other, seat)
    return sum(after.won == 1 for after in ends(Turns(*powers_of(view)), state_of(view, seat)))


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
        best = next((found for n in range(1, count) if (found := winning_indices(turns, here, n))), None)
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
    parser.add_argument("--into", type=Path, default=FILE, help="the file that is added to")
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--grade", action="store_true", help="only derive grades and themes again")
    parser.add_argument("--each", type=int, default=120, help="how many of each number of turns, with and without gods")
    asked = parser.parse_args()
    luck, engine, until = Random(asked.seed), SantoriniEngine(), time.monotonic() + asked.seconds
    known = msgspec.json.Decoder(Puzzle).decode_lines(asked.into.read_bytes()) if asked.into.exists() else []
    kinds = Counter(_kind(one) for one in known)
    if asked.grade:
        known, until = [graded(one) for one in known], 0.0
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
