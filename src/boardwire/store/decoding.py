"""Decoding of stored events in chunks, between which a long read can pause or stop."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

from boardwire.errors import Reason, Unavailable
from boardwire.table.events import Event, decode
from boardwire.table.ports import Check

PART_EVENTS: Final = 100
"""Events decoded between two calls of `check`."""


def decode_events(match: str, bodies: Sequence[bytes], check: Check) -> list[Event]:
    """Decode the events of a match; raise `Unavailable` if one cannot be decoded."""
    events: list[Event] = []
    try:
        for at in range(0, len(bodies), PART_EVENTS):
            check()
            events += map(decode, bodies[at : at + PART_EVENTS])
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Unavailable(f"match {match!r} cannot be read: {error}", reason=Reason.UNREADABLE) from None
    return events
