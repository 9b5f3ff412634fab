"""Journal in PostgreSQL.

- All tables are in the schema `boardwire`; the rest of the database may belong to other programs and is not touched.
- The table `events (match, seq, body)` has the primary key (match, seq), which orders competing writers: one whose row
  exists already has been superseded. This depends on no clock and no lock.
- A commit is one statement for all pending appends, with `synchronous_commit` on.
- **The result of a commit is unknown if the connection breaks.** The commit is repeated over new connections until it
  succeeds; rows that exist with the same bytes were stored by the first attempt. Only then are the appends confirmed.
- One server or one cluster writes at a time: it holds an advisory lock while it is connected, exclusive or shared with
  the other nodes. Any number of processes may read.
- Error messages never contain the address of the database: it may include a password.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from itertools import groupby
from operator import itemgetter
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, LiteralString

from boardwire.errors import BoardwireError, ConfigError, Reason, Unavailable
from boardwire.store import driver
from boardwire.store.arrays import ARRAY_OIDS, Kind, booleans, integers, pack_array, texts
from boardwire.store.decoding import decode_events
from boardwire.store.group_commit import Append, Post, StoredMatch, StoreJournal
from boardwire.store.match_facts import SEATING, facts_in
from boardwire.table.events import Event
from boardwire.table.ports import AppendResult, Check, MatchFilter, never_stop

if TYPE_CHECKING:
    import psycopg
else:
    psycopg = driver

SCHEMES: Final = ("postgresql://", "postgres://")
"""URL schemes of a database address."""

CONNECT_RETRY_SECONDS: Final = 0.5
"""Pause between attempts to connect."""
_CONNECT_SECONDS: Final = 5
_TCP_TIMEOUT_SECONDS: Final = 10
"""TCP user timeout: the connection is closed if data is not acknowledged within this time."""
_IDLE_READERS: Final = 8
"""Idle connections that are kept for later readers."""
_CHECK_AFTER_SECONDS: Final = 0.2
"""An idle connection is checked before reuse only after this time."""
_LOCK: Final = 0x626F617264
"""Number of the advisory lock that a writing server holds."""
_UNEXPLAINED_CLASHES: Final = 3
"""Unique violations without an existing row after which the database is considered broken."""
BINARY: Final = 1
"""Format code of binary parameters."""
_MAX_NUMBER: Final = 2**63 - 1
"""Upper bound of match numbers, used for a list that begins with the newest match."""
_NOT_OURS: Final = "the database has another program's schema 'boardwire'; use another database"

MIGRATIONS: Final = (
    # 1: matches in the order in which they were opened, events by match and number; the body is the event's JSON
    """
    CREATE TABLE boardwire.matches (
        number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id text NOT NULL UNIQUE, ended boolean NOT NULL
    );
    CREATE INDEX unfinished ON boardwire.matches (number) WHERE NOT ended;
    CREATE TABLE boardwire.events (
        match text NOT NULL, seq integer NOT NULL, body bytea NOT NULL, PRIMARY KEY (match, seq)
    );
    """,
    # 2: nodes of a cluster, and the leases of matches (the empty name is the lobby)
    """
    CREATE TABLE boardwire.cluster (id uuid NOT NULL);
    INSERT INTO boardwire.cluster VALUES (gen_random_uuid());
    CREATE TABLE boardwire.nodes (
        name text PRIMARY KEY, life bigint NOT NULL, beat timestamptz NOT NULL, steady timestamptz NOT NULL,
        version integer NOT NULL
    );
    CREATE TABLE boardwire.leases (match text PRIMARY KEY, node text NOT NULL, life bigint NOT NULL);
    CREATE INDEX leases_by_node ON boardwire.leases (node);
    """,
    # 3: matches by token hash (`match_facts.py`), filled from the readable events
    """
    CREATE TABLE boardwire.sitters (player text NOT NULL, match text NOT NULL, PRIMARY KEY (player, match));
    INSERT INTO boardwire.sitters SELECT DISTINCT player, match FROM (
        SELECT substring(encode(body, 'escape') FROM '"key":"([^"]+)"') AS player, match FROM boardwire.events
        WHERE substring(body FROM 1 FOR 17) = '{"event":"joined"'::bytea
    ) AS joined WHERE player IS NOT NULL;
    """,
    # 4: facts for lists (`match_facts.py`). A node of the previous version may still write without them; `_index`
    # fills in what is NULL whenever a server connects
    """
    ALTER TABLE boardwire.matches ADD COLUMN game text, ADD COLUMN private boolean;
    CREATE INDEX matches_by_game ON boardwire.matches (game, number) WHERE private IS NOT TRUE;
    CREATE INDEX matches_by_end ON boardwire.matches (ended, number) WHERE private IS NOT TRUE;
    CREATE INDEX matches_by_game_and_end ON boardwire.matches (game, ended, number) WHERE private IS NOT TRUE;
    CREATE INDEX public_matches ON boardwire.matches (number) WHERE private IS NOT TRUE;
    CREATE INDEX matches_without_game ON boardwire.matches (number) WHERE game IS NULL;
    CREATE TABLE boardwire.names (name text NOT NULL, number bigint NOT NULL, PRIMARY KEY (name, number));
    ALTER TABLE boardwire.sitters ADD COLUMN number bigint;
    UPDATE boardwire.sitters SET number = matches.number FROM boardwire.matches WHERE id = match;
    CREATE INDEX sitters_by_number ON boardwire.sitters (player, number);
    CREATE INDEX sitters_without_number ON boardwire.sitters (match) WHERE number IS NULL;
    """,
    # 5: the key with which nodes authenticate their messages; 244 of its 256 bits are random
    """
    ALTER TABLE boardwire.cluster ADD COLUMN key bytea;
    UPDATE boardwire.cluster SET key = sha256((gen_random_uuid()::text || gen_random_uuid()::text)::bytea);
    ALTER TABLE boardwire.cluster ALTER COLUMN key SET NOT NULL;
    """,
)
"""Released migrations never change; new ones are appended."""

_EVENTS: Final = b"""
    INSERT INTO boardwire.events (match, seq, body) SELECT * FROM unnest($1::text[], $2::integer[], $3::bytea[])
