"""Santorini as the original servers play it: no look-ahead, so a turn may run into a dead end."""

from __future__ import annotations

from boardwire.games.santorini.board import AROUND, BEHIND, PERIMETER, SQUARES
from boardwire.games.santorini.powers.catalogue import God

RING = frozenset(square for square in SQUARES if PERIMETER >> square & 1)
TOP = 3


class Board:
    """Levels, domes, workers and the state of the turn.  Seats are numbered from 0."""

    def __init__(self, seats: int) -> None:
        self.levels = [0] * 25
        self.domes: set[int] = set()
        self.gods: list[God | None] = [None] * seats
        self.workers: list[list[int]] = [[] for _ in range(seats)]
        self.out: set[int] = set()
        self.no_ascent: int | None = None
        """The seat of Athena, while the others may not move up."""
        self.no_descent: int | None = None
        """The seat of Hades, once he has moved."""
        self.limus: int | None = None
        """The seat of Limus, once he has built."""
        self.athena_has_climbed = False
        self.begin(0)

    # --- the turn -----------------------------------------------------------------------------------------------------

    def begin(self, seat: int, *, plain: bool = False) -> None:
        """Start a turn."""
        self.seat = seat
        self.plain = plain
        self.worker: int | None = None
        self.moves = 0
        self.start = -1
        self.early = False
        """Whether a worker has built before it moved."""
        self.built: list[int] = []

    @property
    def god(self) -> God | None:
        return None if self.plain else self.gods[self.seat]

    @property
    def alive(self) -> list[int]:
        return [seat for seat in range(len(self.gods)) if seat not in self.out]

    def next_seat(self) -> int:
        """Return the surviving seat after the current one."""
        seats = len(self.gods)
        return next(
            seat for seat in ((self.seat + step) % seats for step in range(1, seats + 1)) if seat not in self.out
        )

    def owner(self, square: int) -> int | None:
        """Return the seat whose worker stands on a square."""
        return next((seat for seat, own in enumerate(self.workers) if square in own), None)

    # --- what is possible ---------------------------------------------------------------------------------------------

    def move_cells(self, worker: int, *, first: bool | None = None) -> list[int]:
        """Return the cells that a worker of the current player may move to now."""
        if self.worker not in (None, worker) or worker >= len(self.workers[self.seat]):
            return []
        frm = self.workers[self.seat][worker]
        again = self.god is God.ARTEMIS and self.moves == 1 and not self.built
        again = again or (self.god is God.TRITON and self.moves > 0 and frm in RING and not self.built)
        if self.moves and not again:
            return []
        found = [to for to in AROUND[frm] if self.may_enter(frm, to)]
        return [to for to in found if not (self.god is God.ARTEMIS and to == self.start)]

    def may_enter(self, frm: int, to: int) -> bool:
        """Return whether the current player's worker may step from one cell to another."""
        if to in self.domes or self.levels[to] - self.levels[frm] > self.reach:
            return False
        if self.no_descent not in (None, self.seat) and self.levels[to] < self.levels[frm]:
            return False
        foe = self.owner(to)
        if foe is None:
            return True
        if foe == self.seat:
            return False
        if self.god is God.MINOTAUR:
            behind = BEHIND[frm][to]
            return behind >= 0 and behind not in self.domes and self.owner(behind) is None
        return self.god is God.APOLLO

    @property
    def reach(self) -> int:
        """How far up the current player may move."""
        held = self.no_ascent not in (None, self.seat)
        return 0 if held or (self.god is God.PROMETHEUS and self.early) else 1

    def build_cells(self, worker: int) -> list[int]:
        """Return the cells that a worker of the current player may build on now."""
        if self.worker not in (None, worker) or worker >= len(self.workers[self.seat]):
            return []
        if self.moves == 0 and not (self.god is God.PROMETHEUS and not self.early):
            return []
        by = self.workers[self.seat][worker]
        after = self.built[1:] if self.early else self.built
        found = [at for at in AROUND[by] if at not in self.domes and self.owner(at) is None]
        if self.god is God.ZEUS and self.levels[by] < TOP:
            found.append(by)
        if after:
            match self.god:
                case God.DEMETER if len(after) == 1:
                    found = [at for at in found if at != after[0]]
                case God.HEPHAESTUS if len(after) == 1:
                    found = [at for at in found if at == after[0] and self.levels[at] < TOP]
                case God.HESTIA if len(after) == 1:
                    found = [at for at in found if at not in RING]
                case _:
                    found = []
        return [at for at in found if not self._is_by_limus(at)]

    def _is_by_limus(self, at: int) -> bool:
        if self.limus in (None, self.seat) or self.levels[at] == TOP:
            return False
        return any(square in AROUND[at] for square in self.workers[self.limus])

    @property
    def may_end(self) -> bool:
        """Whether the mandatory move and build are done."""
        return self.moves > 0 and len(self.built) > self.early

    def is_stuck(self) -> bool:
        """Whether the current player must act and cannot."""
        if self.may_end:
            return False
        workers = range(len(self.workers[self.seat]))
        return not any(self.move_cells(worker) or self.build_cells(worker) for worker in workers)

    # --- what is done -------------------------------------------------------------------------------------------------

    def move(self, worker: int, to: int) -> tuple[list[tuple[int, int, int, int]], bool]:
        """Move a worker; return every (seat, worker, from, to) and whether that wins."""
        seat, frm = self.seat, self.workers[self.seat][worker]
        moved = [(seat, worker, frm, to)]
        foe = self.owner(to)
        if foe is not None and foe != seat:
            other = self.workers[foe].index(to)
            away = frm if self.god is God.APOLLO else BEHIND[frm][to]
            self.workers[foe][other] = away
            moved.append((foe, other, to, away))
        self.workers[seat][worker] = to
        self.start = frm if self.moves == 0 else self.start
        self.worker, self.moves = worker, self.moves + 1
        climb = self.levels[to] - self.levels[frm]
        if self.gods[seat] is God.ATHENA:
            self.no_ascent = seat if climb > 0 else None
            self.athena_has_climbed = self.athena_has_climbed or climb > 0
        if self.gods[seat] is God.HADES:
            self.no_descent = seat
        won = (climb == 1 and self.levels[to] == TOP) or (self.god is God.PAN and climb <= -2)
        hera = God.HERA in [god for other, god in enumerate(self.gods) if other != seat]
        return moved, won and not (hera and to in RING)

    def build(self, worker: int, at: int, *, dome: bool = False) -> bool:
        """Build a block, or a dome where a block does not fit or `dome` says so; return whether it is a dome."""
        dome = dome or self.levels[at] == TOP
        if dome:
            self.domes.add(at)
        else:
            self.levels[at] += 1
        self.early = self.early or self.moves == 0
        self.worker = worker
        self.built.append(at)
        if self.gods[self.seat] is God.LIMUS:
            self.limus = self.seat
        return dome

    def tower_winner(self) -> int | None:
        """Return the seat of Chronus once five complete towers stand."""
        towers = sum(1 for at in self.domes if self.levels[at] == TOP)
        chronus = next((seat for seat in self.alive if self.gods[seat] is God.CHRONUS), None)
        return chronus if towers >= 5 else None

    def eliminate(self, seat: int) -> None:
        """Take a player's workers away."""
        self.out.add(seat)
        self.workers[seat] = []
        if self.no_ascent == seat:
            self.no_ascent = None
        if self.no_descent == seat:
            self.no_descent = None
        if self.limus == seat:
            self.limus = None
