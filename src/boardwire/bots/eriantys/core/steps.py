"""The rules of Eriantys for states of `slots`, equal to those of `games.eriantys`.

- `legal` lists the steps of the seat to act, `play` applies one in place.
- `refill` and `restock` apply the draws of chance, which the caller makes.
- A test compares both implementations over every kind of match.
"""

from __future__ import annotations

from typing import Final

from boardwire.bots.eriantys.core.slots import (
    ACTIVE,
    ASKED,
    BAG,
    BARREN,
    BEFORE,
    CARD,
    CHARACTER,
    CLOUD,
    CLOUD_FIRST,
    CLOUD_TIME,
    CLOUDS,
    COINS,
    DONE,
    ENTRANCE,
    EXCHANGE,
    EXPERT,
    FARMER,
    FINISH,
    FIRST,
    GONE,
    GRANDMA,
    HALL,
    HAND,
    HERALD,
    HOLDER,
    IGNORED,
    ISLAND,
    JESTER,
    LAST,
    LEFT,
    MINSTREL,
    MONK,
    MOTHER,
    MOVES,
    MUSHROOM,
    NATURE,
    NO_ENTRY,
    NONE,
    ORDER,
    ORDERED,
    OVER,
    OWNER,
    PLAN,
    PLAY,
    PRICE,
    PRINCESS,
    REFILL,
    RESTOCK,
    RESUME,
    ROUND,
    SEAT,
    SEATS,
    SIDE,
    SIDES,
    SIZE,
    STAGE,
    STOCK,
    STUDENTS,
    SUPPLY,
    SWAP,
    SWAPS,
    TAKE,
    THIEF,
    TILES_LEFT,
    TO_HALL,
    TO_ISLAND,
    TOOK,
    TOWERS,
    USE,
    USED,
    USER,
    WALK,
    WINNERS,
    head_of,
    heads_of,
    next_head,
    reach,
    step,
    taker,
)

_TABLE_SEATS: Final = 10
"""The seats around a table."""
_FINAL_GROUP_COUNT: Final = 3
"""The match ends with this many islands or fewer."""


# --- legal steps -----------------------------------------------------------------------------------------------------


def legal(state: list[int]) -> list[int]:
    """Return the legal steps of the seat to act; none if chance must act or the match is over."""
    stage = state[STAGE]
    if stage == PLAN:
        return _assistant_steps(state)
    if stage == SWAP:
        found = [step(DONE)]
        _add_swaps(state, state[ACTIVE], True, found)
        return found
    found = []
    if stage == STUDENTS:
        _add_student_moves(state, found)
        if state[CLOUD_TIME] == 2 and not state[TOOK] and state[LEFT] == state[MOVES] and not state[BARREN]:
            _add_cloud_choices(state, found)
    elif stage == NATURE:
        found += [step(WALK, steps) for steps in range(1, reach(state, state[SEAT]) + 1)]
    elif stage in (CLOUDS, CLOUD_FIRST):
        _add_cloud_choices(state, found)
    elif stage == FINISH:
        found.append(step(DONE))
    else:
        return found
    if state[EXPERT] and state[ACTIVE] < 0:
        _add_character_uses(state, found)
    return found


def _assistant_steps(state: list[int]) -> list[int]:
    """Return the assistants that the seat may play: one that was played in this round only if it has no other."""
    played = 0
    for seat in range(state[SEATS]):
        if state[CARD + seat]:
            played |= 1 << state[CARD + seat]
    hand = state[HAND + state[SEAT]]
    cards = hand & ~played
    if not cards:
        cards = hand
    return [step(PLAY, card) for card in range(1, 11) if cards >> card & 1]


def _add_student_moves(state: list[int], found: list[int]) -> None:
    """Add the moves of a student from the entrance to the dining room or an island."""
    seat = state[SEAT]
    heads = heads_of(state)
    for colour in range(5):
        if state[ENTRANCE + 5 * seat + colour]:
            if state[HALL + 5 * seat + colour] < _TABLE_SEATS:
                found.append(step(TO_HALL, colour))
            found += [step(TO_ISLAND, colour, head) for head in heads]


