"""Leases and heartbeats in PostgreSQL: who is there, and who hosts which match.

Rules:

- A node is one row with the time of its last heartbeat; a lease is one row with the name and the life of a node.  A
  lease holds while the heartbeat of its node is less than `LEASE_SECONDS` old: one statement renews all of a node's.
- **Only the database's clock is looked at**, so it does not matter what the machines think the time is.
- A node whose own heartbeat lapsed takes nobody for dead before it has been heard of for as long as a lease lasts: when
  the database was away, everybody's heartbeat is old.
- What is asked is done in a thread of its own, in order for each match; what comes together is one statement for all
  matches.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from enum import Enum, auto
from functools import partial
from queue import Empty, SimpleQueue
from time import monotonic, sleep
from typing import Any, Final, LiteralString, NamedTuple

from boardwire.cluster.ports import BEAT_SECONDS, LEASE_SECONDS, Peer, Roll
from boardwire.cluster.transport.messages import VERSION
from boardwire.errors import BoardwireError, ConfigError
from boardwire.store.group_commit import Post
from boardwire.store.postgres import connect
from boardwire.table.events import Event
from boardwire.table.ports import Journal

try:
    import psycopg
except ImportError:  # it comes with the extra `cluster`
    psycopg = None  # type: ignore[assignment]

_FRESH: Final = "interval '3 seconds'"
assert LEASE_SECONDS == 3.0, "as the statements say"

_JOIN: Final = f"""
    INSERT INTO boardwire.nodes (name, life, beat, steady, version)
    VALUES (%(name)s, 1, now(), '-infinity', %(version)s)
    ON CONFLICT (name) DO UPDATE
        SET life = nodes.life + 1, beat = now(), steady = '-infinity', version = excluded.version
        WHERE nodes.beat < now() - {_FRESH}
    RETURNING life
"""
_BEAT: Final = f"""
    WITH was AS (
        SELECT beat < now() - {_FRESH} AS lapsed FROM boardwire.nodes WHERE name = %(name)s AND life = %(life)s
    ), me AS (
        UPDATE boardwire.nodes
        SET steady = CASE WHEN beat < now() - {_FRESH} THEN now() ELSE steady END, beat = now()
        WHERE name = %(name)s AND life = %(life)s
        RETURNING steady > now() - {_FRESH} AS unsure
    ), there AS (
        SELECT nodes.name, nodes.life, nodes.version FROM boardwire.nodes, me
        WHERE nodes.name = %(name)s OR nodes.beat > now() - {_FRESH} OR (me.unsure AND nodes.beat > '-infinity')
    )
    SELECT there.name, there.life, there.version, was.lapsed, leases.match IS NOT NULL
    FROM was, there LEFT JOIN boardwire.leases
        ON leases.match = '' AND leases.node = there.name AND leases.life = there.life
"""
_TAKE: Final = f"""
    INSERT INTO boardwire.leases (match, node, life)
    SELECT match, name, life FROM boardwire.nodes, unnest(%(matches)s::text[]) AS match
    WHERE name = %(name)s AND life = %(life)s
    ON CONFLICT (match) DO UPDATE SET node = excluded.node, life = excluded.life
    WHERE NOT EXISTS (
        SELECT FROM boardwire.nodes AS held, boardwire.nodes AS me
        WHERE held.name = leases.node AND held.life = leases.life AND me.name = %(name)s
            AND (held.beat > now() - {_FRESH} OR (me.steady > now() - {_FRESH} AND held.beat > '-infinity'))
    )
"""
_OWNERS: Final = "SELECT match, node FROM boardwire.leases WHERE match = ANY (%(matches)s::text[])"
_GIVE: Final = """
    INSERT INTO boardwire.leases (match, node, life)
    SELECT match, name, life FROM boardwire.nodes, unnest(%(matches)s::text[]) AS match WHERE name = %(node)s
    ON CONFLICT (match) DO UPDATE SET node = excluded.node, life = excluded.life WHERE leases.node = %(name)s
"""
_DROP: Final = "DELETE FROM boardwire.leases WHERE match = ANY (%(matches)s::text[]) AND node = %(name)s"
_ORPHANS: Final = f"""
    SELECT id FROM boardwire.matches WHERE NOT ended AND NOT EXISTS (
        SELECT FROM boardwire.leases JOIN boardwire.nodes ON name = node AND nodes.life = leases.life
        WHERE match = id AND beat > now() - {_FRESH}
    ) ORDER BY number
