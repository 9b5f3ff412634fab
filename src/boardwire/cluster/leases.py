"""Leases and heartbeats in PostgreSQL: which nodes are live, and which of them hosts which match.

- A node is one row with the time of its last heartbeat; a lease is one row with the name and the generation (`life`) of
  a node. A lease holds while the heartbeat of its node is younger than `LEASE_SECONDS`, so one statement renews all
  leases of a node.
- **Only the database's clock counts**; the clocks of the nodes may differ.
- A node whose own heartbeat has lapsed considers no other node dead until it has been live for as long as a lease
  lasts: after an outage of the database, all heartbeats are old.
- A thread runs the statements, in order for each match. Requests that arrive together share one statement.
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
from typing import TYPE_CHECKING, Any, Final, LiteralString, NamedTuple

from boardwire.cluster.ports import BEAT_SECONDS, LEASE_SECONDS, LiveNode, Membership
from boardwire.cluster.transport.messages import VERSION
from boardwire.errors import BoardwireError, ConfigError
from boardwire.store import driver
from boardwire.store.group_commit import Post
from boardwire.store.postgres import connect
from boardwire.table.events import Event
from boardwire.table.ports import Journal

if TYPE_CHECKING:
    import psycopg
else:
    psycopg = driver

_FRESH: Final = "interval '3 seconds'"
assert LEASE_SECONDS == 3.0, "_FRESH must match LEASE_SECONDS"

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


class Operation(Enum):
    """Operations on leases."""

    TAKE = auto()
    GIVE = auto()
    DROP = auto()


class LeaseRequest(NamedTuple):
    """A queued operation on leases; `node` is the receiver of a transfer."""

    operation: Operation
    node: str
    names: Sequence[str]
    done: Callable[[Mapping[str, str] | None], None] = lambda owners: None


class PostgresLeases:
    """Leases and heartbeats of one node in PostgreSQL.

    `post` runs a call on the node's thread. `beat` receives the answer to every heartbeat; `name_taken` is called when
    another node has taken this one's name.
    """

    def __init__(
        self, address: str, name: str, post: Post, beat: Callable[[Membership], None], name_taken: Callable[[], None]
    ) -> None:
        self.name = name
        self._address = address
        self._post = post
        self._beat = beat
        self._name_taken = name_taken
        with ExitStack() as on_failure:
            self._connection = _connect(address)
            on_failure.callback(self._connection.close)
            self.generation = self._join()
            row = self._connection.execute("SELECT id, key FROM boardwire.cluster").fetchone()
            assert row is not None, "the migrations of the database insert one row"
            self.cluster = str(row[0])
            self.key = bytes(row[1])
            """The cluster's key (`authentication.py`)."""
            on_failure.pop_all()
        self._queue: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._requests: list[LeaseRequest] = []
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._run, name="leases", daemon=True)

    def _join(self) -> int:
        """Register under this name and return the generation; raise `ConfigError` if a live node has the name."""
        deadline = monotonic() + LEASE_SECONDS + 2 * BEAT_SECONDS
        last_beat = None
        while True:
            row = self._execute(_JOIN, version=VERSION).fetchone()
            if row is not None:
                self._execute(_TIDY)
                generation: int = row[0]
                return generation
            row = self._execute("SELECT beat FROM boardwire.nodes WHERE name = %(name)s").fetchone()
            if monotonic() > deadline or (last_beat is not None and row != last_beat):
                message = f"another node named {self.name!r} is running; choose another name for this node with --node"
                raise ConfigError(message)
            last_beat = row
            sleep(BEAT_SECONDS / 2)  # a node killed just now is live until its lease lapses

    def start(self) -> None:
        """Start the heartbeat."""
        self._thread.start()

    def close(self) -> None:
        """Release all leases and unregister."""
        self._queue.put(None)
        if self._thread.is_alive():
            self._thread.join()
        with suppress(psycopg.Error):
            self._execute("DELETE FROM boardwire.leases WHERE node = %(name)s")
            self._execute(_LEAVE)
        self._connection.close()

    # --- requests (`boardwire.cluster.ports.Leases`) ------------------------------------------------------------------

    def take(self, names: Sequence[str], done: Callable[[Mapping[str, str] | None], None]) -> None:
        """Take the leases that no live node holds; `done` receives the holder of each, None without the database."""
        self._enqueue(LeaseRequest(Operation.TAKE, "", names, done))

    def give(self, names: Sequence[str], node: str) -> None:
        """Transfer leases to `node`, if this node holds them or they are free."""
        self._enqueue(LeaseRequest(Operation.GIVE, node, names))

    def drop(self, names: Sequence[str]) -> None:
        """Release leases."""
        self._enqueue(LeaseRequest(Operation.DROP, "", names))

    def _enqueue(self, request: LeaseRequest) -> None:
        with self._lock:
            self._requests.append(request)
            first = len(self._requests) == 1
        if first:
            self._queue.put(self._run_requests)

    def read_held(self, done: Callable[[Sequence[str] | None], None]) -> None:
        """Pass the unfinished matches whose leases this node holds to `done`."""
        self._query(lambda: [name for (name,) in self._execute(_HELD)], done)

    def read_orphans(self, done: Callable[[Sequence[str] | None], None]) -> None:
        """Pass the unfinished matches whose leases no live node holds to `done`, oldest first."""
        self._query(lambda: [name for (name,) in self._execute(_ORPHANS)], done)

    def _run_requests(self) -> None:
        """Run all queued requests, in as few statements as possible."""
        with self._lock:
            requests, self._requests = self._requests, []
        for group in batches(requests):
            names = sorted({name for request in group for name in request.names})
            match group[0].operation:
                case Operation.TAKE:
                    self._run_and_post(partial(self._take, names), partial(_answer_all, group))
                case Operation.GIVE:
                    self._run_and_post(partial(self._execute, _GIVE, matches=names, node=group[0].node), _ignore)
                case Operation.DROP:
                    self._run_and_post(partial(self._execute, _DROP, matches=names), _ignore)

    def _take(self, names: Sequence[str]) -> dict[str, str]:
        self._execute(_TAKE, matches=names)
        owners: dict[str, str] = dict(self._execute(_OWNERS, matches=names).fetchall())
        return {name: owners.get(name, "") for name in names}

    def _query(self, work: Callable[[], Any], done: Callable[[Any], None]) -> None:
        self._queue.put(partial(self._run_and_post, work, done))

    # --- the thread ---------------------------------------------------------------------------------------------------

    def _run(self) -> None:
        """Run queued work and send heartbeats until None is queued."""
        due = monotonic()
        while True:
            if monotonic() >= due:  # before any queued work: a late heartbeat would cost the node all its leases
                due = monotonic() + BEAT_SECONDS
                self._run_and_post(self._send_heartbeat, self._handle_heartbeat)
            try:
                work = self._queue.get(timeout=max(0.0, due - monotonic()))
            except Empty:
                continue
            if work is None:
                return
            work()

    def _run_and_post(self, work: Callable[[], Any], done: Callable[[Any], None]) -> None:
        """Do the work and post its result to `done`, or None if the database cannot be reached."""
        try:
            if self._connection.closed:
                self._connection = _connect(self._address)
            answer = work()
        except (psycopg.Error, BoardwireError):
            answer = None
        self._post(done, answer)

    def _send_heartbeat(self) -> Membership | bool:
        """Renew the node's row and return the membership; False if another node has taken this one's name."""
        rows = self._execute(_BEAT, life=self.generation).fetchall()
        if not rows:
            return False
        peers = tuple(LiveNode(name, life, version) for name, life, version, _, _ in rows)
        lobby = next((row[0] for row in rows if row[4]), "")
        return Membership(peers, lobby, rows[0][3])

    def _handle_heartbeat(self, membership: Membership | bool | None) -> None:
        """Report the result of a heartbeat; None if the database could not be reached: the next one follows soon."""
        if membership is False:
            self._name_taken()
        elif isinstance(membership, Membership):
            self._beat(membership)

    def _execute(self, query: LiteralString, **values: object) -> Any:
        generation = getattr(self, "generation", 0)  # unknown until `_join` has returned it
        return self._connection.execute(query, {"name": self.name, "life": generation, **values})


