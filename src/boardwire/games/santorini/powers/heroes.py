"""The heroes [2.4]: powers that can be used once in a match."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from boardwire.games.santorini.actions import (
    USE,
    Action,
    Actions,
    Banish,
    Bind,
    Build,
    Force,
    PlaceToken,
    PlaceWorker,
    Raze,
    Use,
)
from boardwire.games.santorini.board import CORNERS, NEIGHBOURS, PERIMETER, next_to, squares_of
from boardwire.games.santorini.edits import (
    above,
    at_level,
    find,
    free,
    level,
    on_board,
    with_memo,
    with_new_worker,
    with_note,
    with_stage,
)
from boardwire.games.santorini.effects import force, raze
from boardwire.games.santorini.ending import banish
from boardwire.games.santorini.events import Bound, Event, PowerUsed, WorkerPlaced
from boardwire.games.santorini.interned import domes, moves, places
from boardwire.games.santorini.offers import builds, landing, limited_sites, room, targets, victims
from boardwire.games.santorini.position import CLOSE, END, MOVED, OFF, OPEN, Position
from boardwire.games.santorini.powers.catalogue import God
from boardwire.games.santorini.powers.power import Power, carried, of_kind, worker_square
from boardwire.games.santorini.powers.stride import Stride
from boardwire.games.santorini.squares import parse_square, square_name

# --- base class -------------------------------------------------------------------------------------------------------


class Hero(Power):
    """A power that can be used once. Memo: (1,) after it is spent."""

    lasting = True
    once = True

    def spent(self, p: Position) -> bool:
        """Return whether the power has been used."""
        return bool(self.memo(p))

    def spend(self, p: Position, log: list[Event]) -> Position:
        """Mark the power as used."""
        if self.spent(p):
            return p
        log.append(PowerUsed(self.seat, self.god))
        return self.remember(p, 1)

    def written(self, p: Position) -> str:
        return "x" if self.spent(p) else ""

    def read(self, p: Position, text: str) -> Position:
        if text.lower() != "x":
            raise ValueError(text)
        return self.remember(p, 1)


# --- at the start of a turn, or while moving --------------------------------------------------------------------------


class Achilles(Hero):
    """Once, may also build before moving; unlike Prometheus he may then climb."""

    god = God.ACHILLES
    own_turn = frozenset({"after_build"})
    careful = True

    def openings(self, p: Position) -> Actions:
        if self.spent(p):
            return ()
        actions: Actions = ()
        for by in on_board(p, self.side):
            actions += builds(p, by)
        return actions

    def after_build(self, p: Position, at: int, dome: bool, log: list[Event]) -> Position:
        return self.spend(p, log) if p.turn.stage == OPEN else p

    def risky_steps(self, p: Position, offered: Actions) -> Sequence[Action]:
        first = of_kind(offered, Build) if p.turn.stage == OPEN else []
        if not first or carried(p):
            return first
        move_targets = {by: targets(p, by) for by in on_board(p, self.side)}
        return [build for build in first if not move_targets[build.by] & ~(1 << build.at)]


class Atalanta(Hero):
    """Once, may move as many more times as she likes. The turn's note is 1 while she does.

    A foe's wish never requires her to spend the power [3.17], so steps that fulfil it only with the power are not
    offered. To take them nevertheless, she announces the use at the start of the turn.
    """

    god = God.ATALANTA
    own_turn = frozenset({"after_move"})
    endless = True

    def openings(self, p: Position) -> Actions:
        if not p.lineup.rules[p.seat].wishers or self.spent(p):
            return ()
        return (USE,) if any(targets(p, at) for at in on_board(p, self.side)) else ()

    def act(self, p: Position, action: Action, log: list[Event]) -> Position:
        return with_note(self.spend(p, log), 1) if isinstance(action, Use) else super().act(p, action, log)

    def more_moves(self, p: Position) -> Actions:
        at = worker_square(p)
        return moves(at, targets(p, at)) if self._moves_on(p) else ()

    def after_move(self, p: Position, stride: Stride, log: list[Event]) -> Position:
        # A further move with a `direction` is caused by a foe's power, not by hers.
        if p.turn.moves > 1 and stride.direction < 0:
            return with_note(self.spend(p, log), 1)
        return p

    def may_climb(self, p: Position) -> bool:
        return p.turn.stage == OPEN or (p.turn.stage == MOVED and self._moves_on(p))

    def _moves_on(self, p: Position) -> bool:
        return not self.spent(p) or p.turn.note == 1


class Bellerophon(Hero):
    """Once, climbs two levels; from level 1 to level 3 this wins."""

    god = God.BELLEROPHON
    own_turn = frozenset({"after_move"})

    def reach(self, p: Position, frm: int) -> int:
        if self.spent(p):
            return super().reach(p, frm)
        return self.adjacent[frm] & ~(p.occupied | p.domes | p.solid | above(p, level(p, frm) + 2))

    def after_move(self, p: Position, stride: Stride, log: list[Event]) -> Position:
        if stride.high - stride.low == 2 and stride.direction < 0:
            return self.spend(p, log)
        return p


class Jason(Hero):
    """Once, places a spare worker on the ground at the border, which moves and builds. Printed: it only builds."""

    god = God.JASON
    careful = True

    def openings(self, p: Position) -> Actions:
        return () if self.spent(p) else places(landing(p) & PERIMETER & ~p.b1)

    def act(self, p: Position, action: Action, log: list[Event]) -> Position:
        if not isinstance(action, PlaceWorker):
            return super().act(p, action, log)
        p, number = self.spend(p, log), len(p.workers[self.side])
        log.append(WorkerPlaced(self.seat, self.side, number, action.at, self.god))
        stage = MOVED if self.printed else OPEN
        turn = replace(p.turn, stage=stage, hand=self.side, worker=number)
        return replace(with_new_worker(p, self.side, action.at), turn=turn)

    def risky_steps(self, p: Position, offered: Actions) -> Sequence[Action]:
        spare = of_kind(offered, PlaceWorker)
        if self.printed:
            return [place for place in spare if not room(p, (place.at,))]
        return spare if carried(p) else [place for place in spare if not targets(p, place.at)]


class Odysseus(Hero):
    """Once, sends foes beside his workers to free corners. The turn's note is the set of these corners."""

    god = God.ODYSSEUS
    careful = True

    def openings(self, p: Position) -> Actions:
        if self.spent(p) and not p.turn.note:
            return ()
        near, corners = victims(p) & next_to(self.mine(p)) & ~p.turn.note, landing(p) & CORNERS
        return tuple(Force(foe, to) for foe in squares_of(near) for to in squares_of(corners))

    def act(self, p: Position, action: Action, log: list[Event]) -> Position:
        if not isinstance(action, Force):
            return super().act(p, action, log)
        p = with_note(self.spend(p, log), p.turn.note | 1 << action.to)
        return force(p, ((action.frm, action.to),), log, self.god)

    def risky_steps(self, p: Position, offered: Actions) -> Sequence[Action]:
        sent = of_kind(offered, Force)
        if not sent or carried(p):
            return sent
        move_targets = 0
        for at in on_board(p, self.side):
            move_targets |= targets(p, at)
        return [force for force in sent if not move_targets & ~(1 << force.to)]


