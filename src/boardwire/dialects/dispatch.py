"""Dispatch tables by event type or decision kind, checked for completeness.

`exhaustive` checks at import that a table has every key exactly once, so a new event or kind of decision fails until
every dialect handles it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar, cast, get_args

K = TypeVar("K")
V = TypeVar("V")


def exhaustive(table: Mapping[K, V], keys: Any, default: V | None = None, *default_keys: K) -> dict[K, V]:
    """Return the table, extended by `default` for the `default_keys`.

    `keys` are all valid keys: the members of a union or of an enum. Raise `TypeError` if a key is missing, unknown or
    given twice.
    """
    valid: Iterable[K] = get_args(keys) or tuple(keys)
    twice = [key for key in default_keys if key in table]
    missing = [key for key in valid if key not in table and key not in default_keys]
    unknown = [key for key in (*table, *default_keys) if key not in valid]
    if twice or missing or unknown:
        raise TypeError(f"keys given twice: {twice}; missing: {missing}; unknown: {unknown}")
    return {**table, **dict.fromkeys(default_keys, cast("V", default))}


def ignore_event(*_: object) -> None:
    """Ignore an event that the protocol does not report."""


def no_bytes(*_: object) -> bytes:
    """Return no bytes for an event that the protocol does not report."""
    return b""