def _add_cloud_choices(state: list[int], found: list[int]) -> None:
    """Add the clouds that have students."""
    found += [step(TAKE, cloud) for cloud in range(state[SEATS]) if _student_count(state, CLOUD + 5 * cloud)]


def _add_character_uses(state: list[int], found: list[int]) -> None:
    """Add the uses of the characters that the seat can pay for."""
    coins = state[COINS + state[SEAT]]
    for card in range(3):
        if PRICE[state[CHARACTER + card]] + state[USED + card] <= coins:
            _add_uses_of(state, card, found)


def _add_uses_of(state: list[int], card: int, found: list[int]) -> None:
    """Add the uses of one character."""
    character = state[CHARACTER + card]
    if character in (JESTER, MINSTREL):
        _add_swaps(state, character, False, found)
    elif character == HERALD or (character == GRANDMA and state[TILES_LEFT + card]):
        found += [step(USE, character, NONE, head) for head in heads_of(state)]
    elif character == MONK:
        for colour in range(5):
            if state[STOCK + 5 * card + colour]:
                found += [step(USE, character, colour, head) for head in heads_of(state)]
    elif character == PRINCESS:
        stock, hall = STOCK + 5 * card, HALL + 5 * state[SEAT]
        colours = [colour for colour in range(5) if state[stock + colour] and state[hall + colour] < _TABLE_SEATS]
        found += [step(USE, character, colour) for colour in colours]
    elif character in (MUSHROOM, THIEF):
        found += [step(USE, character, colour) for colour in range(5)]
    elif character != GRANDMA:
        found.append(step(USE, character))


def _add_swaps(state: list[int], character: int, further: bool, found: list[int]) -> None:
    """Add the swaps of Jester or Minstrel: the first of a use, or a further one."""
    entrance = ENTRANCE + 5 * state[SEAT]
    hall = HALL + 5 * state[SEAT]
    taken = hall if character == MINSTREL else STOCK + 5 * _card_of(state, JESTER)
    for colour in range(5):
        if not state[taken + colour]:
            continue
        gives = [give for give in range(5) if state[entrance + give]]
        if character == MINSTREL:
            gives = [give for give in gives if give == colour or state[hall + give] < _TABLE_SEATS]
        found += [step(EXCHANGE, colour, give) if further else step(USE, character, colour, give) for give in gives]


def _card_of(state: list[int], character: int) -> int:
    for card in range(3):
        if state[CHARACTER + card] == character:
            return card
    return -1


def _student_count(state: list[int], at: int) -> int:
    """Return the number of students in the pile at a slot."""
    return state[at] + state[at + 1] + state[at + 2] + state[at + 3] + state[at + 4]


# --- effects of steps ------------------------------------------------------------------------------------------------


def play(state: list[int], action: int) -> None:
    """Apply a legal step."""
    kind = action >> 12
    first = action >> 8 & 15
    second = action >> 4 & 15
    seat = state[SEAT]
    if kind == TO_ISLAND:
        state[ENTRANCE + 5 * seat + first] -= 1
        state[ISLAND + 5 * second + first] += 1
        _end_student_move(state)
    elif kind == TO_HALL:
        state[ENTRANCE + 5 * seat + first] -= 1
        seat_student(state, seat, first)
        _end_student_move(state)
    elif kind == WALK:
        _move_mother_nature(state, first)
    elif kind == TAKE:
        _take_cloud(state, seat, first)
    elif kind == PLAY:
        _play_card(state, seat, first)
    elif kind == USE:
        _use_character(state, seat, first, second, action & 15)
    elif kind == EXCHANGE:
        _swap_students(state, seat, first, second)
    elif state[STAGE] == SWAP:
        _end_swaps(state, seat)
    else:
        end_turn(state)


def _end_student_move(state: list[int]) -> None:
    """Count a moved student; after the last one, mother nature moves."""
    state[LEFT] -= 1
    if state[LEFT] == 0:
        state[STAGE] = NATURE


def seat_student(state: list[int], seat: int, colour: int) -> None:
    """Add a student to a dining room, with the professor and the coin that follow."""
    count = state[HALL + 5 * seat + colour] + 1
    state[HALL + 5 * seat + colour] = count
    holder = state[HOLDER + colour]
    if holder != seat and _takes_professor(state, holder, seat, colour, count):
        state[HOLDER + colour] = seat
    if state[EXPERT] and count % 3 == 0:
        _give_coin(state, seat)