# --- at the end of a turn ---------------------------------------------------------------------------------------------


class Adonis(Hero):
    """Once, ties one of his workers to a foe's: if possible, they must be neighbours when the foe's next turn ends.

    Printed: the foe's worker must be beside any of his. Memo: (1, own number, foe's number) while the tie lasts, with
    the own number -1 for any worker; then (1,).
    """

    god = God.ADONIS

    def closings(self, p: Position) -> Actions:
        if self.spent(p):
            return ()
        foes = tuple(squares_of(victims(p)))
        if self.printed:
            return tuple(PlaceToken(foe) for foe in foes)
        return tuple(Bind(own, foe) for own in on_board(p, self.side) for foe in foes)

    def act(self, p: Position, action: Action, log: list[Event]) -> Position:
        match action:
            case Bind(own, foe):
                return self._bind_workers(p, own, foe, log)
            case PlaceToken(foe):
                return self._bind_workers(p, OFF, foe, log)
            case _:
                return super().act(p, action, log)

    def at_end(self, p: Position, log: list[Event]) -> Position:
        return p if self.acting(p) or not self._is_bound(p) else self.remember(p, 1)

    def leave(self, p: Position) -> Position:
        card_slot = p.lineup.seats + self.seat
        return with_memo(p, card_slot, p.memos[card_slot][:1])  # the power stays spent, but the tie ends

    def wish(self, p: Position) -> bool:
        return bool(self._allowed_ends(p) >> self._foe_square(p) & 1) if self._foe_square(p) >= 0 else False

    def fate(self, p: Position) -> bool | None:
        if not self._is_bound(p):
            return True
        if self._foe_square(p) < 0 or not self._allowed_ends(p):
            return False
        rules = p.lineup.rules[p.seat]
        settled = p.turn.stage > OPEN and rules.more_moves is None and rules.closings is None
        return self.wish(p) if settled else None

    def written(self, p: Position) -> str:
        if not self._is_bound(p):
            return super().written(p)
        own = self.memo(p)[1]
        pair = [self._foe_square(p)] if own < 0 else [p.workers[self.side][own], self._foe_square(p)]
        return "x" if OFF in pair else "x|" + ",".join(map(square_name, pair))

    def read(self, p: Position, text: str) -> Position:
        spent, _, names = text.partition("|")
        p = super().read(p, spent)
        if not names:
            return p
        *owns, foe = map(parse_square, names.split(","))
        own = [p.workers[self.side].index(at) for at in owns] or [-1]
        return self.remember(p, 1, *own, p.workers[self.foes[0]].index(foe))

    def _bind_workers(self, p: Position, own: int, foe: int, log: list[Event]) -> Position:
        """Spend the power and bind an own worker, if any, to a foe's."""
        p = self.spend(p, log)
        log.append(Bound(self.seat, own, foe, self.god))
        number = find(p, own)[1] if own >= 0 else -1
        return with_stage(self.remember(p, 1, number, find(p, foe)[1]), END)

    def _is_bound(self, p: Position) -> bool:
        """Return whether two workers are bound."""
        return len(self.memo(p)) == 3

    def _foe_square(self, p: Position) -> int:
        """Return the square of the foe's worker that is bound."""
        return p.workers[self.foes[0]][self.memo(p)[2]]

    def _allowed_ends(self, p: Position) -> int:
        """Return the squares on one of which the foe's worker must end its turn."""
        own = self.memo(p)[1]
        if own < 0:
            return next_to(self.mine(p))
        at = p.workers[self.side][own]
        return NEIGHBOURS[at] if at >= 0 else 0


