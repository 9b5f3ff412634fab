"""Data of organiser's tables: the request, and the record that is stored and shown."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any, Final

import msgspec

from boardwire import dialects, games
from boardwire.errors import Malformed, Refused
from boardwire.games.game import Outcome
from boardwire.lobby.requests import Seek
from boardwire.lobby.reservations import SeatReservation
from boardwire.table.events import Player, bot_name
from boardwire.table.policy import Leaving, Policy
from boardwire.wire.text import printable

MAX_SEATS: Final = 8
"""Seats of an organiser's table."""
MAX_LABEL_LENGTH: Final = 200
"""Longest label of a table in characters."""
MAX_OPEN_SECONDS: Final = 90 * 86_400.0
"""Longest time that a table may wait for its players: about a school term."""

Seconds = Annotated[float, msgspec.Meta(ge=0, le=86_400)]
Name = Annotated[str, msgspec.Meta(max_length=64)]


class TableState(StrEnum):
    """State of an organiser's table."""

    WAITING = "waiting"
    PLAYING = "playing"
    OVER = "over"
    CANCELLED = "cancelled"
    EXPIRED = "expired"
    """Not all players joined in time."""


OPEN_STATES: Final = (TableState.WAITING, TableState.PLAYING)


class SeatRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A seat: a player of `dialect`, or a bot.

    - `name`: the name with which the program logs in, or which a person is given.
    - `port`: open a port for this seat alone; required for dialects without names.
    """

    name: Name = ""
    dialect: Annotated[str, msgspec.Meta(max_length=64)] = "native"
    port: bool = False
    bot: Annotated[str, msgspec.Meta(max_length=64)] = ""


class TableRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table that an organiser opens for others.

    - `options` are those of the game, as in the native dialect; `per_move`, `bank` and `increment` are its clock in
      seconds, with 0 for no limit.
    - `wait`: seconds until the table closes if not all players have joined.
    """

    game: Annotated[str, msgspec.Meta(max_length=64)]
    seats: Annotated[tuple[SeatRequest, ...], msgspec.Meta(min_length=1, max_length=MAX_SEATS)]
    label: Annotated[str, msgspec.Meta(max_length=MAX_LABEL_LENGTH)] = ""
    options: dict[str, Any] | None = None
    leaving: Leaving = Leaving.ENDS
    grace: Seconds = 60.0
    per_move: Seconds = 0.0
    bank: Seconds = 0.0
    increment: Seconds = 0.0
    wait: Annotated[float, msgspec.Meta(ge=1, le=MAX_OPEN_SECONDS)] = 3600.0


class SeatRecord(msgspec.Struct, frozen=True):
    """A seat: how its player is admitted, and which player has joined."""

    seat: int
    name: str = ""
    dialect: str = ""
    bot: str = ""
    code: str = ""
    """Code that admits a native client: the page's address is `/#/table/MATCH/CODE`."""
    port: int = 0
    """Port of this seat alone, or 0."""
    player: str | None = None
    """Name of the player who has joined, or None."""

    def reservation(self, *, by_name: bool) -> SeatReservation:
        """Return the reservation of the seat; a seat with a port is not found by name."""
        return SeatReservation(self.seat, self.name, named_protocol(self.dialect) if by_name else "", self.code)


def named_protocol(dialect: str) -> str:
    """Return the protocol of a dialect whose programs send their name before they request a table, or ''."""
    is_named = dialect in dialects.DIALECT_PACKAGES and dialects.dialect(dialect).names_first
    return dialect.partition("/")[0] if is_named else ""


class TableRecord(msgspec.Struct, frozen=True):
    """An organiser's table. `code` admits spectators; `closes` is when it stops waiting for its players."""

    match: str
    game: str
    label: str
    state: TableState
    opened: float
    closes: float
    code: str
    seats: tuple[SeatRecord, ...]
    outcome: Outcome | None = None


def _check_seat(seat: SeatRequest, number: int, game: str) -> None:
    """Raise `Refused` if a player cannot take this seat, number `number`, as requested."""
    playable = dialects.of_game(game)
    if seat.dialect not in playable:
        choices = ", ".join(playable)
        raise Refused(f"seat {number}: {game} cannot be played over {seat.dialect!r}; choose one of {choices}")
    if printable(seat.name) != seat.name or seat.name != seat.name.strip():
        raise Refused(f"seat {number}: the name {printable(seat.name)!r} has unprintable characters or outer spaces")
    if seat.port and seat.dialect == "native":
        raise Refused(f"seat {number}: native clients use the HTTP port; remove port, and give them the seat's code")
    protocol = named_protocol(seat.dialect)
    if seat.dialect != "native" and not seat.port and not protocol:
        raise Refused(f"seat {number}: {seat.dialect} cannot identify programs by name; set port to true")
    if protocol and not seat.port and not seat.name:
        raise Refused(f"seat {number}: name is missing; give the name with which the program logs in, or set port")


def seek_of(request: TableRequest) -> Seek:
    """Return the lobby request for a table; raise `Refused` or `Malformed` for an invalid one."""
    game = games.game(request.game)
    bots: list[tuple[int, Player]] = []
    names: set[str] = set()
    for number, seat in enumerate(request.seats):
        if seat.bot:
            if seat.name or seat.port:
                raise Refused(f"seat {number} is for a bot: remove its name and port")
            bots.append((number, Player(f"{bot_name(seat.bot)} {number + 1}", "bot", seat.bot)))
            continue
        _check_seat(seat, number, game.name)
        if seat.name:
            if seat.name.casefold() in names:
                raise Refused(f"seat {number}: another seat has the name {seat.name!r}")
            names.add(seat.name.casefold())
    if len(bots) == len(request.seats):
        raise Refused("all seats have bots; leave one for a player")
    try:
        options = game.Options() if request.options is None else msgspec.convert(request.options, game.Options)
    except msgspec.ValidationError as error:
        raise Malformed(f"options: {error}") from None
    policy = Policy(
        request.leaving,
        request.grace if request.leaving is not Leaving.ENDS else 0.0,
        request.bank,
        request.per_move,
        increment=request.increment or msgspec.UNSET,
    )
    return Seek(
        game.name, len(request.seats), Player(dialect="native"), options, policy, private=True, bots=tuple(bots)
    )
