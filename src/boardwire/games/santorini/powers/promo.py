"""The promo and later gods [2.5], grouped by effect."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from boardwire.games.game import CHANCE
from boardwire.games.santorini.actions import (
    Action,
    Actions,
    Banish,
    Build,
    DealCard,
    Force,
    Move,
    PlaceWorker,
    ProposeGod,
)
from boardwire.games.santorini.board import BEARING, BEHIND, NEIGHBOURS, SQUARES, STEP, next_to, squares_of
from boardwire.games.santorini.edits import at_level, free, on_board, towers, with_new_worker, with_stage, with_worker
from boardwire.games.santorini.effects import force
from boardwire.games.santorini.ending import banish, change_power, give, lose
from boardwire.games.santorini.events import CardDealt, Event, GodProposed, Termination, WorkerPlaced
from boardwire.games.santorini.interned import domes, moves, places
from boardwire.games.santorini.offers import builds, landing, limited_sites, room, targets, victims
from boardwire.games.santorini.position import CLOSE, END, OFF, OPEN, Position, Side
from boardwire.games.santorini.powers.catalogue import CATALOGUE, God, banned
from boardwire.games.santorini.powers.marked import Marked
from boardwire.games.santorini.powers.power import Power, of_kind, worker_square
from boardwire.games.santorini.powers.stride import Stride
from boardwire.games.santorini.squares import parse_square, square_name

# --- other moves ------------------------------------------------------------------------------------------------------


SLANTED: Final = tuple(sum(1 << to for to in SQUARES if BEARING[frm][to] in (1, 3, 5, 7)) for frm in SQUARES)
"""`SLANTED[frm]`: the squares to which a move from `frm` is diagonal, even if it jumps or crosses an edge."""


class Castor(Power):
    """Instead of a turn, may move with all workers and not build, or build with all and not move.

    A normal turn and a turn of moves start in the same way; they differ when the second worker moves.
    """

    god = God.CASTOR
    own_turn = frozenset({"after_build", "after_move"})
    careful = True

    def openings(self, p: Position) -> Actions:
        actions: Actions = ()
        for by in self._without(p, p.turn.builders):
            actions += builds(p, by)
        return actions

    def movers(self, p: Position) -> tuple[int, ...]:
        return () if p.turn.builders else super().movers(p)

    def after_build(self, p: Position, at: int, dome: bool, log: list[Event]) -> Position:
        all_built = p.turn.stage == OPEN and not self._without(p, p.turn.builders)
        return with_stage(p, CLOSE) if all_built else p

    def more_moves(self, p: Position) -> Actions:
        actions: Actions = ()
        for frm in self._without(p, p.turn.walked):
            actions += moves(frm, targets(p, frm))
        return actions

    def after_move(self, p: Position, stride: Stride, log: list[Event]) -> Position:
        all_moved = p.turn.walked.bit_count() > 1 and not self._without(p, p.turn.walked)
        return with_stage(p, CLOSE) if all_moved else p

    def may_skip_build(self, p: Position) -> bool:
        return not self._without(p, p.turn.walked)  # with one worker, a move is already a move with all

    def may_climb(self, p: Position) -> bool:
        return not p.turn.builders and bool(self._without(p, p.turn.walked))

    def risky_steps(self, p: Position, offered: Actions) -> Sequence[Action]:
        if p.turn.stage != OPEN:
            return ()
        left = [(by, room(p, (by,))) for by in self._without(p, p.turn.builders)]
        tight = [(by, open_) for by, open_ in left if open_.bit_count() < 2]
        if not tight:
            return ()
        return [
            build for build in of_kind(offered, Build)
            if any(by != build.by and not open_ & ~(1 << build.at) for by, open_ in tight)
        ]  # fmt: skip

    def _without(self, p: Position, numbers: int) -> tuple[int, ...]:
        """Return the squares of the workers whose numbers are not in the set `numbers`."""
        return tuple(at for n, at in enumerate(p.workers[self.side]) if at >= 0 and not numbers >> n & 1)


class Eris(Power):
    """May play her turn with a foe's worker, except the one that its owner moved last. Memo: its number, if any."""

    god = God.ERIS

    @property
    def marks(self) -> tuple[Side, ...]:
        return self.foes

    def openings(self, p: Position) -> Actions:
        actions: Actions = ()
        able = victims(p)
        for side in self.foes:
            for number, at in enumerate(p.workers[side]):
                if at >= 0 and able >> at & 1 and self.memo(p) != (number,):
                    actions += moves(at, targets(p, at))
        return actions

    def after_move(self, p: Position, stride: Stride, log: list[Event]) -> Position:
        if stride.side == self.side or p.lineup.side(p.seat) == self.side or stride.side in p.lineup.hidden:
            return p  # a hidden worker must stay unknown
        return self.remember(p, stride.worker)

    def written(self, p: Position) -> str:
        squares = [p.workers[side][number] for side in self.foes[:1] for number in self.memo(p)]
        return "".join(square_name(at) for at in squares if at >= 0)

    def read(self, p: Position, text: str) -> Position:
        return self.remember(p, p.workers[self.foes[0]].index(parse_square(text)))


