"""A journal in PostgreSQL.

Rules:

- All that is ours is in the schema `boardwire`: a database may be other programs' too, and theirs is not touched.
- The truth is `events (match, seq, body)` with the primary key (match, seq).  Whoever inserts a row that is there
  already has been superseded; no clock and no lock decides that.
- One commit is one statement for all that was gathered, with `synchronous_commit` on.
- **A commit without an answer is in doubt**: the connection broke, and nobody knows whether it was stored.  It is made
  again over a new connection, as long as it takes; what is there already, to the letter, the first try has stored.
  Nobody is told of it before that is known.
- One server writes at a time, or one cluster: a server holds a lock of the database for as long as it is connected,
  alone or shared with the other nodes of its cluster.  Any number read.
- What went wrong is said without the address of the database: that may hold a password.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from itertools import groupby
from operator import itemgetter
from time import monotonic
from typing import Any, Final, LiteralString

import msgspec

from boardwire.errors import BoardwireError, ConfigError, Reason, Unavailable
from boardwire.store.arrays import OF, Kind, booleans, integers, packed, texts
from boardwire.store.group_commit import Append, Post, Stored, StoreJournal
from boardwire.store.match_facts import SEATING, facts_in
from boardwire.table.events import Event, decode
from boardwire.table.ports import AppendResult, Wanted

try:
    import psycopg
except ImportError:  # it comes with the extra `postgres`; SQLite needs nothing
    psycopg = None  # type: ignore[assignment]

SCHEMES: Final = ("postgresql://", "postgres://")
"""How the address of a database begins."""

AGAIN_SECONDS: Final = 0.5
"""How long after a connection could not be made the next one is tried."""
_CONNECT_SECONDS: Final = 5
_UNHEARD_SECONDS: Final = 10
"""How long what was sent may stay unacknowledged before the connection is given up."""
_IDLE_READERS: Final = 8
"""How many connections are kept for the next reader."""
_SURE_SECONDS: Final = 0.2
"""How long after it was used a connection is taken to be good still."""
_LOCK: Final = 0x626F617264
"""The number of the lock that a server which writes holds."""
_CLASHES: Final = 3
"""How often the database may say that a number is taken, and nothing is found there, before it is not believed."""
BINARY: Final = 1
"""The format of what is sent."""
_AFTER_ALL: Final = 2**63 - 1
_NOT_OURS: Final = "the database has a schema 'boardwire' that is not of this program; give another database"

MIGRATIONS: Final = (
    # 1: matches in the order of their openings, events by match and number; the body is the event's JSON
    """
    CREATE TABLE boardwire.matches (
        number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id text NOT NULL UNIQUE, ended boolean NOT NULL
    );
    CREATE INDEX unfinished ON boardwire.matches (number) WHERE NOT ended;
    CREATE TABLE boardwire.events (
        match text NOT NULL, seq integer NOT NULL, body bytea NOT NULL, PRIMARY KEY (match, seq)
    );
    """,
    # 2: the nodes of a cluster, and who hosts which match (the empty name is the lobby)
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
    # 3: who sat down where, by the player's key (`sitters.py`); of events that are there, those that can be read
    """
    CREATE TABLE boardwire.sitters (player text NOT NULL, match text NOT NULL, PRIMARY KEY (player, match));
    INSERT INTO boardwire.sitters SELECT DISTINCT player, match FROM (
        SELECT substring(encode(body, 'escape') FROM '"key":"([^"]+)"') AS player, match FROM boardwire.events
        WHERE substring(body FROM 1 FOR 17) = '{"event":"joined"'::bytea
    ) AS joined WHERE player IS NOT NULL;
    """,
    # 4: what lists find a match by (`sitters.py`).  A node of the version before may still write, and knows nothing of
    # it; `_index` completes what is NULL whenever a server connects
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
    # 5: the key with which nodes authenticate what they send each other; 244 of its 256 bits are random
    """
    ALTER TABLE boardwire.cluster ADD COLUMN key bytea;
    UPDATE boardwire.cluster SET key = sha256((gen_random_uuid()::text || gen_random_uuid()::text)::bytea);
    ALTER TABLE boardwire.cluster ALTER COLUMN key SET NOT NULL;
    """,
)
"""As in `schema.py`: a migration that was released is never changed, a new one is added behind it."""

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
"""What stores a commit: of moves alone, as nearly always, and of all else.  A connection prepares both at once."""
_TABLES: Final = """
    SELECT relname FROM pg_namespace LEFT JOIN pg_class ON relnamespace = pg_namespace.oid WHERE nspname = 'boardwire'
