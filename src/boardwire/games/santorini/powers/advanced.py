"""The advanced gods [2.2], grouped by effect."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from boardwire.games.game import CHANCE, Seat
from boardwire.games.santorini.actions import DONE_ONLY, Action, Actions, DealGod, Force, Move, Raze
from boardwire.games.santorini.board import (
    ALL,
    BEHIND,
    NEIGHBOURS,
    PERIMETER,
    STEP,
    next_to,
    opposite_edges,
    squares_of,
)
from boardwire.games.santorini.edits import (
    above,
    find,
    free,
    level,
    on_board,
    towers,
    with_note,
    with_stage,
    worker_mask,
)
from boardwire.games.santorini.effects import build, force, raze
from boardwire.games.santorini.ending import banish, give, hand_over, truce, win
from boardwire.games.santorini.events import CoinsChanged, Event, Termination
from boardwire.games.santorini.interned import blocks, domes, moves
from boardwire.games.santorini.offers import builds, landing, room, sites, targets, victims
from boardwire.games.santorini.position import CLOSE, END, MOVED, OFF, Position, Side
from boardwire.games.santorini.powers.catalogue import CATALOGUE, Family, God
from boardwire.games.santorini.powers.marked import Marked
from boardwire.games.santorini.powers.power import Power, carried, of_kind, worker_square
from boardwire.games.santorini.powers.stride import Stride

# --- other turns, other ends ------------------------------------------------------------------------------------------


SIMPLE: Final = tuple(entry.god for entry in CATALOGUE.values() if entry.family is Family.SIMPLE)


class Bia(Power):
    """Places first, on the border; removes a foe on the next square in the direction of her move."""

    god = God.BIA
    own_turn = frozenset({"after_move"})
    rank = -1

    def squares(self, p: Position) -> int:
        return ALL if self.printed else PERIMETER

    def after_move(self, p: Position, stride: Stride, log: list[Event]) -> Position:
        ahead = STEP[stride.to][stride.heading] if stride.heading >= 0 else OFF
        if ahead >= 0 and victims(p) >> ahead & 1:
            return banish(p, ahead, log, self.god)
        return p


class Chaos(Power):
    """Has the power of a simple god drawn at random; another is drawn after each turn in which a dome was built.

    The card's memo is the set of gods drawn since the last shuffle, as a bit mask.
    """

    god = God.CHAOS
    keeper = True
    luck = True

    def preparation(self, p: Position) -> Actions:
        return () if self.memo(p) else self.replies(p, 0)

    def prepare(self, p: Position, action: Action, log: list[Event]) -> Position:
        return self.reply(p, action, 0, log)

    def at_end(self, p: Position, log: list[Event]) -> Position:
        return self.ask(p, CHANCE) if p.turn.domed else p

    def replies(self, p: Position, topic: int) -> Actions:
        return tuple(DealGod(SIMPLE[n]) for n in squares_of(self._available_gods(p)))

    def reply(self, p: Position, action: Action, topic: int, log: list[Event]) -> Position:
        assert isinstance(action, DealGod)
        drawn, new = sum(self.memo(p)), 1 << SIMPLE.index(action.god)
        p = self.remember(p, drawn | new if self._unused_gods(p) & ~drawn else new)
        return give(p, self.seat, action.god, log)

    def _unused_gods(self, p: Position) -> int:
        """Return the set of simple gods that no player has."""
        return sum(1 << n for n, god in enumerate(SIMPLE) if god not in p.lineup.cards)

    def _available_gods(self, p: Position) -> int:
        """Return the unused gods that were not drawn yet; all unused ones when the deck is used up."""
        unused = self._unused_gods(p)
        return unused & ~sum(self.memo(p)) or unused


class Chronus(Power):
    """Also wins when five complete towers stand, built by any player."""

    god = God.CHRONUS

    def at_start(self, p: Position, log: list[Event]) -> Position:
        return self._win_by_towers(p, log)

    def after_build(self, p: Position, at: int, dome: bool, log: list[Event]) -> Position:
        return self._win_by_towers(p, log) if dome else p

    def _win_by_towers(self, p: Position, log: list[Event]) -> Position:
        """End the match if there are five complete towers and no truce."""
        if towers(p).bit_count() >= 5 and not truce(p):
            return win(p, self.side, Termination.POWER, log, self.god)
        return p


class Circe(Power):
    """If the foe's workers do not all touch when her turn begins, she has the foe's power until her next turn.

    The foe has none meanwhile. The card's memo is (1,) while she has the power.
    """

    god = God.CIRCE
    keeper = True

    def at_start(self, p: Position, log: list[Event]) -> Position:
        if not self.acting(p) or p.turn.extra or self.seats != 2:
            return p
        foe = self.foes[0]
        squares = on_board(p, foe)
        apart = len(squares) < 2 or any(worker_mask(p, foe) & ~NEIGHBOURS[at] & ~(1 << at) for at in squares)
        if apart == bool(self.memo(p)):
            return p
        if apart:
            return self.remember(hand_over(p, foe, self.seat, log), 1)
        return self.remember(hand_over(p, self.seat, foe, log))

    def diverts(self, p: Position, seat: Seat) -> Seat:
        return self.seat if self.memo(p) else seat


class Dionysus(Power):
    """After completing a tower he may take another turn with a foe's worker, in which no player can win."""

    god = God.DIONYSUS
    own_turn = frozenset({"after_build", "truce"})

    def openings(self, p: Position) -> Actions:
        return DONE_ONLY if p.turn.extra else ()

    def movers(self, p: Position) -> tuple[int, ...]:
        return tuple(squares_of(victims(p))) if p.turn.extra else super().movers(p)

    def after_build(self, p: Position, at: int, dome: bool, log: list[Event]) -> Position:
        if dome and p.b3 >> at & 1:
            return replace(p, owed=(*p.owed, 1))
        return p

    def truce(self, p: Position) -> bool:
        return p.turn.extra != 0


