"""A simulated cluster in one process: real lobbies, tables, replicas and messages over a seeded database, bus, clock.

- Everything is a scheduled call, ordered by simulated time; between any two of them something may fail.  Equal seeds
  give equal runs.
- The database stores events by match and number, and leases by its own clock.  A request is carried out at one moment
  and answered later, or never if the requester is dead by then.
- The bus delays messages and, as `weather` says, loses, duplicates and reorders them.
- A dead node does nothing, a stopped one does everything later, and one that is cut off receives nothing.
- **Players check every notification**: it must be stored already, and follow the one before.
"""

from __future__ import annotations

import heapq
import random
from collections.abc import Callable, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import count
from typing import Any

import msgspec

from boardwire.cluster.edge.guests import GuestRecord
from boardwire.cluster.hosting.lobby import ClusterLobby
from boardwire.cluster.member import TICK_SECONDS, Member
from boardwire.cluster.ports import BEAT_SECONDS, LEASE_SECONDS, LOBBY, LiveNode, Membership
from boardwire.cluster.transport.messages import VERSION, Message
from boardwire.errors import BoardwireError
from boardwire.lobby.requests import Introduce, Open, Resume, Seek
from boardwire.simulation.luck import ScriptedDealer
from boardwire.table.commands import Act
from boardwire.table.counters import CommitCounters
from boardwire.table.events import Ended, Event, Player, decode, encode
from boardwire.table.guest import Displaced, Guest, Introduced, Notification, Refusal, Seated, Step
from boardwire.table.match import Match, Status, fold
from boardwire.table.policy import Leaving, Policy
from boardwire.table.ports import Appended, AppendResult, Check, MatchFilter, NoBots, never_stop


class Weather(msgspec.Struct, frozen=True):
    """Probabilities of loss, duplication and reordering of a message, and the longest delays in seconds."""

    loss: float = 0.0
    doubling: float = 0.0
    disorder: float = 0.0
    delay: float = 0.01
    commit: float = 0.01


class Call:
    """A scheduled call."""

    __slots__ = ("call",)

    def __init__(self, call: Callable[[], None] | None) -> None:
        self.call = call

    def cancel(self) -> None:
        """Cancel the call."""
        self.call = None


class Database:
    """The state of PostgreSQL."""

    def __init__(self) -> None:
        self.events: dict[str, list[bytes]] = {}
        self.nodes: dict[str, tuple[int, float, float]] = {}
        """By name: generation, time of the last heartbeat, and start of its uninterrupted series."""
        self.leases: dict[str, tuple[str, int]] = {}
        self.away = False

    def append(self, match: str, first: int, bodies: list[bytes]) -> AppendResult:
        kept = self.events.setdefault(match, [])
        if first <= len(kept):
            return AppendResult.SUPERSEDED
        assert first == len(kept) + 1, "a gap"
        kept += bodies
        return AppendResult.STORED

    def ended(self, match: str) -> bool:
        return type(decode(self.events[match][-1])) is Ended

    def is_there(self, node: str, generation: int, now: float) -> bool:
        known = self.nodes.get(node)
        return known is not None and known[0] == generation and now - known[1] < LEASE_SECONDS

    def steady(self, node: str, now: float) -> bool:
        return now - self.nodes[node][2] >= LEASE_SECONDS

    def owner(self, name: str, now: float) -> str:
        node, generation = self.leases.get(name, ("", 0))
        return node if node and self.is_there(node, generation, now) else ""


