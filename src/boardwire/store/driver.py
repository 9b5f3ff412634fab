"""psycopg, imported when a database is first used.

The import takes a quarter of a server's start time, and a server that stores its matches in a directory never needs it.
psycopg is optional: the extras `postgres` and `cluster` install it.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any


def is_installed() -> bool:
    """Return whether psycopg can be imported."""
    return find_spec("psycopg") is not None


def __getattr__(name: str) -> Any:
    import psycopg

    return getattr(psycopg, name)
