"""Fixtures and settings of all tests."""

import gc
import os
import tempfile
from collections.abc import Generator, Iterator
from pathlib import Path

import psycopg
import pytest
from hypothesis import settings
from scripts.postgres import Postgres, postgres

settings.register_profile("suite", max_examples=25, deadline=None)
settings.register_profile("ci", settings.get_profile("suite"), derandomize=True, database=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "suite"))


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Keep the garbage collector away from the suite's own objects: to go through them took it up to a second."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[Postgres]:
    """A real PostgreSQL for all tests of a process: to make and start one takes a second of CPU.

    A test drops the schema `boardwire` when it is done.
    """
    with postgres() as server:
        yield server


@pytest.fixture
def database(postgres_server: Postgres) -> Iterator[Postgres]:
    """An empty database."""
    yield postgres_server
    with psycopg.connect(postgres_server.url, autocommit=True) as connection:
        connection.execute("DROP SCHEMA IF EXISTS boardwire CASCADE")


@pytest.fixture
def no_collector() -> Iterator[None]:
    """Whatever is freed is freed by itself."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.fixture
def readable_path() -> Iterator[Path]:
    """Temporary directory that every user can read: programs in a cage of root run as another user.

    The directories above `tmp_path` are private, and each start of pytest makes them private again.
    """
    with tempfile.TemporaryDirectory(prefix="boardwire-test-") as directory:
        Path(directory).chmod(0o755)
        yield Path(directory)
