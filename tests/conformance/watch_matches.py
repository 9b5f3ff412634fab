"""Play correct matches of every protocol with a monitor on each connection; every finding is a fault of the monitor.

    .venv/bin/python -m tests.conformance.watch_matches --matches 1000 santorini-lobby eriantys-messages

- Without names, all protocols are played.
- The matches of a protocol are spread over its settings (players, modes, drafts), and over tables shared with every
  other protocol of its game.  A match at a shared table counts for all its protocols.
- Most players choose at random.  In some matches they play greedily, in some a player leaves, in some a player thinks.
- A finding, or a failing monitor, is printed with the number of its match, and the exit code is 1.  With the same
  arguments, `--only NUMBER` plays that match again.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from random import Random
from typing import NamedTuple

import msgspec

from boardwire import dialects, games
from boardwire.conformance.watchers import watched_dialects
from boardwire.errors import Illegal

from .watched import PATIENCE, Table

NAMES = ("ann", "bob", "cleo", "dan")
SIZES = {
    name: spoken.players or games.game(spoken.game).seat_counts
    for name, spoken in zip(dialects.DIALECT_PACKAGES, map(dialects.dialect, dialects.DIALECT_PACKAGES), strict=True)
    if spoken.game
}
"""Numbers of players of each published protocol; native has those of the game."""
WATCHED = [name for name in watched_dialects() if name in SIZES]
"""Published protocols with a watcher of their own."""
DRAFTS = ("none", "random", "challenger", "printed", "first_proposes", "together", "two_rounds", "online", "fleece")
MODES = ("simplified", "expert")
CLOUDS = ("last", "first", "either")
MAX_SECONDS = 600
"""Time limit of a match in seconds, including the grace of a player who left."""
MAX_SLOW_SECONDS = 10_000
"""Time limit of a match with a slow player."""


class Setup(NamedTuple):
    """A table: the game, the protocols of its players, and the settings they request."""

    game: str
    seats: tuple[str, ...]
    settings: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        return " ".join([self.game, "+".join(self.seats), *[value for _, value in self.settings]])


def setups(dialect: str) -> list[Setup]:
    """Return the tables of a protocol, alone and with each of the others."""
    game = dialects.dialect(dialect).game
    return [setup for one in ([game] if game else games.NAMES) for setup in _setups(dialect, one)]


def _setups(dialect: str, game: str) -> Iterable[Setup]:
    others = [name for name in (*SIZES, "native") if name != dialect and dialects.dialect(name).game in ("", game)]
    for size in SIZES.get(dialect) or games.game(game).seat_counts:
        partners = [other for other in others if size > 1 and size in SIZES.get(other, (size,))]
        lineups = [(dialect,) * size]
        lineups += [(dialect, *[other] * (size - 1)) for other in partners]
        lineups += [(other, *[dialect] * (size - 1)) for other in partners]
        for seats in lineups:
            yield from (Setup(game, seats, settings) for settings in _settings(game, seats))


def _settings(game: str, seats: tuple[str, ...]) -> Iterable[tuple[tuple[str, str], ...]]:
    """Yield the settings that the opener and the other players can request."""
    if game == "santorini" and seats[0] == "native":
        drafts = (f'{{"draft":"{draft}"}}' for draft in DRAFTS)
        return ((("options", draft),) for draft in drafts if _fit(game, draft, seats))
    if game == "eriantys" and seats[0] == "native":
        pairs = ((mode, cloud) for mode in MODES for cloud in CLOUDS)
        return ((("mode", mode), ("options", f'{{"mode":"{mode}","cloud":"{cloud}"}}')) for mode, cloud in pairs)
    return ((("mode", mode),) for mode in MODES) if game == "eriantys" else ((),)


def _fit(game: str, options: str, seats: tuple[str, ...]) -> bool:
    """Return whether the settings allow this number of players."""
    rules = games.game(game)
    try:
        rules.new(msgspec.json.decode(options, type=rules.Options), len(seats))
    except Illegal:
        return False
    return True


def schedule(names: Sequence[str], matches: int) -> list[Setup]:
    """Return tables until each protocol has had `matches` matches.

    The next table is for the protocol with the fewest matches so far, and the one of its tables that was used least.
    With enough matches each table is used at least once.
    """
    tables = {name: setups(name) for name in names}
    had, came = Counter[str](), Counter[Setup]()
    found: list[Setup] = []
    while names and had[needy := min(names, key=had.__getitem__)] < matches:
        setup = min(tables[needy], key=came.__getitem__)
        found.append(setup)
        came[setup] += 1
        had.update(set(setup.seats))
    return [*found, *[setup for name in names for setup in tables[name][:matches] if setup not in came]]


class Manner(NamedTuple):
    """How a match is played: the bot, the question at which a player leaves (0: never), and the seconds that the first
    player thinks."""

    bot: str = "random"
    leaves: int = 0
    thinks: float = 0.0


def manner(seed: int) -> Manner:
    """Return the manner of a match: one in five is greedy, in one of ten a player leaves, and in one of ten a player
    thinks."""
    rng = Random(seed)
    bot, leaves = "greedy" if rng.random() < 0.2 else "random", rng.randrange(4, 120) if rng.random() < 0.1 else 0
    return Manner(bot, leaves, PATIENCE + 1.0 if rng.random() < 0.1 else 0.0)


def play(seed: int, setup: Setup, how: Manner = Manner()) -> Table:  # noqa: B008 - a value
    """Play one match to its end."""
    table = Table(seed, think=0.0 if how.leaves or how.thinks else PATIENCE)
    size = len(setup.seats)
    for seat, dialect in enumerate(setup.seats):
        settings = dict(setup.settings)
        if dialect == "native":
            settings = {"game": setup.game} | ({"match": "match-1"} if seat else settings)
        leaves = how.leaves if how.leaves % size == seat else 0
        thinks = 0.0 if seat else how.thinks
        table.join(dialect, NAMES[seat], size, settings, bot=how.bot, leaves=leaves, thinks=thinks)
    for _ in range(MAX_SLOW_SECONDS if how.thinks else MAX_SECONDS):
        if table.over:
            break
        table.pass_time(1.0)
    return table


def faults_of(table: Table) -> list[str]:
    """Return the false findings and failures of monitors in a correct match."""
    found = [f"{finding.side} {finding.section}: {finding.detail[:150]}" for finding in table.findings]
    found += [f"the monitor of connection {at} failed" for at, one in enumerate(table.pairs, 1) if one[2].failed]
    return found if table.over else [*found, "the match has no end"]


class Statistics:
    """Statistics: matches in total and by protocol, kinds of tables, messages and findings."""

    def __init__(self) -> None:
        self.played = 0
        self.found = Counter[str]()
        self._had = Counter[str]()
        self._said = Counter[str]()
        self._tables = defaultdict[str, set[Setup]](set)

    def add(self, setup: Setup, table: Table) -> list[str]:
        """Add a match; return what was wrong with it."""
        spoken, wrong = set(setup.seats), faults_of(table)
        self.played += 1
        self._had.update(spoken)
        self._said.update(setup.seats[record.connection - 1] for record in table.said)
        self.found.update({name: len(wrong) for name in spoken if wrong})
        for name in spoken:
            self._tables[name].add(setup)
        return wrong

    def __str__(self) -> str:
        return "\n".join(
            f"{name}: {had} matches at {len(self._tables[name])} kinds of table, {self._said[name]} messages, "
            f"{self.found[name]} findings"
            for name, had in sorted(self._had.items())
        )


def main() -> None:
    """Play matches and print the findings."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("dialects", nargs="*", default=[*SIZES, "native"])
    parser.add_argument("--matches", type=int, default=1000)
    parser.add_argument("--only", type=int, help="the number of the one match that is to be played")
    asked = parser.parse_args()
    tables = schedule(asked.dialects, asked.matches)
    statistics = Statistics()
    for number in range(len(tables)) if asked.only is None else [asked.only]:
        for text in statistics.add(tables[number], play(number, tables[number], manner(number))):
            print(f"--only {number} ({tables[number]}): {text}", flush=True)
        if statistics.played % 500 == 0:
            print(f"{statistics.played} of {len(tables)} matches\n{statistics}", flush=True)
    print(f"{statistics.played} matches, {time.process_time():.0f} s of CPU\n{statistics}")
    sys.exit(bool(statistics.found))


if __name__ == "__main__":
    main()
