"""A real PostgreSQL for the tests that want one: one server for all of a process, an empty database for each test."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest
from scripts.postgres import Postgres, postgres


@pytest.fixture(scope="session")
def server() -> Iterator[Postgres]:
    with postgres() as server:
        yield server


@pytest.fixture
def database(server: Postgres) -> Iterator[Postgres]:
    yield server
    with psycopg.connect(server.url, autocommit=True) as connection:
        connection.execute("DROP SCHEMA IF EXISTS boardwire CASCADE")
