"""TELL: the displays that report a step [6.4].

- `TELL_GAME` lists the parts of the position that each game event may change. Those that have changed are displayed.
- All players get the same displays, so a step is encoded once.
- The display of a board has the nickname of its player; displays of shared parts (islands, clouds, cemetery,
  characters, texts) have the mover's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from enum import IntEnum
from functools import lru_cache
from typing import Final, NamedTuple, cast

import msgspec

from boardwire.dialects.dispatch import exhaustive, ignore_event
from boardwire.dialects.eriantys_messages import messages as wire
from boardwire.dialects.eriantys_messages.participant import Participant
from boardwire.dialects.eriantys_texts import LastRound
from boardwire.games.eriantys import View
from boardwire.games.eriantys import events as game
from boardwire.games.eriantys.planning import CARDS, assistant_steps
from boardwire.games.eriantys.view import Board, Island
from boardwire.games.game import Seat
from boardwire.table import events as table
from boardwire.table.guest import Step
from boardwire.table.match import Match, Moment
from boardwire.table.policy import Leaving

JOINING: Final = "Joining islands"
TURN_OVER: Final = "Your turn is over"


class Part(IntEnum):
    """Part of the position, in display order."""

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

TELL_GAME: Final[dict[type, tuple[Part, ...]]] = exhaustive(
    {
    game.MotherNaturePlaced: (_P.ISLANDS,),
    game.IslandsStocked: (_P.ISLANDS,),
    game.EntrancesDealt: (_P.ENTRANCES, _P.HALLS, _P.TOWERS, _P.DECKS),
    game.CharactersDrawn: (_P.CHARACTERS,),
    game.CharactersStocked: (_P.CHARACTERS,),
    game.RoundBegan: (_P.CEMETERY,),
    game.Refilled: (_P.CLOUDS,),
    game.LastRound: (_P.TEXT, _P.CLOUDS),
    game.AssistantPlayed: (_P.CEMETERY, _P.DECKS),
    game.OrderSet: (_P.CEMETERY,),
    game.TurnEnded: (_P.ISLANDS,),  # the influence of a character ends with the turn
    game.StudentPlaced: (_P.ENTRANCES, _P.ISLANDS, _P.CHARACTERS),
    game.StudentSeated: (_P.ENTRANCES, _P.HALLS, _P.CHARACTERS),
    game.ProfessorTaken: (_P.HALLS, _P.ISLANDS),
    game.CoinTaken: (_P.CHARACTERS,),
    game.MotherNatureMoved: (_P.ISLANDS,),
    game.EntryDenied: (_P.ISLANDS, _P.CHARACTERS),
    game.IslandResolved: (_P.ISLANDS,),
    game.TowersReturned: (_P.TOWERS, _P.ISLANDS),
    game.TowersPlaced: (_P.TOWERS, _P.ISLANDS),
    game.IslandsUnified: (_P.TEXT, _P.ISLANDS),
    game.CloudTaken: (_P.CLOUDS, _P.ENTRANCES),
    game.CharacterUsed: (_P.CHARACTERS, _P.ISLANDS, _P.HALLS),
    game.NoEntryPlaced: (_P.ISLANDS, _P.CHARACTERS),
    game.StudentsSwapped: (_P.ENTRANCES, _P.HALLS, _P.CHARACTERS),
    game.StudentsReturned: (_P.HALLS,),
    game.CharacterRestocked: (_P.CHARACTERS,),
    game.TurnSkipped: (_P.TEXT, _P.ENTRANCES, _P.CLOUDS),
    game.Forfeited: (_P.TEXT,),
    },
    game.Event, (), game.FirstDrawn, game.TurnBegan, game.Ended,
)  # fmt: skip
"""Parts of the position that an event may change. The script itself reports the ends of turns and of the match."""


class StepReport(msgspec.Struct, frozen=True):
    """A step to display: the position before it (None if nothing was displayed before) and after it."""

    before: View | None
    after: View
    happened: Sequence[object]
    names: Sequence[str]
    mover: Seat | None = None
    """Seat that moved; None for chance and table events."""
    by: str = ""
    """Nickname of the mover."""


class EncodedReport(NamedTuple):
    """An encoded step, shared by all clients with the same previous display."""

    report: StepReport
    displays: bytes


def tell(client: Participant, step: Step) -> StepReport | None:
    """Report a step to one client; return None while there is nothing to display."""
    client.follow(step, TELL)
    if client.match.position is None:
        return None
    before = client.view
    key = _CHANGES if before is not None else _WHOLE
    encoded: EncodedReport | None = step.memo.get(key)
    if encoded is None:
        report = _report_of(client, step)
        encoded = step.memo[key] = EncodedReport(report, display(report))
    report, displays = encoded
    client.view = report.after
    client.talk.say(displays)
    if game.TURN_ENDED[client.seat] in report.happened:
        client.peer.inform(TURN_OVER)
    return report


def show_again(client: Participant, match: Match) -> StepReport:
    """Display the changes after the position of the match was replaced, and return them."""
    client.match = match
    client.pending_act = client.request = client.asked_kind = None
    report = StepReport(client.view, match.setting.game.view(match.position, None), (), client.names)
    client.view = report.after
    client.talk.say(wire.encode(*[line for part in _ALL for line in _SHOW[part](report)]))
    return report


_VIEW: Final = (wire.NAME, "view")
_CHANGES: Final = (wire.NAME, "changes")
_WHOLE: Final = (wire.NAME, "whole")
"""Keys of this protocol in a step's memo."""


