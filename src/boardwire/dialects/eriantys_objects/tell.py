"""TELL: the messages that report a step to a player [3.5].

- `PARTS` lists the parts of the position that each game event may change; they are sent in a fixed order, after the
  messages of `TELL` for the events of the match.
- Common messages are encoded once per step; board, entrance and turn are encoded for each player.
- Frequent messages are cached in encoded form.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from enum import IntEnum
from functools import lru_cache
from typing import Any, Final, cast

import msgspec

from boardwire.dialects.dispatch import exhaustive, ignore_event
from boardwire.dialects.eriantys_objects import messages as wire
from boardwire.dialects.eriantys_objects import pieces
from boardwire.dialects.eriantys_objects.messages import ADDRESSEE, encode
from boardwire.dialects.eriantys_objects.participant import Participant
from boardwire.dialects.eriantys_texts import LastRound
from boardwire.games.eriantys import Event, View
from boardwire.games.eriantys import events as game_events
from boardwire.games.eriantys.piles import Counts
from boardwire.games.game import Outcome, Seat
from boardwire.table import events as table
from boardwire.table.guest import Step
from boardwire.table.match import Match, Moment
from boardwire.table.termination import is_aborted

SERVER: Final = "SERVER_NICK"
UPDATED_PROFS: Final = "Updated profs:"
JOINING: Final = "JOINING ISLANDS..."
UPDATED_ISLANDS: Final = "Updated islands:"
IS_PLAYING: Final = "is playing..."
"""The shipped graphical client searches texts for these words."""

DISCONNECTED: Final = " disconnected from the server. GAME ENDED."
DRAW: Final = "The game ends in a draw. GAME ENDED."

START_TURN: Final = encode(wire.StartTurnMessage(nickname=ADDRESSEE))
END_TURN: Final = encode(wire.EndTurnMessage(nickname=ADDRESSEE))
SKIPPED: Final = encode(wire.EffectSkippingInfluenceMessage(nickname=ADDRESSEE))


class Part(IntEnum):
    """Part of a report, in sending order."""

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
_ISLANDS: Final = Part.ISLANDS

PARTS: Final[dict[type, tuple[Part, ...]]] = exhaustive(
    {
        game_events.MotherNaturePlaced: (_P.ISLANDS,),
        game_events.IslandsStocked: (_P.ISLANDS,),
        game_events.EntrancesDealt: (_P.BOARD,),
        game_events.Refilled: (_P.CLOUDS,),
        game_events.LastRound: (_P.LAST,),
        game_events.AssistantPlayed: (_P.CEMETERY,),
        game_events.TurnBegan: (_P.BEGIN,),
        game_events.TurnEnded: (_P.END,),
        game_events.StudentPlaced: (_P.ENTRANCE, _P.ISLANDS),
        game_events.StudentSeated: (_P.BOARD, _P.ENTRANCE),
        game_events.ProfessorTaken: (_P.PROFESSORS, _P.BOARD),
        game_events.CoinTaken: (_P.BOARD,),
        game_events.MotherNatureMoved: (_P.ISLANDS,),
        game_events.EntryDenied: (_P.SKIPPED, _P.ISLANDS),
        game_events.TowersReturned: (_P.BOARD,),
        game_events.TowersPlaced: (_P.TOWERS, _P.BOARD),
        game_events.IslandsUnified: (_P.JOINING, _P.ISLANDS, _P.GROUPS),
        game_events.CloudTaken: (_P.ENTRANCE, _P.CLOUDS, _P.ISLANDS),
        game_events.CharacterUsed: (_P.CHARACTER, _P.BOARD),
        game_events.NoEntryPlaced: (_P.ISLANDS,),
        game_events.StudentsSwapped: (_P.BOARD, _P.ENTRANCE),
        game_events.StudentsReturned: (_P.BOARD,),
        game_events.TurnSkipped: (_P.CLOUDS, _P.ENTRANCE),
    },
    Event, (),
    game_events.CharactersDrawn, game_events.CharactersStocked, game_events.FirstDrawn, game_events.RoundBegan,
    game_events.OrderSet, game_events.IslandResolved, game_events.CharacterRestocked, game_events.Forfeited,
    game_events.Ended,
)  # fmt: skip
"""Parts that an event may change. The next offer shows pieces on characters; the script reports the end."""

START: Final = (Part.CLOUDS, Part.ISLANDS, Part.GROUPS, Part.BOARD, Part.CEMETERY, Part.BEGIN)
"""Parts of the first report [3.2.7] and of the one after an undo."""


class StepReport(msgspec.Struct):
    """A step to report; without `before` it is the first one, or an undo."""

    before: View | None
    after: View
    happened: Sequence[Any]
    names: tuple[str, ...]
    islands: tuple[wire.IslandModel, ...] = ()
    """Models of the islands of `after`."""
    shared: dict[Part, bytes] = {}
    parts: Sequence[Part] = ()
    """Parts to report, in order."""

    def __post_init__(self) -> None:
        self.parts = START if self.before is None else _parts_of(tuple(map(type, self.happened)))
        self.islands = self.islands or pieces.islands(self.after)


@lru_cache(1024)
def _parts_of(events: tuple[type, ...]) -> tuple[Part, ...]:
    """Return the parts that events of these types may change, in sending order."""
    return tuple(sorted({part for event in events for part in PARTS[event]}))


def show(player: Participant, step: Step) -> None:
    """Report a step of the game to a player."""
    last = player.last_report
    key = (StepReport, last is None)  # a player who sits down or saw an undo needs the whole table
    report = step.memo.get(key)
    if report is None:
        moments = step.moments
        happened: Sequence[Any] = (
            moments[0].happened if len(moments) == 1 else [event for moment in moments for event in moment.happened]
        )
        after: View = step.match.setting.game.view(step.match.position, None)
        report = step.memo[key] = _report_after(last, after, happened, player.names)
    player.last_report, player.view = report, report.after
    player.peer.say(tell(report, player.seat))
    if game_events.TURN_BEGAN[player.seat] in report.happened:
        player.begin()


def show_again(player: Participant, match: Match) -> None:
    """Report the whole table after the position of the match was replaced."""
    if player.pending_act is not None:
        player.peer.accept()
    player.match, player.pending_act = match, None
    player.last_report = StepReport(None, match.setting.game.view(match.position, None), (), player.names)
    player.view = player.last_report.after
    player.begin()
    player.peer.say(tell(player.last_report, player.seat))


def _report_after(last: StepReport | None, after: View, happened: Sequence[Any], names: tuple[str, ...]) -> StepReport:
    """Return the report after `last`, reusing unchanged models and encodings."""
    if last is None:
        return StepReport(None, after, happened, names)
    islands = pieces.islands(after, last.after, last.islands)
    report = StepReport(last.after, after, happened, names, islands)
    if islands is last.islands and _ISLANDS in last.shared:
        report.shared[_ISLANDS] = last.shared[_ISLANDS]
    return report


def tell(report: StepReport, seat: Seat) -> bytes:
    """Encode the report for `seat`, with `ADDRESSEE` for its name."""
    encoded: list[bytes] = []
    for part in report.parts:
        encode_own = OWN.get(part)
        if encode_own is not None:
            encoded.append(encode_own(report, seat))
            continue
        shared = report.shared.get(part)
        if shared is None:
            shared = report.shared[part] = b"".join(SHARED[part](report))
        encoded.append(shared)
    return b"".join(encoded)


@lru_cache(256)
def text(words: str) -> bytes:
    """Encode a text message."""
    return encode(wire.TextMessage(nickname=ADDRESSEE, text=words))


# --- the same for all ------------------------------------------------------------------------------------------------


def _cemetery_display(report: StepReport) -> Iterator[bytes]:
    cards = pieces.cemetery(report.after, report.names)
    if cards or report.before is not None:
        yield encode(wire.DisplayCemeteryMessage(nickname=ADDRESSEE, cemetery=cards))


def _character_text(report: StepReport) -> Iterator[bytes]:
    """Report a used character as a text: the protocol has no message for it, but it may change influence."""
    for event in report.happened:
        if isinstance(event, game_events.CharacterUsed):
            yield text(f"{report.names[event.seat]} plays the {event.character.value}.")


def _professor_texts(report: StepReport) -> Iterator[bytes]:
    for event in report.happened:
        if isinstance(event, game_events.ProfessorTaken) and event.previous is not None:
            yield text(UPDATED_PROFS)  # [3.5]


def _tower_displays(report: StepReport) -> Iterator[bytes]:
    """Yield the display of every island on which towers were placed."""
    for event in report.happened:
        if isinstance(event, game_events.TowersPlaced):
            index = next(at for at, island in enumerate(report.after.islands) if event.island in island.tiles)
            display = wire.DisplayIslandMessage(
                nickname=ADDRESSEE, island_index=index, island_model=report.islands[index]
            )
            yield encode(display)


def _joining_texts(report: StepReport) -> Iterator[bytes]:
    yield text(JOINING)
    yield text(UPDATED_ISLANDS)


def _group_texts(report: StepReport) -> Iterator[bytes]:
    """Report the sizes of groups as texts, because island models have none [3.5]."""
    for index, island in enumerate(report.after.islands):
        if len(island.tiles) > 1:
            yield text(f"Island {index} is made of {len(island.tiles)} islands and has {island.towers} towers.")


def _cloud_display(report: StepReport) -> Iterator[bytes]:
    yield _clouds_left(report.after.moves, report.after.clouds)


@lru_cache(256)  # for the other readers of a step and the next one; a message has 0.8 KB
def _clouds_left(size: int, clouds: tuple[Counts, ...]) -> bytes:
    return encode(wire.DisplayCloudsMessage(nickname=ADDRESSEE, clouds=pieces.clouds(size, clouds)))


def _island_display(report: StepReport) -> Iterator[bytes]:
    yield encode(wire.DisplayIslandsMessage(nickname=ADDRESSEE, island_models=report.islands))


def _last_round_text(report: StepReport) -> Iterator[bytes]:
    for event in report.happened:
        if isinstance(event, game_events.LastRound):
            yield text(f"{LastRound(event.reason, event.clouds).text()}.")


SHARED: Final[dict[Part, Callable[[StepReport], Iterator[bytes]]]] = {
    Part.CEMETERY: _cemetery_display,
    Part.CHARACTER: _character_text,
    Part.PROFESSORS: _professor_texts,
    Part.TOWERS: _tower_displays,
    Part.JOINING: _joining_texts,
    Part.CLOUDS: _cloud_display,
    Part.ISLANDS: _island_display,
    Part.GROUPS: _group_texts,
    Part.LAST: _last_round_text,
}

# --- for one --------------------------------------------------------------------------------------------------------


def _board_display(report: StepReport, seat: Seat) -> bytes:
    """Encode the player's own board if it has changed."""
    before, after = report.before, report.after
    if before is not None and before.boards[seat] is after.boards[seat] and before.sides is after.sides:
        return b""  # unchanged by most steps of other players
    if before is not None and _board_content(before, seat) == _board_content(after, seat):
        return b""
    return encode(pieces.board(after, seat, report.names[seat]))


