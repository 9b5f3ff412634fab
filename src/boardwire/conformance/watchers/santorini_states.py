"""Santorini positions that agree with a conversation.

One connection does not show everything (which worker built, whether a player passed), so a `PositionTracker` keeps
every possible position; usually that is one.

- `see` applies a board after an unknown action, `turn` the player to move. Each returns whether the rules allow it;
  if not, the positions are unchanged.
- A tracker can follow a match only if the state of all gods at the first turn follows from the board; otherwise it has
  no positions.
- A `SantoriniWatcher` has a tracker, and reports boards and turns that the rules do not allow.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from itertools import permutations
from typing import Any, ClassVar, Final, TypeAlias

import msgspec

from boardwire.conformance.finding import Rule, Side
from boardwire.conformance.watchers.watcher import Watcher
from boardwire.errors import BoardwireError, Objection
from boardwire.games import santorini
from boardwire.games.game import Seat
from boardwire.games.santorini.actions import DONE, USE, Action, Build, Move, Raze
from boardwire.games.santorini.board import AROUND
from boardwire.games.santorini.edits import heights
from boardwire.games.santorini.notation import parse_position
from boardwire.games.santorini.offers import offers, veiled
from boardwire.games.santorini.options import Draft, Options
from boardwire.games.santorini.position import Position
from boardwire.games.santorini.powers.catalogue import CATALOGUE, Family, God
from boardwire.games.santorini.squares import square_name

MAX_POSITIONS: Final = 64
"""Limit of the possible positions of a tracker."""

STATELESS_GODS: Final = frozenset(
    {God.MORTAL, *(god for god, entry in CATALOGUE.items() if entry.family is Family.SIMPLE)}
    | {God.ARES, God.CHARON, God.CHRONUS, God.HADES, God.HERA, God.HESTIA, God.LIMUS, God.MEDUSA, God.POSEIDON}
    | {God.TRITON, God.URANIA, God.ZEUS, God.PERSEPHONE, God.HYPNUS, God.ATHENA}
)
"""Gods whose only state at the first turn is the squares of their workers."""


class Board(msgspec.Struct, frozen=True):
    """The public board: levels and domes by square, and the squares of each seat's workers."""

    levels: tuple[int, ...]
    domes: frozenset[int]
    workers: tuple[frozenset[int], ...]


Positions: TypeAlias = list[Position]


def board_of(p: Position) -> Board:
    """Return the public board of a position."""
    closed = p.domes | p.solid
    return Board(
        heights(p),
        frozenset(square for square in range(25) if closed >> square & 1),
        tuple(frozenset(square for square in squares if square >= 0) for squares in p.workers),
    )


def _shows(p: Position, board: Board) -> bool:
    """Return whether a position has this board, apart from the workers of players who are out.

    Programs differ on when they remove those workers.
    """
    own = board_of(p)
    return (own.levels, own.domes) == (board.levels, board.domes) and all(
        own.workers[seat] == squares or p.out >> seat & 1 for seat, squares in enumerate(board.workers)
    )


