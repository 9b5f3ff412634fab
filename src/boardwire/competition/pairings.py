"""Pairings: who meets whom in which round, and in which seats.

- Entrants are numbers from 0 in the order of the list, which is also the order of strength where a format has seeds.
- An encounter is a number of matches between the same entrants. Its matches come in sets: one opening is played as
  often as there are sides, and every entrant has every seat once (`seat_order`).
- Static formats (`round_robin`, `gauntlet`, `neighbours`) are known from the start. Dynamic ones (`swiss_round`,
  `dutch_round`, `knockout_round`, `ladder_round`, `arena_pairs`) need the results so far. All are pure functions: the
  same results give the same pairings.

Rules of the dynamic formats:

- **Swiss.**  Entrants are ranked by points, then by number. The best one without an opponent meets the one half a
  score group below it, or the next lower one it has not met; an entrant left over in a score group meets the best of
  the next group. Of all such pairings the first without a repeated encounter counts; if there is none, repeats are
  allowed. With an odd number the last in the ranking that has not had a bye gets one, for a full point. Seats play no
  part in the pairing, because encounters swap them.
- **Swiss with seats** (`dutch_round`), for single matches, after FIDE's Dutch system (C.04.3). Within a score group
  the upper half meets the lower half, in the first order of the lower half in which no two meet again and as few as
  possible get a seat that was not due. No entrant has the same seat three times in a row, or three times more often
  than the other one. An odd entrant, the lowest if possible, goes down to the next group. A last group that cannot be
  completed is joined with the one above it. Who went down in an earlier round plays no part, unlike in C.04.3.
- **Arena** (`arena_pairs`). Those who wait meet neighbours in points, but not the same opponent twice in a row.
- **Knockout.**  Seeds are placed so that the best two can meet only in the final; missing opponents are byes. A level
  encounter is repeated up to `MAX_REPLAYS` times, then the better seed advances.
- **Ladder.**  In odd rounds the rungs 1-2, 3-4 ... meet, in even rounds 2-3, 4-5 ...; a lower entrant that wins takes
  the higher rung.
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
"""Pairs tried for one order of a score group, besides four for each of its pairs."""
_MAX_FLOATER_TRIALS: Final = 12
"""Entrants, or pairs of them, of a score group that are tried as those who go down to the next one."""
_MAX_EXCHANGE_DISTANCE: Final = 3
"""Entrants at the border of a group's halves that may change halves."""
_MAX_EXTRA_CLASHES: Final = 2
"""Clashes of seats beyond the unavoidable ones before entrants go down to the next group instead."""
_MAX_BYE_TRIALS: Final = 8
"""Entrants that are tried as the one with the bye before repeated encounters are allowed."""
_MAX_ARENA_CANDIDATES: Final = 16
"""Next lower entrants that one who waits in an arena may meet."""


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
    """Some matches between the same entrants; `round` and `table` count from 0."""

    round: int
    table: int
    entrants: Entrants


class Played(msgspec.Struct, frozen=True):
    """A finished encounter with the points of its entrants, in their order."""

    encounter: Encounter
    points: tuple[float, ...]


History: TypeAlias = Sequence[Sequence[Played]]
"""The finished rounds."""
_StaticRounds: TypeAlias = Callable[[int, int], list[list[Entrants]]]
_Order: TypeAlias = Callable[[int, History], list[int]]
_NextRound: TypeAlias = Callable[[int, History], list[Entrants]]


# --- seats ----------------------------------------------------------------------------------------------------------


def seat_orders(sides: int) -> list[tuple[int, ...]]:
    """Return all orders of the sides; every `sides` of them in a row give each entrant each seat once."""
    orders = []
    for rest in permutations(range(1, sides)):
        base = (0, *rest)
        orders += [base[turn:] + base[:turn] for turn in range(sides)]
    return orders


def seat_order(entrants: Entrants, number: int) -> Entrants:
    """Return the entrants by seat in match `number` of an encounter, from 0."""
    orders = seat_orders(len(entrants))
    return tuple(entrants[place] for place in orders[number % len(orders)])


# --- static formats -------------------------------------------------------------------------------------------------


