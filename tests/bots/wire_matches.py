"""Matches over every dialect in which every bot is asked at every decision that a client model offers.

The views that a foreign client builds lack what its protocol does not carry, or guess it.  Each of them must be sane;
every bot must return one of the offered choices, and a search must stay within its nodes.

Matches end by the rules, or are cut short: in every third match a player disconnects, and in half of those the others
play on.

`python -m tests.bots.wire_matches 200` plays that many matches of every mode and prints one line per mode;
`python -m tests.bots.wire_matches 200 eriantys-objects` only those whose name contains the second argument.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec

from boardwire import dialects
from boardwire.bots.bot import RandomBot
from boardwire.bots.engine import SearchLimits
from boardwire.bots.engines import engine, game_of
from boardwire.bots.greedy import GreedyBot
from boardwire.bots.view_checks import flaw
from boardwire.dialects.dialect import Answer, Ask, ClientOptions, Over
from boardwire.games.game import Decision
from boardwire.simulation.server import SimulatedClient, SimulatedConnection, SimulatedServer, carry
from boardwire.table.policy import Leaving, Policy

NODES = 40
"""Nodes of most searches."""
MORE_NODES = 700
"""Nodes of every twentieth search: enough for replies and for rounds that are played out."""
SPARE_NODES = 320
"""What a search may overdraw: that of Santorini counts its nodes every 256, others after each step."""
MAX_STEPS = 400
"""Decisions after which a match is cut short: random play ends some of them very late."""


class Mode(msgspec.Struct, frozen=True):
    """A dialect with a number of players and the settings of its clients."""

    dialect: str
    players: int
    settings: dict[str, str] = {}

    @property
    def name(self) -> str:
        """The mode in words."""
        return " ".join([self.dialect, f"{self.players} players", *map(str, self.settings.values())])


def _modes() -> Iterator[Mode]:
    for name in dialects.DIALECT_PACKAGES:
        dialect = dialects.dialect(name)
        if not dialect.game:
            continue
        kinds: list[dict[str, str]] = [{"mode": mode} for mode in dialect.settings.get("mode", ())] or [{}]
        for players in (one for one in dialect.players or (2, 3, 4) if one > 1):
            yield from (Mode(name, players, kind) for kind in kinds)
    for game, seats in (("tris", (2,)), ("forza", (2,)), ("santorini", (2, 3, 4))):
        yield from (Mode("native", players, {"game": game}) for players in seats)
    for mode in ("simplified", "expert"):
        for players in (2, 3, 4):
            yield Mode("native", players, {"game": "eriantys", "options": f'{{"mode":"{mode}"}}'})


MODES = tuple(_modes())


class Tally(msgspec.Struct):
    """What was played."""

    matches: int = 0
    finished: int = 0
    asked: int = 0
    refused: int = 0


class Examiner:
    """A player that puts every question to every bot, and answers with the choice of one of them."""

    def __init__(self, luck: Random, tally: Tally) -> None:
        self._luck = luck
        self._tally = tally
        self._refused: list[Any] = []
        self._last: Any = None
        self.silent = False
        self.over: Over | None = None

    def __call__(self, client: SimulatedClient, notification: Any) -> None:
        if isinstance(notification, Over):
            self.over = notification
        if not isinstance(notification, Ask) or self.silent:
            return
        self._refused = [*self._refused, self._last] if notification.again else []
        self._tally.refused += bool(notification.again)
        choices = [choice for choice in notification.decision.choices if choice not in self._refused]
        assert choices, f"the server takes none of {notification.decision.choices}: {notification.again}"
        decision = Decision(notification.decision.kind, notification.decision.seats, tuple(choices))
        found = self._ask_all(notification.view, decision)
        self._last = self._luck.choice(found)
        client.talk.tell(Answer(self._last))

    def _ask_all(self, view: Any, decision: Decision[Any]) -> list[Any]:
        """The choice of every bot, each checked."""
        self._tally.asked += 1
        assert not (wrong := flaw(view, decision)), f"{wrong} in {view}"
        nodes = NODES if self._luck.randrange(20) else MORE_NODES
        below = self._luck.randrange
        thought = engine(game_of(view)).think(view, decision, below, SearchLimits(nodes), bool)
        assert thought.nodes <= max(nodes, len(decision.choices)) + SPARE_NODES, f"{thought.nodes} of {nodes} nodes"
        greedy = GreedyBot().choose(view, decision, below, NODES)
        chance = RandomBot().choose(view, decision, below, NODES)
        found = [thought.turn[0], greedy, chance]
        for bot, action in zip(("search", "greedy", "random"), found, strict=True):
            assert action in decision.choices, f"{bot}: {action} is none of {decision.choices} in {view}"
        return found


def play(mode: Mode, seed: int, tally: Tally) -> None:
    """One match; every third is cut short by a player who disconnects, and half of those play on without."""
    luck = Random(f"{mode.name} {seed}")
    policy = Policy(leaving=Leaving.SKIPS) if seed % 6 == 2 else Policy()
    server = SimulatedServer(seed=seed, policy=policy)
    examiners = [Examiner(luck, tally) for _ in range(mode.players)]
    pairs: list[tuple[SimulatedClient, SimulatedConnection]] = []
    for number, examiner in enumerate(examiners):
        seating = ClientOptions(f"p{number}", mode.players, dict(mode.settings))
        pairs.append((SimulatedClient(mode.dialect, examiner, seating, server.clock), server.connect(mode.dialect)))
    quits = tally.asked + luck.randrange(1, 120) if seed % 3 == 2 else None
    stops = tally.asked + MAX_STEPS
    for _ in range(100_000):
        if not carry(pairs):
            break
        if quits is not None and tally.asked >= quits:
            quits = None
            number = luck.randrange(mode.players)
            examiners[number].silent = True
            pairs[number][1].drop()
        if tally.asked >= stops:
            break
    else:
        raise AssertionError("the match does not end")
    tally.matches += 1
    tally.finished += all(examiner.over is not None or examiner.silent for examiner in examiners)
    for client, peer in pairs:
        assert not client.faults, client.faults
        assert not peer.faults, peer.faults


def play_all(mode: Mode, seeds: range) -> Tally:
    """The matches of these seeds."""
    tally = Tally()
    for seed in seeds:
        play(mode, seed, tally)
    return tally


def main(matches: int, named: str = "", first: int = 1) -> None:
    """Play, and print one line per mode."""
    for mode in MODES:
        if named in mode.name:
            start, tally = time.process_time(), Tally()
            failed: dict[str, list[int]] = {}
            for seed in range(first, first + matches):
                try:
                    play(mode, seed, tally)
                except Exception as error:  # noqa: BLE001 - every failure is counted, and told with its seeds
                    failed.setdefault(f"{type(error).__name__}: {error}"[:200], []).append(seed)
            seconds = time.process_time() - start
            print(f"{mode.name}: {tally} in {seconds:.0f} s", flush=True)
            for words, seeds in failed.items():
                print(f"  {len(seeds)} x {words} (seeds {seeds[:5]})", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]), "".join(sys.argv[2:3]))
