"""What a power can change: the hooks, each with the behaviour of a player without a god.

One instance stands for one god in one seat (`seat`, `side`); it keeps no state.  What must be remembered from turn to
turn is its `memo` in the position, a tuple of small numbers; what must be remembered within its own turn is
`p.turn.note`.  `registry` finds which hooks a class overrides, and `lineup` calls only those, so a hook that is not
overridden costs nothing.  A power never asks which god another is.

Hooks take the position first and return a value or a new position; `log` collects events.  The rules they must keep:

- own turn: `openings`, `movers`, `reach`, `shove`, `more_moves`, `builders`, `spots`, `more_builds`, `closings`, `act`;
- everybody's steps: `at_start`, `after_move`, `after_build`, `after_raze`, `entered`, `at_end`; they are called in
  every seat's turn, the acting seat's power first; where only the own turn counts, name them in `own_turn`;
- foes' steps: `limit_moves`, `limit_builds`, `closed`, `lawful` with `bound` and `obeying`, `wish` with `fate` and
  `granting`;
- winning: `judge`, own power first, then the foes', never the team mate's [1.1, 1.3]; `truce`, after all;
- set-up, tokens and secrets: `squares`, `preparation`, `prepare`, `leave`, `conceal`, `foils`, `written`, `read`;
- interruptions and luck: `ask`, then `replies` and `reply`.
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
    """A player without a god, and the hooks every god overrides a few of."""

    god: ClassVar[God] = God.MORTAL
    adjacent: ClassVar[tuple[int, ...]] = NEIGHBOURS  # what touches what in the own turn
    team: ClassVar[int] = 2  # workers placed in the set-up
    rank: ClassVar[int] = 0  # -1 places (and so begins) first, 1 last
    fresh: ClassVar[Memo] = ()  # the memo when the power comes into play
    careful: ClassVar[bool] = False  # an own step may leave a turn that cannot be finished
    hinders: ClassVar[bool] = False  # another seat's step may do so because of this power
    everyone: ClassVar[bool] = False  # the limits bind its owner too
    endless: ClassVar[bool] = False  # a turn has no longest sequence of steps
    strolls: ClassVar[bool] = False  # of moves on one level nothing counts but where they lead
    steady: ClassVar[bool] = False  # what it does after a build moves nobody and lets nobody move
    luck: ClassVar[bool] = False  # its preparation is dealt, not chosen
    hidden: ClassVar[bool] = False  # where its workers stand is secret
    keeper: ClassVar[bool] = False  # its card stays in play while the powers its owner has change
    lasting: ClassVar[bool] = False  # what it remembers is kept while its owner is without it
    inward: ClassVar[bool] = False  # what it remembers follows from the board at the turn's start; views leave it out
    once: ClassVar[bool] = False  # to be spent once; a foe's wish cannot make it be spent
    own_turn: ClassVar[frozenset[str]] = frozenset()  # hooks that mind the own turn alone: others' stay plain

    def __init__(self, seat: Seat, side: Side, seats: int, printed: bool = False, slot: int | None = None) -> None:
        self.seat = seat
        self.slot = seat if slot is None else slot  # where its memo is; a keeper's card has one of its own
        self.side = side
        self.seats = seats
        self.printed = printed
        self.foes = tuple(other for other in range(2 if seats == 4 else seats) if other != side)

    @property
    def marks(self) -> tuple[Side, ...]:
        """The sides of which it matters which worker is which."""
        return ()

    # What a hook may ask

    def acting(self, p: Position) -> bool:
        """Whether it is the owner's turn."""
        return p.seat == self.seat

    def memo(self, p: Position) -> Memo:
        """What the power remembers."""
        return p.memos[self.slot]

    def remember(self, p: Position, *memo: int) -> Position:
        """The position with another memo."""
        return with_memo(p, self.slot, memo)

    def mine(self, p: Position) -> int:
        """The squares of the own side's workers."""
        return worker_mask(p, self.side)

    def theirs(self, p: Position) -> int:
        """The squares of all foes' workers."""
        return p.occupied & ~worker_mask(p, self.side)

    def ask(self, p: Position, seat: Seat, topic: int = 0) -> Position:
        """The turn waits until `seat` (or luck) has answered `replies`."""
        return replace(p, turn=replace(p.turn, asks=(*p.turn.asks, Ask(seat, self.slot, topic))))

    # The own turn

    def openings(self, p: Position) -> Actions:
        """What may be done at the start of the turn besides moving."""
        return ()

    def movers(self, p: Position) -> tuple[int, ...]:
        """The squares of the workers that may make the (next) compulsory move."""
        turn = p.turn
        if turn.worker >= 0:
            return (p.workers[turn.hand][turn.worker],)
        return on_board(p, self.side)

    def reach(self, p: Position, frm: int) -> int:
        """The squares a worker may move to, before others' limits: next to it, free, at most one level up."""
        return in_reach(self.adjacent[frm], frm, p.b1, p.b2, p.b3, p.occupied | p.domes | p.solid)

    def shove(self, p: Position, frm: int, to: int) -> int:
        """Where the worker on `to` goes when the own one moves there; only for squares `reach` gave."""
        raise NotImplementedError

    def more_moves(self, p: Position) -> Actions:
        """After a move: what may be done before, or instead of, the build."""
        return ()

    def builders(self, p: Position) -> tuple[int, ...]:
        """The squares of the workers that may make the compulsory build: the one that moved."""
        turn = p.turn
        return (p.workers[turn.hand][turn.worker],)

    def spots(self, p: Position, by: int) -> tuple[int, int]:
        """Where a worker may build a block, and where a dome, before others' limits."""
        open_ = self.adjacent[by] & ~(p.occupied | p.domes | p.solid)
        return open_ & ~p.b3, open_ & p.b3

    def may_skip_build(self, p: Position) -> bool:
        """Whether the turn may end without a build."""
        return False

    def more_builds(self, p: Position) -> Actions:
        """After the build: what else may be built; `Done` is added."""
        return ()

    def closings(self, p: Position) -> Actions:
        """At the end of the turn: what may be done; `Done` is added unless `must_close`."""
        return ()

    def must_close(self, p: Position) -> bool:
        """Whether one of the closings is compulsory."""
        return False

    def act(self, p: Position, action: Action, log: list[Event]) -> Position:
        """Do an action that only this power offers: neither a move nor a build nor `Done`."""
        raise Illegal("your power cannot do that")

    def risky_steps(self, p: Position, found: Actions) -> Sequence[Action]:
        """Those of the steps that might leave a turn that cannot be finished; asked if `careful` or `hinders`."""
        return found

    def may_climb(self, p: Position) -> bool:
        """In the own turn: whether a move up may still come."""
        turn = p.turn
        return turn.stage == OPEN or (turn.stage == MOVED and p.lineup.rules[p.seat].more_moves is not None)

    # Everybody's steps

    def at_start(self, p: Position, log: list[Event]) -> Position:
        """A turn begins."""
        return p

    def after_move(self, p: Position, stride: Stride, log: list[Event]) -> Position:
        """A worker moved and that did not win."""
        return p

    def after_build(self, p: Position, at: int, dome: bool, log: list[Event]) -> Position:
        """Something was built on `at`."""
        return p

    def after_raze(self, p: Position, at: int, log: list[Event]) -> Position:
        """Blocks were taken from `at`."""
        return p

    def entered(self, p: Position, side: Side, square: int, log: list[Event]) -> Position:
        """A worker of `side` came onto a square, moved or forced."""
        return p

    def at_end(self, p: Position, log: list[Event]) -> Position:
        """A turn is done; its automatic effects happen."""
        return p

    # Foes' steps

    def limit_moves(self, p: Position, frm: int, targets: int) -> int:
        """What is left of a foe's targets."""
        return targets

    def limit_builds(self, p: Position, by: int, blocks: int, domes: int) -> tuple[int, int]:
        """What is left of a foe's spots."""
        return blocks, domes

    def closed(self, p: Position) -> int:
        """The squares foes must treat as domes; who stands there cannot be targeted."""
        return 0

    def lawful(self, p: Position) -> bool:
        """Whether a foe's finished turn obeys this power; one who cannot obey has lost.  It looks at where workers
        stood and stand and whether they climbed, never at what was built."""
        return True

    def bound(self, p: Position) -> bool:
        """Whether `lawful` can fail in this turn of a foe; for speed."""
        return True

    def obeying(self, p: Position, found: Sequence[Move]) -> Sequence[Move]:
        """Of the moves of a foe who has just one in this turn, those after which it is `lawful`; for speed."""
        return found

    def wish(self, p: Position) -> bool:
        """Whether a foe's finished turn does what it must do if it can; it looks at the same things as `lawful`."""
        return True

    def fate(self, p: Position) -> bool | None:
        """In the middle of a foe's turn: whether the wish is already sure to come true or not; None if open."""
        return None

    def granting(self, p: Position, found: Sequence[Move]) -> Sequence[Move]:
        """Of the moves of a foe who has just one in this turn, those that make the wish come true; for speed."""
        return found

    # Winning

    def judge(self, p: Position, stride: Stride, winner: Side) -> Side:
        """The side that wins by a move (-1: nobody), given what the rules before this one found."""
        return winner

    def truce(self, p: Position) -> bool:
        """Whether nobody can win in the running turn, except by the others' losing."""
        return False

    # Set-up, tokens, secrets, interruptions

    def squares(self, p: Position) -> int:
        """Where the owner may place the next worker, besides being free."""
        return ALL

    def preparation(self, p: Position) -> Actions:
        """What the owner (or luck) must still settle after the workers stand; asked until it is empty."""
        return ()

    def prepare(self, p: Position, action: Action, log: list[Event]) -> Position:
        """Settle it."""
        raise Illegal("your power has nothing to prepare")

    def leave(self, p: Position) -> Position:
        """The power leaves play: take its tokens off the board."""
        return p

    def conceal(self, p: Position, side: Side | None) -> Position:
        """The position as another side, or a spectator, may know it."""
        return p

    def diverts(self, p: Position, seat: Seat) -> Seat:
        """Of a keeper: who has what the card of `seat` gives."""
        return seat

    def foils(self, p: Position, action: Action) -> bool:
        """Whether a foe's choice turns out impossible because of what this power hides: the turn is then over."""
        return False

    def written(self, p: Position) -> str:
        """The memo in the notation of positions; empty if there is nothing to say."""
        return ",".join(map(str, self.memo(p))) if self.memo(p) != self.fresh else ""

    def read(self, p: Position, text: str) -> Position:
        """The position with the memo that `written` wrote; `ValueError` if it cannot be read."""
        return self.remember(p, *map(int, text.split(",")))

    def replies(self, p: Position, topic: int) -> Actions:
        """The answers to what this power asked."""
        return ()

    def reply(self, p: Position, action: Action, topic: int, log: list[Event]) -> Position:
        """An answer was given."""
        return p


A = TypeVar("A", bound=Action)


def of_kind(found: Actions, kind: type[A]) -> list[A]:
    """The steps of one kind."""
    return [action for action in found if isinstance(action, kind)]


def carried(p: Position) -> bool:
    """Whether a power may carry off who moves, so that more than the move must be tried out."""
    return bool(p.lineup.rules[p.seat].move_effects)


def worker_square(p: Position) -> int:
    """The square of the worker acting in this turn, or `OFF`."""
    turn = p.turn
    return p.workers[turn.hand][turn.worker] if turn.worker >= 0 else OFF
