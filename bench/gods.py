"""Santorini search with each two-player god against the greedy bot with a random other god: matches won by god.

- `python -m bench.gods --steps 10000 --matches 6` plays six matches with each god, half of them in each seat.
- `--gods tyche eris` restricts the search's gods, `--foes hecate` those of the greedy bot.
- `--seconds` limits processor time per turn instead of steps.
- Each match is seeded by its gods and number. Results are stored after each match (`--keep FILE`), so an interrupted
  run continues where it stopped, and several processes can share the work (`--share 0/2` and `--share 1/2`).
- The table counts wins by the search's god and by the opponent's, lowest share first.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Final

import msgspec

from bench import search
from boardwire.competition.ratings import PRIOR, Tally, difference
from boardwire.games import santorini
from boardwire.games.santorini.powers.catalogue import God, allowed

GODS: Final = tuple(god for god in God if god is not God.MORTAL and allowed(god, 2, False))
MATCHES: Final = 6
STEPS: Final = 10_000


class Match(msgspec.Struct, frozen=True):
    """Stored result of a match."""

    own: str
    foe: str
    number: int
    won: bool


def schedule(own: list[God], foes: list[God], matches: int) -> Iterator[tuple[God, God, int]]:
    """Yield the matches to play, one per god in turn, so that an interrupted run has results for every god."""
    for number in range(matches):
        for god in own:
            others = [foe for foe in foes if foe is not god]
            yield god, Random(f"{god} {number // 2}").choice(others), number


def play_match(own: God, foe: God, number: int, steps: int, seconds: float) -> Match:
    """Play a match; the search has the first seat in those with even numbers."""
    pair = (own, foe) if number % 2 == 0 else (foe, own)
    options = santorini.Options(santorini.Draft.GIVEN, pair, bans=False)
    experiment = search.Experiment(santorini.name, nodes=steps, seconds=seconds)
    side = number % 2
    below = Random(f"{own} {foe} {number}").randrange
    won = search.winners(experiment, search.SearchPlayer(experiment), options, side, below) == {side}
    return Match(own, foe, number, won)


def table(found: list[Match]) -> str:
    """Format the wins by god, lowest share first, and in total."""
    lines = []
    for title in ("own", "foe"):
        count = Counter(str(getattr(match, title)) for match in found)
        won = Counter(str(getattr(match, title)) for match in found if match.won)
        lines += [f"{title:<6}{god:<14}{won[god]:>4} of{count[god]:>4}" for god in
                  sorted(count, key=lambda god: (won[god] / count[god], god))]  # fmt: skip
    won_all = sum(match.won for match in found)
    elo, error, _ = difference(Tally(won_all, 0, len(found) - won_all), PRIOR)
    return "\n".join([*lines, f"all: {won_all} of {len(found)}, Elo {elo:+.0f} +- {error:.0f}"])


def main() -> None:
    """Play the selected matches that have no stored result."""
    parser = argparse.ArgumentParser(prog="bench.gods", description="The search with each god against the greedy bot.")
    parser.add_argument("--gods", nargs="+", type=God, default=GODS)
    parser.add_argument("--foes", nargs="+", type=God, default=GODS)
    parser.add_argument("--matches", type=int, default=MATCHES, help="matches per god")
    parser.add_argument("--steps", type=int, default=STEPS, help="nodes per turn")
    parser.add_argument("--seconds", type=float, default=0.0, help="processor time per turn instead of steps")
    parser.add_argument("--share", default="0/1", help="part of the matches to play, such as 0/2")
    parser.add_argument("--keep", type=Path, default=Path("data/gods.jsonl"), help="file of results")
    arguments = parser.parse_args()
    part, parts = map(int, arguments.share.split("/"))
    arguments.keep.parent.mkdir(parents=True, exist_ok=True)
    for turn, (own, foe, number) in enumerate(schedule(list(arguments.gods), list(arguments.foes), arguments.matches)):
        if turn % parts != part:
            continue
        # Read anew each time: another process may store matches in the same file.
        if (own, foe, number) in {(match.own, match.foe, match.number) for match in stored_matches(arguments.keep)}:
            continue
        match = play_match(own, foe, number, arguments.steps, arguments.seconds)
        with arguments.keep.open("ab") as file:
            file.write(msgspec.json.encode(match) + b"\n")
    print(table(stored_matches(arguments.keep)))


def stored_matches(file: Path) -> list[Match]:
    """Return the results of earlier runs."""
    return [msgspec.json.decode(line, type=Match) for line in file.read_bytes().splitlines()] if file.exists() else []


if __name__ == "__main__":
    main()