"""
_SEATING: Final = (
    b"""
    WITH opened AS (
        INSERT INTO boardwire.matches (id, ended, game, private)
        SELECT id, over, game, private
        FROM unnest($4::text[], $5::boolean[], $9::text[], $10::boolean[])
            WITH ORDINALITY AS new (id, over, game, private, place)
        ORDER BY place
        RETURNING id, number, private
    ), ended AS (
        UPDATE boardwire.matches SET ended = true WHERE id = ANY ($6::text[])
    ), sat AS (
        INSERT INTO boardwire.sitters (player, match, number)
        SELECT player, new.match, coalesce(opened.number, old.number)
        FROM unnest($7::text[], $8::text[]) AS new (player, match)
        LEFT JOIN opened ON opened.id = new.match LEFT JOIN boardwire.matches AS old ON old.id = new.match
        ON CONFLICT DO NOTHING
    ), named AS (
        INSERT INTO boardwire.names
        SELECT name, coalesce(opened.number, old.number)
        FROM unnest($11::text[], $12::text[]) AS new (name, match)
        LEFT JOIN opened ON opened.id = new.match LEFT JOIN boardwire.matches AS old ON old.id = new.match
        WHERE coalesce(opened.number, old.number) IS NOT NULL AND coalesce(opened.private, old.private) IS NOT TRUE
        ON CONFLICT DO NOTHING
    )
    """
    + _EVENTS
)
_STATEMENTS: Final = {
    b"boardwire_events": (_EVENTS, (Kind.TEXT, Kind.INTEGER, Kind.BYTES)),
    b"boardwire_seating": (
        _SEATING,
        (
            Kind.TEXT, Kind.INTEGER, Kind.BYTES, Kind.TEXT, Kind.BOOLEAN, Kind.TEXT, Kind.TEXT, Kind.TEXT,
            Kind.TEXT, Kind.BOOLEAN, Kind.TEXT, Kind.TEXT,
        ),
    ),
}  # fmt: skip
"""Statements of a commit: one for moves only, as in almost every commit, and one for everything else. Each connection
prepares both."""
_TABLES: Final = """
    SELECT relname FROM pg_namespace LEFT JOIN pg_class ON relnamespace = pg_namespace.oid WHERE nspname = 'boardwire'
"""
"""Query of the tables in the schema; no rows if there is no schema.

