"""What everybody is shown when something has happened [r4].

`TELL` says which parts of the table each event of the game changes; of these parts, whatever looks different from
before is displayed, to all players alike, so a step is encoded once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import IntEnum
from typing import Final

from boardwire.dialects.eriantys_messages import messages as say
from boardwire.games.eriantys import Colour, View
from boardwire.games.eriantys import events as told
from boardwire.games.eriantys.view import Board, Island

JOINING: Final = "Joining islands"
TURN_OVER: Final = "Your turn is over"
LAST_ROUND: Final = "This is the last round"


class Part(IntEnum):
    """A part of the table, in the order in which parts are displayed."""

    TEXT = 0
    DECKS = 1
    TOWERS = 2
    HALLS = 3
    ENTRANCES = 4
    CLOUDS = 5
    ISLANDS = 6
    CEMETERY = 7
    CHARACTERS = 8


_P: Final = Part

TELL: Final[dict[type, tuple[Part, ...]]] = {
    told.MotherNaturePlaced: (_P.ISLANDS,),
    told.IslandsStocked: (_P.ISLANDS,),
    told.EntrancesDealt: (_P.ENTRANCES, _P.HALLS, _P.TOWERS, _P.DECKS),
    told.CharactersDrawn: (_P.CHARACTERS,),
    told.CharactersStocked: (_P.CHARACTERS,),
    told.FirstDrawn: (),
    told.RoundBegan: (_P.CEMETERY,),
    told.Refilled: (_P.CLOUDS,),
    told.LastRound: (_P.TEXT, _P.CLOUDS),
    told.AssistantPlayed: (_P.CEMETERY, _P.DECKS),
    told.OrderSet: (),
    told.TurnBegan: (),
    told.TurnEnded: (),
    told.StudentPlaced: (_P.ENTRANCES, _P.ISLANDS, _P.CHARACTERS),
    told.StudentSeated: (_P.ENTRANCES, _P.HALLS, _P.CHARACTERS),
    told.ProfessorTaken: (_P.HALLS, _P.ISLANDS),
    told.CoinTaken: (_P.CHARACTERS,),
    told.MotherNatureMoved: (_P.ISLANDS,),
    told.EntryDenied: (_P.ISLANDS, _P.CHARACTERS),
    told.IslandResolved: (_P.ISLANDS,),
    told.TowersReturned: (_P.TOWERS, _P.ISLANDS),
    told.TowersPlaced: (_P.TOWERS, _P.ISLANDS),
    told.IslandsUnified: (_P.TEXT, _P.ISLANDS),
    told.CloudTaken: (_P.CLOUDS, _P.ENTRANCES),
    told.CharacterUsed: (_P.CHARACTERS, _P.ISLANDS, _P.HALLS),
    told.NoEntryPlaced: (_P.ISLANDS, _P.CHARACTERS),
    told.StudentsSwapped: (_P.ENTRANCES, _P.HALLS, _P.CHARACTERS),
    told.StudentsReturned: (_P.HALLS,),
    told.CharacterRestocked: (_P.CHARACTERS,),
    told.TurnSkipped: (_P.ENTRANCES, _P.CLOUDS),
    told.Forfeited: (),
    told.Ended: (),
}
"""Which parts of the table an event changes.  Whose turn ends and begins, and the end, are told by the script."""


def display(before: View | None, after: View, happened: Sequence[object], names: Sequence[str]) -> bytes:
    """The displays of a step, as lines; without `before`, the whole table."""
    parts = set(Part) if before is None else {part for event in happened for part in TELL[type(event)]}
    messages = [message for part in sorted(parts) for message in _SHOW[part](before, after, happened, names)]
    return b"".join(map(say.encode, messages))


def _texts(before: View | None, after: View, happened: Sequence[object], names: Sequence[str]) -> Iterator[say.Reply]:
    for event in happened:
        match event:
            case told.IslandsUnified():
                yield say.TextMessage(text=JOINING)
            case told.LastRound(reason=reason, clouds=clouds):
                closed = "" if clouds else "; nobody takes a cloud"
                yield say.TextMessage(text=f"{LAST_ROUND} ({reason}){closed}")


def _decks(before: View | None, after: View, happened: Sequence[object], names: Sequence[str]) -> Iterator[say.Reply]:
    for seat, board in enumerate(after.boards):
        if before is None or before.boards[seat].hand != board.hand:
            yield say.AssignPlayerDeckResponseMessage(nickname=names[seat], assistantCardsModel=deck(board.hand))


def deck(hand: Sequence[int]) -> tuple[say.CardModel, ...]:
    """A hand of cards as the wire shows it."""
    return tuple(say.CardModel(card, say.movement(card)) for card in hand)


def _towers(before: View | None, after: View, happened: Sequence[object], names: Sequence[str]) -> Iterator[say.Reply]:
    for side, now in enumerate(after.sides):
        if before is None or before.sides[side].towers != now.towers:
            for seat in now.seats:
                yield say.TowerMessage(nickname=names[seat], colorTower=now.tower.name, towerNumber=now.towers)


def _halls(before: View | None, after: View, happened: Sequence[object], names: Sequence[str]) -> Iterator[say.Reply]:
    for seat, board in enumerate(after.boards):
        if before is None or _hall(before.boards[seat]) != _hall(board):
            hall = {colour.name: board.hall[colour] for colour in Colour}
            professors = tuple(colour.name for colour in board.professors)
            yield say.DisplayHallMessage(nickname=names[seat], hall=hall, professors=professors)


def _hall(board: Board) -> object:
    return board.hall, board.professors


def _entrances(
    before: View | None, after: View, happened: Sequence[object], names: Sequence[str]
) -> Iterator[say.Reply]:
    for seat, board in enumerate(after.boards):
        if before is None or before.boards[seat].entrance != board.entrance:
            yield say.DisplayEntranceMessage(nickname=names[seat], entrance=say.pawns(board.entrance))


def _clouds(before: View | None, after: View, happened: Sequence[object], names: Sequence[str]) -> Iterator[say.Reply]:
    if before is None or before.clouds != after.clouds:
        yield say.DisplayCloudsMessage(clouds=tuple(map(say.pawns, after.clouds)))


def _islands(before: View | None, after: View, happened: Sequence[object], names: Sequence[str]) -> Iterator[say.Reply]:
    """An island that changed; all of them where two have joined, because the indices behind them move up."""
    count = len(after.islands)
    everything = before is None or len(before.islands) != count
    for index, island in enumerate(after.islands):
        if everything or before is None or before.islands[index] != island:
            yield say.DisplayIslandMessage(
                islandModel=_island(after, island, names), islandIndex=index, numIslands=count
            )


def _island(view: View, island: Island, names: Sequence[str]) -> say.IslandModel:
    influence = {names[seat]: island.influence[side] for side, one in enumerate(view.sides) for seat in one.seats}
    tower = None if island.side is None else view.sides[island.side].tower.name
    return say.IslandModel(
        len(island.tiles), say.pawns(island.students), tower, island.towers, island.mother_nature, island.no_entry,
        influence,
    )  # fmt: skip


def _cemetery(
    before: View | None, after: View, happened: Sequence[object], names: Sequence[str]
) -> Iterator[say.Reply]:
    cards = cemetery(after, names)
    if before is None or cemetery(before, names) != cards:
        yield say.DisplayCemeteryMessage(cemetery=cards)


def cemetery(view: View, names: Sequence[str]) -> tuple[say.PlayedCard, ...]:
    """The cards of this round, in the order in which their owners act or, while they are played, were played."""
    played = [(seat, view.boards[seat].card) for seat in view.order]
    return tuple(say.PlayedCard(names[seat], card, say.movement(card)) for seat, card in played if card is not None)


def _characters(
    before: View | None, after: View, happened: Sequence[object], names: Sequence[str]
) -> Iterator[say.Reply]:
    if after.characters and (before is None or _expert(before) != _expert(after)):
        models = tuple(
            say.CharacterModel(card.character.name, card.price, say.pawns(card.students), card.no_entry)
            for card in after.characters
        )
        coins = {names[seat]: board.coins or 0 for seat, board in enumerate(after.boards)}
        yield say.CharacterCardsMessage(characters=models, coins=coins)


def _expert(view: View) -> object:
    return view.characters, tuple(board.coins for board in view.boards)


_SHOW: Final = {
    Part.TEXT: _texts,
    Part.DECKS: _decks,
    Part.TOWERS: _towers,
    Part.HALLS: _halls,
    Part.ENTRANCES: _entrances,
    Part.CLOUDS: _clouds,
    Part.ISLANDS: _islands,
    Part.CEMETERY: _cemetery,
    Part.CHARACTERS: _characters,
}