def _give_coin(state: list[int], seat: int) -> None:
    """Give a seat a coin from the supply, if there is one."""
    if state[SUPPLY]:
        state[SUPPLY] -= 1
        state[COINS + seat] += 1


def _takes_professor(state: list[int], holder: int, seat: int, colour: int, count: int) -> bool:
    """Return whether a seat with `count` students of a colour takes the professor from `holder`."""
    if state[ACTIVE] == FARMER and holder >= 0 and count:
        return count >= state[HALL + 5 * holder + colour]
    return all(not (other != seat and state[HALL + 5 * other + colour] >= count) for other in range(state[SEATS]))


def _move_mother_nature(state: list[int], steps: int) -> None:
    """Move mother nature and resolve the island where she stops."""
    head = head_of(state, state[MOTHER])
    for _ in range(steps):
        head = next_head(state, head)
    state[MOTHER] = head
    state[STAGE] = CLOUDS
    resolve(state, head)
    if state[STAGE] != OVER and (state[TOOK] or state[BARREN] or not _has_cloud(state)):
        if state[BARREN] and state[EXPERT] and state[ACTIVE] < 0:
            offers: list[int] = []
            _add_character_uses(state, offers)
            if offers:
                state[STAGE] = FINISH
                return
        end_turn(state)


def _has_cloud(state: list[int]) -> bool:
    """Return whether a cloud can be taken. Always true in a real match, unless the clouds are closed in this round."""
    return any(state[at] for at in range(CLOUD, CLOUD + 5 * state[SEATS]))


def strongest(found: list[int]) -> int:
    """Return the index of the strict maximum, or -1."""
    best = -1
    most = -1
    for side, count in enumerate(found):
        if count > most:
            most = count
            best = side
        elif count == most:
            best = -1
    return best


def resolve(state: list[int], head: int) -> None:
    """Resolve the influence on an island, which may end the match."""
    if state[NO_ENTRY + head]:
        state[NO_ENTRY + head] -= 1
        state[TILES_LEFT + _card_of(state, GRANDMA)] += 1
        return
    side = taker(state, head)
    before = state[OWNER + head] - 1
    if side < 0 or side == before:
        return
    count = state[SIZE + head]
    if before >= 0:
        state[TOWERS + before] += count
    state[OWNER + head] = side + 1
    state[TOWERS + side] -= min(count, state[TOWERS + side])
    if state[TOWERS + side] == 0:
        _end_match(state, 1 << side if _is_here(state, side) else leaders(state))
        return
    _unify_neighbours(state, head, side)


def _unify_neighbours(state: list[int], head: int, side: int) -> None:
    """Unify an island that a side has just won with its neighbours of the same side."""
    clockwise = next_head(state, head)
    counter = head_of(state, head - 1 if head else 11)
    owned = state[OWNER + counter] == side + 1
    if state[OWNER + clockwise] == side + 1:
        _join_islands(state, head, clockwise)
    if owned:
        _join_islands(state, counter, head)
    if len(heads_of(state)) <= _FINAL_GROUP_COUNT:
        _end_match(state, leaders(state))


def _join_islands(state: list[int], head: int, joined: int) -> None:
    """Join the island `joined` to the island `head`."""
    for colour in range(5):
        state[ISLAND + 5 * head + colour] += state[ISLAND + 5 * joined + colour]
        state[ISLAND + 5 * joined + colour] = 0
    state[NO_ENTRY + head] += state[NO_ENTRY + joined]
    state[NO_ENTRY + joined] = 0
    state[SIZE + head] += state[SIZE + joined]
    state[SIZE + joined] = 0
    state[OWNER + joined] = 0


def _is_here(state: list[int], side: int) -> bool:
    return any(state[SIDE + seat] == side and not state[GONE] >> seat & 1 for seat in range(state[SEATS]))


def leaders(state: list[int]) -> int:
    """Return the bit mask of the sides that win if the match ends now."""
    best = 0
    most = -1
    for side in range(state[SIDES]):
        if not _is_here(state, side):
            continue
        held = 0
        for colour in range(5):
            holder = state[HOLDER + colour]
            if holder >= 0 and state[SIDE + holder] == side:
                held += 1
        rank = 8 * (8 - state[TOWERS + side]) + held
        if rank > most:
            most = rank
            best = 1 << side
        elif rank == most:
            best |= 1 << side
    return best