class World:
    """A simulated cluster."""

    def __init__(self, seed: int, nodes: Sequence[str] = ("a", "b", "c"), weather: Weather = Weather()) -> None:  # noqa: B008 - frozen
        self.random = random.Random(seed)
        self.weather = weather
        self.now = 1000.0
        self.database = Database()
        self._order = count()
        self._line: list[tuple[float, int, WorldNode | None, Call]] = []
        self._names = count(1)
        self.cut: set[str] = set()
        """Nodes that the bus does not reach."""
        self.bus_away = False
        self.nodes: dict[str, WorldNode] = {}
        for name in nodes:
            self.start(name)

    def start(self, name: str) -> WorldNode:
        """Start or restart a node."""
        node = self.nodes[name] = WorldNode(self, name)
        return node

    def name(self) -> int:
        return next(self._names)

    def later(self, seconds: float, call: Callable[[], None], node: WorldNode | None = None) -> Call:
        made = Call(call)
        heapq.heappush(self._line, (self.now + seconds, next(self._order), node, made))
        return made

    def run(self, seconds: float) -> None:
        """Advance the time."""
        end = self.now + seconds
        while self._line and self._line[0][0] <= end:
            at, _, node, call = heapq.heappop(self._line)
            self.now = max(self.now, at)
            if call.call is None or (node is not None and node.dead):
                continue
            if node is not None and node.stopped_until > self.now:
                heapq.heappush(self._line, (node.stopped_until, next(self._order), node, call))
                continue
            call.call()
        self.now = end

    def soon(self) -> float:
        return self.random.uniform(0.0005, self.weather.delay)

    def journal(self, match: str) -> list[Event]:
        return [decode(body) for body in self.database.events.get(match, ())]


