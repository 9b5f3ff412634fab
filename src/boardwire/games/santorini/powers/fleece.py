"""The gods of the Golden Fleece [2.3], grouped by effect. The variant with the Ram is in `setup` and `turn`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from boardwire.games.santorini.actions import (
    DONE_ONLY,
    Action,
    Actions,
    Aim,
    Build,
    Force,
    Move,
    PlaceToken,
    PlaceWorker,
    Swap,
)
from boardwire.games.santorini.board import (
    BEARING,
    BLOCKS_OF_FOUR,
    DIRECTIONS,
    NEIGHBOURS,
    SQUARES,
    STEP,
    WRAPPED,
    next_to,
    squares_of,
)
from boardwire.games.santorini.edits import (
    below,
    free,
    level,
    on_board,
    with_memo,
    with_new_worker,
    with_note,
    with_stage,
    worker_mask,
)
from boardwire.games.santorini.effects import force, move_on
from boardwire.games.santorini.ending import judged, lose
from boardwire.games.santorini.events import (
    Aimed,
    Cancelled,
    Declined,
    Event,
    PowerUsed,
    Secret,
    Termination,
    TokenPlaced,
    TokenTaken,
    WorkerPlaced,
)
from boardwire.games.santorini.interned import moves, places
from boardwire.games.santorini.offers import landing, offers, room, targets, veiled, victims
from boardwire.games.santorini.position import END, FRESH, MOVED, OFF, OPEN, Position, Side
from boardwire.games.santorini.powers.catalogue import God
from boardwire.games.santorini.powers.power import Power, carried, of_kind, worker_square
from boardwire.games.santorini.powers.stride import Stride
from boardwire.games.santorini.squares import parse_square, square_name

# --- closed squares and directions: wind, coins, Talus and the underworld ---------------------------------------------
# These powers limit moves and builds; none of them moves a worker.


WINDWARD: Final = tuple(
    tuple(sum(1 << to for to in SQUARES if BEARING[frm][to] == wind) for frm in SQUARES) for wind in range(8)
)
"""`WINDWARD[wind][frm]`: the squares to which a move from `frm` goes straight against the wind."""


class Aeolus(Power):
    """Sets or removes the wind; as printed, it blows from the start and can be turned. Memo: (wind,) while it blows.

    A wind is named, also in the notation, after its origin, which is the direction in which no worker may move [3.19].
    There is only one wind, even if both players have the power beside the Ram.
    """

    god = God.AEOLUS
    everyone = True

    def preparation(self, p: Position) -> Actions:
        return self._aim_choices(p) if self.printed and not self.memo(p) else ()

    def prepare(self, p: Position, action: Action, log: list[Event]) -> Position:
        return self._set_wind(p, action, log)

    def closings(self, p: Position) -> Actions:
        return (Aim(None),) if self._wind_memo(p) and not self.printed else self._aim_choices(p)

    def act(self, p: Position, action: Action, log: list[Event]) -> Position:
        return with_stage(self._set_wind(p, action, log), END)

    def limit_moves(self, p: Position, frm: int, targets: int) -> int:
        for wind in self.memo(p):
            targets &= ~WINDWARD[wind][frm]
        return targets

    def written(self, p: Position) -> str:
        return "".join(DIRECTIONS[wind] for wind in self.memo(p))

    def read(self, p: Position, text: str) -> Position:
        return self.remember(p, DIRECTIONS.index(text.lower()))

    def _wind_memo(self, p: Position) -> tuple[int, ...]:
        """Return the memo of the wind, which is kept by one of the powers of Aeolus; empty for no wind."""
        memos = (other.memo(p) for other in p.lineup.powers if other.god is self.god)
        return next((memo for memo in memos if memo), ())

    def _aim_choices(self, p: Position) -> Actions:
        return tuple(Aim(wind) for wind in range(8) if wind not in self._wind_memo(p))

    def _set_wind(self, p: Position, action: Action, log: list[Event]) -> Position:
        """Set the wind in the memos of all powers of Aeolus; no direction calms it."""
        assert isinstance(action, Aim)
        log.append(Aimed(self.seat, action.direction, self.god))
        for other in p.lineup.powers:
            if other.god is self.god:
                p = other.remember(p, *(() if action.direction is None else (action.direction,)))
        return p


class Clio(Power):
    """Puts coins on the first three blocks she builds. Memo: (coins left, set of the squares with coins).

    A block with a coin cannot be removed or built on, and a worker on it cannot be targeted. Powers that affect workers
    without targeting them (Harpies, Aphrodite, Hypnus and others) still apply.
    """

    god = God.CLIO
    own_turn = frozenset({"after_build"})
    fresh = (3, 0)
    lasting = True

    def after_build(self, p: Position, at: int, dome: bool, log: list[Event]) -> Position:
        left, coins = self.memo(p)
        if dome or not left:
            return p
        log.append(TokenPlaced(self.seat, at, self.god))
        return self.remember(p, left - 1, coins | 1 << at)

    def closed(self, p: Position) -> int:
        return self.memo(p)[1]

    def written(self, p: Position) -> str:
        left, coins = self.memo(p)
        names = ",".join(map(square_name, squares_of(coins)))
        return f"{left}|{names}" if self.memo(p) != self.fresh else ""

    def read(self, p: Position, text: str) -> Position:
        left, names = text.split("|")
        if int(left) not in range(4):
            raise ValueError(text)
        coins = {parse_square(name) for name in names.split(",") if name}
        return self.remember(p, int(left), sum(1 << at for at in coins))


class Europa(Power):
    """At the end of her turn she may put Talus beside the worker that moved. Memo: (square,) of Talus."""

    god = God.EUROPA

    def closings(self, p: Position) -> Actions:
        at = worker_square(p)
        return tuple(PlaceToken(to) for to in squares_of(landing(p) & NEIGHBOURS[at])) if at >= 0 else ()

    def act(self, p: Position, action: Action, log: list[Event]) -> Position:
        if not isinstance(action, PlaceToken):
            return super().act(p, action, log)
        log.extend(TokenTaken(self.seat, old, self.god) for old in self.memo(p))
        log.append(TokenPlaced(self.seat, action.at, self.god))
        return with_stage(self._put_token(p, action.at), END)

    def leave(self, p: Position) -> Position:
        return replace(p, solid=p.solid & ~sum(1 << old for old in self.memo(p)))

    def written(self, p: Position) -> str:
        return "".join(map(square_name, self.memo(p)))

    def read(self, p: Position, text: str) -> Position:
        return self._put_token(p, parse_square(text))

    def _put_token(self, p: Position, at: int) -> Position:
        p = self.leave(p)
        return self.remember(replace(p, solid=p.solid | 1 << at), at)


class Hades(Power):
    """Foes' workers cannot move down; being forced down is not a move."""

    god = God.HADES

    def limit_moves(self, p: Position, frm: int, targets: int) -> int:
        if frm in p.workers[self.side]:  # his own workers are exempt even if a foe moves them, like Athena's
            return targets
        return targets & ~below(p, level(p, frm))


