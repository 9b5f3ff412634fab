"""Facts about a match by which lists find it: its game, whether its table is private, and who sat down.

Players are indexed by the keys of the tokens that they have shown, for their own matches, and by their names, for
searches among the matches of public tables.  Every store keeps these facts beside the events, and stores both in one
commit.  They could be made again from the events; of events that cannot be read there are none.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

import msgspec

from boardwire.table.events import Acted, Event, Joined, Opened, Readied, Substituted, decode

SEATING: Final = (b'{"event":"joined"', b'{"event":"readied"', b'{"event":"substituted"')
"""How events begin by which somebody sits down or is named."""
_OPENED: Final = b'{"event":"opened"'


class Facts(NamedTuple):
    """What some events of a match say.  `game` is empty if the opening is not among them."""

    keys: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    game: str = ""
    private: bool = False


NO_FACTS: Final = Facts()


def facts_of(events: Sequence[Event]) -> Facts:
    """The facts in events that are stored together."""
    return (
        NO_FACTS if type(events[0]) is Acted else _facts(events)
    )  # nearly always: nobody sits down in the same breath


def facts_in(bodies: Iterable[bytes]) -> Facts:
    """The facts in events as they are stored."""
    return _facts(
        [event for body in bodies if body.startswith((*SEATING, _OPENED)) and (event := _decoded(body)) is not None]
    )


def _facts(events: Iterable[Event]) -> Facts:
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
    keys.pop("", None)
    names.pop("", None)
    return Facts(tuple(keys), tuple(names), game, private)


def _decoded(body: bytes) -> Event | None:
    try:
        event: Event = decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
    return event
