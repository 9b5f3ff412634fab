"""Worker process of the arena: reads jobs from standard input and writes played matches to standard output, as JSON.

- The first line has the contents of the tournament's file, from which the worker constructs the `ArenaTournament`.
- Engines are kept between matches, at most `MAX_IDLE_PLAYERS`.
- The worker exits when its input is closed, even during a match: the arena has ended, perhaps by a crash.
"""

from __future__ import annotations

import os
import queue
import signal
import sys
import threading
from collections import OrderedDict
from pathlib import Path
from typing import Any, BinaryIO, Final

import msgspec

from boardwire import games, logs
from boardwire.arena.config import ArenaTournament, Participant, check
from boardwire.arena.match import Budget, MatchPlayer, PlayedMatch, SeatFacts, play_match
from boardwire.arena.players import BotPlayer, EnginePlayer
from boardwire.arena.schedule import Job
from boardwire.bots.levels import SEARCH
from boardwire.bots.search import LevelBot
from boardwire.bots.server_bots import BOTS
from boardwire.engines import EngineProcess
from boardwire.engines.python_bots import python_bot
from boardwire.errors import BoardwireError
from boardwire.table.events import encode

MAX_IDLE_PLAYERS: Final = 8


class Start(msgspec.Struct, frozen=True):
    """The first line: the contents of the tournament's file, its directory and the data directory."""

    raw: dict[str, Any]
    base: str
    data: str


class Reply(msgspec.Struct):
    """A played match, with its events in the journal's encoding; `error` if it could not be played."""

    match: str
    events: list[msgspec.Raw] = []
    seats: list[SeatFacts] = []
    error: str = ""


class Players:
    """Players of the worker, created on first use and kept for later matches."""

    def __init__(self, tournament: ArenaTournament) -> None:
        self._tournament = tournament
        self._kept: OrderedDict[tuple[int, int], MatchPlayer] = OrderedDict()

    def seat(self, participants: tuple[int, ...]) -> list[MatchPlayer]:
        """Return a player for each seat; a participant with several seats has as many players."""
        players = []
        for seat, number in enumerate(participants):
            key = (number, participants[:seat].count(number))
            player = self._kept.pop(key, None) or make_player(self._tournament, number)
            self._kept[key] = player
            players.append(player)
        while len(self._kept) > max(MAX_IDLE_PLAYERS, len(participants)):
            self._kept.popitem(last=False)[1].close()
        return players

    def kill(self) -> None:
        """Kill all engines; may be called from another thread."""
        for player in tuple(self._kept.values()):
            if isinstance(player, EnginePlayer):
                player.kill()


def make_player(tournament: ArenaTournament, number: int) -> MatchPlayer:
    """Return a player for a participant that plays in this process or as an engine."""
    participant: Participant = tournament.participants[number]
    budget = participant.budget or Budget()
    if participant.bot == SEARCH:
        assert participant.level is not None, "the file was checked"
        return BotPlayer(
            LevelBot(tournament.game, participant.level, budget.nodes or None, budget.seconds or None), budget
        )
    if participant.bot:
        return BotPlayer(BOTS[participant.bot], budget)
    if participant.python:
        engine = python_bot(participant.name, participant.python, participant.limits, tournament.base)
    else:
        engine = EngineProcess(
            participant.name, participant.engine, participant.limits, mode=participant.mode, base=tournament.base
        )
    return EnginePlayer(engine, budget, restart=participant.restart)


def play_job(tournament: ArenaTournament, players: Players, job: Job) -> PlayedMatch:
    """Play one match."""
    if any(tournament.participants[number].dialect for number in job.participants):
        from boardwire.arena.network import play_network_match

        return play_network_match(tournament, players, job)
    return play_match(
        games.game(tournament.game),
        tournament.options,
        players.seat(job.participants),
        job.names,
        match=job.match,
        kinds=[tournament.participants[number].kind for number in job.participants],
        seed=job.seed,
        deal_seed=job.deal_seed,
        opening=tournament.openings[job.opening],
        max_moves=tournament.max_moves,
    )


def main() -> None:
    """Play jobs until the input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sink = os.dup(1)
    os.dup2(2, 1)  # so that output of a bot is not read as a reply
    logs.configure("error")  # faults of network programs are counted in the results, not logged
    source = sys.stdin.buffer
    start = msgspec.json.decode(source.readline(), type=Start)
    tournament = check(start.raw, Path(start.base), data=start.data)
    jobs: queue.SimpleQueue[Job] = queue.SimpleQueue()
    players = Players(tournament)
    threading.Thread(target=_read_jobs, args=(source, jobs, players), daemon=True).start()
    while True:
        job = jobs.get()
        try:
            reply = _reply(play_job(tournament, players, job))
        except BoardwireError as error:
            reply = Reply(job.match, error=str(error))
        except Exception as error:  # noqa: BLE001 - the arena reports it with the match
            reply = Reply(job.match, error=f"{type(error).__name__}: {error}")
        _write(sink, msgspec.json.encode(reply) + b"\n")


def _reply(played: PlayedMatch) -> Reply:
    return Reply(played.match, [msgspec.Raw(encode(event)) for event in played.events], played.seats)


def _read_jobs(source: BinaryIO, jobs: queue.SimpleQueue[Job], players: Players) -> None:
    for line in source:
        jobs.put(msgspec.json.decode(line, type=Job))
    players.kill()
    os._exit(0)


def _write(sink: int, data: bytes) -> None:
    while data:
        data = data[os.write(sink, data) :]
