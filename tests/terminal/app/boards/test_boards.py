"""What every board must do, over positions of random matches."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest

from boardwire import games
from boardwire.dialects.dialect import Players
from boardwire.games.game import CHANCE, Draw
from boardwire.terminal import rulebook
from boardwire.terminal.app.boards import board
from boardwire.terminal.app.boards.board import Scene, fitting_cell
from boardwire.terminal.app.selection import CHOICE, Selection
from boardwire.terminal.screens import screen

PLAYERS = Players(("Ada", "Bob", "Cleo", "Dan"), 0)
SETTINGS: list[tuple[str, int, dict[str, Any]]] = [
    ("tris", 2, {}),
    ("forza", 2, {}),
    ("santorini", 2, {}),
    ("santorini", 3, {"draft": "challenger"}),
    ("santorini", 4, {"draft": "random"}),
    ("eriantys", 2, {"mode": "expert"}),
    ("eriantys", 4, {"mode": "expert"}),
]


def test_every_game_is_tested_here() -> None:
    assert {name for name, _, _ in SETTINGS} == set(games.NAMES)


def positions(name: str, seats: int, options: dict[str, Any], seed: int, most: int = 120) -> Any:
    """The decisions of a random match, with the view of the seat that decides."""
    game, luck = games.game(name), Random(seed)
    position = game.new(msgspec.convert(options, game.Options), seats)
    for _ in range(most):
        decision = game.pending(position)
        if decision is None:
            break
        seat = decision.seats[0]
        if seat == CHANCE:
            choices = decision.choices
            action = choices.draw(luck.randrange) if isinstance(choices, Draw) else luck.choice(list(choices))
        else:
            yield game.view(position, seat), decision, seat
            action = luck.choice(list(decision.choices))
        position, _ = game.apply(position, seat, action)


@pytest.mark.parametrize(("name", "seats", "options"), SETTINGS)
def test_every_choice_can_be_made_by_targets_that_are_drawn_or_named(
    name: str, seats: int, options: dict[str, Any]
) -> None:
    drawn_board, notation = board(name), screen(name)
    before = None
    for view, decision, seat in positions(name, seats, options, 1):
        players = Players(PLAYERS.names[:seats], seat)
        choices = list(decision.choices)
        paths = [(drawn_board.path(view, action), action) for action in choices]
        width, height = drawn_board.size(view)
        for action in choices[:: -(-len(choices) // 3)]:  # three of them, from the whole list
            selection = Selection(paths)
            for _ in range(8):
                canvas = drawn_board.draw(
                    Scene(view, players, before, selection.targets, selection.prefix), width, height
                )
                assert canvas.width <= 80
                path = selection.path_of(action)
                step = path[len(selection.prefix)]
                assert step in selection.targets
                if canvas.region(step) is None and step.kind != CHOICE:
                    assert drawn_board.label(view, step, players)
                found = selection.choose(step)
                if found is not None:
                    assert found == (action,)
                    break
            else:
                raise AssertionError(f"{action} cannot be chosen")
        assert len(notation.choice_list(view, decision, players)) == len(list(decision.choices))
        before = view


@pytest.mark.parametrize(("name", "seats", "options"), SETTINGS)
def test_a_board_fits_80_columns_and_24_rows(name: str, seats: int, options: dict[str, Any]) -> None:
    for view, _, _ in positions(name, seats, options, 2):
        width, height = board(name).size(view)
        assert width <= 80
        assert height <= 24 - 5, "title, question, input, keys and a line of the log"
        small = board(name).draw(Scene(view, PLAYERS), 0, 0)
        assert (small.width, small.height) == (width, height)
        large = board(name).draw(Scene(view, PLAYERS), 200, 60)
        assert large.width >= small.width
        assert large.height >= small.height


@pytest.mark.parametrize("name", ["santorini", "eriantys"])
def test_cards_in_play_have_an_entry_in_the_rulebook(name: str) -> None:
    options = {"draft": "random"} if name == "santorini" else {"mode": "expert"}
    *_, (view, _, _) = positions(name, 2, options, 3, 20)
    cards = board(name).cards(view)
    assert cards
    for card in cards:
        assert rulebook.rules(name, card)


def test_choices_read_without_colour() -> None:
    """What can be chosen has a mark of its own, not only a colour."""
    view, decision, _ = next(iter(positions("santorini", 2, {}, 1)))
    paths = [(board("santorini").path(view, action), action) for action in decision.choices]
    targets = Selection(paths).targets
    marked = board("santorini").draw(Scene(view, PLAYERS, targets=targets), 0, 0).text()
    assert marked.count("+") == 25
    view, decision, _ = next(iter(positions("tris", 2, {}, 1)))
    targets = Selection([(board("tris").path(view, action), action) for action in decision.choices]).targets
    assert all(str(cell) in board("tris").draw(Scene(view, PLAYERS, targets=targets), 0, 0).text() for cell in range(9))


def test_the_first_cell_size_whose_board_fits_width_and_height_is_taken() -> None:
    def whole(wide: int, high: int) -> tuple[int, int]:
        return 10 * wide, 4 * high

    sizes = [(6, 3), (4, 2), (2, 1)]
    assert fitting_cell(sizes, whole, 60, 12) == (6, 3)
    assert fitting_cell(sizes, whole, 59, 12) == (4, 2)
    assert fitting_cell(sizes, whole, 60, 11) == (4, 2)
    assert fitting_cell(sizes, whole, 10, 1) == (2, 1), "the smallest if none fits"
