"""Who sat down in a match, by the keys of players who have shown a token: by them a player's own matches are found.

Every store keeps the pairs of key and match beside the events, and stores both in one commit.  They could be made again
from the events; where those cannot be read, nobody sat down.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from boardwire.table.events import Acted, Event, Joined, decode

_JOINED: Final = b'{"event":"joined"'


def keys_of(events: Sequence[Event]) -> tuple[str, ...]:
    """The keys of those who sit down in these events, which are stored together."""
    if type(events[0]) is Acted:  # nearly always: nobody sits down in the same breath
        return ()
    return tuple([event.player.key for event in events if type(event) is Joined and event.player.key])


def keys_in(bodies: Iterable[bytes]) -> set[str]:
    """The same of events as they are stored."""
    return {key for body in bodies if body.startswith(_JOINED) and (key := _key(body))}


def _key(body: bytes) -> str:
    try:
        event = decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return ""
    return event.player.key if isinstance(event, Joined) else ""
