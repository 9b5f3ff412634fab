"""Store in a PostgreSQL database: the journal and the analyses, in one schema."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from boardwire.errors import ConfigError
from boardwire.store import postgres
from boardwire.store.analyses import DatabaseAnalysisStore
from boardwire.store.group_commit import Post, StoredMatch
from boardwire.store.match_facts import facts_in
from boardwire.store.postgres import PostgresArchive
from boardwire.store.store import Insert, ReportFailure
from boardwire.table.ports import Journal


class DatabaseStore:
    """A store in the PostgreSQL database at an address."""

    example = "postgresql://USER@HOST/NAME"
    """Format of an address, for messages."""

    def __init__(self, address: str) -> None:
        self.address = address

    @staticmethod
    def accepts(text: str) -> bool:
        """Return whether this is the address of a PostgreSQL database."""
        return postgres.is_address(text)

    @property
    def label(self) -> str:
        """Description of the store for messages; not its address, which may contain a password."""
        return "the database"

    def journal(self, post: Post, report_failure: ReportFailure, soon: Post, *, shared: bool) -> Journal:
        """Open the journal, exclusively or `shared` with the other nodes of a cluster."""
        return postgres.PostgresJournal(self.address, post, report_failure, soon, shared=shared)

    def analyses(self) -> DatabaseAnalysisStore:
        """Return the cache of analyses."""
        return DatabaseAnalysisStore(self.address)

    def archive(self) -> PostgresArchive:
        """Open the matches for reading, also while a server writes."""
        return PostgresArchive(self.address)

    @contextmanager
    def reading(self) -> Iterator[PostgresArchive]:
        """Open the matches for a copy, and lock the database."""
        with PostgresArchive(self.address) as archive:
            archive.lock()
            yield archive

    @contextmanager
    def writing(self) -> Iterator[tuple[Insert, Any]]:
        """Lock the database and fill it in one transaction, whose connection is the second value."""
        with (
            postgres.connect(self.address) as connection,
            postgres.writing(),
            postgres.opening(),
            connection.transaction(),
        ):
            postgres.lock_store(connection)
            postgres.migrate(connection)
            if connection.execute("SELECT 1 FROM boardwire.matches LIMIT 1").fetchone() is not None:
                raise ConfigError("the database already has matches; copying needs an empty database")
            yield (lambda batch: _insert(connection, batch)), connection
            sequence = "pg_get_serial_sequence('boardwire.matches', 'number')"
            connection.execute(f"SELECT setval({sequence}, max(number)) FROM boardwire.matches".encode())


def _insert(connection: Any, batch: list[StoredMatch]) -> None:
    """Insert matches with `COPY`."""
    matches = [(number, match, ended, facts_in(bodies)) for number, match, ended, bodies in batch]
    with connection.cursor().copy(
        "COPY boardwire.matches (number, id, ended, game, private) FROM STDIN BINARY"
    ) as rows:
        rows.set_types(("int8", "text", "bool", "text", "bool"))
        for number, match, ended, facts in matches:
            rows.write_row((number, match, ended, facts.game, facts.private))
    with connection.cursor().copy("COPY boardwire.sitters (player, match, number) FROM STDIN BINARY") as rows:
        rows.set_types(("text", "text", "int8"))
        for number, match, _, facts in matches:
            for key in facts.keys:
                rows.write_row((key, match, number))
    with connection.cursor().copy("COPY boardwire.names (name, number) FROM STDIN BINARY") as rows:
        rows.set_types(("text", "int8"))
        for number, _, _, facts in matches:
            for name in () if facts.private else facts.names:
                rows.write_row((name, number))
    with connection.cursor().copy("COPY boardwire.events (match, seq, body) FROM STDIN BINARY") as rows:
        rows.set_types(("text", "int4", "bytea"))
        for _, match, _, bodies in batch:
            for seq, body in enumerate(bodies, 1):
                rows.write_row((match, seq, body))