def round_robin(entrants: int, sides: int = 2) -> list[list[Entrants]]:
    """Return the rounds in which every pair meets once: Berger tables for two sides, else one group per round."""
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
    """Return the rounds in which each of the first `challengers` meets all others, but no other challenger."""
    others = range(challengers, entrants)
    return [
        [(challenger, *group)] for group in combinations(others, sides - 1) for challenger in range(challengers)
    ]  # fmt: skip


def neighbours(entrants: int) -> list[list[Entrants]]:
    """Return one round in which each entrant meets the next one in the list."""
    return [[(number + 1, number) for number in range(entrants - 1)]]


# --- Swiss ----------------------------------------------------------------------------------------------------------


def swiss_round(entrants: int, history: History) -> list[Entrants]:
    """Return the pairs of the next round; the entrant without one has a bye."""
    points, byes = swiss_points(entrants, history)
    met = {frozenset(one.encounter.entrants) for played in history for one in played}
    ranking = sorted(range(entrants), key=lambda number: (-points[number], number))
    absent: list[int | None] = [None]
    if entrants % 2:
        absent = [*(number for number in ranking[::-1] if number not in byes), *byes]
    for repeats in (False, True):
        for bye in absent:
            pairs = _pair([number for number in ranking if number != bye], points, set() if repeats else met)
            if pairs is not None:
                return pairs
    raise AssertionError("with repeats allowed, every even number of entrants can be paired")


def swiss_order(entrants: int, history: History) -> list[int]:
    """Return the entrants by points, then by the sum of their opponents' points (Buchholz), then by number."""
    points, _ = swiss_points(entrants, history)
    buchholz = [0.0] * entrants
    for played in history:
        for one in played:
            for number in one.encounter.entrants:
                buchholz[number] += sum(points[other] for other in one.encounter.entrants if other != number)
    return sorted(range(entrants), key=lambda number: (-points[number], -buchholz[number], number))


def swiss_points(entrants: int, history: History) -> tuple[list[float], set[int]]:
    """Return the points of all entrants, one per encounter won, and those who have had a bye."""
    points, byes = [0.0] * entrants, set[int]()
    for played in history:
        present = set[int]()
        for one in played:
            best = max(one.points)
            winners = [number for number, got in zip(one.encounter.entrants, one.points, strict=True) if got == best]
            for number in winners:
                points[number] += 1 / len(winners)
            present.update(one.encounter.entrants)
        for number in set(range(entrants)) - present:
            points[number] += 1
            byes.add(number)
    return points, byes