class Eros(Power):
    """His workers start on opposite edges; he also wins by moving one beside the other if both are on level one.

    With three players, both may be on any common level.
    """

    god = God.EROS

    def squares(self, p: Position) -> int:
        placed, open_ = on_board(p, self.side), free(p)
        if placed:
            return opposite_edges(placed[0])
        return sum(1 << at for at in squares_of(PERIMETER) if opposite_edges(at) & open_)

    def judge(self, p: Position, stride: Stride, winner: Side) -> Side:
        if stride.side != self.side:
            return winner
        squares = on_board(p, self.side)
        if len(squares) != 2 or not NEIGHBOURS[squares[0]] >> squares[1] & 1:
            return winner
        first, second = level(p, squares[0]), level(p, squares[1])
        return self.side if first == second and (first == 1 or self.seats == 3) else winner


class Medusa(Power):
    """At the end of her turn foes standing lower beside her workers turn into blocks."""

    god = God.MEDUSA
    own_turn = frozenset({"at_end"})

    def at_end(self, p: Position, log: list[Event]) -> Position:
        stone = 0
        for at in on_board(p, self.side):
            for foe in squares_of(NEIGHBOURS[at] & victims(p)):
                if level(p, foe) < level(p, at):
                    stone |= 1 << foe
        for foe in squares_of(stone):
            p = build(banish(p, foe, log, self.god), -1, foe, False, log, self.god)
        return p


# --- limits on foes ---------------------------------------------------------------------------------------------------
# A limit binds foes' workers only: the owner's worker is exempt even if a foe moves it (Dionysus, Eris) [3.6], as the
# revised text states for Athena.


