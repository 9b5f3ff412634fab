"""TELL: what a player is told when something has happened (protocol page, 4.2 to 4.5).

`TELL` says which parts of the table each event of the game concerns; the parts of a step are told in their order.
What everybody is told alike is written once per step; a player's own board, entrance and turn are for that player.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from enum import IntEnum
from typing import Any, Final

import msgspec

from boardwire.dialects.eriantys_objects import classes as wire
from boardwire.dialects.eriantys_objects import models, written
from boardwire.dialects.eriantys_objects.stream import ADDRESSEE, encode
from boardwire.games.eriantys import View
from boardwire.games.eriantys import events as told
from boardwire.games.game import Seat

SERVER: Final = "SERVER_NICK"
UPDATED_PROFS: Final = "Updated profs:"
JOINING: Final = "JOINING ISLANDS..."
UPDATED_ISLANDS: Final = "Updated islands:"
LAST_ROUND: Final = "This is the last round"
IS_PLAYING: Final = "is playing..."
"""The shipped graphical client looks for these words."""


class Part(IntEnum):
    """A part of what is told, in the order of telling."""

    CEMETERY = 0
    CHARACTER = 1
    SKIPPED = 2
    PROFESSORS = 3
    TOWERS = 4
    BOARD = 5
    JOINING = 6
    ENTRANCE = 7
    END = 8
    CLOUDS = 9
    ISLANDS = 10
    GROUPS = 11
    LAST = 12
    BEGIN = 13


_P: Final = Part

TELL: Final[dict[type, tuple[Part, ...]]] = {
    told.MotherNaturePlaced: (_P.ISLANDS,),
    told.IslandsStocked: (_P.ISLANDS,),
    told.EntrancesDealt: (_P.BOARD,),
    told.CharactersDrawn: (),
    told.CharactersStocked: (),
    told.FirstDrawn: (),
    told.RoundBegan: (),
    told.Refilled: (_P.CLOUDS,),
    told.LastRound: (_P.LAST,),
    told.AssistantPlayed: (_P.CEMETERY,),
    told.OrderSet: (),
    told.TurnBegan: (_P.BEGIN,),
    told.TurnEnded: (_P.END,),
    told.StudentPlaced: (_P.ENTRANCE, _P.ISLANDS),
    told.StudentSeated: (_P.BOARD, _P.ENTRANCE),
    told.ProfessorTaken: (_P.PROFESSORS, _P.BOARD),
    told.CoinTaken: (_P.BOARD,),
    told.MotherNatureMoved: (_P.ISLANDS,),
    told.EntryDenied: (_P.SKIPPED, _P.ISLANDS),
    told.IslandResolved: (),
    told.TowersReturned: (_P.BOARD,),
    told.TowersPlaced: (_P.TOWERS, _P.BOARD),
    told.IslandsUnified: (_P.JOINING, _P.ISLANDS, _P.GROUPS),
    told.CloudTaken: (_P.ENTRANCE, _P.CLOUDS, _P.ISLANDS),
    told.CharacterUsed: (_P.CHARACTER, _P.BOARD),
    told.NoEntryPlaced: (_P.ISLANDS,),
    told.StudentsSwapped: (_P.BOARD, _P.ENTRANCE),
    told.StudentsReturned: (_P.BOARD,),
    told.CharacterRestocked: (),
    told.TurnSkipped: (_P.CLOUDS, _P.ENTRANCE),
    told.Forfeited: (),
    told.Ended: (),
}
"""What of the table an event concerns.  What is on a character shows in the next offer; the script tells the end."""

START: Final = (Part.CLOUDS, Part.ISLANDS, Part.GROUPS, Part.BOARD, Part.CEMETERY, Part.BEGIN)
"""What a player is told first [4.1.6], and when something was taken back."""


class Telling(msgspec.Struct):
    """One step, for all who hear of it.  Without `before` it is the first, or one that took something back."""

    before: View | None
    after: View
    happened: Sequence[Any]
    names: tuple[str, ...]
    shared: dict[Part, bytes] = {}
    parts: Sequence[Part] = ()
    """What is to be told, in order."""

    def __post_init__(self) -> None:
        concerned = {part for event in self.happened for part in TELL[type(event)]}
        self.parts = START if self.before is None else sorted(concerned)


def follow(last: Telling | None, after: View, happened: Sequence[Any], names: tuple[str, ...]) -> Telling:
    """The telling of the step after `last`.  Islands that look the same need not be written again."""
    if last is None:
        return Telling(None, after, happened, names)
    telling = Telling(last.after, after, happened, names)
    if Part.ISLANDS in last.shared and last.after.islands == after.islands:
        telling.shared[Part.ISLANDS] = last.shared[Part.ISLANDS]
    return telling


def tell(telling: Telling, seat: Seat) -> bytes:
    """What the player at `seat` is told, with `ADDRESSEE` for its name."""
    out: list[bytes] = []
    for part in telling.parts:
        if part in OWN:
            out += OWN[part](telling, seat)
        else:
            if part not in telling.shared:
                telling.shared[part] = b"".join(SHARED[part](telling))
            out.append(telling.shared[part])
    return b"".join(out)


# --- for all alike --------------------------------------------------------------------------------------------------


def _cemetery(telling: Telling) -> Iterator[bytes]:
    cards = models.cemetery(telling.after, telling.names)
    if cards or telling.before is not None:
        yield encode(wire.DisplayCemeteryMessage(nickname=ADDRESSEE, cemetery=cards))


def _character(telling: Telling) -> Iterator[bytes]:
    """The protocol tells nobody; a text does, since it may change what an island is worth."""
    for event in telling.happened:
        if isinstance(event, told.CharacterUsed):
            yield written.text(f"{telling.names[event.seat]} plays the {event.character.value}.")


def _professors(telling: Telling) -> Iterator[bytes]:
    for event in telling.happened:
        if isinstance(event, told.ProfessorTaken) and event.previous is not None:
            yield written.text(UPDATED_PROFS)  # [4.3.10]


def _towers(telling: Telling) -> Iterator[bytes]:
    shown = models.islands(telling.after)
    for event in telling.happened:
        if isinstance(event, told.TowersPlaced):
            index = next(at for at, one in enumerate(telling.after.islands) if event.island in one.tiles)
            island = wire.DisplayIslandMessage(nickname=ADDRESSEE, island_index=index, island_model=shown[index])
            yield encode(island)


def _joining(telling: Telling) -> Iterator[bytes]:
    yield written.text(JOINING)
    yield written.text(UPDATED_ISLANDS)


def _groups(telling: Telling) -> Iterator[bytes]:
    """The wire has no size of a group [9.10]."""
    for index, island in enumerate(telling.after.islands):
        if len(island.tiles) > 1:
            yield written.text(f"Island {index} is made of {len(island.tiles)} islands and has {island.towers} towers.")


def _clouds(telling: Telling) -> Iterator[bytes]:
    yield written.clouds(telling.after.moves, telling.after.clouds)


def _islands(telling: Telling) -> Iterator[bytes]:
    yield encode(wire.DisplayIslandsMessage(nickname=ADDRESSEE, island_models=models.islands(telling.after)))


def _last(telling: Telling) -> Iterator[bytes]:
    for event in telling.happened:
        if isinstance(event, told.LastRound):
            closed = "" if event.clouds else "; nobody takes a cloud"
            yield written.text(f"{LAST_ROUND} ({event.reason}){closed}.")


SHARED: Final[dict[Part, Callable[[Telling], Iterator[bytes]]]] = {
    Part.CEMETERY: _cemetery,
    Part.CHARACTER: _character,
    Part.PROFESSORS: _professors,
    Part.TOWERS: _towers,
    Part.JOINING: _joining,
    Part.CLOUDS: _clouds,
    Part.ISLANDS: _islands,
    Part.GROUPS: _groups,
    Part.LAST: _last,
}

# --- for one --------------------------------------------------------------------------------------------------------


def _board(telling: Telling, seat: Seat) -> Iterator[bytes]:
    """The own board, if it looks different."""
    before, after = telling.before, telling.after
    if before is None or _looks(before, seat) != _looks(after, seat):
        yield encode(models.board(after, seat, telling.names[seat]))


def _looks(view: View, seat: Seat) -> object:
    board = view.boards[seat]
    return board.hall, board.professors, board.coins, view.sides[board.side].towers


def _entrance(telling: Telling, seat: Seat) -> Iterator[bytes]:
    before, after = telling.before, telling.after.boards[seat].entrance
    if before is None or before.boards[seat].entrance != after:
        yield written.entrance(after)


def _skipped(telling: Telling, seat: Seat) -> Iterator[bytes]:
    before = telling.before
    if before is not None and before.turn == seat:
        yield written.SKIPPED  # [4.4.17]


def _end(telling: Telling, seat: Seat) -> Iterator[bytes]:
    for event in telling.happened:
        if isinstance(event, told.TurnEnded) and event.seat == seat:
            yield written.END_TURN


def _begin(telling: Telling, seat: Seat) -> Iterator[bytes]:
    for event in telling.happened:
        if isinstance(event, told.TurnBegan):
            if event.seat == seat:
                yield written.START_TURN
            else:
                reader, active = telling.names[seat], telling.names[event.seat]
                text = f"Hey {reader}, {active} {IS_PLAYING}"
                yield encode(wire.GenericMessage(nickname=SERVER, message=text))


OWN: Final[dict[Part, Callable[[Telling, Seat], Iterator[bytes]]]] = {
    Part.SKIPPED: _skipped,
    Part.BOARD: _board,
    Part.ENTRANCE: _entrance,
    Part.END: _end,
    Part.BEGIN: _begin,
}