"""
_HELD: Final = """
    SELECT match FROM boardwire.leases JOIN boardwire.matches ON id = match
    WHERE node = %(name)s AND life = %(life)s AND NOT ended
"""
_LEAVE: Final = "UPDATE boardwire.nodes SET beat = '-infinity' WHERE name = %(name)s AND life = %(life)s"
_TIDY: Final = "DELETE FROM boardwire.nodes WHERE beat < now() - interval '1 day'"


class Deed(Enum):
    """What can be wished for of a lease."""

    TAKE = auto()
    GIVE = auto()
    DROP = auto()


class Wish(NamedTuple):
    """Something that is to be done with leases; `node` is who is given them."""

    deed: Deed
    node: str
    names: Sequence[str]
    done: Callable[[Mapping[str, str] | None], None] = lambda owners: None


class PostgresLeases:
    """See the module.  `post` runs a call on the node's own thread; `beat` is told of every heartbeat that was heard,
    `usurped` that another node has taken this one's name."""

    def __init__(
        self, address: str, name: str, post: Post, beat: Callable[[Roll], None], usurped: Callable[[], None]
    ) -> None:
        self.name = name
        self._address = address
        self._post = post
        self._beat = beat
        self._usurped = usurped
        with ExitStack() as on_failure:
            self._connection = _connect(address)
            on_failure.callback(self._connection.close)
            self.life = self._join()
            row = self._connection.execute("SELECT id, key FROM boardwire.cluster").fetchone()
            assert row is not None, "a database that was brought up to date has one"
            self.cluster = str(row[0])
            self.key = bytes(row[1])
            """The cluster's key (`seal.py`)."""
            on_failure.pop_all()
        self._queue: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._wishes: list[Wish] = []
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._run, name="leases", daemon=True)

    def _join(self) -> int:
        """Be there under this name; `ConfigError` if another node that is there has it."""
        end = monotonic() + LEASE_SECONDS + 2 * BEAT_SECONDS
        seen = None
        while True:
            row = self._execute(_JOIN, version=VERSION).fetchone()
            if row is not None:
                self._execute(_TIDY)
                life: int = row[0]
                return life
            row = self._execute("SELECT beat FROM boardwire.nodes WHERE name = %(name)s").fetchone()
            if monotonic() > end or (seen is not None and row != seen):
                words = f"another node called {self.name!r} is running; give this one another name with --node"
                raise ConfigError(words)
            seen = row
            sleep(BEAT_SECONDS / 2)  # it may have been killed just now: then it is there no longer soon

    def start(self) -> None:
        """Let the heart beat."""
        self._thread.start()

    def close(self) -> None:
        """Have nothing any longer, and be there no more."""
        self._queue.put(None)
        if self._thread.is_alive():
            self._thread.join()
        with suppress(psycopg.Error):
            self._execute("DELETE FROM boardwire.leases WHERE node = %(name)s")
            self._execute(_LEAVE)
        self._connection.close()

    # --- see `boardwire.cluster.ports.Leases` -------------------------------------------------------------------------

    def take(self, names: Sequence[str], done: Callable[[Mapping[str, str] | None], None]) -> None:
        """Have those that nobody who is there has; `done` is told who has each."""
        self._wish(Wish(Deed.TAKE, "", names, done))

    def give(self, names: Sequence[str], node: str) -> None:
        """Let `node` have these, which this node has, or nobody."""
        self._wish(Wish(Deed.GIVE, node, names))

    def drop(self, names: Sequence[str]) -> None:
        """Have these no longer."""
        self._wish(Wish(Deed.DROP, "", names))

    def _wish(self, wish: Wish) -> None:
        with self._lock:
            self._wishes.append(wish)
            first = len(self._wishes) == 1
        if first:
            self._queue.put(self._grant_all)

    def held(self, done: Callable[[Sequence[str] | None], None]) -> None:
        """The matches without an end that this node has."""
        self._ask(lambda: [name for (name,) in self._execute(_HELD)], done)

    def orphans(self, done: Callable[[Sequence[str] | None], None]) -> None:
        """The matches without an end that nobody who is there has, oldest first."""
        self._ask(lambda: [name for (name,) in self._execute(_ORPHANS)], done)

    def _grant_all(self) -> None:
        """Do all that was wished for before there was time for it."""
        with self._lock:
            wishes, self._wishes = self._wishes, []
        for group in grouped(wishes):
            names = sorted({name for wish in group for name in wish.names})
            match group[0].deed:
                case Deed.TAKE:
                    self._work(partial(self._take, names), partial(_share, group))
                case Deed.GIVE:
                    self._work(partial(self._execute, _GIVE, matches=names, node=group[0].node), _nothing)
                case Deed.DROP:
                    self._work(partial(self._execute, _DROP, matches=names), _nothing)

    def _take(self, names: Sequence[str]) -> dict[str, str]:
        self._execute(_TAKE, matches=names)
        found: dict[str, str] = dict(self._execute(_OWNERS, matches=names).fetchall())
        return {name: found.get(name, "") for name in names}

    def _ask(self, work: Callable[[], Any], done: Callable[[Any], None]) -> None:
        self._queue.put(partial(self._work, work, done))

    # --- the thread ---------------------------------------------------------------------------------------------------

    def _run(self) -> None:
        due = monotonic()
        while True:
            if monotonic() >= due:  # however much there is to do
                due = monotonic() + BEAT_SECONDS
                self._work(self._hear, self._heard)
            try:
                work = self._queue.get(timeout=max(0.0, due - monotonic()))
            except Empty:
                continue
            if work is None:
                return
            work()

    def _work(self, work: Callable[[], Any], done: Callable[[Any], None]) -> None:
        try:
            if self._connection.closed:
                self._connection = _connect(self._address)
            answer = work()
        except (psycopg.Error, BoardwireError):
            answer = None
        self._post(done, answer)

    def _hear(self) -> Roll | bool:
        rows = self._execute(_BEAT, life=self.life).fetchall()
        if not rows:
            return False
        peers = tuple(Peer(name, life, version) for name, life, version, _, _ in rows)
        lobby = next((row[0] for row in rows if row[4]), "")
        return Roll(peers, lobby, rows[0][3])

    def _heard(self, roll: Roll | bool | None) -> None:
        if roll is False:
            self._usurped()
        elif isinstance(roll, Roll):
            self._beat(roll)

    def _execute(self, query: LiteralString, **values: object) -> Any:
        return self._connection.execute(query, {"name": self.name, "life": getattr(self, "life", 0), **values})