def _board_content(view: View, seat: Seat) -> object:
    board = view.boards[seat]
    return board.hall, board.professors, board.coins, view.sides[board.side].towers


def _entrance_display(report: StepReport, seat: Seat) -> bytes:
    before, after = report.before, report.after.boards[seat].entrance
    return b"" if before is not None and before.boards[seat].entrance == after else _entrance_of(after)


@lru_cache(512)
def _entrance_of(students: Counts) -> bytes:
    return encode(wire.EntranceChangeMessage(nickname=ADDRESSEE, student_in_entrance=pieces.pawns(students)))


def _skip_text(report: StepReport, seat: Seat) -> bytes:
    before = report.before
    return SKIPPED if before is not None and before.turn == seat else b""  # [3.5]


def _turn_end_messages(report: StepReport, seat: Seat) -> bytes:
    return END_TURN * report.happened.count(game_events.TURN_ENDED[seat])


def _turn_begin_messages(report: StepReport, seat: Seat) -> bytes:
    """Report the turn that begins; turns of absent players are skipped, so a step may begin several."""
    names = report.names
    turns = [event.seat for event in report.happened if type(event) is game_events.TurnBegan]
    return b"".join([START_TURN if turn == seat else _is_playing(names[seat], names[turn]) for turn in turns])


