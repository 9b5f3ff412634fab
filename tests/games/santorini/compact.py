"""Santorini a second time, in plain integers, for two players and 28 powers: a cross-check of the rules.

It lists the ends of whole turns, and shares nothing with the rules but the tables of the board: no offers, no looking
ahead, no hooks.  So where both agree over random matches of all pairs, neither is likely to be wrong by accident.

A position is three numbers, seen by the side to move ("own"; the other is "foe"):

- `low`: the squares with at least one block and, shifted by 25, those with at least two;
- `high`: those with three and, shifted by 25, those with a dome;
- `men`: the squares of own workers 0 and 1 and of foe workers 0 and 1, five bits each, `OFF` for none; then four bits
  each of what the own and the foe's power remember.

A turn is all that a side does until the other one moves; a walk by two ways is one turn.  What cannot be finished is no
turn, and the laws of the foe's power are judged at the end of each.
"""

from __future__ import annotations

from typing import Final

from boardwire.games.santorini import board

ALL: Final = (1 << 25) - 1
OFF: Final = 31
BOTH: Final = (1 << 10) - 1
"""The two workers of a side in `men`."""
FEMALE: Final = 1
"""The number of the worker that Selene marks; where no power minds, workers stand in the order of their squares."""

_PERIMETER: Final = board.PERIMETER
_NEAR: Final = (*board.NEIGHBOURS, *([0] * 7))
_WRAPPED: Final = (*board.WRAPPED, *([0] * 7))
_BEHIND: Final = tuple(square for row in board.BEHIND for square in row)

# Powers, as bits.
MORTAL: Final = 0
APOLLO: Final = 1 << 0
ARTEMIS: Final = 1 << 1
ATHENA: Final = 1 << 2
ATLAS: Final = 1 << 3
DEMETER: Final = 1 << 4
HEPHAESTUS: Final = 1 << 5
HERMES: Final = 1 << 6
MINOTAUR: Final = 1 << 7
PAN: Final = 1 << 8
PROMETHEUS: Final = 1 << 9
APHRODITE: Final = 1 << 10
ARES: Final = 1 << 11
BIA: Final = 1 << 12
CHARON: Final = 1 << 13
CHRONUS: Final = 1 << 14
EROS: Final = 1 << 15
HADES: Final = 1 << 16
HERA: Final = 1 << 17
HESTIA: Final = 1 << 18
HYPNUS: Final = 1 << 19
LIMUS: Final = 1 << 20
MEDUSA: Final = 1 << 21
PERSEPHONE: Final = 1 << 22
POSEIDON: Final = 1 << 23
SELENE: Final = 1 << 24
TRITON: Final = 1 << 25
URANIA: Final = 1 << 26
ZEUS: Final = 1 << 27


def lowest(mask: int) -> int:
    """The number of the lowest bit of a set of squares that is not empty."""
    return (mask & -mask).bit_length() - 1


def bit_of(square: int) -> int:
    """The set of one square; empty for `OFF`."""
    return 0 if square == OFF else 1 << square


def next_to(one: int, other: int) -> int:
    """The squares around two workers."""
    return _NEAR[one] | _NEAR[other]