def _report_of(client: Participant, step: Step) -> StepReport:
    """Return the report of a step for a client."""
    moments = step.moments
    happened: Sequence[object] = (
        moments[0].happened if len(moments) == 1 else [event for moment in moments for event in moment.happened]
    )
    mover = next((moment.event.seat for moment in moments if isinstance(moment.event, table.Acted)), None)
    by = "" if mover is None else client.names[mover]
    return StepReport(client.view, _view_after(step), happened, client.names, mover, by)


def _view_after(step: Step) -> View:
    """Return the view after a step, built once for all clients."""
    view: View | None = step.memo.get(_VIEW)
    if view is None:
        match = step.match
        view = step.memo[_VIEW] = match.setting.game.view(match.position, None)
    return view


# --- the match's events ---------------------------------------------------------------------------------------------


def _note_action(client: Participant, moment: Moment, step: Step) -> None:
    """Accept the client's request if its action is complete."""
    if client.pending_act is None:
        client.request = None


def _report_departure(client: Participant, moment: Moment, step: Step) -> None:
    """Report an absent player if the match continues [6.9]; otherwise the end of the match reports it."""
    seat = cast("table.Left", moment.event).seat
    if _match_continues(client, step) and seat != client.seat:
        client.peer.inform(f"{client.names[seat]} is away: their turns are skipped")


def _report_return(client: Participant, moment: Moment, step: Step) -> None:
    seat = cast("table.Returned", moment.event).seat
    if _match_continues(client, step) and seat != client.seat:
        client.peer.inform(f"{client.names[seat]} is back")


def _match_continues(client: Participant, step: Step) -> bool:
    """Return whether the match continues while players are away."""
    match = step.match
    return match.outcome is None and bool(client.names) and match.setting.policy.leaving is Leaving.SKIPS


TELL: Final[dict[type, Callable[[Participant, Moment, Step], None]]] = exhaustive(
    {table.Acted: _note_action, table.Left: _report_departure, table.Returned: _report_return},
    table.Event, ignore_event,
    *table.UNDO_EVENTS, *table.DRAW_EVENTS,
    table.Opened, table.Joined, table.Readied, table.Substituted, table.Skipped, table.Started,
    table.Dealt, table.Resigned, table.TimedOut, table.Chatted, table.Ended,
)  # fmt: skip

# --- the displays ---------------------------------------------------------------------------------------------------


def display(report: StepReport) -> bytes:
    """Encode the displays of a step, or of the whole table if nothing was displayed before."""
    parts = _ALL if report.before is None else _parts_of(tuple(map(type, report.happened)))
    return wire.encode(*[line for part in parts for line in _SHOW[part](report)])


@lru_cache(1024)
def _parts_of(events: tuple[type, ...]) -> tuple[Part, ...]:
    """Return the parts that events of these types may change, in display order."""
    return tuple(sorted({part for event in events for part in TELL_GAME[event]}))


def _event_texts(report: StepReport) -> Iterator[wire.Reply]:
    """Yield texts for events that no display shows."""
    for event in report.happened:
        match event:
            case game.IslandsUnified():
                yield wire.TextMessage(nickname=report.by, text=JOINING)
            case game.LastRound(reason=reason, clouds=clouds):
                yield wire.TextMessage(nickname=report.by, text=LastRound(reason, clouds).text())
            case game.Forfeited(seat=seat):
                yield wire.TextMessage(nickname=report.names[seat], text=f"{report.names[seat]} has given up")
            case game.TurnSkipped(seat=seat):
                yield wire.TextMessage(nickname=report.names[seat], text=f"{report.names[seat]} is absent")


def _board_changes(report: StepReport) -> Iterator[tuple[Seat, Board | None, Board]]:
    """Yield seat, old and new board for each changed board; unchanged boards are shared between views."""
    before = (None,) * len(report.after.boards) if report.before is None else report.before.boards
    for seat, board in enumerate(report.after.boards):
        if before[seat] is not board:
            yield seat, before[seat], board


def _changed_decks(report: StepReport) -> Iterator[wire.Reply]:
    for seat, before, board in _board_changes(report):
        if before is None or before.hand != board.hand:
            cards = deck(board.hand)
            yield wire.AssignPlayerDeckResponseMessage(nickname=report.names[seat], assistantCardsModel=cards)