"""
"""Empty: there is no schema.  To ask for it by its name would be quicker, but whoever waits for another one to make it
may be told that it is not there, from what it remembers."""
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
    """Whether this is the address of a PostgreSQL database."""
    return text.startswith(SCHEMES)


class PostgresLog:
    """Writes; what gathers commits for it is `commits.py`."""

    def __init__(self, address: str, *, shared: bool = False) -> None:
        self._address = address
        self._shared = shared
        self._closing = threading.Event()
        self._connection = self._connect()

    def write(self, appends: Sequence[Append]) -> list[AppendResult]:
        """Store all of it in one commit; gives what came of each.  Whatever it raises, nothing is stored."""
        in_doubt = False
        while True:
            try:
                return self._write(appends, in_doubt=in_doubt) if appends else self._probe()
            except psycopg.OperationalError:
                if not self._connection.closed:
                    raise  # it answered: the disk is full, say, and nothing is stored
                in_doubt = True
                if not self._reconnect():
                    raise

    def _probe(self) -> list[AppendResult]:
        """Change something, though nothing else, so that it must reach the disk."""
        self._connection.execute("UPDATE boardwire.format SET number = number")
        return []

    def roll_back(self) -> None:
        """There is nothing to take back: a commit is one statement."""

    def close(self) -> None:
        """Let go of the database; whatever is in doubt stays so."""
        self._connection.close()

    def give_up(self) -> None:
        """Try no more to make a connection."""
        self._closing.set()

    def _connect(self) -> psycopg.Connection[Any]:
        connection = connect(self._address)
        with ExitStack() as on_failure:
            on_failure.callback(connection.close)
            with opening():
                migrate(connection)
                hold(connection, shared=self._shared)
                prepare(connection)
            on_failure.pop_all()
        return connection

    def _reconnect(self) -> bool:
        """A new connection, whenever there can be one; False if nobody waits for it any longer."""
        while True:
            try:
                self._connection = self._connect()
            except (psycopg.Error, BoardwireError):  # the lock of the lost connection is freed when its end is noticed
                if self._closing.wait(AGAIN_SECONDS):
                    return False
            else:
                return True

    def _write(self, appends: Sequence[Append], *, in_doubt: bool) -> list[AppendResult]:
        results = [AppendResult.STORED] * len(appends)
        rest = list(range(len(appends)))
        clash: psycopg.Error | None = None
        for _ in range(len(appends) + _CLASHES):  # each clash that is explained leaves fewer
            try:
                self._insert([appends[place] for place in rest])
            except psycopg.errors.UniqueViolation as error:
                clash = error
                found = self._find([appends[place] for place in rest])
                for place in tuple(rest):
                    append = appends[place]
                    there = [found.get((append.match, append.first + at)) for at in range(len(append.bodies))]
                    if in_doubt and there == append.bodies:
                        rest.remove(place)
                    elif any(body is not None for body in there) or self._is_opened_elsewhere(append):
                        results[place] = AppendResult.SUPERSEDED
                        rest.remove(place)
            else:
                return results
        raise Unavailable(f"the database says that something is there already, and has none of it: {clash}") from clash

    def _insert(self, appends: Sequence[Append]) -> None:
        rows = [
            texts([one.match for one in appends for _ in one.bodies]),
            integers([seq for one in appends for seq in range(one.first, one.first + len(one.bodies))]),
            packed(Kind.BYTES, [body for one in appends for body in one.bodies]),
        ]
        if not any(one.first == 1 or one.ends or one.facts.keys or one.facts.names for one in appends):
            self._store(b"boardwire_events", rows)
            return
        opened = {append.match: False for append in appends if append.first == 1}
        ended = [append.match for append in appends if append.ends]
        opened.update((match, True) for match in ended if match in opened)
        facts = {append.match: append.facts for append in appends if append.first == 1}
        sat = [(key, one.match) for one in appends for key in one.facts.keys]
        named = [(_storable(name), one.match) for one in appends for name in one.facts.names]
        self._store(
            b"boardwire_seating",
            [
                *rows,
                texts(opened),
                booleans(opened.values()),
                texts([match for match in ended if match not in opened]),
                texts([key for key, _ in sat]),
                texts([match for _, match in sat]),
                texts([facts[match].game for match in opened]),
                booleans([facts[match].private for match in opened]),
                texts([name for name, _ in named]),
                texts([match for _, match in named]),
            ],
        )

    def _store(self, statement: bytes, arrays: Sequence[bytes]) -> None:
        result = self._connection.pgconn.exec_prepared(statement, arrays, [BINARY] * len(arrays))
        if result.status != psycopg.pq.ExecStatus.COMMAND_OK:
            raise _failure(result)

    def _find(self, appends: Sequence[Append]) -> dict[tuple[str, int], bytes]:
        """Which of these events are stored already, and how."""
        matches = [one.match for one in appends for _ in one.bodies]
        seqs = [one.first + at for one in appends for at in range(len(one.bodies))]
        rows = self._connection.execute(_FIND, (matches, seqs), binary=True)
        return {(match, seq): body for match, seq, body in rows}

    def _is_opened_elsewhere(self, append: Append) -> bool:
        find = "SELECT 1 FROM boardwire.matches WHERE id = %s"
        return append.first == 1 and self._connection.execute(find, (append.match,)).fetchone() is not None


class PostgresArchive:
    """Reads, also while a server writes.  A connection is one reader's at a time."""

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
        """Let go of the database."""
        self._connection.close()

    def events(self, match: str, after: int = 0) -> list[Event]:
        """The events of a match after number `after`; none if there is no such match.  `Unavailable` if this program cannot
        read them."""
        rows = self._rows("SELECT body FROM boardwire.events WHERE match = %s AND seq > %s ORDER BY seq", match, after)
        try:
            return [decode(body) for (body,) in rows]
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise Unavailable(f"match {match!r} cannot be read: {error}", reason=Reason.UNREADABLE) from None

    def names(self) -> list[str]:
        """All matches, oldest first."""
        return [name for (name,) in self._rows("SELECT id FROM boardwire.matches ORDER BY number")]

    def newest(self, before: int | None, count: int) -> list[tuple[int, str]]:
        """So many matches with their numbers, newest first, older than number `before`."""
        bound = _AFTER_ALL if before is None else before
        query = "SELECT number, id FROM boardwire.matches WHERE number < %s ORDER BY number DESC LIMIT %s"
        return self._rows(query, bound, count)

    def of_player(self, key: str, before: int | None, count: int) -> list[tuple[int, str]]:
        """The same of the matches in which the player with this key sat down."""
        bound = _AFTER_ALL if before is None else before
        query = """
            SELECT sitters.number, id FROM boardwire.sitters JOIN boardwire.matches ON id = match
            WHERE player = %s AND sitters.number < %s ORDER BY sitters.number DESC LIMIT %s
        """
        return self._rows(query, key, bound, count)

    def listed(self, wanted: Wanted, before: int | None, count: int) -> list[tuple[int, str]]:
        """The same of the matches of public tables that are wanted."""
        bound = _AFTER_ALL if before is None else before
        values: list[object] = [bound]
        where: LiteralString = "matches.number < %s AND private IS NOT TRUE"
        table: LiteralString = "boardwire.matches"
        order: LiteralString = "matches.number"
        if wanted.player:
            table = "boardwire.names JOIN boardwire.matches ON matches.number = names.number"
            order = "names.number"
            where += " AND name = %s AND names.number < %s"
            values += [_storable(wanted.player), bound]
        if wanted.game:
            where += " AND game = %s"
            values.append(_storable(wanted.game))
        if wanted.over is not None:
            where += " AND ended = %s"
            values.append(wanted.over)
        query = f"SELECT matches.number, id FROM {table} WHERE {where} ORDER BY {order} DESC LIMIT %s"
        return self._rows(query, *values, count)

    def unfinished(self) -> list[str]:
        """The matches without an end, oldest first."""
        query = "SELECT id FROM boardwire.matches WHERE NOT ended ORDER BY number"
        return [name for (name,) in self._rows(query)]

    def count(self) -> int:
        """How many matches there are."""
        ((count,),) = self._rows("SELECT count(*) FROM boardwire.matches")
        return int(count)

    def stored(self) -> Generator[Stored, None, None]:
        """Every match, oldest first, all as of one moment; one after the other is in memory."""
        with self._reading(), self._connection.transaction():
            self._connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            last = 0
            while page := self._connection.execute(_PAGE, (last,)).fetchall():
                yield from self._between(last, page[-1][0])
                last = page[-1][0]

    def _between(self, after: int, last: int) -> Iterator[Stored]:
        """The matches with numbers after that one and up to the other one, some rows at a time."""
        with self._connection.cursor("stored") as cursor:
            cursor.execute(_STORED, (after, last), binary=True)
            for (number, match, ended), rows in groupby(cursor, itemgetter(0, 1, 2)):
                events = [(seq, body) for *_, seq, body in rows if seq is not None]
                if [seq for seq, _ in events] != list(range(1, len(events) + 1)):
                    raise Unavailable(f"match {match!r} lacks some of its events", reason=Reason.UNREADABLE)
                yield Stored(number, match, ended, [body for _, body in events])

    def hold(self) -> None:
        """Let nobody write as long as this reads; `Unavailable` if somebody does."""
        hold(self._connection)

    def _rows(self, query: LiteralString, *values: object) -> list[Any]:
        with self._reading():
            return self._connection.execute(query, values, binary=True).fetchall()

    @contextmanager
    def _reading(self) -> Iterator[None]:
        try:
            yield
        except psycopg.Error as error:
            raise Unavailable(f"the database cannot be read: {_in_a_line(error)}", reason=Reason.UNAVAILABLE) from error


