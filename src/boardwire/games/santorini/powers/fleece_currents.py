"""The gods of the Golden Fleece that carry workers away: whirlpools, winds, swaps and songs [2.3].

What they do to a worker is forcing, not moving [1.1], except where the text of the god says otherwise.
"""

from __future__ import annotations

from typing import Final

from boardwire.games.santorini.actions import Action, Actions, Aim, Force, Move, PlaceToken, Swap
from boardwire.games.santorini.board import BEARING, DIRECTIONS, STEP, next_to, squares_of
from boardwire.games.santorini.effects import force, move_on
from boardwire.games.santorini.ending import judged
from boardwire.games.santorini.events import Aimed, Event, TokenPlaced, TokenTaken
from boardwire.games.santorini.offers import landing, sites, victims
from boardwire.games.santorini.position import (
    END,
    MOVED,
    OPEN,
    Position,
    level,
    men,
    on_board,
    with_note,
    with_stage,
)
from boardwire.games.santorini.powers.catalogue import God
from boardwire.games.santorini.powers.power import Power, Stride
from boardwire.games.santorini.squares import parse_square, square_name


class Charybdis(Power):
    """Two whirlpools: a worker that moves onto one is drawn to the other.  Memo: the squares of those on the board.

    Drawn, it wins on level 3 as if it had climbed there, and nowhere else.  Printed, the way through is a second move
    in the same direction, and both moves are judged by themselves.
    """

    god = God.CHARYBDIS
    careful = True
    hinders = True

    def closings(self, p: Position) -> Actions:
        if len(self.memo(p)) == 2:
            return ()
        return tuple(PlaceToken(at) for at in squares_of(landing(p)) if at not in self.memo(p))

    def act(self, p: Position, action: Action, log: list[Event]) -> Position:
        if not isinstance(action, PlaceToken):
            return super().act(p, action, log)
        log.append(TokenPlaced(self.seat, action.at, self.god))
        return with_stage(self.remember(p, *self.memo(p), action.at), END)

    def judge(self, p: Position, stride: Stride, winner: int) -> int:
        return winner if self.printed or stride.way >= 0 or self._exit(p, stride.to) < 0 else -1

    def after_move(self, p: Position, stride: Stride, log: list[Event]) -> Position:
        to = self._exit(p, stride.to)
        if to < 0 or stride.way >= 0 or p.workers[stride.side][stride.worker] != stride.to:
            return p
        side, worker, high = stride.side, stride.worker, level(p, to)
        if self.printed:
            return move_on(p, Stride(side, worker, stride.to, to, stride.high, high, stride.heading), log)
        p = force(p, ((stride.to, to),), log, self.god)
        if p.outcome is not None or high < 3 or stride.low == 3:
            return p
        return judged(p, Stride(side, worker, stride.frm, to, 2, high, stride.heading), log)

    def after_build(self, p: Position, at: int, dome: bool, log: list[Event]) -> Position:
        return self._back(p, at, log)

    def after_raze(self, p: Position, at: int, log: list[Event]) -> Position:
        return self._back(p, at, log)

    def doubts(self, p: Position, action: Action) -> bool:
        return isinstance(action, Move) and len(self.memo(p)) == 2 and action.to in self.memo(p)

    def written(self, p: Position) -> str:
        return ",".join(map(square_name, self.memo(p)))

    def read(self, p: Position, text: str) -> Position:
        one, *other = map(parse_square, text.split(","))
        if len(other) > 1 or one in other:
            raise ValueError(text)
        return self.remember(p, one, *other)

    def _exit(self, p: Position, at: int) -> int:
        """The other whirlpool, if `at` is one and the other is free for the player whose turn it is; or -1."""
        memo = self.memo(p)
        if len(memo) < 2 or at not in memo:
            return -1
        other = memo[0] + memo[1] - at
        return other if landing(p) >> other & 1 else -1

    def _back(self, p: Position, at: int, log: list[Event]) -> Position:
        if at not in self.memo(p):
            return p
        log.append(TokenTaken(self.seat, at, self.god))
        return self.remember(p, *(pool for pool in self.memo(p) if pool != at))


