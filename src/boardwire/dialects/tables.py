"""Tables by kind of event or decision, which leave nothing out.

What a protocol does with each event, and how it puts each decision, stands in tables.  `total` sees at import that such
a table names every key once: a new event, or a new kind of decision, is noticed where it is not yet said.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar, cast, get_args

K = TypeVar("K")
V = TypeVar("V")


def total(table: Mapping[K, V], keys: Any, otherwise: V | None = None, *unsaid: K) -> dict[K, V]:
    """The table, with `otherwise` for the `unsaid` keys, if there are any.  `keys` are all there are: those of a union,
    or of an enum."""
    every: Iterable[K] = get_args(keys) or tuple(keys)
    twice = [key for key in unsaid if key in table]
    missing = [key for key in every if key not in table and key not in unsaid]
    strange = [key for key in (*table, *unsaid) if key not in every]
    if twice or missing or strange:
        raise TypeError(f"named twice: {twice}; missing: {missing}; not among the keys: {strange}")
    silence = dict.fromkeys(unsaid, cast("V", otherwise))
    return {**table, **silence}


def silent(*_: object) -> None:
    """What is made of an event that the protocol has no word for: its players need none, or something else says it."""


def unsaid(*_: object) -> bytes:
    """The same, where a table has the bytes that are said."""
    return b""
