"""Turn generation: each turn as the state that it leads to.

- `mortal_turns` is the fast path for two players without powers.
- `Turns` supports the powers in `tables`. It follows a turn step by step as the rules do (opening actions, moves,
  builds, closing actions) and stores a state for every possible end. Dead ends therefore never appear, and demands
  of a foe's power on the whole turn (Aphrodite, Persephone) are checked at its end. With `note_steps` it also records
  the steps.
- Both write into a reusable pool of states and return the number of states written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from boardwire.bots.santorini.core.state import State
from boardwire.bots.santorini.core.tables import (
    ALL,
    APHRODITE,
    APOLLO,
    ARES,
    AROUND,
    ARTEMIS,
    ASTERIA,
    ATHENA,
    ATLAS,
    BEARING,
    BEHIND,
    BIA,
    CHARON,
    CHRONUS,
    DEMETER,
    EROS,
    HADES,
    HARPIES,
    HEPHAESTUS,
    HERA,
    HERMES,
    HESTIA,
    HIPPOLYTA,
    HYPNUS,
    IRIS,
    LIMUS,
    MEDUSA,
    MINOTAUR,
    MORPHEUS,
    NEAR,
    OFF,
    PAN,
    PEGASUS,
    PERIMETER,
    PERSEPHONE,
    POSEIDON,
    PROMETHEUS,
    SELENE,
    SLANTED,
    STEP,
    TRITON,
    URANIA,
    WRAPPED,
    ZEUS,
    count,
    square_of,
)

if TYPE_CHECKING:
    from mypy_extensions import i64

# A step is kind * 1024 + one square * 32 + another.
MOVE: Final = 0
BUILD: Final = 1
DOME: Final = 2
FORCE: Final = 3
RAZE: Final = 4
DONE: Final = 5

CLIMB: Final = 64  # rank of a level gained, for the order in which turns are tried


def threats(s: State) -> i64:
    """Return the squares where the side not to move could win by its next step, powers disregarded."""
    open_: i64 = s.b3 & ~(s.domes | 1 << s.w0 | 1 << s.w1 | 1 << s.w2 | 1 << s.w3)
    if open_ == 0:
        return 0
    found: i64 = 0
    if (s.b2 & ~s.b3) >> s.w2 & 1:
        found = NEAR[s.w2] & open_
    if (s.b2 & ~s.b3) >> s.w3 & 1:
        found |= NEAR[s.w3] & open_
    return found


def mortal_wins(s: State) -> i64:
    """Return the squares where the side to move can win by its next step, powers disregarded."""
    open_: i64 = s.b3 & ~(s.domes | 1 << s.w0 | 1 << s.w1 | 1 << s.w2 | 1 << s.w3)
    if open_ == 0:
        return 0
    found: i64 = 0
    if (s.b2 & ~s.b3) >> s.w0 & 1:
        found = NEAR[s.w0] & open_
    if (s.b2 & ~s.b3) >> s.w1 & 1:
        found |= NEAR[s.w1] & open_
    return found


def mortal_turns(s: State, pool: list[State], must: i64, safe: bool) -> i64:
    """Generate the turns without powers that do not win at once.

    `must`: the square that has to be closed or entered because the foe would win there (0: none). `safe`: omit builds
    that let a foe win at once; the caller must then check whether other turns existed.
    """
    b1: i64 = s.b1
    b2: i64 = s.b2
    b3: i64 = s.b3
    domes: i64 = s.domes
    w2: i64 = s.w2
    w3: i64 = s.w3
    taken: i64 = domes | 1 << s.w0 | 1 << s.w1 | 1 << w2 | 1 << w3
    other_side: i64 = 1 - s.side
    gifts: i64 = 0  # the squares where a third level would be the foe's next step
    if safe:
        ready: i64 = b2 & ~b3
        if ready >> w2 & 1:
            gifts = NEAR[w2]
        if ready >> w3 & 1:
            gifts |= NEAR[w3]
        gifts &= ready
    n: i64 = 0
    size: i64 = len(pool)
    worker: i64 = 0
    while worker < 2:
        frm: i64 = s.w0 if worker == 0 else s.w1
        mate: i64 = s.w1 if worker == 0 else s.w0
        bit: i64 = 1 << frm
        high: i64 = 0 if b2 & bit else b3 if b1 & bit else b2
        low: i64 = (b1 >> frm & 1) + (b2 >> frm & 1) + (b3 >> frm & 1)
        reach: i64 = NEAR[frm] & ~(taken | high)
        if low == 2:
            reach &= ~b3  # that would win, and needs no build
        for to in AROUND[frm]:
            if reach >> to & 1 == 0:
                continue
            spots: i64 = NEAR[to] & ~((taken ^ bit) | 1 << to)
            if must and must >> to & 1 == 0:
                spots &= must
            spots &= ~gifts
            if spots == 0:
                continue
            gain: i64 = (b1 >> to & 1) + (b2 >> to & 1) + (b3 >> to & 1)
            rank: i64 = CLIMB * (gain - low) + 16 * gain
            near: i64 = NEAR[to]
            for at in AROUND[to]:
                if spots >> at & 1 == 0:
                    continue
                if n >= size:
                    pool.append(State())
                    size += 1
                t = pool[n]
                n += 1
                t.w0 = w2
                t.w1 = w3
                if worker == 0:
                    t.w2 = to
                    t.w3 = mate
                else:
                    t.w2 = mate
                    t.w3 = to
                t.b1 = b1
                t.b2 = b2
                t.b3 = b3
                t.domes = domes
                build: i64 = 1 << at
                if b3 & build:
                    t.domes = domes | build
                    t.rank = rank - 8
                elif b2 & build:
                    t.b3 = b3 | build
                    t.rank = rank + (24 if gain == 2 else 4)
                elif b1 & build:
                    t.b2 = b2 | build
                    t.rank = rank + (12 if gain >= 1 else 0)
                else:
                    t.b1 = b1 | build
                    t.rank = rank + 2
                if near >> w2 & 1 and near >> w3 & 1:
                    t.rank += 4
                t.m0 = 0
                t.m1 = 0
                t.side = other_side
                t.won = 0
                t.code = frm * 1024 + to * 32 + at
        worker += 1
    return n


def mortal_stuck(s: State) -> bool:
    """Return whether the side to move has no turn; a worker that can move can build on the square it left."""
    taken: i64 = s.domes | 1 << s.w0 | 1 << s.w1 | 1 << s.w2 | 1 << s.w3
    for frm in (s.w0, s.w1):
        high: i64 = 0 if s.b2 >> frm & 1 else s.b3 if s.b1 >> frm & 1 else s.b2
        if NEAR[frm] & ~(taken | high):
            return False
    return True


class Turns:
    """Turn generation for two sides with powers."""

    powers: list[i64]
    note_steps: bool
    steps: list[list[i64]]
    longest: i64
    _pool: list[State]
    _n: i64
    _own: i64
    _foe: i64
    _path: list[i64]
    _seen: set[i64]
    _hunting: bool
    _found: bool
    _b1: i64
    _b2: i64
    _b3: i64
    _domes: i64
    _w0: i64
    _w1: i64
    _w2: i64
    _w3: i64
    _m0: i64
    _m1: i64
    _side: i64
    _still: i64
    _watched: i64
    _climbed: i64
    _descended: i64
    _code: i64
    _astray: i64

    def __init__(self, own: i64, foe: i64) -> None:
        self.powers = [own, foe]
        self.note_steps = False
        self.steps = []
        self.longest = 3
        self._pool = []
        self._n = 0
        self._own = 0
        self._foe = 0
        self._path = []
        self._seen = set()
        self._hunting = False
        self._found = False
        self._b1 = 0
        self._b2 = 0
        self._b3 = 0
        self._domes = 0
        self._w0 = OFF
        self._w1 = OFF
        self._w2 = OFF
        self._w3 = OFF
        self._m0 = 0
        self._m1 = 0
        self._side = 0
        self._still = -1
        self._watched = 0
        self._climbed = 0
        self._descended = 0
        self._code = 0
        self._astray = 0

    # Interface for the search

    def all(self, s: State, pool: list[State]) -> i64:
        """Write every turn of a state to the pool and return their number."""
        self._begin(s, pool)
        self._generate()
        return self._keep_required()

    def wins(self, s: State) -> bool:
        """Return whether some turn wins at once."""
        if self.powers[1 - s.side] == PERSEPHONE and self.powers[s.side] in (PAN, BIA, CHRONUS, EROS, MEDUSA):
            return self._wins_as_demanded(s)
        self._begin(s, self._pool)
        self._hunting = True
        self._generate()
        return self._found

    def _wins_as_demanded(self, s: State) -> bool:
        """Return whether a turn that Persephone allows wins at once: it must climb if any turn does."""
        last_pool = self._pool
        pool: list[State] = []
        count = self.all(s, pool)
        self._pool = last_pool
        return any(state.won == 1 for state in pool[:count])

    def begin(self, s: State, pool: list[State]) -> None:
        """Start in the middle of a turn: call `go_on` for each continuation, then `end`.

        Demands of foes on the whole turn (Aphrodite, Persephone) are left to the source of the legal steps.
        """
        self._begin(s, pool)
        self._watched = 0

    def go_on(self, stage: i64, worker: i64, steps: list[i64], built: i64, builds: i64) -> None:
        """Add the turns that continue with one of `steps` at a `stage` (1 after a move, 2 after a build, 3 at the end).

        `built` is the square built on last, `builds` the number of builds so far.
        """
        for step in steps:
            self._resume(stage, worker, step, built, builds)

    def end(self) -> i64:
        """Return the number of states written."""
        return self._n

    # Phases of a turn

    def _begin(self, s: State, pool: list[State]) -> None:
        """Copy a state into the fields, from which the turns are generated."""
        self._pool = pool
        self._n = 0
        self._own = self.powers[s.side]
        self._foe = self.powers[1 - s.side]
        self._path = []
        if self.note_steps:
            self.steps = []
        self._seen = set()
        self._hunting = False
        self._found = False
        self._b1 = s.b1
        self._b2 = s.b2
        self._b3 = s.b3
        self._domes = s.domes
        self._w0 = s.w0
        self._w1 = s.w1
        self._w2 = s.w2
        self._w3 = s.w3
        self._m0 = s.m0
        self._m1 = s.m1
        self._side = s.side
        self._climbed = 0
        self._descended = 0
        self._code = 0
        self._astray = 0
        self._still = self._sleeping_worker() if self._foe == HYPNUS else -1
        self._watched = 0
        if self._foe == APHRODITE:
            near: i64 = NEAR[s.w2] | NEAR[s.w3]
            self._watched = (near >> s.w0 & 1) | (near >> s.w1 & 1) << 1

    def _sleeping_worker(self) -> i64:
        """Return the worker that stands higher than the other own one and so cannot move (Hypnus), or -1."""
        one: i64 = -1 if self._w0 == OFF else self._level(self._w0)
        other: i64 = -1 if self._w1 == OFF else self._level(self._w1)
        return -1 if one == other else 0 if one > other else 1

    def _keep_required(self) -> i64:
        """Keep only turns that climb if any does: Persephone's foes must climb if they can."""
        if self._foe != PERSEPHONE:
            return self._n
        climbs: i64 = 0
        n: i64 = 0
        while n < self._n:
            if self._pool[n].climbed:
                kept = self._pool[climbs]
                self._pool[climbs] = self._pool[n]
                self._pool[n] = kept
                if self.note_steps:
                    path = self.steps[climbs]
                    self.steps[climbs] = self.steps[n]
                    self.steps[n] = path
                climbs += 1
            n += 1
        if climbs:
            self._n = climbs
        return self._n

    def _generate(self) -> None:
        """Generate the turns of the own power."""
        own: i64 = self._own
        if own == HERMES:
            self._stroll()
            return
        if own == PROMETHEUS:
            self._build_first(0)
            self._build_first(1)
        elif own == CHARON:
            self._throw_foes(0)
            self._throw_foes(1)
        self._move_first(0, False)
        self._move_first(1, False)

    def _build_first(self, worker: i64) -> None:
        """Prometheus: build before the move, which must then not climb."""
        by: i64 = self._w0 if worker == 0 else self._w1
        if by == OFF or self._hunting:
            return
        blocks: i64 = self._block_spots(by)
        spots: i64 = blocks | self._dome_spots(by)
        b1: i64 = self._b1
        b2: i64 = self._b2
        b3: i64 = self._b3
        domes: i64 = self._domes
        while spots:
            bit: i64 = spots & -spots
            spots ^= bit
            at: i64 = square_of(bit)
            dome: bool = blocks & bit == 0
            self._push_step((DOME if dome else BUILD) * 1024 + by * 32 + at)
            if not self._apply_build(at, dome):
                self._move_first(worker, True)
            self._pop_step()
            self._b1 = b1
            self._b2 = b2
            self._b3 = b3
            self._domes = domes

    def _throw_foes(self, worker: i64) -> None:
        """Charon: throw a foe beside the worker over it, then move."""
        by: i64 = self._w0 if worker == 0 else self._w1
        if by == OFF:
            return
        w2: i64 = self._w2
        w3: i64 = self._w3
        foes: i64 = NEAR[by] & (1 << w2 | 1 << w3)
        while foes:
            bit: i64 = foes & -foes
            foes ^= bit
            foe: i64 = square_of(bit)
            across: i64 = BEHIND[foe * 25 + by]
            if across < 0 or self._free() >> across & 1 == 0:
                continue
            self._move_foe(foe, across)
            self._push_step(FORCE * 1024 + foe * 32 + across)
            self._move_first(worker, False)
            self._pop_step()
            self._w2 = w2
            self._w3 = w3

    def _move_first(self, worker: i64, level_only: bool) -> None:
        """Make the first move of a worker and continue the turn."""
        frm: i64 = self._w0 if worker == 0 else self._w1
        if frm == OFF:
            return
        if self._own == TRITON:
            self._roam(worker)
            return
        self._step_from(worker, frm, self._targets(worker, frm, level_only), 1)

    def _step_from(self, worker: i64, start: i64, targets: i64, moves: i64) -> None:
        """Move a worker to each of the targets and continue the turn; `moves` counts the moves made before."""
        frm: i64 = self._w0 if worker == 0 else self._w1
        w2: i64 = self._w2
        w3: i64 = self._w3
        m0: i64 = self._m0
        climbed: i64 = self._climbed
        descended: i64 = self._descended
        astray: i64 = self._astray
        while targets:
            bit: i64 = targets & -targets
            targets ^= bit
            to: i64 = square_of(bit)
            self._push_step(MOVE * 1024 + frm * 32 + to)
            self._code = frm * 1024 + to * 32
            if not self._apply_move(worker, frm, to):
                at: i64 = self._w0 if worker == 0 else self._w1
                if moves == 1 and self._own == ARTEMIS:
                    self._step_from(worker, start, self._targets(worker, at, False) & ~(1 << start), 2)
                    self._code = frm * 1024 + to * 32
                self._build(worker)
            self._pop_step()
            if worker == 0:
                self._w0 = frm
            else:
                self._w1 = frm
            self._w2 = w2
            self._w3 = w3
            self._m0 = m0
            self._climbed = climbed
            self._descended = descended
            self._astray = astray

    def _apply_move(self, worker: i64, frm: i64, to: i64) -> bool:
        """Move a worker with all effects; return whether that ended the match."""
        low: i64 = self._level(frm)
        high: i64 = self._level(to)
        if 1 << to & (1 << self._w2 | 1 << self._w3):
            self._move_foe(to, frm if self._own == APOLLO else BEHIND[frm * 25 + to])
        if worker == 0:
            self._w0 = to
        else:
            self._w1 = to
        if high > low:
            self._climbed = 1
        elif high < low:
            self._descended = 1
        if self._watched:
            self._note_astray(worker, to)
        if self._has_won(low, high, to):
            self._store_state(1)
            return True
        own: i64 = self._own
        if own == ATHENA:
            if high > low:
                self._m0 = 1
        elif own == BIA:
            heading: i64 = BEARING[frm * 25 + to]
            ahead: i64 = STEP[to * 8 + heading] if heading >= 0 else -1
            if ahead >= 0 and 1 << ahead & (1 << self._w2 | 1 << self._w3):
                self._move_foe(ahead, OFF)
                if self._w2 == OFF and self._w3 == OFF:
                    self._store_state(1)
                    return True
        if self._foe == HARPIES:
            self._blow_on(worker, frm, to)
        return False

    def _note_astray(self, worker: i64, to: i64) -> None:
        """Note whether a worker that began beside Aphrodite's has left her."""
        mark: i64 = 1 << worker
        if (NEAR[self._w2] | NEAR[self._w3]) >> to & 1:
            self._astray &= ~mark
        else:
            self._astray |= mark & self._watched

    def _blow_on(self, worker: i64, frm: i64, to: i64) -> None:
        """Harpies: move the worker on in its direction until something stops it."""
        heading: i64 = BEARING[frm * 25 + to]
        if heading < 0:
            return
        at: i64 = to
        free: i64 = self._free()
        while True:
            ahead: i64 = STEP[at * 8 + heading]
            if ahead < 0 or free >> ahead & 1 == 0 or self._level(ahead) > self._level(at):
                break
            at = ahead
        if worker == 0:
            self._w0 = at
        else:
            self._w1 = at

    def _has_won(self, low: i64, high: i64, to: i64) -> bool:
        """Return whether the move just made wins."""
        own: i64 = self._own
        won: bool = high == 3 and low < 3
        if own == PAN:
            won = won or low - high >= 2
        elif own == EROS:
            if self._w0 != OFF and self._w1 != OFF and NEAR[self._w0] >> self._w1 & 1:
                won = won or (self._level(self._w0) == 1 and self._level(self._w1) == 1)
        elif own == PEGASUS:
            won = won and high - low <= 1
        return won and not (self._foe == HERA and PERIMETER >> to & 1)

    def _build(self, worker: i64) -> None:
        """Make the compulsory build and continue the turn."""
        if self._hunting and not self._may_win_late():
            return
        by: i64 = self._w0 if worker == 0 else self._w1
        own: i64 = self._own
        blocks: i64 = self._block_spots(by)
        self._build_on(worker, by, blocks, self._dome_spots(by), 1)
        if own == SELENE and worker == 0 and self._w1 != OFF:
            self._build_on(worker, self._w1, 0, self._dome_spots(self._w1), 1)
        elif own == MORPHEUS:
            self._push_step(DONE * 1024)
            self._close(worker)
            self._pop_step()

    def _may_win_late(self) -> bool:
        """Return whether a turn can win after its moves: by a tower (Chronus), or by Medusa's effect at its end."""
        return self._own == CHRONUS or self._own == MEDUSA

    def _build_on(self, worker: i64, by: i64, blocks: i64, domes: i64, builds: i64) -> None:
        """Build each block and dome in turn and continue the turn; `builds` is the number of this build, from 1."""
        b1: i64 = self._b1
        b2: i64 = self._b2
        b3: i64 = self._b3
        capped: i64 = self._domes
        m0: i64 = self._m0
        code: i64 = self._code
        kind: i64 = 0
        while kind < 2:
            spots: i64 = blocks if kind == 0 else domes
            while spots:
                bit: i64 = spots & -spots
                spots ^= bit
                at: i64 = square_of(bit)
                self._push_step((DOME if kind else BUILD) * 1024 + by * 32 + at)
                if builds == 1:
                    self._code = code + at
                if self._own == MORPHEUS:
                    self._m0 -= 1
                if not self._apply_build(at, kind == 1):
                    self._build_more(worker, by, at, builds)
                self._pop_step()
                self._b1 = b1
                self._b2 = b2
                self._b3 = b3
                self._domes = capped
                self._m0 = m0
                self._code = code
            kind += 1

    def _apply_build(self, at: i64, dome: bool) -> bool:
        """Build a block or a dome; return whether that ended the match (Chronus)."""
        bit: i64 = 1 << at
        if dome:
            self._domes |= bit
            if (self._own == CHRONUS or self._foe == CHRONUS) and count(self._b3 & self._domes) >= 5:
                self._store_state(1 if self._own == CHRONUS else -1)
                return True
        elif self._b1 & bit == 0:
            self._b1 |= bit
        elif self._b2 & bit == 0:
            self._b2 |= bit
        else:
            self._b3 |= bit
        return False

    def _build_more(self, worker: i64, by: i64, at: i64, builds: i64) -> None:
        """Make the additional builds of a power, or none of them."""
        own: i64 = self._own
        blocks: i64 = 0
        domes: i64 = 0
        if builds == 1 and own == DEMETER:
            blocks = self._block_spots(by) & ~(1 << at)
            domes = self._dome_spots(by) & ~(1 << at)
        elif builds == 1 and own == HEPHAESTUS:
            blocks = self._block_spots(by) & 1 << at
        elif builds == 1 and own == HESTIA:
            blocks = self._block_spots(by) & ~PERIMETER
            domes = self._dome_spots(by) & ~PERIMETER
        elif own == MORPHEUS and self._m0 > 0 and builds < self.longest:
            blocks = self._block_spots(by)
            domes = self._dome_spots(by)
        if blocks | domes:
            self._build_on(worker, by, blocks, domes, builds + 1)
            self._push_step(DONE * 1024)
            self._close(worker)
            self._pop_step()
        else:
            self._close(worker)

    def _close(self, worker: i64) -> None:
        """Apply a power's actions at the end of the turn."""
        own: i64 = self._own
        rest: i64 = self._w1 if worker == 0 else self._w0
        if own == ARES:
            self._remove_blocks(rest)
        elif own == POSEIDON:
            self._build_with_rest(worker, rest, 0)
        elif own == ASTERIA and self._descended:
            self._build_dome(worker)
        else:
            self._emit_end()

    def _remove_blocks(self, rest: i64) -> None:
        """Ares: remove a block beside the worker that did not move, or none."""
        b1: i64 = self._b1
        b2: i64 = self._b2
        b3: i64 = self._b3
        spots: i64 = NEAR[rest] & self._free() & b1
        if spots == 0:
            self._emit_end()
            return
        while spots:
            bit: i64 = spots & -spots
            spots ^= bit
            self._push_step(RAZE * 1024 + square_of(bit) * 32)
            if b3 & bit:
                self._b3 = b3 & ~bit
            elif b2 & bit:
                self._b2 = b2 & ~bit
            else:
                self._b1 = b1 & ~bit
            self._emit_end()
            self._pop_step()
            self._b1 = b1
            self._b2 = b2
            self._b3 = b3
        self._push_step(DONE * 1024)
        self._emit_end()
        self._pop_step()

    def _build_with_rest(self, worker: i64, rest: i64, builds: i64) -> None:
        """Poseidon: build up to three times with the worker that did not move, if it stands on the ground."""
        blocks: i64 = 0
        domes: i64 = 0
        mover: i64 = self._w0 if worker == 0 else self._w1
        if builds < 3 and rest != OFF and mover != OFF and self._level(rest) == 0:
            blocks = self._block_spots(rest)
            domes = self._dome_spots(rest)
        if blocks | domes == 0:
            self._emit_end()
            return
        b1: i64 = self._b1
        b2: i64 = self._b2
        b3: i64 = self._b3
        capped: i64 = self._domes
        spots: i64 = blocks | domes
        while spots:
            bit: i64 = spots & -spots
            spots ^= bit
            at: i64 = square_of(bit)
            dome: bool = domes & bit != 0
            self._push_step((DOME if dome else BUILD) * 1024 + rest * 32 + at)
            if not self._apply_build(at, dome):
                self._build_with_rest(worker, rest, builds + 1)
            self._pop_step()
            self._b1 = b1
            self._b2 = b2
            self._b3 = b3
            self._domes = capped
        self._push_step(DONE * 1024)
        self._emit_end()
        self._pop_step()

    def _build_dome(self, worker: i64) -> None:
        """Asteria: after a descent, build a dome on any free square, or none."""
        by: i64 = self._w0 if worker == 0 else self._w1
        capped: i64 = self._domes
        spots: i64 = self._free()
        if spots == 0:
            self._emit_end()
            return
        while spots:
            bit: i64 = spots & -spots
            spots ^= bit
            at: i64 = square_of(bit)
            self._push_step(DOME * 1024 + by * 32 + at)
            if not self._apply_build(at, True):
                self._emit_end()
            self._pop_step()
            self._domes = capped
        self._push_step(DONE * 1024)
        self._emit_end()
        self._pop_step()

    # Powers that walk far

    def _stroll(self) -> None:
        """Hermes: workers walk on their level as far as they like, then either builds; or a normal turn."""
        w0: i64 = self._w0
        w1: i64 = self._w1
        worker: i64 = 0
        while worker < 2:
            frm: i64 = w0 if worker == 0 else w1
            if frm != OFF:
                flat: i64 = self._same_level(self._level(frm))
                self._step_from(worker, frm, self._targets(worker, frm, False) & ~flat, 1)
            worker += 1
        if self._hunting:
            return
        places: list[i64] = [w0 * 32 + w1]
        paths: list[list[i64]] = [[]]
        known: set[i64] = {w0 * 32 + w1}
        n: i64 = 0
        while n < len(places):
            place: i64 = places[n]
            path = paths[n]
            n += 1
            self._w0 = place >> 5
            self._w1 = place & 31
            self._path = path
            worker = 0
            while worker < 2:
                frm = self._w0 if worker == 0 else self._w1
                if frm != OFF:
                    self._note_strollers_astray()
                    self._code = frm
                    self._build(worker)
                    self._w0 = place >> 5
                    self._w1 = place & 31
                    targets: i64 = self._targets(worker, frm, False) & self._same_level(self._level(frm))
                    while targets:
                        bit: i64 = targets & -targets
                        targets ^= bit
                        to: i64 = square_of(bit)
                        there: i64 = to * 32 + self._w1 if worker == 0 else self._w0 * 32 + to
                        if there not in known:
                            known.add(there)
                            places.append(there)
                            paths.append([*path, MOVE * 1024 + frm * 32 + to] if self.note_steps else path)
                worker += 1
        self._w0 = w0
        self._w1 = w1
        self._path = []
        self._astray = 0

    def _note_strollers_astray(self) -> None:
        if self._watched:
            self._astray = 0
            self._note_astray(0, self._w0)
            self._note_astray(1, self._w1)

    def _roam(self, worker: i64) -> None:
        """Triton: a worker that reaches the border may move again.

        A place is a square with the number of levels climbed on the way, times 32: both decide what can follow.
        """
        start: i64 = self._w0 if worker == 0 else self._w1
        places: list[i64] = [start]
        paths: list[list[i64]] = [[]]
        known: set[i64] = set()
        n: i64 = 0
        while n < len(places):
            place: i64 = places[n] & 31
            climbed: i64 = places[n] >> 5
            path = paths[n]
            n += 1
            if worker == 0:
                self._w0 = place
            else:
                self._w1 = place
            targets: i64 = self._targets(worker, place, False)
            while targets:
                bit: i64 = targets & -targets
                targets ^= bit
                to: i64 = square_of(bit)
                self._path = [*path, MOVE * 1024 + place * 32 + to] if self.note_steps else path
                self._code = start * 1024 + to * 32
                self._climbed = climbed
                self._astray = 0
                over: bool = self._apply_move(worker, place, to)
                there: i64 = to + 32 * self._climbed
                if not over and there not in known:
                    known.add(there)
                    self._build(worker)
                    if PERIMETER >> to & 1:
                        places.append(there)
                        paths.append(self._path)
                if worker == 0:
                    self._w0 = place
                else:
                    self._w1 = place
        if worker == 0:
            self._w0 = start
        else:
            self._w1 = start
        self._path = []
        self._climbed = 0
        self._descended = 0
        self._astray = 0

    # In the middle of a turn

    def _resume(self, stage: i64, worker: i64, step: i64, built: i64, builds: i64) -> None:
        """Generate the turns that continue with a given first step of a turn in progress."""
        b1: i64 = self._b1
        b2: i64 = self._b2
        b3: i64 = self._b3
        domes: i64 = self._domes
        w0: i64 = self._w0
        w1: i64 = self._w1
        w2: i64 = self._w2
        w3: i64 = self._w3
        m0: i64 = self._m0
        kind: i64 = step >> 10
        one: i64 = step >> 5 & 31
        other: i64 = step & 31
        self._path = [step] if self.note_steps else []
        self._code = one * 32 + other
        if kind == MOVE:
            if one == w0 or one == w1:
                mover: i64 = 0 if one == w0 else 1
                if not self._apply_move(mover, one, other):
                    self._build(mover)
        elif kind == BUILD or kind == DOME:
            builder: i64 = 0 if one == w0 else 1
            actor: i64 = worker if worker >= 0 else builder
            if self._own == MORPHEUS:
                self._m0 -= 1
            if not self._apply_build(other, kind == DOME):
                if stage == 0:
                    self._move_first(builder, self._own == PROMETHEUS)
                elif stage == 3:
                    if self._own == POSEIDON:
                        self._build_with_rest(actor, one, builds)
                    else:
                        self._emit_end()
                else:
                    self._build_more(actor, one, other, builds + 1)
        elif kind == FORCE:
            self._move_foe(one, other)
            between: i64 = (one + other) // 2
            self._move_first(0 if between == w0 else 1, False)
        elif kind == RAZE:
            bit: i64 = 1 << one
            if b3 & bit:
                self._b3 = b3 & ~bit
            elif b2 & bit:
                self._b2 = b2 & ~bit
            else:
                self._b1 = b1 & ~bit
            self._emit_end()
        elif stage == 3:
            self._emit_end()
        else:
            self._close(worker if worker >= 0 else 0)
        self._b1 = b1
        self._b2 = b2
        self._b3 = b3
        self._domes = domes
        self._w0 = w0
        self._w1 = w1
        self._w2 = w2
        self._w3 = w3
        self._m0 = m0
        self._climbed = 0
        self._descended = 0
        self._astray = 0
        self._path = []

    # Where workers may go and build

    def _level(self, square: i64) -> i64:
        return (self._b1 >> square & 1) + (self._b2 >> square & 1) + (self._b3 >> square & 1)

    def _above(self, height: i64) -> i64:
        return self._b1 if height == 0 else self._b2 if height == 1 else self._b3 if height == 2 else 0

    def _same_level(self, height: i64) -> i64:
        at_least: i64 = ALL if height == 0 else self._above(height - 1)
        return at_least & ~self._above(height)

    def _free(self) -> i64:
        return ALL & ~(self._domes | 1 << self._w0 | 1 << self._w1 | 1 << self._w2 | 1 << self._w3)

    def _targets(self, worker: i64, frm: i64, level_only: bool) -> i64:
        """Return the squares that a worker may move to."""
        if worker == self._still:
            return 0
        own: i64 = self._own
        height: i64 = self._level(frm)
        free: i64 = self._free()
        too_high: i64 = 0 if height >= 2 else self._above(height + 1)
        near: i64 = WRAPPED[frm] if own == URANIA else NEAR[frm]
        found: i64 = near & free
        if own != PEGASUS:
            found &= ~too_high
        if own == APOLLO:
            found |= near & (1 << self._w2 | 1 << self._w3) & ALL & ~too_high
        elif own == MINOTAUR:
            foes: i64 = near & (1 << self._w2 | 1 << self._w3) & ALL & ~too_high
            while foes:
                bit: i64 = foes & -foes
                foes ^= bit
                behind: i64 = BEHIND[frm * 25 + square_of(bit)]
                if behind >= 0 and free >> behind & 1:
                    found |= bit
        elif own == IRIS:
            over: i64 = near & (1 << self._w0 | 1 << self._w1 | 1 << self._w2 | 1 << self._w3) & ALL
            while over:
                jumped: i64 = over & -over
                over ^= jumped
                beyond: i64 = BEHIND[frm * 25 + square_of(jumped)]
                if beyond >= 0 and free >> beyond & 1:
                    found |= 1 << beyond
        elif own == HIPPOLYTA and worker == 0:
            found &= SLANTED[frm]
        if level_only:
            found &= ~self._above(height)
        foe: i64 = self._foe
        if foe == ATHENA:
            if self._m1:
                found &= ~self._above(height)
        elif foe == HADES:
            if height:
                found &= self._above(height - 1)
        elif foe == HIPPOLYTA:
            found &= SLANTED[frm]
        return found

    def _block_spots(self, by: i64) -> i64:
        own: i64 = self._own
        found: i64 = (WRAPPED[by] if own == URANIA else NEAR[by]) & self._free() & ~self._b3
        if own == ZEUS:
            found |= 1 << by & ~self._b3
        if self._foe == LIMUS:
            found &= ~(NEAR[self._w2] | NEAR[self._w3])
        return found

    def _dome_spots(self, by: i64) -> i64:
        own: i64 = self._own
        found: i64 = (WRAPPED[by] if own == URANIA else NEAR[by]) & self._free()
        if own == ATLAS or (own == SELENE and by == self._w1):
            return found
        return found & self._b3

    def _move_foe(self, frm: i64, to: i64) -> None:
        """Move the foe's worker that is on `frm`."""
        if self._w2 == frm:
            self._w2 = to
        else:
            self._w3 = to

    # Results of a turn

    def _push_step(self, step: i64) -> None:
        if self.note_steps:
            self._path.append(step)

    def _pop_step(self) -> None:
        if self.note_steps:
            self._path.pop()

    def _emit_end(self) -> None:
        """Store the state after a turn that does not end the match, with Medusa's effect."""
        if self._own == MEDUSA:
            self._petrify()
        else:
            self._store_state(0)

    def _petrify(self) -> None:
        """Turn foes that stand lower than one of Medusa's adjacent workers into blocks."""
        w2: i64 = self._w2
        w3: i64 = self._w3
        b1: i64 = self._b1
        b2: i64 = self._b2
        b3: i64 = self._b3
        for foe in (w2, w3):
            if foe == OFF:
                continue
            height: i64 = self._level(foe)
            seen: bool = False
            for own in (self._w0, self._w1):
                if own != OFF and NEAR[own] >> foe & 1 and self._level(own) > height:
                    seen = True
            if seen:
                self._move_foe(foe, OFF)
        for gone in (w2, w3):
            if gone != OFF and gone != self._w2 and gone != self._w3:
                self._apply_build(gone, False)
        self._store_state(1 if self._w2 == OFF and self._w3 == OFF else 0)
        self._b1 = b1
        self._b2 = b2
        self._b3 = b3
        self._w2 = w2
        self._w3 = w3

    def _store_state(self, won: i64) -> None:
        """Store the state after a turn unless it is known; `won`: 1, -1 or 0."""
        if self._astray:
            return
        if self._hunting:
            if won == 1:
                self._found = True
            return
        memo: i64 = self._m0
        same: i64 = self._b1 * 0x9E3779B97 ^ self._b2 * 0xD6E8FEB87 ^ self._b3 * 0xB87359CA9
        same ^= self._domes * 0xE5667B19D
        same ^= ((self._w0 * 32 + self._w1) * 32 + self._w2) * 32 + self._w3
        same ^= memo << 41 ^ (won + 1) << 50 ^ self._climbed << 53
        if same in self._seen:
            return
        self._seen.add(same)
        if self._n >= len(self._pool):
            self._pool.append(State())
        t = self._pool[self._n]
        self._n += 1
        t.b1 = self._b1
        t.b2 = self._b2
        t.b3 = self._b3
        t.domes = self._domes
        t.w0 = self._w2
        t.w1 = self._w3
        t.w2 = self._w0
        t.w3 = self._w1
        t.m0 = 0 if self._foe == ATHENA else self._m1 + 1 if self._foe == MORPHEUS else self._m1
        t.m1 = memo
        t.side = 1 - self._side
        t.won = won
        t.code = self._code
        t.rank = CLIMB * (self._level(self._w0) + self._level(self._w1)) - CLIMB * (
            self._level(self._w2) + self._level(self._w3)
        )
        t.climbed = self._climbed
        if self.note_steps:
            self.steps.append(list(self._path))
