"""Mines puzzles of Eriantys: `python -m training.eriantys_puzzles --seed 1` writes those of the package.

The engine plays itself at a low level. At the beginning of a turn, a wide beam collects whole turns, and playouts with
the same luck for all of them measure each. Sorted by value, the turns fall into right and wrong ones where the gap
between two neighbours among the best is widest; if that gap (the margin) is at least `MIN_MARGIN` and three standard
errors, the position is a puzzle. The rules play the solution, and the judge of the page (`bots/puzzles/eriantys.py`,
with fewer playouts) must agree on every turn of the beam. Turns that
differ from the solution by one step, and random ones, must not beat it. The same seed gives the same puzzles.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import sqrt
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

import msgspec

from boardwire.bots.engine import SearchLimits
from boardwire.bots.eriantys import EriantysEngine
from boardwire.bots.eriantys.core.search import Search, Turn
from boardwire.bots.eriantys.core.slots import EXPERT, OVER, PLAN, REFILL, SEAT, SEATS, STAGE, USE
from boardwire.bots.eriantys.core.steps import legal, play
from boardwire.bots.eriantys.views import action_of, state_of, step_of
from boardwire.bots.eriantys.weights import WEIGHTS, weights_key
from boardwire.bots.puzzles import Goal, Puzzle, Theme
from boardwire.bots.puzzles.eriantys import PLAYOUTS, is_turn_over, position_value, value_after
from boardwire.errors import BoardwireError
from boardwire.games import eriantys
from boardwire.games.eriantys import Position, UseCharacter
from boardwire.games.eriantys.diagram import format_position
from boardwire.games.eriantys.stages import Kind
from boardwire.games.game import CHANCE, Draw, Seat

from .puzzles import called

FILE: Final = Path(__file__).parents[1] / "src/boardwire/bots/puzzles/eriantys.jsonl"
WANTED: Final = 120
MIN_MARGIN: Final = 0.06
BEAM_WIDTH: Final = 32
FIRST_PLAYOUTS: Final = 12
DEEP_PLAYOUTS: Final = 300
"""Playouts of every turn of the beam, and of the best ones."""
DEEP_TURNS: Final = 10
MOST_RIGHT: Final = 4
"""Turns that may count as right."""
RANDOM_TURNS: Final = 400
FEW_PLAYOUTS: Final = 8
"""Turns that are tried against the solution, and the playouts that rule most of them out."""
MAX_RIGHT_SHARE: Final = 0.1
"""Share of such turns that may be right, too: otherwise any turn solves the puzzle."""
NOISE: Final = 0.01
"""Lead of such a turn over the solution that counts as none."""
CHARACTER_CHANCE: Final = 0.2
MAX_STEPS: Final = 48
SELF_PLAY_NODES: Final = 120
MODES: Final = (("simplified", 2), ("expert", 2), ("expert", 2), ("expert", 3))


class Measured(NamedTuple):
    """A turn with the value of each of its playouts."""

    turn: Turn
    values: list[float]

    @property
    def mean(self) -> float:
        return sum(self.values) / len(self.values)


def mined(luck: Random, engine: EriantysEngine) -> Iterator[Puzzle]:
    """Yield the puzzles of one match."""
    mode, seats = luck.choice(MODES)
    p = eriantys.new(eriantys.Options(mode=eriantys.Mode(mode)), seats)
    while (decision := eriantys.pending(p)) is not None:
        if CHANCE in decision.seats:
            drawn = decision.choices
            action = drawn.draw(luck.randrange) if isinstance(drawn, Draw) else luck.choice(tuple(drawn))
            p, _ = eriantys.apply(p, CHANCE, action)
            continue
        seat = decision.seats[0]
        view = eriantys.view(p, seat)
        if decision.kind is Kind.STUDENT and view.moved == 0 and view.active is None and luck.random() < 0.25:
            made = puzzle(p, seat)
            if made is not None:
                yield made
        turn = engine.think(view, decision, luck.randrange, SearchLimits(SELF_PLAY_NODES, 1), bool).turn
        p, _ = eriantys.apply(p, seat, turn[0] if luck.random() > 0.1 else luck.choice(tuple(decision.choices)))


def puzzle(p: Position, seat: Seat) -> Puzzle | None:
    """Return the puzzle that the beginning of a turn makes, if the right turns are clear of the others."""
    state = state_of(eriantys.view(p, None))
    weights = WEIGHTS[weights_key(state[SEATS], bool(state[EXPERT]))]
    search = Search(weights, 1 << 40, 0, bool, lambda count: 0)
    turns = search.turns(state, BEAM_WIDTH, legal(state))[: 2 * BEAM_WIDTH]
    first = sorted((measured(turn, seat, FIRST_PLAYOUTS) for turn in turns), key=lambda one: -one.mean)
    if _gap(first)[1] < MIN_MARGIN * 0.7:
        return None
    best = sorted((measured(one.turn, seat, DEEP_PLAYOUTS) for one in first[:DEEP_TURNS]), key=lambda one: -one.mean)
    last, margin = _gap(best)
    if margin < max(MIN_MARGIN, 3 * _error(best[last], best[last + 1])):
        return None
    slack = best[0].mean - (best[last].mean + best[last + 1].mean) / 2
    played = by_rules(p, seat, best[0].turn)
    if played is None:
        return None
    after, events = played
    judged = position_value(after, seat)
    right = {id(one.turn) for one in best[: last + 1]}
    for one in first:
        if (judged - value_after(one.turn.state, seat, PLAYOUTS) <= slack) is not (id(one.turn) in right):
            return None
    if not is_unbeaten(p, seat, best[0].turn.steps, best[0].mean, slack):
        return None
    text = format_position(p)
    rank = next(n for n, turn in enumerate(turns) if turn is best[0].turn)
    grade = 1 + (rank > 0) + (rank > 3) + (margin < 0.1) + (last == 0)
    steps = tuple(map(eriantys.format_action, map(action_of, best[0].turn.steps)))
    return Puzzle(
        called(text), text, 1, steps, min(5, grade), "eriantys", Goal.BEST, themes_of(best[0].turn, events),
        round(best[0].mean, 3), round(margin, 3), round(slack, 4),
    )  # fmt: skip


def is_unbeaten(p: Position, seat: Seat, solution: Sequence[int], value: float, slack: float) -> bool:
    """Whether no other turn is better than the solution, and few are as good: random ones, and all that differ from it
    by one step.

    The beam keeps turns with a good evaluation; a turn that only averts something may not be among them.
    """
    state = state_of(eriantys.view(p, None))
    luck = Random(called(format_position(p)))
    tried: set[tuple[int, ...]] = set()
    right = 0
    for after in (*_neighbours(state, solution), *(_random_turn(state, luck) for _ in range(RANDOM_TURNS))):
        if after is None or tuple(after) in tried:
            continue
        tried.add(tuple(after))
        if value_after(after, seat, FEW_PLAYOUTS) < value - slack:
            continue
        right += 1
        if value_after(after, seat, DEEP_PLAYOUTS // 2) > value + NOISE:
            return False
    return right <= MAX_RIGHT_SHARE * len(tried)


def _random_turn(state: list[int], luck: Random) -> list[int] | None:
    """Return the state after a random turn, seldom with a character; None if luck comes into it."""
    after, seat = state[:], state[SEAT]
    for _ in range(MAX_STEPS):
        if _is_over(after, seat):
            return after
        steps = legal(after)
        plain = [step for step in steps if step >> 12 != USE] or steps
        if not steps:
            return None
        play(after, luck.choice(steps if luck.random() < CHARACTER_CHANCE else plain))
    return None


def _neighbours(state: list[int], solution: Sequence[int]) -> Iterator[list[int] | None]:
    """Yield the states after turns that differ from the solution by one step."""
    for place in range(len(solution)):
        before = state[:]
        for step in solution[:place]:
            play(before, step)
        for other in legal(before):
            after = before[:]
            play(after, other)
            for step in solution[place + 1 :]:
                if step not in legal(after):
                    break
                play(after, step)
            else:
                yield after if _is_over(after, state[SEAT]) else None


def _is_over(state: list[int], seat: Seat) -> bool:
    return state[SEAT] != seat or state[STAGE] in (PLAN, REFILL, OVER)


def measured(turn: Turn, seat: Seat, playouts: int) -> Measured:
    """Return the values of a turn, one for each playout; an end has one value."""
    if turn.state[STAGE] == OVER:
        return Measured(turn, [value_after(turn.state, seat, 1)] * playouts)
    return Measured(turn, [value_after(turn.state, seat, 1, 7919 * number) for number in range(playouts)])


def _gap(ranked: list[Measured]) -> tuple[int, float]:
    """Return the index of the last right turn, and how far the next one is behind it."""
    gaps = [one.mean - other.mean for one, other in pairwise(ranked[: MOST_RIGHT + 1])]
    return max(enumerate(gaps), key=lambda gap: gap[1]) if gaps else (0, 0.0)


def _error(one: Measured, other: Measured) -> float:
    """Return the standard error of the difference of two turns that met the same luck."""
    differences = [a - b for a, b in zip(one.values, other.values, strict=True)]
    mean = sum(differences) / len(differences)
    return sqrt(sum((a - mean) ** 2 for a in differences) / len(differences) / (len(differences) - 1))


def by_rules(p: Position, seat: Seat, turn: Turn) -> tuple[Position, list[eriantys.Event]] | None:
    """Return the position after a turn and its events by the rules; None if luck comes into it."""
    events: list[eriantys.Event] = []
    for step in turn.steps:
        try:
            p, told = eriantys.apply(p, seat, action_of(step))
        except BoardwireError:
            return None  # a character was restocked
        events += told
    return (p, events) if is_turn_over(p, seat) else None


_THEMES: Final = {
    "towers-placed": Theme.TOWER, "islands-unified": Theme.MERGE, "professor-taken": Theme.PROFESSOR,
}  # fmt: skip


def themes_of(turn: Turn, events: list[eriantys.Event]) -> tuple[Theme, ...]:
    """Return what a puzzle is about."""
    tags = {str(event.__struct_config__.tag) for event in events}
    themes = [theme for tag, theme in _THEMES.items() if tag in tags]
    if any(isinstance(action_of(step), UseCharacter) for step in turn.steps):
        themes.append(Theme.POWER)
    if turn.state[STAGE] == OVER:
        themes.append(Theme.FINISH)
    return tuple(themes)


def _holds(one: Puzzle) -> bool:
    p = eriantys.parse_position(one.position)
    steps = [step_of(eriantys.parse_action(step)) for step in one.solution]
    return is_unbeaten(p, state_of(eriantys.view(p, None))[SEAT], steps, one.value, one.slack)


def main() -> None:
    """Mine, and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--into", type=Path, default=FILE)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--recheck", action="store_true", help="keep those of the file that no other turn beats")
    parser.add_argument("--count", type=int, default=WANTED)
    asked = parser.parse_args()
    luck, engine, begun = Random(asked.seed), EriantysEngine(), time.process_time()
    known: dict[str, Puzzle] = {}
    if asked.recheck:
        known = {
            one.id: one for one in msgspec.json.Decoder(Puzzle).decode_lines(asked.into.read_bytes()) if _holds(one)
        }
        print(f"{len(known)} hold after {time.process_time() - begun:.0f} s", flush=True)
    while len(known) < asked.count:
        for made in mined(luck, engine):
            known[made.id] = made
            print(f"{len(known)} after {time.process_time() - begun:.0f} s: {made.margin} {made.themes}", flush=True)
    found = sorted(list(known.values())[: asked.count], key=lambda one: (one.grade, one.position))
    asked.into.write_bytes(msgspec.json.Encoder().encode_lines(found))
    print(f"{len(found)} puzzles in {time.process_time() - begun:.0f} s of processor time")
    print(f"grades {sorted(Counter(one.grade for one in found).items())}")


if __name__ == "__main__":
    main()