class PositionTracker:
    """The possible positions of a match."""

    def __init__(self, gods: Sequence[God], workers: Sequence[Sequence[int]], board: Board, first: Seat) -> None:
        self.candidates: Positions = []
        if not gods or not set(gods) <= STATELESS_GODS or any(len(squares) != 2 for squares in workers):
            return
        seats = range(len(gods))
        heights_text = "".join(
            str(4 if level == 3 else "abc"[level]) if square in board.domes else str(level)
            for square, level in enumerate(board.levels)
        )
        sections = [
            f"{god.value}:{','.join(map(square_name, squares))}" for god, squares in zip(gods, workers, strict=True)
        ]
        for rest in permutations(seat for seat in seats if seat != first):
            order = "".join(str(seat + 1) for seat in (first, *rest))
            text = "/".join((heights_text, str(first + 1), *sections)) + f"/order={order}"
            try:
                self.candidates.append(parse_position(text, Options(Draft.POSITION, position=text)))
            except BoardwireError:
                return

    @classmethod
    def at(cls, *positions: Position) -> PositionTracker:
        """Return a tracker with these positions; without any, it cannot follow the match."""
        tracker = cls.__new__(cls)
        tracker.candidates = list(positions)
        return tracker

    def objection(self, seat: Seat, action: Action) -> Objection | None:
        """Return a rule that forbids an action in one of the possible positions, or None if there is none."""
        for position in self.candidates:
            with suppress(BoardwireError):
                if (reason := santorini.objection(position, seat, action)) is not None:
                    return reason
        return None

    @property
    def is_known(self) -> bool:
        """Whether the match is followed: it has a possible position."""
        return bool(self.candidates)

    @property
    def choices(self) -> set[Action]:
        """The actions that are legal in a possible position."""
        return {choice for p in self.candidates if p.decision is not None for choice in p.decision.choices}

    @property
    def offered(self) -> set[Action]:
        """The legal actions, and those that are illegal only because the turn could not be finished after them.

        That a turn must be completable is our ruling: other programs offer these actions too.
        """
        actions = self.choices
        for p in self.candidates:
            if p.decision is not None and not p.turn.asks and p.setup is None:
                rules = p.lineup.rules[p.seat]
                actions |= set(offers(veiled(p, rules) if rules.veils else p))
        return actions

    def is_dead_end(self, board: Board) -> bool:
        """Return whether an offered action after which the turn could not be finished may lead to this board."""
        changed = {square for p in self.candidates for square in _changed_squares(p, board)}
        return any(_target_square(choice) in changed for choice in self.offered - self.choices)

    def has_unannounced_loser(self, out: Collection[Seat]) -> bool:
        """Return whether, by our rules, a player may be out whom the server has not reported as out."""
        return any(p.out >> seat & 1 and seat not in out for p in self.candidates for seat in p.order)

    def is_disputed(self, seat: Seat) -> bool:
        """Return whether programs differ on whether this player is stuck.

        Some look only at the eight squares around a worker, and some do not look ahead to the end of the turn.
        """
        return any(not p.lineup.rules[seat].every_offer_legal or not _has_plain_step(p, seat) for p in self.candidates)

    @property
    def seats(self) -> set[Seat]:
        """Seats that may have to choose now."""
        return {p.decision.seats[0] for p in self.candidates if p.decision is not None}

    @property
    def winners(self) -> set[tuple[Seat, ...]]:
        """Possible winners."""
        return {p.outcome.winners for p in self.candidates if p.outcome is not None}

    @property
    def over(self) -> bool:
        """Whether the match is over in every possible position."""
        return bool(self.candidates) and all(p.outcome is not None for p in self.candidates)

    def see(self, board: Board) -> bool:
        """Apply a board that arrived after at most one action; return whether the rules allow it."""
        if any(_shows(p, board) for p in self.candidates):
            return self._become([p for p in self.candidates if _shows(p, board)])
        next_positions = [q for p in _quiet(self.candidates, 2) for q in _towards(p, board)]
        if not next_positions:  # the workers of a player who is out are removed
            next_positions = [q for p in self.candidates for q in _without_one_player(p) if _shows(q, board)]
        return self._become(next_positions)

    def turn(self, seat: Seat) -> bool:
        """Apply the start of a player's turn; return whether the rules allow it."""
        starts = [p for p in _quiet(self.candidates, 2) if _begins(p, seat)]
        if not starts:  # the turn of a player who has no legal move
            starts = [p for p in _quiet(self.candidates, 2) if p.out >> seat & 1]
        if not starts:  # some servers skip the turns of absent players
            starts = [q for p in self.candidates for q in _skip_turns(p) if _begins(q, seat)]
        return self._become(starts)

    def _become(self, positions: Sequence[Position | None]) -> bool:
        """Replace the positions by those found, each once; return False and keep them if none was found."""
        distinct: Positions = []
        for p in positions:
            if p is not None and p not in distinct and len(distinct) < MAX_POSITIONS:
                distinct.append(p)
        self.candidates = distinct or self.candidates
        return bool(distinct)


def _after(p: Position, seat: Seat, action: Action) -> Position | None:
    """Return the position after an action, or None if it is illegal."""
    if p.decision is None or action not in p.decision.choices:
        return None
    try:
        return santorini.apply(p, seat, action)[0]
    except BoardwireError:
        return None


def _quiet(positions: Positions, depth: int) -> Iterator[Position]:
    """Yield the positions, and those after up to `depth` actions that do not change the board."""
    for p in positions:
        yield p
        if depth and p.decision is not None:
            for action in (DONE, USE):
                if action in p.decision.choices and (q := _after(p, p.decision.seats[0], action)) is not None:
                    yield from _quiet([q], depth - 1)


