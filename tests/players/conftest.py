"""Accounts with a scripted clock, in memory and in a real PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest
from scripts.postgres import Postgres

from boardwire.players.accounts import Accounts
from boardwire.records.postgres import PostgresRecords
from boardwire.records.records import Records
from boardwire.records.sqlite import SqliteRecords


class Time:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Time:
    return Time()


@pytest.fixture(params=["memory", pytest.param("postgres", marks=pytest.mark.cluster)])
def accounts(request: pytest.FixtureRequest, clock: Time) -> Iterator[Accounts]:
    if request.param == "memory":
        records: Records = SqliteRecords(None)
        yield Accounts(records, clock)
        records.close()
        return
    server: Postgres = request.getfixturevalue("postgres_server")
    records = PostgresRecords(server.url)
    yield Accounts(records, clock)
    records.close()
    with psycopg.connect(server.url, autocommit=True) as connection:
        connection.execute("DROP SCHEMA IF EXISTS boardwire CASCADE")
