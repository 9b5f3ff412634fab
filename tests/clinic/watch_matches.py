"""Correct matches of every protocol, each connection watched, and whatever a monitor finds in them.

    .venv/bin/python -m tests.clinic.watch_matches --matches 1000 santorini-lobby eriantys-messages

Without names, all protocols.  The matches of a protocol are spread over its set-ups (numbers of players, modes) and
over tables that it shares with every other protocol of its game.  Most players choose by luck; in some matches they
play greedily, and in some one of them leaves.  A finding is a mistake of the monitor's, as is a monitor that fails: it
is printed with the seed that makes it again (`--seed`, with `--matches 1`), and the exit code is 1.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterable
from random import Random
from typing import NamedTuple

from boardwire import dialects, games

from .watched import PATIENCE, Table

NAMES = ("ann", "bob", "cleo", "dan")
SIZES = {
    "tris-lines": (2,),
    "forza-lines": (2,),
    "santorini-lobby": (1, 2, 3),
    "santorini-actions": (2, 3),
    "santorini-actions/shipped": (2, 3),
    "santorini-objects": (2, 3),
    "santorini-objects/d1": (2, 3),
    "santorini-objects/shipped": (2, 3),
    "eriantys-messages": (2, 3, 4),
    "eriantys-objects": (2, 3, 4),
}
"""How many can play by each published protocol; native has what a game has."""
MODES = ("simplified", "expert")
LONGEST = 600
"""Seconds that a table waits for its end when nobody says anything."""


class Setup(NamedTuple):
    """A table: what is played, who sits there by which protocol, and what they want."""

    game: str
    seats: tuple[str, ...]
    settings: dict[str, str] = {}  # noqa: RUF012 - nobody changes it


def setups(dialect: str) -> list[Setup]:
    """The tables that a protocol can be played at, alone and with each of the others."""
    game = dialects.dialect(dialect).game
    return [setup for one in ([game] if game else games.NAMES) for setup in _setups(dialect, one)]


def _setups(dialect: str, game: str) -> Iterable[Setup]:
    """Native clients come to tables of every mode; those that they open have the first one."""
    modes = [{"mode": mode} for mode in MODES] if game == "eriantys" else [{}]
    others = [name for name in (*SIZES, "native") if name != dialect and dialects.dialect(name).game in ("", game)]
    for size in SIZES.get(dialect) or games.game(game).seat_counts:
        partners = [other for other in others if size > 1 and size in SIZES.get(other, (size,))]
        lineups = [(dialect,) * size]
        lineups += [(dialect, *[other] * (size - 1)) for other in partners]
        lineups += [(other, *[dialect] * (size - 1)) for other in partners]
        for seats in lineups:
            yield from (Setup(game, seats, mode) for mode in (modes[:1] if seats[0] == "native" else modes))


class Manner(NamedTuple):
    """How a match is played: by which bot, and at which of its questions somebody leaves, 0 for none."""

    bot: str = "random"
    leaves: int = 0


def manner(seed: int) -> Manner:
    """One match in five is played greedily; in one of ten somebody leaves."""
    luck = Random(seed)
    return Manner("greedy" if luck.random() < 0.2 else "random", luck.randrange(4, 120) if luck.random() < 0.1 else 0)


def play(seed: int, setup: Setup, how: Manner = Manner()) -> Table:  # noqa: B008 - a value
    """One match, to its end."""
    table = Table(seed, think=0.0 if how.leaves else PATIENCE)
    size = len(setup.seats)
    for seat, dialect in enumerate(setup.seats):
        settings = setup.settings
        if dialect == "native":
            settings = {"game": setup.game} | ({"match": "match-1"} if seat else {})
        leaves = how.leaves if how.leaves % size == seat else 0
        table.join(dialect, NAMES[seat], size, settings, bot=how.bot, leaves=leaves)
    waited = 0
    while not table.over and waited < LONGEST:
        waited += 1
        table.pass_time(1.0)
    return table


def wrongs(table: Table) -> list[str]:
    """What a monitor has made of a correct match that should not be."""
    found = [f"{finding.side} {finding.section}: {finding.detail[:150]}" for finding in table.findings]
    found += [f"the monitor of connection {at} failed" for at, one in enumerate(table.pairs, 1) if one[2].failed]
    return found if table.over else [*found, "the match has no end"]


def main() -> None:
    """Play, and say what was found."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("dialects", nargs="*", default=[*SIZES, "native"])
    parser.add_argument("--matches", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    wrong = False
    for dialect in asked.dialects:
        tables = setups(dialect)
        messages, found, first, began = 0, Counter[str](), dict[str, int](), time.process_time()
        for seed in range(asked.seed, asked.seed + asked.matches):
            setup = tables[seed % len(tables)]
            table = play(seed, setup, manner(seed))
            messages += len(table.said)
            for text in wrongs(table):
                told = f"{'+'.join(setup.seats)} {setup.game} {' '.join(setup.settings.values())}: {text}"
                found[told] += 1
                first.setdefault(told, seed)
        spent = time.process_time() - began
        print(f"{dialect}: {asked.matches} matches at {len(tables)} kinds of table, {messages} messages, "
              f"{sum(found.values())} findings, {spent:.0f} s of CPU", flush=True)  # fmt: skip
        for text, count in found.most_common(10):
            print(f"  {count} x, first with --seed {first[text]}: {text}", flush=True)
        wrong = wrong or bool(found)
    sys.exit(wrong)


if __name__ == "__main__":
    main()
