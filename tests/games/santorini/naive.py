"""A second, deliberately naive Santorini: the base game and the ten simple gods, in plain lists and whole turns.

It shares nothing with the engine, not even a table of neighbours, and does everything the slow and obvious way, so that
the two can be compared.  `turns` gives every way a player can end the turn.  Squares count from 0 (A5) to 24 (E1).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

Key: TypeAlias = tuple[object, ...]


class State:
    """Blocks and domes by square, workers by seat, who may not be climbed against, and who has won."""

    def __init__(self, heights: list[int], domes: list[bool], workers: list[list[int]], gods: list[str], seat: int):
        self.heights = heights
        self.domes = domes
        self.workers = workers
        self.gods = gods
        self.seat = seat
        self.bans = [False] * len(gods)  # whether Athena in that seat climbed in her last turn
        self.winner = -1

    def copy(self) -> State:
        workers = [list(squares) for squares in self.workers]
        other = State(list(self.heights), list(self.domes), workers, self.gods, self.seat)
        other.bans = list(self.bans)
        other.winner = self.winner
        return other

    @property
    def god(self) -> str:
        return self.gods[self.seat]

    def key(self) -> Key:
        """What must be the same for two ends of a turn to be the same."""
        workers = tuple(tuple(sorted(squares)) for squares in self.workers)
        bans = () if self.winner >= 0 else tuple(self.bans)
        return tuple(self.heights), tuple(self.domes), workers, bans, self.winner

    def taken(self, square: int) -> bool:
        return any(square in squares for squares in self.workers)


def neighbours(square: int) -> list[int]:
    row, column = divmod(square, 5)
    found = []
    for down in (-1, 0, 1):
        for right in (-1, 0, 1):
            inside = 0 <= row + down < 5 and 0 <= column + right < 5
            if (down or right) and inside:
                found.append((row + down) * 5 + column + right)
    return found


def straight_on(frm: int, to: int) -> int | None:
    row, column = 2 * (to // 5) - frm // 5, 2 * (to % 5) - frm % 5
    return row * 5 + column if 0 <= row < 5 and 0 <= column < 5 else None


def turns(state: State) -> dict[Key, State]:
    """All ends of the turn of the player to move, by what makes them different."""
    ends = list(normal_turns(state))
    if state.god == "hermes":
        ends += stroll_turns(state)
    if state.god == "prometheus":
        ends += two_build_turns(state)
    return {end.key(): end for end in ends}


def normal_turns(state: State) -> Iterator[State]:
    for worker in range(len(state.workers[state.seat])):
        for after, climbed in walks(state, worker):
            if after.winner >= 0:
                yield after
            else:
                yield from finished(after, worker, climbed)


def walks(state: State, worker: int) -> Iterator[tuple[State, bool]]:
    """After the move, or the two of Artemis: the state, and whether the worker climbed."""
    start = state.workers[state.seat][worker]
    for after, climbed in moves(state, worker):
        yield after, climbed
        if state.god == "artemis" and after.winner < 0:
            for further, more in moves(after, worker):
                if further.workers[state.seat][worker] != start:
                    yield further, climbed or more


def moves(state: State, worker: int) -> Iterator[tuple[State, bool]]:
    seat = state.seat
    frm = state.workers[seat][worker]
    for to in neighbours(frm):
        rise = state.heights[to] - state.heights[frm]
        banned = any(ban for other, ban in enumerate(state.bans) if other != seat)
        if state.domes[to] or rise > 1 or (rise == 1 and banned):
            continue
        after = state.copy()
        if state.taken(to) and not displace(after, frm, to):
            continue
        after.workers[seat][worker] = to
        if (rise == 1 and state.heights[to] == 3) or (state.god == "pan" and rise <= -2):
            after.winner = seat
        yield after, rise == 1


def displace(state: State, frm: int, to: int) -> bool:
    """Put the foe on `to` elsewhere, if the mover's god can."""
    if to in state.workers[state.seat]:
        return False
    if state.god == "apollo":
        away: int | None = frm
    elif state.god == "minotaur":
        away = straight_on(frm, to)
        if away is None or state.domes[away] or state.taken(away):
            return False
    else:
        return False
    for squares in state.workers:
        if to in squares:
            squares[squares.index(to)] = away if away is not None else -1
    return True


def builds(state: State, by: int) -> Iterator[tuple[State, int]]:
    """After one build of the worker on `by`: the state, and where it was."""
    for at in neighbours(by):
        if state.domes[at] or state.taken(at):
            continue
        if state.heights[at] < 3:
            after = state.copy()
            after.heights[at] += 1
            yield after, at
        if state.heights[at] == 3 or state.god == "atlas":
            after = state.copy()
            after.domes[at] = True
            yield after, at


def finished(state: State, worker: int, climbed: bool) -> Iterator[State]:
    """After the build, or the two of Demeter and Hephaestus, the turn is over."""
    by = state.workers[state.seat][worker]
    for after, at in builds(state, by):
        yield over(after, climbed)
        if state.god == "demeter":
            for more, other in builds(after, by):
                if other != at:
                    yield over(more, climbed)
        if state.god == "hephaestus" and not after.domes[at] and after.heights[at] < 3:
            more = after.copy()
            more.heights[at] += 1
            yield over(more, climbed)


def over(state: State, climbed: bool) -> State:
    after = state.copy()
    if after.god == "athena":
        after.bans[after.seat] = climbed
    return after


def two_build_turns(state: State) -> Iterator[State]:
    """Prometheus builds, moves without climbing, and builds again."""
    for worker, by in enumerate(state.workers[state.seat]):
        for built, _ in builds(state, by):
            for moved, climbed in moves(built, worker):
                if not climbed:
                    yield from finished(moved, worker, climbed)


def stroll_turns(state: State) -> Iterator[State]:
    """Hermes's workers walk on their own level as far as they like, also not at all; then either builds."""
    waiting, seen = [state], {state.key()}
    while waiting:
        here = waiting.pop()
        for worker, frm in enumerate(here.workers[here.seat]):
            yield from finished(here, worker, climbed=False)
            for to in neighbours(frm):
                if not here.domes[to] and not here.taken(to) and here.heights[to] == here.heights[frm]:
                    after = here.copy()
                    after.workers[here.seat][worker] = to
                    if after.key() not in seen:
                        seen.add(after.key())
                        waiting.append(after)
