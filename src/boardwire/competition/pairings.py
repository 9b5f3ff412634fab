"""Pairings of tournaments: the encounters of each round, and the seats of the entrants.

- Entrants are numbered from 0 in the order of the list, which is also the order of strength where a format has seeds.
- An encounter is a series of matches between the same entrants. Each opening is played once per side, so that every
  entrant has every seat once (`seat_order`).
- Static formats (`round_robin`, `gauntlet`, `neighbours`) are known from the start. Dynamic ones (`swiss_round`,
  `dutch_round`, `knockout_round`, `ladder_round`, `arena_pairs`) need the results so far. All are pure functions: the
  same results give the same pairings.

Rules of the dynamic formats:

- **Swiss.**  Entrants are ranked by points, then by number. The highest unpaired entrant plays the entrant half a score
  group below it, or the next lower one that it has not played; an entrant left over in a score group plays the highest
  of the next group. The first such pairing without a repeated encounter is used; if there is none, repeats are allowed.
  If the number of entrants is odd, the lowest one that has not had a bye gets one, for a full point. Seats do not
  affect the pairing, because encounters swap them.
- **Swiss with seats** (`dutch_round`), for single matches, after FIDE's Dutch system (C.04.3). Within a score group
  the upper half plays the lower half, in the first order of the lower half that repeats no encounter and gives as few
  entrants as possible a seat that is not due. No entrant has the same seat three times in a row, or three times more
  often than the other seat. In an odd group, the lowest possible entrant floats down to the next group. If the last
  group cannot be paired, it is merged with the group above it. Unlike in C.04.3, earlier floats do not count.
- **Arena** (`arena_pairs`). Waiting entrants play their neighbours in points, but not the same opponent twice in a row.
- **Knockout.**  Seeds are placed so that the best two can play each other only in the final; missing opponents are
  byes. A drawn encounter is repeated up to `MAX_REPLAYS` times, then the better seed advances.
- **Ladder.**  Rungs 1-2, 3-4 and so on play each other in odd rounds, 2-3, 4-5 and so on in even rounds. A lower
  entrant that wins swaps places with its opponent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from functools import partial
from itertools import combinations, permutations
from typing import Final, TypeAlias

import msgspec

from boardwire.errors import Malformed

Entrants: TypeAlias = tuple[int, ...]
"""The entrants of an encounter; the first one has the first seat in its first match."""

MAX_REPLAYS: Final = 2
_MAX_SWISS_TRIALS: Final = 200_000
"""Pairs tried before repeated encounters are allowed; 64 entrants in 9 rounds take a few hundred."""
_MAX_GROUP_TRIALS: Final = 500
"""Pairs tried for one order of a score group, plus four for each of its pairs."""
_MAX_FLOATER_TRIALS: Final = 12
"""Entrants, or pairs of entrants, of a score group that are tried as floaters to the next group."""
_MAX_EXCHANGE_DISTANCE: Final = 3
"""Entrants on each side of the middle of a score group that may change halves."""
_MAX_EXTRA_CLASHES: Final = 2
"""Seat clashes accepted beyond the unavoidable ones; with more, entrants float to the next group instead."""
_MAX_BYE_TRIALS: Final = 8
"""Entrants that are tried for the bye before repeated encounters are allowed."""
_MAX_ARENA_CANDIDATES: Final = 16
"""Opponents considered for one waiting entrant of an arena: the next lower ones."""


class Format(StrEnum):
    """How a tournament is paired."""

    ROUND_ROBIN = "round-robin"
    GAUNTLET = "gauntlet"
    NEIGHBOURS = "neighbours"
    SWISS = "swiss"
    KNOCKOUT = "knockout"
    LADDER = "ladder"


STATIC: Final = frozenset({Format.ROUND_ROBIN, Format.GAUNTLET, Format.NEIGHBOURS})
"""Formats whose encounters do not depend on results."""
FOR_MANY_SIDES: Final = frozenset({Format.ROUND_ROBIN, Format.GAUNTLET})
"""Formats for matches of more than two sides."""


class Encounter(msgspec.Struct, frozen=True):
    """A series of matches between the same entrants; `round` and `table` count from 0."""

    round: int
    table: int
    entrants: Entrants


class Played(msgspec.Struct, frozen=True):
    """A finished encounter with the points of its entrants, in the same order."""

    encounter: Encounter
    points: tuple[float, ...]


History: TypeAlias = Sequence[Sequence[Played]]
"""The finished rounds."""
_StaticRounds: TypeAlias = Callable[[int, int], list[list[Entrants]]]
_Order: TypeAlias = Callable[[int, History], list[int]]
_NextRound: TypeAlias = Callable[[int, History], list[Entrants]]


# --- seats ----------------------------------------------------------------------------------------------------------


def seat_orders(sides: int) -> list[tuple[int, ...]]:
    """Return all orders of the sides, in blocks of `sides` orders that give each entrant each seat once."""
    orders = []
    for rest in permutations(range(1, sides)):
        order = (0, *rest)
        orders += [order[shift:] + order[:shift] for shift in range(sides)]
    return orders


def seat_order(entrants: Entrants, number: int) -> Entrants:
    """Return the entrants by seat in match `number` (from 0) of an encounter."""
    orders = seat_orders(len(entrants))
    return tuple(entrants[place] for place in orders[number % len(orders)])


# --- static formats -------------------------------------------------------------------------------------------------


def round_robin(entrants: int, sides: int = 2) -> list[list[Entrants]]:
    """Return the rounds in which every group of `sides` plays one encounter.

    Two sides follow Berger tables; for more sides, each round has one group.
    """
    if sides != 2:
        return [[group] for group in combinations(range(entrants), sides)]
    even = entrants + entrants % 2
    rounds: list[list[Entrants]] = []
    for number in range(even - 1):
        first, last = number * (even // 2) % (even - 1), even - 1
        pairs: list[Entrants] = [(first, last) if number % 2 == 0 else (last, first)]
        pairs += [
            ((first + step) % (even - 1), (first - step) % (even - 1)) for step in range(1, even // 2)
        ]  # fmt: skip
        rounds.append([pair for pair in pairs if max(pair) < entrants])
    return rounds


def gauntlet(entrants: int, challengers: int = 1, sides: int = 2) -> list[list[Entrants]]:
    """Return the rounds in which each of the first `challengers` plays all entrants but the other challengers."""
    others = range(challengers, entrants)
    return [
        [(challenger, *group)] for group in combinations(others, sides - 1) for challenger in range(challengers)
    ]  # fmt: skip


def neighbours(entrants: int) -> list[list[Entrants]]:
    """Return one round in which each entrant plays the next one in the list."""
    return [[(number + 1, number) for number in range(entrants - 1)]]


# --- Swiss ----------------------------------------------------------------------------------------------------------


def swiss_round(entrants: int, history: History) -> list[Entrants]:
    """Return the pairs of the next round; an unpaired entrant has a bye."""
    points, byes = swiss_points(entrants, history)
    met = {frozenset(played.encounter.entrants) for played_round in history for played in played_round}
    ranking = sorted(range(entrants), key=lambda number: (-points[number], number))
    candidates: list[int | None] = [None]
    if entrants % 2:
        candidates = [*(number for number in ranking[::-1] if number not in byes), *byes]
    for repeats in (False, True):
        for bye in candidates:
            pairs = _pair([number for number in ranking if number != bye], points, set() if repeats else met)
            if pairs is not None:
                return pairs
    raise AssertionError("with repeats allowed, every even number of entrants can be paired")


def swiss_order(entrants: int, history: History) -> list[int]:
    """Return the entrants by points, then by the sum of their opponents' points (Buchholz), then by number."""
    points, _ = swiss_points(entrants, history)
    buchholz = [0.0] * entrants
    for played_round in history:
        for played in played_round:
            for number in played.encounter.entrants:
                buchholz[number] += sum(points[other] for other in played.encounter.entrants if other != number)
    return sorted(range(entrants), key=lambda number: (-points[number], -buchholz[number], number))