def _towards(p: Position, board: Board) -> Iterator[Position]:
    """Yield the positions after one action that leads to this board."""
    if p.decision is None:
        return
    changed = _changed_squares(p, board)
    for choice in p.decision.choices:
        square = _target_square(choice)
        if square is None or square in changed:
            q = _after(p, p.decision.seats[0], choice)
            if q is not None and _shows(q, board):
                yield q


def _changed_squares(p: Position, board: Board) -> set[int]:
    """Return the squares where a position and a board differ."""
    own = board_of(p)
    changed = {square for square in range(25) if own.levels[square] != board.levels[square]}
    changed |= own.domes ^ board.domes
    for before, now in zip(own.workers, board.workers, strict=True):
        changed |= before ^ now
    return changed


def _target_square(action: Action) -> int | None:
    """Return the square of an action, if it has one."""
    return action.to if isinstance(action, Move) else action.at if isinstance(action, Build | Raze) else None


def _has_plain_step(p: Position, seat: Seat) -> bool:
    """Return whether a worker of the seat can move by the base rules."""
    closed, levels = p.domes | p.solid | p.occupied, heights(p)
    return any(
        not closed >> to & 1 and levels[to] <= levels[frm] + 1
        for frm in p.workers[seat]
        if frm >= 0
        for to in AROUND[frm]
    )


def _without_one_player(p: Position) -> Iterator[Position]:
    """Yield the positions after one of the players has left the match."""
    for seat in p.order:
        if not p.out >> seat & 1 and p.outcome is None:
            try:
                yield santorini.forfeit(p, seat)[0]
            except BoardwireError:
                continue


def _skip_turns(p: Position) -> Iterator[Position]:
    """Yield the positions after one or more turns are skipped."""
    for _ in p.order:
        if p.decision is None:
            return
        try:
            p = santorini.skip(p, p.decision.seats[0])[0]
        except BoardwireError:
            return
        yield p


def _begins(p: Position, seat: Seat) -> bool:
    """Return whether it is the beginning of a turn of this seat."""
    return p.decision is not None and p.decision.seats[0] == seat and p.turn.stage == 0 and p.turn.worker < 0


class SantoriniWatcher(Watcher):
    """Watcher that follows a match of Santorini by the rules.

    Programs differ where our rulings go beyond a document. A difference that a ruling explains is reported as a breach
    of the ruling, and the match is no longer followed.
    """

    dead_end: ClassVar[Rule]
    """The ruling that an action after which the turn cannot be finished is illegal."""
    stuck: ClassVar[Rule]
    """The ruling on when a player is out."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.tracker = PositionTracker.at()
        self.out: set[Seat] = set()
        """Seats of the players that the server has reported as out."""

    def see_board(self, board: Board, rule: Rule, detail: str) -> None:
        """Check a board against the results of the legal actions."""
        tracker = self.tracker
        if tracker.is_known and not tracker.see(board):
            ruled = tracker.is_dead_end(board) or tracker.has_unannounced_loser(self.out)
            self.reject(self.dead_end if ruled else None, rule, detail)

    def see_turn(self, seat: Seat, rule: Rule, detail: str, *values: Any) -> None:
        """Check the start of a turn against the player whose turn it is."""
        tracker = self.tracker
        if tracker.is_known and not tracker.over and not tracker.turn(seat):
            self.reject(self.stuck if tracker.has_unannounced_loser(self.out) else None, rule, detail, *values)

    def see_out(self, seat: Seat, board: Board, rule: Rule, detail: str, *values: Any) -> None:
        """Check a report that a player is out against the rules."""
        self.out.add(seat)
        tracker = self.tracker
        if tracker.is_known and not tracker.see(board):
            self.reject(self.stuck if tracker.is_disputed(seat) else None, rule, detail, *values)

    def reject(self, ruling: Rule | None, rule: Rule, detail: str, *values: Any) -> None:
        """Report a breach of `ruling` if there is one, otherwise of `rule`; the match is no longer followed."""
        if ruling is None:
            self.lose(Side.SERVER, rule, detail, *values)
        else:
            self.blame(Side.SERVER, ruling, detail, *values)
            self.tracker = PositionTracker.at()
