"""Records of every kind: in memory, in a file, in a real PostgreSQL."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest
from scripts.postgres import Postgres

from boardwire.records.postgres import PostgresRecords
from boardwire.records.records import Records
from boardwire.records.sqlite import SqliteRecords


@pytest.fixture(params=["file", pytest.param("postgres", marks=pytest.mark.cluster)])
def reopen(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[], Records]]:
    """A function that opens the same durable records again, as another process would."""
    opened: list[Records] = []
    server: Postgres | None = request.getfixturevalue("postgres_server") if request.param == "postgres" else None

    def open_them() -> Records:
        opened.append(SqliteRecords(tmp_path) if server is None else PostgresRecords(server.url))
        return opened[-1]

    yield open_them
    for one in opened:
        one.close()
    if server is not None:
        with psycopg.connect(server.url, autocommit=True) as connection:
            connection.execute("DROP SCHEMA IF EXISTS boardwire CASCADE")


@pytest.fixture(params=["memory", "file", pytest.param("postgres", marks=pytest.mark.cluster)])
def records(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Records]:
    if request.param != "postgres":
        one: Records = SqliteRecords(None if request.param == "memory" else tmp_path)
        yield one
        one.close()
        return
    server: Postgres = request.getfixturevalue("postgres_server")
    one = PostgresRecords(server.url)
    yield one
    one.close()
    with psycopg.connect(server.url, autocommit=True) as connection:
        connection.execute("DROP SCHEMA IF EXISTS boardwire CASCADE")