class Hippolyta(Marked):
    """All workers except her female one move only diagonally."""

    god = God.HIPPOLYTA
    everyone = True

    def limit_moves(self, p: Position, frm: int, targets: int) -> int:
        return targets if frm == self.female(p) else targets & SLANTED[frm]


class Iris(Power):
    """May jump over a neighbouring worker of any player to the free square behind it, on any level.

    Unlike a move, a jump does not leave a free square beside its target, so there may be no building site.
    """

    god = God.IRIS
    careful = True

    def reach(self, p: Position, frm: int) -> int:
        squares, open_, behind = super().reach(p, frm), free(p), BEHIND[frm]
        for over in squares_of(self.adjacent[frm] & p.occupied):
            if behind[over] >= 0 and open_ >> behind[over] & 1:
                squares |= 1 << behind[over]
        return squares

    def risky_steps(self, p: Position, offered: Actions) -> Sequence[Action]:
        jumps = [move for move in of_kind(offered, Move) if not NEIGHBOURS[move.frm] >> move.to & 1]
        return [jump for jump in jumps if not room(p, (jump.to,))]


class Pegasus(Power):
    """May climb any number of levels at once, but wins only by a normal climb."""

    god = God.PEGASUS

    def reach(self, p: Position, frm: int) -> int:
        return self.adjacent[frm] & ~(p.occupied | p.domes | p.solid)

    def judge(self, p: Position, stride: Stride, winner: Side) -> Side:
        flew = stride.high - stride.low > 1 and stride.direction < 0
        return -1 if flew and winner == self.side else winner


class Proteus(Power):
    """Three workers; after a move another one must, if possible, be forced onto the square just left."""

    god = God.PROTEUS
    team = 3
    careful = True

    def more_moves(self, p: Position) -> Actions:
        if not landing(p) >> p.turn.came & 1:
            return ()
        mover = worker_square(p)
        return tuple(Force(at, p.turn.came) for at in on_board(p, self.side) if at != mover)

    def builders(self, p: Position) -> tuple[int, ...]:
        return () if self.more_moves(p) else super().builders(p)

    def act(self, p: Position, action: Action, log: list[Event]) -> Position:
        if not isinstance(action, Force):
            return super().act(p, action, log)
        return force(p, ((action.frm, action.to),), log, self.god)

    def may_climb(self, p: Position) -> bool:
        return p.turn.stage == OPEN

    def risky_steps(self, p: Position, offered: Actions) -> Sequence[Action]:
        if p.turn.stage == OPEN:
            return [move for move in of_kind(offered, Move) if not room(p, (move.to,)) & ~(1 << move.frm)]
        return _blocking_last_site(p, offered)


class Scylla(Power):
    """When her worker leaves a square, may drag a neighbouring foe onto it."""

    god = God.SCYLLA
    careful = True

    def more_moves(self, p: Position) -> Actions:
        came = p.turn.came
        if not landing(p) >> came & 1:
            return ()
        return tuple(Force(foe, came) for foe in squares_of(NEIGHBOURS[came] & victims(p)))

    def act(self, p: Position, action: Action, log: list[Event]) -> Position:
        if not isinstance(action, Force):
            return super().act(p, action, log)
        return force(p, ((action.frm, action.to),), log, self.god)

    def may_climb(self, p: Position) -> bool:
        return p.turn.stage == OPEN

    def risky_steps(self, p: Position, offered: Actions) -> Sequence[Action]:
        return _blocking_last_site(p, offered)


def _blocking_last_site(p: Position, offered: Actions) -> list[Force]:
    """Return the actions that force a worker onto the only square on which the worker that moved can build."""
    forces = of_kind(offered, Force)
    open_ = room(p, (worker_square(p),)) if forces else 0
    return [force for force in forces if not open_ & ~(1 << force.to)]


# --- at the end of a turn ---------------------------------------------------------------------------------------------


GODS: Final = tuple(CATALOGUE)


class Asteria(Power):
    """After a turn in which her worker moved down she may place a dome on any free square, on any level."""

    god = God.ASTERIA
    own_turn = frozenset({"after_build"})

    def closings(self, p: Position) -> Actions:
        by = worker_square(p)
        return domes(by, limited_sites(p, by, 0, free(p))[1]) if p.turn.descended else ()

    def after_build(self, p: Position, at: int, dome: bool, log: list[Event]) -> Position:
        return with_stage(p, END) if p.turn.stage == CLOSE else p