def _pair(
    ranking: Sequence[int], points: Sequence[float] | Mapping[int, float], met: set[frozenset[int]]
) -> list[Entrants] | None:  # fmt: skip
    trials = 0

    def pair(rest: tuple[int, ...]) -> list[Entrants] | None:
        nonlocal trials
        if not rest:
            return []
        first, others = rest[0], rest[1:]
        group = sum(points[other] == points[first] for other in others)
        middle = max(0, (group + 1) // 2 - 1)  # the first of the lower half; `first` belongs to the group, too
        order = [*range(middle, group), *range(middle - 1, -1, -1), *range(group, len(others))]
        for place in order:
            trials += 1
            if trials > _MAX_SWISS_TRIALS:
                return None
            other = others[place]
            if frozenset((first, other)) in met:
                continue
            found = pair(others[:place] + others[place + 1 :])
            if found is not None:
                return [(first, other), *found]
        return None

    return pair(tuple(ranking))


# --- Swiss with seats -----------------------------------------------------------------------------------------------


class SwissEntrant(msgspec.Struct, frozen=True):
    """An entrant of a Swiss round whose matches are single, so that seats count."""

    number: int
    """Place in the initial order; smaller is stronger."""
    points: float = 0.0
    opponents: frozenset[int] = frozenset()
    """Numbers of earlier opponents."""
    seats: tuple[int, ...] = ()
    """Seats of earlier matches, 0 or 1, in order."""
    had_bye: bool = False

    @property
    def due_seat(self) -> int | None:
        """The seat that evens out the earlier ones or else alternates; None before the first match."""
        if not self.seats:
            return None
        balance = self.seats.count(0) - self.seats.count(1)
        return 1 - self.seats[-1] if balance == 0 else int(balance > 0)

    @property
    def insists(self) -> bool:
        """Whether the entrant must have its due seat: two in a row, or a balance of two, may not get worse."""
        balance = self.seats.count(0) - self.seats.count(1)
        return abs(balance) > 1 or (len(self.seats) > 1 and self.seats[-1] == self.seats[-2])

    @property
    def seat_claim(self) -> tuple[bool, bool, int]:
        """Strength of the claim to the due seat, for comparison."""
        balance = abs(self.seats.count(0) - self.seats.count(1))
        return self.insists, balance > 0, balance


def dutch_round(entrants: Sequence[SwissEntrant]) -> tuple[list[Entrants], int | None]:
    """Return the pairs of the next round by seat, best board first, and the number that has a bye."""
    ranking = sorted(entrants, key=lambda one: (-one.points, one.number))
    byes: list[SwissEntrant | None] = [None]
    if len(ranking) % 2:
        byes = [*(one for one in ranking[::-1] if not one.had_bye), *(one for one in ranking[::-1] if one.had_bye)]
    for bye in byes[:_MAX_BYE_TRIALS]:
        field = [one for one in ranking if one is not bye]
        pairs = _pair_groups(field)
        if pairs is not None:
            break
    else:
        bye = byes[0]
        field = [one for one in ranking if one is not bye]
        found = _pair([one.number for one in field], {one.number: one.points for one in field}, set())
        assert found is not None, "with repeats allowed, every even number of entrants can be paired"
        by_number = {one.number: one for one in field}
        pairs = [(by_number[one], by_number[other]) for one, other in found]
    order = {one.number: place for place, one in enumerate(ranking)}
    pairs.sort(key=lambda pair: (-max(one.points for one in pair), -sum(one.points for one in pair),
                                 min(order[one.number] for one in pair)))  # fmt: skip
    seated = [_take_seats(one, other, order, board) for board, (one, other) in enumerate(pairs)]
    return seated, None if bye is None else bye.number


_Pairs: TypeAlias = list[tuple[SwissEntrant, SwissEntrant]]


def _pair_groups(ranking: Sequence[SwissEntrant]) -> _Pairs | None:
    """Pair score groups from the top; None if some would have to meet again."""
    groups: list[list[SwissEntrant]] = []
    for one in ranking:
        if not groups or groups[-1][0].points != one.points:
            groups.append([])
        groups[-1].append(one)
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
    met = {frozenset((one.number, other)) for one in ranking for other in one.opponents}
    points = {one.number: one.points for one in ranking}
    found = _pair([one.number for one in ranking], points, met)
    by_number = {one.number: one for one in ranking}
    return None if found is None else [(by_number[one], by_number[other]) for one, other in found]


def _pair_group(floated: list[SwissEntrant], group: list[SwissEntrant]) -> tuple[_Pairs, list[SwissEntrant]]:
    """Pair a score group with those who came down from higher ones; return the pairs and who goes down further."""
    pairs: _Pairs = []
    stuck: list[SwissEntrant] = []
    rest = list(group)
    for one in floated:
        partner = min((other for other in rest if _may_meet(one, other)),
                      key=lambda other: (_clash(one, other), rest.index(other)), default=None)  # fmt: skip
        if partner is None:
            stuck.append(one)
        else:
            pairs.append((one, partner))
            rest.remove(partner)
    if len(rest) % 2 == 0:
        found = _pair_halves(rest)
        if found is not None:
            return pairs + found, stuck
        leaving = [(first, second) for second in range(len(rest) - 1, 0, -1) for first in range(second - 1, -1, -1)]
        for first, second in leaving[:_MAX_FLOATER_TRIALS]:
            found = _pair_halves([one for place, one in enumerate(rest) if place not in (first, second)])
            if found is not None:
                return pairs + found, [*stuck, rest[first], rest[second]]
        return pairs, stuck + rest
    best: tuple[int, _Pairs, SwissEntrant] | None = None
    for one in rest[::-1][:_MAX_FLOATER_TRIALS]:
        found = _pair_halves([other for other in rest if other is not one])
        if found is None:
            continue
        clashes = sum(_clash(*pair) for pair in found)
        if best is None or clashes < best[0]:
            best = clashes, found, one
        if clashes == 0:
            break
    return (pairs, stuck + rest) if best is None else (pairs + best[1], [*stuck, best[2]])


def _may_meet(one: SwissEntrant, other: SwissEntrant) -> bool:
    clash = one.insists and other.insists and one.due_seat == other.due_seat
    return not clash and other.number not in one.opponents


def _clash(one: SwissEntrant, other: SwissEntrant) -> bool:
    """Return whether both have the same seat due, so that one of them does not get it."""
    return one.due_seat is not None and one.due_seat == other.due_seat


def _pair_halves(group: Sequence[SwissEntrant]) -> _Pairs | None:
    """Pair the upper half of a group with the lower one, with as few clashes of seats as possible."""
    half = len(group) // 2
    if not half:
        return []
    due = [one.due_seat for one in group]
    fewest = max(0, due.count(0) - half, due.count(1) - half)
    for clashes in range(fewest, min(half, fewest + _MAX_EXTRA_CLASHES) + 1):
        for upper, lower in _exchanges(half):
            swapped = list(group)
            if upper >= 0:
                swapped[upper], swapped[lower] = swapped[lower], swapped[upper]
            found = _match_halves(swapped[:half], swapped[half:], clashes)
            if found is not None:
                return found
    return None


def _exchanges(half: int) -> list[tuple[int, int]]:
    """Return single exchanges between the halves, the smallest difference of places first; (-1, -1) is none."""
    near = range(max(0, half - _MAX_EXCHANGE_DISTANCE), half)
    pairs = [(upper, lower) for upper in near for lower in range(half, min(2 * half, half + _MAX_EXCHANGE_DISTANCE))]
    return [(-1, -1), *sorted(pairs, key=lambda pair: (pair[1] - pair[0], -pair[0]))]


def _match_halves(upper: Sequence[SwissEntrant], lower: Sequence[SwissEntrant], clashes: int) -> _Pairs | None:
    """Return the first matching in the order of the lower half with at most `clashes` clashes, by bounded search."""
    size = len(upper)
    wants = [one.due_seat for one in upper]
    has = [one.due_seat for one in lower]
    upper_left = [wants.count(0), wants.count(1)]
    lower_left = [has.count(0), has.count(1)]
    following = [*range(1, size + 1), 0]  # linked list of free places of the lower half; `size` is its head
    chosen: list[int] = []
    before: list[int] = []
    trials = 0
    previous = size
    spent = 0
    while len(chosen) < size:
        place = following[previous]
        one = upper[len(chosen)]
        if place < size:
            trials += 1
            if trials > _MAX_GROUP_TRIALS + 4 * size:
                return None
            other = lower[place]
            want, have = wants[len(chosen)], has[place]
            cost = int(want is not None and want == have)
            fits = spent + cost <= clashes and _may_meet(one, other)
            if fits:
                left = size - len(chosen) - 1
                more = max(
                    upper_left[seat] - (want == seat) + lower_left[seat] - (have == seat) - left for seat in (0, 1)
                )
                fits = spent + cost + max(0, more) <= clashes
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
        place, previous = chosen.pop(), before.pop()
        want, have = wants[len(chosen)], has[place]
        following[previous] = place
        spent -= int(want is not None and want == have)
        if want is not None:
            upper_left[want] += 1
        if have is not None:
            lower_left[have] += 1
        previous = place
    return [(one, lower[place]) for one, place in zip(upper, chosen, strict=True)]


def _take_seats(one: SwissEntrant, other: SwissEntrant, order: Mapping[int, int], board: int) -> Entrants:
    """Return two opponents by seat."""
    higher, lower = sorted((one, other), key=lambda entrant: order[entrant.number])
    due, due_of_lower = higher.due_seat, lower.due_seat
    if due is None and due_of_lower is None:
        seat = board % 2
    elif due is None:
        seat = 1 - (due_of_lower or 0)
    elif due_of_lower is None or due != due_of_lower:
        seat = due
    elif higher.seat_claim != lower.seat_claim:
        seat = due if higher.seat_claim > lower.seat_claim else 1 - due
    else:
        seat = _seat_by_history(higher, lower, due)
    return (higher.number, lower.number) if seat == 0 else (lower.number, higher.number)


def _seat_by_history(higher: SwissEntrant, lower: SwissEntrant, due: int) -> int:
    """Alternate from the latest round in which the two had different seats; else the higher one has its due seat."""
    for mine, yours in zip(reversed(higher.seats), reversed(lower.seats), strict=False):
        if mine != yours:
            return 1 - mine
    return due


# --- arena ----------------------------------------------------------------------------------------------------------


def arena_pairs(waiting: Sequence[SwissEntrant], last_opponent: Mapping[int, int]) -> list[Entrants]:
    """Pair those who wait in an arena, by seat: neighbours in points who did not just meet, as far as possible."""
    ranking = sorted(waiting, key=lambda one: (-one.points, one.number))
    order = {one.number: place for place, one in enumerate(ranking)}
    pairs: list[Entrants] = []
    while len(ranking) > 1:
        one = ranking.pop(0)
        fresh = [other for other in ranking if last_opponent.get(one.number) != other.number]
        fresh = fresh or ([] if pairs or len(order) > 2 else ranking)  # two who are alone meet again
        if not fresh:
            continue
        other = min(fresh[:_MAX_ARENA_CANDIDATES], key=partial(_arena_cost, one, order))
        ranking.remove(other)
        pairs.append(_take_seats(one, other, order, len(pairs)))
    return pairs


def _arena_cost(one: SwissEntrant, order: Mapping[int, int], other: SwissEntrant) -> tuple[float, bool, int]:
    return abs(one.points - other.points), _clash(one, other), order[other.number]


# --- knockout -------------------------------------------------------------------------------------------------------


def bracket(entrants: int) -> list[int | None]:
    """Return the entrants in the order of a knockout's draw; None is a missing opponent."""
    slots = [0]
    while len(slots) < entrants:
        size = 2 * len(slots)
        slots = [slot for seed in slots for slot in (seed, size - 1 - seed)]
    return [slot if slot < entrants else None for slot in slots]


def knockout_round(entrants: int, history: History) -> list[Entrants]:
    """Return the pairs of the next round, which may repeat level encounters; empty if there is a winner."""
    return _knockout(entrants, history)[0]


def knockout_order(entrants: int, history: History) -> list[int]:
    """Return the entrants from the winner on: those who lost later are ahead, then the better seeds."""
    _, stages = _knockout(entrants, history)
    lost_at = {number: stage for stage, slots in enumerate(stages) for number in slots if number is not None}
    return sorted(lost_at, key=lambda number: (-lost_at[number], number))


def _knockout(entrants: int, history: History) -> tuple[list[Entrants], list[list[int | None]]]:
    """Return the pairs to be played next and, for every stage that was reached, who was still in."""
    rounds = iter(history)
    stages = [bracket(entrants)]
    while len(slots := stages[-1]) > 1:
        pairs = [(slots[place], slots[place + 1]) for place in range(0, len(slots), 2)]
        open_pairs = [(one, other) for one, other in pairs if one is not None and other is not None]
        winners: dict[frozenset[int], int] = {}
        for replay in range(MAX_REPLAYS + 1):
            left = [pair for pair in open_pairs if frozenset(pair) not in winners]
            if not left:
                break
            played = next(rounds, None)
            if played is None:
                return [_alternate(pair, replay) for pair in left], stages
            for one in played:
                if one.points[0] != one.points[1]:
                    winner = one.encounter.entrants[one.points[1] > one.points[0]]
                    winners[frozenset(one.encounter.entrants)] = winner
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
    for played in history:
        for one in played:
            (lower, upper), points = one.encounter.entrants, one.points
            if points[0] > points[1]:
                place, above = order.index(lower), order.index(upper)
                order[place], order[above] = upper, lower
    return order


def ladder_round(entrants: int, history: History) -> list[Entrants]:
    """Return the pairs of the next round, the lower entrant first: it is the challenger."""
    order = ladder_order(entrants, history)
    begin = len(history) % 2 if entrants > 2 else 0
    return [(order[place + 1], order[place]) for place in range(begin, entrants - 1, 2)]


ORDERS: Final[Mapping[Format, _Order]] = {
    Format.SWISS: swiss_order,
    Format.KNOCKOUT: knockout_order,
    Format.LADDER: ladder_order,
}
"""Final orders of the formats that have one beside the ratings."""


# --- by format ------------------------------------------------------------------------------------------------------


def default_rounds(form: Format, entrants: int) -> int:
    """Return the number of rounds if none is given."""
    return max(1, (entrants - 1).bit_length()) if form is Format.SWISS else entrants if form is Format.LADDER else 1


def check_format(form: Format, entrants: int, sides: int, rounds: int) -> None:
    """Raise `Malformed` if a format cannot be played by that many entrants."""
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

    A static format returns all of its rounds at once, and `history` counts nothing.
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