A lookup by name (`to_regclass`) would be faster, but on a connection that waited for another one to create the schema
it may be answered from a stale cache.
"""
_FIND: Final = """
    SELECT match, seq, body FROM boardwire.events
    WHERE (match, seq) IN (SELECT * FROM unnest(%s::text[], %s::integer[]))
"""
_UNINDEXED: Final = """
    SELECT number, id FROM boardwire.matches WHERE game IS NULL AND number > %s ORDER BY number LIMIT 256
"""
_SEATING_EVENTS: Final = """
    SELECT match, body FROM boardwire.events WHERE match = ANY (%s::text[])
    AND (seq = 1 OR substring(body FROM 1 FOR 14) = ANY (%s::bytea[]))
    ORDER BY match, seq
"""
_PAGE: Final = "SELECT number FROM boardwire.matches WHERE number > %s ORDER BY number LIMIT 256"
_STORED: Final = """
    SELECT number, id, ended, seq, body FROM boardwire.matches LEFT JOIN boardwire.events ON match = id
    WHERE number > %s AND number <= %s ORDER BY number, seq
"""


def is_address(text: str) -> bool:
    """Return whether this is the address of a PostgreSQL database."""
    return text.startswith(SCHEMES)


class PostgresLog:
    """Writing side of a PostgreSQL store, used by `group_commit.py`."""

    def __init__(self, address: str, *, shared: bool = False) -> None:
        self._address = address
        self._shared = shared
        self._closing = threading.Event()
        self._connection = self._connect()

    def write(self, appends: Sequence[Append]) -> list[AppendResult]:
        """Store all appends in one commit and return their results. If it raises, nothing is stored."""
        in_doubt = False
        while True:
            try:
                return self._write(appends, in_doubt=in_doubt) if appends else self._probe()
            except psycopg.OperationalError:
                if not self._connection.closed:
                    raise  # the database has answered, so nothing is stored; the disk may be full
                in_doubt = True
                if not self._reconnect():
                    raise

    def _probe(self) -> list[AppendResult]:
        """Write a row, so that the database must reach its disk."""
        self._connection.execute("UPDATE boardwire.format SET number = number")
        return []

    def roll_back(self) -> None:
        """Do nothing: a commit is one statement."""

    def close(self) -> None:
        """Close the connection; the result of an unanswered commit stays unknown."""
        self._connection.close()

    def give_up(self) -> None:
        """Stop trying to reconnect."""
        self._closing.set()

    def _connect(self) -> psycopg.Connection[Any]:
        """Return a connection to the migrated and locked store."""
        connection = connect(self._address)
        with ExitStack() as on_failure:
            on_failure.callback(connection.close)
            with opening():
                migrate(connection)
                lock_store(connection, shared=self._shared)
                prepare(connection)
            on_failure.pop_all()
        return connection

    def _reconnect(self) -> bool:
        """Reconnect as soon as possible; return False after `give_up`."""
        while True:
            try:
                self._connection = self._connect()
            except (psycopg.Error, BoardwireError):  # the lock of the lost connection may still be held
                if self._closing.wait(CONNECT_RETRY_SECONDS):
                    return False
            else:
                return True

    def _write(self, appends: Sequence[Append], *, in_doubt: bool) -> list[AppendResult]:
        """Write appends and return their results; with `in_doubt`, an earlier attempt may have stored them."""
        results = [AppendResult.STORED] * len(appends)
        remaining = list(range(len(appends)))
        clash: psycopg.Error | None = None
        for _ in range(len(appends) + _UNEXPLAINED_CLASHES):  # each explained clash leaves fewer appends
            try:
                self._insert([appends[index] for index in remaining])
            except psycopg.errors.UniqueViolation as error:
                clash = error
                known_bodies = self._find([appends[index] for index in remaining])
                for index in tuple(remaining):
                    append = appends[index]
                    stored_bodies = [
                        known_bodies.get((append.match, append.first + at)) for at in range(len(append.bodies))
                    ]
                    if in_doubt and stored_bodies == append.bodies:
                        remaining.remove(index)
                    elif any(body is not None for body in stored_bodies) or self._is_opened_elsewhere(append):
                        results[index] = AppendResult.SUPERSEDED
                        remaining.remove(index)
            else:
                return results
        raise Unavailable(f"the database reports a duplicate row that does not exist: {clash}") from clash

    def _insert(self, appends: Sequence[Append]) -> None:
        """Insert the events of all appends, and the facts by which their matches are listed, with one statement."""
        rows = [
            texts([append.match for append in appends for _ in append.bodies]),
            integers([seq for append in appends for seq in range(append.first, append.first + len(append.bodies))]),
            pack_array(Kind.BYTES, [body for append in appends for body in append.bodies]),
        ]
        if not any(append.first == 1 or append.ends or append.facts.keys or append.facts.names for append in appends):
            self._store(b"boardwire_events", rows)
            return
        # opened matches, with whether they end in the same commit
        opened_matches = {append.match: False for append in appends if append.first == 1}
        ended_matches = [append.match for append in appends if append.ends]
        opened_matches.update((match, True) for match in ended_matches if match in opened_matches)
        facts = {append.match: append.facts for append in appends if append.first == 1}
        player_keys = [(key, append.match) for append in appends for key in append.facts.keys]
        player_names = [(_without_nul(name), append.match) for append in appends for name in append.facts.names]
        self._store(
            b"boardwire_seating",
            [
                *rows,
                texts(opened_matches),
                booleans(opened_matches.values()),
                texts([match for match in ended_matches if match not in opened_matches]),
                texts([key for key, _ in player_keys]),
                texts([match for _, match in player_keys]),
                texts([facts[match].game for match in opened_matches]),
                booleans([facts[match].private for match in opened_matches]),
                texts([name for name, _ in player_names]),
                texts([match for _, match in player_names]),
            ],
        )

    def _store(self, statement: bytes, arrays: Sequence[bytes]) -> None:
        result = self._connection.pgconn.exec_prepared(statement, arrays, [BINARY] * len(arrays))
        if result.status != psycopg.pq.ExecStatus.COMMAND_OK:
            raise _failure(result)

    def _find(self, appends: Sequence[Append]) -> dict[tuple[str, int], bytes]:
        """Return the bodies of those events that are stored already, by match and number."""
        matches = [append.match for append in appends for _ in append.bodies]
        seqs = [append.first + at for append in appends for at in range(len(append.bodies))]
        rows = self._connection.execute(_FIND, (matches, seqs), binary=True)
        return {(match, seq): body for match, seq, body in rows}

    def _is_opened_elsewhere(self, append: Append) -> bool:
        query = "SELECT 1 FROM boardwire.matches WHERE id = %s"
        return append.first == 1 and self._connection.execute(query, (append.match,)).fetchone() is not None


class PostgresArchive:
    """Reading side of a PostgreSQL store, also while a server writes. One reader at a time uses it."""

    def __init__(self, address: str) -> None:
        self._connection = connect(address)
        with ExitStack() as on_failure:
            on_failure.callback(self._connection.close)
            with self._reading(), opening():
                if not version_of(self._connection):
                    raise ConfigError("there are no matches in this database")
            on_failure.pop_all()

    def __enter__(self) -> PostgresArchive:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def events(self, match: str, after: int = 0, check: Check = never_stop) -> list[Event]:
        """Return the events of a match after number `after`, or an empty list for an unknown match.

        Raises `Unavailable` if an event cannot be decoded.
        """
        return decode_events(match, self.bodies(match, after), check)

    def bodies(self, match: str, after: int, check: Check = never_stop) -> list[bytes]:
        """Return the encoded events of a match after number `after`; one query, without `check`."""
        rows = self._rows("SELECT body FROM boardwire.events WHERE match = %s AND seq > %s ORDER BY seq", match, after)
        return [body for (body,) in rows]

    def names(self) -> list[str]:
        """Return the names of all matches, oldest first."""
        return [name for (name,) in self._rows("SELECT id FROM boardwire.matches ORDER BY number")]

    def newest(self, before: int | None, count: int) -> list[tuple[int, str]]:
        """Return the numbers and names of up to `count` matches, newest first, older than number `before`."""
        bound = _MAX_NUMBER if before is None else before
        query = "SELECT number, id FROM boardwire.matches WHERE number < %s ORDER BY number DESC LIMIT %s"
        return self._rows(query, bound, count)

    def of_player(self, key: str, before: int | None, count: int) -> list[tuple[int, str]]:
        """Like `newest`, for the matches of the player with this token hash."""
        bound = _MAX_NUMBER if before is None else before
        query = """
            SELECT sitters.number, id FROM boardwire.sitters JOIN boardwire.matches ON id = match
            WHERE player = %s AND sitters.number < %s ORDER BY sitters.number DESC LIMIT %s
        """
        return self._rows(query, key, bound, count)

    def list_public(self, criteria: MatchFilter, before: int | None, count: int) -> list[tuple[int, str]]:
        """Like `newest`, for the matches of public tables that pass the filter."""
        bound = _MAX_NUMBER if before is None else before
        values: list[object] = [bound]
        where: LiteralString = "matches.number < %s AND private IS NOT TRUE"
        table: LiteralString = "boardwire.matches"
        order: LiteralString = "matches.number"
        if criteria.player:
            table = "boardwire.names JOIN boardwire.matches ON matches.number = names.number"
            order = "names.number"
            where += " AND name = %s AND names.number < %s"
            values += [_without_nul(criteria.player), bound]
        if criteria.game:
            where += " AND game = %s"
            values.append(_without_nul(criteria.game))
        if criteria.over is not None:
            where += " AND ended = %s"
            values.append(criteria.over)
        query = f"SELECT matches.number, id FROM {table} WHERE {where} ORDER BY {order} DESC LIMIT %s"
        return self._rows(query, *values, count)

    def unfinished(self) -> list[str]:
        """Return the names of unfinished matches, oldest first."""
        query = "SELECT id FROM boardwire.matches WHERE NOT ended ORDER BY number"
        return [name for (name,) in self._rows(query)]

    def count(self) -> int:
        """Return the number of matches."""
        ((count,),) = self._rows("SELECT count(*) FROM boardwire.matches")
        return int(count)

    def read_all(self) -> Generator[StoredMatch, None, None]:
        """Yield every match, oldest first, from one snapshot; only one match is in memory at a time."""
        with self._reading(), self._connection.transaction():
            self._connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            last = 0
            while page := self._connection.execute(_PAGE, (last,)).fetchall():
                yield from self._between(last, page[-1][0])
                last = page[-1][0]

    def _between(self, after: int, last: int) -> Iterator[StoredMatch]:
        """Yield the matches with numbers in (after, last], some rows at a time."""
        with self._connection.cursor("stored") as cursor:
            cursor.execute(_STORED, (after, last), binary=True)
            for (number, match, ended), rows in groupby(cursor, itemgetter(0, 1, 2)):
                events = [(seq, body) for *_, seq, body in rows if seq is not None]
                if [seq for seq, _ in events] != list(range(1, len(events) + 1)):
                    raise Unavailable(f"match {match!r} has missing events", reason=Reason.UNREADABLE)
                yield StoredMatch(number, match, ended, [body for _, body in events])

    def lock(self) -> None:
        """Prevent writing while this connection reads; raise `Unavailable` if a server has the database."""
        lock_store(self._connection)

    def _rows(self, query: LiteralString, *values: object) -> list[Any]:
        with self._reading():
            return self._connection.execute(query, values, binary=True).fetchall()

    @contextmanager
    def _reading(self) -> Iterator[None]:
        try:
            yield
        except psycopg.Error as error:
            raise Unavailable(f"cannot read the database: {_single_line(error)}", reason=Reason.UNAVAILABLE) from error


class Readers:
    """A pool of archives; each is lent to one reader at a time."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._idle: list[tuple[PostgresArchive, float]] = []
        """Idle archives, with the time since which they are idle."""
        self._lock = threading.Lock()

    @contextmanager
    def lend(self) -> Iterator[PostgresArchive]:
        """Lend an archive; raise `Unavailable` if the database cannot be read."""
        try:
            archive = self._take()
            try:
                yield archive
            except BaseException:
                archive.close()
                raise
        except BoardwireError as error:
            if error.reason is not Reason.UNAVAILABLE:
                raise
            raise Unavailable("the journal cannot be read at the moment", reason=Reason.UNAVAILABLE) from error
        with self._lock:
            if len(self._idle) < _IDLE_READERS:
                self._idle.append((archive, monotonic()))
                return
        archive.close()

    def _take(self) -> PostgresArchive:
        """Return an idle archive whose connection works, or a new one."""
        while True:
            with self._lock:
                archive, since = self._idle.pop() if self._idle else (None, 0.0)
            if archive is None:
                return PostgresArchive(self._address)
            if monotonic() - since < _CHECK_AFTER_SECONDS:
                return archive
            with suppress(BoardwireError):  # the database may have been restarted
                archive.newest(None, 0)
                return archive
            archive.close()

    def close(self) -> None:
        """Close the idle archives."""
        with self._lock:
            idle, self._idle = self._idle, []
        for archive, _ in idle:
            archive.close()


