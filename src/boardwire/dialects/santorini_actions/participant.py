"""One client at one table: what it was told, what it is asked, and where in the protocol it stands.

It begins when the client has a seat and ends with the match or with the connection.  It keeps the few things that the
protocol has and the game has not: who is called the god player, whether the turn is a plain one, which worker is
selected, which answer is still owed.  What is legal it reads off the pending decision.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Final

from boardwire.dialects import participant
from boardwire.dialects.participant import Told
from boardwire.dialects.santorini_actions.editions import DOCUMENT, Edition
from boardwire.dialects.santorini_actions.messages import battlefield, replies
from boardwire.dialects.santorini_actions.peer import Peer
from boardwire.dialects.santorini_actions.steps import END, NO_OPENING, Due, Opening, Step
from boardwire.games.game import Decision, Seat
from boardwire.games.santorini import Action, Draft, God, Position
from boardwire.games.santorini.view import known
from boardwire.table.commands import Act
from boardwire.table.guest import Seated
from boardwire.table.match import Match


class Phase(StrEnum):
    """Where a client stands in the conversation."""

    LOBBY = "Lobby"  # at no table
    WAITING = "Waiting"  # for the other players
    WATCHING = "Watching"  # somebody else decides
    GOD = "PickingCards"  # it is the god player, and picks the cards of the match
    CARD = "ChoosingCard"
    PLACING = "PlacingWorkers"
    STARTING = "StartingTurn"
    SELECTING = "SelectingWorker"
    FIRST = "FirstStep"  # a worker is selected, and may still be changed
    STEPPING = "LaterStep"
    OUT = "Out"  # it has lost, or the match is over


# by their own names where every message asks: a member of an enum takes ten times as long
WAITING: Final = Phase.WAITING
WATCHING: Final = Phase.WATCHING
STARTING: Final = Phase.STARTING
SELECTING: Final = Phase.SELECTING
FIRST: Final = Phase.FIRST
STEPPING: Final = Phase.STEPPING
OUT: Final = Phase.OUT


class Participant(participant.Participant[bytes | Told]):
    """See the module."""

    __slots__ = (
        "asked", "asked_cards", "carded", "due", "faces", "formal", "god", "gods", "lines", "opening", "over", "owed",
        "peer", "phase", "picked", "plain", "skipped", "started",
    )  # fmt: skip

    def __init__(self, peer: Peer, seated: Seated) -> None:
        self.peer = peer
        super().__init__(peer.talk, seated)
        self.phase = Phase.WAITING
        self.faces = battlefield.faces(())
        self.lines: tuple[bytes, ...] = ()
        """`actualPlayer` for each seat."""
        self.god: Seat | None = None
        """Who was named as the god player, to this client."""
        self.gods: tuple[God | None, ...] = ()
        self.picked: tuple[Seat, ...] = ()
        self.asked_cards: tuple[str, ...] = ()
        """The cards that were last put to the client."""
        self.carded = False
        """Whether it has named its card: the one it chose, or the one it was given."""
        self.formal: set[type] = set()
        """Requests that answer a question asked for form's sake, and have not come yet."""
        self.asked: Decision[Action] | None = None
        """The decision that was last put to the client, or found to be somebody else's; None: what is pending is to be
        put, perhaps once more."""
        self.plain = False
        self.skipped = False
        self.started = -1
        """The number of the turn that the client has started last."""
        self.opening: Opening = NO_OPENING
        """How the turn that the client is to start can begin."""
        self.due: Due = END
        self.owed: tuple[int, ...] | None = None
        """The answer that is still due for a step: the cell that was played, or nothing for a skipped step."""
        self.over = False
        """The board has said how the match ended."""

    @property
    def edition(self) -> Edition:
        return self.peer.edition

    @property
    def name(self) -> str:
        return self.names[self.seat]

    @property
    def position(self) -> Position:
        position: Position = self.match.position
        return position

    def answer(self, following: Step) -> None:
        """Give the answer that is owed for a step, if one is: what follows it (turn 4, turn 5)."""
        owed, self.owed = self.owed, None
        if owed is None:
            return
        if not owed:
            self.peer.say(replies.skipped(following))
        else:  # Quirk: the shipped program names the cell of the selected worker, not that of the action [6]
            self.peer.say(replies.stepped(owed[0] if self.peer.edition.echoes else self.due.by, following))

    def act(self, *actions: Action) -> None:
        """Take steps at the table.  They are judged by the match as it is when its turn comes: where several players
        choose at once, a choice that is still there is taken, whatever was chosen meanwhile."""
        self.acting = Act(self.seat, actions)
        self.talk.do(self.acting)

    def act_again(self) -> None:
        """Ask the table once more for what could not be stored, if the match has not gone on without it."""
        if self.acting is not None:
            self.talk.do(self.acting)

    def called(self, match: Match) -> tuple[str, ...]:
        """Names that differ, in the spelling of the edition."""
        return names(match, self.edition)

    def is_me(self, name: str) -> bool:
        """Whether a request names its own sender; names compare without case [4.1]."""
        mine = self.names[self.seat]
        return name == mine or name.casefold() == mine.casefold()

    def begin(self) -> None:
        """The match has started: everybody has a name and a colour."""
        self.faces = battlefield.faces(self.names)
        self.lines = tuple(replies.write(replies.ActualPlayer(name)) for name in self.names)
        self._note_gods()
        self.carded = self.position.setup is None  # a position to start from: nobody is asked for anything

    def _note_gods(self) -> None:
        """The gods that players have from the start; those that are picked later are news of the table."""
        position, seats = self.position, range(len(self.match.chairs))
        setup = position.setup
        if setup is None:
            self.gods, self.picked = position.lineup.cards, tuple(seats)
        elif position.options.draft in (Draft.NONE, Draft.FLEECE):
            self.gods, self.picked = (God.MORTAL,) * len(seats), tuple(seats)
        else:
            self.gods, self.picked = setup.gods, setup.picked

    def note_god(self, seat: Seat, god: God) -> None:
        """Remember who picked which god, and in which order: the game forgets it after the set-up."""
        self.gods = (*self.gods[:seat], god, *self.gods[seat + 1 :])
        self.picked += (seat,)

    @property
    def audience(self) -> Seat | None:
        """Whose board it is, where powers hide something; None where all see the same."""
        position = self.match.position
        return self.seat if position is not None and position.lineup.secretive else None

    def board(self) -> battlefield.Rows:
        """The board as it is now."""
        return cells(self.position, self.faces, self.audience)


