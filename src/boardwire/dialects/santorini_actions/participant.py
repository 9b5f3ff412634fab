"""One santorini-actions client at one table: its phase, its open question and its pending response.

It exists from taking a seat until the end of the match or of the connection. It keeps only state that the game lacks:
the god player, the kind of turn, the selected worker and the pending response. Legality follows from the pending
decision.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Final

from boardwire.dialects import participant
from boardwire.dialects.participant import ScriptInput
from boardwire.dialects.santorini_actions.editions import DOCUMENT, Edition
from boardwire.dialects.santorini_actions.messages import battlefield, replies
from boardwire.dialects.santorini_actions.session import ClientSession
from boardwire.dialects.santorini_actions.steps import END, NO_OPENING, DueStep, Opening, Step
from boardwire.games.game import Decision, Seat
from boardwire.games.santorini import Action, Draft, God, Position
from boardwire.games.santorini.view import known
from boardwire.table.commands import Act
from boardwire.table.guest import Seated
from boardwire.table.match import Match


class Phase(StrEnum):
    """Phase of a client in the conversation."""

    LOBBY = "Lobby"  # without a table
    WAITING = "Waiting"  # for the other players
    WATCHING = "Watching"  # another player decides
    GOD = "PickingCards"  # the god player picks the cards of the match
    CARD = "ChoosingCard"
    PLACING = "PlacingWorkers"
    STARTING = "StartingTurn"
    SELECTING = "SelectingWorker"
    FIRST = "FirstStep"  # a worker is selected and may still change
    STEPPING = "LaterStep"
    OUT = "Out"  # lost, or the match is over


# module constants, because every message tests them: looking up an enum member takes ten times as long
WAITING: Final = Phase.WAITING
WATCHING: Final = Phase.WATCHING
STARTING: Final = Phase.STARTING
SELECTING: Final = Phase.SELECTING
FIRST: Final = Phase.FIRST
STEPPING: Final = Phase.STEPPING
OUT: Final = Phase.OUT


class Participant(participant.Participant[bytes | ScriptInput]):
    """One client at one table."""

    __slots__ = (
        "board_encoder",
        "due_step",
        "formal_requests",
        "god_player",
        "gods",
        "has_named_card",
        "has_skipped",
        "is_plain",
        "last_decision",
        "lines",
        "offered_cards",
        "opening",
        "over",
        "pending_response",
        "phase",
        "pick_order",
        "session",
        "started_ply",
    )  # fmt: skip

    def __init__(self, session: ClientSession, seated: Seated) -> None:
        self.session = session
        super().__init__(session.talk, seated)
        self.phase = Phase.WAITING
        self.board_encoder = battlefield.board_encoder(())
        self.lines: tuple[bytes, ...] = ()
        """Encoded `actualPlayer` by seat."""
        self.god_player: Seat | None = None
        """The god player announced to this client."""
        self.gods: tuple[God | None, ...] = ()
        self.pick_order: tuple[Seat, ...] = ()
        """Seats in the order in which they chose their gods."""
        self.offered_cards: tuple[str, ...] = ()
        """The cards last offered to the client."""
        self.has_named_card = False
        """Whether the client has sent its card, which it chose or was assigned."""
        self.formal_requests: set[type] = set()
        """Classes of pending answers to questions that were asked only because the client expects them."""
        self.last_decision: Decision[Action] | None = None
        """The last decision that was asked, or that is another player's; None if the pending one must be asked."""
        self.is_plain = False
        """Whether the client's turn is played without its god's power."""
        self.has_skipped = False
        """Whether the client has skipped the further move of a power."""
        self.started_ply = -1
        """Number of the turn that the client started last."""
        self.opening: Opening = NO_OPENING
        """How the client's next turn can begin."""
        self.due_step: DueStep = END
        self.pending_response: tuple[int, ...] | None = None
        """Pending response to the last step: the played cell, or () for a skipped step; None if there is none."""
        self.over = False
        """Whether the board has reported the result of the match."""

    @property
    def edition(self) -> Edition:
        return self.session.edition

    @property
    def name(self) -> str:
        return self.names[self.seat]

    @property
    def position(self) -> Position:
        position: Position = self.match.position
        return position

    def answer(self, following: Step) -> None:
        """Send the pending response to the last step, with the step that follows (turn 4, turn 5)."""
        cell, self.pending_response = self.pending_response, None
        if cell is None:
            return
        if not cell:
            self.session.say(replies.skip_response(following))
        else:  # Quirk: the shipped program names the cell of the selected worker, not that of the action [6]
            self.session.say(
                replies.step_response(cell[0] if self.session.edition.echoes else self.due_step.by, following)
            )

    def act(self, *actions: Action) -> None:
        """Send actions to the table without the sequence number of the match.

        If several players choose at the same time, a choice that is still legal is then accepted.
        """
        self.pending_act = Act(self.seat, actions)
        self.talk.do(self.pending_act)

    def act_again(self) -> None:
        """Send the act in flight, which could not be stored, again."""
        if self.pending_act is not None:
            self.talk.do(self.pending_act)

    def read_names(self, match: Match) -> tuple[str, ...]:
        """Return unique names in the spelling of the edition."""
        return names(match, self.edition)

    def is_me(self, name: str) -> bool:
        """Return whether `name` is the client's own; case is ignored [4.1]."""
        own_name = self.names[self.seat]
        return name == own_name or name.casefold() == own_name.casefold()

    def begin(self) -> None:
        """Prepare names, colours and cards when the match starts."""
        self.board_encoder = battlefield.board_encoder(self.names)
        self.lines = tuple(replies.write(replies.ActualPlayer(name)) for name in self.names)
        self._note_gods()
        self.has_named_card = self.position.setup is None  # a match from a position asks for no card

    def _note_gods(self) -> None:
        """Store the gods known at the start; later picks are events."""
        position, seats = self.position, range(len(self.match.chairs))
        setup = position.setup
        if setup is None:
            self.gods, self.pick_order = position.lineup.cards, tuple(seats)
        elif position.options.draft in (Draft.NONE, Draft.FLEECE):
            self.gods, self.pick_order = (God.MORTAL,) * len(seats), tuple(seats)
        else:
            self.gods, self.pick_order = setup.gods, setup.picked

    def note_god(self, seat: Seat, god: God) -> None:
        """Store a pick and its order, which the game does not keep after the set-up."""
        self.gods = (*self.gods[:seat], god, *self.gods[seat + 1 :])
        self.pick_order += (seat,)

    @property
    def audience(self) -> Seat | None:
        """The seat whose view applies if powers hide information, otherwise None."""
        position = self.match.position
        return self.seat if position is not None and position.lineup.secretive else None

    def board(self) -> battlefield.Rows:
        """Return the current board."""
        return cells(self.position, self.board_encoder, self.audience)