class PostgresJournal(StoreJournal):
    """The journal of a database, exclusive or `shared` with the other nodes of a cluster."""

    def __init__(
        self,
        address: str,
        post: Post,
        report_failure: Callable[[Exception], None] = lambda error: None,
        soon: Post | None = None,
        *,
        shared: bool = False,
    ) -> None:
        self._writer = PostgresLog(address, shared=shared)
        self._readers = Readers(address)
        super().__init__(self._writer, self._readers.lend, post, report_failure, soon, commits_inline=False)

    def close(self) -> None:
        """Commit the pending appends and close. If the database cannot be reached, do not wait for it."""
        self._writer.give_up()
        super().close()
        self._writer.close()
        self._readers.close()


def connect(address: str) -> psycopg.Connection[Any]:
    """Connect in autocommit mode; raise `Unavailable` or, for a wrong address, `ConfigError`."""
    if not driver.is_installed():
        raise ConfigError("PostgreSQL needs psycopg; install it with: pip install 'boardwire[postgres]'")
    try:
        connection = psycopg.connect(
            address,
            autocommit=True,
            connect_timeout=_CONNECT_SECONDS,
            tcp_user_timeout=_TCP_TIMEOUT_SECONDS * 1000,
            keepalives_idle=_TCP_TIMEOUT_SECONDS,
            application_name="boardwire",
        )
        connection.execute("SET synchronous_commit = on")  # not as a connection option: poolers reject those
        return connection
    except psycopg.ProgrammingError:
        raise ConfigError("invalid database address; expected postgresql://USER:PASSWORD@HOST:5432/NAME") from None
    except psycopg.OperationalError as error:
        raise Unavailable(
            f"cannot connect to the database: {_single_line(error)}", reason=Reason.UNAVAILABLE
        ) from error