def swiss_points(entrants: int, history: History) -> tuple[list[float], set[int]]:
    """Return the points of all entrants and the entrants that have had a bye.

    An encounter is worth one point, which its winners share; a bye is worth one point.
    """
    points, byes = [0.0] * entrants, set[int]()
    for played_round in history:
        present = set[int]()
        for played in played_round:
            best = max(played.points)
            scores = zip(played.encounter.entrants, played.points, strict=True)
            winners = [number for number, score in scores if score == best]
            for number in winners:
                points[number] += 1 / len(winners)
            present.update(played.encounter.entrants)
        for number in set(range(entrants)) - present:
            points[number] += 1
            byes.add(number)
    return points, byes


def _pair(
    ranking: Sequence[int], points: Sequence[float] | Mapping[int, float], met: set[frozenset[int]]
) -> list[Entrants] | None:  # fmt: skip
    """Pair a ranking without the pairs in `met`; None if that is impossible or takes too many trials."""
    trials = 0

    def pair(rest: tuple[int, ...]) -> list[Entrants] | None:
        """Return the first pairing of `rest` without a repeated encounter, or None; limited by `_MAX_SWISS_TRIALS`."""
        nonlocal trials
        if not rest:
            return []
        first, others = rest[0], rest[1:]
        group = sum(points[other] == points[first] for other in others)
        middle = max(0, (group + 1) // 2 - 1)  # start of the lower half; the group includes `first`
        order = [*range(middle, group), *range(middle - 1, -1, -1), *range(group, len(others))]
        for place in order:
            trials += 1
            if trials > _MAX_SWISS_TRIALS:
                return None
            other = others[place]
            if frozenset((first, other)) in met:
                continue
            pairs = pair(others[:place] + others[place + 1 :])
            if pairs is not None:
                return [(first, other), *pairs]
        return None

    return pair(tuple(ranking))


# --- Swiss with seats -----------------------------------------------------------------------------------------------


class SwissEntrant(msgspec.Struct, frozen=True):
    """An entrant of a Swiss round whose matches are single, so that seats count."""

    number: int
    """Position in the initial order; a smaller number is stronger."""
    points: float = 0.0
    opponents: frozenset[int] = frozenset()
    """Numbers of earlier opponents."""
    seats: tuple[int, ...] = ()
    """Seats of earlier matches, 0 or 1, in order."""
    had_bye: bool = False

    @property
    def due_seat(self) -> int | None:
        """The seat that balances the earlier ones or, if they are balanced, alternates; None before the first match."""
        if not self.seats:
            return None
        balance = self.seats.count(0) - self.seats.count(1)
        return 1 - self.seats[-1] if balance == 0 else int(balance > 0)

    @property
    def must_have_due_seat(self) -> bool:
        """Whether the other seat would be the third in a row, or raise the imbalance to three."""
        balance = self.seats.count(0) - self.seats.count(1)
        return abs(balance) > 1 or (len(self.seats) > 1 and self.seats[-1] == self.seats[-2])

    @property
    def seat_claim(self) -> tuple[bool, bool, int]:
        """Strength of the claim to the due seat, for comparison."""
        imbalance = abs(self.seats.count(0) - self.seats.count(1))
        return self.must_have_due_seat, imbalance > 0, imbalance


def dutch_round(entrants: Sequence[SwissEntrant]) -> tuple[list[Entrants], int | None]:
    """Return the pairs of the next round by seat, best board first, and the entrant with a bye, if any."""
    ranking = sorted(entrants, key=lambda entrant: (-entrant.points, entrant.number))
    byes: list[SwissEntrant | None] = [None]
    if len(ranking) % 2:
        byes = [
            *(entrant for entrant in ranking[::-1] if not entrant.had_bye),
            *(entrant for entrant in ranking[::-1] if entrant.had_bye),
        ]
    for bye in byes[:_MAX_BYE_TRIALS]:
        field = [entrant for entrant in ranking if entrant is not bye]
        pairs = _pair_groups(field)
        if pairs is not None:
            break
    else:
        bye = byes[0]
        field = [entrant for entrant in ranking if entrant is not bye]
        paired = _pair(
            [entrant.number for entrant in field], {entrant.number: entrant.points for entrant in field}, set()
        )
        assert paired is not None, "with repeats allowed, every even number of entrants can be paired"
        by_number = {entrant.number: entrant for entrant in field}
        pairs = [(by_number[first], by_number[second]) for first, second in paired]
    order = {entrant.number: place for place, entrant in enumerate(ranking)}
    pairs.sort(key=lambda pair: (-max(entrant.points for entrant in pair), -sum(entrant.points for entrant in pair),
                                 min(order[entrant.number] for entrant in pair)))  # fmt: skip
    seated = [_take_seats(first, second, order, board) for board, (first, second) in enumerate(pairs)]
    return seated, None if bye is None else bye.number


_Pairs: TypeAlias = list[tuple[SwissEntrant, SwissEntrant]]


def _pair_groups(ranking: Sequence[SwissEntrant]) -> _Pairs | None:
    """Pair score groups from the top; None if that is impossible without a repeated encounter."""
    groups: list[list[SwissEntrant]] = []
    for entrant in ranking:
        if not groups or groups[-1][0].points != entrant.points:
            groups.append([])
        groups[-1].append(entrant)
    while True:
        done: list[_Pairs] = []
        floating: list[SwissEntrant] = []
        for group in groups:
            pairs, floating = _pair_group(floating, group)
            done.append(pairs)
        if not floating:
            return [pair for pairs in done for pair in pairs]
        if len(groups) == 1:
            break
        groups[-2:] = [groups[-2] + groups[-1]]  # the last group cannot be completed alone
    met = {frozenset((entrant.number, opponent)) for entrant in ranking for opponent in entrant.opponents}
    points = {entrant.number: entrant.points for entrant in ranking}
    paired = _pair([entrant.number for entrant in ranking], points, met)
    by_number = {entrant.number: entrant for entrant in ranking}
    return None if paired is None else [(by_number[first], by_number[second]) for first, second in paired]


def _pair_group(floaters: list[SwissEntrant], group: list[SwissEntrant]) -> tuple[_Pairs, list[SwissEntrant]]:
    """Pair a score group and the floaters from higher groups; return the pairs and the floaters to the next group."""
    pairs: _Pairs = []
    unpaired: list[SwissEntrant] = []
    rest = list(group)
    for floater in floaters:
        partner = min((other for other in rest if _may_meet(floater, other)),
                      key=lambda other: (_clash(floater, other), rest.index(other)), default=None)  # fmt: skip
        if partner is None:
            unpaired.append(floater)
        else:
            pairs.append((floater, partner))
            rest.remove(partner)
    if len(rest) % 2 == 0:
        paired = _pair_halves(rest)
        if paired is not None:
            return pairs + paired, unpaired
        leaving = [(first, second) for second in range(len(rest) - 1, 0, -1) for first in range(second - 1, -1, -1)]
        for first, second in leaving[:_MAX_FLOATER_TRIALS]:
            paired = _pair_halves([entrant for place, entrant in enumerate(rest) if place not in (first, second)])
            if paired is not None:
                return pairs + paired, [*unpaired, rest[first], rest[second]]
        return pairs, unpaired + rest
    best: tuple[int, _Pairs, SwissEntrant] | None = None
    for floater in rest[::-1][:_MAX_FLOATER_TRIALS]:
        paired = _pair_halves([other for other in rest if other is not floater])
        if paired is None:
            continue
        clashes = sum(_clash(*pair) for pair in paired)
        if best is None or clashes < best[0]:
            best = clashes, paired, floater
        if clashes == 0:
            break
    return (pairs, unpaired + rest) if best is None else (pairs + best[1], [*unpaired, best[2]])


def _may_meet(first: SwissEntrant, second: SwissEntrant) -> bool:
    """Return whether two entrants have not met and do not both need the same seat."""
    clash = first.must_have_due_seat and second.must_have_due_seat and first.due_seat == second.due_seat
    return not clash and second.number not in first.opponents


def _clash(first: SwissEntrant, second: SwissEntrant) -> bool:
    """Return whether the same seat is due to both."""
    return first.due_seat is not None and first.due_seat == second.due_seat


def _pair_halves(group: Sequence[SwissEntrant]) -> _Pairs | None:
    """Pair the upper half of a group with the lower half, with as few seat clashes as possible."""
    half = len(group) // 2
    if not half:
        return []
    due = [entrant.due_seat for entrant in group]
    fewest = max(0, due.count(0) - half, due.count(1) - half)
    for clashes in range(fewest, min(half, fewest + _MAX_EXTRA_CLASHES) + 1):
        for upper, lower in _exchanges(half):
            swapped = list(group)
            if upper >= 0:
                swapped[upper], swapped[lower] = swapped[lower], swapped[upper]
            pairs = _match_halves(swapped[:half], swapped[half:], clashes)
            if pairs is not None:
                return pairs
    return None


def _exchanges(half: int) -> list[tuple[int, int]]:
    """Return exchanges of one entrant between the halves, nearest first, after (-1, -1) for no exchange."""
    near = range(max(0, half - _MAX_EXCHANGE_DISTANCE), half)
    pairs = [(upper, lower) for upper in near for lower in range(half, min(2 * half, half + _MAX_EXCHANGE_DISTANCE))]
    return [(-1, -1), *sorted(pairs, key=lambda pair: (pair[1] - pair[0], -pair[0]))]


def _match_halves(upper: Sequence[SwissEntrant], lower: Sequence[SwissEntrant], clashes: int) -> _Pairs | None:
    """Match the halves in the order of the lower half with at most `clashes` seat clashes.

    A depth-first search without recursion. It cuts a branch if the entrants left cannot stay within `clashes`, and
    gives up (None) after a number of trials.
    """
    size = len(upper)
    wants = [entrant.due_seat for entrant in upper]
    has = [entrant.due_seat for entrant in lower]
    upper_left = [wants.count(0), wants.count(1)]
    lower_left = [has.count(0), has.count(1)]
    following = [*range(1, size + 1), 0]  # linked list of the free places in the lower half; `size` is its head
    chosen: list[int] = []
    before: list[int] = []
    trials = 0
    previous = size
    spent = 0
    while len(chosen) < size:
        place = following[previous]
        entrant = upper[len(chosen)]
        if place < size:
            trials += 1
            if trials > _MAX_GROUP_TRIALS + 4 * size:
                return None
            other = lower[place]
            want, have = wants[len(chosen)], has[place]
            cost = int(want is not None and want == have)
            fits = spent + cost <= clashes and _may_meet(entrant, other)
            if fits:
                left = size - len(chosen) - 1
                excess = max(
                    upper_left[seat] - (want == seat) + lower_left[seat] - (have == seat) - left for seat in (0, 1)
                )
                fits = spent + cost + max(0, excess) <= clashes
            if fits:
                chosen.append(place)
                before.append(previous)
                following[previous] = following[place]
                spent += cost
                if want is not None:
                    upper_left[want] -= 1
                if have is not None:
                    lower_left[have] -= 1
                previous = size
            else:
                previous = place
            continue
        if not chosen:
            return None
        # No place is left for this entrant: undo the previous choice and continue behind it.
        place, previous = chosen.pop(), before.pop()
        want, have = wants[len(chosen)], has[place]
        following[previous] = place
        spent -= int(want is not None and want == have)
        if want is not None:
            upper_left[want] += 1
        if have is not None:
            lower_left[have] += 1
        previous = place
    return [(entrant, lower[place]) for entrant, place in zip(upper, chosen, strict=True)]


def _take_seats(first: SwissEntrant, second: SwissEntrant, order: Mapping[int, int], board: int) -> Entrants:
    """Return two opponents by seat: each in its due seat if possible, else the one with the stronger claim."""
    higher, lower = sorted((first, second), key=lambda entrant: order[entrant.number])
    due, lower_due = higher.due_seat, lower.due_seat
    if due is None and lower_due is None:
        seat = board % 2
    elif due is None:
        seat = 1 - (lower_due or 0)
    elif lower_due is None or due != lower_due:
        seat = due
    elif higher.seat_claim != lower.seat_claim:
        seat = due if higher.seat_claim > lower.seat_claim else 1 - due
    else:
        seat = _seat_by_history(higher, lower, due)
    return (higher.number, lower.number) if seat == 0 else (lower.number, higher.number)


def _seat_by_history(higher: SwissEntrant, lower: SwissEntrant, due: int) -> int:
    """Return the higher entrant's seat: swapped since the last round with different seats, or its due seat."""
    for higher_seat, lower_seat in zip(reversed(higher.seats), reversed(lower.seats), strict=False):
        if higher_seat != lower_seat:
            return 1 - higher_seat
    return due


# --- arena ----------------------------------------------------------------------------------------------------------


def arena_pairs(waiting: Sequence[SwissEntrant], last_opponent: Mapping[int, int]) -> list[Entrants]:
    """Pair the waiting entrants of an arena by seat: neighbours in points that have not just played.

    If only two entrants wait, they may play again.
    """
    ranking = sorted(waiting, key=lambda entrant: (-entrant.points, entrant.number))
    order = {entrant.number: place for place, entrant in enumerate(ranking)}
    pairs: list[Entrants] = []
    while len(ranking) > 1:
        entrant = ranking.pop(0)
        fresh = [other for other in ranking if last_opponent.get(entrant.number) != other.number]
        fresh = fresh or ([] if pairs or len(order) > 2 else ranking)
        if not fresh:
            continue
        other = min(fresh[:_MAX_ARENA_CANDIDATES], key=partial(_arena_cost, entrant, order))
        ranking.remove(other)
        pairs.append(_take_seats(entrant, other, order, len(pairs)))
    return pairs


def _arena_cost(entrant: SwissEntrant, order: Mapping[int, int], other: SwissEntrant) -> tuple[float, bool, int]:
    """Return the sort key of an opponent: the difference in points, whether both are due the same seat, its rank."""
    return abs(entrant.points - other.points), _clash(entrant, other), order[other.number]


# --- knockout -------------------------------------------------------------------------------------------------------


def bracket(entrants: int) -> list[int | None]:
    """Return the draw of a knockout: entrants from top to bottom, None for a bye."""
    slots = [0]
    while len(slots) < entrants:
        size = 2 * len(slots)
        slots = [slot for seed in slots for slot in (seed, size - 1 - seed)]
    return [slot if slot < entrants else None for slot in slots]


def knockout_round(entrants: int, history: History) -> list[Entrants]:
    """Return the pairs of the next round, which may be replays of drawn encounters; empty if there is a winner."""
    return _knockout(entrants, history)[0]


def knockout_order(entrants: int, history: History) -> list[int]:
    """Return the entrants from the winner down: a later loss ranks higher, then the better seed."""
    _, stages = _knockout(entrants, history)
    lost_at = {number: stage for stage, slots in enumerate(stages) for number in slots if number is not None}
    return sorted(lost_at, key=lambda number: (-lost_at[number], number))


def _knockout(entrants: int, history: History) -> tuple[list[Entrants], list[list[int | None]]]:
    """Return the pairs to be played next, and the slots of the draw at every stage that was reached."""
    rounds = iter(history)
    stages = [bracket(entrants)]
    while len(slots := stages[-1]) > 1:
        pairs = [(slots[place], slots[place + 1]) for place in range(0, len(slots), 2)]
        open_pairs = [(first, second) for first, second in pairs if first is not None and second is not None]
        winners: dict[frozenset[int], int] = {}
        for replay in range(MAX_REPLAYS + 1):
            undecided = [pair for pair in open_pairs if frozenset(pair) not in winners]
            if not undecided:
                break
            played = next(rounds, None)
            if played is None:
                return [_alternate(pair, replay) for pair in undecided], stages
            for result in played:
                if result.points[0] != result.points[1]:
                    winner = result.encounter.entrants[result.points[1] > result.points[0]]
                    winners[frozenset(result.encounter.entrants)] = winner
        stages.append([
            one if other is None else other if one is None else winners.get(frozenset((one, other)), min(one, other))
            for one, other in pairs
        ])  # fmt: skip
    return [], stages


def _alternate(pair: Entrants, number: int) -> Entrants:
    return pair if number % 2 == 0 else pair[::-1]


# --- ladder ---------------------------------------------------------------------------------------------------------


def ladder_order(entrants: int, history: History) -> list[int]:
    """Return the entrants from the highest rung to the lowest."""
    order = list(range(entrants))
    for played_round in history:
        for played in played_round:
            lower, upper = played.encounter.entrants
            if played.points[0] > played.points[1]:
                place, above = order.index(lower), order.index(upper)
                order[place], order[above] = upper, lower
    return order


def ladder_round(entrants: int, history: History) -> list[Entrants]:
    """Return the pairs of the next round, the challenger (the lower entrant) first."""
    order = ladder_order(entrants, history)
    start = len(history) % 2 if entrants > 2 else 0
    return [(order[place + 1], order[place]) for place in range(start, entrants - 1, 2)]


ORDERS: Final[Mapping[Format, _Order]] = {
    Format.SWISS: swiss_order,
    Format.KNOCKOUT: knockout_order,
    Format.LADDER: ladder_order,
}
"""Final rankings of the formats that define one; the others rank by rating."""


# --- by format ------------------------------------------------------------------------------------------------------


def default_rounds(form: Format, entrants: int) -> int:
    """Return the number of rounds that a format has by default."""
    if form is Format.SWISS:
        return max(1, (entrants - 1).bit_length())
    return entrants if form is Format.LADDER else 1


def check_format(form: Format, entrants: int, sides: int, rounds: int) -> None:
    """Raise `Malformed` if a format does not support this number of entrants, sides or rounds."""
    if entrants < sides:
        raise Malformed(f"a match has {sides} sides, but there are only {entrants} participants")
    if sides > 2 and form not in FOR_MANY_SIDES:
        names = " or ".join(sorted(FOR_MANY_SIDES))
        raise Malformed(f"format {form} is for matches of two sides; with {sides} sides use {names}")
    if form is Format.SWISS and rounds > entrants - 1 + entrants % 2:
        raise Malformed(f"rounds = {rounds}: {entrants} participants have at most {entrants - 1 + entrants % 2} "
                        "rounds in a Swiss tournament")  # fmt: skip


def next_encounters(form: Format, entrants: int, sides: int, rounds: int, history: History) -> list[Encounter]:
    """Return the encounters that can be played now, given the finished rounds; empty: the tournament is over.

    A static format returns all of its rounds at once, when `history` is empty.
    """
    if form in STATIC:
        once = _STATIC[form](entrants, sides)
        cycles = [[_alternate(pair, cycle) for pair in pairs] for cycle in range(rounds) for pairs in once]
        return [] if history else _encounters(cycles, 0)
    if form is Format.KNOCKOUT:
        return _encounters([knockout_round(entrants, history)], len(history))
    if len(history) >= rounds:
        return []
    return _encounters([_DYNAMIC[form](entrants, history)], len(history))


def _encounters(rounds: Iterable[Sequence[Entrants]], first: int) -> list[Encounter]:
    return [
        Encounter(number, table, entrants)
        for number, pairs in enumerate(rounds, first)
        for table, entrants in enumerate(pairs)
    ]


_STATIC: Final[Mapping[Format, _StaticRounds]] = {
    Format.ROUND_ROBIN: round_robin,
    Format.GAUNTLET: lambda entrants, sides: gauntlet(entrants, 1, sides),
    Format.NEIGHBOURS: lambda entrants, sides: neighbours(entrants),
}
_DYNAMIC: Final[Mapping[Format, _NextRound]] = {Format.SWISS: swiss_round, Format.LADDER: ladder_round}
