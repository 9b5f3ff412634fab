"""Step 2 of a turn: mother nature, influence, towers and unified islands.

- Mother nature walks clockwise, at least one step and at most as many as the card allows; a group is one island.
- The island where she stops is resolved [2]: a no-entry tile there is returned instead; otherwise the side with
  strictly the most influence puts its towers there.
- Placing the last tower wins at once; three groups or fewer end the match at once.
- The Herald resolves an island without her.
"""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from boardwire.errors import Illegal
from boardwire.games.eriantys.actions import Action, Choices, MoveMotherNature
from boardwire.games.eriantys.characters import offers
from boardwire.games.eriantys.clouds import end_or_ask
from boardwire.games.eriantys.events import (
    EntryDenied,
    Event,
    IslandResolved,
    IslandsUnified,
    MotherNatureMoved,
    Termination,
    TowersPlaced,
    TowersReturned,
)
from boardwire.games.eriantys.options import Character
from boardwire.games.eriantys.parts import Expert
from boardwire.games.eriantys.phases import Phase
from boardwire.games.eriantys.piles import BITS, FIELD, PILE, SHIFTS
from boardwire.games.eriantys.places import AT, ISLAND, ISLAND_SHIFT
from boardwire.games.eriantys.planning import POSTMAN_STEPS, REACH
from boardwire.games.eriantys.position import Position, Step, changed
from boardwire.games.eriantys.ring import ring_of
from boardwire.games.eriantys.stages import ONLY, Kind, Rule, Stage
from boardwire.games.eriantys.turns import leaders, over, players_of, sides_left
from boardwire.games.game import Decision

FINAL_GROUP_COUNT: Final = 3
"""The match ends with this many groups or fewer."""

_WALKS: Final = tuple(MoveMotherNature(steps) for steps in range(8))
_DECISIONS: Final[tuple[tuple[Decision[Action], ...], ...]] = tuple(
    tuple(Decision(Kind.STEPS, only, _WALKS[1 : steps + 1]) for steps in range(8)) for only in ONLY
)
_NATURE: Final = Stage.NATURE
_POSTMAN: Final = Character.POSTMAN
_CENTAUR: Final = Character.CENTAUR
_KNIGHT: Final = Character.KNIGHT
_GRANDMA: Final = Character.GRANDMA


def max_steps(position: Position) -> int:
    """Return the maximum number of steps for the seat to move."""
    steps = REACH[position.plan.cards[position.phase.seat]]
    expert = position.expert
    return steps + POSTMAN_STEPS if expert is not None and expert.active is _POSTMAN else steps


def ask(position: Position) -> Decision[Action]:
    """Return the decision on mother nature's steps."""
    seat = position.phase.seat
    if position.expert is None:
        return _DECISIONS[seat][REACH[position.plan.cards[seat]]]
    steps = max_steps(position)
    more = offers(position)
    if more is None:
        return _DECISIONS[seat][steps]
    return Decision(Kind.STEPS, ONLY[seat], Choices(_WALKS[1 : steps + 1], more=more))


def count_range(most: int, noun: str) -> str:
    """Format a range from 1: `1 step`, `1 to 3 steps`."""
    return f"1 {noun}" if most == 1 else f"1 to {most} {noun}s"


def walk(position: Position, phase: Phase, action: MoveMotherNature) -> Step:
    """Move mother nature, resolve the island where she stops, and continue the turn."""
    if phase.stage is not _NATURE:
        raise Illegal("mother nature moves once a turn, after your students").by(Rule.NOT_NOW)
    seat, steps = phase.seat, action.steps
    most = REACH[position.plan.cards[seat]] if position.expert is None else max_steps(position)
    if not 0 < steps <= most:
        raise Illegal(f"mother nature may move {count_range(most, 'step')}, not {steps}").by(Rule.FAR, most=most)
    ring = position.ring
    group = ring.groups[position.mother]
    island = ring.path[group + steps]
    moved = MotherNatureMoved(seat, steps, ring.heads[group], island)
    if not phase.took and not position.ending.clouds_closed:
        return resolve(position, island, island, phase.walked, moved)
    position, events = resolve(position, island, island, phase.walked, moved)
    return end_or_ask(position, events) if position.phase is phase.walked else (position, events)


def influence(position: Position, island: int) -> list[int]:
    """Return the influence of each side on the group that `island` heads."""
    students = position.students >> ISLAND_SHIFT[island] & PILE
    expert = position.expert
    if expert is not None and expert.ignored is not None:
        students &= ~(FIELD << SHIFTS[expert.ignored])
    shifted = students >> BITS
    influence_masks = position.professors.influence_masks
    # Counted as in `piles.size`. Two sides are written out, because a loop takes twice as long.
    if len(influence_masks) == 2:
        (even, odd), (even2, odd2) = influence_masks
        totals = [
            ((students & even) + (shifted & odd)) % 4095,
            ((students & even2) + (shifted & odd2)) % 4095,
        ]
    else:
        totals = [((students & even) + (shifted & odd)) % 4095 for even, odd in influence_masks]
    side = position.owners >> 2 * island & 3
    if side and (expert is None or expert.active is not _CENTAUR):
        totals[side - 1] += len(position.ring.tiles[position.ring.groups[island]])
    if expert is not None and expert.active is _KNIGHT:
        totals[position.terms.sides[expert.user]] += 2
    return totals


