"""Indexed facts about a match: its game, whether its table is private, and its players.

Players are indexed by token hash, for lists of their own matches, and by name, for searches among public tables. Every
store commits these facts together with the events. They can be rebuilt from the events; unreadable events have none.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

import msgspec

from boardwire.table.events import Acted, Event, Joined, Opened, Readied, Substituted, account_key, decode

SEATING: Final = (b'{"event":"joined"', b'{"event":"readied"', b'{"event":"substituted"')
"""Prefixes of stored events that seat or name a player."""
_OPENED: Final = b'{"event":"opened"'


class Facts(NamedTuple):
    """Facts from some events of a match. `game` is empty if the opening is not among them."""

    keys: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    game: str = ""
    private: bool = False


NO_FACTS: Final = Facts()


def facts_of(events: Sequence[Event]) -> Facts:
    """Return the facts from the events of one append."""
    return NO_FACTS if type(events[0]) is Acted else _facts(events)  # after an action, no player is seated


def facts_in(bodies: Iterable[bytes]) -> Facts:
    """Return the facts from encoded events."""
    return _facts(
        [event for body in bodies if body.startswith((*SEATING, _OPENED)) and (event := _decode(body)) is not None]
    )


def _facts(events: Iterable[Event]) -> Facts:
    """Return the facts that these events of a match establish."""
    keys: dict[str, None] = {}
    names: dict[str, None] = {}
    game, private = "", False
    for event in events:
        if isinstance(event, Opened):
            game, private = event.game.partition("@")[0], bool(event.code)
        elif isinstance(event, Joined | Readied | Substituted):
            names[event.player.name] = None
            if isinstance(event, Joined):
                keys[event.player.key] = None
                if event.player.account:  # a program without a token
                    keys[account_key(event.player.account)] = None
    keys.pop("", None)
    names.pop("", None)
    return Facts(tuple(keys), tuple(names), game, private)


def _decode(body: bytes) -> Event | None:
    try:
        event: Event = decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
    return event