def batches(requests: Sequence[LeaseRequest]) -> Iterator[list[LeaseRequest]]:
    """Group requests that one statement can carry out; requests for the same match stay in order."""
    groups: dict[tuple[Operation, str], list[LeaseRequest]] = {}
    group_keys: dict[str, tuple[Operation, str]] = {}
    """Operation and receiver for each match in the current groups."""
    for request in requests:
        key = request.operation, request.node
        if any(group_keys.get(name, key) != key for name in request.names):
            yield from groups.values()
            groups, group_keys = {}, {}
        groups.setdefault(key, []).append(request)
        group_keys.update(dict.fromkeys(request.names, key))
    yield from groups.values()


def _answer_all(requests: Sequence[LeaseRequest], owners: Mapping[str, str] | None) -> None:
    """Pass each requester the holders of the leases it asked for."""
    for request in requests:
        request.done(None if owners is None else {name: owners[name] for name in request.names})


def _connect(address: str) -> Any:
    connection = connect(address)
    connection.execute("SET statement_timeout = 2000")  # ms: a heartbeat must not wait as long as a lease lasts
    return connection


def _ignore(answer: object) -> None:
    """Ignore an answer."""


class JournalReader:
    """Reader of a journal in worker threads (`boardwire.cluster.ports.Reader`)."""

    def __init__(self, journal: Journal, post: Post, threads: int = 2) -> None:
        self._journal = journal
        self._post = post
        self._threads = ThreadPoolExecutor(threads, "journal-reader")

    def fetch(self, match: str, after: int, done: Callable[[Sequence[Event] | None], None]) -> None:
        """Pass the events of a match after number `after` to `done`, or None if the journal cannot be read."""
        with suppress(RuntimeError):  # closed: no caller waits for an answer
            self._threads.submit(self._read, match, after, done)

    def _read(self, match: str, after: int, done: Callable[[Sequence[Event] | None], None]) -> None:
        events: Sequence[Event] | None = None
        with suppress(BoardwireError):
            events = self._journal.read(match, after)
        self._post(done, events)

    def close(self) -> None:
        """Stop reading."""
        self._threads.shutdown(wait=False, cancel_futures=True)