def is_alive(connection: psycopg.Connection[Any]) -> bool:
    """Return whether an idle connection still answers: the database may have been restarted."""
    try:
        connection.execute("SELECT 1")
    except psycopg.Error:
        return False
    return True


@contextmanager
def opening() -> Iterator[None]:
    """Convert the errors of opening a store to `ConfigError`."""
    try:
        yield
    except (psycopg.errors.UndefinedTable, psycopg.errors.UndefinedColumn):
        raise ConfigError(_NOT_OURS) from None
    except psycopg.errors.InsufficientPrivilege as error:
        remedy = "it must own the schema 'boardwire' or be allowed to create it"
        raise ConfigError(f"the database user lacks privileges ({_single_line(error)}); {remedy}") from error
    except psycopg.errors.ReadOnlySqlTransaction as error:
        raise ConfigError("the database is read-only; use the address of a writable one") from error


@contextmanager
def writing() -> Iterator[None]:
    """Convert database errors to `Unavailable`."""
    try:
        yield
    except psycopg.Error as error:
        raise Unavailable(f"cannot write to the database: {_single_line(error)}", reason=Reason.UNAVAILABLE) from error


def lock_store(connection: psycopg.Connection[Any], *, shared: bool = False) -> None:
    """Lock the store while this connection lives, exclusively or `shared`; raise `Unavailable` if it is locked."""
    query = "SELECT pg_try_advisory_lock_shared(%s)" if shared else "SELECT pg_try_advisory_lock(%s)"
    if connection.execute(query, (_LOCK,)).fetchone() != (True,):
        obstacle = " without --bus, so it cannot be shared" if shared else ""
        raise Unavailable(f"another boardwire server uses this database{obstacle}")


