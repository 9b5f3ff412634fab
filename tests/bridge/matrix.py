"""Play every pair of dialects through the adapter and count how the matches end.

    python -m tests.bridge.matrix [MATCHES] [--ours | --originals] [--game GAME]

`ours`: against our servers.  `originals`: against models of the original servers with their known faults.  A match ends
well if both sides are told the same result; it may also be broken off with a sentence.  Anything else is a failure, and
the script exits with 1.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import permutations
from typing import Any

import msgspec

from boardwire import dialects
from boardwire.dialects.dialect import Result

from .adapted import World
from .originals.connections import Original
from .originals.eriantys_objects import EriantysServer
from .originals.santorini_actions import DocumentDateServer, ShippedServer
from .originals.santorini_lobby import LobbyServer
from .originals.santorini_objects import DocumentServer, FinalServer, OldDocumentServer

NAMES = ("ann", "bob", "cleo", "dan")
DIALECTS = {game: dialects.of_game(game) for game in ("tris", "forza", "santorini", "eriantys")}
PAIRS = [
    (game, near, far)
    for game, names in DIALECTS.items()
    for near, far in permutations(names, 2)
    # santorini-objects/d1 does not ask for optional steps, and santorini-actions has no word for a step that cannot be
    if not (near.startswith("santorini-actions") and far.endswith("/d1"))
]
PLAYERS = {"tris": (2,), "forza": (2,), "santorini": (2, 3), "eriantys": (2, 3, 4)}
ORIGINALS: tuple[Callable[[int], Original], ...] = (
    DocumentServer,
    OldDocumentServer,
    FinalServer,
    DocumentDateServer,
    ShippedServer,
    LobbyServer,
    EriantysServer,
)
HANGS = {"after an elimination no one goes on", "a player who is stuck is asked for ever"}
"""Faults after which an original waits for ever, without an adapter too."""
LONGEST = 2500
"""Seconds of the test clock that a match may take."""


class End(msgspec.Struct, frozen=True):
    """How one match ended."""

    how: str
    """`agreed`: both sides were told the same result.  `decided here`: the client was told a result that the server did
    not tell.  `broken off`: with a sentence.  `hangs there`: the client's match has ended, and the original leaves its
    other players waiting.  `stalled` and `contradicted` are failures."""
    told: tuple[str, ...]
    faults: tuple[str, ...] = ()


def settings(dialect: str, game: str, mode: str = "") -> dict[str, str]:
    """Return what a client is given to find its table."""
    if dialect == "native":
        return {"game": game} | ({"options": f'{{"mode":"{mode}"}}'} if mode else {})
    return {"mode": mode} if mode else {}


def play(
    game: str,
    near: str,
    far: str,
    seed: int,
    players: int = 2,
    others: str = "",
    mode: str = "",
    simulated: Original | None = None,
    adapters: int = 1,
) -> World:
    """Play one match, in which the clients of the other protocol come first, second or last."""
    world = World(seed, simulated)
    adapted = {(seed + number) % players for number in range(adapters)}
    for number, name in enumerate(NAMES[:players]):
        if number in adapted:
            world.adapt(near, far, name, players, settings(near, game, mode))
        else:
            world.join(others or far, name, players, settings(others or far, game, mode))
    for _ in range(LONGEST):
        if all(person.over is not None for person in world.people):
            break
        world.pass_time(1.0)
    return world


def judge(world: World) -> End:
    """Return how the match of a world ended for its adapted client."""
    faults = tuple(getattr(world.server, "broken", ()))
    told = tuple(world.told)
    near = world.near_person.over
    if near is None:
        return End("stalled", told, faults)
    if any(person.over is None for person in world.people):
        return End("hangs there" if HANGS & {*faults} else "stalled", told, faults)
    if near.result is Result.BROKEN_OFF:
        return End("broken off" if told else "stalled", told, faults)
    others = {person.over.result for person in world.people if person is not world.near_person and person.over}
    if Result.BROKEN_OFF in others:
        return End("decided here" if told else "contradicted", told, faults)
    winners = sum(1 for person in world.people if person.over is not None and person.over.result is Result.WON)
    agreed = winners >= 1 or near.result is Result.DRAWN
    return End("agreed" if agreed else "contradicted", told, faults)


def runs(matches: int, *, originals: bool, game: str = "") -> Iterator[tuple[str, Counter[str], list[End]]]:
    """Play this many matches of every pair and number of players."""
    for one, near, far in PAIRS:
        if game and one != game:
            continue
        houses: list[Callable[[int], Any]] = [lambda seed: None]
        if originals:
            houses = [server for server in ORIGINALS if getattr(server, "name", "") == far]
        for simulated in houses:
            for players in PLAYERS[one]:
                ends = [
                    judge(play(one, near, far, seed, players, simulated=simulated(seed))) for seed in range(matches)
                ]
                yield f"{near} on {far}, {players}", Counter(end.how for end in ends), ends


def main() -> int:
    """Play, print and return the exit code."""
    parser = argparse.ArgumentParser()
    parser.add_argument("matches", type=int, nargs="?", default=20)
    parser.add_argument("--ours", action="store_true")
    parser.add_argument("--originals", action="store_true")
    parser.add_argument("--game", default="")
    chosen = parser.parse_args()
    total: Counter[str] = Counter()
    for originals in (False, True):
        if (originals and chosen.ours) or (not originals and chosen.originals):
            continue
        print("originals" if originals else "ours")
        for title, counts, ends in runs(chosen.matches, originals=originals, game=chosen.game):
            total += counts
            print(f"  {title}: {dict(counts)}", flush=True)
            for text, count in Counter(t for end in ends if end.how != "agreed" for t in end.told[-1:]).items():
                print(f"      {count} x {text}")
    print(dict(total))
    return 1 if total["stalled"] or total["contradicted"] else 0


if __name__ == "__main__":
    sys.exit(main())