class Turns:
    """Finds turns: `ends` are the positions after them, as the other side sees them; `won` says that a turn wins, and
    then nothing more was looked for."""

    def __init__(self) -> None:
        self.ends: set[tuple[int, int, int]] = set()
        self.won = False
        # the board in the middle of a turn
        self._b1 = 0
        self._b2 = 0
        self._b3 = 0
        self._domes = 0
        self._own: list[int] = [OFF, OFF]
        self._foe: list[int] = [OFF, OFF]
        self._memo = 0
        self._foe_memo = 0
        # the turn
        self._mine = 0
        self._theirs = 0
        self._near: tuple[int, ...] = _NEAR
        self._start = OFF
        self._moves = 0
        self._climbed = False
        self._climbs = True
        self._walked = 0
        self._frozen = OFF
        self._bound = 0
        self._astray = 0
        self._must_climb = False
        self._won_low = False
        self._seen: set[object] = set()

    def find(self, low: int, high: int, men: int, mine: int, theirs: int) -> None:
        """All turns of the side to move, which has the power `mine`."""
        self.won = False
        self.ends = set()
        self._find(low, high, men, mine, theirs)
        self.won = self.won or (self._won_low and not self._must_climb)

    def _find(self, low: int, high: int, men: int, mine: int, theirs: int) -> None:
        self._b1 = low & ALL
        self._b2 = low >> 25
        self._b3 = high & ALL
        self._domes = high >> 25
        self._own[0] = men & 31
        self._own[1] = men >> 5 & 31
        self._foe[0] = men >> 10 & 31
        self._foe[1] = men >> 15 & 31
        self._memo = men >> 20 & 0xF
        self._foe_memo = men >> 24 & 0xF
        self._mine = mine
        self._theirs = theirs
        self._near = _WRAPPED if mine & URANIA else _NEAR
        self._start = OFF
        self._moves = 0
        self._climbed = False
        self._walked = 0
        self._must_climb = False
        self._won_low = False
        self._seen = set()
        if mine & ATHENA:
            self._memo = 0
        self._climbs = not (theirs & ATHENA and self._foe_memo)
        self._frozen = self._highest() if theirs & HYPNUS else OFF
        self._astray = 0
        self._bound = self._beside() if theirs & APHRODITE else 0
        self._open()

    def _highest(self) -> int:
        """The worker that stands higher than the other; `OFF` if there is none."""
        one = self._own[0]
        other = self._own[1]
        if one == OFF:
            return 1
        if other == OFF:
            return 0
        difference = self._level(one) - self._level(other)
        return 0 if difference > 0 else 1 if difference < 0 else OFF

    def _beside(self) -> int:
        """The workers beside the foe's, as bits."""
        near = next_to(self._foe[0], self._foe[1])
        found = 0
        which = 0
        while which < 2:
            at = self._own[which]
            if at != OFF and near >> at & 1:
                found |= 1 << which
            which += 1
        return found

    def _level(self, square: int) -> int:
        return (self._b1 >> square & 1) + (self._b2 >> square & 1) + (self._b3 >> square & 1)

    def _foes(self) -> int:
        return bit_of(self._foe[0]) | bit_of(self._foe[1])

    def _free(self) -> int:
        return ALL & ~(bit_of(self._own[0]) | bit_of(self._own[1]) | self._foes() | self._domes)

    # --- the stages of a turn -------------------------------------------------------------------------------------

    def _open(self) -> None:
        which = 0
        if self._mine & HERMES:
            self._walk()
            return
        while which < 2 and not self.won:
            if self._own[which] != OFF:
                if self._mine & PROMETHEUS:
                    self._build_first(which)
                if self._mine & CHARON:
                    self._throw(which)
                self._move(which, self._targets(which))
            which += 1

    def _targets(self, which: int) -> int:
        """Where a worker may go: its own power widens, the foe's limits."""
        frm = self._own[which]
        here = 1 << frm
        near = self._near[frm]
        too_high = 0 if self._b2 & here else self._b3 if self._b1 & here else self._b2
        free = self._free()
        reach = near & free
        if self._mine & APOLLO:
            reach |= near & self._foes()
        elif self._mine & MINOTAUR:
            foes = near & self._foes()
            while foes:
                to = lowest(foes)
                foes &= foes - 1
                behind = _BEHIND[frm * 25 + to]
                if behind >= 0 and free >> behind & 1:
                    reach |= 1 << to
        reach &= ~too_high
        if self._theirs & (ATHENA | HADES | HYPNUS):
            if not self._climbs:
                reach &= ~self._above(frm)
            if self._theirs & HADES:
                reach &= ~self._below(frm)
            if which == self._frozen:
                return 0
        return reach

    def _above(self, square: int) -> int:
        here = 1 << square
        return 0 if self._b3 & here else self._b3 if self._b2 & here else self._b2 if self._b1 & here else self._b1

    def _below(self, square: int) -> int:
        here = 1 << square
        if self._b3 & here:
            return ALL & ~self._b3
        if self._b2 & here:
            return ALL & ~self._b2
        return ALL & ~self._b1 if self._b1 & here else 0

    def _move(self, which: int, targets: int) -> None:
        """Each move of a worker to one of a set of squares, and all that can follow it."""
        frm = self._own[which]
        low = self._level(frm)
        c = self._foe[0]
        d = self._foe[1]
        memo = self._memo
        climbed = self._climbed
        start = self._start
        astray = self._astray
        walked = self._walked
        while targets and not self.won:
            to = lowest(targets)
            targets &= targets - 1
            level = self._level(to)
            if to == c:
                self._foe[0] = frm if self._mine & APOLLO else _BEHIND[frm * 25 + to]
            elif to == d:
                self._foe[1] = frm if self._mine & APOLLO else _BEHIND[frm * 25 + to]
            self._own[which] = to
            self._moves += 1
            self._walked = walked | 1 << which
            self._climbed = climbed or level > low
            if start == OFF:
                self._start = frm
            if self._bound:
                self._watch(which)
            if self._wins(which, low, level):
                self._win()
            else:
                if self._mine & ATHENA and level > low:
                    self._memo = 1
                if self._mine & BIA:
                    self._trample(frm, to)
                if self._foe[0] == OFF and self._foe[1] == OFF:
                    self._win()
                else:
                    self._moved(which)
            self._own[which] = frm
            self._foe[0] = c
            self._foe[1] = d
            self._memo = memo
            self._moves -= 1
            self._walked = walked
            self._climbed = climbed
            self._start = start
            self._astray = astray

    def _watch(self, which: int) -> None:
        """Whether a worker that started beside Aphrodite's has gone astray."""
        if next_to(self._foe[0], self._foe[1]) >> self._own[which] & 1:
            self._astray &= ~(1 << which)
        else:
            self._astray |= 1 << which & self._bound

    def _wins(self, which: int, low: int, high: int) -> bool:
        to = self._own[which]
        if self._theirs & HERA and _PERIMETER >> to & 1:
            return False
        if high == 3 and low < 3:
            return True
        if self._mine & PAN:
            return low - high >= 2
        if self._mine & EROS:
            other = self._own[1 - which]
            return other != OFF and high == 1 and bool(_NEAR[to] >> other & 1) and self._level(other) == 1
        return False

    def _trample(self, frm: int, to: int) -> None:
        ahead = _BEHIND[frm * 25 + to]
        if ahead >= 0:
            if self._foe[0] == ahead:
                self._foe[0] = OFF
            elif self._foe[1] == ahead:
                self._foe[1] = OFF

    def _moved(self, which: int) -> None:
        """After a move: more moves, or builds."""
        if self._mine & ARTEMIS and self._moves == 1:
            self._move(which, self._targets(which) & ~(1 << self._start))
        elif self._mine & TRITON and _PERIMETER >> self._own[which] & 1 and self._is_new(which):
            self._move(which, self._targets(which))
        if self.won:
            return
        if self._mine & SELENE:
            self._build_by(which, which == FEMALE)
            if which != FEMALE and self._own[FEMALE] != OFF:
                self._build_apart()
        else:
            self._build_by(which, self._mine & ATLAS != 0)

    def _is_new(self, which: int) -> bool:
        """Whether Triton comes this way for the first time; walking in circles changes nothing."""
        key = -1 - (
            self._own[which] | which << 5 | self._astray << 6 | self._start << 8 | (1 << 13 if self._climbed else 0)
        )
        if key in self._seen:
            return False
        self._seen.add(key)
        return True

    # --- building -------------------------------------------------------------------------------------------------

    def _blocks(self, by: int) -> int:
        """Where the worker on a square may put a block."""
        sites = self._near[by] & self._free()
        if self._mine & ZEUS:
            sites |= 1 << by
        sites &= ~self._b3
        if self._theirs & LIMUS:
            sites &= ~next_to(self._foe[0], self._foe[1])
        return sites

    def _tops(self, by: int) -> int:
        """Where it may put a dome."""
        return self._near[by] & self._free() & self._b3

    def _all_tops(self, by: int) -> int:
        """Where it may put a dome if it may at any level."""
        return self._near[by] & self._free()

    def _build_by(self, which: int, any_level: bool) -> None:
        """The compulsory build of the worker that moved."""
        by = self._own[which]
        self._build(by, self._blocks(by), False, 1)
        self._build(by, self._all_tops(by) if any_level else self._tops(by), True, 1)

    def _build_apart(self) -> None:
        """Selene's female worker may put a dome though the other one moved."""
        by = self._own[FEMALE]
        self._build(by, self._all_tops(by), True, 1)

    def _build(self, by: int, sites: int, dome: bool, number: int) -> None:
        """Each build on one of a set of squares, and all that can follow it.  `number` counts them; builds at the
        close of a turn have numbers from 10 on, and those before the move are number 0."""
        b1 = self._b1
        b2 = self._b2
        b3 = self._b3
        domes = self._domes
        while sites and not self.won:
            at = sites & -sites
            sites ^= at
            if dome:
                self._domes = domes | at
            elif b2 & at:
                self._b3 = b3 | at
            elif b1 & at:
                self._b2 = b2 | at
            else:
                self._b1 = b1 | at
            if dome and (self._mine | self._theirs) & CHRONUS and (self._b3 & self._domes).bit_count() >= 5:
                if self._mine & CHRONUS:
                    self._win()
                # a foe who wins by it: such a turn is never better than another, and as bad as none
            elif number == 0:
                self._go_after_build(by)
            else:
                self._built(by, at, number)
            self._b1 = b1
            self._b2 = b2
            self._b3 = b3
            self._domes = domes

    def _built(self, by: int, at: int, number: int) -> None:
        """After a build: more builds, or the close of the turn."""
        if number == 1:
            if self._mine & DEMETER:
                self._build(by, self._blocks(by) & ~at, False, 2)
                self._build(by, self._tops(by) & ~at, True, 2)
            elif self._mine & HEPHAESTUS:
                self._build(by, self._blocks(by) & at, False, 2)
            elif self._mine & HESTIA:
                self._build(by, self._blocks(by) & ~_PERIMETER, False, 2)
                self._build(by, self._tops(by) & ~_PERIMETER, True, 2)
        if self.won:
            return
        if self._mine & POSEIDON:
            self._tide(number)
        elif self._mine & ARES:
            self._ravage()
        self._end()

    def _resting(self) -> int:
        """The worker that did not move."""
        return 1 if self._walked == 1 else 0

    def _tide(self, number: int) -> None:
        """Poseidon's other worker builds up to three times from the ground."""
        rest = self._own[self._resting()]
        if number >= 12 or rest == OFF or self._own[1 - self._resting()] == OFF or self._level(rest) > 0:
            return
        following = number + 1 if number >= 10 else 10
        self._build(rest, self._blocks(rest), False, following)
        self._build(rest, self._tops(rest), True, following)

    def _ravage(self) -> None:
        """Ares takes a block away beside the worker that did not move."""
        rest = self._own[self._resting()]
        if rest == OFF:
            return
        b1 = self._b1
        b2 = self._b2
        b3 = self._b3
        sites = _NEAR[rest] & self._free() & b1
        while sites:
            at = sites & -sites
            sites ^= at
            if b3 & at:
                self._b3 = b3 & ~at
            elif b2 & at:
                self._b2 = b2 & ~at
            else:
                self._b1 = b1 & ~at
            self._end()
            self._b1 = b1
            self._b2 = b2
            self._b3 = b3

    # --- what comes before a move ---------------------------------------------------------------------------------

    def _build_first(self, which: int) -> None:
        """Prometheus builds, and then that worker moves and does not climb."""
        by = self._own[which]
        self._build(by, self._blocks(by), False, 0)
        self._build(by, self._tops(by), True, 0)

    def _go_after_build(self, by: int) -> None:
        if self._mine & HERMES:
            self._end()
            return
        which = 0 if self._own[0] == by else 1
        self._move(which, self._targets(which) & ~self._above(by))

    def _throw(self, which: int) -> None:
        """Charon throws a foe over a worker, which then moves."""
        by = self._own[which]
        free = self._free()
        n = 0
        while n < 2 and not self.won:
            foe = self._foe[n]
            if foe != OFF and _NEAR[by] >> foe & 1:
                across = _BEHIND[foe * 25 + by]
                if across >= 0 and free >> across & 1:
                    self._foe[n] = across
                    self._move(which, self._targets(which))
                    self._foe[n] = foe
            n += 1

    # --- Hermes ---------------------------------------------------------------------------------------------------

    def _walk(self) -> None:
        """Both workers walk on their level, nowhere twice; either builds.  Or one goes up or down, as anyone."""
        first = (self._own[0], self._own[1])
        steps = [(*first, 0)]
        places = {(*first, 0)}
        for number, (one, other, astray) in enumerate(steps):
            for which in (0, 1):
                self._own[0], self._own[1], self._astray = one, other, astray
                at = self._own[which]
                if at == OFF or self.won:
                    continue
                self._build(at, self._blocks(at), False, 0)
                self._build(at, self._tops(at), True, 0)
                targets = self._targets(which)
                flat = targets & ~self._above(at) & ~self._below(at)
                if number == 0:
                    self._move(which, targets & ~flat)
                for to in board.squares_of(flat):
                    self._own[which] = to
                    if self._bound:
                        self._watch(which)
                    place = (self._own[0], self._own[1], self._astray)
                    if place not in places:
                        places.add(place)
                        steps.append(place)
                    self._own[which], self._astray = at, astray
        self._own[0] = first[0]
        self._own[1] = first[1]

    # --- the end of a turn ----------------------------------------------------------------------------------------

    def _win(self) -> None:
        if self._astray and self._theirs & APHRODITE:
            return
        if self._theirs & PERSEPHONE and not self._climbed:
            self._won_low = True  # it counts only if no turn climbs
        else:
            self.won = True

    def _end(self) -> None:
        if self._astray:
            return
        c = self._foe[0]
        d = self._foe[1]
        b1 = self._b1
        b2 = self._b2
        b3 = self._b3
        won = False
        if self._mine & MEDUSA:
            self._petrify()
            if self._foe[0] == OFF and self._foe[1] == OFF:
                self._win()
                won = True
        a = self._own[0]
        b = self._own[1]
        if a > b and not self._mine & SELENE:
            a, b = b, a
        foe0 = self._foe[0]
        foe1 = self._foe[1]
        if foe0 > foe1 and not self._theirs & SELENE:
            foe0, foe1 = foe1, foe0
        men = foe0 | foe1 << 5 | a << 10 | b << 15 | self._memo << 24  # Athena forgets when her turn begins
        low = self._b1 | self._b2 << 25
        high = self._b3 | self._domes << 25
        self._foe[0] = c
        self._foe[1] = d
        self._b1 = b1
        self._b2 = b2
        self._b3 = b3
        if won:
            return
        if self._theirs & PERSEPHONE and self._climbed and not self._must_climb:
            self._must_climb = True
            self.ends = set()
        if self._must_climb and not self._climbed:
            return
        self.ends.add((low, high, men))

    def _petrify(self) -> None:
        """Medusa turns foes that stand lower beside her workers into blocks."""
        stone = 0
        n = 0
        while n < 2:
            foe = self._foe[n]
            if foe != OFF:
                which = 0
                while which < 2:
                    at = self._own[which]
                    if at != OFF and _NEAR[at] >> foe & 1 and self._level(foe) < self._level(at):
                        stone |= 1 << n
                    which += 1
            n += 1
        n = 0
        while n < 2:
            if stone >> n & 1:
                here = 1 << self._foe[n]
                if self._b2 & here:
                    self._b3 |= here
                elif self._b1 & here:
                    self._b2 |= here
                else:
                    self._b1 |= here
                self._foe[n] = OFF
            n += 1