@lru_cache(1024)
def _is_playing(reader: str, player: str) -> bytes:
    return encode(wire.GenericMessage(nickname=SERVER, message=f"Hey {reader}, {player} {IS_PLAYING}"))


OWN: Final[dict[Part, Callable[[StepReport, Seat], bytes]]] = {
    Part.SKIPPED: _skip_text,
    Part.BOARD: _board_display,
    Part.ENTRANCE: _entrance_display,
    Part.END: _turn_end_messages,
    Part.BEGIN: _turn_begin_messages,
}

# --- the match ------------------------------------------------------------------------------------------------------


def _note_action(player: Participant, moment: Moment, step: Step) -> None:
    event = cast("table.Acted", moment.event)
    if event.seat == player.seat:
        player.peer.accept()
        player.record_action(event.action)


def _report_departure(player: Participant, moment: Moment, step: Step) -> None:
    """Report the remaining players [3.6], unless the end of the match reports it."""
    leaver = cast("table.Left", moment.event).seat
    if leaver == player.seat or step.match.outcome is not None:
        return
    if _skips_absent(moment):  # clients take a LobbyInfoMessage without a player for the end of the match
        player.peer.say(text(f"{player.seat_names[leaver]} is away: their turns are skipped."))
    else:
        player.peer.send(lobby(player, _present_names(player)))