class Harpies(Power):
    """A foe that moved is blown on in the same direction until higher ground, a piece or the edge."""

    god = God.HARPIES
    hinders = True

    def after_move(self, p: Position, stride: Stride, log: list[Event]) -> Position:
        if self.side in (stride.side, p.lineup.side(p.seat)):
            return p
        start = at = p.workers[stride.side][stride.worker]  # another power may have carried it off already
        if at < 0:
            return p
        open_ = landing(p)
        while (ahead := STEP[at][stride.heading]) >= 0 and open_ >> ahead & 1 and level(p, ahead) <= level(p, at):
            at = ahead
        return force(p, ((start, at),), log, self.god) if at != start else p

    def doubts(self, p: Position, action: Action) -> bool:
        # the square it was blown from is open to a build, unless somebody limits those
        return isinstance(action, Move) and bool(p.lineup.rules[p.seat].build_limits)


class Nemesis(Power):
    """Swaps both workers with two of a foe that does not touch them; printed, as many as there are.

    Swaps are made one by one; the note of the turn is the set of squares already swapped, own and foes'.
    """

    god = God.NEMESIS

    def closings(self, p: Position) -> Actions:
        done = p.turn.note
        own = [at for at in on_board(p, self.side) if not done >> at & 1]
        found: Actions = ()
        for side in self.foes:
            if not (self._open(p, side) if not done else men(p, side) & done):
                continue
            foes = squares_of(men(p, side) & victims(p) & ~done)
            found += tuple(Swap(at, foe) for foe in foes for at in own)
        return found

    def must_close(self, p: Position) -> bool:
        return p.turn.note != 0

    def act(self, p: Position, action: Action, log: list[Event]) -> Position:
        if not isinstance(action, Swap):
            return super().act(p, action, log)
        one, other = action.one, action.other
        p = force(p, ((one, other), (other, one)), log, self.god)
        return with_note(p, p.turn.note | 1 << one | 1 << other)

    def _open(self, p: Position, side: int) -> bool:
        """Whether a foe touches none of her workers, and there are enough to swap."""
        foes = men(p, side)
        if next_to(self.mine(p)) & foes:
            return False
        return self.printed or min(self.mine(p).bit_count(), (foes & victims(p)).bit_count()) >= 2


class Siren(Power):
    """Instead of a turn she draws foes one square in her direction, then builds; printed, without a build.

    Memo: (direction,).  Who comes by the power without one settles it by the first use.  The note of the turn is the
    set of squares to which foes were drawn.
    """

    god = God.SIREN
    careful = True
    lasting = True

    def preparation(self, p: Position) -> Actions:
        return () if self.memo(p) else tuple(Aim(way) for way in range(8))

    def prepare(self, p: Position, action: Action, log: list[Event]) -> Position:
        assert isinstance(action, Aim)
        assert action.direction is not None
        log.append(Aimed(self.seat, action.direction, self.god))
        return self.remember(p, action.direction)

    def openings(self, p: Position) -> Actions:
        return self._songs(p)

    def more_moves(self, p: Position) -> Actions:
        return self._songs(p) if p.turn.note else ()

    def builders(self, p: Position) -> tuple[int, ...]:
        if not p.turn.note:
            return super().builders(p)
        return () if self.printed else on_board(p, self.side)

    def may_skip_build(self, p: Position) -> bool:
        return self.printed and p.turn.note != 0

    def act(self, p: Position, action: Action, log: list[Event]) -> Position:
        if not isinstance(action, Force):
            return super().act(p, action, log)
        p = self.remember(p, BEARING[action.frm][action.to])
        p = force(p, ((action.frm, action.to),), log, self.god)
        return with_stage(with_note(p, p.turn.note | 1 << action.to), MOVED)

    def doubts(self, p: Position, action: Action) -> bool:
        if self.printed or not isinstance(action, Force):
            return False
        return not any(sum(sites(p, by)) & ~(1 << action.to) for by in on_board(p, self.side))

    def may_climb(self, p: Position) -> bool:
        return p.turn.stage == OPEN

    def written(self, p: Position) -> str:
        return "".join(DIRECTIONS[way] for way in self.memo(p))

    def read(self, p: Position, text: str) -> Position:
        return self.remember(p, DIRECTIONS.index(text.lower()))

    def _songs(self, p: Position) -> Actions:
        found: Actions = ()
        open_ = landing(p)
        for way in self.memo(p) or range(8):
            for foe in squares_of(victims(p) & ~p.turn.note):
                if (to := STEP[foe][way]) >= 0 and open_ >> to & 1:
                    found += (Force(foe, to),)
        return found


POWERS: Final[tuple[type[Power], ...]] = (Charybdis, Harpies, Nemesis, Siren)