class Readers:
    """Archives that are lent to one reader at a time, and kept for the next."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._idle: list[tuple[PostgresArchive, float]] = []
        """Those that nobody has, and since when."""
        self._lock = threading.Lock()

    @contextmanager
    def lend(self) -> Iterator[PostgresArchive]:
        """An archive; `Unavailable` if the database cannot be read at the moment."""
        try:
            archive = self._take()
            try:
                yield archive
            except BaseException:
                archive.close()
                raise
        except BoardwireError as refused:
            if refused.reason is not Reason.UNAVAILABLE:
                raise
            raise Unavailable("the journal cannot be read at the moment", reason=Reason.UNAVAILABLE) from refused
        with self._lock:
            if len(self._idle) < _IDLE_READERS:
                self._idle.append((archive, monotonic()))
                return
        archive.close()

    def _take(self) -> PostgresArchive:
        while True:
            with self._lock:
                archive, since = self._idle.pop() if self._idle else (None, 0.0)
            if archive is None:
                return PostgresArchive(self._address)
            if monotonic() - since < _SURE_SECONDS:
                return archive
            with suppress(BoardwireError):  # the database may have been restarted since
                archive.newest(None, 0)
                return archive
            archive.close()

    def close(self) -> None:
        """Let go of those that are idle."""
        with self._lock:
            idle, self._idle = self._idle, []
        for archive, _ in idle:
            archive.close()


class PostgresJournal(StoreJournal):
    """The journal of one database, alone or `shared` with other nodes of a cluster.  `close` stores what is gathered,
    if that can be done now, and ends the thread."""

    def __init__(
        self,
        address: str,
        post: Post,
        failed: Callable[[Exception], None] = lambda error: None,
        soon: Post | None = None,
        *,
        shared: bool = False,
    ) -> None:
        self._writer = PostgresLog(address, shared=shared)
        self._readers = Readers(address)
        super().__init__(self._writer, self._readers.lend, post, failed, soon, near=False)

    def close(self) -> None:
        """Store what is gathered, and let go of the database; what is in doubt is not waited for."""
        self._writer.give_up()
        super().close()
        self._writer.close()
        self._readers.close()


def connect(address: str) -> psycopg.Connection[Any]:
    """A connection on which every statement is a transaction; `Unavailable` says what is wrong with the address."""
    if psycopg is None:
        raise ConfigError("matches in PostgreSQL need psycopg; get it with: pip install 'boardwire[postgres]'")
    try:
        connection = psycopg.connect(
            address,
            autocommit=True,
            connect_timeout=_CONNECT_SECONDS,
            tcp_user_timeout=_UNHEARD_SECONDS * 1000,
            keepalives_idle=_UNHEARD_SECONDS,
            application_name="boardwire",
        )
        connection.execute("SET synchronous_commit = on")  # as an option of the connection a pooler would not take it
        return connection
    except psycopg.ProgrammingError:
        raise ConfigError("that is no address of a database, like postgresql://USER:PASSWORD@HOST:5432/NAME") from None
    except psycopg.OperationalError as error:
        raise Unavailable(f"there is no way to the database: {_in_a_line(error)}", reason=Reason.UNAVAILABLE) from error


@contextmanager
def opening() -> Iterator[None]:
    """What stands in the way of a database that could be reached is told as `Unavailable`."""
    try:
        yield
    except (psycopg.errors.UndefinedTable, psycopg.errors.UndefinedColumn):
        raise ConfigError(_NOT_OURS) from None
    except psycopg.errors.InsufficientPrivilege as error:
        needs = "it needs the right to create the schema 'boardwire', or to own it"
        raise ConfigError(f"this user may not keep matches in the database ({_in_a_line(error)}); {needs}") from error
    except psycopg.errors.ReadOnlySqlTransaction as error:
        raise ConfigError("this database can only be read; give the address of one that can be written") from error


@contextmanager
def writing() -> Iterator[None]:
    """What the database says against it is told as `Unavailable`."""
    try:
        yield
    except psycopg.Error as error:
        raise Unavailable(f"the database cannot be written: {_in_a_line(error)}", reason=Reason.UNAVAILABLE) from error


def hold(connection: psycopg.Connection[Any], *, shared: bool = False) -> None:
    """Let nobody else write as long as this connection lives, but, if it is `shared`, others who share it; `Unavailable` if
    somebody does."""
    query = "SELECT pg_try_advisory_lock_shared(%s)" if shared else "SELECT pg_try_advisory_lock(%s)"
    if connection.execute(query, (_LOCK,)).fetchone() != (True,):
        words = ", and has no --bus to share it" if shared else ""
        raise Unavailable(f"another boardwire server keeps its matches in this database{words}")


def prepare(connection: psycopg.Connection[Any]) -> None:
    """Let the database know what commits will be."""
    for name, (query, kinds) in _STATEMENTS.items():
        result = connection.pgconn.prepare(name, query, [OF[kind] for kind in kinds])
        if result.status != psycopg.pq.ExecStatus.COMMAND_OK:
            raise _failure(result)


def _failure(result: Any) -> psycopg.Error:
    """Why the database did not do something; without a number it did not answer."""
    number = result.error_field(psycopg.pq.DiagnosticField.SQLSTATE)
    kind: type[psycopg.Error] = psycopg.OperationalError
    if number:
        try:
            kind = psycopg.errors.lookup(number.decode())
        except KeyError:  # of a newer database
            kind = psycopg.DatabaseError
    return kind(psycopg.pq.error_message(result))


def version_of(connection: psycopg.Connection[Any]) -> int:
    """The number of the last migration that ran (0: none); `Unavailable` if this program does not know it."""
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
        raise Unavailable(f"the data was written by a newer boardwire (format {version}; this one knows {len(MIGRATIONS)})")
    connection.execute("SELECT id, ended, seq, body FROM boardwire.matches, boardwire.events LIMIT 0")  # if not ours
    return version


def migrate(connection: psycopg.Connection[Any]) -> int:
    """Bring the database up to date, whole or not at all; gives the number of migrations that ran."""
    version = version_of(connection)
    if version == len(MIGRATIONS):
        _index(connection)
        return 0
    with connection.transaction():
        connection.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK + 1,))  # two servers may begin at once
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
    """Complete what lists find matches by, where a migration or a node of an older version has left it out."""
    last = 0
    while page := connection.execute(_UNINDEXED, (last,)).fetchall():
        last = page[-1][0]
        rows = connection.execute(
            _SEATING_EVENTS, ([match for _, match in page], [sign[:14] for sign in SEATING]), binary=True
        ).fetchall()
        bodies: dict[str, list[bytes]] = {}
        for match, body in rows:
            bodies.setdefault(match, []).append(body)
        found = [(number, match, facts_in(bodies.get(match, ()))) for number, match in page]
        with connection.transaction():
            many = connection.cursor().executemany
            names = [
                (_storable(name), number) for number, _, facts in found if not facts.private for name in facts.names
            ]
            keys = [(key, match, number) for number, match, facts in found for key in facts.keys]
            many("INSERT INTO boardwire.names VALUES (%s, %s) ON CONFLICT DO NOTHING", names)
            many(
                "INSERT INTO boardwire.sitters (player, match, number) VALUES (%s, %s, %s) ON CONFLICT DO NOTHING", keys
            )
            many(
                "UPDATE boardwire.matches SET game = %s, private = %s WHERE number = %s",
                [(facts.game, facts.private, number) for number, _, facts in found],
            )
    connection.execute(
        "UPDATE boardwire.sitters SET number = matches.number FROM boardwire.matches"
        " WHERE sitters.number IS NULL AND id = match"
    )


def _storable(text: str) -> str:
    """A text that PostgreSQL can hold: it has no zero."""
    return text.replace("\0", "")


def _in_a_line(error: Exception) -> str:
    return " ".join(str(error).splitlines())
