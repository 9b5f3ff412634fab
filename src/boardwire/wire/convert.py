"""Conversion of plain data to a type, with what msgspec works out about the type kept between calls.

`msgspec.convert` keeps that for structs only.  For a union of structs, as the actions of Santorini and Eriantys are, it
works it out in every call: 43 µs instead of 1 µs.  So the type is put into a struct of one field.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import msgspec


def convert(raw: Any, kind: Any) -> Any:
    """Return `raw` as a value of type `kind`, like `msgspec.convert`; `msgspec.ValidationError` says what is wrong."""
    try:
        return msgspec.convert({"value": raw}, _struct_of(kind)).value
    except msgspec.ValidationError:
        return msgspec.convert(raw, kind)  # for the error: its path must not name our field


@lru_cache(maxsize=256)
def _struct_of(kind: Any) -> Any:
    return msgspec.defstruct("Converted", [("value", kind)])
