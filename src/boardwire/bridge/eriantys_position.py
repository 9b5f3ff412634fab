"""Build a position of Eriantys from the view of a foreign server.

Used if a server plays by other rules than ours, so that no legal action leads to the board it shows. Rules:

- Everything in the view is copied: students, towers, professors, mother nature, cards, coins, characters.
- The bag has the rest of the 26 students of each colour.
- The open question determines the stage and the player to move, so a position is only built when our client is asked.
- The boards of other players in a view may be stale. If several players show the same professor, the holder in the old
  position keeps it; otherwise our client's own board, which is always current, decides.
- Clouds keep their indices if the contents allow it, because some protocols list only the remaining clouds.
- The result is None if our engine cannot represent the view: not exactly one mother nature, or not twelve tiles.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from boardwire.dialects.dialect import Ask
from boardwire.games.eriantys import Kind, View
from boardwire.games.eriantys.characters import price
from boardwire.games.eriantys.events import Termination
from boardwire.games.eriantys.parts import Card, Ending, Expert
from boardwire.games.eriantys.phases import Phase, phase_of
from boardwire.games.eriantys.piles import Counts, pile
from boardwire.games.eriantys.places import AT, BAG, CLOUD, ENTRANCE, HALL, ISLAND
from boardwire.games.eriantys.plans import HAND_SHIFT, NOBODY, PASSED, Plan, plan_of
from boardwire.games.eriantys.position import Position, changed
from boardwire.games.eriantys.professors import Professors, professors_of
from boardwire.games.eriantys.ring import TILES, ring_of
from boardwire.games.eriantys.stages import Stage
from boardwire.games.eriantys.terms import Terms
from boardwire.games.game import Seat

STUDENTS_PER_COLOUR: Final = 26
"""Number of students of each colour, in the bag and on the islands at the start."""
_FREE: Final = NOBODY
_STAGES: Final = {Kind.ASSISTANT: Stage.PLAN, Kind.STUDENT: Stage.STUDENTS, Kind.STEPS: Stage.NATURE,
                  Kind.CLOUD: Stage.CLOUD}  # fmt: skip


def build(position: Position, view: View, ask: Ask) -> Position | None:
    """Return the position that `view` shows while `ask` is open, or None if our engine cannot represent it.

    `position` is the last known one; it supplies everything that the view does not show.
    """
    terms = position.terms
    seat: Seat = ask.decision.seats[0]
    tiles = [tile for island in view.islands for tile in island.tiles]
    mother_tiles = [island.tiles[0] for island in view.islands if island.mother_nature]
    if len(view.boards) != terms.seats or tiles != list(range(TILES)) or len(mother_tiles) != 1:
        return None
    phase, plan = _phase_of(terms, view, ask, seat), _plan_of(position.plan, view, ask, seat)
    students = _students_of(position, view)
    if phase is None or plan is None or students is None or (position.expert is None) is not (view.supply is None):
        return None
    sides = _our_sides(terms, view)
    towers = [0] * len(terms.teams)
    owners = 0
    for shown_side, side in enumerate(sides):
        towers[side] = max(0, view.sides[shown_side].towers)
    for island in view.islands:
        if island.side is not None:
            owners |= sum((sides[island.side] + 1) << 2 * tile for tile in island.tiles)
    return changed(
        position,
        round=max(1, view.round or position.round),
        plan=plan,
        hands=sum(1 << card + HAND_SHIFT[side] for side, board in enumerate(view.boards) for card in board.hand),
        phase=phase,
        students=students,
        professors=_professors_of(position.professors, view, seat),
        ring=ring_of(sum(1 << island.tiles[0] for island in view.islands)),
        owners=owners,
        towers=tuple(towers),
        mother=mother_tiles[0],
        ending=_ending_of(view),
        expert=None if position.expert is None else _expert_of(position.expert, view),
    )


def agrees(position: Position, view: View, seat: Seat) -> bool:
    """Return whether the professors, and the remaining towers of the player at `seat`, are the same as in the view.

    Our rules derive both from the rest of the board, but not every server does.
    """
    holders = position.professors.holders
    if any(holders[colour] not in shown_holders for colour, shown_holders in enumerate(_shown_holders(view))):
        return False
    return position.towers[position.terms.sides[seat]] == view.sides[view.boards[seat].side].towers


def _shown_holders(view: View) -> list[list[Seat]]:
    """Return the seats that show each professor, or `[_FREE]`."""
    return [
        [seat for seat, board in enumerate(view.boards) if colour in board.professors] or [_FREE]
        for colour in range(len(view.professors))
    ]


def _our_sides(terms: Terms, view: View) -> list[int]:
    """Return our index of each side of the view, matched by seats."""
    return [terms.sides[side.seats[0]] for side in view.sides]


def _professors_of(before: Professors, view: View, seat: Seat) -> Professors:
    """Return the professors; the view may show several holders, of which the earlier one has precedence."""
    holders = []
    for colour, shown_holders in enumerate(_shown_holders(view)):
        holder = before.holders[colour]
        if holder not in shown_holders:
            holder = seat if seat in shown_holders else shown_holders[-1]
        holders.append(holder)
    return professors_of(tuple(holders), before.sides)


def _phase_of(terms: Terms, view: View, ask: Ask, seat: Seat) -> Phase | None:
    """Return the phase that a question means, or None if our rules do not have it."""
    stage = _STAGES.get(ask.decision.kind)  # type: ignore[call-overload] # a kind of Eriantys, as the view is
    if stage is None:
        return None
    left = terms.moves - view.moved if stage is Stage.STUDENTS else 0
    if stage is Stage.STUDENTS and not 0 < left <= terms.moves:
        return None
    if stage is Stage.CLOUD and terms.early:
        stage, left = Stage.CLOUD_FIRST, terms.moves
    return phase_of(stage, seat, left, view.took_cloud and stage is not Stage.PLAN)


def _plan_of(before: Plan, view: View, ask: Ask, seat: Seat) -> Plan | None:
    """Return the cards of the round, in an order in which this seat is next, or None if that is impossible."""
    cards = tuple(board.card or PASSED for board in view.boards)
    order = tuple(player for player in view.order if cards[player] != PASSED)
    count = len(cards)
    if ask.decision.kind == Kind.ASSISTANT:
        if cards[seat] != PASSED:
            return None
        return plan_of((seat - len(order)) % count, len(order), cards, order)
    if seat not in order:
        return None
    first = before.first if before.cards == cards else order[0]
    return plan_of(first, count, cards, tuple(sorted(order, key=cards.__getitem__)))


def _students_of(position: Position, view: View) -> int | None:
    """Return the students at all places, or None if the view has more of a colour than exist."""
    slots: list[tuple[int, Counts]] = []
    for seat, board in enumerate(view.boards):
        slots += [(ENTRANCE[seat], board.entrance), (HALL[seat], board.hall)]
    slots += [(CLOUD + place, cloud) for place, cloud in enumerate(_clouds_of(position, view))]
    slots += [(ISLAND + island.tiles[0], island.students) for island in view.islands]
    elsewhere = [card.students for card in view.characters]
    totals = [sum(column) for column in zip(*[counts for _, counts in slots], *elsewhere, strict=True)]
    if max(totals) > STUDENTS_PER_COLOUR:
        return None
    slots.append((BAG, tuple(STUDENTS_PER_COLOUR - count for count in totals)))
    return sum(pile(counts) * AT[slot] for slot, counts in slots)


def _clouds_of(position: Position, view: View) -> Sequence[Counts]:
    """Return the clouds by index; those that the view lacks are empty."""
    count = position.terms.seats
    if len(view.clouds) == count:
        return view.clouds
    empty: Counts = (0, 0, 0, 0, 0)
    remaining = [cloud for cloud in view.clouds[:count] if any(cloud)]
    places = [empty] * count
    for place, here in enumerate(position.clouds):
        match = next((cloud for cloud in remaining if pile(cloud) == here), None)
        if match is not None:
            places[place] = match
            remaining.remove(match)
    for cloud in remaining:
        places[places.index(empty)] = cloud
    return places


def _ending_of(view: View) -> Ending:
    out_seats = sum(1 << seat for seat, board in enumerate(view.boards) if board.gone)
    if view.clouds_closed:
        return Ending(out_seats, Termination.BAG, clouds_closed=True)
    has_empty_hand = any(board.card is not None and not board.hand for board in view.boards)
    return Ending(out_seats, Termination.ASSISTANTS if has_empty_hand else None)


def _expert_of(expert: Expert, view: View) -> Expert:
    """Return the expert part, with the characters, coins and no-entry tiles that the view shows."""
    shown_cards = {card.character: card for card in view.characters}
    cards: list[Card] = []
    for card in expert.cards:
        shown = shown_cards.get(card.character)
        if shown is not None:
            card = replace(card, students=pile(shown.students), no_entry=shown.no_entry, used=shown.used)
        cards.append(card)
    no_entry = [0] * TILES
    for island in view.islands:
        no_entry[island.tiles[0]] = island.no_entry
    return replace(
        expert,
        coins=tuple(board.coins or 0 for board in view.boards),
        cards=tuple(cards),
        lowest_price=min(map(price, cards)),
        no_entry=tuple(no_entry),
    )
