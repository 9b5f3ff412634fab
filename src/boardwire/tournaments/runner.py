"""The actor around tournaments: decide -> store -> evolve -> open tables.

- Requests to a tournament are handled in order; those that wait together are stored in one transaction. Nothing is
  published, and no table is opened, before its events are durable.
- A board's match gets its id in a stored event before the table opens. After a restart, a match that is not in the
  journal is opened under the same id; one that is over counts; one that the server interrupted is replaced. So no
  result is lost, and no board is played twice.
- The matches are ordinary ones (`Lobby.open_arranged`): each participant has its seat from the start, and takes it as a
  returning player. Tables do not know about tournaments; their ends are observed in the lobby, or read from the journal
  if this process did not see them.
- In a cluster, the node whose lobby presides opens tables and rounds (`leads`). Requests are stored by the node that
  receives them. If two nodes store at the same time, one of them reads the other's events and decides again.
"""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict, deque
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, Final, TypeAlias

import structlog

from boardwire.errors import BoardwireError, Reason, Refused, Unavailable
from boardwire.lobby.lobby import Lobby
from boardwire.lobby.requests import Seek
from boardwire.table.commands import Forfeit
from boardwire.table.events import Player
from boardwire.table.match import Match, Status
from boardwire.table.match import fold as fold_match
from boardwire.table.ports import Clock, Journal, ListedTable, NameSource
from boardwire.table.table import Table
from boardwire.tournaments import decide
from boardwire.tournaments import events as ev
from boardwire.tournaments.events import Entrant, Event
from boardwire.tournaments.setup import TournamentSetup, check_setup
from boardwire.tournaments.store import TournamentStore
from boardwire.tournaments.tournament import Board, Tournament, TournamentStatus, created, evolve, fold

log = structlog.get_logger("boardwire.tournaments")

TICK_SECONDS: Final = 1.0
"""Interval between checks for due events."""
MAX_BATCH: Final = 256
"""Requests to a tournament that are stored in one transaction."""
MAX_WAITING_REQUESTS: Final = 2000
"""Requests that may wait for one tournament; further ones are refused."""
MAX_LIVE: Final = 200
"""Tournaments of a server that are not over."""
MAX_LIVE_PER_ORGANISER: Final = 5
"""Tournaments of one organiser that are not over."""
MAX_BOT_MATCHES: Final = 64
"""Concurrent matches between bots in one tournament."""
MAX_REMEMBERED: Final = 64
"""Finished tournaments that are cached."""
MAX_CONFLICTS: Final = 20
"""How often a request is decided again because another node has stored events."""

Decider: TypeAlias = Callable[[Tournament, float], tuple[Event, ...]]
"""Decides a request to a tournament at a given time."""
DIALECT: Final = "native"
"""Dialect of participants other than bots."""

Read: TypeAlias = Callable[[Callable[[], Tournament | None]], Awaitable[Tournament | None]]
"""Runs a call on another thread."""


class LiveTournament:
    """A tournament with the requests that wait for it."""

    def __init__(self, state: Tournament) -> None:
        self.state = state
        self.inbox: deque[tuple[Decider, asyncio.Future[None]]] = deque()
        self.is_processing = False
        """Whether a task handles the inbox."""
        self.is_stale = False
        """Whether the store may have more events than `state`: a write has failed, or another node has written."""
        self.opened: set[str] = set()
        """Matches of open boards whose tables this process has opened or found."""
        self.changed = asyncio.Event()
        """Set when `state` changes, and then replaced."""

    def advance(self, state: Tournament) -> None:
        """Set a new state, and wake the tasks that wait for it."""
        self.state = state
        self.changed.set()
        self.changed = asyncio.Event()