def grouped(wishes: Sequence[Wish]) -> Iterator[list[Wish]]:
    """Wishes that are done together, in an order in which those for the same match come one after the other."""
    groups: dict[tuple[Deed, str], list[Wish]] = {}
    said: dict[str, tuple[Deed, str]] = {}
    """What is wished for each match so far."""
    for wish in wishes:
        what = wish.deed, wish.node
        if any(said.get(name, what) != what for name in wish.names):
            yield from groups.values()
            groups, said = {}, {}
        groups.setdefault(what, []).append(wish)
        said.update(dict.fromkeys(wish.names, what))
    yield from groups.values()


def _share(wishes: Sequence[Wish], owners: Mapping[str, str] | None) -> None:
    """Tell everybody who asked together who has what each of them asked for."""
    for wish in wishes:
        wish.done(None if owners is None else {name: owners[name] for name in wish.names})


def _connect(address: str) -> Any:
    connection = connect(address)
    connection.execute("SET statement_timeout = 2000")
    return connection


def _nothing(answer: object) -> None:
    """Nobody waits for it."""


class JournalReader:
    """Reads a journal in threads of its own (`boardwire.cluster.ports.Reader`)."""

    def __init__(self, journal: Journal, post: Post, threads: int = 2) -> None:
        self._journal = journal
        self._post = post
        self._threads = ThreadPoolExecutor(threads, "replicas")

    def fetch(self, match: str, after: int, done: Callable[[Sequence[Event] | None], None]) -> None:
        """The events of a match that come after number `after`."""
        with suppress(RuntimeError):  # it is closed, and nobody waits
            self._threads.submit(self._read, match, after, done)

    def _read(self, match: str, after: int, done: Callable[[Sequence[Event] | None], None]) -> None:
        events: Sequence[Event] | None = None
        with suppress(BoardwireError):
            events = self._journal.read(match, after)
        self._post(done, events)

    def close(self) -> None:
        """Read nothing more."""
        self._threads.shutdown(wait=False, cancel_futures=True)
