"""The search for Eriantys: compares whole turns by playing out the replies.

- **A turn** is found by beam search: after each step only the most promising states are kept. Until mother nature has
  walked, a state is evaluated after her best walk. Characters are tried where they can matter: those that change the
  entrance before the first student, all of them before she walks, those with lasting effects also after it. Cheap turns
  are generated first, in case the nodes run out.
- **Replies**: the most promising turns are played out until every other seat has had a turn. The simulated players
  choose greedily; draws are random. All candidates get the same draws; the worst third is dropped from time to time.
- **Assistants**: each card is played out to the end of the round with random cards of the others; if one rival answers
  the card, its better answers have more weight.

A node is an evaluated state. The search ends when the nodes are used up or `stop` returns true; the best turn so far is
the result. The hidden order of the bag is drawn from a random source of the search.
"""

from __future__ import annotations

from collections.abc import Callable
from math import exp
from typing import TYPE_CHECKING, Final

from boardwire.bots.eriantys.core.evaluation import ROUNDS, Features, chance, rounds_left, weights_for_round
from boardwire.bots.eriantys.core.slots import (
    ACTIVE,
    BAG,
    CENTAUR,
    CLOUD_FIRST,
    CLOUDS,
    DONE,
    EXPERT,
    FINISH,
    JESTER,
    KNIGHT,
    LEFT,
    MINSTREL,
    MONK,
    MOTHER,
    MOVES,
    MUSHROOM,
    NATURE,
    NO_ENTRY,
    OVER,
    OWNER,
    PLAN,
    POSTMAN,
    REFILL,
    RESTOCK,
    ROUND,
    SEAT,
    SEATS,
    SIDE,
    SIDES,
    STAGE,
    STUDENTS,
    SWAP,
    TAKE,
    TO_ISLAND,
    USE,
    WINNERS,
    head_of,
    next_head,
    reach,
    taker,
)
from boardwire.bots.eriantys.core.steps import legal, missing, play, refill, resolve, restock

if TYPE_CHECKING:
    from mypy_extensions import i64

_STOP_CHECK_MASK: Final = 63
"""`stop` is called when the node count has none of these bits."""
_WALK_CHARACTERS: Final = (POSTMAN, CENTAUR, KNIGHT, MUSHROOM)
"""Characters without effect once mother nature has walked."""
_CHARACTER_STATES: Final = 3
"""States of a beam on which characters are tried."""
_WIDEST: Final = 10
_MAX_PLAYOUTS: Final = 400
"""Maximum number of playouts of an assistant or a turn."""
_MAX_PHASE_NODES: Final = 15_000
"""Maximum number of nodes before the worst candidates are dropped, for searches limited only in seconds."""
_MIN_PLAYOUTS: Final = 4
"""Minimum number of playouts of an assistant with which their mean replaces the order of `_reach_first`."""
_CAREFUL_NODES: Final = 2_000
"""Minimum node limit with which playouts of assistants evaluate every step."""
_EVALUATION_WEIGHT: Final = 3
"""Number of playouts to which the evaluation of a turn is equivalent."""
_SOON: Final = 6
_DROP_MARGIN: Final = 0.12
"""Candidates worse than the best one by this margin after `_SOON` rounds of playouts are dropped."""
_WHOLE_ROUND: Final = 99
"""More turns than a round has."""
_MAX_STEPS: Final = 48
"""More steps than a turn can have: students, swaps, a character, a walk and a cloud."""
_MAX_SWAPS: Final = 4
"""More swaps than a character allows."""
_MAX_STAGES: Final = 1_000
"""More stages (refills, assistants, turns) than a playout has."""
_ANSWER_SHARPNESS: Final = 12.0
"""Weight of a rival's better answers to an assistant relative to its worse ones, as an exponent."""


class Turn:
    """A whole turn: its steps, the state after it, and its evaluation."""

    def __init__(self, promise: float, state: list[int], steps: list[int]) -> None:
        self.promise = promise
        self.state = state
        self.steps = steps
        self.total = 0.0
        self.latest = 0.0
        self.tries = 0

    def value(self) -> float:
        """Return the mean of the playouts or, without any, the evaluation."""
        return self.total / self.tries if self.tries else self.promise

    def rank(self) -> float:
        """Return the mean of playouts and evaluation, for comparing turns with the same number of playouts."""
        return (self.total + _EVALUATION_WEIGHT * self.promise) / (self.tries + _EVALUATION_WEIGHT)