class Heracles(Hero):
    """Once, instead of the build, which he announces, all his workers may build any number of domes on any levels.

    Printed: after the build, at the end of the turn. The turn's note is 1 while he does.
    """

    god = God.HERACLES
    own_turn = frozenset({"after_build"})
    endless = True  # finite, but the domes can be placed in too many orders to enumerate the sequences

    def more_moves(self, p: Position) -> Actions:
        return () if self.printed or self.spent(p) else (USE,)

    def act(self, p: Position, action: Action, log: list[Event]) -> Position:
        if not isinstance(action, Use):
            return super().act(p, action, log)
        return with_stage(with_note(self.spend(p, log), 1), CLOSE)

    def closings(self, p: Position) -> Actions:
        if not (p.turn.note or (self.printed and not self.spent(p))):
            return ()
        actions: Actions = ()
        for by in on_board(p, self.side):
            actions += domes(by, limited_sites(p, by, 0, self.adjacent[by] & free(p))[1])
        return actions

    def after_build(self, p: Position, at: int, dome: bool, log: list[Event]) -> Position:
        return with_note(self.spend(p, log), 1) if p.turn.stage == CLOSE else p

    def may_climb(self, p: Position) -> bool:
        return p.turn.stage == OPEN


class Medea(Hero):
    """Once, removes all blocks from under a worker beside one of hers.

    Printed: one block from under each of any number of workers beside her worker that did not move; the turn's note is
    the set of squares already lowered.
    """

    god = God.MEDEA

    def closings(self, p: Position) -> Actions:
        if self.spent(p) and not (self.printed and p.turn.note):
            return ()
        near = next_to(self.mine(p))
        if self.printed:
            resting = [at for n, at in enumerate(p.workers[self.side]) if at >= 0 and not p.turn.walked >> n & 1]
            near = NEIGHBOURS[resting[0]] if len(resting) == 1 else 0
        workers = victims(p) | self.mine(p)
        return tuple(Raze(at) for at in squares_of(near & workers & p.b1 & ~p.turn.note))

    def act(self, p: Position, action: Action, log: list[Event]) -> Position:
        if not isinstance(action, Raze):
            return super().act(p, action, log)
        p = self.spend(p, log)
        left = level(p, action.at) - 1 if self.printed else 0
        return with_note(raze(p, action.at, left, log, self.god), p.turn.note | 1 << action.at)


class Polyphemus(Hero):
    """Once, places up to two domes on any free squares, on any level. The turn's note counts them."""

    god = God.POLYPHEMUS
    own_turn = frozenset({"after_build"})

    def closings(self, p: Position) -> Actions:
        if p.turn.note == 2 or (self.spent(p) and not p.turn.note):
            return ()
        by = worker_square(p)
        return domes(by, limited_sites(p, by, 0, free(p))[1])

    def after_build(self, p: Position, at: int, dome: bool, log: list[Event]) -> Position:
        if p.turn.stage == CLOSE:
            return with_note(self.spend(p, log), p.turn.note + 1)
        return p


class Theseus(Hero):
    """Once, removes a foe that stands beside one of his workers, exactly two levels above it."""

    god = God.THESEUS

    def closings(self, p: Position) -> Actions:
        if self.spent(p):
            return ()
        removable, foes = 0, victims(p)
        for at in on_board(p, self.side):
            if (height := level(p, at) + 2) <= 3:
                removable |= NEIGHBOURS[at] & foes & at_level(p, height)
        return tuple(Banish(foe) for foe in squares_of(removable))

    def act(self, p: Position, action: Action, log: list[Event]) -> Position:
        if not isinstance(action, Banish):
            return super().act(p, action, log)
        return banish(with_stage(self.spend(p, log), END), action.at, log, self.god)


POWERS: Final[tuple[type[Power], ...]] = (
    Achilles,
    Atalanta,
    Bellerophon,
    Jason,
    Odysseus,
    Adonis,
    Heracles,
    Medea,
    Polyphemus,
    Theseus,
)
