"""Dispatch tables by event type or decision kind, checked for completeness.

`exhaustive` checks at import that a table names every key exactly once, so a new event or kind of decision fails until
every dialect handles it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar, cast, get_args

K = TypeVar("K")
V = TypeVar("V")


def exhaustive(table: Mapping[K, V], keys: Any, otherwise: V | None = None, *unsaid: K) -> dict[K, V]:
    """Return the table, extended by `otherwise` for the `unsaid` keys.

    `keys` are all valid keys: the members of a union or of an enum. Raise `TypeError` if a key is missing, unknown or
    named twice.
    """
    every: Iterable[K] = get_args(keys) or tuple(keys)
    twice = [key for key in unsaid if key in table]
    missing = [key for key in every if key not in table and key not in unsaid]
    strange = [key for key in (*table, *unsaid) if key not in every]
    if twice or missing or strange:
        raise TypeError(f"named twice: {twice}; missing: {missing}; not among the keys: {strange}")
    silence = dict.fromkeys(unsaid, cast("V", otherwise))
    return {**table, **silence}


def ignore_event(*_: object) -> None:
    """Ignore an event that the protocol does not report."""


def no_bytes(*_: object) -> bytes:
    """Return no bytes for an event that the protocol does not report."""
    return b""
