"""The bot that plays Eriantys: what it does with one table."""

from __future__ import annotations

from functools import partial
from operator import mod
from random import Random
from typing import Any

from msgspec.structs import replace

from boardwire.bots.bot import BUDGET
from boardwire.bots.greedy import eriantys as bot
from boardwire.bots.greedy.eriantys_board import after, resolve, simple_board, walk
from boardwire.games import eriantys
from boardwire.games.eriantys import (
    Character,
    Colour,
    Done,
    Kind,
    Mode,
    MoveMotherNature,
    PlayAssistant,
    Swap,
    TakeCloud,
    ToHall,
    ToIsland,
    UseCharacter,
    View,
)
from boardwire.games.eriantys.view import CharacterView
from boardwire.games.game import CHANCE, Decision, Draw

NONE = (0, 0, 0, 0, 0)


def bare(mode: Mode = Mode.SIMPLIFIED, **changes: Any) -> View:
    """The table of two players as it is dealt, without students on islands and clouds, mother nature on the first."""
    position = eriantys.new(eriantys.Options(mode=mode), 2)
    luck = Random(1).randrange
    while (decision := eriantys.pending(position)) is not None and CHANCE in decision.seats:
        choices = decision.choices
        action = choices.draw(luck) if isinstance(choices, Draw) else next(iter(choices))
        position, _ = eriantys.apply(position, CHANCE, action)
    view = eriantys.view(position, 0)
    islands = tuple(replace(one, students=NONE, mother_nature=not number) for number, one in enumerate(view.islands))
    return replace(view, islands=islands, mother_nature=0, **changes)


def with_island(view: View, number: int, **changes: Any) -> View:
    island = replace(view.islands[number], **changes)
    return replace(view, islands=(*view.islands[:number], island, *view.islands[number + 1 :]))


def with_hall(view: View, seat: int, hall: tuple[int, int, int, int, int]) -> View:
    board = replace(view.boards[seat], hall=hall)
    return replace(view, boards=(*view.boards[:seat], board, *view.boards[seat + 1 :]))


def chosen(view: View, kind: Kind, *choices: eriantys.Action, budget: int = BUDGET) -> set[eriantys.Action]:
    """What seat 0 does, whatever its luck is."""
    asked = Decision(kind, (0,), choices)
    view = replace(view, asked=kind, turn=0)
    return {bot.choose(view, asked, partial(mod, luck), budget) for luck in range(6)}


WALKS = tuple(MoveMotherNature(steps) for steps in (1, 2, 3))
GREENS = (0, None, None, None, None)


def test_mother_nature_goes_where_a_tower_is_won() -> None:
    view = with_island(bare(professors=GREENS), 2, students=(2, 0, 0, 0, 0))
    assert chosen(view, Kind.STEPS, *WALKS) == {MoveMotherNature(2)}


def test_mother_nature_keeps_away_from_where_the_other_wins_a_tower() -> None:
    view = bare(professors=(1, None, None, None, None))
    for number in (1, 3):
        view = with_island(view, number, students=(2, 0, 0, 0, 0))
    assert chosen(view, Kind.STEPS, *WALKS) == {MoveMotherNature(2)}


def test_the_last_tower_is_worth_more_than_anything() -> None:
    view = bare(professors=GREENS)
    view = replace(view, sides=(replace(view.sides[0], towers=1), view.sides[1]))
    view = with_island(view, 1, students=(1, 0, 0, 0, 0))
    view = with_island(view, 2, students=(5, 0, 0, 0, 0), side=1, towers=1, no_entry=1)
    assert chosen(view, Kind.STEPS, *WALKS) == {MoveMotherNature(1)}


def test_a_student_goes_to_the_hall_where_it_brings_the_professor() -> None:
    view = bare(professors=(1, 1, None, None, None), steps=1, moves=3)
    view = with_hall(with_hall(view, 0, (1, 0, 0, 0, 0)), 1, (1, 3, 0, 0, 0))
    assert chosen(view, Kind.STUDENT, ToHall(Colour.GREEN), ToHall(Colour.RED)) == {ToHall(Colour.GREEN)}


def test_a_student_goes_to_the_island_that_it_wins() -> None:
    view = with_hall(bare(professors=GREENS, steps=2), 0, (3, 0, 0, 0, 0))
    choices: list[eriantys.Action] = [
        ToHall(Colour.GREEN),
        *(ToIsland(Colour.GREEN, view.islands[n].tiles[0]) for n in range(5)),
    ]
    wins = {ToIsland(Colour.GREEN, view.islands[n].tiles[0]) for n in (1, 2)}
    assert chosen(view, Kind.STUDENT, *choices) <= wins
    assert chosen(view, Kind.STUDENT, *choices, budget=0) <= set(choices), "without a budget it does not look so far"


def test_of_the_clouds_it_takes_the_fullest_and_never_none() -> None:
    view = bare(moved=3, clouds=(NONE, (1, 1, 1, 0, 0)))
    assert chosen(view, Kind.CLOUD, TakeCloud(0), TakeCloud(1)) == {TakeCloud(1)}
    assert chosen(view, Kind.CLOUD, Done(), TakeCloud(0)) == {TakeCloud(0)}
    assert chosen(view, Kind.FINISH, Done()) == {Done()}