def prepare(connection: psycopg.Connection[Any]) -> None:
    """Prepare the statements of a commit."""
    for name, (query, kinds) in _STATEMENTS.items():
        result = connection.pgconn.prepare(name, query, [ARRAY_OIDS[kind] for kind in kinds])
        if result.status != psycopg.pq.ExecStatus.COMMAND_OK:
            raise _failure(result)


def _failure(result: Any) -> psycopg.Error:
    """Return the error of a result. Without a code, the database did not answer: an `OperationalError`."""
    code = result.error_field(psycopg.pq.DiagnosticField.SQLSTATE)
    kind: type[psycopg.Error] = psycopg.OperationalError
    if code:
        try:
            kind = psycopg.errors.lookup(code.decode())
        except KeyError:  # a code of a newer PostgreSQL
            kind = psycopg.DatabaseError
    return kind(psycopg.pq.error_message(result))


def version_of(connection: psycopg.Connection[Any]) -> int:
    """Return the number of the last migration, or 0.

    Raises `ConfigError` for a foreign schema and `Unavailable` for a newer format.
    """
    tables = connection.execute(_TABLES).fetchall()
    if not tables:
        return 0
    if ("format",) not in tables:
        raise ConfigError(_NOT_OURS)
    row = connection.execute("SELECT number FROM boardwire.format").fetchone()
    version = row[0] if row is not None else None
    if type(version) is not int or version < 1:
        raise ConfigError(_NOT_OURS)
    if version > len(MIGRATIONS):
        supported = f"format {version}; this version supports up to {len(MIGRATIONS)}"
        raise Unavailable(f"the data was written by a newer boardwire ({supported}); upgrade boardwire")
    # Raises `UndefinedTable` or `UndefinedColumn` if the schema is another program's; `opening` converts it.
    connection.execute("SELECT id, ended, seq, body FROM boardwire.matches, boardwire.events LIMIT 0")
    return version