def cells(
    position: Position, board_encoder: battlefield.BoardEncoder, audience: Seat | None = None
) -> battlefield.Rows:
    """Return the board of a position as all players, or only `audience`, may see it.

    Eliminated players have no workers [4.5].
    """
    p = known(position, audience)
    return battlefield.matrix(p, p.workers if not p.out else _workers_in_play(p), board_encoder)


def _workers_in_play(p: Position) -> list[tuple[int, ...]]:
    """Return the squares of the workers by seat, none for an eliminated player."""
    return [() if p.out >> seat & 1 else squares for seat, squares in enumerate(p.workers)]


def names(match: Match, edition: Edition) -> tuple[str, ...]:
    """Return unique player names by seat.

    Players of this protocol have unique names. Players of other protocols get a number if theirs is missing, or equal
    to another one apart from case.
    """
    used_names: set[str] = set()
    by_seat: dict[Seat, str] = {}
    players = [(seat, player) for seat, player in enumerate(match.players) if player is not None]
    for seat, player in sorted(players, key=lambda pair: (not pair[1].dialect.startswith(DOCUMENT.name), pair[0])):
        name = spell(player.name, edition) or f"player{seat + 1}"
        while name.casefold() in used_names:
            name += f"-{seat + 1}"
        used_names.add(name.casefold())
        by_seat[seat] = name
    return tuple(by_seat[seat] for seat in sorted(by_seat))


def spell(name: str, edition: Edition) -> str:
    """Return a name in the spelling of an edition [4.1]."""
    return name.lower() if edition.lower else name


def workers_of(seat: Seat) -> Sequence[int]:
    """Return the numbers of a seat's workers, which no other message uses [9.5]."""
    return 2 * seat, 2 * seat + 1