class Aphrodite(Power):
    """A foe's worker that starts its turn beside one of hers must end its last move beside one of hers.

    Memo, in a foe's turn: the set of workers that started beside hers, the set of those whose last move ended away, and
    whether the number of moves checked so far is odd. A move is checked in `entered`, before its effects; after a
    winning move, for which `entered` is not called, the check is made at the end.
    """

    god = God.APHRODITE
    inward = True

    def at_start(self, p: Position, log: list[Event]) -> Position:
        side = p.lineup.side(p.seat)
        near = next_to(self.mine(p)) if side != self.side else 0
        started = sum(1 << number for number, at in enumerate(p.workers[side]) if at >= 0 and near >> at & 1)
        return self.remember(p, started, 0, 0) if started else self.remember(p)

    def entered(self, p: Position, side: Side, square: int, log: list[Event]) -> Position:
        memo = self.memo(p)
        if not memo or p.turn.moves & 1 == memo[2]:
            return p
        return self.remember(p, memo[0], self._astray(p), memo[2] ^ 1)

    def bound(self, p: Position) -> bool:
        return bool(self.memo(p))

    def lawful(self, p: Position) -> bool:
        memo = self.memo(p)
        return not memo or not (memo[1] if p.turn.moves & 1 == memo[2] else self._astray(p))

    def obeying(self, p: Position, offered: Sequence[Move]) -> Sequence[Move]:
        near, squares = next_to(self.mine(p)), p.workers[p.lineup.side(p.seat)]
        held = [at for number, at in enumerate(squares) if self.memo(p)[0] >> number & 1]
        return [move for move in offered if near >> move.to & 1 or move.frm not in held]

    def written(self, p: Position) -> str:
        return super().written(p) if p.outcome is not None else ""

    def _astray(self, p: Position) -> int:
        """Return the set of workers whose last move ended away from hers, updated for the acting worker's move."""
        started, astray, _ = self.memo(p)
        if p.turn.hand == self.side:  # a foe moves one of her workers (Dionysus, Eris), which no limit binds [3.6]
            return astray
        mover = 1 << p.turn.worker
        if next_to(self.mine(p)) >> worker_square(p) & 1:
            return astray & ~mover
        return astray | mover & started


class Hera(Power):
    """Foes cannot win by moving onto the border, by any rule."""

    god = God.HERA

    def judge(self, p: Position, stride: Stride, winner: Side) -> Side:
        return -1 if winner != self.side and PERIMETER >> stride.to & 1 else winner


class Hypnus(Power):
    """A foe's worker that is higher than all others of its side when its turn begins cannot move in that turn.

    Memo, in a foe's turn: the number of that worker, if there is one.
    """

    god = God.HYPNUS
    inward = True

    def at_start(self, p: Position, log: list[Event]) -> Position:
        side = p.lineup.side(p.seat)
        if side == self.side:
            return self.remember(p)
        levels = [level(p, at) if at >= 0 else -1 for at in p.workers[side]]
        top = max(levels, default=-1)
        return self.remember(p, levels.index(top)) if levels.count(top) == 1 else self.remember(p)

    def limit_moves(self, p: Position, frm: int, targets: int) -> int:
        memo = self.memo(p)
        return 0 if memo and p.workers[p.lineup.side(p.seat)][memo[0]] == frm else targets

    def written(self, p: Position) -> str:
        return super().written(p) if p.outcome is not None else ""


class Limus(Power):
    """Foes can build only domes beside her workers; as printed, only domes that complete a tower.

    A foe may therefore have no building site after a move.
    """

    god = God.LIMUS
    hinders = True

    def limit_builds(self, p: Position, by: int, blocks: int, domes: int) -> tuple[int, int]:
        if by in p.workers[self.side]:
            return blocks, domes
        near = next_to(self.mine(p))
        return blocks & ~near, domes & (~near | p.b3) if self.printed else domes

    def risky_steps(self, p: Position, offered: Actions) -> Sequence[Action]:
        if p.turn.stage > MOVED:
            return ()
        if type(p.lineup.rules[p.seat].own).builders is not Power.builders:
            return offered
        # A forced worker may be hers; the squares that she restricts then change.
        before_move = p.turn.stage < MOVED
        return [
            action for action in offered
            if (self._hampers(p, action) if isinstance(action, Move) else before_move or isinstance(action, Force))
        ]  # fmt: skip

    def _hampers(self, p: Position, move: Move) -> bool:
        """Return whether a move may leave its worker without a building site.

        The worker can always build on the square just left unless that is beside hers. Other sites are known only if
        the move displaces no worker.
        """
        if not (next_to(self.mine(p)) & ~p.b3) >> move.frm & 1:
            return False
        return bool(p.occupied >> move.to & 1) or carried(p) or not room(p, (move.to,))


