"""Step 2 of a turn: mother nature, influence, towers and unified islands.

Mother nature walks clockwise, a group counting as one island, at least one step and at most what the card allows.
Where she ends, the island is resolved (rules 1.3): a no-entry tile goes back instead, if there is one; or else the side
that alone has the most influence puts its towers there.  Placing the last tower wins at once; three groups or fewer
end the match at once.  The Herald resolves an island without her.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from msgspec.structs import replace

from boardwire.games.eriantys.actions import Action, Choices, MoveMotherNature
from boardwire.games.eriantys.events import (
    EntryDenied,
    Event,
    Events,
    IslandResolved,
    IslandsUnified,
    MotherNatureMoved,
    TowersPlaced,
    TowersReturned,
)
from boardwire.games.eriantys.options import Character
from boardwire.games.eriantys.piles import FIELD, PILE, SHIFTS, WIDTH
from boardwire.games.eriantys.planning import reach
from boardwire.games.eriantys.position import ONLY, Kind, Position, Stage, owner
from boardwire.games.eriantys.ring import ring
from boardwire.games.eriantys.turns import ISLANDS, TOWERS, leaders, over, players_of, sides_left
from boardwire.games.game import Decision, Illegal, Outcome, Seat

FEWEST: Final = 3
"""With so many groups, or fewer, the match ends."""

_WALKS: Final = tuple(MoveMotherNature(steps) for steps in range(8))
_NATURE: Final = Stage.NATURE


def limit(position: Position) -> int:
    """The most steps the seat whose turn it is may make."""
    steps = reach(position.plan.cards[position.seat])
    expert = position.expert
    return steps + 2 if expert is not None and expert.active is Character.POSTMAN else steps


@cache
def _decision(seat: Seat, steps: int) -> Decision[Action]:
    return Decision(Kind.STEPS, ONLY[seat], _WALKS[1 : steps + 1])


def ask(position: Position, more: Choices | None) -> Decision[Action]:
    """How many steps?"""
    steps = limit(position)
    if more is None:
        return _decision(position.seat, steps)
    return Decision(Kind.STEPS, ONLY[position.seat], Choices(_WALKS[1 : steps + 1], more=more))


def walk(position: Position, seat: Seat, action: MoveMotherNature) -> tuple[Position, Events]:
    """Move mother nature and resolve the island she ends on.  The turn goes on from there."""
    if position.stage is not _NATURE:
        raise Illegal("mother nature moves after your students, once a turn")
    most = limit(position)
    if not 1 <= action.steps <= most:
        raise Illegal(f"mother nature may move 1 to {most} steps, not {action.steps}")
    ring = position.ring
    start = ring.head(position.mother)
    island = ring.ahead(start, action.steps)
    position, events = resolve(replace(position, mother=island), island)
    return position, (MotherNatureMoved(seat, action.steps, start, island), *events)


def influence(position: Position, island: int) -> list[int]:
    """The influence of each side on the group that `island` heads."""
    terms = position.terms
    sides = terms.sides
    found = [0] * len(terms.teams)
    students = position.islands >> WIDTH * island & PILE
    expert = position.expert
    if expert is not None and expert.ignored is not None:
        students &= ~(FIELD << SHIFTS[expert.ignored])
    for holder, shift in zip(position.professors, SHIFTS, strict=True):
        if holder >= 0:
            found[sides[holder]] += students >> shift & FIELD
    active = None if expert is None else expert.active
    if active is not Character.CENTAUR:
        for side, tiles in enumerate(position.towers):
            if tiles >> island & 1:
                found[side] += position.ring.masks[position.ring.groups[island]].bit_count()
    if active is Character.KNIGHT:
        found[sides[position.seat]] += 2
    return found


def resolve(position: Position, island: int) -> tuple[Position, Events]:
    """Decide who owns the group that `island` heads."""
    expert = position.expert
    if expert is not None and expert.no_entry[island]:
        return _deny(position, island), (EntryDenied(island),)
    found = influence(position, island)
    most = max(found)
    before = owner(position, island)
    best = found.index(most)
    if best == before or found.count(most) > 1:
        return position, (IslandResolved(island, tuple(found), before, before),)
    position, events = _conquer(position, island, before, best)
    return position, (IslandResolved(island, tuple(found), before, best), *events)


def _deny(position: Position, island: int) -> Position:
    """One no-entry tile goes back to Grandma's card (rules 2: one per visit)."""
    expert = position.expert
    assert expert is not None
    tiles = list(expert.no_entry)
    tiles[island] -= 1
    cards = tuple(
        replace(card, no_entry=card.no_entry + 1) if card.character is Character.GRANDMA else card
        for card in expert.cards
    )
    return replace(position, expert=replace(expert, no_entry=tuple(tiles), cards=cards))


def _conquer(position: Position, island: int, before: int | None, side: int) -> tuple[Position, Events]:
    """`side` puts its towers on the group; it may win, unify islands or end the match by that."""
    ring = position.ring
    tiles = ring.tiles[ring.groups[island]]
    towers = list(position.towers)
    events: list[Event] = []
    if before is not None:
        towers[before] &= ~ring.masks[ring.groups[island]]
        events.append(TowersReturned(before, island, len(tiles)))
    stock = position.terms.towers - towers[side].bit_count()
    # Too few towers for the group: all that are left (rules 2).
    placed = tiles[:stock]
    for tile in placed:
        towers[side] |= 1 << tile
    left = stock - len(placed)
    events.append(TowersPlaced(side, island, len(placed), left))
    position = replace(position, towers=tuple(towers))
    if not left:
        return _end(position, TOWERS, side, events)
    position = _unify(position, island, towers[side], events)
    if len(position.ring.heads) <= FEWEST:
        return _end(position, ISLANDS, None, events)
    return position, tuple(events)


def _end(position: Position, termination: str, side: int | None, events: list[Event]) -> tuple[Position, Events]:
    """The match ends at once.  A side that is gone cannot win, though its last tower ends the match too."""
    sides = leaders(position) if side is None or side not in sides_left(position) else (side,)
    position, told = over(position, Outcome(termination, players_of(position, sides)))
    return position, (*events, *told)


def _unify(position: Position, island: int, tiles: int, events: list[Event]) -> Position:
    """Join the group with the neighbours, clockwise and counter-clockwise, that carry towers of the same side."""
    clockwise = position.ring.ahead(island, 1)
    if tiles >> clockwise & 1:
        position = _join(position, island, clockwise, events)
    counter = position.ring.ahead(island, -1)
    if tiles >> counter & 1:
        position = _join(position, counter, island, events)
    return position


def _join(position: Position, head: int, joined: int, events: list[Event]) -> Position:
    """The group of `joined` becomes the clockwise end of the group of `head`, with students and no-entry tiles."""
    merged = ring(position.ring.bits & ~(1 << joined))
    students = position.islands >> WIDTH * joined & PILE
    islands = position.islands - (students << WIDTH * joined) + (students << WIDTH * head)
    expert = position.expert
    if expert is not None and expert.no_entry[joined]:
        no_entry = list(expert.no_entry)
        no_entry[head] += no_entry[joined]
        no_entry[joined] = 0
        expert = replace(expert, no_entry=tuple(no_entry))
    events.append(IslandsUnified(head, joined, merged.tiles[merged.groups[head]]))
    return replace(position, ring=merged, islands=islands, expert=expert)