def test_of_the_clouds_it_takes_the_one_with_colours_it_has_professors_of() -> None:
    view = bare(moved=3, professors=(0, 1, 1, 1, 1), clouds=((0, 3, 0, 0, 0), (3, 0, 0, 0, 0)))
    assert chosen(with_hall(view, 1, (0, 9, 9, 9, 9)), Kind.CLOUD, TakeCloud(0), TakeCloud(1)) == {TakeCloud(1)}
    nobodys = replace(view, professors=GREENS)
    assert chosen(nobodys, Kind.CLOUD, TakeCloud(0), TakeCloud(1)) == {TakeCloud(1)}


def test_of_the_assistants_it_plays_the_earliest_that_walks_far() -> None:
    cards = tuple(PlayAssistant(card) for card in (1, 5, 8, 9, 10))
    assert chosen(bare(), Kind.ASSISTANT, *cards) == {PlayAssistant(9)}


# --- characters -----------------------------------------------------------------------------------------------------


def expert(character: Character, price: int = 1, **changes: Any) -> View:
    card = CharacterView(character, price, False, NONE, 0)
    view = bare(Mode.EXPERT, professors=GREENS, moved=3, steps=1, **changes)
    return replace(view, characters=(card,))


def test_a_character_that_wins_a_tower_is_used_before_the_walk() -> None:
    view = with_island(expert(Character.HERALD, 3), 7, students=(2, 0, 0, 0, 0))
    uses = [UseCharacter(Character.HERALD, island=view.islands[n].tiles[0]) for n in (6, 7, 8)]
    assert chosen(view, Kind.STEPS, MoveMotherNature(1), *uses) == {uses[1]}


def test_the_knight_is_used_where_two_more_decide() -> None:
    view = with_island(expert(Character.KNIGHT, 2), 1, students=(1, 0, 0, 0, 0), side=1, towers=1)
    use = UseCharacter(Character.KNIGHT)
    assert chosen(view, Kind.STEPS, MoveMotherNature(1), use) == {use}


def test_no_coin_is_spent_on_what_changes_nothing() -> None:
    for character in (Character.KNIGHT, Character.CENTAUR, Character.POSTMAN, Character.FARMER):
        view = with_island(expert(character), 1, side=0, towers=1)
        assert chosen(view, Kind.STEPS, MoveMotherNature(1), UseCharacter(character)) == {MoveMotherNature(1)}


def test_characters_wait_until_mother_nature_is_about_to_walk() -> None:
    view = with_island(expert(Character.HERALD), 7, students=(2, 0, 0, 0, 0))
    use = UseCharacter(Character.HERALD, island=view.islands[7].tiles[0])
    assert chosen(view, Kind.STUDENT, ToHall(Colour.GREEN), use) == {ToHall(Colour.GREEN)}


def test_what_characters_do_is_drawn() -> None:
    view = with_hall(with_hall(expert(Character.FARMER), 0, (2, 4, 0, 0, 0)), 1, (0, 4, 2, 0, 0))
    table = simple_board(replace(view, professors=(0, 1, 1, None, None)), 0)
    head = table.heads[4]
    assert after(table, UseCharacter(Character.FARMER)).holders == (0, 0, 1, -1, -1)
    assert after(table, UseCharacter(Character.MONK, Colour.RED, head)).lands[4].students == (0, 1, 0, 0, 0)
    assert after(table, UseCharacter(Character.GRANDMA, island=head)).lands[4].no_entry == 1
    assert after(table, UseCharacter(Character.POSTMAN)).steps == table.steps + 2
    assert after(table, UseCharacter(Character.MUSHROOM, Colour.RED)).ignored == Colour.RED
    assert after(table, UseCharacter(Character.PRINCESS, Colour.PINK)).holders[Colour.PINK] == 0
    assert after(table, UseCharacter(Character.THIEF, Colour.RED)).halls == ((2, 1, 0, 0, 0), (0, 1, 2, 0, 0))
    swapped = after(table, UseCharacter(Character.MINSTREL, Colour.RED, give=Colour.BLUE))
    assert swapped.halls[0] == (2, 3, 0, 0, 1)
    assert after(swapped, Swap(Colour.RED, Colour.BLUE)).halls[0] == (2, 2, 0, 0, 2)
    assert after(table, UseCharacter(Character.JESTER, Colour.RED, give=Colour.BLUE)).halls == table.halls


def test_towers_change_hands_and_no_entry_tiles_are_spent() -> None:
    view = with_island(bare(professors=GREENS), 3, students=(4, 0, 0, 0, 0), side=1, towers=2)
    table = simple_board(view, 0)
    own, other = table.towers
    taken = walk(table, 3)
    assert (taken.mother, taken.towers, taken.lands[3].side) == (3, (own - 2, other + 2), 0)
    closed = simple_board(with_island(view, 3, no_entry=1), 0)
    assert resolve(closed, 3).lands[3].no_entry == 0
    assert resolve(closed, 3).towers == table.towers