def deck(hand: Sequence[int]) -> tuple[wire.CardModel, ...]:
    """Return a hand of cards as the wire shows it."""
    return tuple([_CARDS[card] for card in hand])


_CARDS: Final = {card: wire.CardModel(card, assistant_steps(card)) for card in CARDS}


def _changed_towers(report: StepReport) -> Iterator[wire.Reply]:
    for index, side in enumerate(report.after.sides):
        if report.before is None or report.before.sides[index].towers != side.towers:
            for seat in side.seats:
                yield wire.TowerMessage(
                    nickname=report.names[seat], colorTower=wire.TOWER_NAMES[side.tower], towerNumber=side.towers
                )


def _changed_halls(report: StepReport) -> Iterator[wire.Reply]:
    for seat, before, board in _board_changes(report):
        if before is None or before.hall != board.hall or before.professors != board.professors:
            hall = dict(zip(wire.COLOURS, board.hall, strict=True))
            professors = tuple([wire.COLOURS[colour] for colour in board.professors])
            yield wire.DisplayHallMessage(nickname=report.names[seat], hall=hall, professors=professors)


def _changed_entrances(report: StepReport) -> Iterator[wire.Reply]:
    for seat, before, board in _board_changes(report):
        if before is None or before.entrance != board.entrance:
            yield wire.DisplayEntranceMessage(nickname=report.names[seat], entrance=wire.pawns(board.entrance))


def _changed_clouds(report: StepReport) -> Iterator[wire.Reply]:
    clouds = report.after.clouds
    if report.before is None or report.before.clouds != clouds:
        yield wire.DisplayCloudsMessage(nickname=report.by, clouds=tuple(map(wire.pawns, clouds)))


def _changed_islands(report: StepReport) -> Iterator[wire.Reply]:
    """Yield the changed islands, or all of them after a merge, which shifts the indices."""
    before, islands = report.before, report.after.islands
    if before is not None and before.islands is islands:
        return  # most steps change no island
    unmerged = before is not None and len(before.islands) == len(islands)
    old_islands = before.islands if before is not None and unmerged else (None,) * len(islands)
    for index, (old, island) in enumerate(zip(old_islands, islands, strict=True)):
        if old is not island and old != island:
            model = _island_model(report.after, island, report.names)
            yield wire.DisplayIslandMessage(
                nickname=report.by, islandModel=model, islandIndex=index, numIslands=len(islands)
            )


def _island_model(view: View, island: Island, names: Sequence[str]) -> wire.IslandModel:
    influence = {names[seat]: island.influence[side] for side, owners in enumerate(view.sides) for seat in owners.seats}
    tower = None if island.side is None else wire.TOWER_NAMES[view.sides[island.side].tower]
    return wire.IslandModel(
        len(island.tiles), wire.pawns(island.students), tower, island.towers, island.mother_nature, island.no_entry,
        influence,
    )  # fmt: skip


def _changed_cemetery(report: StepReport) -> Iterator[wire.Reply]:
    before, after = report.before, report.after
    if before is None or _played_cards(before) != _played_cards(after):
        yield wire.DisplayCemeteryMessage(nickname=report.by, cemetery=cemetery(after, report.names))


def cemetery(view: View, names: Sequence[str]) -> tuple[wire.PlayedCard, ...]:
    """Return the cards of this round in the order played, or in turn order once all are played."""
    return tuple([wire.PlayedCard(names[seat], card, assistant_steps(card)) for seat, card in _played_cards(view)])


def _played_cards(view: View) -> list[tuple[Seat, int]]:
    return [(seat, card) for seat in view.order if (card := view.boards[seat].card) is not None]


def _changed_characters(report: StepReport) -> Iterator[wire.Reply]:
    """Yield characters and coins, if the game has them and they have changed."""
    after = report.after
    if after.characters and (report.before is None or _expert_parts(report.before) != _expert_parts(after)):
        models = tuple(
            wire.CharacterModel(
                wire.CHARACTER_NAMES[card.character], card.price, wire.pawns(card.students), card.no_entry
            )
            for card in after.characters
        )
        coins = {report.names[seat]: board.coins or 0 for seat, board in enumerate(after.boards)}
        yield wire.CharacterCardsMessage(nickname=report.by, characters=models, coins=coins)


def _expert_parts(view: View) -> object:
    """Return the parts of a view that `CharacterCardsMessage` shows."""
    return view.characters, tuple(board.coins for board in view.boards)


_SHOW: Final[dict[Part, Callable[[StepReport], Iterator[wire.Reply]]]] = {
    Part.TEXT: _event_texts,
    Part.DECKS: _changed_decks,
    Part.TOWERS: _changed_towers,
    Part.HALLS: _changed_halls,
    Part.ENTRANCES: _changed_entrances,
    Part.CLOUDS: _changed_clouds,
    Part.ISLANDS: _changed_islands,
    Part.CEMETERY: _changed_cemetery,
    Part.CHARACTERS: _changed_characters,
}
"""Display function of each part."""
_ALL: Final = tuple(Part)