class Hydra(Power):
    """Adds a worker on a lowest free square beside the one that moved if none of hers touch; else removes one."""

    god = God.HYDRA

    def closings(self, p: Position) -> Actions:
        own = self.mine(p)
        if next_to(own) & own:
            return tuple(Banish(at) for at in on_board(p, self.side))
        beside = NEIGHBOURS[worker_square(p)] & landing(p)
        return next((places(low) for height in range(4) if (low := beside & at_level(p, height))), ())

    def must_close(self, p: Position) -> bool:
        return True

    def act(self, p: Position, action: Action, log: list[Event]) -> Position:
        match action:
            case Banish(at):
                return banish(with_stage(p, END), at, log, self.god)
            case PlaceWorker(at):
                return self._add_worker(with_stage(p, END), at, log)
            case _:
                return super().act(p, action, log)

    def _add_worker(self, p: Position, at: int, log: list[Event]) -> Position:
        """Add a worker; it reuses the number of a removed one, so that numbers stay small."""
        squares = p.workers[self.side]
        number = squares.index(OFF) if OFF in squares else len(squares)
        log.append(WorkerPlaced(self.seat, self.side, number, at, self.god))
        return with_worker(p, self.side, number, at) if OFF in squares else with_new_worker(p, self.side, at)


class Maenads(Power):
    """A foe loses if one of its workers is exactly between two of theirs when their turn ends."""

    god = God.MAENADS
    own_turn = frozenset({"at_end"})

    def at_end(self, p: Position, log: list[Event]) -> Position:
        losers = [side for side in self.foes if any(self._is_between_own(p, at) for at in on_board(p, side))]
        for side in losers:
            p = lose(p, p.lineup.seats_of(side)[0], Termination.POWER, log, self.god)
        return p

    def _is_between_own(self, p: Position, at: int) -> bool:
        """Return whether a square lies between two own workers."""
        own = p.workers[self.side]
        lines = ((STEP[at][axis], STEP[at][axis + 4]) for axis in range(4))
        return any(min(line) >= 0 and line[0] in own and line[1] in own for line in lines)


class Nyx(Power):
    """While the number of complete towers is odd, she has the night power and her foe has none.

    Powers change between turns. The night power is one of those that can lie beside the Ram, because these can be
    gained and lost during a match. The card's memo is its index in `GODS`.
    """

    god = God.NYX
    keeper = True

    def preparation(self, p: Position) -> Actions:
        if self.memo(p):
            return ()
        return tuple(ProposeGod(god) for god in p.options.pool or GODS if self._is_allowed(p, god))

    def prepare(self, p: Position, action: Action, log: list[Event]) -> Position:
        assert isinstance(action, ProposeGod)
        log.append(GodProposed(self.seat, action.god))
        return self.remember(p, GODS.index(action.god))

    def at_start(self, p: Position, log: list[Event]) -> Position:
        night = towers(p).bit_count() % 2 == 1
        own = GODS[self.memo(p)[0]] if night and self.memo(p) else God.MORTAL
        p = give(p, self.seat, own, log)
        for foe in self.foes:
            if p.lineup.seats + foe not in p.lineup.slots:  # a keeper's card continues to lend powers
                p = change_power(p, foe, God.MORTAL if night else p.lineup.cards[foe], log)
        return p

    def written(self, p: Position) -> str:
        return "".join(GODS[number] for number in self.memo(p))

    def read(self, p: Position, text: str) -> Position:
        return self.remember(p, GODS.index(God(text)))

    def _is_allowed(self, p: Position, god: God) -> bool:
        """Return whether a god may be chosen beside the cards in play."""
        cards = p.lineup.cards
        meets = p.options.bans and any(banned(god, card) for card in cards)
        return CATALOGUE[god].fleece and god not in cards and not meets


class Tyche(Power):
    """Draws a card at the end of the turn; the lucky card gives another turn. Memo: (cards left,)."""

    god = God.TYCHE
    own_turn = frozenset({"at_end"})
    fresh = (6,)
    lasting = True

    def at_end(self, p: Position, log: list[Event]) -> Position:
        return self.ask(p, CHANCE) if not p.turn.extra else p

    def replies(self, p: Position, topic: int) -> Actions:
        return tuple(DealCard(card) for card in range(self.memo(p)[0]))

    def reply(self, p: Position, action: Action, topic: int, log: list[Event]) -> Position:
        assert isinstance(action, DealCard)
        lucky = action.card == 0
        log.append(CardDealt(self.seat, action.card, self.god))
        if lucky:
            p = replace(p, owed=(*p.owed, 1))
        return self.remember(p, 6 if lucky else self.memo(p)[0] - 1)

    def read(self, p: Position, text: str) -> Position:
        if int(text) not in range(1, 7):
            raise ValueError(text)
        return self.remember(p, int(text))


POWERS: Final[tuple[type[Power], ...]] = (
    Castor,
    Eris,
    Hippolyta,
    Iris,
    Pegasus,
    Proteus,
    Scylla,
    Asteria,
    Hydra,
    Maenads,
    Nyx,
    Tyche,
)
