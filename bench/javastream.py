"""Java object streams: messages read and written per CPU-second, beside javaobj-py3.

The messages are those of the shipped program's turns: three requests with their sets of cells, the three answers, and
the notifications of two players. "server" is what a server reads and writes, "client" the reverse, "all" every message
in both directions.
"""

from __future__ import annotations

import io
import time
from collections.abc import Callable
from itertools import product
from typing import Final

import msgspec
from javaobj.v2.main import load

from bench.config import RunConfig
from boardwire.dialects.eriantys_objects import messages as eriantys
from boardwire.dialects.santorini_objects.messages.classes import (
    ConsolidateBuild,
    ConsolidateMove,
    DeclineLastAction,
    F,
    Position,
    RequestAction,
    UpdateActions,
    UpdateBuild,
    UpdateShippedMove,
    UpdateShippedTurn,
)
from boardwire.wire.javastream import Framing, Reader, Schema, Writer, memory

TURNS: Final = 20
SECONDS: Final = 0.3
ROUNDS: Final = 3

_CELLS: Final = {(x, y): [Position(x, y, z) for z in range(4)] for x, y in product(range(5), repeat=2)}
_NONE: Final[frozenset[Position]] = frozenset()


def around(turn: int, worker: int) -> frozenset[Position]:
    """Return the cells around a worker, with positions and heights that change from turn to turn."""
    x, y = (turn * 2 + worker * 3) % 5, (turn + worker) % 5
    near = product((x - 1, x, x + 1), (y - 1, y, y + 1))
    return frozenset(_CELLS[cell][(sum(cell) + turn) % 3] for cell in near if cell in _CELLS and cell != (x, y))


def answers() -> list[msgspec.Struct]:
    """Return the messages of the clients in a game."""
    messages: list[msgspec.Struct] = []
    for turn in range(TURNS):
        cell = min(around(turn, 0), key=msgspec.structs.astuple)
        messages += [ConsolidateMove(1, cell), ConsolidateBuild(False, 1, cell), DeclineLastAction()]
    return messages


def requests_and_notifications() -> list[msgspec.Struct]:
    """Return the messages of the server in a game."""
    messages: list[msgspec.Struct] = []
    for turn in range(TURNS):
        first, second, player = around(turn, 0), around(turn, 1), turn % 2 + 1
        cell, other = min(first, key=msgspec.structs.astuple), max(first, key=msgspec.structs.astuple)
        move = UpdateActions((), (UpdateShippedMove(player, 1, cell, other),))
        build = UpdateActions((UpdateBuild(False, cell),), ())
        messages += [
            RequestAction(False, False, False, False, player, _NONE, first, _NONE, second), move, move,
            RequestAction(False, False, False, False, player, first, _NONE, _NONE, _NONE), build, build,
            RequestAction(True, False, False, False, player, _NONE, _NONE, _NONE, _NONE),
            UpdateShippedTurn(False, 3 - player), UpdateShippedTurn(False, 3 - player),
        ]  # fmt: skip
    return messages


def eriantys_mix() -> list[msgspec.Struct]:
    """Return messages of eriantys-objects: a heartbeat, a move, the islands, and a hand with a cycle to its owner."""
    pawns = tuple(eriantys.ColorPawns)[:5]
    player = eriantys.PlayerModel(nickname="ada", student_in_hall=dict.fromkeys(pawns, 3), student_in_entrance=pawns)
    hand = tuple(eriantys.AssistantCardModel(priority=value, owner=player) for value in range(1, 11))
    msgspec.structs.force_setattr(player, "deck_assistant_card_model", hand)
    islands = tuple(
        eriantys.IslandModel(color_tower=eriantys.ColorTower.NULL, students=pawns[: at % 4]) for at in range(12)
    )
    return [
        eriantys.PingMessage(),
        eriantys.MovedStudentOnIslandMessage(nickname="ada", index_island=3, students=pawns[:2]),
        eriantys.DisplayIslandsMessage(nickname="ada", island_models=islands),
        eriantys.DisplayDeckAndAskCardMessage(nickname="ada", deck=hand),
    ]


def rate(work: Callable[[], object], count: int) -> float:
    """Return messages per CPU-second, the best of `ROUNDS` rounds."""
    best = 0.0
    for _ in range(ROUNDS):
        done, start = 0, time.process_time()
        while (spent := time.process_time() - start) < SECONDS:
            work()
            done += count
        best = max(best, done / spent)
    return best


def _row(name: str, schema: Schema, framing: Framing, read: list[msgspec.Struct], write: list[msgspec.Struct]) -> None:
    writer, reader = Writer(schema, framing), Reader(schema, framing=framing)
    raw = [writer.encode(message) for message in read]
    reader.feed(writer.opening)
    read_rate = rate(lambda: [reader.feed(data) for data in raw], len(raw))
    writing = rate(lambda: [writer.encode(message) for message in write], len(write))
    size = sum(len(writer.encode(message)) for message in write) / len(write)
    print(f"{name:<34}{size:>12.0f}{read_rate:>14,.0f}{writing:>14,.0f}", flush=True)


def run(config: RunConfig) -> None:
    """Print the table. The decoder's memory is off, so that every message is decoded anew."""
    limit, memory.MAX_MESSAGE_BYTES = memory.MAX_MESSAGE_BYTES, 0  # type: ignore[misc] # cached messages would not be decoded
    print("Java object streams (messages per CPU-second)\n")
    print(f"{'mix':<34}{'bytes':>12}{'read':>14}{'written':>14}")
    requests, replies = requests_and_notifications(), answers()
    _row("santorini-objects F, server", F, Framing.EACH, replies, requests)
    _row("santorini-objects F, client", F, Framing.EACH, requests, replies)
    _row("santorini-objects F, all", F, Framing.EACH, requests + replies, requests + replies)
    _row("eriantys-objects", eriantys.SHIPPED, Framing.ONCE, eriantys_mix(), eriantys_mix())
    raw = [Writer(F).encode(message) for message in requests + replies]
    theirs = rate(lambda: [load(io.BytesIO(data)) for data in raw], len(raw))
    print(f"{'javaobj-py3 reads F, all':<34}{'':>12}{theirs:>14,.0f}{'none':>14}\n")
    memory.MAX_MESSAGE_BYTES = limit  # type: ignore[misc] # as above


if __name__ == "__main__":
    run(RunConfig())