class WorldNode:
    """One node: its ports, its lobby and its member."""

    def __init__(self, world: World, name: str) -> None:
        self.world = world
        self.name = name
        self.dead = False
        self.stopped_until = 0.0
        self._last: dict[str, float] = {}
        """When the last message to each node arrives."""
        database = world.database
        self.generation = database.nodes.get(name, (0, 0.0, 0.0))[0] + 1
        database.nodes[name] = self.generation, world.now, 0.0
        self.tally = CommitCounters()
        self.busy = self.failing = False
        self.waiting = 0
        dealer = ScriptedDealer((), seed=world.random.randrange(1 << 30))
        bots = NoBots()
        self.lobby = ClusterLobby(self, self, dealer, self, bots, policy=Policy())
        self.member = Member(name, self.generation, self.lobby, self, self._send, self, self)
        self._tick()
        self._beat()

    def receive(self, sender: str, message: Message) -> None:
        """Hear a message at once, as if the bus had delivered it."""
        self.member._handle_message(sender, message)

    def record_of(self, guest: Guest) -> GuestRecord:
        """Return what the edge of this node knows of a guest."""
        return self.member.edge._records.ensure(guest)

    def kill(self) -> None:
        """Kill the node."""
        self.dead = True

    def stop(self, seconds: float) -> None:
        """Suspend the node; it catches up afterwards."""
        self.stopped_until = self.world.now + seconds

    def token(self) -> str:
        return f"token-{self.world.name()}-of-a-length-that-will-do"

    def match(self) -> str:
        return f"match-{self.world.name()}"

    def code(self) -> str:
        return f"code-{self.world.name()}"

    # --- time ---------------------------------------------------------------------------------------------------------

    def now(self) -> float:
        return self.world.now

    def later(self, seconds: float, call: Callable[[], None]) -> Call:
        return self.world.later(seconds, call, self)

    def _tick(self) -> None:
        self.later(TICK_SECONDS, self._tick)
        self.member.tick()

    def _beat(self) -> None:
        self.later(BEAT_SECONDS, self._beat)
        self._ask(self._heard, self.member.apply_membership)

    def _heard(self) -> Membership:
        database, now = self.world.database, self.world.now
        generation, beat, since = database.nodes[self.name]
        lapsed = now - beat >= LEASE_SECONDS
        if generation == self.generation:
            database.nodes[self.name] = generation, now, now if lapsed else since
        steady = database.steady(self.name, now)
        peers = [LiveNode(name, generation, VERSION) for name, (generation, beat, _) in database.nodes.items()
                 if now - beat < LEASE_SECONDS or not steady]  # fmt: skip
        return Membership(
            tuple(peers), database.owner(LOBBY, now) or ("" if steady else self.member.lobby_node), lapsed
        )

    def _ask(
        self, work: Callable[[], Any], done: Callable[[Any], None], failed: Callable[[], None] | None = None
    ) -> None:
        """Run a database request now, and deliver its answer later."""

        def at_database() -> None:
            if self.world.database.away:
                if failed is not None:
                    self.later(self.world.soon(), failed)
                return
            answer = work()
            self.later(self.world.soon(), lambda: done(answer))

        self.later(self.world.soon(), at_database)

    # --- the bus ------------------------------------------------------------------------------------------------------

    def _send(self, node: str, data: bytes) -> None:
        world = self.world
        if world.bus_away or {self.name, node} & world.cut or world.random.random() < world.weather.loss:
            return
        for _ in range(1 + (world.random.random() < world.weather.doubling)):
            other = world.nodes[node]
            at = world.now + world.soon()
            if world.random.random() >= world.weather.disorder:
                at = self._last[node] = max(at, self._last.get(node, 0.0))
            world.later(at - world.now, partial(other.member.receive, data), other)

    # --- the journal --------------------------------------------------------------------------------------------------

    def append(self, match: str, first: int, events: Sequence[Event], done: Appended) -> None:
        bodies = [encode(event) for event in events]

        def commit() -> None:
            if self.world.database.away:
                self.later(0.1, lambda: done(AppendResult.FAILED))
                return
            result = self.world.database.append(match, first, bodies)
            self.later(self.world.random.uniform(0.0005, self.world.weather.commit), lambda: done(result))

        self.world.later(self.world.random.uniform(0.0005, self.world.weather.commit), commit, self)

    def read(self, match: str, after: int = 0, check: Check = never_stop) -> Sequence[Event]:
        return [decode(body) for body in self.world.database.events.get(match, ())[after:]]

    @contextmanager
    def reading(self) -> Any:
        yield self.read

    def newest(self, before: int | None, count: int) -> list[tuple[int, str]]:
        return []

    def of_player(self, key: str, before: int | None, count: int) -> list[tuple[int, str]]:
        return []

    def list_public(self, criteria: MatchFilter, before: int | None, count: int) -> list[tuple[int, str]]:
        return []

    def unfinished(self) -> Sequence[str]:
        return ()

    def probe(self) -> None: ...
    def close(self) -> None: ...

    def fetch(self, match: str, after: int, done: Callable[[Sequence[Event] | None], None]) -> None:
        self._ask(lambda: self.read(match, after), done, lambda: done(None))

    # --- leases -------------------------------------------------------------------------------------------------------

    def take(self, names: Sequence[str], done: Callable[[Mapping[str, str] | None], None]) -> None:
        def work() -> dict[str, str]:
            database, now = self.world.database, self.world.now
            owners = {}
            for name in names:
                held = database.leases.get(name)
                free = (
                    held is None
                    or held[0] not in database.nodes
                    or (not database.is_there(*held, now) and database.steady(self.name, now))
                )
                if free and database.nodes[self.name][0] == self.generation:
                    database.leases[name] = self.name, self.generation
                owners[name] = database.leases.get(name, ("", 0))[0]
            return owners

        self._ask(work, done, lambda: done(None))

    def give(self, names: Sequence[str], node: str) -> None:
        def work() -> None:
            database = self.world.database
            for name in names:
                held = database.leases.get(name, (self.name, 0))[0]
                if held == self.name and node in database.nodes:
                    database.leases[name] = node, database.nodes[node][0]

        self._ask(work, lambda _: None)

    def drop(self, names: Sequence[str]) -> None:
        def work() -> None:
            for name in names:
                if self.world.database.leases.get(name, ("", 0))[0] == self.name:
                    del self.world.database.leases[name]

        self._ask(work, lambda _: None)

    def read_held(self, done: Callable[[Sequence[str] | None], None]) -> None:
        database = self.world.database
        self._ask(
            lambda: [one for one, lease in database.leases.items()
                     if lease == (self.name, self.generation) and one in database.events and not database.ended(one)],
            done,
            lambda: done(None),
        )  # fmt: skip

    def read_orphans(self, done: Callable[[Sequence[str] | None], None]) -> None:
        database = self.world.database
        self._ask(
            lambda: [one for one in database.events if not database.ended(one) and not database.owner(one, self.now())],
            done,
            lambda: done(None),
        )