class Persephone(Power):
    """Foes must climb in every turn in which they can, with a worker that is not hers.

    The owner of an additional turn may still decline it.
    """

    god = God.PERSEPHONE

    def wish(self, p: Position) -> bool:
        turn = p.turn
        return turn.climbed or turn.hand == self.side or (turn.extra != 0 and not turn.moves)

    def fate(self, p: Position) -> bool | None:
        if p.turn.climbed or p.turn.hand == self.side:
            return True
        return None if p.lineup.rules[p.seat].own.may_climb(p) else False

    def granting(self, p: Position, offered: Sequence[Move]) -> Sequence[Move]:
        return [move for move in offered if above(p, level(p, move.frm)) >> move.to & 1]


# --- other moves and builds -------------------------------------------------------------------------------------------
# These powers affect only their owner's turn.


def resting(power: Power, p: Position) -> tuple[int, ...]:
    """Return the squares of the owner's workers that have not moved in the current turn."""
    walked = p.turn.walked
    return tuple(at for number, at in enumerate(p.workers[power.side]) if at >= 0 and not walked >> number & 1)


class Ares(Power):
    """At the end of the turn he may remove a free top block beside his worker that did not move."""

    god = God.ARES

    def closings(self, p: Position) -> Actions:
        near = next_to(sum(1 << at for at in resting(self, p)))
        return tuple(Raze(at) for at in squares_of(near & landing(p) & p.b1))

    def act(self, p: Position, action: Action, log: list[Event]) -> Position:
        if not isinstance(action, Raze):
            return super().act(p, action, log)
        return raze(with_stage(p, END), action.at, level(p, action.at) - 1, log, self.god)


class Charon(Power):
    """Before moving, may throw a neighbouring foe over one of his workers, which must then move.

    The square between the foe's old and new squares identifies that worker.
    """

    god = God.CHARON
    careful = True

    def openings(self, p: Position) -> Actions:
        if p.turn.worker >= 0:
            return ()
        foes, open_ = victims(p), landing(p)
        actions: Actions = ()
        for by in on_board(p, self.side):
            for foe in squares_of(NEIGHBOURS[by] & foes):
                across = BEHIND[foe][by]
                if across >= 0 and open_ >> across & 1:
                    actions += (Force(foe, across),)
        return actions

    def act(self, p: Position, action: Action, log: list[Event]) -> Position:
        if not isinstance(action, Force):
            return super().act(p, action, log)
        side, worker = find(p, _between(action))
        p = replace(p, turn=replace(p.turn, hand=side, worker=worker))
        return force(p, ((action.frm, action.to),), log, self.god)

    def risky_steps(self, p: Position, offered: Actions) -> Sequence[Action]:
        thrown = of_kind(offered, Force)
        if carried(p):
            return thrown
        return [force for force in thrown if not targets(p, _between(force)) & ~(1 << force.to)]


def _between(force: Force) -> int:
    """Return the square over which a worker is thrown."""
    return (force.frm + force.to) // 2


class Hestia(Power):
    """May build a second time, not on the border, even on the same square."""

    god = God.HESTIA

    def more_builds(self, p: Position) -> Actions:
        if len(p.turn.built) != 1:
            return ()
        by = worker_square(p)
        block, dome = sites(p, by)
        return blocks(by, block & ~PERIMETER) + domes(by, dome & ~PERIMETER)


