"""Correct matches of every protocol, each connection watched, and whatever a monitor finds in them.

    .venv/bin/python -m tests.conformance.watch_matches --matches 1000 santorini-lobby eriantys-messages

Without names, all protocols.  The matches of a protocol are spread over its set-ups (numbers of players, modes, drafts)
and over tables that it shares with every other protocol of its game; one at a shared table counts for all that are
spoken there.  Most players choose by luck; in some matches they play greedily, in some one of them leaves, in some one
of them thinks.  A finding is a mistake of the monitor's, as is a monitor that fails: it is printed with the number of
its match, and the exit code is 1; the same command with `--only NUMBER` plays that match again.
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
from boardwire.errors import Illegal

from .watched import PATIENCE, Table

NAMES = ("ann", "bob", "cleo", "dan")
SIZES = {
    name: spoken.players or games.game(spoken.game).seat_counts
    for name, spoken in zip(dialects.NAMES, map(dialects.dialect, dialects.NAMES), strict=True)
    if spoken.game
}
"""Numbers of players by dialect; native has those of each game."""
DRAFTS = ("none", "random", "challenger", "printed", "first_proposes", "together", "two_rounds", "online", "fleece")
MODES = ("simplified", "expert")
CLOUDS = ("last", "first", "either")
LONGEST = 600
"""Seconds that a match takes at most: those that somebody who has left is waited for."""
SLOWEST = 10_000
"""The same where somebody thinks."""


class Setup(NamedTuple):
    """A table: what is played, who sits there by which protocol, and what whoever opens it wants."""

    game: str
    seats: tuple[str, ...]
    settings: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        return " ".join([self.game, "+".join(self.seats), *[value for _, value in self.settings]])


def setups(dialect: str) -> list[Setup]:
    """The tables that a protocol can be played at, alone and with each of the others."""
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
            yield from (Setup(game, seats, settings) for settings in _wishes(game, seats))


def _wishes(game: str, seats: tuple[str, ...]) -> Iterable[tuple[tuple[str, str], ...]]:
    """What can be wanted of a table: by whoever opens it, and by those who come to it."""
    if game == "santorini" and seats[0] == "native":
        drafts = (f'{{"draft":"{draft}"}}' for draft in DRAFTS)
        return ((("options", draft),) for draft in drafts if _fit(game, draft, seats))
    if game == "eriantys" and seats[0] == "native":
        pairs = ((mode, cloud) for mode in MODES for cloud in CLOUDS)
        return ((("mode", mode), ("options", f'{{"mode":"{mode}","cloud":"{cloud}"}}')) for mode, cloud in pairs)
    return ((("mode", mode),) for mode in MODES) if game == "eriantys" else ((),)


def _fit(game: str, options: str, seats: tuple[str, ...]) -> bool:
    """Whether there is such a table for so many."""
    rules = games.game(game)
    try:
        rules.new(msgspec.json.decode(options, type=rules.Options), len(seats))
    except Illegal:
        return False
    return True


def schedule(names: Sequence[str], matches: int) -> list[Setup]:
    """Tables until each protocol has had so many matches: the next is for the one that has had fewest so far, and of
    its tables one that came least often.  If the matches suffice, each table comes once at least."""
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
    """How a match is played: by which bot, at which of its questions somebody leaves (0: nobody does), and how many
    seconds the first player thinks."""

    bot: str = "random"
    leaves: int = 0
    thinks: float = 0.0


def manner(seed: int) -> Manner:
    """One match in five is played greedily; in one of ten somebody leaves, and in one of ten somebody thinks."""
    luck = Random(seed)
    bot, leaves = "greedy" if luck.random() < 0.2 else "random", luck.randrange(4, 120) if luck.random() < 0.1 else 0
    return Manner(bot, leaves, PATIENCE + 1.0 if luck.random() < 0.1 else 0.0)


def play(seed: int, setup: Setup, how: Manner = Manner()) -> Table:  # noqa: B008 - a value
    """One match, to its end."""
    table = Table(seed, think=0.0 if how.leaves or how.thinks else PATIENCE)
    size = len(setup.seats)
    for seat, dialect in enumerate(setup.seats):
        settings = dict(setup.settings)
        if dialect == "native":
            settings = {"game": setup.game} | ({"match": "match-1"} if seat else settings)
        leaves = how.leaves if how.leaves % size == seat else 0
        thinks = 0.0 if seat else how.thinks
        table.join(dialect, NAMES[seat], size, settings, bot=how.bot, leaves=leaves, thinks=thinks)
    for _ in range(SLOWEST if how.thinks else LONGEST):
        if table.over:
            break
        table.pass_time(1.0)
    return table


def wrongs(table: Table) -> list[str]:
    """What a monitor has made of a correct match that should not be."""
    found = [f"{finding.side} {finding.section}: {finding.detail[:150]}" for finding in table.findings]
    found += [f"the monitor of connection {at} failed" for at, one in enumerate(table.pairs, 1) if one[2].failed]
    return found if table.over else [*found, "the match has no end"]


class Tally:
    """What there was so far: matches in all and of each protocol, at how many kinds of table, messages, findings."""

    def __init__(self) -> None:
        self.played = 0
        self.found = Counter[str]()
        self._had = Counter[str]()
        self._said = Counter[str]()
        self._tables = defaultdict[str, set[Setup]](set)

    def add(self, setup: Setup, table: Table) -> list[str]:
        """One more match; what was wrong with it."""
        spoken, wrong = set(setup.seats), wrongs(table)
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
    """Play, and say what was found."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("dialects", nargs="*", default=[*SIZES, "native"])
    parser.add_argument("--matches", type=int, default=1000)
    parser.add_argument("--only", type=int, help="the number of the one match that is to be played")
    asked = parser.parse_args()
    tables = schedule(asked.dialects, asked.matches)
    tally = Tally()
    for number in range(len(tables)) if asked.only is None else [asked.only]:
        for text in tally.add(tables[number], play(number, tables[number], manner(number))):
            print(f"--only {number} ({tables[number]}): {text}", flush=True)
        if tally.played % 500 == 0:
            print(f"{tally.played} of {len(tables)} matches\n{tally}", flush=True)
    print(f"{tally.played} matches, {time.process_time():.0f} s of CPU\n{tally}")
    sys.exit(bool(tally.found))


if __name__ == "__main__":
    main()