def migrate(connection: psycopg.Connection[Any]) -> int:
    """Run the missing migrations in one transaction; return their number."""
    version = version_of(connection)
    if version == len(MIGRATIONS):
        _index(connection)
        return 0
    with connection.transaction():
        connection.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK + 1,))  # two servers may start at once
        version = version_of(connection)
        if version == 0:
            connection.execute("CREATE SCHEMA boardwire")
            connection.execute("CREATE TABLE boardwire.format (number integer NOT NULL)")
            connection.execute("INSERT INTO boardwire.format VALUES (0)")
        for script in MIGRATIONS[version:]:
            connection.execute(script)
        connection.execute("UPDATE boardwire.format SET number = %s", (len(MIGRATIONS),))
        _index(connection)
    return len(MIGRATIONS) - version


def _index(connection: psycopg.Connection[Any]) -> None:
    """Add the facts of matches that a migration or a node of an older version has not indexed."""
    last = 0
    while page := connection.execute(_UNINDEXED, (last,)).fetchall():
        last = page[-1][0]
        rows = connection.execute(
            _SEATING_EVENTS, ([match for _, match in page], [prefix[:14] for prefix in SEATING]), binary=True
        ).fetchall()
        bodies: dict[str, list[bytes]] = {}
        for match, body in rows:
            bodies.setdefault(match, []).append(body)
        matches = [(number, match, facts_in(bodies.get(match, ()))) for number, match in page]
        with connection.transaction():
            executemany = connection.cursor().executemany
            names = [
                (_without_nul(name), number)
                for number, _, facts in matches
                if not facts.private
                for name in facts.names
            ]
            keys = [(key, match, number) for number, match, facts in matches for key in facts.keys]
            executemany("INSERT INTO boardwire.names VALUES (%s, %s) ON CONFLICT DO NOTHING", names)
            executemany(
                "INSERT INTO boardwire.sitters (player, match, number) VALUES (%s, %s, %s) ON CONFLICT DO NOTHING", keys
            )
            executemany(
                "UPDATE boardwire.matches SET game = %s, private = %s WHERE number = %s",
                [(facts.game, facts.private, number) for number, _, facts in matches],
            )
    connection.execute(
        "UPDATE boardwire.sitters SET number = matches.number FROM boardwire.matches"
        " WHERE sitters.number IS NULL AND id = match"
    )


def _without_nul(text: str) -> str:
    """Return a text without NUL, which PostgreSQL cannot store."""
    return text.replace("\0", "")


def _single_line(error: Exception) -> str:
    """Return the message of an error without line breaks."""
    return " ".join(str(error).splitlines())