class WorldPlayer:
    """A player that makes random legal moves and checks every notification."""

    def __init__(self, node: WorldNode, name: str, seek: Seek | Open | None = None) -> None:
        self.node = node
        self.world = node.world
        self.name = name
        self.guest = Guest(self._tell)
        self.match: Match | None = None
        self.seat: int | None = None
        self.shown: list[Event] = []
        self.record: list[tuple[str, int, bytes]] = []
        """All events ever shown to it, by match and number."""
        self.over = False
        self.refusals: list[BoardwireError] = []
        self.asked = 0
        """Number of unanswered moves."""
        self.answers = 0
        self.longest = 0.0
        """The longest time that a move was unanswered."""
        self.thinks = 0.3
        self._since = 0.0
        self._seek = seek or Seek("tris", 2, Player(name, "test"))
        self._begin()

    def _begin(self) -> None:
        self.node.later(0.0, lambda: self.node.member.do(self.guest, self._seek))

    @property
    def alive(self) -> bool:
        """Whether it must see its match to the end."""
        return not self.node.dead

    def _tell(self, notification: Notification) -> None:
        assert not self.node.dead, "the dead are told nothing"
        if isinstance(notification, Seated):
            self.match, self.seat, self.shown = notification.match, notification.seat, []
            if not notification.follows:
                self._play()
        elif isinstance(notification, Step):
            self._check(notification)
            self._play()
        elif isinstance(notification, Refusal):
            self.refusals.append(notification.reason)
            if isinstance(notification.command, Act):
                self._answered()
                self.node.later(0.5, self._play)
            elif self.match is None:
                self.node.later(0.5, lambda: self.node.member.do(self.guest, self._seek))

    def _check(self, step: Step) -> None:
        stored = self.world.database.events[step.match.id]
        for moment in step.moments:
            body = encode(moment.event)
            assert moment.match.seq <= len(stored), "what is shown is stored"
            assert stored[moment.match.seq - 1] == body, "what is shown is what is stored"
            self.record.append((step.match.id, moment.match.seq, body))
        first = step.moments[0].match.seq
        if self.shown:
            assert self.match is not None
            assert first == self.match.seq + 1, f"event {first} comes after {self.match.seq}"
        self.shown += [moment.event for moment in step.moments]
        self.match = step.match
        if any(getattr(event, "seat", None) == self.seat and type(event).__name__ == "Acted"
               for event in (moment.event for moment in step.moments)):  # fmt: skip
            self._answered()
        self.over = step.match.status is Status.OVER

    def _answered(self) -> None:
        assert self.asked, "an answer to what was not asked"
        self.asked -= 1
        self.answers += 1
        self.longest = max(self.longest, self.world.now - self._since)

    def _play(self) -> None:
        match = self.match
        if self.over or match is None or match.pending is None or self.seat not in match.pending.seats or self.asked:
            return
        action = self.world.random.choice(list(match.pending.choices))
        self.asked += 1
        self._since = self.world.now
        act = Act(self.seat, (action,), match.seq)
        node, guest = self.node, self.guest
        node.later(self.world.random.uniform(0.0, self.thinks), lambda: node.member.do(guest, act))


SILENT_SECONDS = 15.0
"""How long a lost connection stays unnoticed."""