def resolve(position: Position, island: int, mother: int, phase: Phase, cause: Event) -> Step:
    """Decide which side owns the group of `island`; `cause` is the event that led to it.

    In the new position mother nature is on `mother`, and the phase is `phase`.
    """
    expert = position.expert
    if expert is not None and expert.no_entry[island]:
        denied = changed(position, phase=phase, mother=mother, expert=_return_no_entry(expert, island))
        return denied, (cause, EntryDenied(island))
    totals = influence(position, island)
    owner_code = position.owners >> 2 * island & 3
    before = owner_code - 1 if owner_code else None
    strongest = _strongest(totals)
    if strongest is None or strongest == before:
        unchanged = IslandResolved(island, tuple(totals), before, before)
        return changed(position, phase=phase, mother=mother), (cause, unchanged)
    events = [cause, IslandResolved(island, tuple(totals), before, strongest)]
    owners, towers = _raise_towers(position, island, before, strongest, events)
    conquered = changed(position, phase=phase, mother=mother, owners=owners, towers=towers)
    if towers[strongest]:
        return _unify_neighbours(conquered, island, strongest, events)
    return _end_match(conquered, Termination.TOWERS, strongest, events)


def _strongest(totals: list[int]) -> int | None:
    """Return the side with strictly the most influence, or None."""
    if len(totals) == 2:
        first, second = totals
        return None if first == second else 0 if first > second else 1
    most = max(totals)
    return totals.index(most) if totals.count(most) == 1 else None


def _unify_neighbours(position: Position, island: int, side: int, events: list[Event]) -> Step:
    """Unify a group that `side` has just won with its neighbours of the same side; end the match if few are left."""
    ring, owners = position.ring, position.owners
    heads = ring.heads
    group = ring.groups[island]
    clockwise, counterclockwise = heads[group + 1 - len(heads)], heads[group - 1]
    if owners >> 2 * clockwise & 3 == side + 1:
        position = _join_groups(position, island, clockwise, events)
    if owners >> 2 * counterclockwise & 3 == side + 1:
        position = _join_groups(position, counterclockwise, island, events)
    if len(position.ring.heads) <= FINAL_GROUP_COUNT:
        return _end_match(position, Termination.ISLANDS, None, events)
    return position, tuple(events)


def _return_no_entry(expert: Expert, island: int) -> Expert:
    """Return one no-entry tile to Grandma's card [5.9]."""
    tiles = list(expert.no_entry)
    tiles[island] -= 1
    cards = tuple(
        replace(card, no_entry=card.no_entry + 1) if card.character is _GRANDMA else card for card in expert.cards
    )
    return replace(expert, no_entry=tuple(tiles), cards=cards)


def _raise_towers(
    position: Position, island: int, before: int | None, side: int, events: list[Event]
) -> tuple[int, tuple[int, ...]]:
    """Replace the towers on a group by those of `side`; return the owners of all tiles and the towers not placed.

    `before` is the side of the present towers, None if there are none.
    """
    ring = position.ring
    group = ring.groups[island]
    pairs = ring.pairs[group]
    count = len(ring.tiles[group])
    owners = position.owners
    towers = list(position.towers)
    if before is not None:
        owners &= ~(3 * pairs)
        towers[before] += count
        events.append(TowersReturned(before, island, count))
    if count > towers[side]:
        # The side has too few towers for the group, and places all it has [5.14].
        count = towers[side]
        pairs = sum(1 << 2 * tile for tile in ring.tiles[group][:count])
    towers[side] -= count
    events.append(TowersPlaced(side, island, count, towers[side]))
    return owners | (side + 1) * pairs, tuple(towers)


def _join_groups(position: Position, head: int, joined: int, events: list[Event]) -> Position:
    """Join the group of `joined` to the clockwise end of the group of `head`, with students and no-entry tiles."""
    ring = ring_of(position.ring.bits & ~(1 << joined))
    students = position.students
    students += (students >> ISLAND_SHIFT[joined] & PILE) * (AT[ISLAND + head] - AT[ISLAND + joined])
    expert = position.expert
    if expert is not None and expert.no_entry[joined]:
        no_entry = list(expert.no_entry)
        no_entry[head] += no_entry[joined]
        no_entry[joined] = 0
        expert = replace(expert, no_entry=tuple(no_entry))
    events.append(IslandsUnified(head, joined, ring.tiles[ring.groups[head]]))
    return changed(position, ring=ring, students=students, expert=expert)


def _end_match(position: Position, how: Termination, side: int | None, events: list[Event]) -> Step:
    """End the match at once. The last tower of a side that gave up ends the match too, but that side cannot win."""
    sides = leaders(position) if side is None or side not in sides_left(position) else (side,)
    return over(position, how, players_of(position, sides), tuple(events))