class Search:
    """One search for one seat, `seat` of the root state."""

    def __init__(
        self, weights: list[float], nodes: int, depth: int, stop: Callable[[], bool], below: Callable[[int], int]
    ) -> None:
        self._weights_by_round: list[list[i64]] = [weights_for_round(weights, left) for left in range(ROUNDS)]
        self._features = Features()
        self._max_nodes = nodes
        self._depth = depth
        self._stop = stop
        self._seed = below(1 << 30)
        self._random_state = self._seed
        self._exhausted = False
        self.nodes = 0
        self.rounds = 0

    # --- evaluation ---------------------------------------------------------------------------------------------

    def worth(self, state: list[int], side: int) -> float:
        """Return the chance of a side to win."""
        if self._exhausted:
            return 0.0
        self.nodes += 1
        if self.nodes >= self._max_nodes or (self.nodes & _STOP_CHECK_MASK == 0 and self._stop()):
            self._exhausted = True
        return chance(state, side, self._weights_by_round[rounds_left(state)], self._features)

    def promise(self, state: list[int], side: int) -> float:
        """Return the chance of a side to win, after mother nature's best walk if she has still to walk in this turn."""
        stage = state[STAGE]
        if stage < CLOUD_FIRST or (stage >= CLOUDS and stage != SWAP):
            return self.worth(state, side)
        best = -1.0
        still = False
        head = head_of(state, state[MOTHER])
        for _ in range(reach(state, state[SEAT])):
            head = next_head(state, head)
            if state[NO_ENTRY + head] == 0:
                owner = taker(state, head)
                if owner >= 0 and owner != state[OWNER + head] - 1:
                    after = state[:]
                    after[MOTHER] = head
                    resolve(after, head)
                    value = self.worth(after, side)
                    if value > best:
                        best = value
                    continue
            still = True
        if still:
            value = self.worth(state, side)
            if value > best:
                best = value
        return best

    # --- a turn ---------------------------------------------------------------------------------------------------

    def turns(self, state: list[int], width: int, allowed: list[int]) -> list[Turn]:
        """Return whole turns of the seat to act, most promising first, by beam search.

        `width` is the beam's size, `allowed` are the possible first steps.
        """
        seat = state[SEAT]
        side = state[SIDE + seat]
        pool = [Turn(0.0, state, [])]
        if state[STAGE] == SWAP:
            pool = self._turns_with_swaps(pool[0], seat, side, allowed)
        cheap = self._cheap_turns(state, seat, side, allowed)
        finished: list[Turn] = []
        for _ in range(_MAX_STEPS):
            if not pool:
                break
            self._widen(pool, seat, side, width, allowed, [])
            found: dict[tuple[int, ...], Turn] = {}
            for turn in pool:
                first = not turn.steps
                if turn.state[SEAT] != seat or _is_over(turn.state, seat):
                    finished.append(turn)
                    continue
                for action in legal(turn.state):
                    kind = action >> 12
                    if kind == USE or (kind == TAKE and turn.state[STAGE] == STUDENTS):
                        continue
                    if first and action not in allowed:
                        continue
                    steps = [*turn.steps, action]
                    key = _outline(steps)
                    if key in found:
                        continue
                    after = turn.state[:]
                    play(after, action)
                    found[key] = Turn(self.promise(after, side), after, steps)
            pool = []
            for turn in sorted(found.values(), key=_by_promise, reverse=True):
                if _is_over(turn.state, seat):
                    finished.append(turn)
                elif len(pool) < width:
                    pool.append(turn)
        known = {_outline(turn.steps) for turn in finished}
        finished += [turn for turn in cheap if _outline(turn.steps) not in known]
        finished.sort(key=_by_promise, reverse=True)
        return finished

    def _cheap_turns(self, state: list[int], seat: int, side: int, allowed: list[int]) -> list[Turn]:
        """Return cheaply generated turns, in case the nodes run out before the beam has finished one."""
        found: list[Turn] = []
        for careful in (False, True):
            after = state[:]
            steps: list[int] = []
            self.quick_turn(after, careful, steps)
            promise = self.worth(after, side)
            if not self._exhausted and steps and steps[0] in allowed and _is_over(after, seat):
                found.append(Turn(promise, after, steps))
        return found

    def _widen(self, pool: list[Turn], seat: int, side: int, width: int, allowed: list[int], near: list[int]) -> None:
        """Add the states after characters, and after clouds taken early, to a beam.

        If `near` islands are given, the Monk goes only to those.
        """
        more: list[Turn] = []
        for turn in pool[:_CHARACTER_STATES]:
            state = turn.state
            stage = state[STAGE]
            fresh = stage == STUDENTS and state[LEFT] == state[MOVES]
            if not fresh and not (state[EXPERT] and state[ACTIVE] < 0 and (stage != STUDENTS or not turn.steps)):
                continue
            for action in legal(state):
                kind = action >> 12
                character = action >> 8 & 15
                if kind == USE:
                    if (stage in (STUDENTS, CLOUD_FIRST)) and character != JESTER and character != MINSTREL:
                        continue
                    if stage >= CLOUDS and character in _WALK_CHARACTERS:
                        continue
                    if near and character == MONK and (action & 15) not in near:
                        continue
                elif kind != TAKE or stage != STUDENTS:
                    continue
                if not turn.steps and action not in allowed:
                    continue
                more += self._turns_after_use(turn, action, seat, side)
        if more:
            more.sort(key=_by_promise, reverse=True)
            pool += more[: max(1, width // 2)]

    def _turns_after_use(self, turn: Turn, action: int, seat: int, side: int) -> list[Turn]:
        """Return the turns after a character is used or a cloud is taken early."""
        after = turn.state[:]
        play(after, action)
        steps = [*turn.steps, action]
        if after[STAGE] == RESTOCK:
            restock(after, self._random_colour(after))
        used = Turn(self.promise(after, side), after, steps)
        return self._turns_with_swaps(used, seat, side, []) if after[STAGE] == SWAP else [used]

    def _turns_with_swaps(self, turn: Turn, seat: int, side: int, allowed: list[int]) -> list[Turn]:
        """Return the best turns with and without further swaps."""
        found: list[Turn] = []
        current = turn
        for _ in range(_MAX_SWAPS):
            if current.state[STAGE] != SWAP:
                break
            best: Turn | None = None
            for action in legal(current.state):
                if allowed and not current.steps and action not in allowed:
                    continue
                if action >> 12 == DONE or action >> 8 & 15 != action >> 4 & 15:
                    after = current.state[:]
                    play(after, action)
                    swapped = Turn(self.promise(after, side), after, [*current.steps, action])
                    if action >> 12 == DONE:
                        found.append(swapped)
                    elif best is None or swapped.promise > best.promise:
                        best = swapped
            if best is None:
                break
            current = best
        if current.state[STAGE] != SWAP:
            found.append(current)
        return found

    # --- other seats and draws -------------------------------------------------------------------------------------

    def _random_below(self, count: int) -> int:
        """Return a pseudo-random number below `count`; the sequence is fixed, so that searches can be repeated."""
        self._random_state = (self._random_state * 1103515245 + 12345) & 0x3FFFFFFF
        return (self._random_state >> 8) % max(1, count)

    def _random_colour(self, state: list[int]) -> int:
        """Return the colour of a random student in the bag, which stays there."""
        size = state[BAG] + state[BAG + 1] + state[BAG + 2] + state[BAG + 3] + state[BAG + 4]
        number = self._random_below(size)
        for colour in range(4):
            if number < state[BAG + colour]:
                return colour
            number -= state[BAG + colour]
        return 4

    def _refill_clouds(self, state: list[int]) -> None:
        """Refill the clouds with random students from the bag."""
        bag = state[BAG : BAG + 5]
        dealt: list[int] = []
        for wanted in missing(state):
            counts = [0] * 5
            for _ in range(wanted):
                colour = self._random_colour(state)
                state[BAG + colour] -= 1
                counts[colour] += 1
            dealt += counts
        state[BAG : BAG + 5] = bag  # `refill` takes the students from it
        refill(state, dealt)

    def quick_turn(self, state: list[int], careful: bool, steps: list[int]) -> None:
        """Play the turn of the seat to act greedily and record the steps.

        Unless `careful`, all students are judged once and sent to the best places without another look after each.
        """
        seat = state[SEAT]
        side = state[SIDE + seat]
        for _ in range(_MAX_STEPS):
            if _is_over(state, seat):
                return
            if state[STAGE] == STUDENTS and not careful:
                self._move_students(state, side, steps)
                if state[STAGE] == STUDENTS:
                    return  # no student is left to move
                continue
            if state[STAGE] == NATURE and state[EXPERT] and state[ACTIVE] < 0 and careful:
                pool = [Turn(self.promise(state, side), state, [])]
                self._widen(pool, seat, side, 2, legal(state), _islands_in_reach(state))
                if pool[-1].promise > pool[0].promise:
                    state[:] = pool[-1].state
                    steps += pool[-1].steps
                    continue
            best = -1
            most = -1.0
            after = state
            for action in self._quick_steps(state):
                tried = state[:]
                play(tried, action)
                value = self.promise(tried, side)
                if value > most:
                    best, most, after = action, value, tried
            if best < 0:
                return
            state[:] = after
            steps.append(best)

    def _move_students(self, state: list[int], side: int, steps: list[int]) -> None:
        """Move all students of a turn, each to the place that was best before the first was moved."""
        ranked: list[tuple[float, int]] = []
        for action in self._quick_steps(state):
            tried = state[:]
            play(tried, action)
            ranked.append((self.promise(tried, side), action))
        ranked.sort(reverse=True)
        for _ in range(_MAX_STEPS):
            open_now = legal(state)
            if state[STAGE] != STUDENTS or not open_now:
                return
            chosen = open_now[0]
            for _, action in ranked:
                if action in open_now:
                    chosen = action
                    break
            play(state, chosen)
            steps.append(chosen)

    def _quick_steps(self, state: list[int]) -> list[int]:
        """Return the steps that a quick turn considers: no characters, and only islands within reach."""
        stage = state[STAGE]
        near = _islands_in_reach(state) if stage == STUDENTS else []
        found: list[int] = []
        for action in legal(state):
            kind = action >> 12
            if kind == USE or (kind == TAKE and stage == STUDENTS):
                continue
            if kind == TO_ISLAND and (action >> 4 & 15) not in near:
                continue
            found.append(action)
        return found

    def play_on(self, state: list[int], turns: int, rounds: int, careful: bool) -> None:
        """Play all seats until `turns` turns are over or round `rounds` begins."""
        for _ in range(_MAX_STAGES):
            stage = state[STAGE]
            if stage == OVER or self._exhausted:
                return
            if stage == REFILL:
                self._refill_clouds(state)
            elif stage == PLAN:
                if turns <= 0 or state[ROUND] >= rounds:
                    return
                cards = legal(state)
                if not cards:
                    return  # the hand is unknown
                play(state, cards[self._random_below(len(cards))])
            else:
                if turns <= 0:
                    return
                self.quick_turn(state, careful, [])
                turns -= 1

    # --- decisions -------------------------------------------------------------------------------------------------

    def best_turn(self, state: list[int], allowed: list[int]) -> Turn:
        """Return the turn with the best value after the replies; without steps if none can be finished."""
        side = state[SIDE + state[SEAT]]
        width = max(2, min(_WIDEST, self._max_nodes // 600))
        found = self.turns(state, width, allowed)
        if not found:
            return Turn(0.0, state, [])
        alive = found[:width]
        if self._depth == 1 or self._exhausted or len(alive) == 1 or found[0].state[STAGE] == OVER:
            return found[0]
        horizon = state[SEATS] - 1
        phase = self._phase_nodes(len(alive))
        due = self.nodes + phase
        while not self._exhausted and self.rounds < _MAX_PLAYOUTS and len(alive) > 1:
            self.rounds += 1
            for turn in alive:
                self._random_state = self._seed + 7919 * self.rounds & 0x3FFFFFFF
                after = turn.state[:]
                self.play_on(after, horizon, _WHOLE_ROUND, True)
                value = self.worth(after, side)
                if self._exhausted:
                    break
                turn.latest = value
                turn.total += value
                turn.tries += 1
            if self.rounds % 2 == 0 and self.nodes >= due:
                due += phase
                alive.sort(key=_by_rank, reverse=True)
                kept = max(2, (2 * len(alive) + 2) // 3)
                alive = [
                    turn for turn in alive[:kept] if self.rounds < _SOON or alive[0].rank() - turn.rank() < _DROP_MARGIN
                ]
        fewest = min(turn.tries for turn in alive)
        for turn in alive:
            if turn.tries > fewest:  # the last round was interrupted: others have no result with these draws
                turn.total -= turn.latest
                turn.tries -= 1
        return max(alive, key=_by_rank)

    def _phase_nodes(self, count: int) -> int:
        """Return the nodes for each phase, if the worst third of `count` is dropped after each until two are left."""
        phases = 1
        while count > 2:
            count = (2 * count + 2) // 3
            phases += 1
        return min(_MAX_PHASE_NODES, max(0, self._max_nodes - self.nodes) // phases)

    def best_card(self, state: list[int], allowed: list[int]) -> Turn:
        """Return the assistant with the best value at the end of the round."""
        side = state[SIDE + state[SEAT]]
        alive = [Card(action) for action in sorted(allowed, key=_reach_first)]
        first = best = alive[0]
        phase = self._phase_nodes(len(alive))
        due = self.nodes + phase
        while not self._exhausted and self.rounds < _MAX_PLAYOUTS and len(alive) > 1:
            self.rounds += 1
            for card in alive:
                self._random_state = self._seed + 7919 * self.rounds & 0x3FFFFFFF
                after = state[:]
                play(after, card.action)
                answer = 0
                if after[STAGE] == PLAN and state[SIDES] == 2 and state[SIDE + after[SEAT]] != side:
                    replies = legal(after)
                    if replies:
                        answer = replies[self.rounds % len(replies)]
                        play(after, answer)
                self.play_on(after, _WHOLE_ROUND, state[ROUND] + 1, self._max_nodes >= _CAREFUL_NODES)
                value = self.worth(after, side)
                if self._exhausted:
                    break
                card.answers.setdefault(answer, []).append(value)
            if self.rounds == 1 and self._exhausted:
                break  # some cards have not been played out
            best = max(alive, key=_by_answers)
            if self.rounds % 4 == 0 and len(alive) > 2 and self.nodes >= due:
                due += phase
                alive.sort(key=_by_answers, reverse=True)
                alive = alive[: (2 * len(alive) + 2) // 3]
        if self.rounds < _MIN_PLAYOUTS:
            best = first
        return Turn(best.value(), state, [best.action])


class Card:
    """An assistant that may be played, and its results by the answer of the next seat."""

    def __init__(self, action: int) -> None:
        self.action = action
        self.answers: dict[int, list[float]] = {}

    def value(self) -> float:
        """Return the mean of the answers, weighted towards those that the rival prefers."""
        total = 0.0
        weight = 0.0
        for values in self.answers.values():
            mean = sum(values) / len(values)
            share = exp(-_ANSWER_SHARPNESS * mean)
            total += share * mean
            weight += share
        return total / weight if weight else 0.0


def _reach_first(action: int) -> int:
    """Sort key of cards by default: most steps of mother nature first, then the earlier card."""
    card = action >> 8 & 15
    return card - (card + 1) // 2 * 10


def _by_answers(card: Card) -> float:
    return card.value()


def _outline(steps: list[int]) -> tuple[int, ...]:
    """Return a key that ignores the order in which students are moved, which does not change the result."""
    students = [action for action in steps if action >> 12 <= TO_ISLAND]
    students.sort()
    return tuple(students + [action for action in steps if action >> 12 > TO_ISLAND])


def _by_promise(turn: Turn) -> float:
    return turn.promise


def _by_rank(turn: Turn) -> float:
    return turn.rank()


def _islands_in_reach(state: list[int]) -> list[int]:
    """Return the islands that mother nature can reach in this turn."""
    found: list[int] = []
    head = head_of(state, state[MOTHER])
    for _ in range(reach(state, state[SEAT])):
        head = next_head(state, head)
        found.append(head)
    return found


def _is_over(state: list[int], seat: int) -> bool:
    """Return whether the turn of a seat is over."""
    stage = state[STAGE]
    return state[SEAT] != seat or stage < CLOUD_FIRST or stage > FINISH


def wins(state: list[int], side: int) -> bool:
    """Return whether the match is over and this side alone won it."""
    return state[STAGE] == OVER and state[WINNERS] == 1 << side and state[SIDES] > 1
