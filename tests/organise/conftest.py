"""Organiser's tables of a server without sockets, with records in memory."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest

from boardwire.errors import Unavailable
from boardwire.organise.schema import COMPONENT, MIGRATIONS
from boardwire.organise.tables import OrganisedTables
from boardwire.records.postgres import PostgresRecords
from boardwire.records.records import Records
from boardwire.records.sqlite import SqliteRecords
from boardwire.simulation.server import SimulatedServer


class FakePorts:
    """Numbers of ports, without sockets."""

    def __init__(self, first: int = 20_000) -> None:
        self._next = first
        self.free = 100
        self.ports: dict[str, list[int]] = {}

    def __len__(self) -> int:
        return sum(map(len, self.ports.values()))

    async def open(self, dialect: str, match: str, seat: int, port: int = 0) -> int:
        if len(self) >= self.free:
            raise Unavailable("no port is free")
        if not port:
            port, self._next = self._next, self._next + 1
        self.ports.setdefault(match, []).append(port)
        return port

    def close(self, match: str) -> None:
        self.ports.pop(match, None)


class Organisation:
    """The service with its server, records and ports; `again` is the next process with the same store."""

    def __init__(self, server: SimulatedServer, records: Records) -> None:
        self.server = server
        self.records = records
        self.ports = FakePorts()
        self.notified = 0
        self.tables = OrganisedTables(server.lobby, server.journal, records, self.ports, self._notify)

    def _notify(self) -> None:
        self.notified += 1

    def settle(self) -> None:
        """Wait for the writes on the way."""
        self.records.write_now(lambda db: None)

    def again(self) -> Organisation:
        self.settle()
        server = SimulatedServer(seed=2)
        for name in self.server.journal.names():
            server.journal.append(name, 1, self.server.journal.read(name), lambda result: None)
        return Organisation(server, self.records)


@pytest.fixture(params=["memory", pytest.param("postgres", marks=pytest.mark.cluster)])
def records(request: pytest.FixtureRequest) -> Iterator[Records]:
    address = request.getfixturevalue("postgres_server").url if request.param == "postgres" else ""
    found: Records = PostgresRecords(address) if address else SqliteRecords(None)
    found.migrate(COMPONENT, MIGRATIONS)
    yield found
    found.close()
    if address:
        with psycopg.connect(address, autocommit=True) as connection:
            connection.execute("DROP SCHEMA IF EXISTS boardwire CASCADE")


@pytest.fixture
def organisation(records: Records) -> Organisation:
    return Organisation(SimulatedServer(seed=1), records)