class Tournaments:
    """All tournaments of a server; its methods run on the event loop."""

    def __init__(
        self,
        store: TournamentStore,
        lobby: Lobby,
        journal: Journal,
        clock: Clock,
        names: NameSource,
        step: Callable[..., Any],
        *,
        leads: Callable[[], bool] = lambda: True,
        shared: bool = False,
    ) -> None:
        self.store = store
        self._lobby = lobby
        self._journal = journal
        self._clock = clock
        self._names = names
        self._step = step
        """Makes a call that may notify guests, and flushes their connections."""
        self._leads = leads
        self._shared = shared
        """Whether other nodes write to the same store."""
        self._live: dict[str, LiveTournament] = {}
        self._creating: Counter[str] = Counter()
        """Tournaments that are being stored, by organiser: they count for the limits."""
        self._finished: OrderedDict[str, Tournament] = OrderedDict()
        """Cache of finished tournaments, the last used one last."""
        self._by_match: dict[str, str] = {}
        """Tournament of each match of an open board."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._closed = False
        self._has_led = False
        """Whether this node led at the last tick."""
        self.match_ready: Callable[[str, str, str], None] = _ignore_ready_match
        """Called with the key of a participant, the game and the match that is ready."""
        lobby.end_observers.append(self._report_result)

    def __len__(self) -> int:
        return len(self._live)

    # --- start and stop -----------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Load the tournaments that are not over, and run them from now on."""
        self._spawn(self._tick())

    async def stop(self) -> None:
        """Cancel all tasks; the next process repeats the steps that were not stored."""
        self._closed = True
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._discard_task)

    def _discard_task(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("a tournament task failed", exc_info=error)

    # --- reading ------------------------------------------------------------------------------------------------------

    async def get(self, tournament: str, read: Read = asyncio.to_thread) -> Tournament:
        """Return a tournament; raise `Refused` if there is none.

        `read` runs the loading of a tournament that is not in memory. It must not run on the event loop: a tournament
        of 1,000 entrants and 12 rounds has 8,000 events to read and fold.
        """
        entry = self._live.get(tournament)
        if entry is not None:
            return entry.state
        if tournament in self._finished:
            self._finished.move_to_end(tournament)
            return self._finished[tournament]
        state = await read(partial(self._load, tournament))
        if state is None:
            raise Refused(f"there is no tournament {tournament!r}", reason=Reason.NO_SUCH_TABLE)
        if state.status in (TournamentStatus.OPEN, TournamentStatus.RUNNING):
            return self._live.setdefault(tournament, LiveTournament(state)).state
        self._remember(state)
        return state

    def _load(self, tournament: str) -> Tournament | None:
        events = self.store.read(tournament)
        return fold(events) if events else None

    async def wait(self, tournament: str, after: int, seconds: float, read: Read = asyncio.to_thread) -> Tournament:
        """Return a tournament once it has more than `after` events, at the latest after `seconds`."""
        state = await self.get(tournament, read)
        entry = self._live.get(tournament)
        if entry is not None and state.seq <= after:
            with suppress(TimeoutError):
                await asyncio.wait_for(entry.changed.wait(), seconds)
        return await self.get(tournament, read)

    def of_match(self, match: str) -> str:
        """Return the tournament of a match in progress, or ''."""
        return self._by_match.get(match, "")

    def _remember(self, state: Tournament) -> None:
        self._finished[state.id] = state
        self._finished.move_to_end(state.id)
        while len(self._finished) > MAX_REMEMBERED:
            self._finished.popitem(last=False)

    # --- requests -----------------------------------------------------------------------------------------------------

    async def create(
        self, setup: TournamentSetup, organiser: str, organiser_name: str, entrants: Sequence[Entrant] = ()
    ) -> Tournament:
        """Announce a tournament with its first entrants, for example bots."""
        now = self._clock.now()
        setup = check_setup(setup, now)
        for entrant in entrants:
            self._check_bot(entrant, setup)
        if len(self._live) + self._creating.total() >= MAX_LIVE:
            raise Refused(
                f"the server has {MAX_LIVE} unfinished tournaments, the maximum; try again later", reason=Reason.LIMIT
            )
        count = sum(entry.state.organiser == organiser for entry in self._live.values()) + self._creating[organiser]
        if count >= MAX_LIVE_PER_ORGANISER:
            raise Refused(
                f"you have {count} unfinished tournaments, the maximum; cancel one or wait for its end",
                reason=Reason.LIMIT,
            )
        creation = ev.Created(now, self._names.match(), setup, organiser, organiser_name)
        events: list[Event] = [creation]
        state = created(creation)
        for entrant in entrants:
            for event in decide.enter(state, entrant, now):
                events.append(event)
                state = evolve(state, event)
        self._creating[organiser] += 1
        try:
            await self.store.append(state, events)
            return self._live.setdefault(state.id, LiveTournament(state)).state  # `get` may have added it already
        finally:
            self._creating -= Counter({organiser: 1})  # also removes organisers whose count is zero

    def _check_bot(self, entrant: Entrant, setup: TournamentSetup) -> None:
        if entrant.bot and not self._lobby.context.bots.knows(entrant.bot, setup.game):
            raise Refused(f"there is no bot {entrant.bot!r} for {setup.game}; GET /api/bots lists the bots")

    async def enter(self, tournament: str, entrant: Entrant) -> Tournament:
        """Admit a participant, or readmit a withdrawn one."""
        self._check_bot(entrant, (await self.get(tournament)).setup)
        return await self.change(tournament, lambda state, now: decide.enter(state, entrant, now))

    async def change(self, tournament: str, decider: Decider) -> Tournament:
        """Carry out a request and return the changed tournament; raise `Refused` if the request is refused."""
        state = await self.get(tournament)
        entry = self._live.get(tournament)
        if entry is None:
            decider(state, self._clock.now())  # the tournament is over: raises `Refused`, or changes nothing
            return state
        if len(entry.inbox) >= MAX_WAITING_REQUESTS:
            raise Refused(
                f"{len(entry.inbox)} requests are waiting for this tournament; try again in a moment",
                reason=Reason.LIMIT,
            )
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._enqueue(entry, decider, future)
        await future
        return entry.state

    def _enqueue(self, entry: LiveTournament, decider: Decider, future: asyncio.Future[None] | None = None) -> None:
        loop = asyncio.get_running_loop()
        entry.inbox.append((decider, future or loop.create_future()))
        if not entry.is_processing and not self._closed:
            entry.is_processing = True
            self._spawn(self._process_inbox(entry))

    # --- batches of requests ------------------------------------------------------------------------------------

    async def _process_inbox(self, entry: LiveTournament) -> None:
        """Handle the requests of a tournament in batches; if a batch cannot be stored, fail its requests."""
        try:
            while entry.inbox and not self._closed:
                batch = [entry.inbox.popleft() for _ in range(min(MAX_BATCH, len(entry.inbox)))]
                try:
                    await self._handle_batch(entry, batch)
                except Exception as error:
                    entry.is_stale = True
                    fault = None if isinstance(error, BoardwireError) else error
                    log.error("cannot store a tournament", tournament=entry.state.id, error=str(error), exc_info=fault)
                    unavailable = Unavailable(
                        "the tournament cannot be stored at the moment; try again later", reason=Reason.UNAVAILABLE
                    )
                    for _, future in batch:
                        if not future.done():
                            future.set_exception(unavailable)
                            future.exception()  # retrieved, since nothing awaits a request of the server itself
        finally:
            entry.is_processing = False

    async def _handle_batch(self, entry: LiveTournament, batch: Sequence[tuple[Decider, asyncio.Future[None]]]) -> None:
        """Decide a batch of requests and their consequences, store the events, and open the assigned matches."""
        for _ in range(MAX_CONFLICTS):
            if entry.is_stale:
                await self._reload(entry)
            now = self._clock.now()
            state, events, refused = entry.state, list[Event](), dict[int, BoardwireError]()
            for place, (decider, _) in enumerate(batch):
                try:
                    decided = decider(state, now)
                except BoardwireError as error:
                    refused[place] = error
                    continue
                for event in decided:
                    state = evolve(state, event)
                events += decided
            if self._leads():
                for event in self._follow_up(state, now):
                    state = evolve(state, event)
                    events.append(event)
            if not events or await self.store.append(state, events):
                break
            entry.is_stale = True
        else:
            raise Unavailable(
                f"other nodes have changed tournament {entry.state.id} {MAX_CONFLICTS} times meanwhile",
                reason=Reason.UNAVAILABLE,
            )
        if events:
            entry.advance(state)
        for place, (_, future) in enumerate(batch):
            if future.done():
                continue  # cancelled: its client has disconnected
            if place in refused:
                future.set_exception(refused[place])
                future.exception()
            else:
                future.set_result(None)
        if events and self._leads():
            self._open_assigned(entry, {event.match for event in events if isinstance(event, ev.GameAssigned)})

    def _follow_up(self, state: Tournament, now: float) -> list[Event]:
        """Return the events that are due now, and assign ids to the matches that can be opened."""
        events: list[Event] = []
        for event in decide.advance(state, now):
            state = evolve(state, event)
            events.append(event)
        busy = sum(_is_between_bots(state, board) for _, _, board in state.open_boards() if board.match)
        for number, place, board in list(state.open_boards()):
            if board.match:
                continue
            if _is_between_bots(state, board):
                if busy >= MAX_BOT_MATCHES:
                    continue
                busy += 1
            events += decide.assign(state, number, place, self._names.match(), now)
        return events

    async def _reload(self, entry: LiveTournament) -> None:
        """Read the events that another node has stored, and advance to them."""
        before = state = entry.state
        events = await asyncio.to_thread(self.store.read, state.id, state.seq)
        if entry.state is not before:
            return  # a request was handled meanwhile, and has read the events
        for event in events:
            state = evolve(state, event)
        entry.is_stale = False
        if events:
            entry.advance(state)

    def _drop_if_over(self, entry: LiveTournament) -> bool:
        """Release a tournament that is over; return whether it is."""
        state = entry.state
        if state.status not in (TournamentStatus.OVER, TournamentStatus.CANCELLED):
            return False
        self._live.pop(state.id, None)
        self._remember(state)
        for match in entry.opened:
            self._by_match.pop(match, None)
        return True

    # --- tables -------------------------------------------------------------------------------------------------------

    def _open_assigned(self, entry: LiveTournament, assigned: set[str]) -> None:
        """Open the tables of newly assigned matches, or release the tournament if it is over."""
        state = entry.state
        if self._drop_if_over(entry):
            return
        for _, _, board in state.open_boards():
            if board.match in assigned:
                self._by_match[board.match] = state.id
                self._open(entry, board)

    def _open(self, entry: LiveTournament, board: Board) -> None:
        """Open the table of a board and tell its players; a refusal is retried at the next tick."""
        setup = entry.state.setup
        players = self._players(entry, board)
        bots = tuple((seat, player) for seat, player in enumerate(players) if player.bot)
        seek = Seek(setup.game, 2, Player(dialect=DIALECT), setup.options, setup.policy, bots=bots)
        entry.opened.add(board.match)
        try:
            self._step(self._lobby.open_arranged, board.match, seek, players)
            for player in players:
                self.match_ready(player.key, setup.game, board.match)
        except Refused as reason:  # for example, the server is full; the next tick tries again
            entry.opened.discard(board.match)
            log.warning("cannot open a tournament table; retrying at the next tick", tournament=entry.state.id,
                        match=board.match, error=str(reason))  # fmt: skip

    def _players(self, entry: LiveTournament, board: Board) -> list[Player]:
        return [_player(entry.state.entrants[entrant].entrant) for entrant in board.entrants]

    def _report_result(self, table: ListedTable) -> None:
        """Report the result of a table that is over."""
        match = table.match
        tournament = self._by_match.get(match.id)
        entry = None if tournament is None else self._live.get(tournament)
        if entry is None or self._closed:
            return
        if isinstance(table, Table):
            self._report(entry, match.id, match)
        else:
            entry.opened.discard(match.id)  # hosted by another node: the next tick reads it from the journal

    def _report(self, entry: LiveTournament, match: str, ended: Match | None) -> None:
        if self._by_match.pop(match, None) is not None:
            entry.opened.discard(match)
            self._enqueue(entry, partial(self._decide_result, match, ended))

    def _decide_result(self, match: str, ended: Match | None, state: Tournament, now: float) -> tuple[Event, ...]:
        """Decide the result of a match, or assign another match to its board."""
        for number, place, board in state.open_boards():
            if board.match == match:
                events = decide.report(state, number, place, ended, now)
                return events or decide.assign(state, number, place, self._names.match(), now)
        return ()

    # --- time ---------------------------------------------------------------------------------------------------------

    async def _tick(self) -> None:
        while not self._closed:
            try:
                await self.run_due()
            except Exception as error:  # noqa: BLE001 - the store may be unavailable for a while
                log.error(f"cannot run tournaments (retrying in {TICK_SECONDS:g} s)", error=str(error) or repr(error))
            await asyncio.sleep(TICK_SECONDS)

    async def run_due(self) -> None:
        """Decide due events, and look up the boards whose tables this process does not know."""
        leads = self._leads()
        if self._shared or (leads and not self._has_led):
            await self._refresh()
        if leads and not self._has_led:
            for entry in self._live.values():
                entry.opened.clear()
        self._has_led = leads
        if not leads or self._lobby.recovery.unfinished:
            return
        for entry in tuple(self._live.values()):
            now = self._clock.now()
            due = decide.due_at(entry.state)
            if (due is not None and due <= now) or any(not board.match for _, _, board in entry.state.open_boards()):
                self._enqueue(entry, _no_request)
            for _, _, board in tuple(entry.state.open_boards()):
                if board.match in entry.opened:
                    self._forfeit_absent(entry.state, board, now)
                elif board.match:
                    await self._verify(entry, board)

    async def _refresh(self) -> None:
        """Load the events that other processes have stored."""
        entries = tuple(self._live.values())
        last_events = await asyncio.to_thread(self.store.unfinished)
        for name in last_events.keys() - self._live.keys():
            await self.get(name)
        for entry in entries:
            seq = last_events.get(entry.state.id)  # None: another node has finished it
            if (seq is None or entry.state.seq < seq) and not entry.is_processing:
                await self._reload(entry)
                self._drop_if_over(entry)

    async def _verify(self, entry: LiveTournament, board: Board) -> None:
        """Look up a board's match in the lobby and the journal: report its result, or open it if there is none."""
        self._by_match[board.match] = entry.state.id
        table = self._lobby.find_table(board.match)
        if isinstance(table, Table) and table.match.status is Status.WAITING:
            self._step(self._lobby.complete_arranged, table, self._players(entry, board))
        if table is not None and table.match.status is not Status.OVER:
            entry.opened.add(board.match)
            return
        events = await asyncio.to_thread(self._journal.read, board.match)
        if not events:
            self._open(entry, board)
            return
        match = await asyncio.to_thread(fold_match, events)
        if match.status is Status.OVER:
            self._report(entry, board.match, match)

    def _forfeit_absent(self, state: Tournament, board: Board, now: float) -> None:
        """Forfeit the match of a person who stays away from a bot.

        The table alone would hold the seat for a day (`BOT_MATCH_HOLD_SECONDS`), because no person waits.
        """
        entrants = [state.entrants[number].entrant for number in board.entrants]
        if bool(entrants[0].bot) == bool(entrants[1].bot):
            return
        table = self._lobby.find_table(board.match)
        if not isinstance(table, Table) or table.match.status is not Status.PLAYING:
            return
        seat = int(bool(entrants[0].bot))
        away = table.match.chairs[seat].away
        if away is not None and away + state.setup.grace <= now:
            self._step(table.do, None, Forfeit(seat, "absent"))


def _ignore_ready_match(key: str, game: str, match: str) -> None:
    """Do nothing: the default of `Tournaments.match_ready`."""


def _no_request(state: Tournament, now: float) -> tuple[Event, ...]:
    """Change nothing; the batch still decides the events that are due."""
    return ()


def _is_between_bots(state: Tournament, board: Board) -> bool:
    return all(state.entrants[number].entrant.bot for number in board.entrants)


def _player(entrant: Entrant) -> Player:
    return Player(entrant.name, "bot" if entrant.bot else DIALECT, entrant.bot, entrant.key, account=entrant.account)