def cells(position: Position, faces: battlefield.Faces, audience: Seat | None = None) -> battlefield.Rows:
    """The cells of a position, as every player may see them, or one of them; who is out has no workers [4.5]."""
    p = known(position, audience)
    return battlefield.matrix(p, p.workers if not p.out else _standing(p), faces)


def _standing(p: Position) -> list[tuple[int, ...]]:
    return [() if p.out >> seat & 1 else squares for seat, squares in enumerate(p.workers)]


def names(match: Match, edition: Edition) -> tuple[str, ...]:
    """What the players are called.  Those of this protocol have made sure that their names differ; players of others
    get a number where theirs is missing, or the same but for its case."""
    taken: set[str] = set()
    found: dict[Seat, str] = {}
    players = [(seat, player) for seat, player in enumerate(match.players) if player is not None]
    for seat, player in sorted(players, key=lambda one: (not one[1].dialect.startswith(DOCUMENT.name), one[0])):
        name = spelled(player.name, edition) or f"player{seat + 1}"
        while name.casefold() in taken:
            name += f"-{seat + 1}"
        taken.add(name.casefold())
        found[seat] = name
    return tuple(found[seat] for seat in sorted(found))


def spelled(name: str, edition: Edition) -> str:
    """A name in the spelling of an edition [4.1]."""
    return name.lower() if edition.lower else name


def workers_of(seat: Seat) -> Sequence[int]:
    """The numbers of a seat's workers; the protocol uses them nowhere else [9.5]."""
    return 2 * seat, 2 * seat + 1