# --- forced workers: whirlpools, winds, swaps and songs ---------------------------------------------------------------
# They force workers: this is not a move [1.1], unless the text of the god says otherwise.


class Charybdis(Power):
    """Two whirlpools: a worker that moves onto one is drawn to the other. Memo: the squares of the placed ones.

    A worker drawn to level 3 wins as if it had climbed there; the whirlpool that it entered never wins. Printed, the
    passage is a second move in the same direction, and both moves are judged separately.
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
        return winner if self.printed or stride.direction >= 0 or self._exit_of(p, stride.to) < 0 else -1

    def after_move(self, p: Position, stride: Stride, log: list[Event]) -> Position:
        to = self._exit_of(p, stride.to)
        if to < 0 or stride.direction >= 0 or p.workers[stride.side][stride.worker] != stride.to:
            return p
        side, worker, high = stride.side, stride.worker, level(p, to)
        if self.printed:
            return move_on(p, Stride(side, worker, stride.to, to, stride.high, high, stride.heading), log)
        p = force(p, ((stride.to, to),), log, self.god)
        if p.outcome is not None or high < 3 or stride.low == 3:
            return p
        return judged(p, Stride(side, worker, stride.frm, to, 2, high, stride.heading), log)

    def after_build(self, p: Position, at: int, dome: bool, log: list[Event]) -> Position:
        return self._take_back(p, at, log)

    def after_raze(self, p: Position, at: int, log: list[Event]) -> Position:
        return self._take_back(p, at, log)

    def risky_steps(self, p: Position, offered: Actions) -> Sequence[Action]:
        pools, rules = self.memo(p), p.lineup.rules[p.seat]
        if len(pools) < 2:
            return ()
        drawn = [move for move in of_kind(offered, Move) if move.to in pools]
        if len(rules.move_effects) > 1 or type(rules.own).builders is not Power.builders:
            return drawn
        return [move for move in drawn if self._strands(p, move)]

    def written(self, p: Position) -> str:
        return ",".join(map(square_name, self.memo(p)))

    def read(self, p: Position, text: str) -> Position:
        squares = [parse_square(name) for name in text.split(",")]
        if len(squares) > 2 or len(set(squares)) < len(squares):
            raise ValueError(text)
        return self.remember(p, *squares)

    def _strands(self, p: Position, move: Move) -> bool:
        """Return whether a worker that moves onto a whirlpool may have no building site beside the other."""
        if p.occupied >> move.to & 1 or move.frm in self.memo(p):  # the move itself changes which squares are free
            return True
        other = self._exit_of(p, move.to)
        return other >= 0 and not room(p, (other,))

    def _exit_of(self, p: Position, at: int) -> int:
        """Return the other whirlpool if `at` is one and the acting seat may use the other as a target, else -1."""
        memo = self.memo(p)
        if len(memo) < 2 or at not in memo:
            return -1
        other = memo[0] + memo[1] - at
        return other if landing(p) >> other & 1 else -1

    def _take_back(self, p: Position, at: int, log: list[Event]) -> Position:
        if at not in self.memo(p):
            return p
        log.append(TokenTaken(self.seat, at, self.god))
        return self.remember(p, *(pool for pool in self.memo(p) if pool != at))


class Harpies(Power):
    """Blow a foe that has moved on in the same direction, up to higher ground, a piece or the edge."""

    god = God.HARPIES
    hinders = True

    def after_move(self, p: Position, stride: Stride, log: list[Event]) -> Position:
        if self.side in (stride.side, p.lineup.side(p.seat)):
            return p
        start = at = p.workers[stride.side][stride.worker]  # not `stride.to`: another power may have relocated it
        if at < 0:
            return p
        open_ = landing(p)
        while (ahead := STEP[at][stride.heading]) >= 0 and open_ >> ahead & 1 and level(p, ahead) <= level(p, at):
            at = ahead
        return force(p, ((start, at),), log, self.god) if at != start else p

    def risky_steps(self, p: Position, offered: Actions) -> Sequence[Action]:
        # The square from which it was blown is a building site, unless builds are limited.
        return of_kind(offered, Move) if p.lineup.rules[p.seat].build_limits else ()


class Nemesis(Power):
    """May swap both workers with two workers of a foe that does not touch hers; as printed, as many as possible.

    Swaps are made one by one; the turn's note is the set of all squares already swapped.
    """

    god = God.NEMESIS

    def closings(self, p: Position) -> Actions:
        done = p.turn.note
        own = [at for at in on_board(p, self.side) if not done >> at & 1]
        actions: Actions = ()
        for side in self.foes:
            if not (self._may_swap(p, side) if not done else worker_mask(p, side) & done):
                continue
            foes = squares_of(worker_mask(p, side) & victims(p) & ~done)
            actions += tuple(Swap(at, foe) for foe in foes for at in own)
        return actions

    def must_close(self, p: Position) -> bool:
        return p.turn.note != 0

    def act(self, p: Position, action: Action, log: list[Event]) -> Position:
        if not isinstance(action, Swap):
            return super().act(p, action, log)
        own, foe = action.one, action.other
        p = force(p, ((own, foe), (foe, own)), log, self.god)
        return with_note(p, p.turn.note | 1 << own | 1 << foe)

    def _may_swap(self, p: Position, side: int) -> bool:
        """Return whether a foe touches none of her workers and has enough workers to swap."""
        foes = worker_mask(p, side)
        if next_to(self.mine(p)) & foes:
            return False
        return self.printed or min(self.mine(p).bit_count(), (foes & victims(p)).bit_count()) >= 2


class Siren(Power):
    """Instead of a normal turn, she may force foes one square in her direction and then build.

    As printed, she does not build. Memo: (direction,). A power acquired without a direction gets one from its first
    use. The turn's note is the set of squares to which foes were forced.
    """

    god = God.SIREN
    careful = True
    lasting = True

    def preparation(self, p: Position) -> Actions:
        return () if self.memo(p) else tuple(Aim(direction) for direction in range(8))

    def prepare(self, p: Position, action: Action, log: list[Event]) -> Position:
        assert isinstance(action, Aim)
        assert action.direction is not None
        log.append(Aimed(self.seat, action.direction, self.god))
        return self.remember(p, action.direction)

    def openings(self, p: Position) -> Actions:
        return self._song_choices(p)

    def more_moves(self, p: Position) -> Actions:
        return self._song_choices(p) if p.turn.note else ()

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

    def risky_steps(self, p: Position, offered: Actions) -> Sequence[Action]:
        songs = of_kind(offered, Force)
        if self.printed or not songs:
            return ()
        # A worker lured to the only building site would leave none.
        open_ = room(p, on_board(p, self.side))
        return [song for song in songs if not open_ & ~(1 << song.to)]

    def may_climb(self, p: Position) -> bool:
        return p.turn.stage == OPEN

    def written(self, p: Position) -> str:
        return "".join(DIRECTIONS[direction] for direction in self.memo(p))

    def read(self, p: Position, text: str) -> Position:
        return self.remember(p, DIRECTIONS.index(text.lower()))

    def _song_choices(self, p: Position) -> Actions:
        """Return the forced moves of foes in her direction, before it is fixed in all eight."""
        actions: Actions = ()
        open_ = landing(p)
        for direction in self.memo(p) or range(8):
            for foe in squares_of(victims(p) & ~p.turn.note):
                if (to := STEP[foe][direction]) >= 0 and open_ >> to & 1:
                    actions += (Force(foe, to),)
        return actions


# --- additional workers and another board -----------------------------------------------------------------------------
# Spare workers, a third worker, turns with all workers, and a board without edges.


class Gaea(Power):
    """May place a spare worker on the ground beside any dome as it is built. Memo: (spare workers,)."""

    god = God.GAEA
    fresh = (2,)
    lasting = True

    def after_build(self, p: Position, at: int, dome: bool, log: list[Event]) -> Position:
        if not dome or not self.memo(p)[0]:
            return p
        # What she knows decides whether she is asked, so that the question does not reveal hidden workers.
        known = veiled(p, p.lineup.rules[self.seat])
        return self.ask(p, self.seat, at) if self._free_ground(known, at) else p

    def replies(self, p: Position, topic: int) -> Actions:
        return places(self._free_ground(p, topic)) + DONE_ONLY

    def reply(self, p: Position, action: Action, topic: int, log: list[Event]) -> Position:
        if not isinstance(action, PlaceWorker):
            log.append(Declined(self.seat))
            return p
        if not self._free_ground(p, topic) >> action.at & 1:  # a hidden worker stands there
            log.append(Cancelled(self.seat))
            return p
        log.append(WorkerPlaced(self.seat, self.side, len(p.workers[self.side]), action.at, self.god))
        return self.remember(with_new_worker(p, self.side, action.at), self.memo(p)[0] - 1)

    def _free_ground(self, p: Position, dome: int) -> int:
        """Return the squares beside a dome on which a spare worker may be placed."""
        squares = free(p) & ~p.b1 & NEIGHBOURS[dome]
        for closed in p.lineup.rules[self.seat].closers:
            squares &= ~closed(p)
        return squares


class Graeae(Power):
    """Three workers; one that did not move must build. Printed: any of them builds."""

    god = God.GRAEAE
    team = 3
    careful = True

    def builders(self, p: Position) -> tuple[int, ...]:
        if self.printed:
            return on_board(p, self.side)
        walked = p.turn.walked
        return tuple(at for n, at in enumerate(p.workers[self.side]) if at >= 0 and not walked >> n & 1)

    def risky_steps(self, p: Position, offered: Actions) -> Sequence[Action]:
        first = of_kind(offered, Move)
        if self.printed or not first:
            return ()
        if carried(p):
            return first
        squares = on_board(p, self.side)
        open_ = {frm: room(p, [by for by in squares if by != frm]) for frm in squares}
        return [move for move in first if not open_[move.frm] & ~(1 << move.to)]


class Terpsichore(Power):
    """All her workers move, in any order, and then all build, in any order."""

    god = God.TERPSICHORE
    own_turn = frozenset({"after_build"})
    careful = True
    steady = True

    def more_moves(self, p: Position) -> Actions:
        actions: Actions = ()
        for at in self._without(p, p.turn.walked):
            actions += moves(at, targets(p, at))
        return actions

    def builders(self, p: Position) -> tuple[int, ...]:
        return () if self._without(p, p.turn.walked) else self._without(p, p.turn.builders)

    def after_build(self, p: Position, at: int, dome: bool, log: list[Event]) -> Position:
        return with_stage(p, MOVED) if self._without(p, p.turn.builders) else p

    def may_climb(self, p: Position) -> bool:
        return bool(self._without(p, p.turn.walked))

    def risky_steps(self, p: Position, offered: Actions) -> Sequence[Action]:
        # Two workers can build on the squares that they left, unless the second moves to the square of the first.
        rules = p.lineup.rules[p.seat]
        squares = on_board(p, self.side)
        if len(squares) != 2 or rules.build_limits or rules.move_effects:
            return offered
        one, other = squares
        if first := of_kind(offered, Build) if not p.turn.builders else ():  # the other worker must still build
            if len(rules.build_effects) > 1:  # besides her own effect, another power's may interfere
                return first
            left = {one: room(p, (other,)), other: room(p, (one,))}
            return [build for build in first if not left[build.by] & ~(1 << build.at)]
        steps = of_kind(offered, Move)
        if p.turn.moves or not steps:
            return [move for move in steps if move.to == p.turn.came]
        reachable = {one: targets(p, other), other: targets(p, one)}
        return [move for move in steps if not reachable[move.frm] & ~(1 << move.to)]

    def _without(self, p: Position, numbers: int) -> tuple[int, ...]:
        """Return the squares of her workers whose numbers are not in the set `numbers`."""
        return tuple(at for n, at in enumerate(p.workers[self.side]) if at >= 0 and not numbers >> n & 1)


class Urania(Power):
    """In her turn opposite edges and corners touch, for moving and for building."""

    god = God.URANIA
    adjacent = WRAPPED


# --- hidden information: workers, a fate, an abyss --------------------------------------------------------------------
# `conceal` hides it from others, whose views and choices must not depend on it.


class Hecate(Power):
    """Her workers are placed last and stay hidden; a step that one of them prevents is cancelled and ends the turn."""

    god = God.HECATE
    rank = 1
    hidden = True

    def conceal(self, p: Position, side: Side | None) -> Position:
        gone = tuple(OFF for _ in p.workers[self.side])
        workers = (*p.workers[: self.side], gone, *p.workers[self.side + 1 :])
        turn = FRESH if self.acting(p) else p.turn
        return replace(p, workers=workers, occupied=p.occupied & ~self.mine(p), turn=turn)

    def foils(self, p: Position, action: Action) -> bool:
        if isinstance(action, Move) and self.mine(p) >> action.to & 1 and not self.printed:
            return True  # in the printed wording, the foe's power that moves onto workers applies instead
        return action not in offers(p)


class SecretSquare(Power):
    """A power that hides one square, chosen after the workers are placed. Memo: (square,)."""

    lasting = True

    def prepare(self, p: Position, action: Action, log: list[Event]) -> Position:
        assert isinstance(action, PlaceToken)
        placed = TokenPlaced(self.seat, action.at, self.god)
        log.append(Secret(p.lineup.seats_of(self.side), placed, PowerUsed(self.seat, self.god)))
        return self.remember(p, action.at)

    def conceal(self, p: Position, side: Side | None) -> Position:
        return with_memo(p, self.slot, ())

    def written(self, p: Position) -> str:
        return "".join(map(square_name, self.memo(p)))

    def read(self, p: Position, text: str) -> Position:
        return self.remember(p, parse_square(text))


class Moerae(SecretSquare):
    """Three workers and a secret block of four squares; if a foe would win by moving there, Moerae wins instead.

    The hidden square is the upper left one of the four.
    """

    god = God.MOERAE
    team = 3

    def preparation(self, p: Position) -> Actions:
        return () if self.memo(p) else tuple(PlaceToken(at) for at in SQUARES if BLOCKS_OF_FOUR[at])

    def judge(self, p: Position, stride: Stride, winner: Side) -> Side:
        if winner >= 0 and winner != self.side:
            for corner in self.memo(p):
                if BLOCKS_OF_FOUR[corner] >> stride.to & 1:
                    return self.side
        return winner

    def read(self, p: Position, text: str) -> Position:
        if not BLOCKS_OF_FOUR[parse_square(text)]:
            raise ValueError(text)
        return super().read(p, text)


class Tartarus(SecretSquare):
    """Hides an abyss: a player whose worker enters it loses, and no move there wins."""

    god = God.TARTARUS
    rank = -1

    def preparation(self, p: Position) -> Actions:
        return () if self.memo(p) else tuple(PlaceToken(at) for at in squares_of(free(p)))

    def judge(self, p: Position, stride: Stride, winner: Side) -> Side:
        return -1 if self.memo(p) == (stride.to,) else winner

    def entered(self, p: Position, side: Side, square: int, log: list[Event]) -> Position:
        if self.memo(p) != (square,):
            return p
        return lose(p, p.lineup.seats_of(side)[0], Termination.ABYSS, log, self.god)


POWERS: Final[tuple[type[Power], ...]] = (
    Aeolus,
    Clio,
    Europa,
    Hades,
    Charybdis,
    Harpies,
    Nemesis,
    Siren,
    Gaea,
    Graeae,
    Terpsichore,
    Urania,
    Hecate,
    Moerae,
    Tartarus,
)