class Morpheus(Power):
    """Earns a coin at the start of his turn and pays one for each build; he need not build. Memo: (coins,).

    The notation contains only the coins saved from earlier turns, because `at_start` adds the new one.
    """

    god = God.MORPHEUS
    own_turn = frozenset({"at_start", "after_build"})
    fresh = (0,)
    lasting = True

    def at_start(self, p: Position, log: list[Event]) -> Position:
        return self._add_coins(p, 1, log)

    def may_skip_build(self, p: Position) -> bool:
        return True

    def more_builds(self, p: Position) -> Actions:
        return builds(p, worker_square(p)) if self.memo(p)[0] else ()

    def after_build(self, p: Position, at: int, dome: bool, log: list[Event]) -> Position:
        return self._add_coins(p, -1, log)

    def written(self, p: Position) -> str:
        coins = self.memo(p)[0]
        saved = coins - 1 if self.acting(p) and p.outcome is None else coins
        return str(saved) if saved else ""

    def read(self, p: Position, text: str) -> Position:
        if not text.isdecimal():
            raise ValueError(text)
        return self.remember(p, int(text))

    def _add_coins(self, p: Position, coins: int, log: list[Event]) -> Position:
        """Add coins, a negative number to pay, and log the new count."""
        count = self.memo(p)[0] + coins
        log.append(CoinsChanged(self.seat, count, self.god))
        return self.remember(p, count)


class Poseidon(Power):
    """At the end of the turn his worker that did not move may build up to three times, if it is on the ground."""

    god = God.POSEIDON
    own_turn = frozenset({"after_build"})

    def closings(self, p: Position) -> Actions:
        squares = on_board(p, self.side)
        if len(squares) != 2 or p.turn.note >= 3:
            return ()
        rest = resting(self, p)
        if len(rest) != 1 or level(p, rest[0]) > 0:
            return ()
        return builds(p, rest[0])

    def after_build(self, p: Position, at: int, dome: bool, log: list[Event]) -> Position:
        return with_note(p, p.turn.note + 1) if p.turn.stage == CLOSE else p


class Selene(Marked):
    """Instead of the build her female worker may put a dome on any level, whichever worker moved."""

    god = God.SELENE

    def builders(self, p: Position) -> tuple[int, ...]:
        mover, female = worker_square(p), self.female(p)
        return (mover,) if female in (OFF, mover) else (mover, female)

    def spots(self, p: Position, by: int) -> tuple[int, int]:
        block, dome = super().spots(p, by)
        if by != self.female(p):
            return block, dome
        return (block if by == worker_square(p) else 0), block | dome


class Triton(Power):
    """May move again whenever a move ends on the border. The turn's note is 1 after that."""

    god = God.TRITON
    own_turn = frozenset({"after_move"})
    endless = True

    def after_move(self, p: Position, stride: Stride, log: list[Event]) -> Position:
        return with_note(p, PERIMETER >> stride.to & 1)

    def more_moves(self, p: Position) -> Actions:
        at = worker_square(p)
        return moves(at, targets(p, at)) if p.turn.note else ()

    def may_climb(self, p: Position) -> bool:
        return super().may_climb(p) and (not p.turn.moves or bool(p.turn.note))


class Zeus(Power):
    """May build a block under himself; rising in this way is not a move and never wins."""

    god = God.ZEUS

    def spots(self, p: Position, by: int) -> tuple[int, int]:
        block, dome = super().spots(p, by)
        return block | 1 << by & ~p.b3, dome


POWERS: Final[tuple[type[Power], ...]] = (
    Bia,
    Chaos,
    Chronus,
    Circe,
    Dionysus,
    Eros,
    Medusa,
    Aphrodite,
    Hera,
    Hypnus,
    Limus,
    Persephone,
    Ares,
    Charon,
    Hestia,
    Morpheus,
    Poseidon,
    Selene,
    Triton,
    Zeus,
)