def _end_match(state: list[int], winners: int) -> None:
    state[STAGE] = OVER
    state[SEAT] = -2
    state[WINNERS] = winners


def _take_cloud(state: list[int], seat: int, cloud: int) -> None:
    """Move the students of a cloud to the seat's entrance, and end the turn if its students are moved."""
    for colour in range(5):
        state[ENTRANCE + 5 * seat + colour] += state[CLOUD + 5 * cloud + colour]
        state[CLOUD + 5 * cloud + colour] = 0
    if state[STAGE] == CLOUDS:
        end_turn(state)
    else:
        state[STAGE] = STUDENTS
        state[TOOK] = 1


# --- characters ------------------------------------------------------------------------------------------------------


def _use_character(state: list[int], seat: int, character: int, colour: int, third: int) -> None:
    """Pay for a character and apply its effect; `third` is the island or the colour given in exchange."""
    card = _card_of(state, character)
    cost = PRICE[character] + state[USED + card]
    state[COINS + seat] -= cost
    state[SUPPLY] += cost if state[USED + card] else cost - 1
    state[USED + card] = 1
    state[ACTIVE] = character
    state[USER] = seat
    state[RESUME] = state[STAGE]
    if character == HERALD:
        resolve(state, third)
    elif character == GRANDMA:
        state[TILES_LEFT + card] -= 1
        state[NO_ENTRY + third] += 1
    elif character == MUSHROOM:
        state[IGNORED] = colour
    elif character == FARMER:
        _apply_farmer(state, seat)
    elif character == THIEF:
        _apply_thief(state, colour)
    elif character == MONK:
        state[STOCK + 5 * card + colour] -= 1
        state[ISLAND + 5 * third + colour] += 1
        _request_restock(state)
    elif character == PRINCESS:
        state[STOCK + 5 * card + colour] -= 1
        seat_student(state, seat, colour)
        _request_restock(state)
    elif character in (JESTER, MINSTREL):
        state[SWAPS] = 3 if character == JESTER else 2
        for each in range(5):
            state[BEFORE + each] = state[HALL + 5 * seat + each]
        state[STAGE] = SWAP
        _swap_students(state, seat, colour, third)


def _request_restock(state: list[int]) -> None:
    """Let chance restock the card, unless the bag is empty."""
    if _student_count(state, BAG):
        state[STAGE] = RESTOCK
        state[SEAT] = -1


def _apply_farmer(state: list[int], seat: int) -> None:
    """Take the professors of colours in which the seat has as many students as the holder."""
    for colour in range(5):
        holder = state[HOLDER + colour]
        count = state[HALL + 5 * seat + colour]
        if holder >= 0 and holder != seat and _takes_professor(state, holder, seat, colour, count):
            state[HOLDER + colour] = seat


def _apply_thief(state: list[int], colour: int) -> None:
    """Return up to three students of a colour from every dining room to the bag."""
    for seat in range(state[SEATS]):
        count = min(3, state[HALL + 5 * seat + colour])
        state[HALL + 5 * seat + colour] -= count
        state[BAG + colour] += count


def _swap_students(state: list[int], seat: int, colour: int, give: int) -> None:
    """Swap a student of the entrance with one of Jester's card or, for Minstrel, of the dining room."""
    taken = HALL + 5 * seat if state[ACTIVE] == MINSTREL else STOCK + 5 * _card_of(state, JESTER)
    state[ENTRANCE + 5 * seat + colour] += 1
    state[ENTRANCE + 5 * seat + give] -= 1
    state[taken + colour] -= 1
    state[taken + give] += 1
    state[SWAPS] -= 1
    if state[SWAPS] == 0:
        _end_swaps(state, seat)


def _end_swaps(state: list[int], seat: int) -> None:
    """End the swaps."""
    if state[ACTIVE] == MINSTREL:
        for colour in range(5):
            found = [state[HALL + 5 * other + colour] for other in range(state[SEATS])]
            leader = strongest(found)
            if leader >= 0:
                state[HOLDER + colour] = leader
        for colour in range(5):
            for place in range(3, 10, 3):
                if state[BEFORE + colour] < place <= state[HALL + 5 * seat + colour]:
                    _give_coin(state, seat)
    for colour in range(5):
        state[BEFORE + colour] = 0
    state[SWAPS] = 0
    state[STAGE] = state[RESUME]


