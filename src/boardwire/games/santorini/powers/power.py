"""The hooks by which a power changes the rules; the defaults are those of a player without a god.

- An instance is one god in one seat (`seat`, `side`) and is stateless. State between turns is its `memo` in the
  position, a tuple of small integers; state within its own turn is `p.turn.note`.
- `registry` finds the hooks that a class overrides, and `lineup` calls only those: a hook that is not overridden costs
  nothing.
- A power never checks which god another is.

Hooks take the position first and return a value or a new position; `log` collects events. They are:

- own turn: `openings`, `movers`, `reach`, `shove`, `more_moves`, `builders`, `spots`, `more_builds`, `closings`, `act`;
- steps of all seats: `at_start`, `after_move`, `after_build`, `after_raze`, `entered`, `at_end`; called in every seat's
  turn, the acting seat's power first; list those that apply only in the owner's turn in `own_turn`;
- foes' steps: `limit_moves`, `limit_builds`, `closed`, `lawful` with `bound` and `obeying`, `wish` with `fate` and
  `granting`;
- winning: `judge`, the own power's first, then the foes', never the team mate's [1.1, 1.3]; then `truce`;
- set-up, tokens and secrets: `squares`, `preparation`, `prepare`, `leave`, `conceal`, `foils`, `written`, `read`;
- questions and chance: `ask`, then `replies` and `reply`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, TypeVar

from msgspec.structs import replace

from boardwire.errors import Illegal
from boardwire.games.game import Seat
from boardwire.games.santorini.actions import Action, Actions, Move
from boardwire.games.santorini.board import ALL, NEIGHBOURS, in_reach
from boardwire.games.santorini.edits import on_board, with_memo, worker_mask
from boardwire.games.santorini.events import Event
from boardwire.games.santorini.position import MOVED, OFF, OPEN, Ask, Memo, Position, Side
from boardwire.games.santorini.powers.catalogue import God
from boardwire.games.santorini.powers.stride import Stride


class Power:
    """A player without a god; gods override some of the hooks."""

    god: ClassVar[God] = God.MORTAL
    adjacent: ClassVar[tuple[int, ...]] = NEIGHBOURS  # the squares adjacent to each square, in the owner's turn
    team: ClassVar[int] = 2  # number of workers placed in the set-up
    rank: ClassVar[int] = 0  # order of placement, and so of starting: -1 first, 1 last
    fresh: ClassVar[Memo] = ()  # the initial memo
    careful: ClassVar[bool] = False  # after a step of the owner, the turn may be impossible to finish
    hinders: ClassVar[bool] = False  # after a step of another seat, the turn may be impossible to finish
    everyone: ClassVar[bool] = False  # the limits bind the owner too
    endless: ClassVar[bool] = False  # the step sequences of a turn have no maximum length
    strolls: ClassVar[bool] = False  # of several moves on one level, only the final square matters
    steady: ClassVar[bool] = False  # the effect after a build neither moves a worker nor allows a move
    luck: ClassVar[bool] = False  # chance decides the preparation
    hidden: ClassVar[bool] = False  # the workers are hidden
    keeper: ClassVar[bool] = False  # the card stays in play while it lends its owner other powers
    lasting: ClassVar[bool] = False  # the memo is kept while the owner does not have the power
    inward: ClassVar[bool] = False  # the memo follows from the board at the start of the turn; views omit it
    once: ClassVar[bool] = False  # usable once; a foe's wish cannot force its use
    own_turn: ClassVar[frozenset[str]] = frozenset()  # hooks that apply only in the owner's turn

    def __init__(self, seat: Seat, side: Side, seats: int, printed: bool = False, slot: int | None = None) -> None:
        self.seat = seat
        self.slot = seat if slot is None else slot  # index of the memo; a keeper's card has a separate memo
        self.side = side
        self.seats = seats
        self.printed = printed
        self.foes = tuple(other for other in range(2 if seats == 4 else seats) if other != side)

    @property
    def marks(self) -> tuple[Side, ...]:
        """The sides whose workers the power tells apart."""
        return ()

    # Queries for hooks

    def acting(self, p: Position) -> bool:
        """Return whether it is the owner's turn."""
        return p.seat == self.seat

    def memo(self, p: Position) -> Memo:
        """Return the power's memo."""
        return p.memos[self.slot]

    def remember(self, p: Position, *memo: int) -> Position:
        """Return the position with another memo."""
        return with_memo(p, self.slot, memo)

    def mine(self, p: Position) -> int:
        """Return the squares of the owner's workers."""
        return worker_mask(p, self.side)

    def theirs(self, p: Position) -> int:
        """Return the squares of all foes' workers."""
        return p.occupied & ~worker_mask(p, self.side)

    def ask(self, p: Position, seat: Seat, topic: int = 0) -> Position:
        """Suspend the turn until `seat` (or chance) has chosen one of the `replies`."""
        return replace(p, turn=replace(p.turn, asks=(*p.turn.asks, Ask(seat, self.slot, topic))))

    # The own turn

    def openings(self, p: Position) -> Actions:
        """Return the actions at the start of the turn besides moving."""
        return ()

    def movers(self, p: Position) -> tuple[int, ...]:
        """Return the squares of the workers that may make the (next) compulsory move."""
        turn = p.turn
        if turn.worker >= 0:
            return (p.workers[turn.hand][turn.worker],)
        return on_board(p, self.side)

    def reach(self, p: Position, frm: int) -> int:
        """Return the squares a worker may move to, before limits of others: adjacent, free, at most one level up."""
        return in_reach(self.adjacent[frm], frm, p.b1, p.b2, p.b3, p.occupied | p.domes | p.solid)

    def shove(self, p: Position, frm: int, to: int) -> int:
        """Return the square to which a worker on `to`, a square from `reach`, is displaced by a move from `frm`."""
        raise NotImplementedError

    def more_moves(self, p: Position) -> Actions:
        """Return the actions after a move, before or instead of the build."""
        return ()

    def builders(self, p: Position) -> tuple[int, ...]:
        """Return the squares of the workers that may make the compulsory build; default: the worker that moved."""
        turn = p.turn
        return (p.workers[turn.hand][turn.worker],)

    def spots(self, p: Position, by: int) -> tuple[int, int]:
        """Return the squares where a worker may build a block, and those for a dome, before limits of others."""
        open_ = self.adjacent[by] & ~(p.occupied | p.domes | p.solid)
        return open_ & ~p.b3, open_ & p.b3

    def may_skip_build(self, p: Position) -> bool:
        """Return whether the turn may end without a build."""
        return False

    def more_builds(self, p: Position) -> Actions:
        """Return the optional builds after the compulsory one; `Done` is added."""
        return ()

    def closings(self, p: Position) -> Actions:
        """Return the actions at the end of the turn; `Done` is added unless `must_close`."""
        return ()

    def must_close(self, p: Position) -> bool:
        """Return whether one of the closings is compulsory."""
        return False

    def act(self, p: Position, action: Action, log: list[Event]) -> Position:
        """Apply an action that only this power offers: neither a move nor a build nor `Done`."""
        raise Illegal(f"{self.god.value} does not allow this action")

    def risky_steps(self, p: Position, offered: Actions) -> Sequence[Action]:
        """Return the steps after which the turn may be impossible to finish; called if `careful` or `hinders`."""
        return offered

    def may_climb(self, p: Position) -> bool:
        """Return whether a move up may still follow in the owner's turn."""
        turn = p.turn
        return turn.stage == OPEN or (turn.stage == MOVED and p.lineup.rules[p.seat].more_moves is not None)

    # Steps of all seats

    def at_start(self, p: Position, log: list[Event]) -> Position:
        """React to the start of a turn."""
        return p

    def after_move(self, p: Position, stride: Stride, log: list[Event]) -> Position:
        """React to a move that did not win."""
        return p

    def after_build(self, p: Position, at: int, dome: bool, log: list[Event]) -> Position:
        """React to a build on `at`."""
        return p

    def after_raze(self, p: Position, at: int, log: list[Event]) -> Position:
        """React to blocks removed from `at`."""
        return p

    def entered(self, p: Position, side: Side, square: int, log: list[Event]) -> Position:
        """React to a worker of `side` that has come onto a square by a move or by force."""
        return p

    def at_end(self, p: Position, log: list[Event]) -> Position:
        """Apply automatic effects at the end of a turn."""
        return p

    # Foes' steps

    def limit_moves(self, p: Position, frm: int, targets: int) -> int:
        """Return the targets that are left to a foe."""
        return targets

    def limit_builds(self, p: Position, by: int, blocks: int, domes: int) -> tuple[int, int]:
        """Return the building sites that are left to a foe."""
        return blocks, domes

    def closed(self, p: Position) -> int:
        """Return the squares that foes must treat as domes; workers there cannot be targeted."""
        return 0

    def lawful(self, p: Position) -> bool:
        """Return whether a foe's finished turn obeys this power; a foe that cannot obey has lost.

        The result may depend on the squares and climbs of workers, never on builds.
        """
        return True

    def bound(self, p: Position) -> bool:
        """Return whether `lawful` can be false in this turn of a foe; for speed."""
        return True

    def obeying(self, p: Position, offered: Sequence[Move]) -> Sequence[Move]:
        """Return the moves after which a foe's turn, if it has only one move, is `lawful`; for speed."""
        return offered

    def wish(self, p: Position) -> bool:
        """Return whether a foe's finished turn does what the power demands if possible.

        The result may depend on the same facts as `lawful`.
        """
        return True

    def fate(self, p: Position) -> bool | None:
        """Return whether the rest of a foe's turn is certain to fulfil the wish, or certain not to; None: neither."""
        return None

    def granting(self, p: Position, offered: Sequence[Move]) -> Sequence[Move]:
        """Return the moves after which a foe's turn, if it has only one move, fulfils the wish; for speed."""
        return offered

    # Winning

    def judge(self, p: Position, stride: Stride, winner: Side) -> Side:
        """Return the side that wins by a move (-1: none); `winner` is the result of the rules applied before."""
        return winner

    def truce(self, p: Position) -> bool:
        """Return whether no side can win in the current turn, except because the others lose."""
        return False

    # Set-up, tokens, secrets, interruptions

    def squares(self, p: Position) -> int:
        """Return the squares on which the owner may place the next worker if they are free."""
        return ALL

    def preparation(self, p: Position) -> Actions:
        """Return the choices of the owner (or chance) after placement; called until there are none left."""
        return ()

    def prepare(self, p: Position, action: Action, log: list[Event]) -> Position:
        """Apply a decision of `preparation`."""
        raise Illegal(f"{self.god.value} needs no preparation")

    def leave(self, p: Position) -> Position:
        """Remove the power's tokens when it leaves play."""
        return p

    def conceal(self, p: Position, side: Side | None) -> Position:
        """Return the position as another side, or a spectator (None), may know it."""
        return p

    def diverts(self, p: Position, seat: Seat) -> Seat:
        """Return the seat that gets the powers given by the card of `seat`; for keepers."""
        return seat

    def foils(self, p: Position, action: Action) -> bool:
        """Return whether a hidden fact makes a foe's choice impossible, which ends the turn."""
        return False

    def written(self, p: Position) -> str:
        """Format the memo for the notation of positions; '' for the initial memo."""
        return ",".join(map(str, self.memo(p))) if self.memo(p) != self.fresh else ""

    def read(self, p: Position, text: str) -> Position:
        """Parse a memo formatted by `written`; raise `ValueError` if it is malformed."""
        return self.remember(p, *map(int, text.split(",")))

    def replies(self, p: Position, topic: int) -> Actions:
        """Return the possible answers to this power's question."""
        return ()

    def reply(self, p: Position, action: Action, topic: int, log: list[Event]) -> Position:
        """Apply an answer to this power's question."""
        return p


A = TypeVar("A", bound=Action)


def of_kind(actions: Actions, kind: type[A]) -> list[A]:
    """Return the actions of one type."""
    return [action for action in actions if isinstance(action, kind)]


def carried(p: Position) -> bool:
    """Return whether an effect of a power may relocate the worker that moves, so that its target is not certain."""
    return bool(p.lineup.rules[p.seat].move_effects)


def worker_square(p: Position) -> int:
    """Return the square of the worker that acts in this turn, or `OFF` if none has acted."""
    turn = p.turn
    return p.workers[turn.hand][turn.worker] if turn.worker >= 0 else OFF
