"""The gods of the Golden Fleece about who takes part in a turn, and from where [2.3].

Spare workers, a third worker, all workers at once, and a board without edges.
"""

from __future__ import annotations

from typing import Final

from boardwire.games.santorini.actions import DONE_ONLY, Action, Actions, Build, Move, PlaceWorker, moves, places
from boardwire.games.santorini.board import NEIGHBOURS, WRAPPED
from boardwire.games.santorini.events import Cancelled, Declined, Event, WorkerPlaced
from boardwire.games.santorini.offers import sites, targets, veiled
from boardwire.games.santorini.position import MOVED, Position, free, on_board, with_new_worker, with_stage
from boardwire.games.santorini.powers.catalogue import God
from boardwire.games.santorini.powers.power import Power


class Gaea(Power):
    """May place a spare worker on the ground beside any dome as it is built.  Memo: (spare workers,)."""

    god = God.GAEA
    fresh = (2,)
    lasting = True

    def after_build(self, p: Position, at: int, dome: bool, log: list[Event]) -> Position:
        if not dome or not self.memo(p)[0]:
            return p
        known = veiled(p, p.lineup.rules[self.seat])  # she is also asked where only hidden workers stand
        return self.ask(p, self.seat, at) if self._ground(known, at) else p

    def replies(self, p: Position, topic: int) -> Actions:
        return places(self._ground(p, topic)) + DONE_ONLY

    def reply(self, p: Position, action: Action, topic: int, log: list[Event]) -> Position:
        if not isinstance(action, PlaceWorker):
            log.append(Declined(self.seat))
            return p
        if not self._ground(p, topic) >> action.at & 1:  # a hidden worker stands there
            log.append(Cancelled(self.seat))
            return p
        log.append(WorkerPlaced(self.seat, self.side, len(p.workers[self.side]), action.at, self.god))
        return self.remember(with_new_worker(p, self.side, action.at), self.memo(p)[0] - 1)

    def _ground(self, p: Position, dome: int) -> int:
        found = free(p) & ~p.b1 & NEIGHBOURS[dome]
        for closed in p.lineup.rules[self.seat].closers:
            found &= ~closed(p)
        return found


class Graeae(Power):
    """Three workers; one that did not move builds.  Printed: any of them."""

    god = God.GRAEAE
    team = 3
    careful = True

    def builders(self, p: Position) -> tuple[int, ...]:
        if self.printed:
            return on_board(p, self.side)
        walked = p.turn.walked
        return tuple(at for n, at in enumerate(p.workers[self.side]) if at >= 0 and not walked >> n & 1)

    def doubts(self, p: Position, action: Action) -> bool:
        if self.printed or not isinstance(action, Move):
            return False
        if p.lineup.rules[p.seat].move_effects:
            return True
        resting = (at for at in on_board(p, self.side) if at != action.frm)
        return not any(sum(sites(p, by)) & ~(1 << action.to) for by in resting)


class Terpsichore(Power):
    """All her workers move, in any order, and then all build, in any order."""

    god = God.TERPSICHORE
    careful = True
    steady = True

    def more_moves(self, p: Position) -> Actions:
        found: Actions = ()
        for at in self._without(p, p.turn.walked):
            found += moves(at, targets(p, at))
        return found

    def builders(self, p: Position) -> tuple[int, ...]:
        return () if self._without(p, p.turn.walked) else self._without(p, p.turn.builders)

    def after_build(self, p: Position, at: int, dome: bool, log: list[Event]) -> Position:
        return with_stage(p, MOVED) if self.acting(p) and self._without(p, p.turn.builders) else p

    def may_climb(self, p: Position) -> bool:
        return bool(self._without(p, p.turn.walked))

    def doubts(self, p: Position, action: Action) -> bool:
        """Two workers can always build on the squares they left, if the second does not take the first one's."""
        rules = p.lineup.rules[p.seat]
        if len(on_board(p, self.side)) != 2 or rules.build_limits or rules.move_effects:
            return True
        if isinstance(action, Build):
            return not p.turn.builders  # the other must still build
        if not isinstance(action, Move):
            return False
        if p.turn.moves:
            return action.to == p.turn.came
        other = next(at for at in on_board(p, self.side) if at != action.frm)
        return not targets(p, other) & ~(1 << action.to)

    def _without(self, p: Position, numbers: int) -> tuple[int, ...]:
        """The squares of her workers that are not among those numbers."""
        return tuple(at for n, at in enumerate(p.workers[self.side]) if at >= 0 and not numbers >> n & 1)


class Urania(Power):
    """In her turn opposite edges and corners touch, for moving and for building."""

    god = God.URANIA
    adjacent = WRAPPED


POWERS: Final[tuple[type[Power], ...]] = (Gaea, Graeae, Terpsichore, Urania)