class WorldVisitor(WorldPlayer):
    """A player with a token that reconnects through any node, and records how long it waits for answers."""

    def __init__(self, node: WorldNode, name: str) -> None:
        self.token = ""
        self.waits: list[tuple[str, float]] = []
        """Type of each request on arrival and the time to its answer."""
        self.connections = 0
        self._request: Introduce | Resume | Seek | None = None
        self._asked_at = 0.0
        super().__init__(node, name, Seek("tris", 2, Player(name, "test"), policy=POLICY_OF_VISITORS))

    @property
    def alive(self) -> bool:
        """Always True: it reconnects when its node dies."""
        return True

    def _begin(self) -> None:
        self.connections += 1
        self.guest = Guest(partial(self._hear, self.connections))
        self.asked = 0
        self._come(Introduce(self.token, self.name))
        self.world.later(0.5, partial(self._look_around, self.connections))

    def come_again(self, *, politely: bool = False) -> None:
        """Lose the connection and reconnect through any live node; if `politely`, the former node notices at once."""
        former, guest = self.node, self.guest
        living = [node for node in self.world.nodes.values() if not node.dead]
        former.later(0.0 if politely else SILENT_SECONDS, lambda: former.member.disconnected(guest))
        if living:
            self.node = self.world.random.choice(living)
            self._begin()
        else:
            self.world.later(0.5, self.come_again)

    def _look_around(self, connection: int) -> None:
        if self.connections != connection or self.over:
            return
        if self.node.dead:
            self.come_again()
        else:
            self.world.later(0.5, partial(self._look_around, connection))

    def _come(self, request: Introduce | Resume | Seek) -> None:
        node, guest = self.node, self.guest
        self._request, self._asked_at = request, self.world.now
        node.later(0.0, lambda: node.member.do(guest, request))

    def waiting(self) -> float:
        """Return for how long a request has been unanswered, or 0."""
        return self.world.now - self._asked_at if self._request is not None and not self.over else 0.0

    def _hear(self, connection: int, told: Notification) -> None:
        if connection != self.connections:
            return  # it is lost
        if self._request is not None and isinstance(told, Introduced | Seated | Refusal):
            self.waits.append((type(self._request).__name__, self.world.now - self._asked_at))
        match told:
            case Introduced(token=token, key=key, held_seats=kept):
                self.token = token
                if self.match is not None and self.seat is not None:
                    self._come(Resume(self.match.id, self.seat, key))
                elif kept:  # it was gone before it could be told
                    self._come(Resume(kept[0][0].id, kept[0][1], key))
                else:
                    self._come(Seek("tris", 2, Player(self.name, "test", key=key), policy=POLICY_OF_VISITORS))
            case Displaced():
                self.come_again()
            case Refusal(command=command) if not isinstance(command, Act):
                self.refusals.append(told.reason)
                request, self._request = self._request, None
                if self.match is not None and self.world.database.ended(self.match.id):
                    self.match, self.over = fold(self.world.journal(self.match.id)), True
                elif isinstance(request, Resume) and self.world.database.ended(request.match):
                    self._come(Introduce(self.token, self.name))  # its waiting table closed just before it came back
                elif request is not None:
                    self.node.later(0.5, lambda: self._come(request) if connection == self.connections else None)
            case _:
                if isinstance(told, Seated):
                    self._request = None
                self._tell(told)

    def _play(self) -> None:
        if self._request is None:
            super()._play()

    def _answered(self) -> None:
        """Count an answer; a move made before a reconnection may be answered after it."""
        if self.asked:
            super()._answered()


def check_end(world: World, players: Sequence[WorldPlayer]) -> None:
    """Check that every player on a live node has seen its match to the end, and that no event once shown is lost."""
    for player in players:
        for match, seq, body in player.record:
            assert world.database.events[match][seq - 1] == body, f"{player.name} was shown what is no more"
    alone: list[str] = []
    for player in players:
        if not player.alive:
            continue
        assert player.match is not None, f"{player.name} never sat down"
        stored = world.journal(player.match.id)
        if player.match.status is Status.WAITING:
            alone.append(player.name)
            continue
        assert player.over, f"{player.name} waits in {player.match.id}: {player.match.seq} of {len(stored)}"
        final = fold(stored)
        assert (player.match.position, player.match.outcome, player.match.seq) == (
            final.position, final.outcome, final.seq,
        )  # fmt: skip
        assert not player.asked
    assert len(alone) < 2, f"{alone} wait, each alone"


POLICY_OF_VISITORS = Policy(Leaving.HOLDS, 30.0)