# --- rounds ----------------------------------------------------------------------------------------------------------


def _play_card(state: list[int], seat: int, card: int) -> None:
    state[HAND + seat] &= ~(1 << card)
    if state[HAND + seat] == 0:
        state[LAST] = 1
    state[CARD + seat] = card
    state[ORDER + state[ORDERED]] = seat
    state[ORDERED] += 1
    state[ASKED] += 1
    _plan_next(state)


def _plan_next(state: list[int]) -> None:
    """Ask the next seat, clockwise, for an assistant; after the last, begin the turns."""
    seats = state[SEATS]
    while state[ASKED] < seats and state[GONE] >> (state[FIRST] + state[ASKED]) % seats & 1:
        state[ASKED] += 1
    if state[ASKED] < seats:
        state[STAGE] = PLAN
        state[SEAT] = (state[FIRST] + state[ASKED]) % seats
        return
    if state[ORDERED] <= 0:  # no seat plays any more, so the rounds would never end
        _end_match(state, leaders(state))
        return
    for end in range(state[ORDERED] - 1, 0, -1):
        for at in range(ORDER, ORDER + end):
            if state[CARD + state[at]] > state[CARD + state[at + 1]]:
                state[at], state[at + 1] = state[at + 1], state[at]
    _begin_turn(state, 0)


def _begin_turn(state: list[int], number: int) -> None:
    """Begin the turn of the next present seat from this place of the order on; after the last, end the round."""
    while number < state[ORDERED] and state[GONE] >> state[ORDER + number] & 1:
        number += 1
    if number >= state[ORDERED]:
        _end_round(state)
        return
    state[SEAT] = state[ORDER + number]
    state[STAGE] = CLOUD_FIRST if state[CLOUD_TIME] == 1 and not state[BARREN] else STUDENTS
    state[LEFT] = state[MOVES]
    state[TOOK] = 0


def end_turn(state: list[int]) -> None:
    """End the turn."""
    state[ACTIVE] = -1
    state[IGNORED] = -1
    state[USER] = -1
    number = 0
    while number < state[ORDERED] and state[ORDER + number] != state[SEAT]:
        number += 1
    _begin_turn(state, number + 1)


def _end_round(state: list[int]) -> None:
    """End the match after the last round; otherwise refill the clouds, or begin the last round if the bag is short."""
    if state[LAST]:
        _end_match(state, leaders(state))
        return
    if state[ORDERED]:
        state[FIRST] = state[ORDER]
    state[ROUND] += 1
    state[ORDERED] = 0
    state[ASKED] = 0
    for seat in range(state[SEATS]):
        state[CARD + seat] = 0
    wanted = sum(missing(state))
    if 0 < wanted <= _student_count(state, BAG):
        state[STAGE] = REFILL
        state[SEAT] = -1
        return
    if wanted:
        state[LAST] = 1
        state[BARREN] = 1
    _plan_next(state)


def missing(state: list[int]) -> list[int]:
    """Return the number of students missing on each cloud."""
    return [max(0, state[MOVES] - _student_count(state, CLOUD + 5 * cloud)) for cloud in range(state[SEATS])]


def refill(state: list[int], dealt: list[int]) -> None:
    """Put the drawn students onto the clouds: `dealt` has five counts for each."""
    for at, count in enumerate(dealt):
        state[CLOUD + at] += count
        state[BAG + at % 5] -= count
    if _student_count(state, BAG) == 0:
        state[LAST] = 1
    _plan_next(state)


def restock(state: list[int], colour: int) -> None:
    """Put the drawn student onto the character that was used."""
    state[STOCK + 5 * _card_of(state, state[ACTIVE]) + colour] += 1
    state[BAG + colour] -= 1
    if _student_count(state, BAG) == 0:
        state[LAST] = 1
    state[STAGE] = state[RESUME]
    state[SEAT] = state[USER]
    if state[GONE] >> state[USER] & 1:
        end_turn(state)