def _report_return(player: Participant, moment: Moment, step: Step) -> None:
    """Report the return of a player whose turns were skipped."""
    returned = cast("table.Returned", moment.event).seat
    if returned != player.seat and step.match.outcome is None and _skips_absent(moment):
        player.peer.say(text(f"{player.seat_names[returned]} is back."))


def _skips_absent(moment: Moment) -> bool:
    """Return whether the match has begun and skips the turns of absent players."""
    return moment.match.setting.skips and moment.match.position is not None


def _report_undo(player: Participant, moment: Moment, step: Step) -> None:
    """Report the whole table and ask again."""
    player.last_report = player.pending_act = None
    player.begin()


TELL: Final[dict[type, Callable[[Participant, Moment, Step], None]]] = exhaustive(
    {
        table.Acted: _note_action, table.Left: _report_departure,
        table.Returned: _report_return, table.Undone: _report_undo,
    },
    table.Event, ignore_event,
    table.Opened, table.Joined, table.Readied, table.Started, table.Substituted, table.Dealt, table.Chatted,
    table.Resigned, table.TimedOut, table.Skipped, table.UndoOffered, table.UndoAgreed, table.UndoDeclined,
    *table.DRAW_EVENTS, table.Ended,
)  # fmt: skip
"""Handler of each event of a match; the script reports the end, after all displays."""


def _present_names(player: Participant) -> tuple[str, ...]:
    """Return the names by seat, '' for absent players."""
    return tuple(
        "" if chair.player is None or chair.away is not None else name
        for name, chair in zip(player.seat_names, player.match.chairs, strict=True)
    )


def lobby(player: Participant, names: tuple[str, ...], first: Seat = 0) -> wire.LobbyInfoMessage:
    """Return a LobbyInfoMessage with these players, starting at seat `first`."""
    shows_pieces = player.last_report is not None
    players = (
        pieces.player(player.view, seat, name) if shows_pieces else wire.PlayerModel(nickname=name)
        for seat, name in (*enumerate(names[first:], first), *enumerate(names[:first]))
        if name
    )
    return wire.LobbyInfoMessage(nickname="Server_nickname", nickname_list=tuple(players))


def end(player: Participant, outcome: Outcome) -> None:
    """Report the end [3.6]; if several players have won, each of them gets its name as the winner."""
    names, peer = player.seat_names, player.peer
    if is_aborted(outcome) or player.last_report is None:
        leaver = "A player" if outcome.by is None else names[outcome.by]
        peer.send(lobby(player, _present_names(player)), _disconnection_message(leaver, DISCONNECTED))
    elif not outcome.winners:
        peer.send(_disconnection_message("", DRAW))
    else:
        winner = player.seat if player.seat in outcome.winners else outcome.winners[0]
        if len(outcome.winners) > 1:
            peer.say(text(" and ".join(names[seat] for seat in outcome.winners) + " win together."))
        peer.send(wire.WinMessage(nickname="server", winner=pieces.player(player.view, winner, names[winner])))


def _disconnection_message(name: str, words: str) -> wire.DisconnectionMessage:
    """Return a DisconnectionMessage with the leaver in both fields: shipped clients print `nickname` and the text."""
    return wire.DisconnectionMessage(nickname=name, message_str=words, nickname_disconnected=name)
